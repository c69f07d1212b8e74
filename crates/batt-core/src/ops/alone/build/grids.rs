//! Grids made of grids and patches.

use super::rows::{
    Four, NONE, Planes, Seen, both, by_row, cells, each, grid, of_color, painted, planes,
};
use crate::arena::{Cx, ROWS};
use crate::lanes::low_bits;
use crate::ops::alone::Touched;
use crate::ops::alone::colors::most;
use crate::ops::grids::slice;
use crate::patch;
use crate::val::{Tag, Val};

/// A colour that planes hold.
#[inline(always)]
pub fn is_color(v: Val) -> bool {
    v.is(Tag::Int) & (v.x() < 16)
}

/// A grid with what is made of its rows and the cells in them; itself where none of them changes.
#[inline(always)]
fn changed(cx: Cx, unit: u32, g: Val, change: impl Fn(u32, Planes, Four) -> (Four, Planes)) -> Val {
    let (dims, mut any) = (g.dims(), 0);
    let made = grid(cx, unit, dims, |k| {
        let ([a, b, c, d], rows) = change(k, planes(cx, g.a(), k), cells(k, dims));
        any |= a | b | c | d;
        rows
    });
    if any == 0 { g } else { made }
}

/// A grid with one colour at the locations of a patch; where `under` says, on background cells only.
#[inline(always)]
pub fn fill(cx: Cx, unit: u32, g: Val, color: u32, patch: Val, under: bool) -> Option<Val> {
    let (seen, below) = (Seen::on_grid(patch), if under { most(cx, g)? } else { 0 });
    Some(changed(cx, unit, g, |k, rows, cells| {
        let mut bits = both(seen.four(cx, k), cells, |x, cells| x & cells);
        if under {
            bits = of_color(rows, below, bits);
        }
        (bits, painted(rows, bits, color))
    }))
}

/// A grid with the background colour at the locations of a patch.
#[inline(always)]
pub fn cover(cx: Cx, unit: u32, g: Val, patch: Val) -> Option<Val> {
    fill(cx, unit, g, most(cx, g)?, patch, false)
}

/// A grid with an object drawn over it; where `under` says, on background cells only.
#[inline(always)]
pub fn paint(cx: Cx, unit: u32, g: Val, object: Val, under: bool) -> Option<Val> {
    let (seen, below) = (Seen::on_grid(object), if under { most(cx, g)? } else { 0 });
    let one = patch::mono(object);
    Some(changed(cx, unit, g, |k, rows, cells| {
        let mut bits = both(seen.four(cx, k), cells, |x, cells| x & cells);
        if under {
            bits = of_color(rows, below, bits);
        }
        let drawn = match one {
            Some(color) => painted(rows, bits, color),
            None => each(rows, |plane, rows| {
                let colors = seen.with(object.b() + plane * ROWS).four(cx, k);
                let colors = both(colors, bits, |x, bits| x & bits);
                both(both(rows, bits, |x, bits| x & !bits), colors, |x, y| x | y)
            }),
        };
        (bits, drawn)
    }))
}

/// A grid with one colour replaced by another.
#[inline(always)]
pub fn replace(cx: Cx, unit: u32, g: Val, from: u32, to: u32) -> Val {
    changed(cx, unit, g, |_, rows, cells| {
        let bits = if from > 15 { NONE } else { of_color(rows, from, cells) };
        (bits, painted(rows, bits, to))
    })
}

/// A grid with two colours exchanged.
#[inline(always)]
pub fn switch(cx: Cx, unit: u32, g: Val, a: u32, b: u32) -> Val {
    changed(cx, unit, g, |_, rows, cells| {
        let (of_a, of_b) = (of_color(rows, a, cells), of_color(rows, b, cells));
        (both(of_a, of_b, |x, y| x | y), painted(painted(rows, of_a, b), of_b, a))
    })
}

/// Whether a grid has the size of the other, at least.
#[inline(always)]
pub fn covers(a: Val, b: Val) -> bool {
    let ((h, w), (height, width)) = (a.dims(), b.dims());
    h <= height && w <= width
}

/// The cells where two grids agree, another colour elsewhere.
#[inline(always)]
pub fn cellwise(cx: Cx, unit: u32, a: Val, b: Val, other: u32) -> Val {
    changed(cx, unit, a, |k, rows, cells| {
        let [p, q, r, s] = planes(cx, b.a(), k);
        let [x, y, z, t] = rows;
        let unlike = |x: Four, y: Four| both(x, y, |x, y| x ^ y);
        let any = |x: Four, y: Four| both(x, y, |x, y| x | y);
        let differ = any(any(unlike(x, p), unlike(y, q)), any(unlike(z, r), unlike(t, s)));
        let bits = both(differ, cells, |x, cells| x & cells);
        (bits, painted(rows, bits, other))
    })
}

/// The height and the width of a canvas that planes hold.
#[inline(always)]
pub fn canvas_dims(dims: Val) -> Option<(u32, u32)> {
    let (h, w) = dims.as_pair()?;
    ((1..=32).contains(&h) && (1..=32).contains(&w)).then_some((h as u32, w as u32))
}

/// A grid of one colour.
#[inline(always)]
pub fn canvas(cx: Cx, unit: u32, color: u32, dims: Val) -> Option<Val> {
    let dims = canvas_dims(dims)?;
    Some(grid(cx, unit, dims, |k| painted([NONE; 4], cells(k, dims), color)))
}

/// Whether two grids side by side, or one above the other, are a grid that planes hold.
#[inline(always)]
pub fn fits_joined(a: Val, b: Val, beside: bool) -> bool {
    let ((h, w), (height, width)) = (a.dims(), b.dims());
    let joined = if beside { w + width <= 32 } else { w == width && h + height <= 32 };
    a.is(Tag::Grid) & b.is(Tag::Grid) & joined
}

/// Two grids side by side, or one above the other.
#[inline(always)]
pub fn joined(cx: Cx, unit: u32, a: Val, b: Val, beside: bool) -> Val {
    let ((h, w), (height, width)) = (a.dims(), b.dims());
    let (dims, at) = if beside {
        ((h.min(height), w + width), (0, w as i32))
    } else {
        ((h + height, w), (h as i32, 0))
    };
    // A height of 32 would move the second one out of the window, but then the first is not below 32.
    let seen = Seen::from(b.a(), at, (0, 0));
    grid(cx, unit, dims, |k| {
        let all = cells(k, dims);
        each(planes(cx, a.a(), k), |plane, rows| {
            let others = seen.with(b.a() + plane * ROWS).four(cx, k);
            both(both(rows, others, |x, y| x | y), all, |x, cells| x & cells)
        })
    })
}

/// A grid upside down, or left to right, or both.
#[inline(always)]
pub fn mirrored(cx: Cx, unit: u32, g: Val, rows: bool, columns: bool) -> Val {
    let (height, width) = g.dims();
    grid(cx, unit, (height, width), |k| {
        [0, 1, 2, 3].map(|plane| {
            by_row(k, |row| {
                let from = if rows { height.wrapping_sub(row + 1) } else { row };
                // Past the last row there is nothing.
                let bits = if row < height { cx.word(g.a() + plane * ROWS, from & 31) } else { 0 };
                if columns { bits.reverse_bits() >> ((32 - width) & 31) } else { bits }
            })
        })
    })
}

/// A part of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Part {
    Crop,
    Subgrid,
    Trim,
    Top,
    Bottom,
    Left,
    Right,
}

impl Part {
    /// The grid, and first and number of the rows and of the columns.
    #[inline(always)]
    fn of(self, cx: Cx, [a, b, c]: [Val; 3]) -> Option<(Val, [(u32, u32); 2])> {
        let g = if self == Part::Subgrid { b } else { a };
        let (height, width) = g.dims();
        let (all, half) = (|n: u32| (0, n), |n: u32| (0, n / 2));
        let rest = |n: u32| (n.div_ceil(2), n / 2);
        let wide = |n: i32| i64::from(n);
        let (rows, columns) = match self {
            Part::Crop => {
                let ((i, j), (h, w)) = (b.as_pair()?, c.as_pair()?);
                let rows = slice(height, wide(i), wide(i) + wide(h));
                (rows, slice(width, wide(j), wide(j) + wide(w)))
            }
            Part::Subgrid => {
                let b = Touched::of(cx, a)?.bounds();
                let rows = slice(height, wide(b.top), wide(b.bottom) + 1);
                (rows, slice(width, wide(b.left), wide(b.right) + 1))
            }
            Part::Trim => (slice(height, 1, -1), slice(width, 1, -1)),
            Part::Top => (half(height), all(width)),
            Part::Bottom => (rest(height), all(width)),
            Part::Left => (all(height), half(width)),
            Part::Right => (all(height), rest(width)),
        };
        Some((g, [rows, columns]))
    }

    /// The part, where there is any.
    #[inline(always)]
    pub fn call(self, cx: Cx, unit: u32, args: [Val; 3]) -> Option<Val> {
        let (g, [rows, columns]) = self.of(cx, args)?;
        if rows.1 == 0 || columns.1 == 0 {
            return None;
        }
        let dims = (rows.1, columns.1);
        let columns_kept = low_bits(columns.1);
        Some(grid(cx, unit, dims, |k| {
            [0, 1, 2, 3].map(|plane| {
                by_row(k, |row| {
                    let at = (rows.0 + row) & 31;
                    let bits = if row < dims.0 { cx.word(g.a() + plane * ROWS, at) } else { 0 };
                    bits >> (columns.0 & 31) & columns_kept
                })
            })
        }))
    }
}
