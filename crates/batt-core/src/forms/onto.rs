//! A patch in many places, as far as it lies on a grid.

use crate::arena::Cx;
use crate::gather::flat;
use crate::grid::{Planes, mapped};
use crate::lanes::boost::boosted;
use crate::lanes::{Lanes, low_bits};
use crate::mask::{self, place};
use crate::patch::{self, Patch, mono, planes};
use crate::val::{MAX_ELEMENTS, Tag, Val};

/// A patch moved by every location of a set or a tuple, as far as it lies on a grid. Of several colours at a
/// place it is the one that is drawn last: the largest of a set, and of a tuple the one that comes last. `None` where all of it may be too large or something is too far away, and for what is no grid, no
/// patch of bits, or no location.
#[inline(always)]
pub(super) fn seen<V: Lanes>(cx: Cx, patch: Val, places: Val, grid: Val) -> Option<Val> {
    if !grid.is(Tag::Grid) {
        return None;
    }
    seen_there::<V::Out>(cx, patch, places, grid)
}

#[inline(never)]
fn seen_there<V: Lanes>(cx: Cx, patch: Val, places: Val, grid: Val) -> Option<Val> {
    boosted!(drawn::<V>(cx: Cx, patch: Val, places: Val, grid: Val) -> Option<Val>)
}

#[inline(always)]
fn drawn<V: Lanes>(cx: Cx, patch: Val, places: Val, grid: Val) -> Option<Val> {
    let own = Patch::<V>::load(cx, patch)?;
    let (unit, n) = flat::<V>(cx, places).ok()?;
    if u64::from(patch.extra()) * u64::from(n) > u64::from(MAX_ELEMENTS) {
        return None;
    }
    let in_turn = places.is_tuple();
    let (height, width) = grid.dims();
    let cells = V::below(height) & V::splat(low_bits(width));
    let one_color = patch.is(Tag::Mask) || mono(patch).is_some();
    let theirs = if one_color { Planes::splat(0) } else { planes::<V>(cx, patch) };
    let (mut covered, mut colors, mut k) = (V::splat(0), Planes::splat(0), 0);
    while k < n {
        let (i, j) = cx.val(unit, k).as_pair()?;
        k += 1;
        // What is this far away may be no int.
        if i.unsigned_abs() > 1 << 20 || j.unsigned_abs() > 1 << 20 {
            return None;
        }
        let (i, j) = (own.origin.0 + i, own.origin.1 + j);
        if i.unsigned_abs() > 31 || j.unsigned_abs() > 31 {
            continue;
        }
        let m = place(own.mask, i, j) & cells;
        if !one_color && m.any() {
            let over = mapped!(theirs, |x: V| place(x, i, j));
            let shown = if in_turn { m } else { m & (!covered | larger(over, colors)) };
            colors = colors.painted(shown, over);
        }
        covered = covered | m;
    }
    Some(match mono(patch) {
        // Whoever paints locations finds that they are none, as long as there are any.
        _ if patch.is(Tag::Mask) && !covered.any() => return None,
        _ if patch.is(Tag::Mask) => mask::make(cx, covered, (0, 0)),
        Some(color) => patch::make_mono(cx, covered, color, (0, 0)),
        None => patch::make(cx, covered, colors, (0, 0)),
    })
}

/// Where a colour is larger than another one.
#[inline(always)]
pub(super) fn larger<V: Lanes>(of: Planes<V>, than: Planes<V>) -> V {
    let ([a, b, c, d], [e, f, g, h]) = (of.0, than.0);
    let low = (b & !f) | (!(b ^ f) & a & !e);
    let half = (c & !g) | (!(c ^ g) & low);
    (d & !h) | (!(d ^ h) & half)
}
