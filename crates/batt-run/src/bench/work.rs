//! The work that is measured: programs on samples, alone and as a battery.

use std::time::Instant;

use batt_lang::battery::Battery;
use batt_lang::card::{Card, Options};
use batt_lang::{Program, Value};
use rayon::prelude::*;

use crate::engine::{Amount, Cell, Counters, Engine, Loaded, Phase, Row, Sample, Setup};
use crate::reference::eval::{self, Inputs, Policy};
use crate::stop::NEVER;
use crate::tasks::Task;

/// Samples in a batch, at most, where the engine does not say how many it wants.
const BATCH: usize = 64;

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
    /// What scores every output; none where only outputs are asked for.
    pub differs: Vec<Program>,
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
            differs: Vec::new(),
        }
    }

    /// The same with every output scored by some differs. Samples of which no output is known are left
    /// out.
    #[must_use]
    pub fn scored(mut self, differs: Vec<Program>) -> Work {
        self.samples.retain(|sample| sample.expected.is_some());
        for sample in &mut self.samples {
            sample.compared = sample.expected.clone();
        }
        self.differs = differs;
        self
    }

    /// What is run.
    pub fn phase(&self) -> Phase {
        if self.differs.is_empty() { Phase::Outputs } else { Phase::Scores }
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
            let program = card.add(program);
            for differ in &self.differs {
                card.add_score(differ, Some(program));
            }
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

    /// Readies an engine for a battery of these programs, or the one that it picks for so much work.
    /// With `verdicts` it is enough to know which outputs are right.
    pub fn ready<'a>(
        &'a self,
        engine: &'a dyn Engine,
        battery: &'a Battery,
        verdicts: bool,
    ) -> Ready<'a> {
        let threads = rayon::current_num_threads();
        let phase = self.phase();
        let amount = Amount { battery, phase, samples: self.samples.len(), threads };
        let engine = engine.pick(&amount).unwrap_or(engine);
        let setup =
            Setup { battery, phase, tasks: &self.pairs, timed: false, verdicts, stop: &NEVER };
        Ready { work: self, engine, loaded: engine.load(setup) }
    }

    /// Evaluates what an engine handed back of a sample, and gives how much that was.
    fn finish(&self, sample: &Sample, row: &Row) -> usize {
        if self.differs.is_empty() {
            return finish(&self.programs, &self.pairs, sample, row);
        }
        let scores = self.programs.iter().flat_map(|p| self.differs.iter().map(move |d| (p, d)));
        let handed = scores.zip(row).filter(|(_, cell)| **cell == Cell::HandBack);
        handed.map(|((program, differ), _)| self.score(program, differ, sample)).count()
    }

    /// Scores the output of one program on one sample on the interpreter.
    fn score(&self, program: &Program, differ: &Program, sample: &Sample) {
        let s = &self.pairs[sample.task];
        let inputs = Inputs { s, i: &sample.input, c: None };
        let Ok(output) = eval::run(program, &inputs, Policy::Strict) else { return };
        let inputs = Inputs { s, i: &output, c: sample.compared.as_ref() };
        std::hint::black_box(eval::run(differ, &inputs, Policy::Strict)).ok();
    }

    /// Runs a battery on every sample with a clock at every slot, in batches of some size, on the
    /// threads of the pool it is called in. Gives what the engine counted.
    pub fn profiled(&self, engine: &dyn Engine, battery: &Battery, batch: usize) -> Counters {
        let (phase, tasks) = (self.phase(), &self.pairs);
        let setup = Setup {
            battery,
            phase,
            tasks,
            timed: true,
            verdicts: phase == Phase::Scores,
            stop: &NEVER,
        };
        Ready { work: self, engine, loaded: engine.load(setup) }.run(batch).counters
    }
}

/// An engine that is ready to run some work.
pub struct Ready<'a> {
    work: &'a Work,
    engine: &'a dyn Engine,
    loaded: Box<dyn Loaded + 'a>,
}

/// What came of a run.
#[derive(Clone, Debug, Default)]
pub struct Done {
    /// How many pairs were handed back.
    pub handed_back: u64,
    /// What the engine counted.
    pub counters: Counters,
}

impl Ready<'_> {
    /// Which engine it is.
    pub fn engine(&self) -> &'static str {
        self.engine.name()
    }

    /// What evaluates.
    pub fn loaded(&self) -> &dyn Loaded {
        &*self.loaded
    }

    /// How many samples a batch should have: as the engine wants, or so few that every thread of the
    /// pool finds several.
    pub fn batch(&self) -> usize {
        let several = self.work.samples.len() / (rayon::current_num_threads() * 4).max(1);
        self.engine.batch_size().unwrap_or(several.clamp(1, BATCH))
    }

    /// Runs every sample, in batches of some size, on the threads of the pool it is called in; what
    /// the engine hands back is evaluated as well.
    pub fn run(&self, batch: usize) -> Done {
        let each = |batch: &[Sample]| {
            let (rows, counters) = self.loaded.run(batch);
            // Looking at millions of cells, and dropping them, takes one thread long.
            let back = rows.into_par_iter().zip(batch).with_min_len(BATCH);
            let back = back.map(|(row, sample)| self.work.finish(sample, &row) as u64);
            Done { handed_back: back.sum(), counters }
        };
        let add = |mut a: Done, b: Done| {
            a.handed_back += b.handed_back;
            a.counters.add(&b.counters);
            a
        };
        let batches = self.work.samples.par_chunks(batch.max(1)).with_max_len(1);
        batches.map(each).reduce(Done::default, add)
    }

    /// Runs every sample as it is best; and how long that took.
    pub fn timed(&self) -> (f64, Done) {
        let started = Instant::now();
        let done = self.run(self.batch());
        (started.elapsed().as_secs_f64(), done)
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
pub fn on_threads<T: Send>(threads: Option<usize>, work: impl FnOnce() -> T + Send) -> Option<T> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads.unwrap_or(0))
        .stack_size(crate::verify::STACK)
        .build()
        .ok()?;
    Some(pool.install(work))
}
