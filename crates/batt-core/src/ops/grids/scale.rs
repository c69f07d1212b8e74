//! Larger and smaller copies.

use super::board::{Board, board, larger, taken};
use super::cut::{empty_rows, keep_columns, keep_rows, settle, settled};
use super::read::{held, int};
use super::rows;
use crate::arena::Cx;
use crate::gather::{flat, set};
use crate::grid::{Grid, Planes, mapped};
use crate::lanes::{Lanes, low_bits};
use crate::mask::{self, Bounds};
use crate::patch::{self, Patch};
use crate::seq::{List, patch_bounds};
use crate::val::{Fault, MAX_ELEMENTS, Tag, Val};

/// Every column `n` times; all together they are at most 32.
#[inline(always)]
fn stretch_columns<V: Lanes>(m: V, columns: Columns, n: u32) -> V {
    if n == 1 {
        return m;
    }
    // Column j goes to j * n: from the highest bit of j on, those that have it move together.
    let (m, far) = (m & V::splat(columns.all), n - 1);
    let m = moved_apart(m, columns.eighth, far << 3);
    let m = moved_apart(m, columns.fourth, far << 2);
    let m = moved_apart(m, columns.second, far << 1);
    moved_apart(m, columns.first, far).mul(low_bits(n))
}

/// Some bits of every row moved to higher columns.
#[inline(always)]
fn moved_apart<V: Lanes>(m: V, moving: u32, by: u32) -> V {
    let moving = V::splat(moving);
    (m & !moving) | (m & moving).shl(by)
}

/// The columns that move together when each becomes several; of an object, planes hold anything beyond all of
/// them.
#[derive(Clone, Copy)]
struct Columns {
    all: u32,
    first: u32,
    second: u32,
    fourth: u32,
    eighth: u32,
}

impl Columns {
    /// `w` columns that become `n` each, 32 at most.
    #[inline(always)]
    fn new(w: u32, n: u32) -> Columns {
        let with = |k| if n > 1 { columns_with(k, w, n) } else { 0 };
        let all = low_bits(w);
        Columns { all, first: with(0), second: with(1), fourth: with(2), eighth: with(3) }
    }
}

/// The columns whose number has bit `k`, where those that have higher ones have moved.
#[inline(always)]
fn columns_with(k: u32, w: u32, n: u32) -> u32 {
    let (mut bits, mut j) = (0, 0);
    while j < w {
        let moved = (j >> (k + 1) << (k + 1)) * (n - 1);
        bits |= (j >> k & 1) << ((j + moved) & 31);
        j += 1;
    }
    bits
}

/// A factor; nothing is left of anything below one, and what grows past a window is handed back.
#[inline(always)]
fn times(factor: Val) -> Result<u32, Val> {
    int(factor).map(|n| n.max(0) as u32)
}

/// Whether so many rows or columns, so many times, are in a window.
#[inline(always)]
fn fits(length: u32, n: u32) -> bool {
    n <= 32 && length * n <= 32
}

/// Every column a number of times.
#[inline(always)]
pub fn hupscale<V: Lanes>(cx: Cx, grid: Val, factor: Val) -> Val {
    let n = held!(times(factor));
    let g = match board::<V>(cx, grid, Val::EMPTY_TUPLE) {
        Ok(g) if n == 0 => return empty_rows(cx, g.dims().0),
        Ok(Board::Planes(g)) if fits(g.width, n) => g,
        Ok(g) => return g.bytes(cx).map_or(Val::BACK, |g| larger::<V>(cx, &g, 1, n)),
        Err(v) if v.is(Tag::Back) => return rows::wider::<V::Out>(cx, grid, n),
        Err(v) => return v,
    };
    let columns = Columns::new(g.width, n);
    let planes = mapped!(g.planes, |p: V| stretch_columns(p, columns, n));
    Grid::make(cx, planes, g.height, g.width * n)
}

/// Every row a number of times.
#[inline(always)]
pub fn vupscale<V: Lanes>(cx: Cx, grid: Val, factor: Val) -> Val {
    let n = held!(times(factor));
    let g = match board::<V>(cx, grid, Val::EMPTY_TUPLE) {
        Ok(_) if n == 0 => return Val::EMPTY_TUPLE,
        Ok(Board::Planes(g)) if fits(g.height, n) => g,
        Ok(g) => return g.bytes(cx).map_or(Val::BACK, |g| larger::<V>(cx, &g, n, 1)),
        Err(v) if v.is(Tag::Back) => return rows::higher::<V::Out>(cx, grid, n),
        Err(v) => return v,
    };
    Grid::make(cx, mapped!(g.planes, |p: V| p.stretch(n)), g.height * n, g.width)
}

/// Every cell as a square of a number of cells a side.
#[inline(always)]
pub fn upscale<V: Lanes>(cx: Cx, element: Val, factor: Val) -> Val {
    if !element.is_tuple() {
        return upscale_object::<V>(cx, element, factor);
    }
    let n = held!(times(factor));
    if n == 0 {
        return Val::EMPTY_TUPLE;
    }
    let g = match board::<V>(cx, element, Val::EMPTY_TUPLE) {
        Ok(Board::Planes(g)) if fits(g.height.max(g.width), n) => g,
        Ok(g) => return g.bytes(cx).map_or(Val::BACK, |g| larger::<V>(cx, &g, n, n)),
        Err(v) if v.is(Tag::Back) => {
            let wider = rows::wider::<V::Out>(cx, element, n);
            return if wider.is_bad() { wider } else { rows::higher::<V::Out>(cx, wider, n) };
        }
        Err(v) => return v,
    };
    let columns = Columns::new(g.width, n);
    let planes = mapped!(g.planes, |p: V| stretch_columns(p.stretch(n), columns, n));
    Grid::make(cx, planes, g.height * n, g.width * n)
}

#[inline(always)]
fn upscale_object<V: Lanes>(cx: Cx, obj: Val, factor: Val) -> Val {
    if obj.is_empty_set() {
        return obj;
    }
    match obj.tag() {
        Tag::Object => {}
        Tag::Set => return upscale_list::<V::Out>(cx, obj, factor),
        _ => return Val::error(Fault::Type),
    }
    let n = held!(times(factor));
    if n == 0 {
        return Val::EMPTY_SET;
    }
    let Some(p) = Patch::<V>::load(cx, obj) else { return Val::BACK };
    let Some(b) = mask::bounds(p.mask) else { return Val::BACK };
    let (h, w) = (b.height() as u32, b.width() as u32);
    if !fits(h, n) || !fits(w, n) {
        return upscale_wide::<V::Out>(cx, obj, (b.top, b.left), n);
    }
    let at = b.moved(p.origin.0, p.origin.1);
    let there =
        Bounds { bottom: at.top + (h * n) as i32 - 1, right: at.left + (w * n) as i32 - 1, ..at };
    let Some((origin, by)) = settle(there) else { return Val::BACK };
    let columns = Columns::new(w, n);
    let m = grown(p.mask, b, columns, n, by);
    if let Some(color) = patch::mono(obj) {
        return patch::make_mono(cx, m, color, origin);
    }
    let colors = mapped!(patch::planes::<V>(cx, obj), |x: V| grown(x, b, columns, n, by));
    patch::make(cx, m, colors, origin)
}

/// Bits of which a box is made larger and moved to its own window.
#[inline(always)]
fn grown<V: Lanes>(m: V, b: Bounds, columns: Columns, n: u32, by: (i32, i32)) -> V {
    let m = mask::place(m, -b.top, -b.left);
    settled(stretch_columns(m.stretch(n), columns, n), by)
}

/// A larger copy of an object that no window holds: colour by colour and row by row, which is the
/// order of its cells. Its upper left corner within its window stays where it is.
#[inline(never)]
fn upscale_wide<V: Lanes>(cx: Cx, obj: Val, (top, left): (i32, i32), n: u32) -> Val {
    let count = u64::from(obj.extra()) * u64::from(n.min(1 << 16)) * u64::from(n.min(1 << 16));
    if count > u64::from(MAX_ELEMENTS) {
        return Val::error(Fault::Size);
    }
    if V::APART {
        return upscale_list::<V::Out>(cx, obj, Val::int(n as i32));
    }
    let (Some(p), Some(mut list)) = (Patch::<V>::load(cx, obj), List::new(cx, count as u32)) else {
        return Val::BACK;
    };
    let (oi, oj) = (p.origin.0 + top, p.origin.1 + left);
    let colors = patch::planes::<V>(cx, obj);
    let mut palette = colors.palette(p.mask);
    while palette != 0 {
        let color = palette.trailing_zeros();
        palette &= palette - 1;
        let m = colors.eq(color, p.mask);
        let mut rows = m.ballot();
        while rows != 0 {
            let row = rows.trailing_zeros();
            rows &= rows - 1;
            let mut k = 0;
            while k < n {
                let i = oi + (row as i32 - top) * n as i32 + k as i32;
                let mut bits = m.get(row);
                while bits != 0 {
                    let j = oj + (bits.trailing_zeros() as i32 - left) * n as i32;
                    bits &= bits - 1;
                    let mut next = 0;
                    while next < n as i32 {
                        list.push(cx, Val::cell(color as i32, i, j + next));
                        next += 1;
                    }
                }
                k += 1;
            }
        }
    }
    list.array()
}

/// A larger copy of an object cell by cell, where no window holds it.
#[inline(never)]
fn upscale_list<V: Lanes>(cx: Cx, obj: Val, factor: Val) -> Val {
    let n = i64::from(held!(times(factor)));
    let (Some(b), Ok((cells, len))) = (patch_bounds::<V>(cx, obj), flat::<V>(cx, obj)) else {
        return Val::BACK;
    };
    // Too many to be a value; what overflows or is no cell is left to the reference.
    let count = i64::from(len) * n.min(1 << 16) * n.min(1 << 16);
    if count > i64::from(MAX_ELEMENTS) {
        return Val::BACK;
    }
    let (top, left) = (i64::from(b.top), i64::from(b.left));
    let corner = |k: u32| {
        let cell = cx.val(cells, k);
        let i = top + (i64::from(cell.b() as i32) - top) * n;
        let j = left + (i64::from(cell.x() as i32) - left) * n;
        (cell, i, j)
    };
    let strange = |k: u32| {
        let (cell, i, j) = corner(k);
        !cell.is(Tag::Cell) || Val::narrow_pair(i + n, j + n).is_bad()
    };
    if V::find(len, strange).is_some() {
        return Val::BACK;
    }
    set::<V>(cx, count as u32, |k| {
        // Said here so that it is known that nothing is divided by zero.
        let side = (n as u32).max(1);
        let (above, across) = (k / side, k % side);
        let (cell, i, j) = corner(above / side);
        let down = above % side;
        Val::cell(cell.a() as i32, i as i32 + down as i32, j as i32 + across as i32)
    })
}

/// Every so many rows and columns of a grid, the first included.
#[inline(always)]
pub fn downscale<V: Lanes>(cx: Cx, grid: Val, factor: Val) -> Val {
    let n = held!(int(factor));
    if n == 0 {
        return Val::error(Fault::ZeroDivision);
    }
    let step = n.unsigned_abs().max(1);
    let g = match board::<V>(cx, grid, Val::error(Fault::Index)) {
        Ok(Board::Planes(g)) => g,
        Ok(Board::Bytes(g)) => {
            let size = (g.height.div_ceil(step), g.width.div_ceil(step));
            return taken::<V::Out>(cx, &g, size, |i, j| (i * step, j * step));
        }
        Err(v) if v.is(Tag::Back) => return rows::every::<V::Out>(cx, grid, step),
        Err(v) => return v,
    };
    let kept = every(step);
    let (rows, columns) = (kept & low_bits(g.height), kept & low_bits(g.width));
    let planes: Planes<V> = keep_columns(keep_rows(g.planes, rows), columns);
    Grid::make(cx, planes, rows.count_ones(), columns.count_ones())
}

/// A bit at every `step` places, from the first on.
#[inline(always)]
fn every(step: u32) -> u32 {
    let (mut bits, mut at) = (0, 0);
    while at < 32 {
        bits |= 1 << at;
        at += step.clamp(1, 32);
    }
    bits
}
