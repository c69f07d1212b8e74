//! Picking by rank.

use crate::arena::Cx;
use crate::lanes::Lanes;
use crate::val::Val;

/// The item of a tuple at a rank; negative ranks count from the end.
#[inline(always)]
pub fn get_nth_t<V: Lanes>(_cx: Cx, _container: Val, _rank: Val) -> Val {
    Val::BACK
}

/// The item of a set at a rank; negative ranks count from the end.
#[inline(always)]
pub fn get_nth_f<V: Lanes>(_cx: Cx, _container: Val, _rank: Val) -> Val {
    Val::BACK
}

/// The int at a rank, largest first.
#[inline(always)]
pub fn get_rank<V: Lanes>(_cx: Cx, _ints: Val, _rank: Val) -> Val {
    Val::BACK
}

/// The distinct item at a rank by how often it occurs, rarest first.
#[inline(always)]
pub fn get_common_rank<V: Lanes>(_cx: Cx, _container: Val, _rank: Val) -> Val {
    Val::BACK
}
