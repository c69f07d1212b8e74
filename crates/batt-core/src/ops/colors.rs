//! Colours.

use crate::arena::Cx;
use crate::lanes::Lanes;
use crate::val::Val;

/// The commonest colour; the smallest on a tie.
#[inline(always)]
pub fn mostcolor<V: Lanes>(_cx: Cx, _element: Val) -> Val {
    Val::BACK
}

/// The rarest colour that occurs; the smallest on a tie.
#[inline(always)]
pub fn leastcolor<V: Lanes>(_cx: Cx, _element: Val) -> Val {
    Val::BACK
}

/// How many cells have a colour.
#[inline(always)]
pub fn colorcount<V: Lanes>(_cx: Cx, _element: Val, _value: Val) -> Val {
    Val::BACK
}

/// The objects whose first cell has a colour.
#[inline(always)]
pub fn colorfilter<V: Lanes>(_cx: Cx, _objs: Val, _value: Val) -> Val {
    Val::BACK
}

/// A patch as an object of one colour.
#[inline(always)]
pub fn recolor<V: Lanes>(_cx: Cx, _value: Val, _patch: Val) -> Val {
    Val::BACK
}

/// The colours that occur, as a set.
#[inline(always)]
pub fn palette<V: Lanes>(_cx: Cx, _element: Val) -> Val {
    Val::BACK
}

/// How many colours occur.
#[inline(always)]
pub fn numcolors<V: Lanes>(_cx: Cx, _element: Val) -> Val {
    Val::BACK
}

/// The colour of an object's first cell.
#[inline(always)]
pub fn color<V: Lanes>(_cx: Cx, _obj: Val) -> Val {
    Val::BACK
}

/// The colours of a grid as a tuple, ascending.
#[inline(always)]
pub fn p_g<V: Lanes>(_cx: Cx, _grid: Val) -> Val {
    Val::BACK
}

/// The colours of an object as a tuple, ascending.
#[inline(always)]
pub fn p_o<V: Lanes>(_cx: Cx, _obj: Val) -> Val {
    Val::BACK
}

/// The colours of an object as a set.
#[inline(always)]
pub fn p_f<V: Lanes>(_cx: Cx, _obj: Val) -> Val {
    Val::BACK
}

/// The colour of a grid at a rank, commonest first.
#[inline(always)]
pub fn get_color_rank_t<V: Lanes>(_cx: Cx, _grid: Val, _rank: Val) -> Val {
    Val::BACK
}

/// The colour of an object at a rank, commonest first.
#[inline(always)]
pub fn get_color_rank_f<V: Lanes>(_cx: Cx, _obj: Val, _rank: Val) -> Val {
    Val::BACK
}
