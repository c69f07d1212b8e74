//! Grids made of others, and recoloured ones.

use super::board::{self, board};
use super::cut::empty_rows;
use super::read::{self, color, held, normal, pair};
use super::rows;
use crate::arena::Cx;
use crate::gather;
use crate::grid::{Grid, Planes, zipped};
use crate::lanes::{Lanes, low_bits};
use crate::seq::grid_elements;
use crate::val::{Fault, MAX_ELEMENTS, Tag, Val};
use crate::wide::{Wide, byte};

/// Two grids side by side.
#[inline(always)]
pub fn hconcat<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    let (Some(p), Some(q)) =
        (Grid::<V>::load(cx, normal::<V>(cx, a)), Grid::<V>::load(cx, normal::<V>(cx, b)))
    else {
        return beside::<V::Out>(cx, a, b);
    };
    if p.width + q.width > 32 {
        return beside::<V::Out>(cx, a, b);
    }
    let height = p.height.min(q.height);
    let rows = V::below(height);
    let planes = zipped!(p.planes, q.planes, |x: V, y| (x | y.shl(p.width)) & rows);
    Grid::make(cx, planes, height, p.width + q.width)
}

#[inline(never)]
fn beside<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    board::beside::<V::Out>(cx, a, b).unwrap_or_else(|| rows::beside::<V::Out>(cx, a, b))
}

/// Two grids one above the other.
#[inline(always)]
pub fn vconcat<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    if !a.is_tuple() || !b.is_tuple() {
        return Val::error(Fault::Type);
    }
    if a == Val::EMPTY_TUPLE {
        return b;
    }
    if b == Val::EMPTY_TUPLE {
        return a;
    }
    let (Some(p), Some(q)) =
        (Grid::<V>::load(cx, normal::<V>(cx, a)), Grid::<V>::load(cx, normal::<V>(cx, b)))
    else {
        return below::<V::Out>(cx, a, b);
    };
    if p.width != q.width || p.height + q.height > 32 {
        return below::<V::Out>(cx, a, b);
    }
    let planes = zipped!(p.planes, q.planes, |x: V, y| x | y.rows(p.height as i32));
    Grid::make(cx, planes, p.height + q.height, p.width)
}

#[inline(never)]
fn below<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    let get = |k: u32| if k == 0 { a } else { b };
    gather::concat_bytes::<V::Out>(cx, 2, get).unwrap_or_else(|| rows::below::<V::Out>(cx, a, b))
}

/// The cells where two grids agree, a fallback colour elsewhere.
#[inline(always)]
pub fn cellwise<V: Lanes>(cx: Cx, a: Val, b: Val, fallback: Val) -> Val {
    let (Some(p), Some(q)) =
        (Grid::<V>::load(cx, normal::<V>(cx, a)), Grid::<V>::load(cx, normal::<V>(cx, b)))
    else {
        return cellwise_any::<V::Out>(cx, a, b, fallback);
    };
    if q.height < p.height || q.width < p.width {
        return Val::error(Fault::Index);
    }
    let differ = p.planes.differ(q.planes) & p.cells();
    if !differ.any() {
        return a;
    }
    match color(fallback) {
        Ok(color) => {
            Grid::make(cx, p.planes.painted(differ, Planes::splat(color)), p.height, p.width)
        }
        Err(_) => cellwise_any::<V::Out>(cx, a, b, fallback),
    }
}

#[inline(never)]
fn cellwise_any<V: Lanes>(cx: Cx, a: Val, b: Val, fallback: Val) -> Val {
    board::cellwise::<V::Out>(cx, a, b, fallback)
        .unwrap_or_else(|| rows::cellwise::<V::Out>(cx, a, b, fallback))
}

/// A grid in any form with some colours changed to others.
#[inline(never)]
fn changed<V: Lanes>(cx: Cx, grid: Val, changes: &[(Val, Val)]) -> Val {
    board::changed::<V::Out>(cx, grid, changes)
        .unwrap_or_else(|| rows::changed::<V::Out>(cx, grid, changes))
}

/// The cells of a grid that a value is the colour of.
#[inline(always)]
pub(crate) fn of_value<V: Lanes>(g: &Grid<V>, value: Val) -> V {
    if value.is(Tag::Int) { g.planes.eq(value.x(), g.cells()) } else { V::splat(0) }
}

/// A grid with one colour replaced by another.
#[inline(always)]
pub fn replace<V: Lanes>(cx: Cx, grid: Val, replacee: Val, replacer: Val) -> Val {
    let any = || changed::<V>(cx, grid, &[(replacee, replacer)]);
    let g = match read::grid::<V>(cx, grid, Val::EMPTY_TUPLE) {
        Ok((g, _)) => g,
        Err(v) => return if v.is(Tag::Back) { any() } else { v },
    };
    let m = of_value(&g, replacee);
    if !m.any() {
        return grid;
    }
    match color(replacer) {
        Ok(color) => Grid::make(cx, g.planes.painted(m, Planes::splat(color)), g.height, g.width),
        Err(_) => any(),
    }
}

/// A grid with two colours exchanged.
#[inline(always)]
pub fn switch<V: Lanes>(cx: Cx, grid: Val, a: Val, b: Val) -> Val {
    let any = || changed::<V>(cx, grid, &[(a, b), (b, a)]);
    let g = match read::grid::<V>(cx, grid, Val::EMPTY_TUPLE) {
        Ok((g, _)) => g,
        Err(v) => return if v.is(Tag::Back) { any() } else { v },
    };
    let (of_a, of_b) = (of_value(&g, a), of_value(&g, b));
    let mut planes = g.planes;
    if of_a.any() {
        let Ok(color) = color(b) else { return any() };
        planes = planes.painted(of_a, Planes::splat(color));
    }
    if of_b.any() {
        let Ok(color) = color(a) else { return any() };
        planes = planes.painted(of_b, Planes::splat(color));
    }
    Grid::make(cx, planes, g.height, g.width)
}

/// The colour at a location; null outside the grid.
#[inline(always)]
pub fn index<V: Lanes>(cx: Cx, grid: Val, loc: Val) -> Val {
    let (i, j) = held!(pair(cx, loc));
    let inside = |(h, w): (u32, u32)| (i as u32) < h && (j as u32) < w;
    match board::<V>(cx, grid, Val::error(Fault::Index)) {
        Ok(g) if inside(g.dims()) => g.at(cx, i as u32, j as u32),
        Ok(_) => Val::NULL,
        Err(v) if v.is(Tag::Back) => match rows::dims(cx, grid) {
            Ok(dims) if inside(dims) => rows::at::<V>(cx, grid, i as u32, j as u32),
            Ok(_) => Val::NULL,
            Err(v) => v,
        },
        Err(v) => v,
    }
}

/// A grid of one colour.
#[inline(always)]
pub fn canvas<V: Lanes>(cx: Cx, value: Val, dimensions: Val) -> Val {
    let (h, w) = held!(pair(cx, dimensions));
    let (h, w) = (h.max(0) as u32, w.max(0) as u32);
    if grid_elements(h, w) > u64::from(MAX_ELEMENTS) {
        return Val::error(Fault::Size);
    }
    if h == 0 {
        return Val::EMPTY_TUPLE;
    }
    if w == 0 {
        return empty_rows(cx, h);
    }
    let (Ok(color), ..=32, ..=32) = (color(value), h, w) else {
        return match byte(value) {
            Some(byte) => Wide::make::<V>(cx, h, w, |_, _| byte),
            None => rows::canvas::<V::Out>(cx, value, h, w),
        };
    };
    let cells = V::below(h) & V::splat(low_bits(w));
    Grid::make(cx, Planes::splat(color).map(|p: V| p & cells), h, w)
}
