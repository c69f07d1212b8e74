//! Covering: layers laid over a grid, from the uppermost down, until nothing wrong is seen.

use super::layers::{Layers, Targets, count};

/// A grid and what is laid over it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cover {
    /// The layers, the uppermost first.
    pub layers: Vec<usize>,
}

/// As many layers are laid over a grid.
const MAX_COVER: usize = 6;
/// What is left wrong is taken to cost so much more, all of it together.
const REST: f64 = 12.0;
/// Each layer costs as much besides its value.
const LAYER: f64 = 2.0;

/// A grid that is wrong in places, to be covered.
pub struct Base<'a> {
    /// The layers that there are.
    pub layers: &'a Layers,
    /// The outputs.
    pub targets: &'a Targets,
    /// Where the grid is wrong.
    pub wrong: &'a [u32],
}

impl Base<'_> {
    /// Covers what is wrong on all demos but one. The first layer is the one at a rank among the best.
    pub fn cover(&self, without: Option<usize>, rank: usize) -> Option<Cover> {
        // What is not looked at is covered from the start.
        let mut covered = vec![0; self.targets.words()];
        if let Some(demo) = without {
            covered[self.targets.of_demo(demo)].fill(u32::MAX);
        }
        let mut left = self.left(&covered);
        let mut chosen = Vec::new();
        let mut candidates: Vec<usize> = (0..self.layers.len()).collect();
        while left > 0 {
            if chosen.len() == MAX_COVER {
                return None;
            }
            let mut found: Vec<(f64, usize)> = Vec::new();
            // A layer that gains nothing now never will; one that is wrong now may be covered later.
            candidates.retain(|layer| {
                let (drawn, right) = self.layers.words(*layer);
                let (mut bad, mut gain) = (0, 0);
                for (((drawn, right), covered), wrong) in
                    drawn.iter().zip(right).zip(&covered).zip(self.wrong)
                {
                    let seen = drawn & !covered;
                    bad |= seen & !right;
                    gain += (seen & wrong).count_ones();
                }
                if bad == 0 && gain > 0 {
                    let open = f64::from(left - gain) / f64::from(left);
                    let cost = f64::from(self.layers.costs[*layer]) + LAYER;
                    found.push((cost + REST * open, *layer));
                }
                gain > 0
            });
            let rank = if chosen.is_empty() { rank } else { 0 };
            // The first of equals: the order of the layers is that of their cost.
            found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let (_, best) = *found.get(rank)?;
            chosen.push(best);
            for (covered, drawn) in covered.iter_mut().zip(self.layers.words(best).0) {
                *covered |= drawn;
            }
            left = self.left(&covered);
        }
        Some(Cover { layers: chosen })
    }

    fn left(&self, covered: &[u32]) -> u32 {
        self.wrong.iter().zip(covered).map(|(wrong, covered)| (wrong & !covered).count_ones()).sum()
    }

    /// Whether a cover is right on a demo.
    pub fn is_right(&self, cover: &Cover, demo: usize) -> bool {
        let words = self.targets.of_demo(demo);
        let mut covered = vec![0; words.len()];
        for layer in &cover.layers {
            let (drawn, right) = self.layers.words(*layer);
            let rows = drawn[words.clone()].iter().zip(&right[words.clone()]);
            for ((drawn, right), covered) in rows.zip(&mut covered) {
                if drawn & !*covered & !right != 0 {
                    return false;
                }
                *covered |= drawn;
            }
        }
        let left = self.wrong[words].iter().zip(&covered).map(|(wrong, covered)| wrong & !covered);
        count(&left.collect::<Vec<u32>>()) == 0
    }
}
