//! A grid in either of its forms, planes or bytes, and what bytes are made of.

use super::read::assembled;
use crate::arena::Cx;
use crate::grid::Grid;
use crate::lanes::Lanes;
use crate::val::{Fault, MAX_ELEMENTS, Tag, Val};
use crate::wide::{Wide, byte, color};

/// A grid: every row has the same length, at least one, and holds small ints only.
pub(crate) enum Board<V> {
    Planes(Grid<V>),
    Bytes(Wide),
}

impl<V: Lanes> Board<V> {
    /// Rows and columns.
    #[inline(always)]
    pub fn dims(&self) -> (u32, u32) {
        match self {
            Board::Planes(g) => (g.height, g.width),
            Board::Bytes(g) => (g.height, g.width),
        }
    }

    /// The colour of a cell.
    #[inline(always)]
    pub fn at(&self, cx: Cx, i: u32, j: u32) -> Val {
        match self {
            Board::Planes(g) => Val::int(g.planes.at(i, j) as i32),
            Board::Bytes(g) => color(g.at(cx, i, j)),
        }
    }

    /// The grid as bytes.
    #[inline(always)]
    pub fn bytes(&self, cx: Cx) -> Option<Wide> {
        match self {
            Board::Planes(g) => Wide::of_planes(cx, &g.to_out()),
            Board::Bytes(g) => Some(*g),
        }
    }
}

/// The grid that a value is; `empty` is what the empty tuple leads to. A tuple that is none is
/// handed back: its rows may be of any length and hold anything.
#[inline(always)]
pub(crate) fn board<V: Lanes>(cx: Cx, v: Val, empty: Val) -> Result<Board<V>, Val> {
    if let Some(grid) = Grid::load(cx, v) {
        return Ok(Board::Planes(grid));
    }
    board_of_rows(cx, v, empty)
}

#[inline(never)]
fn board_of_rows<V: Lanes>(cx: Cx, v: Val, empty: Val) -> Result<Board<V>, Val> {
    match v.tag() {
        Tag::Tuple if v.x() == 0 => Err(empty),
        Tag::Tuple => match Grid::load(cx, assembled::<V::Out>(cx, v)) {
            Some(grid) => Ok(Board::Planes(grid)),
            None => Wide::of::<V::Out>(cx, v).map(Board::Bytes).ok_or(Val::BACK),
        },
        Tag::Wide => Wide::load(v).map(Board::Bytes).ok_or(Val::BACK),
        Tag::Pair | Tag::Cell => Err(Val::BACK),
        _ => Err(Val::error(Fault::Type)),
    }
}

/// A grid of a size, each cell taken from somewhere in another.
#[inline(never)]
pub(super) fn taken<V: Lanes>(
    cx: Cx,
    g: &Wide,
    (height, width): (u32, u32),
    from: impl Fn(u32, u32) -> (u32, u32),
) -> Val {
    Wide::make::<V>(cx, height, width, |i, j| {
        let (i, j) = from(i, j);
        g.at(cx, i, j)
    })
}

/// A part of a grid: first and number of rows and columns, which lie in it.
#[inline(never)]
pub(super) fn part<V: Lanes>(cx: Cx, g: &Wide, rows: (u32, u32), columns: (u32, u32)) -> Val {
    let to = match Wide::new(cx, rows.1, columns.1) {
        Ok(to) => to,
        Err(bad) => return bad,
    };
    let mut i = 0;
    while i < rows.1 {
        to.copy(cx, (i, 0), g, (rows.0 + i, columns.0), columns.1);
        i += 1;
    }
    to.to_val::<V::Out>(cx)
}

/// Every row and every column a number of times.
#[inline(never)]
pub(super) fn larger<V: Lanes>(cx: Cx, g: &Wide, down: u32, across: u32) -> Val {
    let (h, w) = (u64::from(g.height) * u64::from(down), u64::from(g.width) * u64::from(across));
    let most = u64::from(MAX_ELEMENTS);
    if h > most || w > most {
        return Val::error(Fault::Size);
    }
    let to = match Wide::new(cx, h as u32, w as u32) {
        Ok(to) => to,
        Err(bad) => return bad,
    };
    if V::APART {
        let from = |i: u32, j: u32| (i / down.max(1), j / across.max(1));
        return taken::<V::Out>(cx, g, (to.height, to.width), from);
    }
    let mut i = 0;
    while i < g.height {
        let (first, mut at, mut j) = (i * down, 0, 0);
        while j < g.width {
            let cell = g.at(cx, i, j);
            let end = at + across;
            while at < end {
                to.put(cx, first, at, cell);
                at += 1;
            }
            j += 1;
        }
        let mut k = 1;
        while k < down {
            to.copy(cx, (first + k, 0), &to, (first, 0), to.width);
            k += 1;
        }
        i += 1;
    }
    to.to_val::<V::Out>(cx)
}

/// Two grids side by side, as high as the lower one; `None` where bytes cannot hold one.
#[inline(never)]
pub(super) fn beside<V: Lanes>(cx: Cx, a: Val, b: Val) -> Option<Val> {
    let (p, q) = (Wide::of::<V::Out>(cx, a)?, Wide::of::<V::Out>(cx, b)?);
    let to = match Wide::new(cx, p.height.min(q.height), p.width + q.width) {
        Ok(to) => to,
        Err(bad) => return Some(bad),
    };
    let mut i = 0;
    while i < to.height {
        to.copy(cx, (i, 0), &p, (i, 0), p.width);
        to.copy(cx, (i, p.width), &q, (i, 0), q.width);
        i += 1;
    }
    Some(to.to_val::<V::Out>(cx))
}

/// The cells where two grids agree, a fallback colour elsewhere; `None` where bytes cannot hold
/// one of them.
#[inline(never)]
pub(super) fn cellwise<V: Lanes>(cx: Cx, a: Val, b: Val, fallback: Val) -> Option<Val> {
    let (p, q, fallback) =
        (Wide::of::<V::Out>(cx, a)?, Wide::of::<V::Out>(cx, b)?, byte(fallback)?);
    if q.height < p.height || q.width < p.width {
        return Some(Val::error(Fault::Index));
    }
    Some(Wide::make::<V>(cx, p.height, p.width, |i, j| {
        let (x, y) = (p.at(cx, i, j), q.at(cx, i, j));
        if x == y { x } else { fallback }
    }))
}

/// A grid with some colours changed to others; `None` where bytes cannot hold one of them.
#[inline(never)]
pub(super) fn changed<V: Lanes>(cx: Cx, v: Val, changes: &[(Val, Val)]) -> Option<Val> {
    let g = Wide::of::<V::Out>(cx, v)?;
    let (mut to, mut c) = ([0u8; 256], 0);
    while c < 256 {
        to[c] = c as u8;
        c += 1;
    }
    // The first change of a colour counts.
    for (old, new) in changes.iter().rev() {
        if let Some(old) = byte(*old) {
            to[old as usize] = byte(*new)?;
        }
    }
    Some(Wide::make::<V>(cx, g.height, g.width, |i, j| to[g.at(cx, i, j) as usize]))
}
