//! Breeding programs: what is kept, and how it came to be.
//!
//! - [`pool`]: every distinct expression of a generation once
//! - [`operators`]: typed changes, each counted
//! - [`breed`]: one generation of one task on one island
//! - [`run`]: all generations of all tasks and islands, committed to an archive
//! - [`archive`]: the durable store of programs, scores, lineage and runs
//! - [`judge`]: what a program is worth on a task, by the reference interpreter

pub mod archive;
pub mod breed;
pub mod bytes;
pub mod judge;
pub mod operators;
pub mod pool;
pub mod run;
