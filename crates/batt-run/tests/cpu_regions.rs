//! What cells see, holes, panels, tiles and symmetries: the fast engine gives what the reference gives on grids
//! that have such things, of every size that a window holds and of some that none does.

#[path = "common/sets.rs"]
mod sets;

use batt_core::Tag;
use batt_lang::{Op, Prim, Value};
use batt_run::engine::cpu::{Memory, to_val, to_value};
use batt_run::reference::Machine;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use sets::call_all;

type Rows = Vec<Vec<i32>>;

/// How many cases each test runs.
fn cases() -> u32 {
    std::env::var("N").ok().and_then(|n| n.parse().ok()).unwrap_or(400)
}

/// Every value of a strategy, for so many cases.
fn each<T: std::fmt::Debug>(of: &impl Strategy<Value = T>, mut see: impl FnMut(T)) {
    let mut runner = TestRunner::new_with_rng(
        Config::default(),
        TestRng::deterministic_rng(RngAlgorithm::ChaCha),
    );
    for _ in 0..cases() {
        see(of.new_tree(&mut runner).expect("a value").current());
    }
}

/// Compares one call; whether it gave a value, an error, or was handed back.
fn compared(memory: &mut Memory, op: Op, args: &[Value]) -> Tag {
    let prim = Prim::from(op);
    let expected = Machine::default().prim(prim, args);
    let cx = memory.cx();
    cx.release(0);
    let vals: Vec<_> = args.iter().map(|arg| to_val(cx, arg)).collect();
    if vals.iter().any(|v| v.is_bad()) {
        return Tag::Back;
    }
    let given = call_all(prim, cx, &vals);
    if given.is(Tag::Back) {
        return Tag::Back;
    }
    let value = to_value(cx, given);
    let text = || args.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    assert!(
        value.as_ref() == expected.as_ref().ok() && value.is_some() != given.is(Tag::Error),
        "{prim}({}) is {expected:?}, not {value:?}",
        text()
    );
    given.tag()
}

fn side() -> impl Strategy<Value = usize> {
    prop_oneof![1 => Just(1), 6 => 1..12_usize, 6 => 12..31_usize, 2 => select(vec![30, 31, 32])]
}

/// Cells of few colours, mostly background.
fn cells(h: usize, w: usize) -> impl Strategy<Value = Rows> {
    (1..11_i32, 0..12_i32).prop_flat_map(move |(colours, free)| {
        vec(vec((0..free + 2, 0..colours).prop_map(|(f, c)| if f > 0 { 0 } else { c }), w), h)
    })
}

fn grid() -> impl Strategy<Value = Rows> {
    (side(), side()).prop_flat_map(|(h, w)| cells(h, w))
}

/// A grid with rows and columns of one colour.
fn divided() -> impl Strategy<Value = Rows> {
    (grid(), any::<u32>(), any::<u32>(), any::<u32>(), 0..10_i32).prop_map(
        |(mut rows, a, b, sparse, colour)| {
            for (i, row) in rows.iter_mut().enumerate() {
                for (j, cell) in row.iter_mut().enumerate() {
                    if (a & sparse) >> i & 1 != 0 || (b & sparse) >> j & 1 != 0 {
                        *cell = colour;
                    }
                }
            }
            rows
        },
    )
}

/// A grid with a colour over some cells.
fn hidden(rows: impl Strategy<Value = Rows>) -> impl Strategy<Value = Rows> {
    (rows, vec((0..32_usize, 0..32_usize, 1..7_usize, 1..7_usize), 0..5)).prop_map(
        |(mut rows, boxes)| {
            for (top, left, h, w) in boxes {
                for row in rows.iter_mut().skip(top).take(h) {
                    row.iter_mut().skip(left).take(w).for_each(|cell| *cell = 9);
                }
            }
            rows
        },
    )
}

/// A grid that repeats a tile, or does but for a cell.
fn repeating() -> impl Strategy<Value = Rows> {
    let tile = (1..9_usize, 1..9_usize).prop_flat_map(|(p, q)| cells(p, q));
    (tile, side(), side(), any::<bool>()).prop_map(|(tile, h, w, spoilt)| {
        let at = |i: usize, j: usize| tile[i % tile.len()][j % tile[0].len()];
        let mut rows: Rows = (0..h).map(|i| (0..w).map(|j| at(i, j)).collect()).collect();
        if spoilt {
            rows[h - 1][w - 1] += 1;
        }
        rows
    })
}

/// A grid that a mirror left to right, one top to bottom, or both map onto itself, off the middle.
fn symmetric() -> impl Strategy<Value = Rows> {
    let half = (1..17_usize, 1..17_usize).prop_flat_map(|(h, w)| cells(h, w));
    (half, any::<[bool; 4]>(), 0..6_usize, 0..6_usize, any::<[bool; 2]>()).prop_map(
        |(mut rows, [across, down, odd_across, odd_down], i, j, [end_across, end_down])| {
            if across {
                for row in &mut rows {
                    let mirrored: Vec<i32> =
                        row.iter().rev().skip(usize::from(odd_across)).copied().collect();
                    row.extend(mirrored);
                }
            }
            if down {
                let mirrored: Rows =
                    rows.iter().rev().skip(usize::from(odd_down)).cloned().collect();
                rows.extend(mirrored);
            }
            // What is cut off moves the axis from the middle.
            let (i, j) = (i.min(rows.len() - 1), j.min(rows[0].len() - 1));
            if end_down {
                rows.truncate(rows.len() - i);
            } else {
                rows.drain(..i);
            }
            for row in &mut rows {
                if end_across {
                    row.truncate(row.len() - j);
                } else {
                    row.drain(..j);
                }
            }
            rows
        },
    )
}

/// A hidden colour: mostly the one that hides, now and then one that no plane holds.
fn colour() -> impl Strategy<Value = Value> {
    prop_oneof![12 => Just(9), 4 => 0..10_i32, 1 => select(vec![-1, 16, 31, 255, i32::MIN])]
        .prop_map(Value::Int)
}

#[test]
fn rays_agree() {
    let step = prop_oneof![8 => -1..2_i32, 1 => -40..41_i32, 1 => select(vec![i32::MIN, i32::MAX])];
    let through = prop_oneof![8 => Just(0), 4 => 0..10_i32, 1 => select(vec![-1, 16, 300])];
    let mut memory = Memory::new(1 << 16);
    each(&(grid(), through, step.clone(), step), |(rows, through, i, j)| {
        let args = [Value::grid(&rows), Value::Int(through), Value::Pair(i, j)];
        let tag = compared(&mut memory, Op::Ray, &args);
        assert!(matches!(tag, Tag::Object | Tag::Colors));
    });
}

#[test]
fn what_patches_enclose_agrees() {
    let mut memory = Memory::new(1 << 16);
    let patch = (grid(), -40..41_i32, -40..41_i32, any::<[bool; 2]>(), 0..3_i32);
    let mut found = 0;
    each(&patch, |(rows, oi, oj, [object, near], dense)| {
        let (oi, oj) = if near { (0, 0) } else { (oi, oj) };
        let mut items = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            // Few random patches enclose anything; regular gaps do.
            let is_in =
                |j: usize, c: i32| if dense == 0 { (i + 2 * j) % 5 != 2 } else { c >= dense };
            for (j, colour) in row.iter().enumerate().filter(|(j, c)| is_in(*j, **c)) {
                let (i, j) = (i as i32 + oi, j as i32 + oj);
                items.push(if object { Value::Cell(*colour, i, j) } else { Value::Pair(i, j) });
            }
        }
        let args = [Value::set(items)];
        found += usize::from(compared(&mut memory, Op::Interior, &args) == Tag::Mask);
        assert!(compared(&mut memory, Op::Holes, &args) == Tag::Int);
    });
    assert!(found as u32 > cases() / 10, "{found} with holes");
}

#[test]
fn panels_agree() {
    let mut memory = Memory::new(1 << 17);
    each(&(divided(), colour()), |(rows, divider)| {
        let args = [Value::grid(&rows), divider];
        for divider in [args[1].clone(), Value::Int(rows[0][0])] {
            let tag = compared(&mut memory, Op::Panels, &[args[0].clone(), divider]);
            assert!(tag == Tag::Tuple);
        }
    });
}

#[test]
fn tiles_agree() {
    let mut memory = Memory::new(1 << 16);
    let mut found = 0;
    each(&(hidden(repeating()), colour()), |(rows, hidden)| {
        let tag = compared(&mut memory, Op::Tiled, &[Value::grid(&rows), hidden]);
        assert!(matches!(tag, Tag::Grid | Tag::Error));
        found += u32::from(tag == Tag::Grid);
    });
    assert!(found > cases() / 6 && found < cases(), "{found} with tiles");
}

#[test]
fn symmetries_agree() {
    let mut memory = Memory::new(1 << 16);
    let mut found = 0;
    each(&(hidden(symmetric()), colour()), |(rows, hidden)| {
        let tag = compared(&mut memory, Op::Mended, &[Value::grid(&rows), hidden]);
        assert!(matches!(tag, Tag::Grid | Tag::Error));
        found += u32::from(tag == Tag::Grid);
    });
    assert!(found > cases() / 6 && found < cases(), "{found} with symmetries");
}

#[test]
fn whatever_arguments_they_are_given_they_agree() {
    let mut memory = Memory::new(1 << 18);
    let wide = (1..70_usize, 1..70_usize).prop_flat_map(|(h, w)| cells(h, w));
    let any_grid = || {
        prop_oneof![
            2 => wide.clone().prop_map(|rows| Value::grid(&rows)),
            2 => vec(vec(-2..20_i32, 0..4), 0..4).prop_map(|rows| Value::grid(&rows)),
            1 => Just(Value::empty_tuple()),
        ]
    };
    let odd = || {
        prop_oneof![
            2 => any_grid(),
            1 => Just(Value::Null),
            1 => any::<bool>().prop_map(Value::Bool),
            1 => any::<i32>().prop_map(Value::Int),
            1 => (-3..4_i32, -3..4_i32).prop_map(|(i, j)| Value::Pair(i, j)),
            1 => (0..9_i32, -3..40_i32, -3..40_i32).prop_map(|(c, i, j)| Value::Cell(c, i, j)),
            1 => vec((-3..9_i32, -3..9_i32), 0..30).prop_map(|all| {
                Value::tuple(all.into_iter().map(|(i, j)| Value::Pair(i, j)).collect())
            }),
            1 => vec((0..9_i32, -3..70_i32, -3..9_i32), 0..30).prop_map(|all| {
                Value::set(all.into_iter().map(|(c, i, j)| Value::Cell(c, i, j)).collect())
            }),
        ]
    };
    let small = || prop_oneof![4 => (-1..10_i32).prop_map(Value::Int), 1 => odd()];
    let step = prop_oneof![
        4 => (-1..2_i32, -1..2_i32).prop_map(|(i, j)| Value::Pair(i, j)),
        1 => odd()
    ];
    let grids = prop_oneof![3 => any_grid(), 1 => odd()];
    each(&(grids, small(), step, odd()), |(grid, number, step, patch)| {
        compared(&mut memory, Op::Ray, &[grid.clone(), number.clone(), step]);
        for op in [Op::Interior, Op::Holes] {
            compared(&mut memory, op, std::slice::from_ref(&patch));
        }
        for op in [Op::Panels, Op::Tiled, Op::Mended] {
            compared(&mut memory, op, &[grid.clone(), number.clone()]);
        }
    });
}
