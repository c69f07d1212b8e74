//! The public Python DSL against ours: the same programs on the same examples.
//!
//! Both sides are measured in CPU time of one thread, and evaluate only. Python runs each program
//! on its examples once. Here each program is a battery of its own; it runs once untimed and then
//! some times more, and the median counts. What the engine hands back is part of its time. The examples'
//! grids are ready on both sides: as tuples there, and here packed by the run that is not timed. To read
//! the clock can take longer than the shortest programs run, so those run several times between two
//! readings.

mod child;

use std::path::PathBuf;
use std::time::Duration;

use batt_lang::Program;
use batt_lang::card::{Card, Options};
use cpu_time::ThreadTime;
use serde::Serialize;
use thiserror::Error;

use super::work::{finish, on_threads};
use crate::engine::reference::Reference;
use crate::engine::{Cell, Engine, Phase, Sample, Setup};
use crate::stop::NEVER;
use crate::tasks::{Example, Task};

pub use child::{Child, python};

/// A program and the task whose examples it runs on.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// The program.
    pub program: &'a Program,
    /// The task.
    pub task: &'a Task,
}

impl<'a> Pair<'a> {
    fn examples(&self) -> impl Iterator<Item = &'a Example> + use<'a> {
        self.task.demos.iter().chain(&self.task.tests)
    }
}

/// What one program took, in seconds of CPU time.
#[derive(Clone, Debug, Serialize)]
pub struct ProgramRow {
    /// The task it is written for.
    pub task: String,
    /// Its examples.
    pub samples: usize,
    /// Python.
    pub python_s: f64,
    /// The engine, with what it handed back.
    pub batt_s: f64,
    /// The reference engine.
    pub reference_s: f64,
}

/// What both sides took, in seconds of CPU time.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// Python, all programs.
    pub python_cpu_s: f64,
    /// The engine, all programs.
    pub batt_cpu_s: f64,
    /// How many times as fast the engine is as Python.
    pub ratio: f64,
    /// The same without the program that takes Python longest.
    pub ratio_without_slowest: f64,
    /// The task of that program.
    pub slowest: String,
    /// How many examples were run; each program on those of its own task.
    pub samples: usize,
    /// How many programs.
    pub program_count: usize,
    /// The reference engine, all programs.
    pub reference_cpu_s: f64,
    /// How many times as fast the engine is as the reference engine.
    pub ratio_to_reference: f64,
    /// The same without the slowest program.
    pub ratio_to_reference_without_slowest: f64,
    /// Results that Python got wrong, errors among them.
    pub python_wrong: u64,
    /// Results that the engine got wrong, errors among them.
    pub batt_wrong: u64,
    /// Results that the engine handed back to the interpreter.
    pub handed_back: u64,
    /// The share of those.
    pub fallback_share: f64,
    /// Dealing all programs, each into a battery of its own.
    pub compile_s: f64,
    /// Readying the engine for all batteries.
    pub load_s: f64,
    /// The version of Python.
    pub python_version: String,
    /// By program, the slowest in Python first.
    pub programs: Vec<ProgramRow>,
}

/// Why nothing could be measured.
#[derive(Debug, Error)]
pub enum PythonError {
    /// The folder lacks a file.
    #[error("{}: there is no such file", .0.display())]
    Missing(PathBuf),
    /// Python could not be started.
    #[error("{} cannot be started: {source}", python.display())]
    NoPython {
        /// What was to be run.
        python: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// Python ended with an error.
    #[error("Python failed: {0}")]
    Failed(String),
    /// What Python is given could not be written.
    #[error("a file for Python cannot be written: {0}")]
    Write(#[from] std::io::Error),
    /// No program names a task.
    #[error("no program names a task of the data set")]
    Nothing,
    /// No thread could be started.
    #[error("no thread can be started")]
    NoThread,
}

/// Measures both sides.
pub fn compare(
    child: &Child,
    pairs: &[Pair],
    engine: &dyn Engine,
    repeats: usize,
) -> Result<Comparison, PythonError> {
    if pairs.is_empty() {
        return Err(PythonError::Nothing);
    }
    let theirs = python(child, pairs)?;
    let (ours, reference) = on_threads(Some(1), || {
        let ours: Vec<Ours> =
            pairs.iter().map(|pair| measure(engine, pair, true, repeats)).collect();
        let reference: Vec<Ours> =
            pairs.iter().map(|pair| measure(&Reference, pair, false, 1)).collect();
        (ours, reference)
    })
    .ok_or(PythonError::NoThread)?;
    let mut programs = Vec::with_capacity(pairs.len());
    for (((pair, python), ours), reference) in
        pairs.iter().zip(&theirs.programs).zip(&ours).zip(&reference)
    {
        programs.push(ProgramRow {
            task: pair.task.id.clone(),
            samples: pair.examples().count(),
            python_s: python.nanos as f64 / 1e9,
            batt_s: ours.run.as_secs_f64(),
            reference_s: reference.run.as_secs_f64(),
        });
    }
    programs.sort_by(|a, b| b.python_s.total_cmp(&a.python_s));
    let totals = Totals::of(&programs);
    let fast = programs.get(1..).map(Totals::of).unwrap_or_default();
    let sum = |of: fn(&Ours) -> u64| ours.iter().map(of).sum::<u64>();
    let time = |of: fn(&Ours) -> Duration| ours.iter().map(of).sum::<Duration>().as_secs_f64();
    let samples = programs.iter().map(|row| row.samples).sum();
    Ok(Comparison {
        python_cpu_s: totals.python,
        batt_cpu_s: totals.batt,
        ratio: totals.python / totals.batt,
        ratio_without_slowest: fast.python / fast.batt,
        slowest: programs[0].task.clone(),
        samples,
        program_count: programs.len(),
        reference_cpu_s: totals.reference,
        ratio_to_reference: totals.reference / totals.batt,
        ratio_to_reference_without_slowest: fast.reference / fast.batt,
        python_wrong: theirs.programs.iter().map(|program| program.wrong).sum(),
        batt_wrong: sum(|o| o.wrong),
        handed_back: sum(|o| o.handed_back),
        fallback_share: sum(|o| o.handed_back) as f64 / samples.max(1) as f64,
        compile_s: time(|o| o.compile),
        load_s: time(|o| o.load),
        python_version: theirs.version,
        programs,
    })
}

/// Sums over programs; never zero, so that there is always a ratio.
struct Totals {
    python: f64,
    batt: f64,
    reference: f64,
}

impl Default for Totals {
    fn default() -> Totals {
        Totals::of(&[])
    }
}

impl Totals {
    fn of(programs: &[ProgramRow]) -> Totals {
        let sum = |of: fn(&ProgramRow) -> f64| programs.iter().map(of).sum::<f64>().max(1e-9);
        Totals {
            python: sum(|p| p.python_s),
            batt: sum(|p| p.batt_s),
            reference: sum(|p| p.reference_s),
        }
    }
}

/// As long as this is timed at least, if that takes no more runs than `MOST_RUNS`.
const LEAST_TIME: Duration = Duration::from_micros(100);
const MOST_RUNS: u128 = 100;

/// What one program took here.
struct Ours {
    compile: Duration,
    load: Duration,
    run: Duration,
    handed_back: u64,
    wrong: u64,
}

fn measure(engine: &dyn Engine, pair: &Pair, warm: bool, repeats: usize) -> Ours {
    let programs = [pair.program.clone()];
    let tasks = [pair.task.pairs()];
    let sample = |example: &Example| Sample {
        task: 0,
        input: example.input.to_value(),
        compared: None,
        expected: example.output.as_ref().map(crate::tasks::Grid::to_value),
    };
    let samples: Vec<Sample> = pair.examples().map(sample).collect();
    let started = ThreadTime::now();
    let mut card = Card::new(Options::default());
    card.add(&programs[0]);
    let battery = card.deal();
    let compile = started.elapsed();
    let started = ThreadTime::now();
    let setup = Setup {
        battery: &battery,
        phase: Phase::Outputs,
        tasks: &tasks,
        timed: false,
        verdicts: true,
        stop: &NEVER,
    };
    let loaded = engine.load(setup);
    let load = started.elapsed();
    let run = || {
        let (rows, _) = loaded.run(&samples);
        let handed =
            samples.iter().zip(&rows).map(|(sample, row)| finish(&programs, &tasks, sample, row));
        let handed_back = handed.sum::<usize>() as u64;
        (rows, handed_back)
    };
    let mut runs = 1;
    if warm {
        run();
        let started = ThreadTime::now();
        run();
        let once = started.elapsed().as_nanos().max(1);
        runs = LEAST_TIME.as_nanos().div_ceil(once).min(MOST_RUNS) as u32;
    }
    let mut handed_back = 0;
    let mut wrong = 0;
    let mut times: Vec<Duration> = Vec::new();
    for _ in 0..repeats.max(1) {
        let started = ThreadTime::now();
        for _ in 1..runs {
            run();
        }
        let (rows, handed) = run();
        times.push(started.elapsed() / runs);
        handed_back = handed;
        let bad = |(sample, row): (&Sample, &Vec<Cell>)| is_wrong(sample, row.first());
        wrong = samples.iter().zip(&rows).filter(|pair| bad(*pair)).count() as u64;
    }
    times.sort();
    Ours { compile, load, run: times[times.len() / 2], handed_back, wrong }
}

/// Whether a cell is not what the sample expects; what was handed back is not judged.
fn is_wrong(sample: &Sample, cell: Option<&Cell>) -> bool {
    let Some(expected) = &sample.expected else { return false };
    match cell {
        Some(Cell::Value(value)) => value != expected,
        Some(Cell::Verdict(good)) => !good,
        Some(Cell::HandBack | Cell::Stopped) => false,
        Some(Cell::Error(..)) | None => true,
    }
}
