//! How many candidates an enumeration tries in a second.

use batt_run::tasks::{Grid, Task};
use cpu_time::ThreadTime;

use super::begin;
use super::operations::Operations;
use super::rows::Machine;
use crate::part::{Found, Problem};

/// What an enumeration of a task did, and how long it took.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The task.
    pub task: String,
    /// Its demos and tests.
    pub samples: usize,
    /// Operations applied to known values on all samples.
    pub candidates: u64,
    /// Those whose values were new.
    pub new: u64,
    /// Rows that were evaluated: a candidate has one for each sample, or for each item of a loop.
    pub rows: u64,
    /// The bytes that values take in the end, what is known of them included.
    pub bytes: usize,
    /// Whether memory ended it.
    pub full: bool,
    /// Seconds of CPU time on one thread.
    pub cpu_seconds: f64,
}

/// Enumerates on a task, from its inputs and constants alone, until so many rows are evaluated or memory is
/// full. `None` where a demo has no output.
pub fn measure(
    operations: &Operations,
    machine: &mut Machine,
    task: &Task,
    rows: u64,
) -> Option<Measured> {
    let outputs: Vec<&Grid> =
        task.demos.iter().map(|demo| demo.output.as_ref()).collect::<Option<_>>()?;
    let inputs = task.demos.iter().chain(&task.tests).map(|example| example.input.clone());
    let problem = Problem::new(inputs.collect(), outputs, rows);
    let (mut search, _) = begin(operations, machine, &problem, &[], &mut Found::default(), rows);
    search.go_on();
    let started = ThreadTime::now();
    search.run();
    let cpu = started.elapsed();
    let tally = search.tally;
    Some(Measured {
        task: task.id.clone(),
        samples: problem.inputs.len(),
        candidates: tally.candidates,
        new: tally.new,
        rows: tally.rows,
        bytes: search.bytes(),
        full: tally.full,
        cpu_seconds: cpu.as_secs_f64(),
    })
}
