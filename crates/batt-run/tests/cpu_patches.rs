//! Colours, patches and lines of the fast engine against the reference, on seeded random calls.

#[path = "common/sets.rs"]
mod sets;

use std::collections::BTreeMap;

use batt_core::Tag;
use batt_lang::{Prim, Value};
use batt_run::engine::cpu::{Memory, to_val, to_value};
use batt_run::reference::Machine;
use sets::call_all;

/// Every primitive under test with the kinds of its arguments: patch, grid, element (a grid or an
/// object), objects, location, direction, number.
const CALLS: &[(&str, &str)] = &[
    ("mostcolor", "e"),
    ("leastcolor", "e"),
    ("colorcount", "en"),
    ("colorfilter", "on"),
    ("recolor", "np"),
    ("palette", "e"),
    ("numcolors", "e"),
    ("color", "p"),
    ("p_g", "g"),
    ("p_o", "p"),
    ("p_f", "p"),
    ("get_color_rank_t", "gn"),
    ("get_color_rank_f", "pn"),
    ("height", "p"),
    ("width", "p"),
    ("shape", "p"),
    ("portrait", "p"),
    ("ulcorner", "p"),
    ("urcorner", "p"),
    ("llcorner", "p"),
    ("lrcorner", "p"),
    ("toindices", "p"),
    ("shift", "pd"),
    ("normalize", "p"),
    ("uppermost", "p"),
    ("lowermost", "p"),
    ("leftmost", "p"),
    ("rightmost", "p"),
    ("square", "p"),
    ("vline", "p"),
    ("hline", "p"),
    ("hmatching", "pp"),
    ("vmatching", "pp"),
    ("manhattan", "pp"),
    ("adjacent", "pp"),
    ("bordering", "pg"),
    ("centerofmass", "p"),
    ("center", "p"),
    ("position", "pp"),
    ("corners", "p"),
    ("backdrop", "p"),
    ("delta", "p"),
    ("gravitate", "pp"),
    ("inbox", "p"),
    ("outbox", "p"),
    ("box", "p"),
    ("hperiod", "p"),
    ("vperiod", "p"),
    ("corner", "pn"),
    ("col_row", "pn"),
    ("dneighbors", "l"),
    ("ineighbors", "l"),
    ("neighbors", "l"),
    ("connect", "ll"),
    ("vfrontier", "l"),
    ("hfrontier", "l"),
    ("shoot", "ld"),
    ("interior", "p"),
    ("holes", "p"),
    ("ray", "gnd"),
];

/// A small generator, so that a seed names a call for good.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (((self.0 >> 33) * u64::from(n)) >> 31) as u32
    }

    fn int(&mut self, from: i32, to: i32) -> i32 {
        from + self.below((to - from) as u32) as i32
    }

    fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    fn grid(&mut self) -> Value {
        let most = if self.one_in(3) { 31 } else { 6 };
        let (height, width) = (self.int(1, most), self.int(1, most));
        let colors = self.int(1, 11);
        let row = |r: &mut Random| (0..width).map(|_| r.int(0, colors)).collect::<Vec<_>>();
        let rows: Vec<Vec<i32>> = (0..height).map(|_| row(self)).collect();
        Value::grid(&rows)
    }

    /// Where a patch begins and how far it reaches.
    fn place(&mut self) -> (i32, i32, i32) {
        let size = [1, 2, 3, 5, 10, 29, 31][self.below(7) as usize];
        match self.below(12) {
            0 => (self.int(-40, 40), self.int(-40, 40), size),
            1 => (self.int(-90, 90), self.int(-90, 90), 60),
            2 if self.one_in(4) => (self.int(-40_000, 40_000), self.int(-40_000, 40_000), size),
            3 if self.one_in(8) => (i32::MAX - 70, i32::MIN + 3, 60),
            _ => (self.int(0, 31 - size.min(30)), self.int(0, 31 - size.min(30)), size),
        }
    }

    fn cells(&mut self) -> Vec<(i32, i32, i32)> {
        let (top, left, size) = self.place();
        let count = match self.below(6) {
            0 => 1,
            1 => size * size,
            2 => 2,
            _ => size * 2,
        };
        let (first, last) = match self.below(10) {
            0..5 => {
                let one = self.int(0, 10);
                (one, one + 1)
            }
            5 if self.one_in(4) => (-2, 20),
            _ => (0, 10),
        };
        let (down, right) = match self.below(6) {
            0 => (1, size),
            1 => (size, 1),
            _ => (size, size),
        };
        let cells =
            |r: &mut Random| (r.int(first, last), top + r.int(0, down), left + r.int(0, right));
        (0..count).map(|_| cells(self)).collect()
    }

    /// Cells whose colours repeat along both axes.
    fn pattern(&mut self) -> Vec<(i32, i32, i32)> {
        let (across, down) = (self.int(1, 5), self.int(1, 5));
        let (height, width) = (self.int(1, 20), self.int(1, 20));
        let color = |i: i32, j: i32| (i % down) * 2 + j % across;
        (0..height).flat_map(|i| (0..width).map(move |j| (color(i, j), i + 2, j + 3))).collect()
    }

    fn patch(&mut self) -> Value {
        let mut cells = if self.one_in(8) { self.pattern() } else { self.cells() };
        let several_at_one_place = self.one_in(12);
        if !several_at_one_place {
            cells.sort_by_key(|c| (c.1, c.2));
            cells.dedup_by_key(|c| (c.1, c.2));
        }
        let locations = self.one_in(2);
        let item = |(c, i, j)| if locations { Value::Pair(i, j) } else { Value::Cell(c, i, j) };
        let mut items: Vec<Value> = cells.into_iter().map(item).collect();
        match self.below(20) {
            0 => Value::empty_set(),
            1 => Value::empty_tuple(),
            2 | 3 => {
                let from = self.below(items.len() as u32) as usize;
                items.rotate_left(from);
                Value::tuple(items)
            }
            4 if self.one_in(4) => {
                items.push(self.odd());
                Value::set(items)
            }
            _ => Value::set(items),
        }
    }

    fn objects(&mut self) -> Value {
        let mut all: Vec<Value> = (0..self.below(6)).map(|_| self.patch()).collect();
        if self.one_in(4) { Value::tuple(all) } else { Value::set(std::mem::take(&mut all)) }
    }

    fn pair(&mut self) -> Value {
        match self.below(20) {
            0 => Value::Pair(i32::MAX, self.int(-3, 3)),
            1 => Value::Pair(self.int(-50_000, 50_000), i32::MIN),
            2 => Value::Pair(self.int(-50_000, 50_000), self.int(-50_000, 50_000)),
            3..8 => Value::Pair(self.int(-60, 60), self.int(-60, 60)),
            _ => Value::Pair(self.int(0, 30), self.int(0, 30)),
        }
    }

    fn direction(&mut self) -> Value {
        match self.below(8) {
            0 => self.pair(),
            1 => Value::Pair(self.int(-9, 9), self.int(-9, 9)),
            _ => Value::Pair(self.int(-1, 2), self.int(-1, 2)),
        }
    }

    fn number(&mut self) -> Value {
        let n = self.int(0, 10);
        match self.below(12) {
            0 => Value::Int(self.int(-40, 40)),
            1 => Value::Null,
            2 => Value::Pair(n, n),
            _ => Value::Int(n),
        }
    }

    /// Something of any kind.
    fn odd(&mut self) -> Value {
        match self.below(10) {
            0 => Value::Null,
            1 => Value::Bool(true),
            2 => Value::Int(self.int(-5, 40)),
            3 => self.pair(),
            4 => Value::Cell(self.int(0, 10), self.int(0, 9), self.int(0, 9)),
            5 => self.grid(),
            6 => self.objects(),
            7 => Value::set((0..self.below(5)).map(|n| Value::Int(n as i32)).collect()),
            8 => Value::tuple((0..self.below(5)).map(|n| Value::Int(n as i32)).collect()),
            _ => self.patch(),
        }
    }

    fn argument(&mut self, kind: char) -> Value {
        if self.one_in(12) {
            return self.odd();
        }
        match kind {
            'g' => self.grid(),
            'e' if self.one_in(2) => self.grid(),
            'p' | 'e' => self.patch(),
            'o' => self.objects(),
            'l' => self.pair(),
            'd' => self.direction(),
            _ => self.number(),
        }
    }
}

/// Compares one call; whether it was handed back.
fn handed_back(memory: &mut Memory, prim: Prim, args: &[Value], seed: u64) -> bool {
    let expected = Machine::default().prim(prim, args);
    let cx = memory.cx();
    cx.release(0);
    let vals: Vec<_> = args.iter().map(|a| to_val(cx, a)).collect();
    if vals.iter().any(|v| v.is_bad()) {
        return true;
    }
    let given = call_all(prim, cx, &vals);
    if given.is(Tag::Back) {
        return true;
    }
    let value = to_value(cx, given);
    assert!(
        value.as_ref() == expected.as_ref().ok(),
        "{prim}, seed {seed}: {expected:?}, not {value:?} ({})",
        args.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    );
    false
}

#[test]
fn random_calls_agree_with_the_reference() {
    let rounds: u64 = std::env::var("ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    let mut memory = Memory::new(1 << 16);
    let mut back: BTreeMap<&str, u64> = BTreeMap::new();
    for (at, (name, kinds)) in CALLS.iter().enumerate() {
        let prim = Prim::named(name).expect("a primitive");
        for round in 0..rounds {
            let seed = at as u64 * 1_000_003 + round;
            let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            let args: Vec<Value> = kinds.chars().map(|kind| random.argument(kind)).collect();
            if handed_back(&mut memory, prim, &args, seed) {
                *back.entry(name).or_default() += 1;
                if std::env::var_os("SHOW").is_some() {
                    let text: Vec<_> = args.iter().map(ToString::to_string).collect();
                    println!("{name}({:.300})", text.join(", "));
                }
            }
        }
    }
    for (name, count) in &back {
        println!("{name}: {count} of {rounds} handed back");
        assert!(count * 4 < rounds, "{name}: {count} of {rounds} handed back");
    }
}
