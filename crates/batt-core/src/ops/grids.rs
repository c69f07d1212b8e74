//! Grids.

use crate::arena::Cx;
use crate::lanes::Lanes;
use crate::val::Val;

/// A part of a grid, from a start and with dimensions that may reach past the end.
#[inline(always)]
pub fn crop<V: Lanes>(_cx: Cx, _grid: Val, _start: Val, _dims: Val) -> Val {
    Val::BACK
}

/// A grid turned clockwise by a quarter.
#[inline(always)]
pub fn rot90<V: Lanes>(_cx: Cx, _grid: Val) -> Val {
    Val::BACK
}

/// A grid turned by a half.
#[inline(always)]
pub fn rot180<V: Lanes>(_cx: Cx, _grid: Val) -> Val {
    Val::BACK
}

/// A grid turned anticlockwise by a quarter.
#[inline(always)]
pub fn rot270<V: Lanes>(_cx: Cx, _grid: Val) -> Val {
    Val::BACK
}

/// Upside down; a patch within its bounding box.
#[inline(always)]
pub fn hmirror<V: Lanes>(_cx: Cx, _piece: Val) -> Val {
    Val::BACK
}

/// Left to right; a patch within its bounding box.
#[inline(always)]
pub fn vmirror<V: Lanes>(_cx: Cx, _piece: Val) -> Val {
    Val::BACK
}

/// Rows and columns exchanged; a patch about its upper left corner.
#[inline(always)]
pub fn dmirror<V: Lanes>(_cx: Cx, _piece: Val) -> Val {
    Val::BACK
}

/// Mirrored about the other diagonal.
#[inline(always)]
pub fn cmirror<V: Lanes>(_cx: Cx, _piece: Val) -> Val {
    Val::BACK
}

/// A grid with one colour at the locations of a patch.
#[inline(always)]
pub fn fill<V: Lanes>(_cx: Cx, _grid: Val, _value: Val, _patch: Val) -> Val {
    Val::BACK
}

/// A grid with an object drawn over it.
#[inline(always)]
pub fn paint<V: Lanes>(_cx: Cx, _grid: Val, _obj: Val) -> Val {
    Val::BACK
}

/// Like `fill`, on background cells only.
#[inline(always)]
pub fn underfill<V: Lanes>(_cx: Cx, _grid: Val, _value: Val, _patch: Val) -> Val {
    Val::BACK
}

/// Like `paint`, on background cells only.
#[inline(always)]
pub fn underpaint<V: Lanes>(_cx: Cx, _grid: Val, _obj: Val) -> Val {
    Val::BACK
}

/// Every column a number of times.
#[inline(always)]
pub fn hupscale<V: Lanes>(_cx: Cx, _grid: Val, _factor: Val) -> Val {
    Val::BACK
}

/// Every row a number of times.
#[inline(always)]
pub fn vupscale<V: Lanes>(_cx: Cx, _grid: Val, _factor: Val) -> Val {
    Val::BACK
}

/// Every cell as a square of a number of cells a side.
#[inline(always)]
pub fn upscale<V: Lanes>(_cx: Cx, _element: Val, _factor: Val) -> Val {
    Val::BACK
}

/// Every so many rows and columns of a grid, the first included.
#[inline(always)]
pub fn downscale<V: Lanes>(_cx: Cx, _grid: Val, _factor: Val) -> Val {
    Val::BACK
}

/// Two grids side by side.
#[inline(always)]
pub fn hconcat<V: Lanes>(_cx: Cx, _a: Val, _b: Val) -> Val {
    Val::BACK
}

/// Two grids one above the other.
#[inline(always)]
pub fn vconcat<V: Lanes>(_cx: Cx, _a: Val, _b: Val) -> Val {
    Val::BACK
}

/// The part of a grid that a patch's bounding box covers.
#[inline(always)]
pub fn subgrid<V: Lanes>(_cx: Cx, _patch: Val, _grid: Val) -> Val {
    Val::BACK
}

/// A grid cut into a number of parts side by side.
#[inline(always)]
pub fn hsplit<V: Lanes>(_cx: Cx, _grid: Val, _n: Val) -> Val {
    Val::BACK
}

/// A grid cut into a number of parts one above the other.
#[inline(always)]
pub fn vsplit<V: Lanes>(_cx: Cx, _grid: Val, _n: Val) -> Val {
    Val::BACK
}

/// The cells where two grids agree, a fallback colour elsewhere.
#[inline(always)]
pub fn cellwise<V: Lanes>(_cx: Cx, _a: Val, _b: Val, _fallback: Val) -> Val {
    Val::BACK
}

/// A grid with one colour replaced by another.
#[inline(always)]
pub fn replace<V: Lanes>(_cx: Cx, _grid: Val, _replacee: Val, _replacer: Val) -> Val {
    Val::BACK
}

/// A grid with two colours exchanged.
#[inline(always)]
pub fn switch<V: Lanes>(_cx: Cx, _grid: Val, _a: Val, _b: Val) -> Val {
    Val::BACK
}

/// The colour at a location; null outside the grid.
#[inline(always)]
pub fn index<V: Lanes>(_cx: Cx, _grid: Val, _loc: Val) -> Val {
    Val::BACK
}

/// A grid of one colour.
#[inline(always)]
pub fn canvas<V: Lanes>(_cx: Cx, _value: Val, _dimensions: Val) -> Val {
    Val::BACK
}

/// A grid with the background colour at the locations of a patch.
#[inline(always)]
pub fn cover<V: Lanes>(_cx: Cx, _grid: Val, _patch: Val) -> Val {
    Val::BACK
}

/// A grid without its outermost rows and columns.
#[inline(always)]
pub fn trim<V: Lanes>(_cx: Cx, _grid: Val) -> Val {
    Val::BACK
}

/// A grid with an object taken away and drawn again elsewhere.
#[inline(always)]
pub fn r#move<V: Lanes>(_cx: Cx, _grid: Val, _obj: Val, _offset: Val) -> Val {
    Val::BACK
}

/// The upper half.
#[inline(always)]
pub fn tophalf<V: Lanes>(_cx: Cx, _grid: Val) -> Val {
    Val::BACK
}

/// The lower half.
#[inline(always)]
pub fn bottomhalf<V: Lanes>(_cx: Cx, _grid: Val) -> Val {
    Val::BACK
}

/// The left half.
#[inline(always)]
pub fn lefthalf<V: Lanes>(_cx: Cx, _grid: Val) -> Val {
    Val::BACK
}

/// The right half.
#[inline(always)]
pub fn righthalf<V: Lanes>(_cx: Cx, _grid: Val) -> Val {
    Val::BACK
}

/// A grid without its rows and columns of one colour.
#[inline(always)]
pub fn compress<V: Lanes>(_cx: Cx, _grid: Val) -> Val {
    Val::BACK
}

/// A grid mirrored or turned, by number: hmirror, dmirror, vmirror, cmirror, rot90, rot180, rot270, as it is.
#[inline(always)]
pub fn mir_rot_t<V: Lanes>(_cx: Cx, _grid: Val, _orientation: Val) -> Val {
    Val::BACK
}

/// A patch mirrored, by number: hmirror, dmirror, vmirror, cmirror, as it is.
#[inline(always)]
pub fn mir_rot_f<V: Lanes>(_cx: Cx, _patch: Val, _orientation: Val) -> Val {
    Val::BACK
}
