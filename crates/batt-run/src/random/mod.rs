//! Random programs, grids and tasks: the food of property tests and fuzzers.
//!
//! Everything is drawn from an [`Rng`] and depends on nothing else. A seed means the same on every
//! machine; a fuzzer's bytes choose instead of it, so that changing one changes one choice.
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
mod choices;
mod function;
mod grid;
mod program;
mod value;

pub use battery::{mutated, next, programs};
pub use choices::Rng;
pub use grid::{grid, task};
pub use program::{Options, program};
pub use value::value;

/// A generator for a seed.
pub fn rng(seed: u64) -> Rng<'static> {
    Rng::of_seed(seed)
}
