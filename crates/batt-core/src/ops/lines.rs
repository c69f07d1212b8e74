//! Lines and neighbours.

use crate::arena::Cx;
use crate::lanes::Lanes;
use crate::val::Val;

use super::patches::{Read, around, filled, given, line, narrow_box, pair_of};

/// How far `shoot` goes.
const FAR: i64 = 42;
/// The last row or column of a frontier.
pub(in crate::ops) const LAST: i64 = 29;

/// The four locations that share an edge with one.
#[inline(always)]
pub fn dneighbors<V: Lanes>(cx: Cx, loc: Val) -> Val {
    given(pair_of(cx, loc).map(|at| around::<V>(cx, at, 0b010, 0b101)))
}

/// The four locations that touch one at a corner.
#[inline(always)]
pub fn ineighbors<V: Lanes>(cx: Cx, loc: Val) -> Val {
    given(pair_of(cx, loc).map(|at| around::<V>(cx, at, 0b101, 0)))
}

/// The eight locations around one.
#[inline(always)]
pub fn neighbors<V: Lanes>(cx: Cx, loc: Val) -> Val {
    given(pair_of(cx, loc).map(|at| around::<V>(cx, at, 0b111, 0b101)))
}

/// The straight or diagonal line between two locations.
#[inline(always)]
pub fn connect<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    given(between::<V>(cx, a, b))
}

#[inline(always)]
fn between<V: Lanes>(cx: Cx, a: Val, b: Val) -> Read<Val> {
    line::<V>(cx, pair_of(cx, a)?, pair_of(cx, b)?)
}

/// The column of a location, rows 0 to 29.
#[inline(always)]
pub fn vfrontier<V: Lanes>(cx: Cx, location: Val) -> Val {
    let column = pair_of(cx, location).and_then(|(_, j)| narrow_box(0, j, LAST, j));
    given(column.map(|column| filled::<V>(cx, column)))
}

/// The row of a location, columns 0 to 29.
#[inline(always)]
pub fn hfrontier<V: Lanes>(cx: Cx, location: Val) -> Val {
    let row = pair_of(cx, location).and_then(|(i, _)| narrow_box(i, 0, i, LAST));
    given(row.map(|row| filled::<V>(cx, row)))
}

/// The line from a location in a direction, 42 steps far.
#[inline(always)]
pub fn shoot<V: Lanes>(cx: Cx, start: Val, direction: Val) -> Val {
    given(shot::<V>(cx, start, direction))
}

#[inline(always)]
fn shot<V: Lanes>(cx: Cx, start: Val, direction: Val) -> Read<Val> {
    let ((i, j), (di, dj)) = (pair_of(cx, start)?, pair_of(cx, direction)?);
    line::<V>(cx, (i, j), (i + FAR * di, j + FAR * dj))
}
