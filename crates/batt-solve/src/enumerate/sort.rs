//! Sorts: what the values of an enumeration are, a little finer than the kinds of the table, which call a
//! colour and a number an int.

use batt_core::{Tag, Val};
use batt_lang::ops::Kind;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// A grid.
    Grid,
    /// A set of locations.
    Mask,
    /// A set of cells.
    Object,
    /// A set of objects.
    Shapes,
    /// An int from 0 to 9 that is a colour.
    Color,
    /// An int that counts or measures.
    Number,
    /// A pair of ints: a place, a step or a size.
    Step,
}

/// The largest set of shapes that is kept.
const MAX_SHAPES: u32 = 300;
/// The largest side of a grid.
pub const MAX_SIDE: u32 = 30;
/// Larger numbers than these measure nothing on a grid.
const NUMBERS: std::ops::RangeInclusive<i32> = -30..=900;
/// Steps within these lead from any place to any other.
const STEPS: std::ops::RangeInclusive<i32> = -30..=30;

impl Sort {
    /// All sorts.
    pub const ALL: [Sort; 7] =
        [Sort::Grid, Sort::Mask, Sort::Object, Sort::Shapes, Sort::Color, Sort::Number, Sort::Step];

    /// The letter that stands for a value of a sort in `operations.txt`.
    pub fn letter(self) -> char {
        match self {
            Sort::Grid => 'G',
            Sort::Mask => 'P',
            Sort::Object => 'O',
            Sort::Shapes => 'H',
            Sort::Color => 'K',
            Sort::Number => 'N',
            Sort::Step => 'V',
        }
    }

    /// What reports call values of this sort.
    pub fn plural(self) -> &'static str {
        match self {
            Sort::Grid => "Grids",
            Sort::Mask => "Masks",
            Sort::Object => "Objects",
            Sort::Shapes => "Sets of objects",
            Sort::Color => "Colours",
            Sort::Number => "Numbers",
            Sort::Step => "Places, steps and sizes",
        }
    }

    /// The sort that a letter stands for.
    pub fn of_letter(letter: char) -> Option<Sort> {
        Sort::ALL.into_iter().find(|sort| sort.letter() == letter)
    }

    /// What the table calls it.
    pub fn kind(self) -> Kind {
        match self {
            Sort::Grid => Kind::Grid,
            Sort::Mask => Kind::Indices,
            Sort::Object => Kind::Object,
            Sort::Shapes => Kind::Set(Box::new(Kind::Object)),
            Sort::Color | Sort::Number => Kind::Int,
            Sort::Step => Kind::IJ,
        }
    }

    /// Whether a value is of this sort and of a size that is worth being kept.
    #[inline]
    pub fn holds(self, val: Val) -> bool {
        let int =
            |range: std::ops::RangeInclusive<i32>| val.as_int().is_some_and(|n| range.contains(&n));
        match self {
            Sort::Grid => {
                let (height, width) = val.dims();
                val.is(Tag::Grid) && height <= MAX_SIDE && width <= MAX_SIDE
            }
            Sort::Mask => val.is(Tag::Mask) || val.is_empty_set(),
            Sort::Object => val.is(Tag::Object) || val.is_empty_set(),
            Sort::Shapes => val.is(Tag::Set) && val.x() <= MAX_SHAPES || val.is_empty_set(),
            Sort::Color => int(0..=9),
            Sort::Number => int(NUMBERS),
            Sort::Step => {
                val.as_pair().is_some_and(|(i, j)| STEPS.contains(&i) && STEPS.contains(&j))
            }
        }
    }
}
