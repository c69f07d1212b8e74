//! Shapes: what is known of a slot's values before anything runs.
//!
//! A shape is a set of outermost types. It is always safe to know less; a call that no shape of
//! its arguments fits is an error that the compiler finds.

use std::ops::BitOr;

use super::Def;
use crate::ops::{Kind, Op, Prim, Role};
use crate::program::Input;
use crate::value::Value;

/// A set of outermost types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape(u8);

impl Shape {
    /// No value at all: surely an error.
    pub const NONE: Shape = Shape(0);
    /// None.
    pub const NULL: Shape = Shape(1);
    /// An int or a bool.
    pub const INT: Shape = Shape(2);
    /// A tuple.
    pub const TUPLE: Shape = Shape(4);
    /// A set.
    pub const SET: Shape = Shape(8);
    /// A function.
    pub const FUNCTION: Shape = Shape(16);
    /// A tuple or a set.
    pub const CONTAINER: Shape = Shape(12);
    /// Anything.
    pub const ANY: Shape = Shape(31);

    /// Whether every value of `self` is one of `other`.
    pub fn within(self, other: Shape) -> bool {
        self.0 & !other.0 == 0
    }

    /// Whether no value of `self` is one of `other`.
    pub fn misses(self, other: Shape) -> bool {
        self.0 & other.0 == 0
    }

    /// The shape of one value.
    pub fn of_value(value: &Value) -> Shape {
        match value {
            Value::Null => Shape::NULL,
            Value::Bool(_) | Value::Int(_) => Shape::INT,
            Value::Pair(..) | Value::Cell(..) | Value::Tuple(_) => Shape::TUPLE,
            Value::Set(_) => Shape::SET,
            Value::Function(_) => Shape::FUNCTION,
        }
    }

    /// What an expression's values can be, given those of its arguments.
    pub fn of(def: &Def, shape: impl Fn(super::SlotId) -> Shape) -> Shape {
        match def {
            Def::Input(Input::S | Input::I) => Shape::TUPLE,
            Def::Value(value) => Shape::of_value(value),
            // What a suffixed name gives is not the table's to say.
            Def::Call { prim, .. } if !prim.is_plain() => Shape::ANY,
            Def::Call { prim, args } => result(prim.op, |i| shape(args[i])),
            Def::Collect { set, .. } => {
                if *set {
                    Shape::SET
                } else {
                    Shape::TUPLE
                }
            }
            Def::Select { then, other, .. } => shape(*then) | shape(*other),
            Def::Close { prim, container, .. } => closed(prim.op, shape(*container)),
            Def::OrElse { value, default } => shape(*value) | Shape::of_value(default),
            Def::Fail(_) => Shape::NONE,
            Def::Input(Input::C)
            | Def::Element { .. }
            | Def::Invoke { .. }
            | Def::Repeat { .. } => Shape::ANY,
        }
    }
}

impl BitOr for Shape {
    type Output = Shape;
    fn bitor(self, other: Shape) -> Shape {
        Shape(self.0 | other.0)
    }
}

/// What a primitive gives. Where the table's kind is a promise that odd arguments can break (`both`
/// gives an operand back, `index` may give null), nothing is promised here.
fn result(op: Op, arg: impl Fn(usize) -> Shape) -> Shape {
    match op {
        Op::Size
        | Op::Height
        | Op::Width
        | Op::Numcolors
        | Op::Colorcount
        | Op::Uppermost
        | Op::Lowermost
        | Op::Leftmost
        | Op::Rightmost
        | Op::Manhattan
        | Op::Hperiod
        | Op::Vperiod
        | Op::Equality
        | Op::Contained
        | Op::Flip
        | Op::Even
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
        | Op::AMr
        | Op::ColRow
        | Op::IsNoGrid
        | Op::Holes => Shape::INT,
        Op::Initset
        | Op::Toset
        | Op::Insert
        | Op::Product
        | Op::Prapply
        | Op::Palette
        | Op::PF
        | Op::Colorfilter
        | Op::Sizefilter
        | Op::Asindices
        | Op::Ofcolor
        | Op::Recolor
        | Op::Dneighbors
        | Op::Ineighbors
        | Op::Neighbors
        | Op::Objects
        | Op::OG
        | Op::Partition
        | Op::Fgpartition
        | Op::Frontiers
        | Op::Toobject
        | Op::Asobject
        | Op::Corners
        | Op::Connect
        | Op::Shoot
        | Op::Vfrontier
        | Op::Hfrontier
        | Op::Backdrop
        | Op::Delta
        | Op::Inbox
        | Op::Outbox
        | Op::Occurrences
        | Op::Ray
        | Op::Interior => Shape::SET,
        Op::Astuple
        | Op::Astriple
        | Op::Toivec
        | Op::Tojvec
        | Op::Dedupe
        | Op::Order
        | Op::Repeat
        | Op::Totuple
        | Op::Interval
        | Op::Pair
        | Op::Celltuple
        | Op::Papply
        | Op::Mpapply
        | Op::Shape
        | Op::Ulcorner
        | Op::Urcorner
        | Op::Llcorner
        | Op::Lrcorner
        | Op::Corner
        | Op::Center
        | Op::Centerofmass
        | Op::Position
        | Op::Gravitate
        | Op::Rot90
        | Op::Rot180
        | Op::Rot270
        | Op::Fill
        | Op::Paint
        | Op::Underfill
        | Op::Underpaint
        | Op::Hupscale
        | Op::Vupscale
        | Op::Downscale
        | Op::Hconcat
        | Op::Cellwise
        | Op::Replace
        | Op::Switch
        | Op::Canvas
        | Op::Cover
        | Op::Move
        | Op::Hsplit
        | Op::Vsplit
        | Op::Compress
        | Op::OGT
        | Op::ObjectsT
        | Op::PG
        | Op::PO
        | Op::DedupePairTuple
        | Op::CIz
        | Op::CZo
        | Op::Ascell
        | Op::Panels
        | Op::Tiled
        | Op::Mended => Shape::TUPLE,
        Op::Combine
        | Op::Difference
        | Op::DifferenceTuple
        | Op::Merge
        | Op::Sfilter
        | Op::Mfilter
        | Op::Rapply => keep(arg(0)),
        Op::Remove | Op::Apply | Op::Mapply => keep(arg(1)),
        Op::Identity => arg(0),
        Op::Branch => arg(1) | arg(2),
        _ if op.info().role == Role::Makes && op != Op::Power => Shape::FUNCTION,
        _ => Shape::ANY,
    }
}

/// A container of the same type.
fn keep(container: Shape) -> Shape {
    Shape(container.0 & Shape::CONTAINER.0)
}

fn closed(op: Op, container: Shape) -> Shape {
    match op {
        Op::Apply | Op::Mapply | Op::Sfilter | Op::Mfilter => keep(container),
        Op::Prapply => Shape::SET,
        Op::Order | Op::Papply | Op::Mpapply => Shape::TUPLE,
        _ => Shape::ANY,
    }
}

/// Whether a call is surely an error, whatever the values: an argument whose kind must be a
/// container is never one.
pub fn ill_typed(prim: Prim, arg: impl Fn(usize) -> Shape) -> bool {
    // Two ints intersect bit by bit in Python, and `bordering` asks for the grid's size only where
    // the patch does not touch the upper or the left edge; the reference decides.
    if matches!(prim.op, Op::Intersection | Op::Bordering) {
        return false;
    }
    prim.info().params.iter().enumerate().any(|(i, param)| {
        let needed = match param.kind {
            Kind::Cont(_)
            | Kind::Tup(_)
            | Kind::Set(_)
            | Kind::Grid
            | Kind::Object
            | Kind::Indices
            | Kind::Patch
            | Kind::Piece
            | Kind::Element
            | Kind::Pairs => Shape::CONTAINER,
            // A step is not looked at where there is nothing to move.
            _ => return false,
        };
        arg(i).misses(needed)
    })
}
