//! A battery together with its programs: merged once, run on any samples.
//!
//! ```
//! use batt::battery::{Battery, Options, Sample};
//! use batt::lang::canonical::Canonical;
//! use batt::run::engine::engine;
//! use batt::run::tasks;
//!
//! let program = Canonical::read("def solve(I):\n    return hmirror(I)\n").unwrap().program().clone();
//! let battery = Battery::new(vec![program]);
//! let data = tasks::embedded();
//! let samples = Sample::all(data.tasks());
//! let engine = engine("cpu")?;
//! let results = battery.run(&samples, &Options::on(&*engine))?;
//! assert_eq!(results.outputs.len(), samples.len());
//! println!("{} of {} samples are right", results.right(), samples.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::lang::battery::Battery as Merged;
use crate::lang::card::{Card, Options as CardOptions};
use crate::lang::{Program, Value};
use crate::run::engine::{Amount, Cell, Engine, Phase, Row, Sample as EngineSample, Setup};
use crate::run::reference::eval::{self, Inputs};
use crate::run::run::coordinator::{Batch, Dealt, Pass, Unit};
use crate::run::run::outcome::{FirstError, Item, SampleId, Samples};
use crate::run::run::plan::Job;
use crate::run::run::scores::Score;
use crate::run::stop::{NEVER, Stop};
use crate::run::tasks::Task;

/// Enough for the deepest nesting that the limits let a value or a function have.
const STACK: usize = 256 << 20;

/// Values in a chunk that a thread takes.
const CHUNK: usize = 256;

/// Programs and the differs that score them, merged so that no expression is computed twice.
pub struct Battery {
    programs: Vec<Program>,
    differs: Vec<Program>,
    options: CardOptions,
    merged: Merged,
}

/// A demo or a test of a task.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// The task, whose demos are the program's S.
    pub task: &'a Task,
    /// Which of its samples.
    pub id: SampleId,
}

impl<'a> Sample<'a> {
    /// Every sample of some tasks, the demos of each before its tests.
    pub fn all(tasks: &'a [Task]) -> Vec<Sample<'a>> {
        let of = |task: &'a Task| {
            let demos = (0..task.demos.len()).map(SampleId::Demo);
            let tests = (0..task.tests.len()).map(SampleId::Test);
            demos.chain(tests).map(move |id| Sample { task, id })
        };
        tasks.iter().flat_map(of).collect()
    }
}

/// How to run a battery.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// What evaluates it.
    pub engine: &'a dyn Engine,
    /// How many threads; all cores if `None`.
    pub threads: Option<usize>,
    /// Says when to end. What is not known then is left out.
    pub stop: &'a Stop,
    /// Whether the outputs themselves are wanted, not only whether they are right.
    pub values: bool,
}

impl<'a> Options<'a> {
    /// All outputs, on all cores.
    pub fn on(engine: &'a dyn Engine) -> Options<'a> {
        Options { engine, threads: None, stop: &NEVER, values: true }
    }
}

/// What a program gives on a sample.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// A value.
    Value(Value),
    /// Whether it is what is expected, where only that was asked for.
    Right(bool),
    /// An error.
    Error(FirstError),
    /// Nothing: the run was stopped before.
    Missing,
}

/// Where an output or a score belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The sample, by its place among those of the run.
    pub sample: usize,
    /// The program, by its place in the battery.
    pub program: usize,
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Results {
    /// How many samples there were.
    pub samples: usize,
    /// Program by program, sample by sample.
    pub outputs: Vec<Output>,
    /// Which of them are what is expected, in the same order; `None` where that is not known.
    pub judged: Vec<Option<bool>>,
    /// Program by program, sample by sample, differ by differ.
    pub scores: Vec<Option<i32>>,
}

impl Results {
    /// How many outputs are what is expected.
    pub fn right(&self) -> usize {
        self.judged.iter().filter(|right| **right == Some(true)).count()
    }

    /// What a program gave on a sample.
    pub fn output(&self, place: Place) -> &Output {
        &self.outputs[place.program * self.samples + place.sample]
    }
}

/// Takes what comes of a run, in any order and from any thread.
pub trait Sink: Sync {
    /// What a program gave on a sample, and whether that is what is expected, where it is known.
    fn output(&self, place: Place, output: Output, right: Option<bool>);
    /// What a differ says of that output, if it is a score.
    fn score(&self, place: Place, differ: usize, score: Option<i32>);
}

/// Why a battery could not be run.
#[derive(Debug, thiserror::Error)]
#[error("cannot start threads: {0}")]
pub struct NoThreads(String);

impl Battery {
    /// The battery of some programs, without differs.
    pub fn new(programs: Vec<Program>) -> Battery {
        Battery::with(programs, Vec::new(), CardOptions::default())
    }

    /// The battery of some programs, each of which is scored by all differs.
    pub fn with(programs: Vec<Program>, differs: Vec<Program>, options: CardOptions) -> Battery {
        let mut card = Card::new(options);
        let ids: Vec<_> = programs.iter().map(|program| card.add(program)).collect();
        for id in ids {
            for differ in &differs {
                card.add_score(differ, Some(id));
            }
        }
        let merged = card.deal();
        Battery { programs, differs, options, merged }
    }

    /// The programs, in the order of the outputs.
    pub fn programs(&self) -> &[Program] {
        &self.programs
    }

    /// The differs, in the order of the scores.
    pub fn differs(&self) -> &[Program] {
        &self.differs
    }

    /// The merged form.
    pub fn merged(&self) -> &Merged {
        &self.merged
    }

    /// Runs every program on every sample, and every differ on what it gives where the output is known.
    pub fn run(&self, samples: &[Sample], options: &Options) -> Result<Results, NoThreads> {
        let (pairs, differs) = (self.programs.len() * samples.len(), self.differs.len());
        let results = Mutex::new(Results {
            samples: samples.len(),
            outputs: vec![Output::Missing; pairs],
            judged: vec![None; pairs],
            scores: vec![None; pairs * differs],
        });
        self.run_into(samples, options, &Collect { results: &results, differs })?;
        Ok(results.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// What its first program gives on each of these inputs, which need not be grids; `None` for an error or
    /// where it was stopped.
    pub fn map(
        &self,
        inputs: Vec<Value>,
        options: &Options,
    ) -> Result<Vec<Option<Value>>, NoThreads> {
        let pool = pool(options)?;
        let s = [Value::empty_tuple()];
        let amount = Amount {
            battery: &self.merged,
            phase: Phase::Outputs,
            samples: inputs.len(),
            threads: pool.current_num_threads(),
        };
        let engine = options.engine.pick(&amount).unwrap_or(options.engine);
        let loaded = engine.load(Setup {
            battery: &self.merged,
            phase: Phase::Outputs,
            tasks: &s,
            timed: false,
            verdicts: false,
            stop: options.stop,
        });
        let sample = |input| EngineSample { task: 0, input, compared: None, expected: None };
        let samples: Vec<EngineSample> = inputs.into_iter().map(sample).collect();
        let alone = |sample: &EngineSample| {
            let inputs = Inputs { s: &s[0], i: &sample.input, c: None };
            eval::run_until(&self.programs[0], &inputs, self.options.policy, options.stop)?.ok()
        };
        let run = |samples: &[EngineSample]| {
            let (rows, _) = loaded.run(samples);
            let value = |(sample, row): (&EngineSample, Row)| match row.into_iter().next()? {
                Cell::Value(value) => Some(value),
                Cell::HandBack => alone(sample),
                Cell::Error(..) | Cell::Verdict(_) | Cell::Stopped => None,
            };
            samples.iter().zip(rows).map(value).collect::<Vec<_>>()
        };
        let size = engine.batch_size().unwrap_or(CHUNK).max(1);
        let given: Vec<Vec<Option<Value>>> =
            pool.install(|| samples.par_chunks(size).map(run).collect());
        Ok(given.into_iter().flatten().collect())
    }

    /// The same, each result handed over as it comes.
    pub fn run_into(
        &self,
        samples: &[Sample],
        options: &Options,
        sink: &dyn Sink,
    ) -> Result<(), NoThreads> {
        let pool = pool(options)?;
        let (known, units) = group(samples);
        let job = Job {
            programs: (0..self.programs.len()).collect(),
            tasks: (0..known.len()).collect(),
            pairs: Vec::new(),
        };
        let s = known.iter().map(|task| task.s.clone()).collect();
        let dealt = [Dealt { job: &job, battery: self.merged.clone(), s }];
        let all: Vec<usize> = (0..units.len()).collect();
        let run = Run { battery: self, known: &known, jobs: &dealt, options, sink };
        run.pass(&pool, Phase::Outputs, &units, &all);
        if !self.differs.is_empty() {
            let is_known = |at: &usize| units[*at].find(&dealt, &known).1.output.is_some();
            let scored: Vec<usize> = all.into_iter().filter(is_known).collect();
            run.pass(&pool, Phase::Scores, &units, &scored);
        }
        Ok(())
    }
}

fn pool(options: &Options) -> Result<ThreadPool, NoThreads> {
    let threads = options.threads.unwrap_or(0);
    let pool = ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build();
    pool.map_err(|error| NoThreads(error.to_string()))
}

/// The tasks of samples, each once, and where every sample is among them.
fn group(samples: &[Sample]) -> (Vec<Samples>, Vec<Unit>) {
    let mut places = std::collections::HashMap::new();
    let mut known: Vec<Samples> = Vec::new();
    let units = samples.iter().map(|sample| {
        let task = *places.entry(std::ptr::from_ref(sample.task)).or_insert_with(|| {
            known.push(Samples::of(sample.task));
            known.len() - 1
        });
        let at = match sample.id {
            SampleId::Demo(n) => n,
            SampleId::Test(n) => sample.task.demos.len() + n,
        };
        Unit { job: 0, task, sample: at }
    });
    let units = units.collect();
    (known, units)
}

/// What the passes of a run share.
struct Run<'a> {
    battery: &'a Battery,
    known: &'a [Samples],
    jobs: &'a [Dealt<'a>],
    options: &'a Options<'a>,
    sink: &'a dyn Sink,
}

impl Run<'_> {
    /// Runs a phase on some of the units.
    fn pass(&self, pool: &ThreadPool, phase: Phase, units: &[Unit], which: &[usize]) {
        let units: Vec<Unit> = which.iter().map(|at| units[*at]).collect();
        let pass = Pass {
            engine: self.options.engine,
            phase,
            jobs: self.jobs,
            samples: self.known,
            units: &units,
            batch_size: None,
            verdicts: !self.options.values,
            stop: self.options.stop,
        };
        pass.run(pool, &|| false, &|batch: Batch| {
            for (at, row) in batch.units.zip(batch.rows) {
                for (root, cell) in row.into_iter().enumerate() {
                    match phase {
                        Phase::Outputs => {
                            let place = Place { sample: which[at], program: root };
                            self.output(place, units[at], cell);
                        }
                        Phase::Scores => self.score(which[at], units[at], root, cell),
                    }
                }
            }
        });
    }

    /// The task's samples, and this one.
    fn find(&self, unit: Unit) -> (&Samples, &Item) {
        unit.find(self.jobs, self.known)
    }

    fn output(&self, place: Place, unit: Unit, cell: Cell) {
        let (_, item) = self.find(unit);
        let output = match cell {
            Cell::Value(value) => Output::Value(value),
            Cell::Verdict(right) => Output::Right(right),
            Cell::Stopped => Output::Missing,
            Cell::Error(fault, slot) => {
                let entry = &self.jobs[0].battery.programs()[place.program];
                let line = entry.line_of(slot).unwrap_or(self.battery.programs[place.program].line);
                Output::Error(FirstError {
                    kind: fault.kind,
                    what: fault.what,
                    line,
                    sample: item.id,
                })
            }
            Cell::HandBack => match self.alone(unit, place.program) {
                Some(Ok(value)) => Output::Value(value),
                Some(Err(trouble)) => Output::Error(FirstError::new(trouble, item.id)),
                None => Output::Missing,
            },
        };
        let right = match (&output, &item.output) {
            (_, None) | (Output::Missing, _) => None,
            (Output::Value(value), Some(expected)) => Some(value == expected),
            (Output::Right(right), _) => Some(*right),
            (Output::Error(_), _) => Some(false),
        };
        self.sink.output(place, output, right);
    }

    /// What a program gives by the interpreter.
    fn alone(&self, unit: Unit, program: usize) -> Option<eval::Outcome> {
        let (samples, item) = self.find(unit);
        let policy = self.battery.options.policy;
        let program = &self.battery.programs[program];
        eval::run_until(program, &samples.inputs_of(item), policy, self.options.stop)
    }

    fn score(&self, sample: usize, unit: Unit, root: usize, cell: Cell) {
        let differs = self.battery.differs.len();
        let (program, differ) = (root / differs, root % differs);
        let score = match cell {
            Cell::Value(value) => Score::of(&value),
            Cell::Error(..) | Cell::Verdict(_) | Cell::Stopped => None,
            Cell::HandBack => self.scored_alone(unit, program, differ),
        };
        let place = Place { sample, program };
        self.sink.score(place, differ, score.map(|score| score.score));
    }

    /// A score by the interpreter.
    fn scored_alone(&self, unit: Unit, program: usize, differ: usize) -> Option<Score> {
        let (samples, item) = self.find(unit);
        let output = self.alone(unit, program)?.ok()?;
        let inputs = Inputs { s: &samples.s, i: &output, c: item.output.as_ref() };
        let policy = self.battery.options.policy;
        let differ = &self.battery.differs[differ];
        let value = eval::run_until(differ, &inputs, policy, self.options.stop)?.ok()?;
        Score::of(&value)
    }
}

/// Puts everything in its place.
struct Collect<'a> {
    results: &'a Mutex<Results>,
    differs: usize,
}

impl Sink for Collect<'_> {
    fn output(&self, place: Place, output: Output, right: Option<bool>) {
        let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        let at = place.program * results.samples + place.sample;
        results.outputs[at] = output;
        results.judged[at] = right;
    }

    fn score(&self, place: Place, differ: usize, score: Option<i32>) {
        let mut results = self.results.lock().unwrap_or_else(PoisonError::into_inner);
        let at = (place.program * results.samples + place.sample) * self.differs + differ;
        results.scores[at] = score;
    }
}
