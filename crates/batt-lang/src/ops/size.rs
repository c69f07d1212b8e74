//! Sizes: at most how much the values of an expression hold, before anything runs.
//!
//! It is always safe to say more. What an engine would need to count exactly is first looked at with
//! these: where a loop stays within its budget whatever its values are, nothing is counted.

#![allow(clippy::match_same_arms, reason = "primitives stand in groups that belong together")]

use super::Op;
use crate::limits::{MAX_ELEMENTS, MAX_SEARCHED};
use crate::value::Value;

/// More than any value holds.
pub const MANY: u32 = 3 * MAX_ELEMENTS;

/// At most how much a value holds. Every int in it counts one, so a location counts two and a cell three:
/// then moving things about makes nothing larger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// In all, at least 1.
    pub all: u32,
    /// In one of its items, or in itself if that is less.
    pub item: u32,
    /// How many items it has, and one of them, if less is known than in all: a grid's rows and columns.
    pub side: u32,
    /// How far its ints are from zero.
    pub far: u32,
}

impl Size {
    /// Nothing is known.
    pub const ANY: Size = Size::new(MANY, MANY, u32::MAX);
    /// Cells of the largest grid that a task may have, in rows of 30 or less, of ten colours.
    pub const GRID: Size = Size { side: 30, ..Size::new(900, 30, 9) };

    /// A size.
    pub const fn new(all: u32, item: u32, far: u32) -> Size {
        let all = if all > MANY { MANY } else { all };
        Size { all, item: if item > all { all } else { item }, side: all, far }
    }

    /// That of one value.
    pub fn of(value: &Value) -> Size {
        match value {
            Value::Int(n) => Size::new(1, 1, n.unsigned_abs()),
            Value::Null | Value::Bool(_) | Value::Function(_) => Size::new(1, 1, 1),
            Value::Pair(i, j) => Size::new(2, 1, i.unsigned_abs().max(j.unsigned_abs())),
            Value::Cell(c, i, j) => {
                let far = c.unsigned_abs().max(i.unsigned_abs()).max(j.unsigned_abs());
                Size::new(3, 2, far)
            }
            Value::Tuple(items) | Value::Set(items) => {
                let sizes = items.iter().map(Size::of);
                let empty = Size::new(0, 0, 0);
                let all = sizes.fold(empty, |a, b| Size {
                    all: a.all.saturating_add(b.all),
                    item: a.item.max(b.all),
                    side: 0,
                    far: a.far.max(b.far),
                });
                let long = |value: &Value| value.elements_of().map_or(0, |items| items.len());
                let side = items.iter().map(long).fold(items.len().max(1), usize::max) as u32;
                Size { side, ..Size::new(all.all.max(1), all.item.max(1), all.far) }
            }
        }
    }

    /// At most how many elements that are, as [`MAX_ELEMENTS`] counts them.
    pub fn elements(self) -> u32 {
        self.all.min(MAX_ELEMENTS)
    }

    /// That of an item.
    #[must_use]
    pub fn one(self) -> Size {
        Size::new(self.item, self.item, self.far)
    }

    /// That of one value or the other.
    #[must_use]
    pub fn or(self, other: Size) -> Size {
        let (item, far) = (self.item.max(other.item), self.far.max(other.far));
        let side = self.side.max(other.side);
        Size { side, ..Size::new(self.all.max(other.all), item, far) }
    }

    /// That of a container of some such values.
    #[must_use]
    pub fn times(self, many: u32) -> Size {
        Size::new(self.all.saturating_mul(many).max(1), self.all, self.far)
    }

    /// That of the items of both together.
    fn with(self, other: Size) -> Size {
        let all = self.all.saturating_add(other.all).min(MANY);
        let side = self.side.saturating_add(other.side);
        Size { all, side, ..self.or(other) }
    }

    /// So many times as much, in items of at most so much.
    fn scaled(self, factor: u32, item: u32) -> Size {
        Size::new(self.all.saturating_mul(factor), item, self.far)
    }

    /// Values of which nothing is known but that they are in it.
    #[must_use]
    pub fn inside(self) -> Size {
        Size { side: self.all, ..self }
    }
}

/// Locations no further out than this.
fn places(count: u32, far: u32) -> Size {
    Size::new(count.saturating_mul(2), 2, far)
}

/// At most how much a primitive gives, by its arguments and those that are known ints.
pub fn result(op: Op, arg: impl Fn(usize) -> Size, known: impl Fn(usize) -> Option<i32>) -> Size {
    let (a, b, c) = (|| arg(0), || arg(1), || arg(2));
    let small = |far: u32| Size::new(2, 1, far);
    let sum = || a().far.saturating_add(b().far);
    // How often something is done, where an argument says that.
    let times = |at: usize| known(at).map_or(arg(at).far, i32::unsigned_abs).max(1);
    match op {
        Op::Identity
        | Op::Intersection
        | Op::Difference
        | Op::DifferenceTuple
        | Op::Dedupe
        | Op::Merge
        | Op::Totuple
        | Op::Colorfilter
        | Op::Sizefilter
        | Op::Toindices
        | Op::Rot90
        | Op::Rot180
        | Op::Rot270
        | Op::Trim
        | Op::Tophalf
        | Op::Bottomhalf
        | Op::Lefthalf
        | Op::Righthalf
        | Op::Downscale
        | Op::Compress
        | Op::DedupePairTuple
        | Op::Palette
        | Op::PG
        | Op::PO
        | Op::PF => match op {
            Op::Rot90 | Op::Rot270 => Size { item: a().all, ..a() },
            // Two ints share bits.
            Op::Intersection => Size::new(a().all, a().item, a().far.max(b().far)),
            Op::Identity
            | Op::Rot180
            | Op::Trim
            | Op::Tophalf
            | Op::Bottomhalf
            | Op::Lefthalf
            | Op::Righthalf
            | Op::Downscale
            | Op::Compress => a(),
            _ => a().inside(),
        },
        Op::Hmirror | Op::Vmirror | Op::Dmirror | Op::Cmirror | Op::MirRotT | Op::MirRotF => {
            // What is mirrored may be a grid or an object.
            let far = a().far.saturating_mul(4);
            Size { side: a().side.max(3), ..Size::new(a().all, a().all.max(3), far) }
        }
        Op::Add | Op::Subtract => small(sum()),
        Op::Multiply => small(a().far.saturating_mul(b().far)),
        Op::Divide | Op::Invert | Op::Halve | Op::Crement | Op::Increment | Op::Decrement => {
            small(a().far.saturating_add(1))
        }
        Op::Double => small(a().far.saturating_mul(2)),
        Op::Sign => small(1),
        Op::Toivec | Op::Tojvec => Size::new(a().all.saturating_add(1), a().all, a().far),
        Op::Even
        | Op::Flip
        | Op::Equality
        | Op::Contained
        | Op::Greater
        | Op::Positive
        | Op::Portrait
        | Op::Square
        | Op::Vline
        | Op::Hline
        | Op::Hmatching
        | Op::Vmatching
        | Op::Adjacent
        | Op::Bordering
        | Op::IsNoGrid => small(1),
        Op::Size | Op::Numcolors | Op::Colorcount | Op::Holes => small(a().all),
        Op::Height | Op::Width | Op::Shape => {
            small(a().all.max(a().far.saturating_mul(2).saturating_add(1)))
        }
        Op::Hperiod | Op::Vperiod | Op::AMr => small(u32::MAX),
        Op::Uppermost
        | Op::Lowermost
        | Op::Leftmost
        | Op::Rightmost
        | Op::ColRow
        | Op::Corner
        | Op::Ulcorner
        | Op::Urcorner
        | Op::Llcorner
        | Op::Lrcorner
        | Op::Centerofmass => small(a().far.saturating_add(1)),
        Op::Center => small(a().far.saturating_mul(3).saturating_add(2)),
        Op::Manhattan => small(sum().saturating_mul(2)),
        Op::Position => small(1),
        Op::Gravitate => small(100),
        Op::Both | Op::Either => a().or(b()),
        Op::Branch => b().or(c()),
        Op::Combine | Op::Vconcat => a().with(b()),
        Op::Pair | Op::Hconcat => {
            let both = a().with(b());
            Size { item: a().item.saturating_add(b().item).min(both.all), ..both }
        }
        Op::Insert => {
            let both = a().with(b());
            Size { item: a().all.max(b().item), ..both }
        }
        Op::Remove => b(),
        Op::Initset => Size::new(a().all, a().all, a().far),
        Op::Astuple | Op::Ascell => {
            let both = a().with(b());
            Size { item: a().all.max(b().all), ..both }
        }
        Op::Maximum | Op::Minimum => a().one(),
        Op::Mostcommon
        | Op::Leastcommon
        | Op::First
        | Op::Last
        | Op::Other
        | Op::Second
        | Op::GetNthT
        | Op::GetNthF
        | Op::GetRank
        | Op::GetCommonRank
        | Op::Mostcolor
        | Op::Leastcolor
        | Op::GetColorRankT
        | Op::GetColorRankF
        | Op::Color
        | Op::Toij
        | Op::Index => a().one(),
        Op::Interval => Size::new(sum().max(1), 1, sum()),
        Op::Repeat => a().times(times(1)),
        Op::Product => {
            let pair = a().item.saturating_add(b().item);
            let pairs = a().side.saturating_mul(b().side);
            Size::new(pairs.saturating_mul(pair).max(1), pair, a().far.max(b().far))
        }
        // Each cell is in one object.
        Op::Objects
        | Op::OG
        | Op::OGT
        | Op::ObjectsT
        | Op::Partition
        | Op::Fgpartition
        | Op::Panels => {
            Size::new(a().all.saturating_mul(3), a().all.saturating_mul(3), a().side.max(a().far))
        }
        Op::Frontiers => {
            Size::new(a().all.saturating_mul(6), a().all.saturating_mul(3), a().side.max(a().far))
        }
        Op::Asobject | Op::Ray => {
            let cell = a().item.saturating_add(2);
            Size::new(a().all.saturating_mul(3), cell, a().side.max(a().far))
        }
        Op::Asindices | Op::Ofcolor => places(a().all, a().side),
        Op::Occurrences => places(a().all, sum().saturating_add(a().side)),
        Op::Recolor => {
            let far = a().far.max(b().far);
            Size::new(b().all.saturating_mul(a().all.saturating_add(1)), a().all + 2, far)
        }
        Op::Shift => Size::new(a().all, a().item, sum()),
        Op::Normalize => Size::new(a().all, a().item, a().far.saturating_mul(2)),
        Op::Dneighbors | Op::Ineighbors => places(4, a().far.saturating_add(1)),
        Op::Neighbors => places(8, a().far.saturating_add(1)),
        Op::Corners => places(4, a().far),
        Op::Vfrontier | Op::Hfrontier => places(30, a().far.max(30)),
        Op::Shoot => places(43, a().far.saturating_add(b().far.saturating_mul(42))),
        Op::Connect => places(sum().saturating_add(1), a().far.max(b().far)),
        Op::Box | Op::Inbox | Op::Outbox => {
            let far = a().far.saturating_add(1);
            places(far.saturating_mul(16).saturating_add(8), far)
        }
        Op::Backdrop | Op::Delta | Op::Interior => {
            let side = a().far.saturating_mul(2).saturating_add(1);
            places(side.saturating_mul(side), a().far)
        }
        Op::Toobject => Size { item: a().item.saturating_add(b().item), ..a().with(b()) },
        Op::Fill | Op::Underfill => grid_of(a(), b()),
        Op::Replace => grid_of(a(), c()),
        Op::Switch => grid_of(a(), b().or(c())),
        Op::Cellwise => grid_of(a(), c()),
        Op::Paint | Op::Underpaint if b().item <= 3 => Size { far: a().far.max(b().far), ..a() },
        Op::Move | Op::Cover | Op::Tiled | Op::Mended if a().side <= 30 => a(),
        Op::Crop => a(),
        Op::Subgrid => b(),
        Op::Upscale => {
            let n = times(1);
            let far = a().far.saturating_add(1).saturating_mul(n);
            let all = a().all.saturating_mul(n).saturating_mul(n);
            Size::new(all, a().item.saturating_mul(n), far)
        }
        Op::Hupscale | Op::Vupscale => a().scaled(times(1), a().item.saturating_mul(times(1))),
        // What is cut off is not more than there was, and an empty row counts one.
        Op::Hsplit | Op::Vsplit => Size::new(a().all.saturating_mul(times(1)), a().all, a().far),
        Op::Canvas => {
            let row = b().far.saturating_mul(a().all);
            let all = row.saturating_mul(b().far).max(1);
            Size { side: b().far.max(a().side), ..Size::new(all, row, a().far) }
        }
        Op::Astriple => Size::new(3, 1, sum().max(c().far)),
        _ => Size::ANY,
    }
}

/// A grid in which some cells have another value.
fn grid_of(grid: Size, value: Size) -> Size {
    let far = grid.far.max(value.far);
    if value.all <= 1 { Size { far, ..grid } } else { Size::new(MANY, MANY, far) }
}

/// Whether what a primitive does grows with what its arguments hold. Others look at a few places, or
/// take what they are given as it is.
pub fn walks(op: Op) -> bool {
    !matches!(
        op,
        Op::Identity
            | Op::First
            | Op::Last
            | Op::Second
            | Op::Size
            | Op::Index
            | Op::Color
            | Op::GetNthT
            | Op::GetNthF
            | Op::Initset
            | Op::Astuple
            | Op::Branch
            | Op::Both
            | Op::Either
            | Op::Compose
            | Op::Chain
            | Op::Matcher
            | Op::Rbind
            | Op::Lbind
            | Op::Power
            | Op::Fork
    )
}

/// How often a primitive looks at what its arguments hold.
pub fn looks(op: Op) -> u64 {
    // It tries many steps.
    if op == Op::Gravitate { 16 } else { 1 }
}

/// What a primitive takes that grows faster than what its arguments hold, given how many elements those have.
pub fn dear(op: Op, elements: impl Fn(usize) -> u64) -> u64 {
    match op {
        // It looks at every cell of the object for every place, if the object fits into the grid.
        Op::Occurrences => {
            let (grid, object) = (elements(0), elements(1));
            grid * object.min(grid) / 64
        }
        // It tries to move the object by all of its width.
        Op::Hperiod | Op::Vperiod => {
            let object = elements(0).min(MAX_SEARCHED as u64);
            object * object / 4
        }
        _ => 0,
    }
}

/// What comes to a result beside its arguments' elements: a pair is one, and what is in it are two.
pub const APART: u64 = 3;

/// So many times as many elements as the arguments of a primitive have together, and [`APART`], are at most
/// those of its result, where that is known.
pub fn spread(op: Op) -> Option<u32> {
    Some(match op {
        Op::Identity
        | Op::Combine
        | Op::Difference
        | Op::Dedupe
        | Op::Totuple
        | Op::First
        | Op::Last
        | Op::Initset
        | Op::Insert
        | Op::Remove
        | Op::Astuple
        | Op::Toindices
        | Op::Shift
        | Op::Normalize
        | Op::Colorfilter
        | Op::Sizefilter
        | Op::Toobject
        | Op::Paint
        | Op::Underpaint => 1,
        // Pairs and cells may be items that are opened, and rows of what is taken for a grid.
        Op::Merge | Op::Asindices | Op::Ofcolor => 2,
        Op::Objects | Op::Asobject | Op::Partition | Op::Fgpartition => 3,
        _ => return None,
    })
}
