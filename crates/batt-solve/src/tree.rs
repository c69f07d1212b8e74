//! Decision trees from tests of cells to what is painted there, learnt on bits.
//!
//! Two learners with different greed: one splits by how well the labels that cover a node are told apart,
//! the other by how many cells the best paint on either side gets right. Both are deterministic, and both
//! give up on a tree with more leaves than they are allowed.

use crate::bits::{Bits, both, but, count, count_both};
use crate::split;

/// What a tree may ask and paint, as bits over the cells it is learnt on.
#[derive(Debug, Default)]
pub struct Choices<'a> {
    /// What may be asked of a cell, and its price.
    pub tests: Vec<(&'a [u64], Price)>,
    /// Where each paint would be right, the preferred first.
    pub paints: Vec<&'a [u64]>,
}

/// How much simpler questions are preferred to one: what it gains is divided by this, which depends on how
/// the learner measures gains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Price {
    /// For the gain in entropy.
    pub(crate) entropy: f64,
    /// For the gain in cover.
    pub(crate) cover: f64,
}

impl Price {
    /// The price of a question that is so much dearer than the simplest one, which costs 1.
    pub fn of(cost: f64) -> Price {
        // Of `libm`, not of the machine: the same trees everywhere.
        let cover = libm::sqrt(cost);
        Price { entropy: libm::sqrt(cover), cover }
    }
}

/// A decision tree; tests and paints by their places among the [`Choices`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// Paints.
    Leaf(usize),
    /// Asks; the first subtree is for yes.
    Split(usize, Box<[Tree; 2]>),
}

impl Tree {
    /// How many leaves it has.
    pub fn leaves(&self) -> usize {
        match self {
            Tree::Leaf(_) => 1,
            Tree::Split(_, arms) => arms.iter().map(Tree::leaves).sum(),
        }
    }

    /// Calls back with each leaf's paint and the cells that come to it.
    pub fn spread(
        &self,
        cells: &[u64],
        test: &dyn Fn(usize) -> Bits,
        see: &mut dyn FnMut(usize, &[u64]),
    ) {
        match self {
            Tree::Leaf(paint) => see(*paint, cells),
            Tree::Split(at, arms) => {
                let asked = test(*at);
                arms[0].spread(&both(cells, &asked), test, see);
                arms[1].spread(&but(cells, &asked), test, see);
            }
        }
    }
}

/// How a learner chooses a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Learner {
    /// By the entropy of the paints that cover the node greedily.
    Entropy,
    /// By how many cells the best paint of either side gets right.
    Cover,
}

/// The deepest tree.
const MAX_DEPTH: u32 = 7;

/// Learns a tree that is right on all of `cells`, with at most so many leaves.
pub fn learn(learner: Learner, choices: &Choices, cells: &[u64], leaves: u32) -> Option<Tree> {
    let mut left = leaves;
    grow(learner, choices, cells, MAX_DEPTH, &mut left)
}

fn grow(
    learner: Learner,
    choices: &Choices,
    node: &[u64],
    depth: u32,
    left: &mut u32,
) -> Option<Tree> {
    let all = count(node);
    if let Some(paint) = choices.paints.iter().position(|paint| count_both(node, paint) == all) {
        *left = left.checked_sub(1)?;
        return Some(Tree::Leaf(paint));
    }
    if depth == 0 || *left == 0 {
        return None;
    }
    let test = split::best(learner, choices, node, all)?;
    let (asked, _) = choices.tests[test];
    let yes = grow(learner, choices, &both(node, asked), depth - 1, left)?;
    let no = grow(learner, choices, &but(node, asked), depth - 1, left)?;
    Some(Tree::Split(test, Box::new([yes, no])))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cells 0 to 7; one paint is right on the even ones, the other on the odd ones.
    #[test]
    fn a_tree_tells_paints_apart() {
        let (even, odd, low) = ([0b0101_0101], [0b1010_1010], [0b0000_1111]);
        let choices = Choices {
            tests: vec![(&low[..], Price::of(1.0)), (&odd[..], Price::of(1.0))],
            paints: vec![&even[..], &odd[..]],
        };
        for learner in [Learner::Entropy, Learner::Cover] {
            let tree = learn(learner, &choices, &[0xff], 4).unwrap();
            assert_eq!(tree, Tree::Split(1, Box::new([Tree::Leaf(1), Tree::Leaf(0)])));
            assert_eq!(learn(learner, &choices, &[0xff], 1), None);
        }
    }

    #[test]
    fn what_no_paint_gets_right_is_not_learnt() {
        let (some, all) = ([0b0111_1111], [0xff]);
        let choices = Choices { tests: vec![(&all[..], Price::of(1.0))], paints: vec![&some[..]] };
        for learner in [Learner::Entropy, Learner::Cover] {
            assert_eq!(learn(learner, &choices, &[0xff], 9), None);
        }
    }
}
