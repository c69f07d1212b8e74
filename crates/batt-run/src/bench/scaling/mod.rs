//! How cost grows, and where it is largest.
//!
//! - [`by_samples`], [`by_expressions`]: the same work cut into fewer and larger parts
//! - [`slowest()`]: the steps that took longest, sample by sample
//! - [`batches()`]: by number of tasks and by batch size
//! - [`plot()`]: the growth as a picture

mod batches;
mod growth;
mod plot;
mod slowest;

pub use batches::batches;
pub use growth::{Growth, Point, by_expressions, by_samples};
pub use plot::plot;
pub use slowest::{SlowPair, SlowStep, Slowness, slowest};
