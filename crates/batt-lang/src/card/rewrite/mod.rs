//! The fusing rules: each keeps a law, and `--no-fuse` deals without them to the same results.
//!
//! - [`frames`]: loops over one container share one element frame
//! - [`hoists`]: what a body computes from an item alone is computed once per item
//! - [`samples`]: loops over the inputs or the outputs of S run over S itself
//! - [`pairs`]: `first` and `last` of a pair that was just made
//! - [`powers`]: a `power` of a few plain calls is those calls
//! - [`numbers`]: a map of a numeric function over a pair of ints is that function of the pair
//! - [`products`]: a loop over all pairs of two sets is a loop over one within a loop over the other
//! - [`modes`]: `o_g` and its kin become `objects`, so that every mode of a grid is found once

pub mod frames;
pub mod hoists;
pub mod modes;
pub mod numbers;
pub mod pairs;
pub mod powers;
pub mod products;
pub mod samples;

use crate::graph::SlotId;

/// A fusing rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// [`frames`].
    Frames,
    /// [`hoists`].
    Hoists,
    /// [`samples`].
    Samples,
    /// [`pairs`].
    Pairs,
    /// [`powers`].
    Powers,
    /// [`numbers`].
    Numbers,
    /// [`products`].
    Products,
    /// [`modes`].
    Modes,
}

impl Rule {
    /// Every rule.
    pub const ALL: [Rule; 8] = [
        Rule::Frames,
        Rule::Hoists,
        Rule::Samples,
        Rule::Pairs,
        Rule::Powers,
        Rule::Numbers,
        Rule::Products,
        Rule::Modes,
    ];

    /// Its name in `--explain`.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Frames => "frames",
            Rule::Hoists => "hoists",
            Rule::Samples => "samples",
            Rule::Pairs => "pairs",
            Rule::Powers => "powers",
            Rule::Numbers => "numbers",
            Rule::Products => "products",
            Rule::Modes => "modes",
        }
    }

    /// What it saves.
    pub fn saves(self) -> &'static str {
        match self {
            Rule::Frames => {
                "the container is taken apart once, and what the bodies share is computed once per item"
            }
            Rule::Hoists => {
                "what depends on the item alone is computed once per item, not in every outer body"
            }
            Rule::Samples => {
                "the demo pairs are taken apart once; the tuple of inputs or outputs is not built"
            }
            Rule::Pairs => {
                "the pair is not made, and what needs one half does not wait for the other"
            }
            Rule::Powers => "a few calls are no loop, and share slots with all others",
            Rule::Numbers => "both halves of a pair are computed at once, without a loop",
            Rule::Products => {
                "what depends on one half of a pair is computed once per item, not once per pair"
            }
            Rule::Modes => "every mode of a grid is found once, whatever name asked for it",
        }
    }
}

/// One use of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fusion {
    /// The rule.
    pub rule: Rule,
    /// The slot that it changed.
    pub slot: SlotId,
}
