//! A run: programs on tasks, and what came of it.
//!
//! - [`library`]: programs from files and folders, each with the task it is written for
//! - [`plan`]: which program runs on which task
//! - [`outcome`]: what one program makes of one task; evaluation happens here and nowhere else
//! - [`report`]: rows and totals, for people and for other programs

pub mod library;
pub mod outcome;
pub mod plan;
pub mod report;

use std::time::Instant;

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use crate::reference::eval::Policy;
use crate::tasks::Task;
use library::Entry;
use outcome::{Outcome, Samples, evaluate};
use plan::Plan;

/// Enough for the deepest nesting that the limits let a value or a function have.
const STACK: usize = 256 << 20;

/// How to run.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What an error does.
    pub policy: Policy,
    /// How many threads; all cores if `None`.
    pub threads: Option<usize>,
    /// When to start no more work.
    pub deadline: Option<Instant>,
}

/// Runs a plan: one outcome for every pair, in the plan's order, whatever the number of threads.
/// `None` where the deadline came first. `done` is called after every pair.
pub fn run(
    entries: &[Entry],
    tasks: &[Task],
    plan: &Plan,
    options: &Options,
    done: &(dyn Fn() + Sync),
) -> Result<Vec<Option<Outcome>>, NoThreads> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(options.threads.unwrap_or(0))
        .stack_size(STACK)
        .build()
        .map_err(|error| NoThreads(error.to_string()))?;
    let late = || options.deadline.is_some_and(|deadline| Instant::now() >= deadline);
    Ok(pool.install(|| {
        let samples: Vec<Samples> = tasks.par_iter().map(Samples::of).collect();
        plan.pairs
            .par_iter()
            .with_max_len(1)
            .map(|pair| {
                let outcome = (!late()).then(|| {
                    let program = &entries[pair.program].program;
                    evaluate(program, &samples[pair.task], options.policy)
                });
                done();
                outcome
            })
            .collect()
    }))
}

/// The threads could not be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoThreads(String);

impl std::fmt::Display for NoThreads {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "cannot start threads: {}", self.0)
    }
}

impl std::error::Error for NoThreads {}
