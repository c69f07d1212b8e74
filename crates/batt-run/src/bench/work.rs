//! The work that is measured: programs on samples, alone and as a battery.

use batt_lang::battery::Battery;
use batt_lang::card::{Card, Options};
use batt_lang::{Program, Value};
use rayon::prelude::*;

use crate::engine::{Cell, Counters, Engine, Phase, Row, Sample, Setup};
use crate::reference::eval::{self, Inputs, Policy};
use crate::tasks::Task;

/// Programs and the samples that all of them run on.
#[derive(Clone, Debug)]
pub struct Work {
    /// The programs.
    pub programs: Vec<Program>,
    /// The tasks' ids.
    pub tasks: Vec<String>,
    /// S of every task.
    pub pairs: Vec<Value>,
    /// The samples, task by task.
    pub samples: Vec<Sample>,
}

impl Work {
    /// All samples of some tasks, demos first; at most so many.
    pub fn new(programs: Vec<Program>, tasks: &[Task], most: usize) -> Work {
        let mut samples = Vec::new();
        for (task, t) in tasks.iter().enumerate() {
            samples.extend(t.demos.iter().chain(&t.tests).map(|example| Sample {
                task,
                input: example.input.to_value(),
                compared: None,
                expected: example.output.as_ref().map(crate::tasks::Grid::to_value),
            }));
        }
        samples.truncate(most);
        Work {
            programs,
            tasks: tasks.iter().map(|task| task.id.clone()).collect(),
            pairs: tasks.iter().map(Task::pairs).collect(),
            samples,
        }
    }

    /// How many program-sample pairs.
    pub fn size(&self) -> usize {
        self.programs.len() * self.samples.len()
    }

    /// The same programs on the first samples only.
    #[must_use]
    pub fn first(&self, samples: usize) -> Work {
        let mut less = self.clone();
        less.samples.truncate(samples);
        less
    }

    /// The same programs on the samples of the first tasks only.
    #[must_use]
    pub fn first_tasks(&self, tasks: usize) -> Work {
        let mut less = self.clone();
        less.samples.retain(|sample| sample.task < tasks);
        less
    }

    /// The programs as one battery.
    pub fn battery(&self, fuse: bool) -> Battery {
        let mut card = Card::new(Options { fuse, ..Options::default() });
        for program in &self.programs {
            card.add(program);
        }
        card.deal()
    }

    /// Runs every program by itself on every sample, one thread. Gives how many values there were.
    pub fn alone(&self) -> usize {
        let each = |sample: &Sample| {
            let inputs = Inputs { s: &self.pairs[sample.task], i: &sample.input, c: None };
            let runs = self.programs.iter().map(|p| eval::run(p, &inputs, Policy::Strict));
            runs.flatten().count()
        };
        self.samples.iter().map(each).sum()
    }

    /// Runs a battery on every sample, in batches of some size, on the threads of the pool it is
    /// called in; what the engine hands back is evaluated as well. Gives what the engine counted.
    pub fn merged(
        &self,
        engine: &dyn Engine,
        battery: &Battery,
        batch: usize,
        timed: bool,
    ) -> Counters {
        let setup =
            Setup { battery, phase: Phase::Outputs, tasks: &self.pairs, timed, verdicts: false };
        let loaded = engine.load(setup);
        let run = |batch: &[Sample]| {
            let (rows, counters) = loaded.run(batch);
            for (row, sample) in rows.iter().zip(batch) {
                finish(&self.programs, &self.pairs, sample, row);
            }
            counters
        };
        let add = |mut a: Counters, b: Counters| {
            a.add(&b);
            a
        };
        self.samples
            .par_chunks(batch.max(1))
            .with_max_len(1)
            .map(run)
            .reduce(Counters::default, add)
    }
}

/// Evaluates what an engine handed back, and gives how much that was.
pub(super) fn finish(programs: &[Program], pairs: &[Value], sample: &Sample, row: &Row) -> usize {
    let handed = programs.iter().zip(row).filter(|(_, cell)| **cell == Cell::HandBack);
    handed.map(|(program, _)| interpret(program, pairs, sample)).count()
}

/// Runs one program on one sample on the interpreter.
pub(super) fn interpret(program: &Program, pairs: &[Value], sample: &Sample) {
    let inputs = Inputs { s: &pairs[sample.task], i: &sample.input, c: None };
    std::hint::black_box(eval::run(program, &inputs, Policy::Strict)).ok();
}

/// Runs something on a number of threads; `None` is all cores.
pub(super) fn on_threads<T: Send>(
    threads: Option<usize>,
    work: impl FnOnce() -> T + Send,
) -> Option<T> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .stack_size(crate::verify::STACK)
        .build()
        .ok()?;
    Some(pool.install(work))
}
