//! Sets of locations of a simple shape: bits where a window holds them, arrays where none does.

use crate::arena::Cx;
use crate::lanes::{Lanes, low_bits};
use crate::mask::{self, Bounds};
use crate::seq::List;
use crate::val::{Fault, MAX_ELEMENTS, Val};

use super::view::{Read, fault, given};

/// A box computed in 64 bits, its sides in either order; an error where it does not fit.
#[inline(always)]
pub(in crate::ops) fn narrow_box(top: i64, left: i64, bottom: i64, right: i64) -> Read<Bounds> {
    let (top, bottom) = (top.min(bottom), top.max(bottom));
    let (left, right) = (left.min(right), left.max(right));
    let fits = |n: i64| i64::from(n as i32) == n;
    if !(fits(top) && fits(bottom) && fits(left) && fits(right)) {
        return fault(Fault::Overflow);
    }
    Ok(Bounds { top: top as i32, bottom: bottom as i32, left: left as i32, right: right as i32 })
}

/// An empty list for so many locations; an error for more than a value may hold.
#[inline(always)]
fn list_for(cx: Cx, count: i64) -> Read<List> {
    if count > i64::from(MAX_ELEMENTS) {
        return fault(Fault::Size);
    }
    List::new(cx, count as u32).ok_or(Val::BACK)
}

/// Every location of a box.
#[inline(always)]
pub(in crate::ops) fn filled<V: Lanes>(cx: Cx, b: Bounds) -> Val {
    match b.window() {
        Some((oi, oj)) => {
            let (rows, count) = (mask::rectangle::<V>(b.moved(-oi, -oj)), b.height() * b.width());
            mask::make_counted(cx, rows, count as u32, (oi, oj))
        }
        None => given(filled_list(cx, b)),
    }
}

#[inline(never)]
fn filled_list(cx: Cx, b: Bounds) -> Read<Val> {
    let mut list = list_for(cx, b.height().saturating_mul(b.width()))?;
    let (mut i, mut j) = (i64::from(b.top), i64::from(b.left));
    while i <= i64::from(b.bottom) {
        list.push(cx, Val::pair(i as i32, j as i32));
        j += 1;
        if j > i64::from(b.right) {
            (i, j) = (i + 1, i64::from(b.left));
        }
    }
    Ok(list.array())
}

/// The edge of a box.
#[inline(always)]
pub(in crate::ops) fn edge<V: Lanes>(cx: Cx, b: Bounds) -> Val {
    match b.window() {
        Some(_) => mask::make_outline::<V>(cx, b),
        None => given(edge_list(cx, b)),
    }
}

#[inline(never)]
fn edge_list(cx: Cx, b: Bounds) -> Read<Val> {
    let (h, w) = (b.height(), b.width());
    let count = if h < 3 || w < 3 { h.saturating_mul(w) } else { 2 * (h + w) - 4 };
    let mut list = list_for(cx, count)?;
    let (mut i, mut j) = (i64::from(b.top), i64::from(b.left));
    while i <= i64::from(b.bottom) {
        list.push(cx, Val::pair(i as i32, j as i32));
        let whole = i == i64::from(b.top) || i == i64::from(b.bottom);
        if j == i64::from(b.right) {
            (i, j) = (i + 1, i64::from(b.left));
        } else {
            j = if whole { j + 1 } else { i64::from(b.right) };
        }
    }
    Ok(list.array())
}

/// The straight or diagonal line between two locations; nothing where they do not line up.
#[inline(always)]
pub(in crate::ops) fn line<V: Lanes>(cx: Cx, a: (i64, i64), b: (i64, i64)) -> Read<Val> {
    let (di, dj) = (b.0 - a.0, b.1 - a.1);
    if di != 0 && dj != 0 && di.abs() != dj.abs() {
        return Ok(Val::EMPTY_SET);
    }
    let bounds = narrow_box(a.0, a.1, b.0, b.1)?;
    if di == 0 || dj == 0 {
        return Ok(filled::<V>(cx, bounds));
    }
    let rising = (di > 0) != (dj > 0);
    Ok(match bounds.window() {
        Some(origin) => {
            let inside = bounds.moved(-origin.0, -origin.1);
            let count = bounds.height() as u32;
            mask::make_counted(cx, diagonal::<V>(inside, rising), count, origin)
        }
        None => diagonal_list(cx, bounds, rising)?,
    })
}

/// A diagonal of a square box within a window; `rising` goes from its upper right downwards.
#[inline(always)]
fn diagonal<V: Lanes>(b: Bounds, rising: bool) -> V {
    let side = if rising { -1 } else { 1 };
    let start = if rising { b.right } else { b.left };
    let mut line = V::put(b.top as u32, 1 << (start & 31));
    let (mut have, all) = (1, b.bottom - b.top + 1);
    // What is there is doubled until the rest is shorter.
    while have < all {
        let step = have.min(all - have);
        line = line | mask::place(line, step, side * step);
        have += step;
    }
    line
}

#[inline(never)]
fn diagonal_list(cx: Cx, b: Bounds, rising: bool) -> Read<Val> {
    let count = b.height();
    let mut list = list_for(cx, count)?;
    let mut n = 0;
    while n < count {
        let j = if rising { i64::from(b.right) - n } else { i64::from(b.left) + n };
        list.push(cx, Val::pair((i64::from(b.top) + n) as i32, j as i32));
        n += 1;
    }
    Ok(list.array())
}

/// The locations around one: `above` and `level` are three bits each for the rows above (and
/// below) and of the location itself, from left to right.
#[inline(always)]
pub(in crate::ops) fn around<V: Lanes>(cx: Cx, at: (i64, i64), above: u32, level: u32) -> Val {
    let (i, j) = at;
    let b = match narrow_box(i - 1, j - 1, i + 1, j + 1) {
        Ok(b) => b,
        Err(v) => return v,
    };
    let Some((oi, oj)) = b.window() else { return given(around_list(cx, b, above, level)) };
    let (row, column) = ((b.top - oi) as u32, (b.left - oj) as u32);
    let rows = V::put(row, above) | V::put(row + 1, level) | V::put(row + 2, above);
    mask::make(cx, rows.shl(column), (oi, oj))
}

#[inline(never)]
fn around_list(cx: Cx, b: Bounds, above: u32, level: u32) -> Read<Val> {
    let mut list = list_for(cx, 9)?;
    let mut bits = above & low_bits(3) | (level & low_bits(3)) << 3 | (above & low_bits(3)) << 6;
    while bits != 0 {
        let n = bits.trailing_zeros() as i32;
        list.push(cx, Val::pair(b.top + n / 3, b.left + n % 3));
        bits &= bits - 1;
    }
    Ok(list.array())
}
