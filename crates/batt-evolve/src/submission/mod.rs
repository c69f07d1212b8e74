//! Submissions: a few attempts at every test of every task, and what they are worth.
//!
//! - [`choose`]: attempts from the distinct outputs of the best programs
//! - [`file`](mod@file): `submission.json` as ARC Prize has it, and the older CSV form
//! - [`score`]: attempts against known solutions

pub mod choose;
pub mod file;
pub mod score;

use std::collections::BTreeMap;

use batt_run::tasks::Grid;

/// The most attempts that are read, written and scored per test.
pub const MOST: usize = 3;

/// The attempts at one test, the best first.
pub type Attempts = Vec<Grid>;

/// The attempts at every test, by task.
pub type Submission = BTreeMap<String, Vec<Attempts>>;

/// The known outputs of every test, by task.
pub type Solutions = BTreeMap<String, Vec<Option<Grid>>>;
