//! Mirrors and turns, of grids and of patches.

use super::board::{Board, board, taken};
use super::cut::{settle, settled};
use super::read::{held, int};
use super::rows;
use crate::arena::{Cx, ROWS};
use crate::grid::{Grid, made_each, mapped};
use crate::lanes::Lanes;
use crate::mask::{self, Bounds};
use crate::ops::colors::set_of;
use crate::ops::patches::view;
use crate::patch::{self, Patch};
use crate::seq::{List, len, patch_bounds};
use crate::val::{Fault, Tag, Val};
use crate::wide::Wide;

/// What is done to a piece.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Rows,
    Columns,
    Diagonal,
    Counter,
    Quarter,
    Half,
    Back,
}

impl Turn {
    /// Whether height and width are exchanged.
    const fn swaps(self) -> bool {
        matches!(self, Turn::Diagonal | Turn::Counter | Turn::Quarter | Turn::Back)
    }
}

/// Bits within a height and a width, turned.
#[inline(always)]
fn turned<V: Lanes>(m: V, turn: Turn, h: u32, w: u32) -> V {
    match turn {
        Turn::Rows => m.flip(h),
        Turn::Columns => m.reverse().shr(32 - w),
        Turn::Diagonal => m.transpose(),
        Turn::Counter => m.flip(h).reverse().shr(32 - w).transpose(),
        Turn::Quarter => m.flip(h).transpose(),
        Turn::Half => m.flip(h).reverse().shr(32 - w),
        Turn::Back => m.transpose().flip(w),
    }
}

#[inline(always)]
fn turned_grid<V: Lanes>(cx: Cx, v: Val, turn: Turn) -> Val {
    if !V::APART && v.is(Tag::Grid) {
        let (height, width) = v.dims();
        let (h, w) = if turn.swaps() { (width, height) } else { (height, width) };
        return made_each!(cx, h, w, |k| {
            turned(cx.load::<V>(v.a() + k * ROWS), turn, height, width)
        });
    }
    let g = match board::<V>(cx, v, Val::EMPTY_TUPLE) {
        Ok(Board::Planes(g)) => g,
        Ok(Board::Bytes(g)) => return turned_bytes::<V::Out>(cx, &g, turn),
        Err(bad) if bad.is(Tag::Back) => return turned_rows::<V::Out>(cx, v, turn),
        Err(bad) => return bad,
    };
    let (h, w) = if turn.swaps() { (g.width, g.height) } else { (g.height, g.width) };
    let planes = mapped!(g.planes, |p: V| turned(p, turn, g.height, g.width));
    Grid::make(cx, planes, h, w)
}

#[inline(never)]
fn turned_bytes<V: Lanes>(cx: Cx, g: &Wide, turn: Turn) -> Val {
    let size = if turn.swaps() { (g.width, g.height) } else { (g.height, g.width) };
    let (bottom, right) = (g.height - 1, g.width - 1);
    if !V::APART && turn.swaps() {
        let upwards = matches!(turn, Turn::Counter | Turn::Quarter);
        let leftwards = matches!(turn, Turn::Counter | Turn::Back);
        return match g.aside(cx, upwards, leftwards) {
            Ok(aside) => aside.to_val::<V::Out>(cx),
            Err(bad) => bad,
        };
    }
    match turn {
        Turn::Rows => taken::<V::Out>(cx, g, size, |i, j| (bottom - i, j)),
        Turn::Columns => taken::<V::Out>(cx, g, size, |i, j| (i, right - j)),
        Turn::Diagonal => taken::<V::Out>(cx, g, size, |i, j| (j, i)),
        Turn::Counter => taken::<V::Out>(cx, g, size, |i, j| (bottom - j, right - i)),
        Turn::Quarter => taken::<V::Out>(cx, g, size, |i, j| (bottom - j, i)),
        Turn::Half => taken::<V::Out>(cx, g, size, |i, j| (bottom - i, right - j)),
        Turn::Back => taken::<V::Out>(cx, g, size, |i, j| (j, right - i)),
    }
}

/// Rows of any length: first upside down, then each row reversed or columns for rows, as the
/// reference engine composes the turns.
#[inline(never)]
fn turned_rows<V: Lanes>(cx: Cx, v: Val, turn: Turn) -> Val {
    let first = match turn {
        Turn::Columns => return rows::each_reversed::<V::Out>(cx, v),
        Turn::Diagonal | Turn::Back => rows::transposed::<V::Out>(cx, v),
        _ => rows::reversed::<V::Out>(cx, v),
    };
    if first.is_bad() {
        return first;
    }
    let second = match turn {
        Turn::Rows | Turn::Columns | Turn::Diagonal => return first,
        Turn::Back => return rows::reversed::<V::Out>(cx, first),
        Turn::Quarter => return rows::transposed::<V::Out>(cx, first),
        Turn::Half | Turn::Counter => rows::each_reversed::<V::Out>(cx, first),
    };
    if second.is_bad() || turn == Turn::Half {
        return second;
    }
    rows::transposed::<V::Out>(cx, second)
}

#[inline(always)]
fn mirrored<V: Lanes>(cx: Cx, v: Val, turn: Turn) -> Val {
    if v.is_tuple() {
        return turned_grid::<V>(cx, v, turn);
    }
    let Some(p) = Patch::<V>::load(cx, v) else { return mirrored_list::<V::Out>(cx, v, turn) };
    let Some(b) = mask::bounds(p.mask) else { return Val::BACK };
    let (h, w) = (b.height() as u32, b.width() as u32);
    let at = b.moved(p.origin.0, p.origin.1);
    let (rows, columns) = if turn.swaps() { (w, h) } else { (h, w) };
    let there =
        Bounds { bottom: at.top + rows as i32 - 1, right: at.left + columns as i32 - 1, ..at };
    let Some((origin, by)) = settle(there) else { return Val::BACK };
    let m = changed(p.mask, turn, b, by);
    if v.is(Tag::Mask) {
        mask::make(cx, m, origin)
    } else if let Some(color) = patch::mono(v) {
        patch::make_mono(cx, m, color, origin)
    } else {
        let colors = mapped!(patch::planes::<V>(cx, v), |p: V| changed(p, turn, b, by));
        patch::make(cx, m, colors, origin)
    }
}

/// Bits of which a box is turned and moved to its own window.
#[inline(always)]
fn changed<V: Lanes>(m: V, turn: Turn, b: Bounds, by: (i32, i32)) -> V {
    let (h, w) = (b.height() as u32, b.width() as u32);
    settled(turned(mask::place(m, -b.top, -b.left), turn, h, w), by)
}

/// The mirrors of patches that no window holds.
#[inline(never)]
fn mirrored_list<V: Lanes>(cx: Cx, v: Val, turn: Turn) -> Val {
    if !v.is(Tag::Set) {
        // An empty set, or nothing that has a place.
        return Val::error(Fault::Index);
    }
    let Some(b) = patch_bounds::<V>(cx, v) else {
        // Cells with colours that are no ints, or an error.
        return view::<V>(cx, v).err().unwrap_or(Val::BACK);
    };
    let kind = cx.val(v.a(), 0).tag();
    let (top, left) = (i64::from(b.top), i64::from(b.left));
    let (bottom, right) = (i64::from(b.bottom), i64::from(b.right));
    // The way to an error may differ, as a mirror may be made of others.
    let mirrored = |k: u32| {
        let e = cx.val(v.a(), k);
        let (i, j) = (i64::from(e.b() as i32), i64::from(e.x() as i32));
        let (i, j) = match turn {
            Turn::Rows => (top + bottom - i, j),
            Turn::Columns => (i, left + right - j),
            Turn::Diagonal => (j - left + top, i - top + left),
            _ => (right - j + top, bottom - i + left),
        };
        let place = Val::narrow_pair(i, j);
        match kind {
            _ if place.is_bad() || !e.is(kind) => Val::BACK,
            Tag::Cell => Val::cell(e.a() as i32, i as i32, j as i32),
            _ => place,
        }
    };
    let Some(list) = List::copied::<V>(cx, v.x(), mirrored) else { return Val::BACK };
    list.set::<V::Out>(cx)
}

/// A grid turned clockwise by a quarter.
#[inline(always)]
pub fn rot90<V: Lanes>(cx: Cx, grid: Val) -> Val {
    turned_grid::<V>(cx, grid, Turn::Quarter)
}

/// A grid turned by a half.
#[inline(always)]
pub fn rot180<V: Lanes>(cx: Cx, grid: Val) -> Val {
    turned_grid::<V>(cx, grid, Turn::Half)
}

/// A grid turned anticlockwise by a quarter.
#[inline(always)]
pub fn rot270<V: Lanes>(cx: Cx, grid: Val) -> Val {
    turned_grid::<V>(cx, grid, Turn::Back)
}

/// Upside down; a patch within its bounding box.
#[inline(always)]
pub fn hmirror<V: Lanes>(cx: Cx, piece: Val) -> Val {
    mirrored::<V>(cx, piece, Turn::Rows)
}

/// Left to right; a patch within its bounding box.
#[inline(always)]
pub fn vmirror<V: Lanes>(cx: Cx, piece: Val) -> Val {
    mirrored::<V>(cx, piece, Turn::Columns)
}

/// Rows and columns exchanged; a patch about its upper left corner.
#[inline(always)]
pub fn dmirror<V: Lanes>(cx: Cx, piece: Val) -> Val {
    mirrored::<V>(cx, piece, Turn::Diagonal)
}

/// Mirrored about the other diagonal.
#[inline(always)]
pub fn cmirror<V: Lanes>(cx: Cx, piece: Val) -> Val {
    mirrored::<V>(cx, piece, Turn::Counter)
}

/// The mirror of an orientation below four.
#[cfg_attr(target_arch = "nvptx64", inline(never))]
#[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
fn mirror<V: Lanes>(cx: Cx, piece: Val, orientation: i32) -> Val {
    match orientation {
        0 => hmirror::<V>(cx, piece),
        1 => dmirror::<V>(cx, piece),
        2 => vmirror::<V>(cx, piece),
        3 => cmirror::<V>(cx, piece),
        _ => Val::error(Fault::Index),
    }
}

/// A grid mirrored or turned, by number: hmirror, dmirror, vmirror, cmirror, rot90, rot180, rot270, as it is.
#[cfg_attr(target_arch = "nvptx64", inline(never))]
#[cfg_attr(not(target_arch = "nvptx64"), inline(always))]
pub fn mir_rot_t<V: Lanes>(cx: Cx, grid: Val, orientation: Val) -> Val {
    if !grid.is_tuple() {
        return Val::error(Fault::Type);
    }
    match held!(int(orientation)) {
        4 => rot90::<V>(cx, grid),
        5 => rot180::<V>(cx, grid),
        6 => rot270::<V>(cx, grid),
        7.. => grid,
        mirrored => mirror::<V>(cx, grid, mirrored),
    }
}

/// A patch mirrored, by number: hmirror, dmirror, vmirror, cmirror, as it is.
#[inline(always)]
pub fn mir_rot_f<V: Lanes>(cx: Cx, patch: Val, orientation: Val) -> Val {
    if len(patch).is_none() {
        return Val::error(Fault::Type);
    }
    match held!(int(orientation)) {
        4.. => patch,
        mirrored => match set_of::<V>(cx, patch) {
            bad if bad.is_bad() => bad,
            cells => mirror::<V>(cx, cells, mirrored),
        },
    }
}
