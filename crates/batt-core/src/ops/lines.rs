//! Lines and neighbours.

use crate::arena::Cx;
use crate::lanes::Lanes;
use crate::val::Val;

/// The four locations that share an edge with one.
#[inline(always)]
pub fn dneighbors<V: Lanes>(_cx: Cx, _loc: Val) -> Val {
    Val::BACK
}

/// The four locations that touch one at a corner.
#[inline(always)]
pub fn ineighbors<V: Lanes>(_cx: Cx, _loc: Val) -> Val {
    Val::BACK
}

/// The eight locations around one.
#[inline(always)]
pub fn neighbors<V: Lanes>(_cx: Cx, _loc: Val) -> Val {
    Val::BACK
}

/// The straight or diagonal line between two locations.
#[inline(always)]
pub fn connect<V: Lanes>(_cx: Cx, _a: Val, _b: Val) -> Val {
    Val::BACK
}

/// The column of a location, rows 0 to 29.
#[inline(always)]
pub fn vfrontier<V: Lanes>(_cx: Cx, _location: Val) -> Val {
    Val::BACK
}

/// The row of a location, columns 0 to 29.
#[inline(always)]
pub fn hfrontier<V: Lanes>(_cx: Cx, _location: Val) -> Val {
    Val::BACK
}

/// The line from a location in a direction, 42 steps far.
#[inline(always)]
pub fn shoot<V: Lanes>(_cx: Cx, _start: Val, _direction: Val) -> Val {
    Val::BACK
}
