//! Cutting grids.

use super::board::{self, Board, board};
use super::read::{held, int, pair};
use super::rows;
use crate::arena::{Cx, ROWS};
use crate::grid::{Grid, Planes, made_each, mapped, zipped};
use crate::lanes::{Lanes, low_bits};
use crate::mask::{self, Bounds};
use crate::ops::patches::{bounds, extent};
use crate::seq::List;
use crate::val::{Fault, MAX_ELEMENTS, Tag, Val};
use crate::wide::Wide;

/// The places from `start` to before `stop` of `len`, as Python slices: first and number.
#[inline(always)]
pub(in crate::ops) fn slice(len: u32, start: i64, stop: i64) -> (u32, u32) {
    let len = i64::from(len);
    let place = |n: i64| if n < 0 { (n + len).max(0) } else { n.min(len) };
    let (start, stop) = (place(start), place(stop));
    (start as u32, (stop - start).max(0) as u32)
}

/// So many rows without cells.
#[inline(always)]
pub(super) fn empty_rows(cx: Cx, n: u32) -> Val {
    let Some(mut list) = List::new(cx, n) else { return Val::BACK };
    let mut i = 0;
    while i < n {
        list.push(cx, Val::EMPTY_TUPLE);
        i += 1;
    }
    list.tuple(cx)
}

/// The part of a grid given by first and number of rows and columns.
#[inline(always)]
fn part<V: Lanes>(cx: Cx, g: &Board<V>, rows: (u32, u32), columns: (u32, u32)) -> Val {
    if rows.1 == 0 {
        return Val::EMPTY_TUPLE;
    }
    if columns.1 == 0 {
        return empty_rows(cx, rows.1);
    }
    let g = match g {
        Board::Planes(g) => g,
        Board::Bytes(g) => return board::part::<V::Out>(cx, g, rows, columns),
    };
    let window = V::below(rows.1) & V::splat(low_bits(columns.1));
    let planes = mapped!(g.planes, |p: V| p.rows(-(rows.0 as i32)).shr(columns.0) & window);
    Grid::make(cx, planes, rows.1, columns.1)
}

/// As [`part`], of a grid in its own form: its planes are read from the first row of the part on.
#[inline(always)]
fn part_of_planes<V: Lanes>(cx: Cx, grid: Val, rows: (u32, u32), columns: (u32, u32)) -> Val {
    if rows.1 == 0 {
        return Val::EMPTY_TUPLE;
    }
    if columns.1 == 0 {
        return empty_rows(cx, rows.1);
    }
    let window = V::below(rows.1) & V::splat(low_bits(columns.1));
    made_each!(cx, rows.1, columns.1, |k| {
        cx.load_from::<V>(grid.a() + k * ROWS, rows.0).shr(columns.0) & window
    })
}

/// A part of a grid: which places of the rows and which of the columns, given how many there are.
#[inline(always)]
fn cut<V: Lanes>(
    cx: Cx,
    grid: Val,
    rows: impl Fn(u32) -> (u32, u32),
    columns: impl Fn(u32) -> (u32, u32),
) -> Val {
    if !V::APART && grid.is(Tag::Grid) {
        let (h, w) = grid.dims();
        return part_of_planes::<V>(cx, grid, rows(h), columns(w));
    }
    match board::<V>(cx, grid, Val::EMPTY_TUPLE) {
        Ok(g) => {
            let (h, w) = g.dims();
            part(cx, &g, rows(h), columns(w))
        }
        Err(v) if v.is(Tag::Back) => rows::cut::<V::Out>(cx, grid, rows, columns),
        Err(v) => v,
    }
}

/// The part of a grid from a start, of a size.
#[inline(always)]
fn cut_at<V: Lanes>(cx: Cx, grid: Val, (i, j): (i64, i64), (h, w): (i64, i64)) -> Val {
    cut::<V>(cx, grid, |n| slice(n, i, i + h), |n| slice(n, j, j + w))
}

#[inline(always)]
fn wide((i, j): (i32, i32)) -> (i64, i64) {
    (i64::from(i), i64::from(j))
}

/// A part of a grid, from a start and with dimensions that may reach past the end.
#[inline(always)]
pub fn crop<V: Lanes>(cx: Cx, grid: Val, start: Val, dims: Val) -> Val {
    let (start, dims) = (held!(pair(cx, start)), held!(pair(cx, dims)));
    cut_at::<V>(cx, grid, wide(start), wide(dims))
}

/// The part of a grid that a patch's bounding box covers.
#[inline(always)]
pub fn subgrid<V: Lanes>(cx: Cx, patch: Val, grid: Val) -> Val {
    let Some(b) = held!(bounds::<V>(cx, patch)) else { return Val::error(Fault::Index) };
    // The size of a tuple is not that of its bounding box.
    let (h, w) =
        if patch.is_tuple() { held!(extent::<V>(cx, patch)) } else { (b.height(), b.width()) };
    if h > i64::from(i32::MAX) || w > i64::from(i32::MAX) {
        return Val::error(Fault::Overflow);
    }
    cut_at::<V>(cx, grid, wide((b.top, b.left)), (h, w))
}

/// A grid without its outermost rows and columns.
#[inline(always)]
pub fn trim<V: Lanes>(cx: Cx, grid: Val) -> Val {
    cut::<V>(cx, grid, |n| slice(n, 1, -1), |n| slice(n, 1, -1))
}

/// The rows of a half; they need not be rows.
#[inline(always)]
fn half<V: Lanes>(cx: Cx, grid: Val, rows: impl Fn(u32) -> (u32, u32)) -> Val {
    if !V::APART && grid.is(Tag::Grid) {
        let (h, w) = grid.dims();
        return part_of_planes::<V>(cx, grid, rows(h), (0, w));
    }
    match board::<V>(cx, grid, Val::EMPTY_TUPLE) {
        Ok(g) => part(cx, &g, rows(g.dims().0), (0, g.dims().1)),
        Err(v) if v.is(Tag::Back) => rows::slice::<V::Out>(cx, grid, rows),
        Err(v) => v,
    }
}

/// The upper half.
#[inline(always)]
pub fn tophalf<V: Lanes>(cx: Cx, grid: Val) -> Val {
    half::<V>(cx, grid, |n| (0, n / 2))
}

/// The lower half.
#[inline(always)]
pub fn bottomhalf<V: Lanes>(cx: Cx, grid: Val) -> Val {
    half::<V>(cx, grid, |n| (n.div_ceil(2), n / 2))
}

/// The left half.
#[inline(always)]
pub fn lefthalf<V: Lanes>(cx: Cx, grid: Val) -> Val {
    side::<V>(cx, grid, |n| (0, n / 2))
}

/// The right half.
#[inline(always)]
pub fn righthalf<V: Lanes>(cx: Cx, grid: Val) -> Val {
    side::<V>(cx, grid, |n| (n.div_ceil(2), n / 2))
}

/// Half of the columns; of a single column nothing is left, not even its rows.
#[inline(always)]
fn side<V: Lanes>(cx: Cx, grid: Val, columns: impl Fn(u32) -> (u32, u32)) -> Val {
    if !V::APART && grid.is(Tag::Grid) {
        let (h, w) = grid.dims();
        return part_of_planes::<V>(cx, grid, (0, if w == 1 { 0 } else { h }), columns(w));
    }
    match board::<V>(cx, grid, Val::EMPTY_TUPLE) {
        Ok(g) => {
            let (h, w) = g.dims();
            part(cx, &g, (0, if w == 1 { 0 } else { h }), columns(w))
        }
        Err(v) if v.is(Tag::Back) => side_of_rows::<V::Out>(cx, grid, columns),
        Err(v) => v,
    }
}

/// A half of the columns that every row has, as the rows of the grid on its side.
#[inline(never)]
fn side_of_rows<V: Lanes>(cx: Cx, grid: Val, columns: impl Fn(u32) -> (u32, u32)) -> Val {
    let aside = rows::transposed::<V::Out>(cx, grid);
    let half = if aside.is_bad() { aside } else { rows::slice::<V::Out>(cx, aside, columns) };
    if half.is_bad() { half } else { rows::transposed::<V::Out>(cx, half) }
}

/// The size of one of `n` parts of a length, and how far apart the parts start: a length that does
/// not divide leaves one place between neighbours. `n` is not zero.
#[inline(always)]
fn parts(length: u32, n: i32) -> (i64, i64) {
    let (length, n) = (i64::from(length), i64::from(n.max(1)));
    let size = length / n;
    (size, size + i64::from(length % n != 0))
}

/// A grid cut into a number of parts side by side.
#[inline(always)]
pub fn hsplit<V: Lanes>(cx: Cx, grid: Val, n: Val) -> Val {
    split::<V>(cx, grid, n, true)
}

/// A grid cut into a number of parts one above the other.
#[inline(always)]
pub fn vsplit<V: Lanes>(cx: Cx, grid: Val, n: Val) -> Val {
    split::<V>(cx, grid, n, false)
}

#[inline(always)]
fn split<V: Lanes>(cx: Cx, grid: Val, n: Val, beside: bool) -> Val {
    let (h, w) = held!(rows::dims(cx, grid));
    let n = held!(int(n));
    if n == 0 {
        return Val::error(Fault::ZeroDivision);
    }
    let (length, h, w) = (if beside { w } else { h }, i64::from(h), i64::from(w));
    let room = if beside { h * i64::from(n) } else { i64::from(n) };
    if room > i64::from(MAX_ELEMENTS) {
        return Val::error(Fault::Size);
    }
    let n = n.max(0);
    let (size, step) = parts(length, n);
    let Some(mut list) = List::new(cx, n as u32) else { return Val::BACK };
    let mut k = 0;
    while k < i64::from(n) {
        let part = if beside {
            cut_at::<V>(cx, grid, (0, k * step), (h, size))
        } else {
            cut_at::<V>(cx, grid, (k * step, 0), (size, w))
        };
        list.push(cx, part);
        k += 1;
    }
    list.tuple(cx)
}

/// The rows and columns that are of one colour throughout, as bits.
#[inline(always)]
pub(crate) fn uniform<V: Lanes>(g: &Grid<V>) -> (u32, u32) {
    let cells = g.cells();
    let [a, b, c, d] = g.planes.0;
    let rows =
        mixed_rows(a, cells) | mixed_rows(b, cells) | mixed_rows(c, cells) | mixed_rows(d, cells);
    let columns = mixed_columns(a, cells)
        | mixed_columns(b, cells)
        | mixed_columns(c, cells)
        | mixed_columns(d, cells);
    (low_bits(g.height) & !rows, low_bits(g.width) & !columns)
}

/// The rows of some cells that hold both bits.
#[inline(always)]
fn mixed_rows<V: Lanes>(plane: V, cells: V) -> u32 {
    plane.ballot() & (plane ^ cells).ballot()
}

/// The columns of some cells that hold both bits.
#[inline(always)]
fn mixed_columns<V: Lanes>(plane: V, cells: V) -> u32 {
    plane.or_all() & (cells & !plane).or_all()
}

/// The rows of some bits, moved together.
#[inline(always)]
pub(super) fn keep_rows<V: Lanes>(planes: Planes<V>, kept: u32) -> Planes<V> {
    let (mut out, mut left, mut to) = (Planes([V::splat(0); 4]), kept, 0);
    while left != 0 {
        let from = left.trailing_zeros();
        let run = (!(left >> from)).trailing_zeros();
        let lanes = V::below(to + run) & !V::below(to);
        out = zipped!(out, planes, |o: V, p| o | (p.rows(to as i32 - from as i32) & lanes));
        to += run;
        left &= !(low_bits(run) << from);
    }
    out
}

/// The columns of some bits, moved together.
#[inline(always)]
pub(super) fn keep_columns<V: Lanes>(planes: Planes<V>, kept: u32) -> Planes<V> {
    let (mut out, mut left, mut to) = (Planes([V::splat(0); 4]), kept, 0);
    while left != 0 {
        let from = left.trailing_zeros();
        let run = (!(left >> from)).trailing_zeros();
        let bits = V::splat(low_bits(run) << to);
        // Columns only ever move to lower places.
        out = zipped!(out, planes, |o: V, p| o | (p.shr(from - to) & bits));
        to += run;
        left &= !(low_bits(run) << from);
    }
    out
}

/// A grid without its rows and columns of one colour.
#[inline(always)]
pub fn compress<V: Lanes>(cx: Cx, grid: Val) -> Val {
    let g = match board::<V>(cx, grid, Val::EMPTY_TUPLE) {
        Ok(Board::Planes(g)) => g,
        Ok(Board::Bytes(g)) => return compress_bytes::<V::Out>(cx, &g),
        Err(v) if v.is(Tag::Back) => return rows::compressed::<V::Out>(cx, grid),
        Err(v) => return v,
    };
    let (rows, columns) = uniform(&g);
    let (rows, columns) = (low_bits(g.height) & !rows, low_bits(g.width) & !columns);
    if rows == 0 {
        return Val::EMPTY_TUPLE;
    }
    if columns == 0 {
        return empty_rows(cx, rows.count_ones());
    }
    let planes = keep_columns(keep_rows(g.planes, rows), columns);
    Grid::make(cx, planes, rows.count_ones(), columns.count_ones())
}

/// As [`compress`], where planes cannot hold the grid.
#[inline(never)]
fn compress_bytes<V: Lanes>(cx: Cx, g: &Wide) -> Val {
    // The places that stay, rows first.
    let Some(kept) = cx.take_vals(g.height + g.width) else { return Val::BACK };
    let (mut rows, mut i) = (0, 0);
    while i < g.height {
        if !g.is_uniform_row(cx, i) {
            cx.put(kept, rows, Val::int(i as i32));
            rows += 1;
        }
        i += 1;
    }
    let (mut columns, mut j) = (0, 0);
    while j < g.width {
        if !g.is_uniform_column(cx, j) {
            cx.put(kept, g.height + columns, Val::int(j as i32));
            columns += 1;
        }
        j += 1;
    }
    if rows == 0 || columns == 0 {
        return if rows == 0 { Val::EMPTY_TUPLE } else { empty_rows(cx, rows) };
    }
    let place = |k: u32| cx.val(kept, k).x();
    board::taken::<V::Out>(cx, g, (rows, columns), |i, j| (place(i), place(g.height + j)))
}

/// A box in absolute coordinates and bits that lie at its own corner: the origin of a window that
/// holds it, and how far the bits move to lie there.
#[inline(always)]
pub(super) fn settle(b: Bounds) -> Option<((i32, i32), (i32, i32))> {
    let (oi, oj) = b.window()?;
    Some(((oi, oj), (b.top - oi, b.left - oj)))
}

/// Bits moved by the second half of [`settle`].
#[inline(always)]
pub(super) fn settled<V: Lanes>(m: V, by: (i32, i32)) -> V {
    mask::place(m, by.0, by.1)
}
