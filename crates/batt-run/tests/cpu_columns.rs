//! A column of a primitive is what the reference gives row by row, wherever its arguments lie.

use batt_core::seq::Items;
use batt_core::{Array, Tag, Val};
use batt_cpu::{Operand, Set, Task, call_rows, lister};
use batt_lang::ops::{Guard, Role};
use batt_lang::{Op, Prim, Value};
use batt_run::engine::cpu::{Memory, to_val, to_value};
use batt_run::reference::Machine;

/// Values of each kind that has a form of its own.
fn kinds() -> Vec<Vec<Value>> {
    let ints = [0, 1, 2, 5, -3, i32::MAX, i32::MIN];
    let places = [(0, 0), (3, 4), (31, 2), (-5, 40), (i32::MAX, -1)];
    let cells = [(0, 0, 0), (3, 1, 2), (15, 7, 30), (40, -1, 1)];
    let set = |items: Vec<Value>| Value::set(items);
    let place = |(i, j): (i32, i32)| Value::Pair(i, j);
    let cell = |(c, i, j): (i32, i32, i32)| Value::Cell(c, i, j);
    // Whole columns of them are computed without a look at each, as long as nothing overflows.
    let (small, near) = ([0, 7, -40, 31, 1], [(0, 0), (3, -4), (-31, 2)]);
    let two = |c, d| Value::tuple(vec![cell(c), cell(d)]);
    vec![
        small.map(Value::Int).to_vec(),
        near.map(place).to_vec(),
        vec![two(cells[0], cells[1]), two(cells[1], cells[3])],
        ints.map(Value::Int).to_vec(),
        places.map(place).to_vec(),
        cells.map(cell).to_vec(),
        vec![set(vec![]), set(vec![Value::Int(3)]), set(vec![Value::Int(3), Value::Int(9)])],
        places.map(|p| set(vec![place(p)])).to_vec(),
        [(0, 0), (3, 4), (31, 2), (31, 31)].map(|p| set(vec![place(p), place((3, 9))])).to_vec(),
        [(32, 32), (0, 32), (33, 40), (63, 63), (64, 70)].map(|p| set(vec![place(p)])).to_vec(),
        vec![set(vec![place((1, 2)), place((3, 3))]), set(vec![place((0, 9)), place((1, 0))])],
        cells.map(|c| set(vec![cell(c)])).to_vec(),
        vec![Value::tuple(vec![]), Value::tuple(vec![Value::Int(1); 3]), Value::Null],
        vec![Value::tuple(vec![Value::tuple(vec![Value::Int(2); 3]); 3])],
    ]
}

fn check(prim: Prim, columns: &[Vec<Value>]) {
    let mut memory = Memory::new(1 << 17);
    let cx = memory.cx();
    let rows = columns[0].len();
    let vals: Vec<Vec<Val>> =
        columns.iter().map(|column| column.iter().map(|v| to_val(cx, v)).collect()).collect();
    // The same rows once more through a frame further out, where they lie the other way round.
    let turned: Vec<Vec<Val>> =
        vals.iter().map(|column| column.iter().rev().copied().collect()).collect();
    let back: Vec<u32> = (0..rows as u32).rev().collect();
    let expected: Vec<Option<Value>> = (0..rows)
        .map(|row| {
            let args: Vec<Value> = columns.iter().map(|column| column[row].clone()).collect();
            Machine::default().prim(prim, &args).ok()
        })
        .collect();
    for lie in 0..1 << columns.len() {
        let operands: Vec<Operand<'_>> = vals
            .iter()
            .zip(&turned)
            .enumerate()
            .map(|(k, (same, turned))| match lie >> k & 1 {
                0 => Operand::Same(same),
                _ => Operand::Via(turned, &back),
            })
            .collect();
        let task = Task { cx, operands: &operands, rows, slot: 0 };
        for set in Set::all() {
            let given = call_rows(prim.op, *set, task);
            assert_eq!(given.len(), rows);
            for (row, (given, expected)) in given.into_iter().zip(&expected).enumerate() {
                let args: Vec<String> =
                    columns.iter().map(|column| column[row].to_string()).collect();
                if !given.is(Tag::Back) {
                    assert_eq!(&to_value(cx, given), expected, "{prim}({})", args.join(", "));
                }
            }
        }
    }
}

#[test]
fn columns_are_what_rows_are() {
    let kinds = kinds();
    let all: Vec<Value> = kinds.iter().flatten().cloned().collect();
    let columns: Vec<&Vec<Value>> = kinds.iter().chain([&all]).collect();
    for op in Op::ALL.iter().copied() {
        let prim = Prim { op, guard: Guard::None };
        if prim.info().role != Role::Pure {
            continue;
        }
        match prim.info().params.len() {
            1 => columns.iter().for_each(|column| check(prim, &[(*column).clone()])),
            2 => {
                for (a, b) in columns.iter().flat_map(|a| columns.iter().map(move |b| (*a, *b))) {
                    let pairs =
                        a.iter().flat_map(|x| b.iter().map(move |y| (x.clone(), y.clone())));
                    let (a, b): (Vec<_>, Vec<_>) = pairs.unzip();
                    check(prim, &[a, b]);
                }
            }
            _ => {}
        }
    }
}

/// A constant may be the first argument or the second.
#[test]
fn one_value_meets_every_row() {
    let mut memory = Memory::new(1 << 10);
    let cx = memory.cx();
    let column: Vec<Val> = (0..100).map(|n| Val::pair(n, 2 * n)).collect();
    for (a, b) in [(true, false), (false, true)] {
        let operand =
            |one: bool| if one { Operand::One(Val::int(7)) } else { Operand::Same(&column) };
        let operands = [operand(a), operand(b)];
        let task = Task { cx, operands: &operands, rows: column.len(), slot: 0 };
        let given = call_rows(Op::Subtract, Set::detect(), task);
        let sign = if a { -1 } else { 1 };
        let expected = |n: i32| Val::pair(sign * (n - 7), sign * (2 * n - 7));
        assert_eq!(given, (0..100).map(expected).collect::<Vec<_>>());
    }
}

/// The items of any container are listed as they are walked.
#[test]
fn items_are_listed_in_order() {
    let mut memory = Memory::new(1 << 14);
    let cx = memory.cx();
    let grid = |width: i32| {
        let row = |i: i32| (0..width).map(|j| (7 * i + 3 * j) % 16).collect::<Vec<_>>();
        Value::grid(&[row(0), row(1), row(5)])
    };
    let cells = |colors: i32| {
        let cell = |k: i32| Value::Cell(k % colors, k / 5, k * 7 % 30);
        Value::set((0..40).map(cell).collect())
    };
    let places = Value::set((0..60).map(|k| Value::Pair(k / 4, k * 5 % 31)).collect());
    let more = [places, cells(1), cells(4), cells(10)];
    let grids = (1..=40).map(grid);
    for value in kinds().into_iter().flatten().chain(more).chain(grids) {
        let val = to_val(cx, &value);
        let Some(mut items) = Items::<Array>::of(cx, val) else { continue };
        let walked: Vec<_> = std::iter::from_fn(|| items.next(cx)).collect();
        for (set, count) in [(Set::Portable, walked.len()), (Set::detect(), walked.len() / 2)] {
            let mut listed = vec![Val::NULL];
            // SAFETY: this machine has the instruction set.
            #[allow(unsafe_code)]
            unsafe {
                lister(set)(cx, val, count, &mut listed);
            }
            assert_eq!(listed.len(), count + 1, "{value}");
            for (listed, walked) in listed[1..].iter().zip(&walked) {
                assert_eq!(to_value(cx, *listed), to_value(cx, *walked), "{value}");
            }
        }
    }
}
