//! What units are told when a generation begins, and what is made of what they give.

use std::sync::Arc;
use std::time::Duration;

use batt_run::tasks::Task;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{Bred, Evolution, EvolveError, Pending, pace};
use crate::breed::{Step, TaskContext, Unit};
use crate::pool::Genome;

/// Enough for the deepest nesting that the limits let a value or a function have.
const STACK: usize = 256 << 20;
/// How many programs of a unit the others may look at.
const ELITES: usize = 4;

/// The tasks that can be bred for: those that have demos.
pub(super) fn contexts(tasks: &[Task]) -> Result<Vec<TaskContext>, EvolveError> {
    let useful = |task: &&Task| {
        !task.demos.is_empty() && task.demos.iter().all(|demo| demo.output.is_some())
    };
    let tasks: Vec<TaskContext> = tasks.iter().filter(useful).map(TaskContext::new).collect();
    if tasks.is_empty() { Err(EvolveError::NoTasks) } else { Ok(tasks) }
}

/// Threads to breed on.
pub(super) fn threads(count: Option<usize>) -> Result<ThreadPool, EvolveError> {
    ThreadPoolBuilder::new()
        .num_threads(count.unwrap_or(0))
        .stack_size(STACK)
        .build()
        .map_err(|error| EvolveError::Threads(error.to_string()))
}

impl Evolution<'_> {
    /// Everything but the seed that decides the run, in one fixed order.
    pub fn configuration(&self) -> String {
        self.config.text(&self.seeds)
    }

    /// By unit, what the others may look at.
    pub(super) fn elites(&self) -> Vec<Vec<Arc<Genome>>> {
        let elite = |unit: &Unit| -> Vec<Arc<Genome>> {
            unit.population.all().iter().take(ELITES).map(|one| one.genome.clone()).collect()
        };
        self.units.iter().map(elite).collect()
    }

    /// By task, whether it is solved on an island.
    pub(super) fn solved(&self) -> Vec<bool> {
        let islands = self.config.islands as usize;
        self.units.chunks(islands).map(|units| units.iter().any(Unit::solved)).collect()
    }

    /// Ends a generation by what came of the units, in their order.
    pub(super) fn close(
        &mut self,
        steps: Vec<(usize, Step, Duration)>,
        collect: bool,
    ) -> Vec<Bred> {
        let mut pending = Pending { number: self.next, found: Vec::new(), tests: Vec::new() };
        let mut bred = Vec::new();
        for ((at, step, took), unit) in steps.into_iter().zip(&self.units) {
            self.took[at] = took;
            self.busy += took;
            self.totals.add(&step);
            self.candidates += step.candidates;
            pending.found.extend(step.found);
            pending.tests.extend(step.tests);
            self.disagreements.extend(step.disagreements);
            if collect {
                bred.push(Bred { task: unit.task, programs: step.bred });
            }
        }
        self.pending.push(pending);
        self.next += 1;
        self.pace.see(pace::Done {
            elapsed: self.started.elapsed(),
            candidates: self.candidates,
            rows: self.engine.rows(),
            busy: self.busy,
        });
        bred
    }
}
