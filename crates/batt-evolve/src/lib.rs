//! Breeding programs: what is kept, how it came to be, and what is handed in.
//!
//! - [`pool`]: every distinct expression of a generation once
//! - [`operators`]: typed changes, each counted
//! - [`breed`]: one generation of one task on one island
//! - [`run`]: all generations of all tasks and islands, committed to an archive
//! - [`bred`]: every candidate of runs on random seeds, for whoever compares engines
//! - [`bench`]: what breeding is measured by
//! - [`judge`]: what a program is worth on a task, by the reference interpreter
//! - [`archive`]: the durable store of programs, results, lineage and runs
//! - [`submission`]: attempts at the tests, from the best programs
//!
//! ```
//! use batt_evolve::archive::{Archive, Found, Generation, LANGUAGE, Origin, Run};
//! use batt_evolve::judge::Judge;
//! use batt_lang::canonical::Canonical;
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("batt.db");
//! # let path = path.to_str().unwrap();
//! let data = batt_run::tasks::embedded();
//! let judge = Judge::new(data.get("tent").unwrap());
//! let program = Canonical::read("def solve(I):\n    return I\n").unwrap();
//! let judged = judge.judge(program.program());
//!
//! let mut archive = Archive::open(path)?;
//! let run = archive.begin(&Run {
//!     seed: 1,
//!     configuration: "{}".to_string(),
//!     language: LANGUAGE.to_string(),
//!     data: data.hash.to_string(),
//!     device: "cpu".to_string(),
//!     host: String::new(),
//!     started: 0,
//! })?;
//! let origin = Origin { operator: "seed".to_string(), parents: vec![], island: 0 };
//! let (task, demos) = (judge.task().to_string(), judge.demos().to_string());
//! let found = [Found { program, task, demos, judged, origin }];
//! let generation =
//!     Generation { run: &run, number: 1, found: &found, tests: &[], state: b"", keep: Some(10) };
//! archive.commit(&generation)?;
//! assert_eq!(archive.best("tent", 1)?[0].text, "def solve(I):\n    return I\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod archive;
pub mod bench;
pub mod bred;
pub mod breed;
pub mod bytes;
pub mod judge;
pub mod operators;
pub mod pool;
pub mod run;
pub mod submission;
