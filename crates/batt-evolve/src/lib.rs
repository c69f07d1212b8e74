//! Breeding programs: what is kept, and how it came to be.
//!
//! - [`archive`]: the durable store of programs, scores, lineage and runs
//! - [`judge`]: what a program is worth on a task, by the reference interpreter

pub mod archive;
pub mod judge;
