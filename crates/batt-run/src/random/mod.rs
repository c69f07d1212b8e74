//! Random programs, grids and tasks: the food of property tests and fuzzers.
//!
//! Everything is drawn from a seeded generator and depends on nothing else, so a seed means the same
//! on every machine.
//!
//! ```
//! use batt_run::random;
//!
//! let mut rng = random::rng(7);
//! let program = random::program(&mut rng, &random::Options::default());
//! let task = random::task(&mut rng);
//! assert!(program.body.bindings.len() >= 3 && task.demos.len() >= 2);
//! assert_eq!(random::program(&mut random::rng(7), &random::Options::default()), program);
//! ```

mod battery;
mod function;
mod grid;
mod program;
mod value;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

pub use battery::{mutated, programs};
pub use grid::{grid, task};
pub use program::{Options, program};
pub use value::value;

/// The generator that everything here draws from.
pub type Rng = ChaCha8Rng;

/// A generator for a seed.
pub fn rng(seed: u64) -> Rng {
    Rng::seed_from_u64(seed)
}

/// Draws, in 32 bits everywhere so that no machine draws differently.
pub(crate) trait Dice {
    /// An int from 0 up to, not including, `n`; 0 where `n` is 0.
    fn below(&mut self, n: usize) -> usize;

    /// True so many times in a thousand.
    fn chance(&mut self, in_thousand: usize) -> bool {
        self.below(1000) < in_thousand
    }

    /// An int between two, both included.
    fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// One of several.
    fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }
}

impl<R: rand_chacha::rand_core::Rng> Dice for R {
    fn below(&mut self, n: usize) -> usize {
        ((u64::from(self.next_u32()) * n as u64) >> 32) as usize
    }
}
