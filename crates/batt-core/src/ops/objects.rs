//! From grids to objects and locations.

use crate::arena::Cx;
use crate::lanes::Lanes;
use crate::val::Val;

/// All locations of a grid.
#[inline(always)]
pub fn asindices<V: Lanes>(_cx: Cx, _grid: Val) -> Val {
    Val::BACK
}

/// The locations that have a colour.
#[inline(always)]
pub fn ofcolor<V: Lanes>(_cx: Cx, _grid: Val, _value: Val) -> Val {
    Val::BACK
}

/// The connected objects of a grid: of one colour or mixed, joined diagonally too or not, with or without background.
#[inline(always)]
pub fn objects<V: Lanes>(
    _cx: Cx,
    _grid: Val,
    _univalued: Val,
    _diagonal: Val,
    _without_bg: Val,
) -> Val {
    Val::BACK
}

/// One object for every colour.
#[inline(always)]
pub fn partition<V: Lanes>(_cx: Cx, _grid: Val) -> Val {
    Val::BACK
}

/// One object for every colour but the commonest.
#[inline(always)]
pub fn fgpartition<V: Lanes>(_cx: Cx, _grid: Val) -> Val {
    Val::BACK
}

/// A patch with the colours that a grid has there.
#[inline(always)]
pub fn toobject<V: Lanes>(_cx: Cx, _patch: Val, _grid: Val) -> Val {
    Val::BACK
}

/// All cells of a grid as one object.
#[inline(always)]
pub fn asobject<V: Lanes>(_cx: Cx, _grid: Val) -> Val {
    Val::BACK
}

/// The locations where an object occurs in a grid.
#[inline(always)]
pub fn occurrences<V: Lanes>(_cx: Cx, _grid: Val, _obj: Val) -> Val {
    Val::BACK
}

/// The rows and columns of one colour, as objects.
#[inline(always)]
pub fn frontiers<V: Lanes>(_cx: Cx, _grid: Val) -> Val {
    Val::BACK
}

/// `objects` with its three flags in one number: 4 one colour, 2 diagonal, 1 without background.
#[inline(always)]
pub fn o_g<V: Lanes>(_cx: Cx, _grid: Val, _mode: Val) -> Val {
    Val::BACK
}

/// `o_g` as a tuple, in canonical order.
#[inline(always)]
pub fn o_g_t<V: Lanes>(_cx: Cx, _grid: Val, _mode: Val) -> Val {
    Val::BACK
}

/// `objects` as a tuple, in canonical order.
#[inline(always)]
pub fn objects_t<V: Lanes>(
    _cx: Cx,
    _grid: Val,
    _univalued: Val,
    _diagonal: Val,
    _without_bg: Val,
) -> Val {
    Val::BACK
}
