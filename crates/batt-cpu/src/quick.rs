//! Columns of ints, locations and cells run through a plain loop.
//!
//! Where a column holds anything else, all of it is computed by the primitive itself.

#![allow(unsafe_code)]

use batt_core::{Array, Cx, Lanes, Tag, Val};

use crate::kernels::{Operand, Task};
use crate::plain::{Plain, meets, steps};
use crate::vector;

/// Where an argument is read.
trait Source: Copy {
    fn at(self, row: usize) -> Val;
}

#[derive(Clone, Copy)]
struct One(Val);
#[derive(Clone, Copy)]
struct Same<'a>(&'a [Val]);
#[derive(Clone, Copy)]
struct Via<'a>(&'a [Val], &'a [u32]);

impl Source for One {
    #[inline(always)]
    fn at(self, _row: usize) -> Val {
        self.0
    }
}

impl Source for Same<'_> {
    #[inline(always)]
    fn at(self, row: usize) -> Val {
        self.0.get(row).copied().unwrap_or(Val::BACK)
    }
}

impl Source for Via<'_> {
    #[inline(always)]
    fn at(self, row: usize) -> Val {
        let row = self.1.get(row).copied().unwrap_or(u32::MAX);
        self.0.get(row as usize).copied().unwrap_or(Val::BACK)
    }
}

/// Computes a column of one argument; false if it must be computed otherwise.
///
/// Here and below `f` is one of the functions of [`crate::plain`] and not a closure, which would be called
/// for every row.
#[inline(always)]
pub fn one(task: Task<'_>, out: &mut Vec<Val>, f: impl Fn(Val) -> Plain) -> bool {
    match task.operands {
        [Operand::Same(a)] if a.len() >= task.rows => fill_one(Same(a), task.rows, out, f),
        [Operand::Via(a, at)] if at.len() >= task.rows => fill_one(Via(a, at), task.rows, out, f),
        _ => false,
    }
}

/// Computes a column of two arguments; false if it must be computed otherwise.
#[inline(always)]
pub fn two(task: Task<'_>, out: &mut Vec<Val>, f: impl Fn(Val, Val) -> Plain) -> bool {
    let [a, b] = task.operands else { return false };
    match *a {
        Operand::One(a) => with(One(a), *b, task.rows, out, f),
        Operand::Same(a) if a.len() >= task.rows => with(Same(a), *b, task.rows, out, f),
        Operand::Via(a, at) if at.len() >= task.rows => with(Via(a, at), *b, task.rows, out, f),
        _ => false,
    }
}

#[inline(always)]
fn with(
    a: impl Source,
    b: Operand<'_>,
    rows: usize,
    out: &mut Vec<Val>,
    f: impl Fn(Val, Val) -> Plain,
) -> bool {
    match b {
        Operand::One(b) => fill_two(a, One(b), rows, out, f),
        Operand::Same(b) if b.len() >= rows => fill_two(a, Same(b), rows, out, f),
        Operand::Via(b, at) if at.len() >= rows => fill_two(a, Via(b, at), rows, out, f),
        _ => false,
    }
}

#[inline(always)]
fn fill_one(a: impl Source, rows: usize, out: &mut Vec<Val>, f: impl Fn(Val) -> Plain) -> bool {
    // A column that begins with something else most often holds nothing for this.
    let mut good = f(a.at(0)).1;
    if !good {
        return false;
    }
    out.clear();
    out.reserve(rows);
    for (row, val) in out.spare_capacity_mut().iter_mut().take(rows).enumerate() {
        let (result, ok) = f(a.at(row));
        val.write(result);
        good &= ok;
    }
    if good {
        // SAFETY: there is room for so many rows, and each was written.
        unsafe { out.set_len(rows) };
    }
    good
}

#[inline(always)]
fn fill_two(
    a: impl Source,
    b: impl Source,
    rows: usize,
    out: &mut Vec<Val>,
    f: impl Fn(Val, Val) -> Plain,
) -> bool {
    let mut good = f(a.at(0), b.at(0)).1;
    if !good {
        return false;
    }
    out.clear();
    out.reserve(rows);
    for (row, val) in out.spare_capacity_mut().iter_mut().take(rows).enumerate() {
        let (result, ok) = f(a.at(row), b.at(row));
        val.write(result);
        good &= ok;
    }
    if good {
        // SAFETY: there is room for so many rows, and each was written.
        unsafe { out.set_len(rows) };
    }
    good
}

/// The first or the last items of tuples that are arrays; false if there is anything else.
#[inline(always)]
pub fn ends(task: Task<'_>, out: &mut Vec<Val>, last: bool) -> bool {
    let rows = task.rows;
    match task.operands {
        [Operand::Same(a)] if a.len() >= rows => fill_ends(task.cx, Same(a), rows, out, last),
        [Operand::Via(a, at)] if at.len() >= rows => {
            fill_ends(task.cx, Via(a, at), rows, out, last)
        }
        _ => false,
    }
}

#[inline(always)]
fn fill_ends(cx: Cx, a: impl Source, rows: usize, out: &mut Vec<Val>, last: bool) -> bool {
    out.clear();
    out.reserve(rows);
    for (row, val) in out.spare_capacity_mut().iter_mut().take(rows).enumerate() {
        let v = a.at(row);
        if !v.is(Tag::Tuple) || v.x() == 0 {
            return false;
        }
        val.write(cx.val(v.a(), if last { v.x() - 1 } else { 0 }));
    }
    // SAFETY: there is room for so many rows, and each was written.
    unsafe { out.set_len(rows) };
    true
}

/// The steps between patches of one cell each.
#[inline(always)]
pub fn manhattan(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    let [a, b] = task.operands else { return false };
    if task.rows == 0 || !single(task.cx, a.get(0)).1 || !single(task.cx, b.get(0)).1 {
        return false;
    }
    let (mut first, mut second) = (Vec::new(), Vec::new());
    let operands = [once(task, *a, &mut first, single), once(task, *b, &mut second, single)];
    let task = Task { operands: &operands, ..task };
    vector::steps::<vector::One>(task, out) || two(task, out, steps)
}

/// Whether patches near the origin share a row.
#[inline(always)]
pub fn share_row(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    meeting(task, out, rows_of)
}

/// Whether patches near the origin share a column.
#[inline(always)]
pub fn share_column(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    meeting(task, out, columns_of)
}

/// Whether patches have bits in common that are found for each of them alone.
#[inline(always)]
fn meeting(task: Task<'_>, out: &mut Vec<Val>, bits: impl Fn(Cx, Val) -> Plain + Copy) -> bool {
    let [a, b] = task.operands else { return false };
    if task.rows == 0 || !bits(task.cx, a.get(0)).1 || !bits(task.cx, b.get(0)).1 {
        return false;
    }
    let (mut first, mut second) = (Vec::new(), Vec::new());
    let operands = [once(task, *a, &mut first, bits), once(task, *b, &mut second, bits)];
    two(Task { operands: &operands, ..task }, out, meets)
}

/// The rows of a patch.
#[inline(always)]
fn rows_of(cx: Cx, v: Val) -> Plain {
    if is_near(v) { lines(cx.load::<Array>(v.a()).ballot(), v.origin().0) } else { (v, false) }
}

/// The columns of a patch.
#[inline(always)]
fn columns_of(cx: Cx, v: Val) -> Plain {
    if is_near(v) { lines(cx.load::<Array>(v.a()).or_all(), v.origin().1) } else { (v, false) }
}

/// Whether a value is a patch near the origin.
#[inline(always)]
fn is_near(v: Val) -> bool {
    let (i, j) = v.origin();
    (v.is(Tag::Mask) | v.is(Tag::Object)) & (0..=32).contains(&i) & (0..=32).contains(&j)
}

/// Some rows or columns, from 0 to 63, as the bits of a location.
#[inline(always)]
fn lines(bits: u32, origin: i32) -> Plain {
    let bits = u64::from(bits) << (origin & 63);
    (Val::pair((bits >> 32) as i32, bits as i32), true)
}

/// The place of a patch of one cell.
#[inline(always)]
fn single(cx: Cx, v: Val) -> Plain {
    if !(v.is(Tag::Mask) | v.is(Tag::Object)) || v.extra() != 1 {
        return (Val::BACK, false);
    }
    let (row, column) = cx.first::<Array>(v.a());
    let (oi, oj) = v.origin();
    (Val::pair(oi + row as i32, oj + column as i32), true)
}

/// What a function gives for the values of an operand: once for each, not for every row, where the column
/// is further out.
#[inline(always)]
fn once<'a>(
    task: Task<'_>,
    operand: Operand<'a>,
    found: &'a mut Vec<Val>,
    f: impl Fn(Cx, Val) -> Plain,
) -> Operand<'a> {
    let rows = task.rows;
    let of = |v: Val| match f(task.cx, v) {
        (found, true) => found,
        _ => Val::BACK,
    };
    match operand {
        Operand::One(v) => Operand::One(of(v)),
        Operand::Via(column, at) if column.len() <= 2 * rows => {
            // Those between the first and the last that is asked for.
            let (mut from, mut to) = (u32::MAX, 0);
            for row in at.iter().take(rows) {
                from = from.min(*row);
                to = to.max(*row);
            }
            let from = column.len().min(from as usize);
            found.reserve_exact(column.len());
            found.resize(from, Val::BACK);
            for held in column.iter().take(to as usize + 1).skip(from) {
                found.push(of(*held));
            }
            Operand::Via(found, at)
        }
        _ => {
            found.reserve_exact(rows);
            let mut last = (Val::BACK, Val::BACK);
            for row in 0..rows {
                let held = operand.get(row);
                if held != last.0 {
                    last = (held, of(held));
                }
                found.push(last.1);
            }
            Operand::Same(found)
        }
    }
}
