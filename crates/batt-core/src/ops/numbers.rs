//! Numbers and truth.

use core::cmp::Ordering;

use crate::arena::Cx;
use crate::keys;
use crate::lanes::Lanes;
use crate::order::equal;
use crate::seq::{List, truth, two};
use crate::val::{Fault, Tag, Val};

/// A tuple of two in its own form, where it came as an array; anything else as it is.
#[inline(always)]
pub(super) fn normal(cx: Cx, v: Val) -> Val {
    if v.is(Tag::Tuple) && v.x() == 2 {
        let (a, b) = (cx.val(v.a(), 0), cx.val(v.a(), 1));
        match (a.as_int(), b.as_int(), b.as_pair()) {
            (Some(a), Some(b), _) => return Val::pair(a, b),
            (Some(a), _, Some((i, j))) => return Val::cell(a, i, j),
            _ => {}
        }
    }
    v
}

/// The pair of ints that a value is.
#[inline(always)]
fn location(cx: Cx, v: Val) -> Option<(i32, i32)> {
    normal(cx, v).as_pair()
}

/// Runs `f` on the ints of two numbers; an int meets both halves of a pair.
#[inline(always)]
fn broadcast(cx: Cx, a: Val, b: Val, f: impl Fn(i64, i64) -> Val) -> Val {
    if let (Some(a), Some(b)) = (a.as_int(), b.as_int()) {
        return f(i64::from(a), i64::from(b));
    }
    let halves = |v: Val| match v.as_int() {
        Some(n) => Some((n, n)),
        None => location(cx, v),
    };
    let (Some((i, j)), Some((k, l))) = (halves(a), halves(b)) else {
        return Val::error(Fault::Type);
    };
    let (first, second) = (f(i64::from(i), i64::from(k)), f(i64::from(j), i64::from(l)));
    match (first.as_int(), second.as_int()) {
        (Some(first), Some(second)) => Val::pair(first, second),
        (None, _) => first,
        _ => second,
    }
}

/// Runs `f` on an int or on both halves of a pair.
#[inline(always)]
fn each(cx: Cx, x: Val, f: impl Fn(i64) -> i64) -> Val {
    broadcast(cx, x, Val::int(0), |n, _| Val::narrow(f(n)))
}

/// Whether a value is a tuple of ints.
#[inline(always)]
fn is_row(cx: Cx, row: Val) -> bool {
    if !row.is(Tag::Tuple) {
        return row.is(Tag::Pair);
    }
    let mut k = 0;
    while k < row.x() && cx.val(row.a(), k).is(Tag::Int) {
        k += 1;
    }
    k == row.x()
}

/// The argument itself.
#[inline(always)]
pub fn identity<V: Lanes>(_cx: Cx, x: Val) -> Val {
    x
}

/// Sum; an int is added to both halves of a pair.
#[inline(always)]
pub fn add<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    broadcast(cx, a, b, |a, b| Val::narrow(a + b))
}

/// Difference, with the same broadcasting as `add`.
#[inline(always)]
pub fn subtract<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    broadcast(cx, a, b, |a, b| Val::narrow(a - b))
}

/// Product, with the same broadcasting as `add`.
#[inline(always)]
pub fn multiply<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    broadcast(cx, a, b, |a, b| Val::narrow(a * b))
}

/// Quotient rounded down, with the same broadcasting as `add`.
#[inline(always)]
pub fn divide<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    broadcast(cx, a, b, |a, b| {
        if b == 0 {
            return Val::error(Fault::ZeroDivision);
        }
        let rounds_up = a % b != 0 && (a < 0) != (b < 0);
        Val::narrow(a / b - i64::from(rounds_up))
    })
}

/// The negative of an int or a pair.
#[inline(always)]
pub fn invert<V: Lanes>(cx: Cx, n: Val) -> Val {
    each(cx, n, |n| -n)
}

/// Whether an int is even.
#[inline(always)]
pub fn even<V: Lanes>(_cx: Cx, n: Val) -> Val {
    match n.as_int() {
        Some(n) => Val::bool(n & 1 == 0),
        None => Val::error(Fault::Type),
    }
}

/// Twice an int or a pair.
#[inline(always)]
pub fn double<V: Lanes>(cx: Cx, n: Val) -> Val {
    each(cx, n, |n| n * 2)
}

/// Half of an int or a pair, rounded down.
#[inline(always)]
pub fn halve<V: Lanes>(cx: Cx, n: Val) -> Val {
    each(cx, n, |n| n >> 1)
}

/// True for an empty or zero value, false for any other.
#[inline(always)]
pub fn flip<V: Lanes>(_cx: Cx, b: Val) -> Val {
    Val::bool(!truth(b))
}

/// Whether two values are equal.
#[inline(always)]
pub fn equality<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    match equal::<V>(cx, a, b) {
        Some(equal) => Val::bool(equal),
        None => Val::BACK,
    }
}

/// Whether the first value is greater than the second.
#[inline(always)]
pub fn greater<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    match keys::compare::<V>(cx, a, b) {
        Ok(order) => Val::bool(order == Ordering::Greater),
        Err(bad) => bad,
    }
}

/// The first value if it is false or empty, else the second.
#[inline(always)]
pub fn both<V: Lanes>(_cx: Cx, a: Val, b: Val) -> Val {
    if truth(a) { b } else { a }
}

/// The first value if it is true or non-empty, else the second.
#[inline(always)]
pub fn either<V: Lanes>(_cx: Cx, a: Val, b: Val) -> Val {
    if truth(a) { a } else { b }
}

/// One more, in both halves of a pair.
#[inline(always)]
pub fn increment<V: Lanes>(cx: Cx, x: Val) -> Val {
    each(cx, x, |n| n + 1)
}

/// One less, in both halves of a pair.
#[inline(always)]
pub fn decrement<V: Lanes>(cx: Cx, x: Val) -> Val {
    each(cx, x, |n| n - 1)
}

/// One step away from zero; zero stays.
#[inline(always)]
pub fn crement<V: Lanes>(cx: Cx, x: Val) -> Val {
    each(cx, x, |n| n + n.signum())
}

/// -1, 0 or 1 by sign.
#[inline(always)]
pub fn sign<V: Lanes>(cx: Cx, x: Val) -> Val {
    each(cx, x, i64::signum)
}

/// Whether an int is above zero.
#[inline(always)]
pub fn positive<V: Lanes>(_cx: Cx, x: Val) -> Val {
    match x.as_int() {
        Some(n) => Val::bool(n > 0),
        None => Val::error(Fault::Type),
    }
}

/// An int as a vertical step.
#[inline(always)]
pub fn toivec<V: Lanes>(cx: Cx, i: Val) -> Val {
    two(cx, i, Val::int(0))
}

/// An int as a horizontal step.
#[inline(always)]
pub fn tojvec<V: Lanes>(cx: Cx, j: Val) -> Val {
    two(cx, Val::int(0), j)
}

/// A pair of two values.
#[inline(always)]
pub fn astuple<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    two(cx, a, b)
}

/// The second value if the condition is true or non-empty, else the third.
#[inline(always)]
pub fn branch<V: Lanes>(_cx: Cx, condition: Val, a: Val, b: Val) -> Val {
    if truth(condition) { a } else { b }
}

/// A cell from a location and a colour.
#[inline(always)]
pub fn ascell<V: Lanes>(cx: Cx, ij: Val, color: Val) -> Val {
    match (location(cx, ij), color.as_int()) {
        (Some((i, j)), Some(color)) => Val::cell(color, i, j),
        _ => Val::error(Fault::Type),
    }
}

/// The location of a cell, or what a tuple of ints begins with.
#[inline(always)]
pub fn toij<V: Lanes>(cx: Cx, cell: Val) -> Val {
    let cell = normal(cx, cell);
    match cell.tag() {
        Tag::Cell => Val::pair(cell.b() as i32, cell.x() as i32),
        Tag::Pair => cell,
        Tag::Tuple if cell.x() > 1 => {
            match (cx.val(cell.a(), 0).as_int(), cx.val(cell.a(), 1).as_int()) {
                (Some(i), Some(j)) => Val::pair(i, j),
                _ => Val::error(Fault::Type),
            }
        }
        _ => Val::error(Fault::Type),
    }
}

/// A tuple of three ints.
#[inline(always)]
pub fn astriple<V: Lanes>(cx: Cx, i: Val, j: Val, color: Val) -> Val {
    if !(i.is(Tag::Int) && j.is(Tag::Int) && color.is(Tag::Int)) {
        return Val::error(Fault::Type);
    }
    let Some(mut list) = List::new(cx, 3) else { return Val::BACK };
    list.push(cx, i);
    list.push(cx, j);
    list.push(cx, color);
    list.tuple(cx)
}

/// True unless the value is a tuple of tuples of ints.
#[inline(always)]
pub fn is_no_grid<V: Lanes>(cx: Cx, x: Val) -> Val {
    match x.tag() {
        Tag::Grid | Tag::Wide => Val::bool(false),
        Tag::Tuple => {
            let (mut rows, mut k) = (true, 0);
            while rows && k < x.x() {
                rows = is_row(cx, cx.val(x.a(), k));
                k += 1;
            }
            Val::bool(!rows)
        }
        _ => Val::bool(true),
    }
}
