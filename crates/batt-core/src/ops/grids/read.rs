//! How arguments are read: grids, pairs, patches.

use super::cells;
use crate::arena::Cx;
use crate::gather::rows;
use crate::grid::Grid;
use crate::lanes::Lanes;
use crate::patch::Patch;
use crate::seq::{item, len};
use crate::val::{Fault, Tag, Val};

/// What was read, or the value to give back at once.
macro_rules! held {
    ($read:expr) => {
        match $read {
            Ok(x) => x,
            Err(v) => return v,
        }
    };
}
pub(crate) use held;

/// A grid in its own form. What is no tuple is an error; the empty tuple stays what it is, and what
/// cannot be held as planes is handed back.
#[inline(always)]
pub(crate) fn normal<V: Lanes>(cx: Cx, v: Val) -> Val {
    match v.tag() {
        Tag::Grid => v,
        Tag::Tuple if v.x() == 0 => v,
        Tag::Tuple => assembled::<V::Out>(cx, v),
        Tag::Wide => Val::BACK,
        // Rows are tuples, and pairs and cells begin with an int.
        _ => Val::error(Fault::Type),
    }
}

/// A grid and the unit of its planes; `empty` is what the empty tuple leads to.
#[inline(always)]
pub(crate) fn grid<V: Lanes>(cx: Cx, v: Val, empty: Val) -> Result<(Grid<V>, u32), Val> {
    let v = normal::<V>(cx, v);
    match Grid::load(cx, v) {
        Some(grid) => Ok((grid, v.a())),
        None if v.is_bad() => Err(v),
        None => Err(empty),
    }
}

/// A grid that must have a first row.
#[inline(always)]
pub(crate) fn full_grid<V: Lanes>(cx: Cx, v: Val) -> Result<(Grid<V>, u32), Val> {
    grid(cx, v, Val::error(Fault::Index))
}

/// The planes of a grid that came as a tuple of rows.
#[inline(never)]
pub(super) fn assembled<V: Lanes>(cx: Cx, v: Val) -> Val {
    let height = v.x();
    let width = len(cx.val(v.a(), 0)).unwrap_or(0);
    if height > 32 || width > 32 || width == 0 {
        return Val::BACK;
    }
    match rows::planes::<V>(cx, v, width) {
        Ok(planes) => Grid::make(cx, planes, height, width),
        Err(_) => Val::BACK,
    }
}

/// A pair of ints.
#[inline(always)]
pub(crate) fn pair(cx: Cx, v: Val) -> Result<(i32, i32), Val> {
    if let Some(pair) = v.as_pair() {
        return Ok(pair);
    }
    if v.is(Tag::Tuple)
        && v.x() == 2
        && let (Some(i), Some(j)) = (cx.val(v.a(), 0).as_int(), cx.val(v.a(), 1).as_int())
    {
        return Ok((i, j));
    }
    Err(Val::error(Fault::Type))
}

/// An int.
#[inline(always)]
pub(crate) fn int(v: Val) -> Result<i32, Val> {
    v.as_int().ok_or(Val::error(Fault::Type))
}

/// A colour that planes can hold.
#[inline(always)]
pub(crate) fn color(v: Val) -> Result<u32, Val> {
    if v.is(Tag::Int) && v.x() < 16 { Ok(v.x()) } else { Err(Val::BACK) }
}

/// The locations of a patch within the grid's window; what lies outside is lost.
#[inline(always)]
pub(crate) fn locations<V: Lanes>(cx: Cx, patch: Val) -> Result<V, Val> {
    match Patch::<V>::load(cx, patch) {
        Some(p) => Ok(p.seen_from((0, 0))),
        None => listed_locations::<V::Out>(cx, patch).map(V::from_out),
    }
}

#[inline(never)]
fn listed_locations<V: Lanes>(cx: Cx, patch: Val) -> Result<V, Val> {
    if matches!(patch.tag(), Tag::Tuple | Tag::Set)
        && let Some(m) = cells::covered(cx, patch)
    {
        return Ok(m);
    }
    let mut strokes = Strokes::of(patch, (0, 0))?;
    let mut m = V::splat(0);
    while let Some(stroke) = strokes.next::<V>(cx) {
        let stroke = stroke?;
        m = m | V::put(stroke.row, stroke.bits);
    }
    Ok(m)
}

/// Neighbouring items of a list that lie in one row and have one colour.
#[derive(Clone, Copy)]
pub(crate) struct Stroke {
    /// The colour of the cells.
    pub color: u32,
    /// The row, within the grid's window.
    pub row: u32,
    /// The columns.
    pub bits: u32,
}

/// Walks a patch that is kept as a list, stroke by stroke, within the grid's window.
pub(crate) struct Strokes {
    v: Val,
    len: u32,
    at: u32,
    offset: (i32, i32),
    kind: Option<Tag>,
}

impl Strokes {
    /// The strokes of a patch that is no mask or object, moved by an offset.
    pub fn of(patch: Val, offset: (i32, i32)) -> Result<Strokes, Val> {
        let len = match patch.tag() {
            Tag::Tuple | Tag::Set => patch.x(),
            Tag::Colors if patch.x() == 0 => 0,
            // A grid of two columns is a tuple of locations.
            Tag::Grid if patch.dims().1 == 2 => patch.dims().0,
            Tag::Grid | Tag::Wide => return Err(Val::BACK),
            _ => return Err(Val::error(Fault::Type)),
        };
        Ok(Strokes { v: patch, len, at: 0, offset, kind: None })
    }

    /// The next stroke; what cannot be held is handed back.
    #[inline(always)]
    pub fn next<V: Lanes>(&mut self, cx: Cx) -> Option<Result<Stroke, Val>> {
        let mut stroke: Option<Stroke> = None;
        while self.at < self.len {
            let e = item::<V>(cx, self.v, self.at);
            let kind = *self.kind.get_or_insert(e.tag());
            if !matches!(kind, Tag::Pair | Tag::Cell) || !e.is(kind) {
                return Some(Err(Val::BACK));
            }
            let (i, j) = (e.b() as i32, e.x() as i32);
            let (Some(i), Some(j)) = (i.checked_add(self.offset.0), j.checked_add(self.offset.1))
            else {
                return Some(Err(Val::BACK));
            };
            if (0..32).contains(&i) && (0..32).contains(&j) {
                let (row, bits) = (i as u32, 1 << j);
                match &mut stroke {
                    None => stroke = Some(Stroke { color: e.a(), row, bits }),
                    Some(s) if s.row == row && s.color == e.a() => s.bits |= bits,
                    Some(_) => break,
                }
            }
            self.at += 1;
        }
        stroke.map(Ok)
    }

    /// Whether the items seen so far are cells, as far as any were seen.
    pub fn are_cells(&self) -> bool {
        self.kind.is_none_or(|kind| kind == Tag::Cell)
    }
}
