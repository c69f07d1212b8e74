//! Breeding: one generation of one task on one island, and what it is made of.
//!
//! - [`task`]: a task as breeding sees it: samples, and what judges
//! - [`evaluate`]: a generation's candidates as one battery
//! - [`guide`]: what differs say of candidates that may stay
//! - [`hints`]: what the demo pairs tell
//! - [`individual`]: a program and what it did
//! - [`population`]: who stays
//! - [`seen`]: what was met before
//! - [`minimal`]: the shortest program that does the same
//! - [`unit`]: a task on an island, and its next generation

pub mod evaluate;
pub mod guide;
pub mod hints;
pub mod individual;
pub mod minimal;
pub mod population;
pub mod seen;
pub mod task;
pub mod unit;

pub use individual::Individual;
pub use task::TaskContext;
pub use unit::{Step, Unit};
