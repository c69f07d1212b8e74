//! Random calls of the primitives on grids and objects: the fast engine gives what the reference
//! gives, or hands the call back.

#[path = "common/sets.rs"]
mod sets;

use batt_core::Tag;
use batt_lang::{Prim, Value};
use batt_run::engine::cpu::{Memory, to_val, to_value};
use batt_run::reference::Machine;
use sets::call_all;

/// Primitives and the kinds of their arguments: grid, patch, object, colour, number, location, flag.
const CALLS: &[(&str, &str)] = &[
    ("asindices", "g"),
    ("ofcolor", "gc"),
    ("objects", "gfff"),
    ("partition", "g"),
    ("fgpartition", "g"),
    ("toobject", "pg"),
    ("asobject", "g"),
    ("occurrences", "go"),
    ("frontiers", "g"),
    ("o_g", "gn"),
    ("o_g_t", "gn"),
    ("objects_t", "gfff"),
    ("crop", "gll"),
    ("rot90", "g"),
    ("rot180", "g"),
    ("rot270", "g"),
    ("hmirror", "g"),
    ("vmirror", "g"),
    ("dmirror", "g"),
    ("cmirror", "g"),
    ("hmirror", "p"),
    ("vmirror", "p"),
    ("dmirror", "p"),
    ("cmirror", "p"),
    ("fill", "gcp"),
    ("paint", "go"),
    ("underfill", "gcp"),
    ("underpaint", "go"),
    ("hupscale", "gn"),
    ("vupscale", "gn"),
    ("upscale", "gn"),
    ("upscale", "on"),
    ("downscale", "gn"),
    ("hconcat", "gg"),
    ("vconcat", "gg"),
    ("subgrid", "pg"),
    ("hsplit", "gn"),
    ("vsplit", "gn"),
    ("cellwise", "ggc"),
    ("replace", "gcc"),
    ("switch", "gcc"),
    ("index", "gl"),
    ("canvas", "cl"),
    ("cover", "gp"),
    ("trim", "g"),
    ("move", "gol"),
    ("tophalf", "g"),
    ("bottomhalf", "g"),
    ("lefthalf", "g"),
    ("righthalf", "g"),
    ("compress", "g"),
    ("mir_rot_t", "gn"),
    ("mir_rot_f", "pn"),
    ("ray", "gcl"),
    ("panels", "gc"),
    ("tiled", "gc"),
    ("mended", "gc"),
];

/// A small generator (splitmix64), so that a failing call can be found again.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: u64) -> i32 {
        (self.next() % n) as i32
    }

    fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1) as u64)
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.next().is_multiple_of(n)
    }

    /// A grid of a few colours: noise, rectangles or lines.
    fn grid(&mut self) -> Value {
        if self.one_in(60) {
            return Value::empty_tuple();
        }
        if self.one_in(60) {
            // A tuple, but no grid.
            let (i, j) = self.location();
            return [Value::Pair(i, j), Value::Cell(self.color(), i, j)][self.below(2) as usize]
                .clone();
        }
        let largest = [4, 12, 31, 34, 60][self.below(5) as usize];
        let (h, w) = (self.between(1, largest), self.between(1, largest));
        let colors: Vec<i32> = (0..self.between(1, 4)).map(|_| self.color()).collect();
        let background = if self.one_in(2) { 0 } else { colors[0] };
        let mut rows = vec![vec![background; w as usize]; h as usize];
        for _ in 0..self.between(0, 12) {
            let color = colors[self.below(colors.len() as u64) as usize];
            let (i, j) = (self.below(h as u64), self.below(w as u64));
            let (a, b) = match self.below(4) {
                0 => (h, 1),
                1 => (1, w),
                2 => (1, 1),
                _ => (self.between(1, h), self.between(1, w)),
            };
            let (i, j) = (if a == h { 0 } else { i }, if b == w { 0 } else { j });
            for row in rows.iter_mut().skip(i as usize).take(a as usize) {
                row.iter_mut().skip(j as usize).take(b as usize).for_each(|c| *c = color);
            }
        }
        if self.one_in(3) {
            for row in &mut rows {
                for cell in row {
                    if self.one_in(3) {
                        *cell = colors[self.below(colors.len() as u64) as usize];
                    }
                }
            }
        }
        if self.one_in(40) {
            // Rows of any length, also none.
            let cut = self.between(0, 2) as usize;
            for row in &mut rows {
                row.truncate(if self.one_in(2) { cut } else { 60 });
            }
        }
        if self.one_in(30) {
            let odd = self.below(20);
            let cell = |c: i32| match (c, odd % 3) {
                (c, 0) if c == odd / 3 => Value::Null,
                (c, 1) if c == odd / 3 => Value::Pair(c, c),
                _ => Value::Int(c),
            };
            let rows =
                rows.into_iter().map(|row| Value::tuple(row.into_iter().map(cell).collect()));
            return Value::tuple(rows.collect());
        }
        Value::grid(&rows)
    }

    fn color(&mut self) -> i32 {
        if self.one_in(50) { self.between(-2, 40) } else { self.below(10) }
    }

    fn location(&mut self) -> (i32, i32) {
        if self.one_in(200) {
            return (i32::MAX - self.below(40), self.between(-9, 9));
        }
        let reach = [6, 14, 40][self.below(3) as usize];
        (self.between(-reach / 3, reach), self.between(-reach / 3, reach))
    }

    /// Locations or cells, as a set or now and then as a tuple.
    fn patch(&mut self, cells: bool) -> Value {
        let spread = [4, 10, 20, 60][self.below(4) as usize];
        let (oi, oj) = self.location();
        let one = self.one_in(2).then(|| self.color());
        let count = if self.one_in(25) { 0 } else { self.between(1, 30) };
        let items = (0..count).map(|_| {
            let i = oi.saturating_add(self.below(spread));
            let j = oj.saturating_add(self.below(spread));
            let color = one.unwrap_or_else(|| self.color());
            if cells { Value::Cell(color, i, j) } else { Value::Pair(i, j) }
        });
        let mut items: Vec<Value> = items.collect();
        if self.one_in(30) {
            let (i, j) = self.location();
            let (null, place) = (Value::Null, Value::Pair(i, j));
            items
                .push(Value::tuple(vec![if self.one_in(3) { place.clone() } else { null }, place]));
        }
        // Mostly one colour at a place.
        if cells && !self.one_in(8) {
            let at = |v: &Value| if let Value::Cell(_, i, j) = v { (*i, *j) } else { (0, 0) };
            items.sort_by_key(at);
            items.dedup_by_key(|v| at(v));
        }
        if self.one_in(10) { Value::tuple(items) } else { Value::set(items) }
    }

    fn value(&mut self, kind: char) -> Value {
        let kind = if self.one_in(150) {
            ['g', 'p', 'o', 'c', 'n', 'l', 'f', 'x'][self.below(8) as usize]
        } else {
            kind
        };
        match kind {
            'g' => self.grid(),
            'p' => {
                let cells = self.one_in(2);
                self.patch(cells)
            }
            'o' => {
                let cells = !self.one_in(20);
                self.patch(cells)
            }
            'c' => Value::Int(self.color()),
            'n' => Value::Int(self.between(-2, 8)),
            'l' => {
                let (i, j) = self.location();
                Value::Pair(i, j)
            }
            'f' => Value::Bool(self.one_in(2)),
            _ => Value::Null,
        }
    }

    /// An object cut out of a grid, moved away: something that does occur.
    fn cutting(&mut self, grid: &Value) -> Value {
        let prim = |name: &str, args: &[Value]| {
            Machine::default().prim(Prim::named(name).unwrap(), args).unwrap_or(Value::empty_set())
        };
        let (i, j) = (self.below(8), self.below(8));
        let dims = Value::Pair(self.between(1, 4), self.between(1, 4));
        let part = prim("crop", &[grid.clone(), Value::Pair(i, j), dims]);
        let object = prim("asobject", &[part]);
        let by = Value::Pair(self.between(-9, 9), self.between(-9, 9));
        prim("shift", &[object, by])
    }
}

/// Checks one call; whether it was handed back.
fn check(memory: &mut Memory, name: &str, args: &[Value]) -> bool {
    let prim = Prim::named(name).unwrap();
    let expected = Machine::default().prim(prim, args);
    let cx = memory.cx();
    cx.release(0);
    let vals: Vec<_> = args.iter().map(|a| to_val(cx, a)).collect();
    if vals.iter().any(|v| v.is_bad()) {
        return true;
    }
    let given = call_all(prim, cx, &vals);
    let text = || args.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    match given.tag() {
        Tag::Back => return true,
        Tag::Error => {
            assert!(expected.is_err(), "{name}({}) is {expected:?}, not an error", text());
        }
        _ => {
            let value = to_value(cx, given);
            let same = expected.is_ok() && value.as_ref() == expected.as_ref().ok();
            assert!(same, "{name}({}) is {expected:?}, not {value:?}", text());
            // Sets that are arrays stand in canonical order, as whoever merges them expects.
            assert_eq!(to_value(cx, to_val(cx, value.as_ref().unwrap())), value);
            let order = items_in_order(cx, given);
            assert!(order.is_none_or(|o| o), "{name}({}) is out of order", text());
        }
    }
    false
}

/// Whether the items of a set kept as an array ascend; `None` for other values.
fn items_in_order(cx: batt_core::Cx, v: batt_core::Val) -> Option<bool> {
    v.is(Tag::Set).then(|| {
        let items: Vec<_> = (0..v.x()).map(|k| to_value(cx, cx.val(v.a(), k)).unwrap()).collect();
        items.is_sorted_by(|a, b| a < b)
    })
}

#[test]
fn random_calls_agree_with_the_reference() {
    let mut memory = Memory::new(1 << 18);
    let mut random = Random(4);
    let rounds = std::env::var("ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    for (name, kinds) in CALLS {
        let mut back = 0;
        for _ in 0..rounds {
            let mut args: Vec<Value> = kinds.chars().map(|kind| random.value(kind)).collect();
            match *name {
                "cellwise" if random.one_in(2) => args[1] = args[0].clone(),
                "occurrences" if random.one_in(2) => args[1] = random.cutting(&args[0].clone()),
                _ => {}
            }
            back += usize::from(check(&mut memory, name, &args));
        }
        println!("{name}({kinds}): {back} of {rounds} handed back");
        assert!(back * 2 < rounds, "{name} hands most calls back");
    }
}

#[test]
fn objects_agree_on_every_mode() {
    let mut memory = Memory::new(1 << 18);
    let mut random = Random(7);
    let mut held = 0;
    for _ in 0..300 {
        let grid = random.grid();
        for mode in 0..8 {
            held += usize::from(!check(&mut memory, "o_g", &[grid.clone(), Value::Int(mode)]));
        }
    }
    assert!(held > 1_500, "{held} of 2400 held");
}
