//! Parts of grids that need no search.

use super::connected::smallest;
use super::wide;
use crate::arena::Cx;
use crate::grid::{Grid, Planes};
use crate::lanes::{Lanes, low_bits};
use crate::mask::{self, Bounds};
use crate::ops::grids::read::{full_grid, grid, held, locations};
use crate::ops::grids::{of_value, rows, uniform};
use crate::ops::patches::{filled, locations as listed};
use crate::patch;
use crate::seq::List;
use crate::val::{Fault, Tag, Val};

/// All locations of a grid, which is as wide as its first row.
#[inline(always)]
pub fn asindices<V: Lanes>(cx: Cx, grid: Val) -> Val {
    match self::grid::<V>(cx, grid, Val::EMPTY_SET) {
        Ok((g, _)) => mask::make(cx, g.cells(), (0, 0)),
        Err(v) if v.is(Tag::Back) => {
            let (h, w) = held!(rows::dims(cx, grid));
            if w == 0 {
                return Val::EMPTY_SET;
            }
            filled::<V>(cx, Bounds { top: 0, left: 0, bottom: h as i32 - 1, right: w as i32 - 1 })
        }
        Err(v) => v,
    }
}

/// The locations that have a colour.
#[inline(always)]
pub fn ofcolor<V: Lanes>(cx: Cx, grid: Val, value: Val) -> Val {
    match self::grid::<V>(cx, grid, Val::EMPTY_SET) {
        Ok((g, _)) => mask::make(cx, of_value(&g, value), (0, 0)),
        Err(v) if v.is(Tag::Back) => wide::ofcolor::<V::Out>(cx, grid, value),
        Err(v) => v,
    }
}

/// An object for every colour of some cells.
#[inline(always)]
fn by_color<V: Lanes>(cx: Cx, g: &Grid<V>, cells: V) -> Val {
    let Some(mut list) = List::new(cx, 16) else { return Val::BACK };
    let mut left = cells;
    while left.any() {
        let (color, m) = smallest(g.planes, left);
        list.push(cx, patch::make_mono(cx, m, color, (0, 0)));
        left = left & !m;
    }
    list.tidy::<V>(cx)
}

/// One object for every colour.
#[inline(always)]
pub fn partition<V: Lanes>(cx: Cx, grid: Val) -> Val {
    match self::grid::<V>(cx, grid, Val::EMPTY_SET) {
        Ok((g, _)) => by_color(cx, &g, g.cells()),
        Err(v) if v.is(Tag::Back) => wide::by_color::<V::Out>(cx, grid, false),
        Err(v) => v,
    }
}

/// One object for every colour but the commonest.
#[inline(always)]
pub fn fgpartition<V: Lanes>(cx: Cx, grid: Val) -> Val {
    let g = match self::grid::<V>(cx, grid, Val::error(Fault::Value)) {
        Ok((g, _)) => g,
        Err(v) if v.is(Tag::Back) => return wide::by_color::<V::Out>(cx, grid, true),
        Err(v) => return v,
    };
    let cells = g.cells();
    by_color(cx, &g, cells & !g.planes.eq(g.background(), cells))
}

/// A patch with the colours that a grid has there.
#[inline(always)]
pub fn toobject<V: Lanes>(cx: Cx, patch: Val, grid: Val) -> Val {
    let read = full_grid::<V>(cx, grid).and_then(|read| Ok((read, locations::<V>(cx, patch)?)));
    match read {
        Ok(((g, unit), m)) => patch::make_sharing(cx, m & g.cells(), unit, (0, 0)),
        Err(v) if v.is(Tag::Back) => match listed::<V>(cx, patch) {
            Ok(places) => wide::toobject::<V::Out>(cx, places, grid),
            Err(v) => v,
        },
        Err(v) => v,
    }
}

/// All cells of a grid as one object.
#[inline(always)]
pub fn asobject<V: Lanes>(cx: Cx, grid: Val) -> Val {
    match self::grid::<V>(cx, grid, Val::EMPTY_SET) {
        Ok((g, unit)) => {
            let (cells, color) = (g.cells(), g.planes.at(0, 0));
            // One colour is quicker to work with than planes.
            if (g.planes.differ(Planes::splat(color)) & cells).any() {
                patch::make_sharing(cx, cells, unit, (0, 0))
            } else {
                patch::make_mono(cx, cells, color, (0, 0))
            }
        }
        Err(v) if v.is(Tag::Back) => wide::asobject::<V::Out>(cx, grid),
        Err(v) => v,
    }
}

/// The rows and columns of one colour, as objects.
#[inline(always)]
pub fn frontiers<V: Lanes>(cx: Cx, grid: Val) -> Val {
    let g = match full_grid::<V>(cx, grid) {
        Ok((g, _)) => g,
        Err(v) if v.is(Tag::Back) => return wide::frontiers::<V::Out>(cx, grid),
        Err(v) => return v,
    };
    let (rows, columns) = uniform(&g);
    let count = rows.count_ones() + columns.count_ones();
    let Some(mut list) = List::new(cx, count) else { return Val::BACK };
    let ends = V::below(1) | V::splat(1);
    let (mut color, mut left) = (0, (V::splat(rows) | V::splat(columns)).any());
    while left && color < 16 {
        let edge = g.planes.eq(color, g.cells() & ends);
        let (rows, columns) = ((edge & V::splat(1)).ballot() & rows, edge.get(0) & columns);
        // In the order of their first cells; the first row and the first column share theirs.
        push_rows::<V>(cx, &mut list, &g, rows & 1, color);
        push_columns::<V>(cx, &mut list, &g, columns, color);
        push_rows::<V>(cx, &mut list, &g, rows & !1, color);
        left = list.len() < count;
        color += 1;
    }
    // Where a line is one cell long, it may come before, or be, the other of that cell.
    if g.height == 1 || g.width == 1 { list.set::<V::Out>(cx) } else { list.tidy::<V>(cx) }
}

#[inline(always)]
fn push_rows<V: Lanes>(cx: Cx, list: &mut List, g: &Grid<V>, rows: u32, color: u32) {
    let mut left = rows;
    while left != 0 {
        let line = V::put(left.trailing_zeros(), low_bits(g.width));
        list.push(cx, patch::make_mono(cx, line, color, (0, 0)));
        left &= left - 1;
    }
}

#[inline(always)]
fn push_columns<V: Lanes>(cx: Cx, list: &mut List, g: &Grid<V>, columns: u32, color: u32) {
    let mut left = columns;
    while left != 0 {
        let line = V::below(g.height) & V::splat(left & left.wrapping_neg());
        list.push(cx, patch::make_mono(cx, line, color, (0, 0)));
        left &= left - 1;
    }
}
