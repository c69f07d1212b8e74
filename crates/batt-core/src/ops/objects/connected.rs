//! Connected objects.
//!
//! Objects are found in canonical order, so nothing is ever sorted: they compare by their first
//! cells, colour before place, and two objects of a grid never share one. So the smallest colour
//! that is left comes first, and its cells row by row; what is connected to such a cell holds no
//! smaller one.

use super::wide;
use crate::arena::Cx;
use crate::grid::{Grid, Planes, mapped};
use crate::lanes::Lanes;
use crate::ops::grids::read::{full_grid, held, int};
use crate::ops::totuple;
use crate::seq::truth;
use crate::val::{Fault, MONO, Tag, Val};

/// How cells are joined to objects.
#[derive(Clone, Copy)]
pub(super) struct Mode {
    pub univalued: bool,
    pub diagonal: bool,
    pub without_bg: bool,
}

impl Mode {
    #[inline(always)]
    fn of(univalued: Val, diagonal: Val, without_bg: Val) -> Mode {
        Mode {
            univalued: truth(univalued),
            diagonal: truth(diagonal),
            without_bg: truth(without_bg),
        }
    }

    #[inline(always)]
    fn numbered(mode: Val) -> Result<Mode, Val> {
        let n = int(mode)?;
        if !(0..8).contains(&n) {
            return Err(Val::error(Fault::Index));
        }
        Ok(Mode { univalued: n & 4 != 0, diagonal: n & 2 != 0, without_bg: n & 1 != 0 })
    }
}

/// The smallest colour in `m`, which is not empty, and its cells there.
#[inline(always)]
pub(super) fn smallest<V: Lanes>(planes: Planes<V>, m: V) -> (u32, V) {
    let [a, b, c, d] = planes.0;
    let (high, left) = without(m, d);
    let (half, left) = without(left, c);
    let (low, left) = without(left, b);
    let (last, left) = without(left, a);
    (high << 3 | half << 2 | low << 1 | last, left)
}

/// The cells of `m` without a plane's bit, and 0; or all, and 1, where there is none.
#[inline(always)]
fn without<V: Lanes>(m: V, plane: V) -> (u32, V) {
    let without = m & !plane;
    if without.any() { (0, without) } else { (1, m) }
}

/// At least as many as there are objects: the cells of `m` that are joined neither to the left nor
/// upwards.
#[inline(always)]
fn starts<V: Lanes>(planes: Planes<V>, m: V, univalued: bool) -> u32 {
    let (mut left, mut above) = (m.shl(1), m.down());
    if univalued {
        left = left & !planes.differ(mapped!(planes, |p: V| p.shl(1)));
        above = above & !planes.differ(mapped!(planes, |p: V| p.down()));
    }
    (m & !left & !above).count()
}

/// The objects as an array of values, under a tag.
#[inline(always)]
fn find<V: Lanes>(cx: Cx, g: &Grid<V>, planes_unit: u32, mode: Mode, tag: Tag) -> Val {
    let mut left = g.cells();
    if mode.without_bg {
        left = left & !g.planes.eq(g.background(), left);
    }
    let Some(list) = cx.take_vals(starts(g.planes, left, mode.univalued)) else {
        return Val::BACK;
    };
    let (mut found, mut elements) = (0, 0);
    while left.any() {
        let (color, seeds) = smallest(g.planes, left);
        let colors = if mode.univalued { MONO | color } else { planes_unit };
        let mut within = if mode.univalued { seeds } else { left };
        let room = V::cut_all(&mut within, seeds, cx, mode.diagonal, |unit, count| {
            cx.put(list, found, Val::new(Tag::Object, count, unit, colors, 0));
            found += 1;
            elements += count;
        });
        if !room {
            return Val::BACK;
        }
        left = if mode.univalued { left & !seeds } else { within };
    }
    if found > 0 {
        Val::new(tag, 2, list, elements, found)
    } else if matches!(tag, Tag::Set) {
        Val::EMPTY_SET
    } else {
        Val::EMPTY_TUPLE
    }
}

/// The objects of a grid in any form, under a tag.
#[inline(always)]
fn found<V: Lanes>(cx: Cx, grid: Val, mode: Mode, tag: Tag) -> Val {
    match full_grid::<V>(cx, grid) {
        Ok((g, unit)) => find(cx, &g, unit, mode, tag),
        Err(v) if v.is(Tag::Back) => match (wide::find::<V::Out>(cx, grid, mode), tag) {
            (set, Tag::Tuple) if !set.is_bad() => totuple::<V>(cx, set),
            (set, _) => set,
        },
        Err(v) => v,
    }
}

/// The connected objects of a grid: of one colour or mixed, joined diagonally too or not, with or without background.
#[inline(always)]
pub fn objects<V: Lanes>(cx: Cx, grid: Val, univalued: Val, diagonal: Val, without_bg: Val) -> Val {
    found::<V>(cx, grid, Mode::of(univalued, diagonal, without_bg), Tag::Set)
}

/// `objects` as a tuple, in canonical order.
#[inline(always)]
pub fn objects_t<V: Lanes>(
    cx: Cx,
    grid: Val,
    univalued: Val,
    diagonal: Val,
    without_bg: Val,
) -> Val {
    found::<V>(cx, grid, Mode::of(univalued, diagonal, without_bg), Tag::Tuple)
}

/// `objects` with its three flags in one number: 4 one colour, 2 diagonal, 1 without background.
#[inline(always)]
pub fn o_g<V: Lanes>(cx: Cx, grid: Val, mode: Val) -> Val {
    found::<V>(cx, grid, held!(Mode::numbered(mode)), Tag::Set)
}

/// `o_g` as a tuple, in canonical order.
#[inline(always)]
pub fn o_g_t<V: Lanes>(cx: Cx, grid: Val, mode: Val) -> Val {
    found::<V>(cx, grid, held!(Mode::numbered(mode)), Tag::Tuple)
}
