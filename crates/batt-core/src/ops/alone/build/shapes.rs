//! Sets of locations of a simple shape.

use super::rows::{both, by_row, colored, four, mask, rectangle};
use crate::arena::Cx;
use crate::mask::Bounds;
use crate::ops::alone::Touched;
use crate::ops::lines::LAST;
use crate::ops::patches::narrow_box;
use crate::val::{MONO, Tag, Val};

/// The box around a location, so many steps away.
#[inline(always)]
fn box_around(location: Val, steps: i64) -> Option<Bounds> {
    let (i, j) = location.as_pair()?;
    let (i, j) = (i64::from(i), i64::from(j));
    held(narrow_box(i - steps, j - steps, i + steps, j + steps).ok()?)
}

/// The column of a location, or its row.
#[inline(always)]
fn frontier_of(location: Val, column: bool) -> Option<Bounds> {
    let (i, j) = location.as_pair()?;
    let (i, j) = (i64::from(i), i64::from(j));
    let all = if column { narrow_box(0, j, LAST, j) } else { narrow_box(i, 0, i, LAST) };
    held(all.ok()?)
}

/// A box that a window holds.
#[inline(always)]
fn held(b: Bounds) -> Option<Bounds> {
    b.window().map(|_| b)
}

/// The box of the line between two locations that line up.
#[inline(always)]
fn line_of(a: Val, b: Val) -> Option<Bounds> {
    let ((i, j), (k, l)) = (a.as_pair()?, b.as_pair()?);
    let (down, right) = (i.abs_diff(k), j.abs_diff(l));
    let lined = down == 0 || right == 0 || down == right;
    let all = Bounds { top: i.min(k), bottom: i.max(k), left: j.min(l), right: j.max(l) };
    if lined { held(all) } else { None }
}

/// Whether the bits around a location can be held, or those of its frontier, or of a line.
#[inline(always)]
pub fn fits_around(location: Val) -> bool {
    box_around(location, 1).is_some()
}

/// See [`fits_around`].
#[inline(always)]
pub fn fits_frontier(location: Val, column: bool) -> bool {
    frontier_of(location, column).is_some()
}

/// See [`fits_around`].
#[inline(always)]
pub fn fits_line(a: Val, b: Val) -> bool {
    line_of(a, b).is_some()
}

/// Whether a set of one value is a bit.
#[inline(always)]
pub fn fits_one(v: Val) -> bool {
    let is_place = v.is(Tag::Pair) | (v.is(Tag::Cell) & (v.a() < 16));
    is_place && Bounds::of(v.b() as i32, v.x() as i32).window().is_some()
}

/// The set of a location or a cell.
#[inline(always)]
pub fn one(cx: Cx, unit: u32, v: Val) -> Option<Val> {
    let b = Bounds::of(v.b() as i32, v.x() as i32);
    let set = filled(cx, unit, b)?;
    Some(if v.is(Tag::Cell) { colored(set, MONO | v.a()) } else { set })
}

/// The locations around one: three bits for the rows above and below, and three for its own, from left to
/// right.
#[inline(always)]
pub fn around(cx: Cx, unit: u32, location: Val, above: u32, level: u32) -> Option<Val> {
    let b = box_around(location, 1)?;
    let origin = b.window()?;
    let b = b.moved(-origin.0, -origin.1);
    Some(mask(cx, unit, origin, |k| {
        by_row(k, |row| {
            let bits = match row as i32 - b.top {
                0 | 2 => above,
                1 => level,
                _ => 0,
            };
            bits << (b.left & 31)
        })
    }))
}

/// The column of a location, or its row.
#[inline(always)]
pub fn frontier(cx: Cx, unit: u32, location: Val, column: bool) -> Option<Val> {
    filled(cx, unit, frontier_of(location, column)?)
}

/// Every location of a box.
#[inline(always)]
fn filled(cx: Cx, unit: u32, b: Bounds) -> Option<Val> {
    let origin = b.window()?;
    let inside = b.moved(-origin.0, -origin.1);
    Some(mask(cx, unit, origin, |k| rectangle(k, inside)))
}

/// The line between two locations that line up.
#[inline(always)]
pub fn line(cx: Cx, unit: u32, a: Val, b: Val) -> Option<Val> {
    let all = line_of(a, b)?;
    let origin = all.window()?;
    let ((i, j), (k, l)) = (a.as_pair()?, b.as_pair()?);
    let rising = (k > i) != (l > j);
    let straight = i == k || j == l;
    let all = all.moved(-origin.0, -origin.1);
    Some(mask(cx, unit, origin, |k| {
        let filled = rectangle(k, all);
        by_row(k, |row| {
            let down = row as i32 - all.top;
            let column = if rising { all.right - down } else { all.left + down };
            let bits = filled[row as usize & 3];
            if straight { bits } else { bits & 1 << (column & 31) }
        })
    }))
}

/// The outline so many steps outside the bounding box of a patch, or inside it.
#[inline(always)]
pub fn outline(cx: Cx, unit: u32, patch: Val, out: i64) -> Option<Val> {
    let b = Touched::of(cx, patch)?.bounds();
    let (top, bottom) = (i64::from(b.top) - out, i64::from(b.bottom) + out);
    let (left, right) = (i64::from(b.left) - out, i64::from(b.right) + out);
    let all = narrow_box(top, left, bottom, right).ok()?;
    let origin = all.window()?;
    let all = all.moved(-origin.0, -origin.1);
    Some(mask(cx, unit, origin, |k| {
        let filled = rectangle(k, all);
        let ends = 1u32 << (all.left & 31) | 1 << (all.right & 31);
        by_row(k, |row| {
            let bits = filled[row as usize & 3];
            let at_end = row as i32 == all.top || row as i32 == all.bottom;
            if at_end { bits } else { bits & ends }
        })
    }))
}

/// The locations of the bounding box of a patch, or those of them that it leaves free.
#[inline(always)]
pub fn backdrop(cx: Cx, unit: u32, patch: Val, free: bool) -> Option<Val> {
    let origin = patch.origin();
    let b = Touched::of(cx, patch)?.bounds().moved(-origin.0, -origin.1);
    Some(mask(cx, unit, origin, |k| {
        let all = rectangle(k, b);
        if free { both(all, four(cx, patch.a(), k), |all, taken| all & !taken) } else { all }
    }))
}
