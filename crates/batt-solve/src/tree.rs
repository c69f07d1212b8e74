//! Decision trees from tests of cells to what is painted there, learnt on bits.
//!
//! Two learners with different greed: one splits by how well the labels that cover a node are told apart,
//! the other by how many cells the best paint on either side gets right. Both are deterministic, and both
//! give up on a tree with more leaves than they are allowed.

use std::sync::LazyLock;

use crate::bits::{Bits, both, but, count, count_both};

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
    entropy: f64,
    cover: f64,
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
/// As many paints cover a node.
const MAX_LABELS: usize = 6;
/// As many paints are tried on either side of a split.
const MAX_PAINTS: usize = 14;

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
    let test = match learner {
        Learner::Entropy => by_entropy(choices, node, all)?,
        Learner::Cover => by_cover(choices, node, all)?,
    };
    let (asked, _) = choices.tests[test];
    let yes = grow(learner, choices, &both(node, asked), depth - 1, left)?;
    let no = grow(learner, choices, &but(node, asked), depth - 1, left)?;
    Some(Tree::Split(test, Box::new([yes, no])))
}

/// A split must be better by this factor to take the place of a simpler one.
const BETTER: f64 = 1.0001;

/// The counts whose logarithms are kept: demos rarely have more cells.
const MAX_COUNT: u32 = 1 << 14;

/// `n log n` of every small count.
static N_LOG_N: LazyLock<Vec<f64>> = LazyLock::new(|| (0..MAX_COUNT).map(n_log_n).collect());

/// By `libm`, not by the machine: the same trees everywhere.
fn n_log_n(n: u32) -> f64 {
    if n < 2 { 0.0 } else { f64::from(n) * libm::log2(f64::from(n)) }
}

/// The sum of `n log n` over the counts.
fn sum_n_log_n(counts: &[u32]) -> f64 {
    counts.iter().map(|n| N_LOG_N.get(*n as usize).copied().unwrap_or_else(|| n_log_n(*n))).sum()
}

fn by_entropy(choices: &Choices, node: &[u64], all: u32) -> Option<usize> {
    let labels = labels(choices, node)?;
    let totals: Vec<u32> = labels.iter().map(|label| count(label)).collect();
    let entropy = |counts: &[u32], sum: u32| sum_n_log_n(&[sum]) - sum_n_log_n(counts);
    let before = entropy(&totals, all);
    let mut best = (1e-9, None);
    let (mut yes, mut no) = (vec![0; labels.len()], vec![0; labels.len()]);
    for (at, (asked, price)) in choices.tests.iter().enumerate() {
        let mut sum = 0;
        for (i, label) in labels.iter().enumerate() {
            yes[i] = count_both(label, asked);
            no[i] = totals[i] - yes[i];
            sum += yes[i];
        }
        if sum == 0 || sum == all {
            continue;
        }
        let gain = before - entropy(&yes, sum) - entropy(&no, all - sum);
        let gain = gain / price.entropy;
        if gain > best.0 * BETTER {
            best = (gain, Some(at));
        }
    }
    best.1
}

/// Paints that cover a node greedily, each with the cells that no earlier one gets right.
fn labels(choices: &Choices, node: &[u64]) -> Option<Vec<Bits>> {
    let mut left = node.to_vec();
    let mut labels = Vec::new();
    while count(&left) > 0 {
        let right = choices.paints.iter().map(|paint| count_both(&left, paint));
        // The first of the best, since paints come in the order of preference.
        let (best, right) = right.enumerate().reduce(|a, b| if b.1 > a.1 { b } else { a })?;
        if right == 0 || labels.len() == MAX_LABELS {
            return None;
        }
        let label = both(&left, choices.paints[best]);
        left = but(&left, &label);
        labels.push(label);
    }
    Some(labels)
}

fn by_cover(choices: &Choices, node: &[u64], all: u32) -> Option<usize> {
    let mut right: Vec<(u32, usize)> =
        choices.paints.iter().map(|paint| count_both(node, paint)).zip(0..).collect();
    right.sort_by_key(|(right, at)| (std::cmp::Reverse(*right), *at));
    right.truncate(MAX_PAINTS);
    let best_alone = right.first()?.0;
    let paints: Vec<(u32, Bits)> =
        right.iter().map(|(right, at)| (*right, both(node, choices.paints[*at]))).collect();
    let mut best = (0.0, None);
    for (at, (asked, price)) in choices.tests.iter().enumerate() {
        let sum = count_both(node, asked);
        if sum == 0 || sum == all {
            continue;
        }
        let (mut yes, mut no) = (0, 0);
        for (right, paint) in &paints {
            let here = count_both(paint, asked);
            yes = yes.max(here);
            no = no.max(right - here);
        }
        let pure = u32::from(yes == sum) * sum + u32::from(no == all - sum) * (all - sum);
        let gain = f64::from(yes + no) - f64::from(best_alone) + 0.3 * f64::from(pure);
        let gain = gain / price.cover;
        if gain > best.0 * BETTER {
            best = (gain, Some(at));
        }
    }
    best.1
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
