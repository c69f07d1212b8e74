//! Grids made of others, and recoloured ones.

use super::cut::empty_rows;
use super::read::{color, grid, held, normal, pair};
use super::wide::{self, sized};
use crate::arena::Cx;
use crate::grid::{Grid, Planes};
use crate::lanes::{Lanes, low_bits};
use crate::seq::{List, item, len};
use crate::val::{Fault, MAX_ELEMENTS, Tag, Val};

/// Two grids side by side.
#[inline(always)]
pub fn hconcat<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    let (p, q) = (normal::<V>(cx, a), normal::<V>(cx, b));
    if p.is(Tag::Error) {
        return p;
    }
    if q.is(Tag::Error) {
        return q;
    }
    if p.is_bad() || q.is_bad() {
        return wide::beside::<V>(cx, a, b);
    }
    let (Some(p), Some(q)) = (Grid::<V>::load(cx, p), Grid::<V>::load(cx, q)) else {
        return Val::EMPTY_TUPLE;
    };
    let height = p.height.min(q.height);
    if p.width + q.width > 32 {
        return wide::beside::<V>(cx, a, b);
    }
    let rows = V::below(height);
    let planes = p.planes.zip(q.planes, |x, y| (x | y.shl(p.width)) & rows);
    Grid::make(cx, planes, height, p.width + q.width)
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
        return rows_of_both::<V>(cx, a, b);
    };
    if p.width != q.width || p.height + q.height > 32 {
        return rows_of_both::<V>(cx, a, b);
    }
    let planes = p.planes.zip(q.planes, |x, y| x | y.rows(p.height as i32));
    Grid::make(cx, planes, p.height + q.height, p.width)
}

/// Rows that are no grid together: of different lengths, or too many.
#[inline(never)]
fn rows_of_both<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    let (m, n) = (len(a).unwrap_or(0), len(b).unwrap_or(0));
    let Some(mut list) = List::new(cx, m + n) else { return Val::BACK };
    let mut k = 0;
    while k < m + n {
        let row = if k < m { item::<V>(cx, a, k) } else { item::<V>(cx, b, k - m) };
        list.push(cx, row);
        k += 1;
    }
    list.tuple(cx)
}

/// The cells where two grids agree, a fallback colour elsewhere.
#[inline(always)]
pub fn cellwise<V: Lanes>(cx: Cx, a: Val, b: Val, fallback: Val) -> Val {
    let (Some(p), Some(q)) =
        (Grid::<V>::load(cx, normal::<V>(cx, a)), Grid::<V>::load(cx, normal::<V>(cx, b)))
    else {
        held!(sized::<V>(cx, a, Val::error(Fault::Index)));
        held!(sized::<V>(cx, b, Val::error(Fault::Index)));
        return wide::cellwise::<V>(cx, a, b, fallback);
    };
    if q.height < p.height || q.width < p.width {
        return Val::error(Fault::Index);
    }
    let differ = p.planes.differ(q.planes) & p.cells();
    if !differ.any() {
        return a;
    }
    let color = held!(color(fallback));
    Grid::make(cx, p.planes.painted(differ, Planes::splat(color)), p.height, p.width)
}

/// The cells of a grid that a value is the colour of.
#[inline(always)]
pub(crate) fn of_value<V: Lanes>(g: &Grid<V>, value: Val) -> V {
    if value.is(Tag::Int) { g.planes.eq(value.x(), g.cells()) } else { V::splat(0) }
}

/// A grid with one colour replaced by another.
#[inline(always)]
pub fn replace<V: Lanes>(cx: Cx, grid: Val, replacee: Val, replacer: Val) -> Val {
    let any = || wide::changed::<V>(cx, grid, &[(replacee, replacer)]);
    let g = match self::grid::<V>(cx, grid, Val::EMPTY_TUPLE) {
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
    let any = || wide::changed::<V>(cx, grid, &[(a, b), (b, a)]);
    let g = match self::grid::<V>(cx, grid, Val::EMPTY_TUPLE) {
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
    let g = held!(sized::<V>(cx, grid, Val::error(Fault::Index)));
    let (i, j) = held!(pair(cx, loc));
    if (0..g.height as i32).contains(&i) && (0..g.width as i32).contains(&j) {
        g.at::<V>(cx, i as u32, j as u32)
    } else {
        Val::NULL
    }
}

/// A grid of one colour.
#[inline(always)]
pub fn canvas<V: Lanes>(cx: Cx, value: Val, dimensions: Val) -> Val {
    let (h, w) = held!(pair(cx, dimensions));
    let (h, w) = (h.max(0) as u32, w.max(0) as u32);
    if u64::from(h) * u64::from(w.max(1)) > u64::from(MAX_ELEMENTS) {
        return Val::error(Fault::Size);
    }
    if h == 0 {
        return Val::EMPTY_TUPLE;
    }
    if w == 0 {
        return empty_rows(cx, h);
    }
    let (Ok(color), ..=32, ..=32) = (color(value), h, w) else {
        return wide::canvas::<V>(cx, value, h, w);
    };
    let cells = V::below(h) & V::splat(low_bits(w));
    Grid::make(cx, Planes::splat(color).map(|p: V| p & cells), h, w)
}
