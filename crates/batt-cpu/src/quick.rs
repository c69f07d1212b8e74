//! Primitives on ints, locations and cells: columns of those run through a plain loop.
//!
//! Each function here gives what the primitive gives for a few kinds of arguments, and says whether
//! the arguments were of such a kind. It has no branches to mispredict, and errors need not be looked
//! for, because they are of another kind. Where a column holds anything else, all of it is computed
//! by the primitive itself.

#![allow(unsafe_code)]

use batt_core::{Cx, Tag, Val};

use crate::kernels::{Operand, Task};

/// A result, and whether it is one.
type Plain = (Val, bool);

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
/// Here and below `f` is one of the functions of this file and not a closure, which would be called
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

#[inline(always)]
fn is_int(v: Val) -> bool {
    v.is(Tag::Int)
}

#[inline(always)]
fn is_number(v: Val) -> bool {
    v.is(Tag::Int) | v.is(Tag::Pair)
}

/// The first item of a location or a cell.
#[inline(always)]
pub fn first(v: Val) -> Plain {
    let pair = v.is(Tag::Pair);
    let n = if pair { v.b() } else { v.a() };
    (Val::int(n as i32), pair | v.is(Tag::Cell))
}

/// The last item of a location or a cell.
#[inline(always)]
pub fn last(v: Val) -> Plain {
    let pair = v.is(Tag::Pair);
    let (tag, b) = if pair { (Tag::Int, 0) } else { (Tag::Pair, v.b()) };
    (Val::new(tag, 0, 0, b, v.x()), pair | v.is(Tag::Cell))
}

/// Whether two values are equal that have only one form.
#[inline(always)]
pub fn equality(a: Val, b: Val) -> Plain {
    let plain = |v: Val| (v.words()[0] & 0xff).wrapping_sub(Tag::Null as u32) <= 4;
    (Val::bool(a == b), plain(a) & plain(b))
}

/// Whether one int is greater than another.
#[inline(always)]
pub fn greater(a: Val, b: Val) -> Plain {
    (Val::bool(a.x() as i32 > b.x() as i32), is_int(a) & is_int(b))
}

/// Ints or locations; an int meets both halves of a location.
#[inline(always)]
fn broadcast(a: Val, b: Val, f: impl Fn(i64, i64) -> i64) -> Plain {
    let ints = is_int(a) & is_int(b);
    let first = |v: Val| i64::from(if is_int(v) { v.x() } else { v.b() } as i32);
    let second = |v: Val| i64::from(v.x() as i32);
    let (i, j) = (f(first(a), first(b)), f(second(a), second(b)));
    let fits = (i64::from(i as i32) == i) & (i64::from(j as i32) == j);
    let (tag, b_field) = if ints { (Tag::Int, 0) } else { (Tag::Pair, i as u32) };
    (Val::new(tag, 0, 0, b_field, j as u32), is_number(a) & is_number(b) & fits)
}

/// Sum.
#[inline(always)]
pub fn add(a: Val, b: Val) -> Plain {
    broadcast(a, b, |a, b| a + b)
}

/// Difference.
#[inline(always)]
pub fn subtract(a: Val, b: Val) -> Plain {
    broadcast(a, b, |a, b| a - b)
}

/// Product.
#[inline(always)]
pub fn multiply(a: Val, b: Val) -> Plain {
    broadcast(a, b, |a, b| a * b)
}

/// One more.
#[inline(always)]
pub fn increment(x: Val) -> Plain {
    broadcast(x, Val::int(1), |a, b| a + b)
}

/// One less.
#[inline(always)]
pub fn decrement(x: Val) -> Plain {
    broadcast(x, Val::int(1), |a, b| a - b)
}

/// Twice.
#[inline(always)]
pub fn double(x: Val) -> Plain {
    broadcast(x, Val::int(2), |a, b| a * b)
}

/// Half, rounded down.
#[inline(always)]
pub fn halve(x: Val) -> Plain {
    broadcast(x, Val::int(1), |a, b| a >> b)
}

/// The negative.
#[inline(always)]
pub fn invert(x: Val) -> Plain {
    broadcast(x, Val::int(0), |a, b| b - a)
}

/// Whether an int is even.
#[inline(always)]
pub fn even(x: Val) -> Plain {
    (Val::bool(x.x() & 1 == 0), is_int(x))
}

/// Whether an int is above zero.
#[inline(always)]
pub fn positive(x: Val) -> Plain {
    (Val::bool(x.x() as i32 > 0), is_int(x))
}

/// Whether an int is zero.
#[inline(always)]
pub fn flip(x: Val) -> Plain {
    (Val::bool(x.x() == 0), is_int(x))
}

/// An int that is zero, or the second value.
#[inline(always)]
pub fn both(a: Val, b: Val) -> Plain {
    (if a.x() == 0 { a } else { b }, is_int(a) & !b.is_bad())
}

/// An int that is not zero, or the second value.
#[inline(always)]
pub fn either(a: Val, b: Val) -> Plain {
    (if a.x() == 0 { b } else { a }, is_int(a) & !b.is_bad())
}

/// A location of two ints, or a cell.
#[inline(always)]
pub fn astuple(a: Val, b: Val) -> Plain {
    let (tag, high, middle) =
        if is_int(b) { (Tag::Pair, 0, a.x()) } else { (Tag::Cell, a.x(), b.b()) };
    (Val::new(tag, 0, high, middle, b.x()), is_int(a) & is_number(b))
}

/// How many items a set or a tuple has that says so itself.
#[inline(always)]
pub fn size(v: Val) -> Plain {
    let counted = v.is(Tag::Mask) | v.is(Tag::Object);
    let listed = v.is(Tag::Tuple) | v.is(Tag::Set);
    (Val::int(if counted { v.extra() } else { v.x() } as i32), counted | listed)
}

/// The colour of an object of one colour.
#[inline(always)]
pub fn color(v: Val) -> Plain {
    let mono = batt_core::patch::mono(v);
    (Val::int(mono.unwrap_or(0) as i32), mono.is_some())
}

/// The steps between patches of one cell each. The places of a column that is further out are found
/// once, not for every row.
#[inline(always)]
pub fn manhattan(task: Task<'_>, out: &mut Vec<Val>) -> bool {
    let (cx, rows) = (task.cx, task.rows);
    let [a, b] = task.operands else { return false };
    if rows == 0 || !single(cx, a.get(0)).1 || !single(cx, b.get(0)).1 {
        return false;
    }
    let (mut first, mut second) = (Vec::new(), Vec::new());
    let operands = [places(cx, *a, rows, &mut first), places(cx, *b, rows, &mut second)];
    two(Task { operands: &operands, ..task }, out, steps)
}

/// The steps between two places of patches, which are near enough that nothing overflows.
#[inline(always)]
fn steps(a: Val, b: Val) -> Plain {
    let gap = |p: u32, q: u32| (p as i32).wrapping_sub(q as i32).unsigned_abs();
    let steps = gap(a.b(), b.b()).wrapping_add(gap(a.x(), b.x()));
    (Val::int(steps as i32), a.is(Tag::Pair) & b.is(Tag::Pair))
}

/// The place of a patch of one cell.
#[inline(always)]
fn single(cx: Cx, v: Val) -> Plain {
    if !(v.is(Tag::Mask) | v.is(Tag::Object)) || v.extra() != 1 {
        return (Val::BACK, false);
    }
    // There is one row that is not empty.
    let (mut row, mut bits, mut k) = (0, 0, 0);
    while k < 32 {
        let word = cx.word(v.a(), k);
        row |= if word == 0 { 0 } else { k };
        bits |= word;
        k += 1;
    }
    let (oi, oj) = v.origin();
    (Val::pair(oi + row as i32, oj + (bits.trailing_zeros() & 31) as i32), true)
}

/// The places of an operand.
#[inline(always)]
fn places<'a>(cx: Cx, operand: Operand<'a>, rows: usize, found: &'a mut Vec<Val>) -> Operand<'a> {
    match operand {
        Operand::One(v) => Operand::One(single(cx, v).0),
        Operand::Via(column, at) if column.len() <= 2 * rows => {
            found.resize(column.len(), Val::NULL);
            for row in at.iter().take(rows) {
                let (held, place) = (column.get(*row as usize), found.get_mut(*row as usize));
                if let (Some(held), Some(place)) = (held, place)
                    && place.is(Tag::Null)
                {
                    *place = single(cx, *held).0;
                }
            }
            Operand::Via(found, at)
        }
        _ => {
            found.reserve_exact(rows);
            let mut last = (Val::BACK, Val::BACK);
            for row in 0..rows {
                let held = operand.get(row);
                if held != last.0 {
                    last = (held, single(cx, held).0);
                }
                found.push(last.1);
            }
            Operand::Same(found)
        }
    }
}
