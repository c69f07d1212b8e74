//! What looks at S, the demo pairs.

use crate::arena::Cx;
use crate::lanes::Lanes;
use crate::val::Val;

/// The demo pairs whose input differs from their output.
#[inline(always)]
pub fn dedupe_pair_tuple<V: Lanes>(_cx: Cx, _s: Val) -> Val {
    Val::BACK
}

/// The first orientation that maps every demo input to its output.
#[inline(always)]
pub fn a_mr<V: Lanes>(_cx: Cx, _s: Val) -> Val {
    Val::BACK
}
