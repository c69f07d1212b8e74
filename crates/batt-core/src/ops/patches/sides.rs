//! Sizes, sides and corners.

use crate::arena::Cx;
use crate::lanes::Lanes;
use crate::mask::{self, Bounds};
use crate::seq::{self, Items, List, len};
use crate::val::{Fault, Tag, Val};

use super::view::{
    Read, View, bounds, extent, fault, given, locations, some_bounds, tuple_extent, view,
};

/// Rows of a grid, or of a patch's bounding box.
#[inline(always)]
pub fn height<V: Lanes>(cx: Cx, piece: Val) -> Val {
    if piece.is_tuple() {
        // The items of a tuple need not be rows here.
        return Val::narrow(tuple_extent(cx, piece).0);
    }
    given(extent::<V>(cx, piece).map(|(h, _)| Val::narrow(h)))
}

/// Columns of a grid, or of a patch's bounding box.
#[inline(always)]
pub fn width<V: Lanes>(cx: Cx, piece: Val) -> Val {
    given(extent::<V>(cx, piece).map(|(_, w)| Val::narrow(w)))
}

/// Height and width.
#[inline(always)]
pub fn shape<V: Lanes>(cx: Cx, piece: Val) -> Val {
    given(extent::<V>(cx, piece).map(|(h, w)| Val::narrow_pair(h, w)))
}

/// Whether a piece is taller than wide.
#[inline(always)]
pub fn portrait<V: Lanes>(cx: Cx, piece: Val) -> Val {
    given(extent::<V>(cx, piece).map(|(h, w)| Val::bool(h > w)))
}

/// Whether a grid is square, or a patch a filled square.
#[inline(always)]
pub fn square<V: Lanes>(cx: Cx, piece: Val) -> Val {
    let count = len(piece).map_or(0, i64::from);
    if piece.is_tuple() && count == 0 {
        return Val::error(Fault::Index);
    }
    let full = |h: i64, w: i64| piece.is_tuple() || h.saturating_mul(w) == count;
    given(extent::<V>(cx, piece).map(|(h, w)| Val::bool(h == w && full(h, w))))
}

/// Whether a patch is one vertical line.
#[inline(always)]
pub fn vline<V: Lanes>(cx: Cx, patch: Val) -> Val {
    let count = len(patch).map_or(0, i64::from);
    given(extent::<V>(cx, patch).map(|(h, w)| Val::bool(h == count && w == 1)))
}

/// Whether a patch is one horizontal line.
#[inline(always)]
pub fn hline<V: Lanes>(cx: Cx, patch: Val) -> Val {
    let count = len(patch).map_or(0, i64::from);
    given(extent::<V>(cx, patch).map(|(h, w)| Val::bool(w == count && h == 1)))
}

/// A corner of the bounding box; `()` for an empty patch.
#[inline(always)]
fn corner_of<V: Lanes>(cx: Cx, patch: Val, pick: impl Fn(Bounds) -> (i32, i32)) -> Val {
    given(bounds::<V>(cx, patch).map(|b| match b {
        None => Val::EMPTY_TUPLE,
        Some(b) => {
            let (i, j) = pick(b);
            Val::pair(i, j)
        }
    }))
}

/// The upper left corner of the bounding box.
#[inline(always)]
pub fn ulcorner<V: Lanes>(cx: Cx, patch: Val) -> Val {
    corner_of::<V>(cx, patch, |b| (b.top, b.left))
}

/// The upper right corner of the bounding box.
#[inline(always)]
pub fn urcorner<V: Lanes>(cx: Cx, patch: Val) -> Val {
    corner_of::<V>(cx, patch, |b| (b.top, b.right))
}

/// The lower left corner of the bounding box.
#[inline(always)]
pub fn llcorner<V: Lanes>(cx: Cx, patch: Val) -> Val {
    corner_of::<V>(cx, patch, |b| (b.bottom, b.left))
}

/// The lower right corner of the bounding box.
#[inline(always)]
pub fn lrcorner<V: Lanes>(cx: Cx, patch: Val) -> Val {
    corner_of::<V>(cx, patch, |b| (b.bottom, b.right))
}

/// A corner of the bounding box: upper left, upper right, lower left, lower right.
#[inline(always)]
pub fn corner<V: Lanes>(cx: Cx, patch: Val, which: Val) -> Val {
    let which = match which.as_int() {
        Some(n) if (0..4).contains(&n) => n,
        Some(_) => return Val::error(Fault::Index),
        None => return Val::error(Fault::Type),
    };
    corner_of::<V>(cx, patch, |b| {
        (if which < 2 { b.top } else { b.bottom }, if which & 1 == 0 { b.left } else { b.right })
    })
}

/// The four corners of the bounding box.
#[inline(always)]
pub fn corners<V: Lanes>(cx: Cx, patch: Val) -> Val {
    match view::<V>(cx, patch) {
        Err(v) => v,
        // The one corner of nothing is `()`.
        Ok(View::Empty) => seq::one::<V>(cx, Val::EMPTY_TUPLE),
        Ok(View::Bits(p)) => {
            let Some(b) = mask::bounds(p.mask) else { return Val::BACK };
            let columns = 1 << (b.left & 31) | 1 << (b.right & 31);
            let rows = V::put(b.top as u32, columns) | V::put(b.bottom as u32, columns);
            mask::make(cx, rows, p.origin)
        }
        Ok(View::Places(places)) => {
            let b = places.bounds::<V>(cx);
            let Some(mut list) = List::new(cx, 4) else { return Val::BACK };
            list.push(cx, Val::pair(b.top, b.left));
            list.push(cx, Val::pair(b.top, b.right));
            list.push(cx, Val::pair(b.bottom, b.left));
            list.push(cx, Val::pair(b.bottom, b.right));
            list.set::<V::Out>(cx)
        }
    }
}

/// A side of the bounding box of a patch that is not empty.
#[inline(always)]
fn side_of<V: Lanes>(cx: Cx, patch: Val, pick: impl Fn(Bounds) -> i32) -> Val {
    given(some_bounds::<V>(cx, patch).map(|b| Val::int(pick(b))))
}

/// The first row a patch touches.
#[inline(always)]
pub fn uppermost<V: Lanes>(cx: Cx, patch: Val) -> Val {
    side_of::<V>(cx, patch, |b| b.top)
}

/// The last row a patch touches.
#[inline(always)]
pub fn lowermost<V: Lanes>(cx: Cx, patch: Val) -> Val {
    side_of::<V>(cx, patch, |b| b.bottom)
}

/// The first column a patch touches.
#[inline(always)]
pub fn leftmost<V: Lanes>(cx: Cx, patch: Val) -> Val {
    side_of::<V>(cx, patch, |b| b.left)
}

/// The last column a patch touches.
#[inline(always)]
pub fn rightmost<V: Lanes>(cx: Cx, patch: Val) -> Val {
    side_of::<V>(cx, patch, |b| b.right)
}

/// A side of the bounding box: lowermost, uppermost, leftmost, rightmost.
#[inline(always)]
pub fn col_row<V: Lanes>(cx: Cx, patch: Val, which: Val) -> Val {
    match which.as_int() {
        Some(0) => lowermost::<V>(cx, patch),
        Some(1) => uppermost::<V>(cx, patch),
        Some(2) => leftmost::<V>(cx, patch),
        Some(3) => rightmost::<V>(cx, patch),
        Some(_) => Val::error(Fault::Index),
        None => Val::error(Fault::Type),
    }
}

/// The middle of a patch: its sides from the locations, its size as [`extent`] reads it.
#[inline(always)]
pub(super) fn middle<V: Lanes>(cx: Cx, patch: Val) -> Read<(i64, i64)> {
    let b = some_bounds::<V>(cx, patch)?;
    let (h, w) = if patch.is_tuple() { extent::<V>(cx, patch)? } else { (b.height(), b.width()) };
    Ok((i64::from(b.top) + h / 2, i64::from(b.left) + w / 2))
}

/// The middle of the bounding box.
#[inline(always)]
pub fn center<V: Lanes>(cx: Cx, patch: Val) -> Val {
    given(middle::<V>(cx, patch).map(|(i, j)| Val::narrow_pair(i, j)))
}

/// The mean location, rounded down.
#[inline(always)]
pub fn centerofmass<V: Lanes>(cx: Cx, patch: Val) -> Val {
    match view::<V>(cx, patch) {
        Err(v) => v,
        Ok(View::Empty) => Val::EMPTY_TUPLE,
        Ok(View::Bits(p)) => {
            let count = patch.extra().max(1);
            let (rows, columns) = index_sums(p.mask);
            Val::pair(p.origin.0 + (rows / count) as i32, p.origin.1 + (columns / count) as i32)
        }
        Ok(View::Places(_)) => given(mean_of_list::<V::Out>(cx, patch)),
    }
}

/// The sums of all row numbers and of all column numbers within the window.
#[inline(always)]
fn index_sums<V: Lanes>(m: V) -> (u32, u32) {
    let counts = m.popcount();
    let rows = of_rows(counts, 0)
        .add(of_rows(counts, 1))
        .add(of_rows(counts, 2))
        .add(of_rows(counts, 3))
        .add(of_rows(counts, 4));
    let columns = (m & V::splat(0xaaaa_aaaa))
        .popcount()
        .add((m & V::splat(0xcccc_cccc)).popcount().shl(1))
        .add((m & V::splat(0xf0f0_f0f0)).popcount().shl(2))
        .add((m & V::splat(0xff00_ff00)).popcount().shl(3))
        .add((m & V::splat(0xffff_0000)).popcount().shl(4));
    (rows.sum(), columns.sum())
}

/// The counts of the rows that have bit k in their number, times that bit.
#[inline(always)]
fn of_rows<V: Lanes>(counts: V, k: u32) -> V {
    let rows = (V::iota().shr(k) & V::splat(1)).mul(u32::MAX);
    (counts & rows).shl(k)
}

/// Cells that share a location are summed once and counted each.
#[inline(never)]
fn mean_of_list<V: Lanes>(cx: Cx, patch: Val) -> Read<Val> {
    let View::Places(places) = view::<V>(cx, patch)? else { return Err(Val::BACK) };
    let (mut i, mut j, count) = (0_i64, 0_i64, i64::from(places.len).max(1));
    if places.cells {
        let all = locations::<V>(cx, patch)?;
        let mut items = Items::<V>::of(cx, all).ok_or(Val::BACK)?;
        while let Some(v) = items.next(cx) {
            i += i64::from(v.b() as i32);
            j += i64::from(v.x() as i32);
        }
    } else {
        let mut k = 0;
        while k < places.len {
            let at = places.at(cx, k);
            i += i64::from(at.0);
            j += i64::from(at.1);
            k += 1;
        }
    }
    Ok(Val::narrow_pair(i.wrapping_div_euclid(count), j.wrapping_div_euclid(count)))
}

/// Whether a patch touches the edge of a grid.
#[inline(always)]
pub fn bordering<V: Lanes>(cx: Cx, patch: Val, grid: Val) -> Val {
    given(on_border::<V>(cx, patch, grid).map(Val::bool))
}

#[inline(always)]
fn on_border<V: Lanes>(cx: Cx, patch: Val, grid: Val) -> Read<bool> {
    let b = some_bounds::<V>(cx, patch)?;
    if b.top == 0 || b.left == 0 {
        return Ok(true);
    }
    if !grid.is_tuple() {
        return fault(Fault::Type);
    }
    let (height, width) = tuple_extent(cx, grid);
    if i64::from(b.bottom) == height - 1 {
        return Ok(true);
    }
    if grid.is(Tag::Tuple) && height == 0 {
        return fault(Fault::Index);
    }
    width.map(|width| i64::from(b.right) == width - 1).ok_or(Val::error(Fault::Type))
}
