//! What came of each operator, and how often it is used.

use batt_lang::card::dice::Dice;
use serde::{Deserialize, Serialize};

use super::Operator;

const COUNT: usize = Operator::ALL.len();

/// What came of an operator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// Times it made something.
    pub proposed: u64,
    /// Times that fitted the kinds.
    pub well_typed: u64,
    /// Times the program was not seen before.
    pub new_graph: u64,
    /// Times what it gave was not seen before.
    pub new_behaviour: u64,
    /// Times it was better than its parent.
    pub improving: u64,
}

impl Count {
    /// Adds what another one counted.
    pub fn add(&mut self, other: &Count) {
        self.proposed += other.proposed;
        self.well_typed += other.well_typed;
        self.new_graph += other.new_graph;
        self.new_behaviour += other.new_behaviour;
        self.improving += other.improving;
    }
}

/// Counts by operator.
pub type Counts = [Count; COUNT];

/// How often each operator is used. Only ints, so that every machine adapts alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rates {
    weights: [u32; COUNT],
}

impl Default for Rates {
    fn default() -> Rates {
        Rates { weights: [EVEN; COUNT] }
    }
}

/// The weight that every operator starts with.
const EVEN: u32 = 1000;
/// The weight below which none falls, so that each goes on being tried.
const LEAST: u32 = 100;
const MOST: u32 = 4000;
/// What a better program is worth against one that only does something new.
const BETTER: u64 = 30;

impl Rates {
    /// The rates of these weights.
    pub fn of(weights: [u32; COUNT]) -> Rates {
        Rates { weights: weights.map(|weight| weight.clamp(LEAST, MOST)) }
    }

    /// The weights.
    pub fn weights(&self) -> [u32; COUNT] {
        self.weights
    }

    /// Draws an operator.
    pub fn draw(&self, dice: &mut Dice) -> Operator {
        let all: u32 = self.weights.iter().sum();
        let mut at = dice.below(all as usize) as u32;
        for (operator, weight) in Operator::ALL.into_iter().zip(self.weights) {
            if at < weight {
                return operator;
            }
            at -= weight;
        }
        Operator::Constant
    }

    /// Moves a quarter of the way towards what a generation showed. What counts is the square of an
    /// operator's success, so that those that find little make room.
    pub fn learn(&mut self, counts: &Counts) {
        let worth = |count: &Count| {
            let success = count.improving * BETTER + count.new_behaviour * 10;
            let share = success * 100 / (count.proposed * 10 + 40);
            share * share
        };
        let mean = counts.iter().map(worth).sum::<u64>() / COUNT as u64;
        for (weight, count) in self.weights.iter_mut().zip(counts) {
            let target = (worth(count) + 20) * u64::from(EVEN) / (mean + 20);
            let target = target.clamp(u64::from(LEAST), u64::from(MOST)) as u32;
            *weight = (3 * *weight + target) / 4;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_works_is_used_more_and_nothing_is_forgotten() {
        let mut rates = Rates::default();
        let mut counts = Counts::default();
        for count in &mut counts {
            *count = Count { proposed: 100, well_typed: 90, new_behaviour: 10, ..Count::default() };
        }
        counts[2].improving = 5;
        counts[2].new_behaviour = 60;
        for _ in 0..10 {
            rates.learn(&counts);
        }
        let weights = rates.weights();
        assert!(weights[2] > 3 * weights[1], "{weights:?}");
        assert!(weights.iter().all(|weight| *weight >= LEAST));
        let mut dice = Dice::new(1, 0);
        let drawn = (0..10_000).filter(|_| rates.draw(&mut dice) == Operator::ALL[2]).count();
        assert!(drawn > 3_000, "{drawn}");
    }
}
