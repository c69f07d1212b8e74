//! Chance that is the same on every machine: a seed and a stream give one sequence.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A sequence of chances.
#[derive(Clone, Debug)]
pub struct Dice(ChaCha8Rng);

impl Dice {
    /// The sequence of a seed; each stream is independent of the others.
    pub fn new(seed: u64, stream: u64) -> Dice {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        Dice(rng)
    }

    /// A number below `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((u64::from(self.0.next_u32()) * n as u64) >> 32) as usize
    }

    /// True with a probability of `rate`.
    pub fn happens(&mut self, rate: f64) -> bool {
        // 32 bits are exact in a float.
        f64::from(self.0.next_u32()) < rate * 4_294_967_296.0
    }

    /// `count` different places below `n`, ascending; all of them if there are no more.
    pub fn choose(&mut self, count: usize, n: usize) -> Vec<usize> {
        let mut places: Vec<usize> = (0..n).collect();
        let count = count.min(n);
        for at in 0..count {
            let other = at + self.below(n - at);
            places.swap(at, other);
        }
        places.truncate(count);
        places.sort_unstable();
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_chooses_the_same_everywhere() {
        assert_eq!(Dice::new(7, 0).choose(5, 100), Dice::new(7, 0).choose(5, 100));
        assert_ne!(Dice::new(7, 0).choose(5, 100), Dice::new(8, 0).choose(5, 100));
        assert_ne!(Dice::new(7, 0).choose(5, 100), Dice::new(7, 1).choose(5, 100));
        assert_eq!(Dice::new(1, 0).choose(9, 4), [0, 1, 2, 3]);
        // Pinned: these numbers are part of what a seed means.
        insta::assert_debug_snapshot!(Dice::new(42, 0).choose(4, 1000));
    }

    #[test]
    fn rates_are_kept() {
        let mut dice = Dice::new(1, 2);
        let count = (0..10_000).filter(|_| dice.happens(0.3)).count();
        assert!((2_850..3_150).contains(&count), "{count}");
        assert!(!dice.happens(0.0));
        assert!(dice.happens(1.0));
    }
}
