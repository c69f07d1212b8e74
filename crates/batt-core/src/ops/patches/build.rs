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

/// So many locations in canonical order, given by number; an error for more than a value may hold.
#[inline(always)]
fn listed<V: Lanes>(cx: Cx, count: i64, place: impl Fn(i32) -> (i32, i32)) -> Read<Val> {
    if count > i64::from(MAX_ELEMENTS) {
        return fault(Fault::Size);
    }
    let unit = cx.take_vals(count as u32).ok_or(Val::BACK)?;
    V::meet();
    V::each(count as u32, |k| {
        let (i, j) = place(k as i32);
        cx.put_own(unit, k, Val::pair(i, j));
    });
    V::meet();
    Ok(List::plain(unit, count as u32).array())
}

/// Every location of a box.
#[inline(always)]
pub(in crate::ops) fn filled<V: Lanes>(cx: Cx, b: Bounds) -> Val {
    match b.window() {
        Some((oi, oj)) => {
            let (rows, count) = (mask::rectangle::<V>(b.moved(-oi, -oj)), b.height() * b.width());
            mask::make_counted(cx, rows, count as u32, (oi, oj))
        }
        None => given(filled_list::<V::Out>(cx, b)),
    }
}

#[inline(never)]
fn filled_list<V: Lanes>(cx: Cx, b: Bounds) -> Read<Val> {
    let width = (b.width() as u32).max(1);
    listed::<V>(cx, b.height().saturating_mul(b.width()), |k| {
        (b.top + (k as u32 / width) as i32, b.left + (k as u32 % width) as i32)
    })
}

/// The edge of a box.
#[inline(always)]
pub(in crate::ops) fn edge<V: Lanes>(cx: Cx, b: Bounds) -> Val {
    match b.window() {
        Some(_) => mask::make_outline::<V>(cx, b),
        None => given(edge_list::<V::Out>(cx, b)),
    }
}

#[inline(never)]
fn edge_list<V: Lanes>(cx: Cx, b: Bounds) -> Read<Val> {
    let (h, w) = (b.height(), b.width());
    if h < 3 || w < 3 {
        return filled_list::<V::Out>(cx, b);
    }
    let count = 2 * (h + w) - 4;
    // A whole row, two ends of every row between, and a whole row.
    let (width, last) = (w as i32, (count - w) as i32);
    listed::<V>(cx, count, |k| match k {
        _ if k < width => (b.top, b.left + k),
        _ if k >= last => (b.bottom, b.left + k - last),
        _ => (b.top + 1 + (k - width) / 2, if (k - width) % 2 == 0 { b.left } else { b.right }),
    })
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
        None => diagonal_list::<V::Out>(cx, bounds, rising)?,
    })
}

/// A diagonal of a square box within a window; `rising` goes from its upper right downwards.
#[inline(always)]
fn diagonal<V: Lanes>(b: Bounds, rising: bool) -> V {
    let side = if rising { -1 } else { 1 };
    let start = if rising { b.right } else { b.left };
    if V::APART {
        return V::made(|row| {
            let k = row as i32 - b.top;
            let inside = k >= 0 && row as i32 <= b.bottom;
            if inside { 1 << ((start + side * k) & 31) } else { 0 }
        });
    }
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
fn diagonal_list<V: Lanes>(cx: Cx, b: Bounds, rising: bool) -> Read<Val> {
    listed::<V>(cx, b.height(), |k| (b.top + k, if rising { b.right - k } else { b.left + k }))
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
    let count = 2 * above.count_ones() + level.count_ones();
    mask::make_counted(cx, rows.shl(column), count, (oi, oj))
}

#[inline(never)]
fn around_list(cx: Cx, b: Bounds, above: u32, level: u32) -> Read<Val> {
    let mut list = List::new(cx, 9).ok_or(Val::BACK)?;
    let mut bits = above & low_bits(3) | (level & low_bits(3)) << 3 | (above & low_bits(3)) << 6;
    while bits != 0 {
        let n = bits.trailing_zeros() as i32;
        list.push(cx, Val::pair(b.top + n / 3, b.left + n % 3));
        bits &= bits - 1;
    }
    Ok(list.array())
}
