//! Suffixed names: how `apply_t`, `height_f` and the like read their arguments.
//!
//! A suffix checks nothing. It says what the author expected, and where the result depends on it, the
//! argument is read as that: `_t` as a tuple, `_f`, `_i` and `_o` as a set. Then the plain primitive
//! runs, so a call fails only where the plain primitive fails.

use super::{Guard, Op, Prim};
use crate::value::Value;

/// What becomes of an argument before the plain primitive runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// It stays.
    AsIs,
    /// Its items, as a tuple.
    Tuple,
    /// Its items, as a set.
    Set,
}

/// What a name runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A primitive of the arguments as they are read.
    Plain(Op),
    /// `sfilter` of the first argument, read as a tuple, by whether this primitive gives the second.
    Keep(Op),
}

impl Prim {
    /// What the name runs.
    pub fn meaning(self) -> Meaning {
        match (self.op, self.guard) {
            (Op::Colorfilter, Guard::Tuple) => Meaning::Keep(Op::Color),
            (Op::Sizefilter, Guard::Tuple) => Meaning::Keep(Op::Size),
            // A grid begins at the origin, and indices are their own locations.
            (Op::Normalize, Guard::Tuple) | (Op::Toindices, Guard::Indices) => {
                Meaning::Plain(Op::Identity)
            }
            // It has always been without the merging.
            (Op::Mfilter, Guard::Tuple) => Meaning::Plain(Op::Sfilter),
            (op, _) => Meaning::Plain(op),
        }
    }

    /// Whether the name means something else than the primitive of the table, whatever its arguments.
    pub fn is_plain(self) -> bool {
        self.meaning() == Meaning::Plain(self.op)
            && (0..self.arity()).all(|at| self.reading(at) == Reading::AsIs)
    }

    /// What a failed call becomes under the safe policy.
    pub fn default_value(self) -> Value {
        match (self.op, self.guard) {
            // The table says a set; these give tuples.
            (Op::Colorfilter | Op::Sizefilter | Op::Mapply, Guard::Tuple) => Value::empty_tuple(),
            _ => self.info().result.default_value(),
        }
    }

    /// How the name reads one of its arguments.
    pub fn reading(self, at: usize) -> Reading {
        if self.guard == Guard::None || !self.info().params.get(at).is_some_and(|p| p.guarded) {
            return Reading::AsIs;
        }
        let tuple = self.guard == Guard::Tuple;
        match self.op {
            Op::Mfilter if tuple => Reading::Set,
            // What they give does not depend on it, or is like their container.
            Op::Size
            | Op::Merge
            | Op::Mfilter
            | Op::Valmax
            | Op::Valmin
            | Op::Argmax
            | Op::Argmin
            | Op::First
            | Op::Last
            | Op::Other
            | Op::GetArgRank
            | Op::GetValRank
            | Op::Ulcorner
            | Op::Urcorner
            | Op::Llcorner
            | Op::Lrcorner
            | Op::Uppermost
            | Op::Lowermost
            | Op::Leftmost
            | Op::Rightmost
            | Op::Toindices
            | Op::Recolor
            | Op::Normalize => Reading::AsIs,
            // They count, and a set has every item once.
            Op::Mostcommon | Op::Leastcommon | Op::GetCommonRank => Reading::Tuple,
            Op::Apply | Op::Rapply | Op::Mapply | Op::Remove | Op::Colorfilter | Op::Sizefilter
                if !tuple =>
            {
                Reading::AsIs
            }
            _ if tuple => Reading::Tuple,
            _ => Reading::Set,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(name: &str) -> Reading {
        Prim::named(name).unwrap().reading(0)
    }

    #[test]
    fn a_suffix_decides_the_kind_where_the_result_depends_on_it() {
        assert_eq!(first("sfilter_t"), Reading::Tuple);
        assert_eq!(first("sfilter_f"), Reading::Set);
        assert_eq!(Prim::named("apply_t").unwrap().reading(1), Reading::Tuple);
        assert_eq!(Prim::named("apply_t").unwrap().reading(0), Reading::AsIs);
        assert_eq!(Prim::named("apply_f").unwrap().reading(1), Reading::AsIs);
        assert_eq!(first("height_o"), Reading::Set);
        assert_eq!(first("size_f"), Reading::AsIs);
    }

    #[test]
    fn plain_names_mean_their_row() {
        for &op in Op::ALL {
            assert!(Prim::from(op).is_plain(), "{op:?}");
        }
        assert!(Prim::named("merge_f").unwrap().is_plain());
        assert!(!Prim::named("colorfilter_t").unwrap().is_plain());
    }
}
