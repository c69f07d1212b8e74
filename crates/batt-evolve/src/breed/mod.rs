//! Breeding: one generation of one task on one island, and what it is made of.
//!
//! - [`task`]: a task as breeding sees it: samples, and what judges
//! - [`evaluate`]: a generation's candidates as one battery
//! - [`guide`]: what differs say of candidates that may stay
//! - [`hints`]: what the demo pairs tell
//! - [`individual`]: a program and what it did
//! - [`population`]: who stays
//! - [`seen`]: what was met before
//! - [`confirm`]: what the interpreter says of what is to be kept
//! - [`minimal`]: the shortest program that does the same
//! - [`refused`]: what was not confirmed, by reason
//! - [`unit`]: a task on an island, and its next generation

pub mod confirm;
pub mod evaluate;
pub mod guide;
pub mod hints;
pub mod individual;
pub mod minimal;
pub mod population;
pub mod refused;
pub mod seen;
pub mod task;
pub mod unit;

pub use confirm::Disagreement;
pub use individual::Individual;
pub use refused::Refused;
pub use task::TaskContext;
pub use unit::{Step, Unit};
