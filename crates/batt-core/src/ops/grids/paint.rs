//! Drawing patches on grids.

use super::read::{Strokes, color, full_grid, held, locations, normal, pair};
use super::{any, cells, rows};
use crate::arena::Cx;
use crate::gather::Bits;
use crate::grid::{Grid, Planes, mapped};
use crate::lanes::Lanes;
use crate::lanes::boost::boosted;
use crate::mask::place;
use crate::ops::{mostcolor, shift};
use crate::patch::{self, Patch};
use crate::seq::len;
use crate::val::{Fault, Tag, Val};

/// The grid `from` with one colour at some of its cells; handed back where planes cannot hold it.
#[inline(always)]
fn filled<V: Lanes>(cx: Cx, from: Val, g: &Grid<V>, m: V, value: Val) -> Val {
    if !m.any() {
        return from;
    }
    let color = held!(color(value));
    Grid::make(cx, g.planes.painted(m, Planes::splat(color)), g.height, g.width)
}

/// The value, or what is made another way where it was handed back.
#[inline(always)]
fn or_any(v: Val, any: impl FnOnce() -> Val) -> Val {
    if v.is(Tag::Back) { any() } else { v }
}

/// The background of a grid in any form.
#[inline(never)]
fn background<V: Lanes>(cx: Cx, grid: Val) -> Result<Val, Val> {
    rows::dims(cx, grid)?;
    let color = mostcolor::<V>(cx, grid);
    if color.is_bad() { Err(color) } else { Ok(color) }
}

/// A grid with one colour at the locations of a patch.
#[inline(always)]
pub fn fill<V: Lanes>(cx: Cx, grid: Val, value: Val, patch: Val) -> Val {
    or_any(filled_planes::<V>(cx, grid, value, patch), || {
        any::drawn::<V::Out>(cx, grid, patch, Some(value), None)
    })
}

#[inline(always)]
fn filled_planes<V: Lanes>(cx: Cx, grid: Val, value: Val, patch: Val) -> Val {
    let (g, _) = held!(full_grid::<V>(cx, grid));
    let m = held!(locations::<V>(cx, patch)) & g.cells();
    filled(cx, grid, &g, m, value)
}

/// Like `fill`, on background cells only.
#[inline(always)]
pub fn underfill<V: Lanes>(cx: Cx, grid: Val, value: Val, patch: Val) -> Val {
    or_any(underfilled_planes::<V>(cx, grid, value, patch), || {
        let background = held!(background::<V::Out>(cx, grid));
        any::drawn::<V::Out>(cx, grid, patch, Some(value), Some(background))
    })
}

#[inline(always)]
fn underfilled_planes<V: Lanes>(cx: Cx, grid: Val, value: Val, patch: Val) -> Val {
    let (g, _) = held!(full_grid::<V>(cx, grid));
    let m = held!(locations::<V>(cx, patch)) & g.cells();
    let m = g.planes.eq(g.background(), m);
    filled(cx, grid, &g, m, value)
}

/// A grid with the background colour at the locations of a patch.
#[inline(always)]
pub fn cover<V: Lanes>(cx: Cx, grid: Val, patch: Val) -> Val {
    or_any(covered_planes::<V>(cx, grid, patch), || {
        let background = held!(background::<V::Out>(cx, grid));
        any::drawn::<V::Out>(cx, grid, patch, Some(background), None)
    })
}

#[inline(always)]
fn covered_planes<V: Lanes>(cx: Cx, grid: Val, patch: Val) -> Val {
    let (g, _) = held!(full_grid::<V>(cx, grid));
    let m = held!(locations::<V>(cx, patch)) & g.cells();
    filled(cx, grid, &g, m, Val::int(g.background() as i32))
}

/// The colours of a grid with an object drawn over it, moved by an offset; with a background
/// given, on such cells only.
#[inline(always)]
fn drawn<V: Lanes>(
    cx: Cx,
    g: &Grid<V>,
    obj: Val,
    offset: (i32, i32),
    background: Option<u32>,
) -> Result<Planes<V>, Val> {
    if !obj.is(Tag::Object) {
        let planes = drawn_list(cx, &g.to_out(), obj, offset, background)?;
        return Ok(Planes::from_out(planes));
    }
    let Some(p) = Patch::<V>::load(cx, obj) else { return Err(Val::BACK) };
    let (i, j) = (p.origin.0.checked_add(offset.0), p.origin.1.checked_add(offset.1));
    // Past this, a cell might overflow.
    let (Some(i), Some(j)) = (i.filter(|i| *i < 1 << 30), j.filter(|j| *j < 1 << 30)) else {
        return Err(Val::BACK);
    };
    let mut m = place(p.mask, i, j) & g.cells();
    if let Some(background) = background {
        m = g.planes.eq(background, m);
    }
    let colors = if let Some(color) = patch::mono(obj) {
        Planes::splat(color)
    } else {
        mapped!(patch::planes::<V>(cx, obj), |x: V| place(x, i, j))
    };
    Ok(g.planes.painted(m, colors))
}

/// Draws an object that is kept as a list: of cells at one place the last one wins, or the first
/// one that is not background.
#[inline(never)]
fn drawn_list<V: Lanes>(
    cx: Cx,
    g: &Grid<V>,
    obj: Val,
    offset: (i32, i32),
    background: Option<u32>,
) -> Result<Planes<V>, Val> {
    if obj.is(Tag::Mask) {
        return Err(Val::error(Fault::Type));
    }
    let g = *g;
    boosted!(drawn_items::<V>(
        cx: Cx, g: Grid<V>, obj: Val, offset: (i32, i32), background: Option<u32>
    ) -> Result<Planes<V>, Val>)
}

#[inline(always)]
fn drawn_items<V: Lanes>(
    cx: Cx,
    g: Grid<V>,
    obj: Val,
    offset: (i32, i32),
    background: Option<u32>,
) -> Result<Planes<V>, Val> {
    let g = &g;
    if offset == (0, 0)
        && matches!(obj.tag(), Tag::Tuple | Tag::Set)
        && let Some(planes) = cells::drawn(cx, g, obj, background)
    {
        return Ok(planes);
    }
    let mut strokes = Strokes::of(obj, offset)?;
    let (mut planes, mut bits, mut color) = (g.planes, Bits::<V>::new(), 0);
    // Strokes of one colour are drawn together.
    loop {
        let stroke = match strokes.next::<V>(cx) {
            Some(stroke) => Some(stroke?),
            None => None,
        };
        if stroke.is_none_or(|stroke| stroke.color != color) {
            let mut m = bits.rows() & g.cells();
            if let Some(background) = background {
                m = planes.eq(background, m);
            }
            if m.any() {
                if color > 15 {
                    return Err(Val::BACK);
                }
                planes = planes.painted(m, Planes::splat(color));
            }
            bits = Bits::new();
        }
        let Some(stroke) = stroke else { break };
        color = stroke.color;
        bits.add_all(stroke.row, stroke.bits);
    }
    if strokes.are_cells() { Ok(planes) } else { Err(Val::error(Fault::Type)) }
}

/// A grid with an object drawn over it.
#[inline(always)]
pub fn paint<V: Lanes>(cx: Cx, grid: Val, obj: Val) -> Val {
    or_any(painted_planes::<V>(cx, grid, obj, false), || {
        any::drawn::<V::Out>(cx, grid, obj, None, None)
    })
}

/// Like `paint`, on background cells only.
#[inline(always)]
pub fn underpaint<V: Lanes>(cx: Cx, grid: Val, obj: Val) -> Val {
    or_any(painted_planes::<V>(cx, grid, obj, true), || {
        let background = held!(background::<V::Out>(cx, grid));
        any::drawn::<V::Out>(cx, grid, obj, None, Some(background))
    })
}

#[inline(always)]
fn painted_planes<V: Lanes>(cx: Cx, grid: Val, obj: Val, under: bool) -> Val {
    let (g, _) = held!(full_grid::<V>(cx, grid));
    if len(obj) == Some(0) {
        return grid;
    }
    let background = if under { Some(g.background()) } else { None };
    Grid::make(cx, held!(drawn(cx, &g, obj, (0, 0), background)), g.height, g.width)
}

/// A grid with an object taken away and drawn again elsewhere.
#[inline(always)]
pub fn r#move<V: Lanes>(cx: Cx, grid: Val, obj: Val, offset: Val) -> Val {
    let covered = cover::<V>(cx, grid, obj);
    // Where cells are containers, what is covered may be too large and what is drawn again not.
    if covered.is(Tag::Error) && covered.extra() == Fault::Size as u32 {
        return Val::BACK;
    }
    if covered.is_bad() || len(obj) == Some(0) {
        return covered;
    }
    or_any(moved_planes::<V>(cx, covered, obj, offset), || {
        let there = shift::<V::Out>(cx, obj, offset);
        if there.is_bad() { there } else { paint::<V::Out>(cx, covered, there) }
    })
}

#[inline(always)]
fn moved_planes<V: Lanes>(cx: Cx, covered: Val, obj: Val, offset: Val) -> Val {
    let offset = held!(pair(cx, offset));
    // A tuple becomes a set when it is shifted, and so changes its order.
    let Some(g) = Grid::load(cx, normal::<V>(cx, covered)).filter(|_| !obj.is_tuple()) else {
        return Val::BACK;
    };
    Grid::make(cx, held!(drawn::<V>(cx, &g, obj, offset, None)), g.height, g.width)
}
