//! Numbers and truth.

use crate::arena::Cx;
use crate::lanes::Lanes;
use crate::val::Val;

/// The argument itself.
#[inline(always)]
pub fn identity<V: Lanes>(_cx: Cx, _x: Val) -> Val {
    Val::BACK
}

/// Sum; an int is added to both halves of a pair.
#[inline(always)]
pub fn add<V: Lanes>(_cx: Cx, _a: Val, _b: Val) -> Val {
    Val::BACK
}

/// Difference, with the same broadcasting as `add`.
#[inline(always)]
pub fn subtract<V: Lanes>(_cx: Cx, _a: Val, _b: Val) -> Val {
    Val::BACK
}

/// Product, with the same broadcasting as `add`.
#[inline(always)]
pub fn multiply<V: Lanes>(_cx: Cx, _a: Val, _b: Val) -> Val {
    Val::BACK
}

/// Quotient rounded down, with the same broadcasting as `add`.
#[inline(always)]
pub fn divide<V: Lanes>(_cx: Cx, _a: Val, _b: Val) -> Val {
    Val::BACK
}

/// The negative of an int or a pair.
#[inline(always)]
pub fn invert<V: Lanes>(_cx: Cx, _n: Val) -> Val {
    Val::BACK
}

/// Whether an int is even.
#[inline(always)]
pub fn even<V: Lanes>(_cx: Cx, _n: Val) -> Val {
    Val::BACK
}

/// Twice an int or a pair.
#[inline(always)]
pub fn double<V: Lanes>(_cx: Cx, _n: Val) -> Val {
    Val::BACK
}

/// Half of an int or a pair, rounded down.
#[inline(always)]
pub fn halve<V: Lanes>(_cx: Cx, _n: Val) -> Val {
    Val::BACK
}

/// True for an empty or zero value, false for any other.
#[inline(always)]
pub fn flip<V: Lanes>(_cx: Cx, _b: Val) -> Val {
    Val::BACK
}

/// Whether two values are equal.
#[inline(always)]
pub fn equality<V: Lanes>(_cx: Cx, _a: Val, _b: Val) -> Val {
    Val::BACK
}

/// Whether the first value is greater than the second.
#[inline(always)]
pub fn greater<V: Lanes>(_cx: Cx, _a: Val, _b: Val) -> Val {
    Val::BACK
}

/// The first value if it is false or empty, else the second.
#[inline(always)]
pub fn both<V: Lanes>(_cx: Cx, _a: Val, _b: Val) -> Val {
    Val::BACK
}

/// The first value if it is true or non-empty, else the second.
#[inline(always)]
pub fn either<V: Lanes>(_cx: Cx, _a: Val, _b: Val) -> Val {
    Val::BACK
}

/// One more, in both halves of a pair.
#[inline(always)]
pub fn increment<V: Lanes>(_cx: Cx, _x: Val) -> Val {
    Val::BACK
}

/// One less, in both halves of a pair.
#[inline(always)]
pub fn decrement<V: Lanes>(_cx: Cx, _x: Val) -> Val {
    Val::BACK
}

/// One step away from zero; zero stays.
#[inline(always)]
pub fn crement<V: Lanes>(_cx: Cx, _x: Val) -> Val {
    Val::BACK
}

/// -1, 0 or 1 by sign.
#[inline(always)]
pub fn sign<V: Lanes>(_cx: Cx, _x: Val) -> Val {
    Val::BACK
}

/// Whether an int is above zero.
#[inline(always)]
pub fn positive<V: Lanes>(_cx: Cx, _x: Val) -> Val {
    Val::BACK
}

/// An int as a vertical step.
#[inline(always)]
pub fn toivec<V: Lanes>(_cx: Cx, _i: Val) -> Val {
    Val::BACK
}

/// An int as a horizontal step.
#[inline(always)]
pub fn tojvec<V: Lanes>(_cx: Cx, _j: Val) -> Val {
    Val::BACK
}

/// A pair of two values.
#[inline(always)]
pub fn astuple<V: Lanes>(_cx: Cx, _a: Val, _b: Val) -> Val {
    Val::BACK
}

/// The second value if the condition is true or non-empty, else the third.
#[inline(always)]
pub fn branch<V: Lanes>(_cx: Cx, _condition: Val, _a: Val, _b: Val) -> Val {
    Val::BACK
}

/// A cell from a location and a colour.
#[inline(always)]
pub fn ascell<V: Lanes>(_cx: Cx, _ij: Val, _color: Val) -> Val {
    Val::BACK
}

/// The location of a cell.
#[inline(always)]
pub fn toij<V: Lanes>(_cx: Cx, _cell: Val) -> Val {
    Val::BACK
}

/// A tuple of three ints.
#[inline(always)]
pub fn astriple<V: Lanes>(_cx: Cx, _i: Val, _j: Val, _color: Val) -> Val {
    Val::BACK
}

/// True unless the value is a tuple of tuples of ints.
#[inline(always)]
pub fn is_no_grid<V: Lanes>(_cx: Cx, _x: Val) -> Val {
    Val::BACK
}
