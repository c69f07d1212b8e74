//! Patches: where they are and how they relate.

use crate::arena::Cx;
use crate::lanes::Lanes;
use crate::val::Val;

/// Rows of a grid, or of a patch's bounding box.
#[inline(always)]
pub fn height<V: Lanes>(_cx: Cx, _piece: Val) -> Val {
    Val::BACK
}

/// Columns of a grid, or of a patch's bounding box.
#[inline(always)]
pub fn width<V: Lanes>(_cx: Cx, _piece: Val) -> Val {
    Val::BACK
}

/// Height and width.
#[inline(always)]
pub fn shape<V: Lanes>(_cx: Cx, _piece: Val) -> Val {
    Val::BACK
}

/// Whether a piece is taller than wide.
#[inline(always)]
pub fn portrait<V: Lanes>(_cx: Cx, _piece: Val) -> Val {
    Val::BACK
}

/// The upper left corner of the bounding box.
#[inline(always)]
pub fn ulcorner<V: Lanes>(_cx: Cx, _patch: Val) -> Val {
    Val::BACK
}

/// The upper right corner of the bounding box.
#[inline(always)]
pub fn urcorner<V: Lanes>(_cx: Cx, _patch: Val) -> Val {
    Val::BACK
}

/// The lower left corner of the bounding box.
#[inline(always)]
pub fn llcorner<V: Lanes>(_cx: Cx, _patch: Val) -> Val {
    Val::BACK
}

/// The lower right corner of the bounding box.
#[inline(always)]
pub fn lrcorner<V: Lanes>(_cx: Cx, _patch: Val) -> Val {
    Val::BACK
}

/// The locations of a patch.
#[inline(always)]
pub fn toindices<V: Lanes>(_cx: Cx, _patch: Val) -> Val {
    Val::BACK
}

/// A patch moved by a pair.
#[inline(always)]
pub fn shift<V: Lanes>(_cx: Cx, _patch: Val, _directions: Val) -> Val {
    Val::BACK
}

/// A patch moved so that its bounding box starts at the origin.
#[inline(always)]
pub fn normalize<V: Lanes>(_cx: Cx, _patch: Val) -> Val {
    Val::BACK
}

/// The first row a patch touches.
#[inline(always)]
pub fn uppermost<V: Lanes>(_cx: Cx, _patch: Val) -> Val {
    Val::BACK
}

/// The last row a patch touches.
#[inline(always)]
pub fn lowermost<V: Lanes>(_cx: Cx, _patch: Val) -> Val {
    Val::BACK
}

/// The first column a patch touches.
#[inline(always)]
pub fn leftmost<V: Lanes>(_cx: Cx, _patch: Val) -> Val {
    Val::BACK
}

/// The last column a patch touches.
#[inline(always)]
pub fn rightmost<V: Lanes>(_cx: Cx, _patch: Val) -> Val {
    Val::BACK
}

/// Whether a grid is square, or a patch a filled square.
#[inline(always)]
pub fn square<V: Lanes>(_cx: Cx, _piece: Val) -> Val {
    Val::BACK
}

/// Whether a patch is one vertical line.
#[inline(always)]
pub fn vline<V: Lanes>(_cx: Cx, _patch: Val) -> Val {
    Val::BACK
}

/// Whether a patch is one horizontal line.
#[inline(always)]
pub fn hline<V: Lanes>(_cx: Cx, _patch: Val) -> Val {
    Val::BACK
}

/// Whether two patches have a row in common.
#[inline(always)]
pub fn hmatching<V: Lanes>(_cx: Cx, _a: Val, _b: Val) -> Val {
    Val::BACK
}

/// Whether two patches have a column in common.
#[inline(always)]
pub fn vmatching<V: Lanes>(_cx: Cx, _a: Val, _b: Val) -> Val {
    Val::BACK
}

/// The smallest number of straight steps from one patch to another.
#[inline(always)]
pub fn manhattan<V: Lanes>(_cx: Cx, _a: Val, _b: Val) -> Val {
    Val::BACK
}

/// Whether two patches lie one straight step apart.
#[inline(always)]
pub fn adjacent<V: Lanes>(_cx: Cx, _a: Val, _b: Val) -> Val {
    Val::BACK
}

/// Whether a patch touches the edge of a grid.
#[inline(always)]
pub fn bordering<V: Lanes>(_cx: Cx, _patch: Val, _grid: Val) -> Val {
    Val::BACK
}

/// The mean location, rounded down.
#[inline(always)]
pub fn centerofmass<V: Lanes>(_cx: Cx, _patch: Val) -> Val {
    Val::BACK
}

/// The middle of the bounding box.
#[inline(always)]
pub fn center<V: Lanes>(_cx: Cx, _patch: Val) -> Val {
    Val::BACK
}

/// The direction from the middle of one patch to that of another.
#[inline(always)]
pub fn position<V: Lanes>(_cx: Cx, _a: Val, _b: Val) -> Val {
    Val::BACK
}

/// The four corners of the bounding box.
#[inline(always)]
pub fn corners<V: Lanes>(_cx: Cx, _patch: Val) -> Val {
    Val::BACK
}

/// All locations of the bounding box.
#[inline(always)]
pub fn backdrop<V: Lanes>(_cx: Cx, _patch: Val) -> Val {
    Val::BACK
}

/// The locations of the bounding box that the patch leaves free.
#[inline(always)]
pub fn delta<V: Lanes>(_cx: Cx, _patch: Val) -> Val {
    Val::BACK
}

/// The step that moves one patch until it lies next to another.
#[inline(always)]
pub fn gravitate<V: Lanes>(_cx: Cx, _source: Val, _destination: Val) -> Val {
    Val::BACK
}

/// The outline one step inside the bounding box.
#[inline(always)]
pub fn inbox<V: Lanes>(_cx: Cx, _patch: Val) -> Val {
    Val::BACK
}

/// The outline one step outside the bounding box.
#[inline(always)]
pub fn outbox<V: Lanes>(_cx: Cx, _patch: Val) -> Val {
    Val::BACK
}

/// The outline of the bounding box.
#[inline(always)]
pub fn r#box<V: Lanes>(_cx: Cx, _patch: Val) -> Val {
    Val::BACK
}

/// The smallest horizontal shift that maps an object onto itself.
#[inline(always)]
pub fn hperiod<V: Lanes>(_cx: Cx, _obj: Val) -> Val {
    Val::BACK
}

/// The smallest vertical shift that maps an object onto itself.
#[inline(always)]
pub fn vperiod<V: Lanes>(_cx: Cx, _obj: Val) -> Val {
    Val::BACK
}

/// A corner of the bounding box: upper left, upper right, lower left, lower right.
#[inline(always)]
pub fn corner<V: Lanes>(_cx: Cx, _patch: Val, _which: Val) -> Val {
    Val::BACK
}

/// A side of the bounding box: lowermost, uppermost, leftmost, rightmost.
#[inline(always)]
pub fn col_row<V: Lanes>(_cx: Cx, _patch: Val, _which: Val) -> Val {
    Val::BACK
}
