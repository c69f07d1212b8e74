//! Measures a configuration: the tasks that it answers, and the CPU time that takes.

use batt_run::tasks::Task;
use cpu_time::ThreadTime;

use crate::part::{Config, Part};
use crate::solver::Solver;

/// What came of a task whose tests are known.
#[derive(Clone, Copy, Debug)]
pub struct Measured {
    /// The part whose attempt is right on all tests, if one is, and its place among the attempts.
    pub right: Option<(Part, usize)>,
    /// Candidates that the interpreter refused.
    pub refused: usize,
    /// Seconds of CPU time on one thread.
    pub cpu_seconds: f64,
}

/// Solves a task, and compares its attempts with what its tests should give.
pub fn measure(solver: &Solver, task: &Task, config: &Config) -> Measured {
    let started = ThreadTime::now();
    let answer = solver.solve(task, config);
    let cpu_seconds = started.elapsed().as_secs_f64();
    let wanted = || task.tests.iter().map(|test| test.output.as_ref());
    let right =
        answer.attempts.iter().position(|attempt| attempt.outputs.iter().map(Some).eq(wanted()));
    let right = right.map(|at| (answer.attempts[at].part, at));
    Measured { right, refused: answer.refused.len(), cpu_seconds }
}
