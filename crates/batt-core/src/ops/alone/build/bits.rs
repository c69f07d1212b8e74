//! Patches made of patches and grids.

use super::rows::{Seen, both, cells, colored, four, mask, of_color, planes};
use crate::arena::Cx;
use crate::val::{MONO, Tag, Val};

/// Whether a value is a patch of bits.
#[inline(always)]
pub fn is_patch(v: Val) -> bool {
    v.is(Tag::Mask) | v.is(Tag::Object)
}

/// Whether two patches are of a kind, and cells at one place have one colour: they have planes or a colour in
/// common, or none at all.
#[inline(always)]
fn alike(a: Val, b: Val) -> bool {
    let same = (a.b() == b.b()) & ((a.b() & MONO != 0) | (a.x() == b.x()));
    (a.is(Tag::Mask) & b.is(Tag::Mask)) | (a.is(Tag::Object) & b.is(Tag::Object) & same)
}

/// What a set shares with another (`keep`), or does not share, where neither is an array and nothing need be
/// made.
#[inline(always)]
pub fn shared_plain(a: Val, b: Val, keep: bool) -> Option<Val> {
    if a.is(Tag::Colors) & b.is(Tag::Colors) {
        return Some(Val::colors(a.x() & if keep { b.x() } else { !b.x() }));
    }
    // Ints, locations and cells are never equal to each other.
    let held = |v: Val| v.is(Tag::Colors) | is_patch(v);
    let nothing = if keep { Val::EMPTY_SET } else { a };
    if held(a) & held(b) & !a.is(b.tag()) { Some(nothing) } else { None }
}

/// Whether what patches share is told by their bits alone.
#[inline(always)]
pub fn fits_shared(a: Val, b: Val) -> bool {
    alike(a, b)
}

/// What a patch shares with another (`keep`), or does not share.
#[inline(always)]
pub fn shared(cx: Cx, unit: u32, a: Val, b: Val, keep: bool) -> Val {
    let other = Seen::from(b.a(), b.origin(), a.origin());
    let set = mask(cx, unit, a.origin(), |k| {
        both(four(cx, a.a(), k), other.four(cx, k), |x, y| if keep { x & y } else { x & !y })
    });
    if a.is(Tag::Object) { colored(set, a.b()) } else { set }
}

/// Whether two patches are united by their bits alone.
#[inline(always)]
pub fn fits_union(a: Val, b: Val) -> bool {
    alike(a, b) & (a.x() == b.x())
}

/// The union of two patches in one window.
#[inline(always)]
pub fn union(cx: Cx, unit: u32, a: Val, b: Val) -> Val {
    let set =
        mask(cx, unit, a.origin(), |k| both(four(cx, a.a(), k), four(cx, b.a(), k), |x, y| x | y));
    if a.is(Tag::Object) { colored(set, a.b()) } else { set }
}

/// The locations of a grid that have a colour.
#[inline(always)]
pub fn ofcolor(cx: Cx, unit: u32, grid: Val, color: u32) -> Val {
    let (height, width) = grid.dims();
    mask(cx, unit, (0, 0), |k| {
        if 4 * k < height {
            of_color(planes(cx, grid.a(), k), color, cells(k, (height, width)))
        } else {
            [0; 4]
        }
    })
}

/// The cells of a grid at the locations of a patch.
#[inline(always)]
pub fn toobject(cx: Cx, unit: u32, patch: Val, grid: Val) -> Val {
    let (seen, dims) = (Seen::on_grid(patch), grid.dims());
    let set =
        mask(cx, unit, (0, 0), |k| both(seen.four(cx, k), cells(k, dims), |x, cells| x & cells));
    colored(set, grid.a())
}

/// All locations of a grid.
#[inline(always)]
pub fn asindices(cx: Cx, unit: u32, grid: Val) -> Val {
    let dims = grid.dims();
    mask(cx, unit, (0, 0), |k| cells(k, dims))
}

/// All cells of a grid as one object.
#[inline(always)]
pub fn asobject(cx: Cx, unit: u32, grid: Val) -> Val {
    let (dims, first) = (grid.dims(), planes(cx, grid.a(), 0).map(|[row, ..]| row & 1));
    let color = first[0] | first[1] << 1 | first[2] << 2 | first[3] << 3;
    let (mut unlike, mut k) = (0, 0);
    while 4 * k < dims.0 {
        let all = cells(k, dims);
        let [a, b, c, d] = both(all, of_color(planes(cx, grid.a(), k), color, all), |x, y| x ^ y);
        unlike |= a | b | c | d;
        k += 1;
    }
    let set = mask(cx, unit, (0, 0), |k| cells(k, dims));
    // One colour is quicker to work with than planes.
    colored(set, if unlike == 0 { MONO | color } else { grid.a() })
}
