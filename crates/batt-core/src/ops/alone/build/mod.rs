//! What some primitives make where all they are given are bits: on a GPU one thread does that for a row of
//! its own, four rows of a patch or a grid at a time, and a whole warp does only the rest. A warp that
//! makes a patch runs some hundred instructions for it; a thread runs no more, and the others of its warp
//! make theirs with the same.

mod bits;
mod grids;
pub(super) mod rows;
mod shapes;
mod turn;

use crate::arena::Cx;
use crate::val::{Tag, Val};
use grids::{Part, is_color};

/// A primitive that this is known for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Build {
    Initset,
    /// The locations around one; see [`shapes::around`].
    Around {
        above: u32,
        level: u32,
    },
    Frontier {
        column: bool,
    },
    Connect,
    Outline {
        out: i64,
    },
    Backdrop {
        free: bool,
    },
    /// `intersection` and `difference`.
    Shared {
        keep: bool,
    },
    Combine,
    Ofcolor,
    Toobject,
    Asindices,
    Asobject,
    Fill {
        under: bool,
    },
    Cover,
    Paint {
        under: bool,
    },
    Replace,
    Switch,
    Cellwise,
    Canvas,
    /// `hconcat` and `vconcat`.
    Joined {
        beside: bool,
    },
    Mirrored {
        rows: bool,
        columns: bool,
    },
    /// Rows and columns exchanged; see [`turn::turned`].
    Turned {
        first: bool,
        last: bool,
    },
    Part(Part),
}

impl Build {
    /// The primitive of a name; `None` if this is not known for it.
    pub const fn of(name: &str) -> Option<Build> {
        Some(match name.as_bytes() {
            b"initset" => Build::Initset,
            b"dneighbors" => Build::Around { above: 0b010, level: 0b101 },
            b"ineighbors" => Build::Around { above: 0b101, level: 0 },
            b"neighbors" => Build::Around { above: 0b111, level: 0b101 },
            b"vfrontier" => Build::Frontier { column: true },
            b"hfrontier" => Build::Frontier { column: false },
            b"connect" => Build::Connect,
            b"inbox" => Build::Outline { out: -1 },
            b"outbox" => Build::Outline { out: 1 },
            b"box" => Build::Outline { out: 0 },
            b"backdrop" => Build::Backdrop { free: false },
            b"delta" => Build::Backdrop { free: true },
            b"intersection" => Build::Shared { keep: true },
            b"difference" => Build::Shared { keep: false },
            b"combine" => Build::Combine,
            b"ofcolor" => Build::Ofcolor,
            b"toobject" => Build::Toobject,
            b"asindices" => Build::Asindices,
            b"asobject" => Build::Asobject,
            b"fill" => Build::Fill { under: false },
            b"underfill" => Build::Fill { under: true },
            b"cover" => Build::Cover,
            b"paint" => Build::Paint { under: false },
            b"underpaint" => Build::Paint { under: true },
            b"replace" => Build::Replace,
            b"switch" => Build::Switch,
            b"cellwise" => Build::Cellwise,
            b"canvas" => Build::Canvas,
            b"hconcat" => Build::Joined { beside: true },
            b"vconcat" => Build::Joined { beside: false },
            b"hmirror" => Build::Mirrored { rows: true, columns: false },
            b"vmirror" => Build::Mirrored { rows: false, columns: true },
            b"rot180" => Build::Mirrored { rows: true, columns: true },
            b"dmirror" => Build::Turned { first: false, last: false },
            b"rot90" => Build::Turned { first: false, last: true },
            b"rot270" => Build::Turned { first: true, last: false },
            b"cmirror" => Build::Turned { first: true, last: true },
            b"crop" => Build::Part(Part::Crop),
            b"subgrid" => Build::Part(Part::Subgrid),
            b"trim" => Build::Part(Part::Trim),
            b"tophalf" => Build::Part(Part::Top),
            b"bottomhalf" => Build::Part(Part::Bottom),
            b"lefthalf" => Build::Part(Part::Left),
            b"righthalf" => Build::Part(Part::Right),
            _ => return None,
        })
    }

    /// How many times 32 rows it takes room for.
    pub const fn planes(self) -> u32 {
        match self {
            Build::Initset
            | Build::Around { .. }
            | Build::Frontier { .. }
            | Build::Connect
            | Build::Outline { .. }
            | Build::Backdrop { .. }
            | Build::Shared { .. }
            | Build::Combine
            | Build::Ofcolor
            | Build::Toobject
            | Build::Asindices
            | Build::Asobject => 1,
            _ => 4,
        }
    }

    /// What it gives where nothing need be made; `None` where something does.
    #[inline(always)]
    pub fn plain(self, args: &[Val]) -> Option<Val> {
        let [a, b, c] = three(args);
        let is_empty = |v: Val| v.is_empty_set() || v == Val::EMPTY_TUPLE;
        let (given, out) = match self {
            Build::Fill { .. } => (a.is(Tag::Grid) & c.is_empty_set(), a),
            Build::Cover => (a.is(Tag::Grid) & b.is_empty_set(), a),
            Build::Paint { .. } => (a.is(Tag::Grid) & is_empty(b), a),
            Build::Toobject => (b.is(Tag::Grid) & a.is_empty_set(), a),
            Build::Combine if b.is_empty_set() => (a.is_set(), a),
            Build::Combine => (a.is_empty_set() & b.is_set(), b),
            Build::Shared { keep } => return bits::shared_plain(a, b, keep),
            _ => return None,
        };
        if given { Some(out) } else { None }
    }

    /// Whether one thread can make it of such arguments, as far as these tell.
    #[inline(always)]
    pub fn fits(self, args: &[Val]) -> bool {
        let [a, b, c] = three(args);
        let (grid, patch) = (|v: Val| v.is(Tag::Grid), bits::is_patch);
        match self {
            Build::Initset => shapes::fits_one(a),
            Build::Around { .. } => shapes::fits_around(a),
            Build::Frontier { column } => shapes::fits_frontier(a, column),
            Build::Connect => shapes::fits_line(a, b),
            Build::Outline { .. } | Build::Backdrop { .. } => patch(a),
            Build::Shared { .. } => bits::fits_shared(a, b),
            Build::Combine => bits::fits_union(a, b),
            Build::Ofcolor => grid(a) & is_color(b),
            Build::Toobject | Build::Part(Part::Subgrid) => patch(a) & grid(b),
            Build::Asindices | Build::Asobject | Build::Mirrored { .. } | Build::Turned { .. } => {
                grid(a)
            }
            Build::Fill { .. } => grid(a) & is_color(b) & patch(c),
            Build::Cover => grid(a) & patch(b),
            Build::Paint { .. } => grid(a) & b.is(Tag::Object),
            Build::Replace => grid(a) & b.is(Tag::Int) & is_color(c),
            Build::Switch => grid(a) & is_color(b) & is_color(c),
            Build::Cellwise => grid(a) & grid(b) & is_color(c) && grids::covers(a, b),
            Build::Canvas => is_color(a) && grids::canvas_dims(b).is_some(),
            Build::Joined { beside } => grids::fits_joined(a, b, beside),
            Build::Part(Part::Crop) => grid(a) & b.is(Tag::Pair) & c.is(Tag::Pair),
            Build::Part(_) => grid(a),
        }
    }

    /// What it makes of arguments that fit, with room for its rows at a unit; `None` where that takes more.
    #[inline(always)]
    pub fn call(self, cx: Cx, unit: u32, args: &[Val]) -> Option<Val> {
        let [a, b, c] = three(args);
        Some(match self {
            Build::Initset => shapes::one(cx, unit, a)?,
            Build::Around { above, level } => shapes::around(cx, unit, a, above, level)?,
            Build::Frontier { column } => shapes::frontier(cx, unit, a, column)?,
            Build::Connect => shapes::line(cx, unit, a, b)?,
            Build::Outline { out } => shapes::outline(cx, unit, a, out)?,
            Build::Backdrop { free } => shapes::backdrop(cx, unit, a, free)?,
            Build::Shared { keep } => bits::shared(cx, unit, a, b, keep),
            Build::Combine => bits::union(cx, unit, a, b),
            Build::Ofcolor => bits::ofcolor(cx, unit, a, b.x()),
            Build::Toobject => bits::toobject(cx, unit, a, b),
            Build::Asindices => bits::asindices(cx, unit, a),
            Build::Asobject => bits::asobject(cx, unit, a),
            Build::Fill { under } => grids::fill(cx, unit, a, b.x(), c, under)?,
            Build::Cover => grids::cover(cx, unit, a, b)?,
            Build::Paint { under } => grids::paint(cx, unit, a, b, under)?,
            Build::Replace => grids::replace(cx, unit, a, b.x(), c.x()),
            Build::Switch => grids::switch(cx, unit, a, b.x(), c.x()),
            Build::Cellwise => grids::cellwise(cx, unit, a, b, c.x()),
            Build::Canvas => grids::canvas(cx, unit, a.x(), b)?,
            Build::Joined { beside } => grids::joined(cx, unit, a, b, beside),
            Build::Mirrored { rows, columns } => grids::mirrored(cx, unit, a, rows, columns),
            Build::Turned { first, last } => turn::turned(cx, unit, a, first, last),
            Build::Part(part) => part.call(cx, unit, [a, b, c])?,
        })
    }
}

/// The first three of some arguments.
#[inline(always)]
fn three(args: &[Val]) -> [Val; 3] {
    [0, 1, 2].map(|k| args.get(k).copied().unwrap_or(Val::BACK))
}
