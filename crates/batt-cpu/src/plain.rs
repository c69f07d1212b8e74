//! Primitives on ints, locations and cells.
//!
//! Each function gives what the primitive gives for a few kinds of arguments, and says whether the
//! arguments were of such a kind. It has no branches to mispredict, and errors need not be looked for,
//! because they are of another kind.

use batt_core::{Tag, Val};

/// A result, and whether it is one.
pub type Plain = (Val, bool);

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

/// The larger half of a location, or the largest of small ints; 0 where there is none.
#[inline(always)]
pub fn maximum(v: Val) -> Plain {
    let pair = v.is(Tag::Pair);
    let largest = 31 - (v.x() | 1).leading_zeros() as i32;
    let larger = (v.b() as i32).max(v.x() as i32);
    (Val::int(if pair { larger } else { largest }), pair | v.is(Tag::Colors))
}

/// The smaller half of a location, or the smallest of small ints; 0 where there is none.
#[inline(always)]
pub fn minimum(v: Val) -> Plain {
    let pair = v.is(Tag::Pair);
    let smallest = (v.x() | u32::from(v.x() == 0)).trailing_zeros() as i32;
    let smaller = (v.b() as i32).min(v.x() as i32);
    (Val::int(if pair { smaller } else { smallest }), pair | v.is(Tag::Colors))
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
    let (counted, colors) = (v.is(Tag::Mask) | v.is(Tag::Object), v.is(Tag::Colors));
    let listed = v.is(Tag::Tuple) | v.is(Tag::Set);
    let n = if colors { v.x().count_ones() } else { v.x() };
    (Val::int(if counted { v.extra() } else { n } as i32), counted | colors | listed)
}

/// The colour of an object of one colour.
#[inline(always)]
pub fn color(v: Val) -> Plain {
    let mono = batt_core::patch::mono(v);
    (Val::int(mono.unwrap_or(0) as i32), mono.is_some())
}

/// The steps between two places of patches, which are near enough that nothing overflows.
#[inline(always)]
pub fn steps(a: Val, b: Val) -> Plain {
    let gap = |p: u32, q: u32| (p as i32).wrapping_sub(q as i32).unsigned_abs();
    let steps = gap(a.b(), b.b()).wrapping_add(gap(a.x(), b.x()));
    (Val::int(steps as i32), a.is(Tag::Pair) & b.is(Tag::Pair))
}

/// Whether two locations have bits in common.
#[inline(always)]
pub fn meets(a: Val, b: Val) -> Plain {
    let common = a.b() & b.b() | a.x() & b.x();
    (Val::bool(common != 0), a.is(Tag::Pair) & b.is(Tag::Pair))
}
