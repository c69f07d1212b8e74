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

use std::sync::atomic::{AtomicU64, Ordering};
/// t
pub static T: [AtomicU64; 10] = [const { AtomicU64::new(0) }; 10];
/// t
pub fn timing() -> Vec<f64> { T.iter().map(|t| t.load(Ordering::Relaxed) as f64 / 1e6).collect() }
/// t
pub fn timed<R>(at: usize, f: impl FnOnce() -> R) -> R { let s = std::time::Instant::now(); let r = f(); T[at].fetch_add(s.elapsed().as_nanos() as u64, Ordering::Relaxed); r }
