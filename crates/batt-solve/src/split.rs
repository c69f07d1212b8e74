//! Splits: which question tells the cells of a node apart best.
//!
//! This is where learning spends its time, counting bits, so it is compiled for the instruction sets that
//! count many at once. All versions compute the same numbers.

#![allow(unsafe_code)]
// All of it is compiled inside what is compiled for one instruction set.
#![allow(clippy::inline_always)]

use std::sync::LazyLock;

use crate::bits::{Bits, both, but, count, count_both};
use crate::tree::{Choices, Learner};

/// As many paints cover a node.
const MAX_LABELS: usize = 6;
/// As many paints are tried on either side of a split.
const MAX_PAINTS: usize = 14;

/// What the machine can do.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, PartialEq, Eq)]
enum Width {
    Plain,
    Wide,
    Widest,
}

#[cfg(target_arch = "x86_64")]
static WIDTH: LazyLock<Width> = LazyLock::new(|| {
    let wide = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt");
    let widest = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vpopcntdq");
    match (wide, widest) {
        (true, true) => Width::Widest,
        (true, false) => Width::Wide,
        _ => Width::Plain,
    }
});

/// The place of the question that splits a node best, if any does.
pub fn best(learner: Learner, choices: &Choices, node: &[u64], all: u32) -> Option<usize> {
    #[cfg(target_arch = "x86_64")]
    match *WIDTH {
        // SAFETY: the machine has just been found to have the instructions.
        Width::Widest => return unsafe { best_widest(learner, choices, node, all) },
        // SAFETY: as above.
        Width::Wide => return unsafe { best_wide(learner, choices, node, all) },
        Width::Plain => {}
    }
    best_plain(learner, choices, node, all)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512vpopcntdq,avx2,popcnt")]
fn best_widest(learner: Learner, choices: &Choices, node: &[u64], all: u32) -> Option<usize> {
    best_plain(learner, choices, node, all)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn best_wide(learner: Learner, choices: &Choices, node: &[u64], all: u32) -> Option<usize> {
    best_plain(learner, choices, node, all)
}

#[inline(always)]
fn best_plain(learner: Learner, choices: &Choices, node: &[u64], all: u32) -> Option<usize> {
    match learner {
        Learner::Entropy => by_entropy(choices, node, all),
        Learner::Cover => by_cover(choices, node, all),
    }
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

#[inline(always)]
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
#[inline(always)]
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

#[inline(always)]
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
    use crate::tree::Price;

    #[test]
    fn all_widths_find_the_same_split() {
        let word =
            |seed: u64| (0..9).map(move |at| (seed + at).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let sets: Vec<Bits> = (0..40).map(|seed| word(seed * 31 + 7).collect()).collect();
        let tests = sets[2..].iter().map(|set| (&set[..], Price::of(1.0))).collect();
        let rest = sets[0].iter().map(|word| !word).collect::<Bits>();
        let choices = Choices { tests, paints: vec![&sets[0], &rest] };
        let node = vec![u64::MAX; 9];
        for learner in [Learner::Entropy, Learner::Cover] {
            let plain = best_plain(learner, &choices, &node, 576);
            assert!(plain.is_some());
            assert_eq!(best(learner, &choices, &node, 576), plain);
        }
    }
}
