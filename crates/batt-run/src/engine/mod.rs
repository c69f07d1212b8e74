//! Engines: what evaluates a battery on samples.
//!
//! An [`Engine`] loads one pass of a battery for a set of tasks and then runs it on any samples of
//! those tasks. What an engine cannot hold it hands back ([`Cell::HandBack`]); the coordinator then
//! runs that program alone on the reference interpreter, for that sample only.

pub mod auto;
mod check;
pub mod cpu;
pub mod cuda;
mod drawn;
mod effects;
mod forms;
pub mod mark;
mod readers;
pub mod reference;
mod rewrites;
mod seen;
mod shortcuts;
pub mod spent;
mod unknown;

use batt_lang::battery::{Battery, Pass};
use batt_lang::graph::SlotId;
use batt_lang::{Fault, Value};
use mark::Mark;
use spent::DeviceReport;
use thiserror::Error;

use crate::stop::{NEVER, Stop};

/// A row's value: a value, an error with the slot where it began, or neither.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// A value.
    Value(Value),
    /// An error, and the slot where it began.
    Error(Fault, SlotId),
    /// Whether it equals what the sample expects, where only that was asked for.
    Verdict(bool),
    /// The engine cannot hold this; the reference interpreter must decide.
    HandBack,
    /// The work was stopped before this was known.
    Stopped,
}

impl Cell {
    /// What a differ gave, without its detail; what is no score is no pair either.
    fn score(score: Option<i32>) -> Cell {
        Cell::Value(score.map_or(Value::Null, |score| Value::Pair(score, 0)))
    }
}

/// One sample: an input of a task, and what differs compare with.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The task, by its place among the tasks that were loaded.
    pub task: usize,
    /// I.
    pub input: Value,
    /// C, in the scoring pass.
    pub compared: Option<Value>,
    /// What a program should give, where it is known.
    pub expected: Option<Value>,
}

/// Which pass of a battery to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The programs' outputs.
    Outputs,
    /// The scores; every sample must have its C.
    Scores,
}

impl Phase {
    /// The pass that the phase runs.
    pub fn pass(self, battery: &Battery) -> &Pass {
        match self {
            Phase::Outputs => battery.outputs(),
            Phase::Scores => battery.scoring(),
        }
    }

    /// The slots that the phase reports, in order.
    pub fn roots(self, battery: &Battery) -> Vec<SlotId> {
        match self {
            Phase::Outputs => battery.programs().iter().map(|p| p.output).collect(),
            Phase::Scores => battery.scores().iter().map(|s| s.value).collect(),
        }
    }
}

/// What one slot took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SlotCount {
    /// Rows evaluated.
    pub rows: u64,
    /// Time spent, where it was asked for.
    pub nanos: u64,
    /// Results that were handed back because of this slot.
    pub handed_back: u64,
}

/// The slowest of a slot's steps: each fills a column, or a piece of one in a loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slowest {
    /// The time of the step that took longest.
    pub nanos: u64,
    /// Its rows.
    pub rows: u64,
    /// The most time that a step took for each of its rows.
    pub nanos_per_row: u64,
}

impl Slowest {
    /// Takes a step into account.
    pub fn see(&mut self, nanos: u64, rows: u64) {
        if nanos > self.nanos {
            (self.nanos, self.rows) = (nanos, rows);
        }
        self.nanos_per_row = self.nanos_per_row.max(nanos / rows.max(1));
    }

    /// Takes the slowest of other steps into account.
    pub fn add(&mut self, other: &Slowest) {
        self.see(other.nanos, other.rows);
        self.nanos_per_row = self.nanos_per_row.max(other.nanos_per_row);
    }
}

/// What an engine counts while it runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// By slot.
    pub slots: Vec<SlotCount>,
    /// The slowest step of each slot, where time was asked for.
    pub slowest: Vec<Slowest>,
    /// The most bytes that one worker held at a time: values, columns and rows of frames.
    pub worker_bytes: u64,
    /// What a device did, where there is one.
    pub device: DeviceWork,
    /// Of one run: the pairs that a device handed back and the CPU engine answered, as the places of
    /// the sample and of the root.
    pub again: Vec<(usize, usize)>,
}

/// What a device did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DeviceWork {
    /// Kernels started.
    pub kernels: u64,
    /// Rows evaluated there.
    pub rows: u64,
    /// Bytes copied to it.
    pub bytes_up: u64,
    /// Bytes copied back.
    pub bytes_down: u64,
    /// Time from the first copy to the last.
    pub nanos: u64,
    /// Time that kernels ran, which is part of it.
    pub kernel_nanos: u64,
    /// How often a chunk was split because it did not fit.
    pub splits: u64,
    /// Samples that did not fit alone.
    pub too_large: u64,
    /// Results that cores gave meanwhile; not those that were handed back to them.
    pub core_pairs: u64,
    /// Time of a core that they took.
    pub core_nanos: u64,
}

impl DeviceWork {
    fn add(&mut self, other: &DeviceWork) {
        self.kernels += other.kernels;
        self.rows += other.rows;
        self.bytes_up += other.bytes_up;
        self.bytes_down += other.bytes_down;
        self.nanos += other.nanos;
        self.kernel_nanos += other.kernel_nanos;
        self.splits += other.splits;
        self.too_large += other.too_large;
        self.core_pairs += other.core_pairs;
        self.core_nanos += other.core_nanos;
    }
}

impl Counters {
    /// Rows evaluated in all.
    pub fn rows(&self) -> u64 {
        self.slots.iter().map(|slot| slot.rows).sum()
    }

    /// Adds what another run counted; places mean nothing beyond one run.
    pub fn add(&mut self, other: &Counters) {
        if self.slots.len() < other.slots.len() {
            self.slots.resize(other.slots.len(), SlotCount::default());
        }
        for (mine, theirs) in self.slots.iter_mut().zip(&other.slots) {
            mine.rows += theirs.rows;
            mine.nanos += theirs.nanos;
            mine.handed_back += theirs.handed_back;
        }
        if self.slowest.len() < other.slowest.len() {
            self.slowest.resize(other.slowest.len(), Slowest::default());
        }
        for (mine, theirs) in self.slowest.iter_mut().zip(&other.slowest) {
            mine.add(theirs);
        }
        self.worker_bytes = self.worker_bytes.max(other.worker_bytes);
        self.device.add(&other.device);
    }
}

/// What to ready an engine for.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// The battery.
    pub battery: &'a Battery,
    /// Which pass of it.
    pub phase: Phase,
    /// S of every task, by the place that samples name.
    pub tasks: &'a [Value],
    /// Whether to measure time by slot.
    pub timed: bool,
    /// Whether it is enough to say if values equal what their samples expect, or what scores are. An
    /// engine may give [`Cell::Verdict`] and [`Cell::score`] then, and need not bring the values out.
    pub verdicts: bool,
    /// Says when to end early. What is not known then is [`Cell::Stopped`], or no mark; what was known
    /// before may be given.
    pub stop: &'a Stop,
}

impl Setup<'_> {
    /// Whether scores are asked for without their details.
    pub fn only_scores(&self) -> bool {
        self.verdicts && self.phase == Phase::Scores
    }
}

/// An engine whose work ends when that is said.
#[derive(Clone, Copy)]
pub struct Stoppable<'a> {
    /// The engine.
    pub engine: &'a dyn Engine,
    /// Says when to end.
    pub stop: &'a Stop,
}

impl<'a> Stoppable<'a> {
    /// An engine that goes on to the end.
    pub fn never(engine: &'a dyn Engine) -> Stoppable<'a> {
        Stoppable { engine, stop: &NEVER }
    }
}

/// An amount of work, for an engine that chooses by it.
#[derive(Clone, Copy, Debug)]
pub struct Amount<'a> {
    /// The battery.
    pub battery: &'a Battery,
    /// Which pass of it.
    pub phase: Phase,
    /// How many samples there are in all.
    pub samples: usize,
    /// How many threads share them.
    pub threads: usize,
}

/// What one sample gave: a cell for every root of the phase.
pub type Row = Vec<Cell>;

/// Something that evaluates batteries.
pub trait Engine: Send + Sync {
    /// Its name in reports.
    fn name(&self) -> &'static str;

    /// What went wrong so that another engine had to do the work.
    fn trouble(&self) -> Vec<String> {
        Vec::new()
    }

    /// What its devices did so far, where it has any.
    fn device_report(&self) -> Option<DeviceReport> {
        None
    }

    /// The engine that does some work, where this one chooses among several. Who asks loads that one.
    fn pick(&self, _work: &Amount<'_>) -> Option<&dyn Engine> {
        None
    }

    /// What was chosen so far, and why.
    fn choices(&self) -> Vec<String> {
        Vec::new()
    }

    /// How many samples it wants at a time, if it does not matter how long they take.
    fn batch_size(&self) -> Option<usize> {
        None
    }

    /// Readies one pass of a battery for some tasks.
    fn load<'a>(&'a self, setup: Setup<'a>) -> Box<dyn Loaded + 'a>;
}

/// The engine of a name, with the usual share of a device's memory.
pub fn engine(name: &str) -> Result<Box<dyn Engine>, NoEngine> {
    open(name, cuda::Room::default())
}

/// The engine of a name; `auto` chooses by the amount of work. Devices give it so much of their memory, and
/// the cores take part of what they do.
pub fn open(name: &str, room: cuda::Room) -> Result<Box<dyn Engine>, NoEngine> {
    open_with(name, room, true)
}

/// The same; without `cores` those only do what devices hand back.
pub fn open_with(name: &str, room: cuda::Room, cores: bool) -> Result<Box<dyn Engine>, NoEngine> {
    match name {
        "reference" => Ok(Box::new(reference::Reference)),
        "auto" => Ok(Box::new(auto::here(room, cores))),
        "cpu" => Ok(Box::new(cpu::Cpu::default())),
        "emulator" => Ok(Box::new(cuda::emulated(room).map_err(NoEngine::device)?)),
        _ if name.starts_with("cuda") => {
            let which =
                name.parse::<cuda::Which>().map_err(|e| NoEngine::Unknown(e.to_string()))?;
            let engine = cuda::open(&which, room).map_err(NoEngine::device)?;
            Ok(Box::new(if cores { engine } else { engine.with_cores(0) }))
        }
        _ => Err(NoEngine::Unknown(format!("there is no engine called {name}"))),
    }
}

/// Why there is no such engine.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoEngine {
    /// There is no device that it could use.
    #[error("no GPU can be used: {0}")]
    NoDevice(String),
    /// Nobody knows it.
    #[error("{0}")]
    Unknown(String),
}

impl NoEngine {
    #[expect(clippy::needless_pass_by_value, reason = "it is what `map_err` gives")]
    fn device(why: cuda::Failure) -> NoEngine {
        NoEngine::NoDevice(why.to_string())
    }
}

/// A pass of a battery, ready to run on samples of its tasks. Runs on any number of threads.
pub trait Loaded: Send + Sync {
    /// Evaluates a batch; the rows are in the order of the samples.
    fn run(&self, samples: &[Sample]) -> (Vec<Row>, Counters);

    /// How every output resembles what its sample expects, in the order of the samples; `None` where
    /// the engine hands back. The pass must not be loaded for verdicts.
    fn marks(&self, samples: &[Sample]) -> (Vec<Vec<Option<Mark>>>, Counters) {
        let (rows, counters) = self.run(samples);
        let marks = |(row, sample): (Row, &Sample)| {
            row.iter().map(|cell| Mark::of_cell(cell, sample.expected.as_ref())).collect()
        };
        (rows.into_iter().zip(samples).map(marks).collect(), counters)
    }
}
