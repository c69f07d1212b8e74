//! Grids that planes cannot hold, past 32 on a side or with other colours: tuples of rows of ints,
//! worked on cell by cell.

use super::cut::empty_rows;
use super::read::{held, normal};
use crate::arena::Cx;
use crate::gather;
use crate::grid::Grid;
use crate::lanes::Lanes;
use crate::order::equal;
use crate::seq::{Items, List, item, len};
use crate::val::{Fault, MAX_ELEMENTS, Tag, Val};

/// A grid in any form. Every row has the same length, at least one, and holds ints only.
#[derive(Clone, Copy)]
pub(crate) struct Wide {
    v: Val,
    /// Rows.
    pub height: u32,
    /// Columns.
    pub width: u32,
}

impl Wide {
    /// The grid that a value is; what is ragged or holds anything else is handed back.
    #[inline(never)]
    pub fn of(cx: Cx, v: Val) -> Result<Wide, Val> {
        if v.is(Tag::Grid) {
            return Ok(Wide { v, height: v.dims().0, width: v.dims().1 });
        }
        if !v.is(Tag::Tuple) || v.x() == 0 {
            return Err(Val::BACK);
        }
        let width = len(cx.val(v.a(), 0)).unwrap_or(0);
        let mut i = 0;
        while i < v.x() {
            let row = cx.val(v.a(), i);
            let fits = matches!(row.tag(), Tag::Tuple | Tag::Pair) && len(row) == Some(width);
            if width == 0 || !fits {
                return Err(Val::BACK);
            }
            let mut j = 0;
            while j < width && row.is(Tag::Tuple) {
                if !cx.val(row.a(), j).is(Tag::Int) {
                    return Err(Val::BACK);
                }
                j += 1;
            }
            i += 1;
        }
        Ok(Wide { v, height: v.x(), width })
    }

    /// The planes, where it has them.
    #[inline(always)]
    pub fn planes<V: Lanes>(&self, cx: Cx) -> Option<Grid<V>> {
        Grid::load(cx, self.v)
    }

    /// The row and the column of the k-th cell, row by row.
    #[inline(always)]
    pub fn place(&self, k: u32) -> (u32, u32) {
        // It has a column; a GPU cannot stop where it had none.
        let width = self.width.max(1);
        (k / width, k % width)
    }

    /// The colour of a cell.
    #[inline(always)]
    pub fn at<V: Lanes>(&self, cx: Cx, i: u32, j: u32) -> Val {
        match Grid::<V>::load(cx, self.v) {
            Some(grid) => Val::int(grid.planes.at(i, j) as i32),
            None => item::<V>(cx, cx.val(self.v.a(), i), j),
        }
    }
}

/// A grid in any form; `empty` is what the empty tuple leads to.
#[inline(always)]
pub(crate) fn sized<V: Lanes>(cx: Cx, v: Val, empty: Val) -> Result<Wide, Val> {
    let n = normal::<V>(cx, v);
    match n.tag() {
        Tag::Grid => Ok(Wide { v: n, height: n.dims().0, width: n.dims().1 }),
        Tag::Back => Wide::of(cx, v),
        Tag::Error => Err(n),
        _ => Err(empty),
    }
}

/// A grid of a size whose cells are given one by one.
#[inline(always)]
fn make<V: Lanes>(cx: Cx, height: u32, width: u32, cell: impl Fn(u32, u32) -> Val) -> Val {
    if height == 0 {
        return Val::EMPTY_TUPLE;
    }
    if u64::from(height) * u64::from(width.max(1)) > u64::from(MAX_ELEMENTS) {
        return Val::error(Fault::Size);
    }
    if width == 0 {
        return empty_rows(cx, height);
    }
    let Some(mut rows) = List::new(cx, height) else { return Val::BACK };
    let mut i = 0;
    while i < height {
        let Some(mut row) = List::new(cx, width) else { return Val::BACK };
        let mut j = 0;
        while j < width {
            row.push(cx, cell(i, j));
            j += 1;
        }
        rows.push(cx, row.tuple(cx));
        i += 1;
    }
    gather::tidy_tuple::<V>(cx, rows.tuple(cx), true)
}

/// A grid of a size, each cell taken from somewhere in another.
#[inline(never)]
pub(super) fn taken<V: Lanes>(
    cx: Cx,
    g: &Wide,
    (height, width): (u32, u32),
    from: impl Fn(u32, u32) -> (u32, u32),
) -> Val {
    make::<V>(cx, height, width, |i, j| {
        let (i, j) = from(i, j);
        g.at::<V>(cx, i, j)
    })
}

/// How many rows a tuple has, all of which are tuples themselves, of any length.
#[inline(always)]
fn rows(cx: Cx, v: Val) -> Result<u32, Val> {
    let mut k = 0;
    match v.tag() {
        Tag::Grid => return Ok(v.dims().0),
        Tag::Tuple => {}
        _ => return Err(Val::error(Fault::Type)),
    }
    while k < v.x() {
        if !cx.val(v.a(), k).is_tuple() {
            return Err(Val::error(Fault::Type));
        }
        k += 1;
    }
    Ok(k)
}

/// A tuple of `n` items; the first bad one decides.
#[inline(always)]
fn tuple_of(cx: Cx, n: u32, item: impl Fn(u32) -> Val) -> Val {
    if n == 0 {
        return Val::EMPTY_TUPLE;
    }
    if n > MAX_ELEMENTS {
        return Val::error(Fault::Size);
    }
    let Some(mut list) = List::new(cx, n) else { return Val::BACK };
    let mut k = 0;
    while k < n {
        list.push(cx, item(k));
        k += 1;
    }
    list.tuple(cx)
}

/// Rows of any length with some of their items changed to others: the first of a pair to the second.
#[inline(never)]
pub(super) fn changed<V: Lanes>(cx: Cx, v: Val, changes: &[(Val, Val)]) -> Val {
    let height = held!(rows(cx, v));
    let change = |old: Val| {
        for (from, to) in changes {
            match equal::<V>(cx, old, *from) {
                Some(true) => return *to,
                Some(false) => {}
                None => return Val::BACK,
            }
        }
        old
    };
    let all = tuple_of(cx, height, |i| {
        let row = item::<V>(cx, v, i);
        tuple_of(cx, len(row).unwrap_or(0), |j| change(item::<V>(cx, row, j)))
    });
    gather::tidy_tuple::<V>(cx, all, true)
}

/// Rows of any length, each reversed; or the items of a tuple, which need not be rows, in reverse
/// order.
#[inline(never)]
pub(super) fn reversed<V: Lanes>(cx: Cx, v: Val, each: bool) -> Val {
    let height = if each { held!(rows(cx, v)) } else { len(v).unwrap_or(0) };
    tuple_of(cx, height, |i| {
        if !each {
            return item::<V>(cx, v, height - 1 - i);
        }
        let row = item::<V>(cx, v, i);
        let width = len(row).unwrap_or(0);
        tuple_of(cx, width, |j| item::<V>(cx, row, width - 1 - j))
    })
}

/// A grid of one colour.
#[inline(never)]
pub(super) fn canvas<V: Lanes>(cx: Cx, value: Val, height: u32, width: u32) -> Val {
    if value.is(Tag::Int) { make::<V>(cx, height, width, |_, _| value) } else { Val::BACK }
}

/// Rows of any length, each with one of others behind it.
#[inline(never)]
pub(super) fn beside<V: Lanes>(cx: Cx, a: Val, b: Val) -> Val {
    let height = held!(rows(cx, a)).min(held!(rows(cx, b)));
    let all = tuple_of(cx, height, |i| {
        let (p, q) = (item::<V>(cx, a, i), item::<V>(cx, b, i));
        let (m, n) = (len(p).unwrap_or(0), len(q).unwrap_or(0));
        tuple_of(cx, m + n, |j| if j < m { item::<V>(cx, p, j) } else { item::<V>(cx, q, j - m) })
    });
    gather::tidy_tuple::<V>(cx, all, true)
}

/// The cells where two grids agree, a fallback colour elsewhere.
#[inline(never)]
pub(super) fn cellwise<V: Lanes>(cx: Cx, a: Val, b: Val, fallback: Val) -> Val {
    let (p, q) = (held!(Wide::of(cx, a)), held!(Wide::of(cx, b)));
    if !fallback.is(Tag::Int) {
        return Val::BACK;
    }
    if q.height < p.height || q.width < p.width {
        return Val::error(Fault::Index);
    }
    make::<V>(cx, p.height, p.width, |i, j| {
        let (x, y) = (p.at::<V>(cx, i, j), q.at::<V>(cx, i, j));
        if x == y { x } else { fallback }
    })
}

/// The place of a location or a cell within a grid.
#[inline(always)]
fn inside(g: &Wide, at: Val) -> Option<(u32, u32)> {
    let (i, j) = (at.b(), at.x());
    (i < g.height && j < g.width).then_some((i, j))
}

/// A grid with a patch drawn over it: in a colour, or in its own colours where none is given; with a
/// background given, on such cells only.
#[inline(never)]
pub(super) fn drawn<V: Lanes>(
    cx: Cx,
    grid: Val,
    patch: Val,
    color: Option<Val>,
    background: Option<Val>,
) -> Val {
    let g = held!(Wide::of(cx, grid));
    let fits = color.is_none_or(|c| c.is(Tag::Int)) && patch.is_set();
    let (Some(mut items), true) = (Items::<V>::of(cx, patch), fits) else { return Val::BACK };
    let Some(cells) = cx.take_vals(g.height * g.width) else { return Val::BACK };
    let mut k = 0;
    while k < g.height * g.width {
        let (i, j) = g.place(k);
        cx.put(cells, k, g.at::<V>(cx, i, j));
        k += 1;
    }
    while let Some(v) = items.next(cx) {
        let painted = v.is(Tag::Cell) || (v.is(Tag::Pair) && color.is_some());
        if !painted {
            return Val::BACK;
        }
        let Some((i, j)) = inside(&g, v) else { continue };
        let at = i * g.width + j;
        if background.is_none_or(|b| b == cx.val(cells, at)) {
            cx.put(cells, at, color.unwrap_or(Val::int(v.a() as i32)));
        }
    }
    make::<V>(cx, g.height, g.width, |i, j| cx.val(cells, i * g.width + j))
}

/// The locations that have a colour; all where none is given.
#[inline(never)]
pub(in crate::ops) fn locations<V: Lanes>(cx: Cx, grid: Val, color: Option<Val>) -> Val {
    let g = held!(read(cx, grid));
    let n = g.height * g.width;
    let Some(mut list) = List::new(cx, n) else { return Val::BACK };
    let mut k = 0;
    while k < n {
        let (i, j) = g.place(k);
        if color.is_none_or(|c| c == g.at::<V>(cx, i, j)) {
            list.push(cx, Val::pair(i as i32, j as i32));
        }
        k += 1;
    }
    list.tidy::<V>(cx)
}

/// All cells as one object, or those of a patch.
#[inline(never)]
pub(in crate::ops) fn object<V: Lanes>(cx: Cx, grid: Val, patch: Option<Val>) -> Val {
    let g = held!(read(cx, grid));
    let n = g.height * g.width;
    let cell = |i, j| Val::cell(g.at::<V>(cx, i, j).x() as i32, i as i32, j as i32);
    let Some(patch) = patch else {
        return gather::set::<V>(cx, n, |k| {
            let (i, j) = g.place(k);
            cell(i, j)
        });
    };
    let (Some(mut items), true) = (Items::<V>::of(cx, patch), patch.is_set()) else {
        return Val::BACK;
    };
    let Some(mut list) = List::new(cx, items.len()) else { return Val::BACK };
    while let Some(v) = items.next(cx) {
        if !matches!(v.tag(), Tag::Pair | Tag::Cell) {
            return Val::BACK;
        }
        if let Some((i, j)) = inside(&g, v) {
            list.push(cx, cell(i, j));
        }
    }
    gather::set::<V>(cx, list.len(), |k| list.get(cx, k))
}

/// A grid in any form, also one whose rows are empty: it gives nothing.
#[inline(always)]
fn read(cx: Cx, v: Val) -> Result<Wide, Val> {
    if v.is(Tag::Tuple) && v.x() > 0 && v.b() == v.x() {
        let mut k = 0;
        while k < v.x() && cx.val(v.a(), k) == Val::EMPTY_TUPLE {
            k += 1;
        }
        if k == v.x() {
            return Err(Val::EMPTY_SET);
        }
    }
    Wide::of(cx, v)
}
