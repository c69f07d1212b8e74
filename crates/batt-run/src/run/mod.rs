//! A run: batteries of programs on tasks, and what came of it.
//!
//! - [`library`]: programs and differs from files and folders, each with the task it is for
//! - [`plan`]: which program runs on which task, and the batteries that this makes
//! - [`coordinator`]: the samples of all batteries as one queue of batches for all threads
//! - [`outputs`]: the first pass: outputs, judged against what is known
//! - [`scores`]: the second pass: what differs say
//! - [`outcome`]: what one program makes of one task
//! - [`records`]: outputs and scores as lines of JSON; [`save`]: outputs that are whole or absent
//! - [`matrix`]: scores by program and task
//! - [`work`]: what it took, and what merging saved
//! - [`report`]: rows and totals, for people and for other programs

pub mod coordinator;
pub mod library;
pub mod matrix;
pub mod outcome;
pub mod outputs;
pub mod plan;
pub mod records;
pub mod report;
pub mod save;
pub mod scores;
pub mod work;

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use batt_lang::Program;
use batt_lang::card::{self, Card};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use thiserror::Error;

use crate::engine::{Engine, Phase};
use crate::reference::eval::{self, Policy};
use crate::stop::Stop;
use crate::tasks::Task;
use coordinator::{Dealt, Pass, Unit};
use library::Entry;
use outcome::{FirstError, Outcome, Samples};
use outputs::{Handed, Judge, Judged};
use plan::{Job, Plan};
use records::Lines;
use scores::{Diff, Scored, Scorer};
use work::{Timing, Work};

/// Enough for the deepest nesting that the limits let a value or a function have.
const STACK: usize = 256 << 20;

/// How to run.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// What evaluates batteries.
    pub engine: &'a dyn Engine,
    /// What an error does.
    pub policy: Policy,
    /// Whether the fusing rules are used.
    pub fuse: bool,
    /// How many threads; all cores if `None`.
    pub threads: Option<usize>,
    /// How many samples a batch has; follows the measured time if `None`.
    pub batch_size: Option<usize>,
    /// Says when to end. What was done by then is reported.
    pub stop: &'a Stop,
    /// What scores the outputs.
    pub differs: &'a [Program],
    /// Which samples are scored.
    pub diff: Diff,
    /// Whose first error is traced to its exact kind and line.
    pub explain: fn(&Outcome) -> bool,
}

/// Is told how far a run is.
pub trait Watch: Sync {
    /// A part of the run begins: its name, and how many results it has.
    fn begin(&self, what: &'static str, results: u64);
    /// So many more results are there.
    fn add(&self, results: u64);
}

/// What came of a run.
#[derive(Debug)]
pub struct Finished {
    /// One for every pair of the plan, in its order.
    pub outcomes: Vec<Outcome>,
    /// The scores, if there are differs.
    pub scored: Option<Scored>,
    /// How many pairs of a program and a sample the engine handed back.
    pub fallback: usize,
    /// The first of them.
    pub handed: Vec<Handed>,
    /// What it took.
    pub work: Work,
    /// How long its parts took.
    pub timing: Timing,
}

/// Why a run could not be finished.
#[derive(Debug, Error)]
pub enum RunError {
    /// The threads could not be started.
    #[error("cannot start threads: {0}")]
    Threads(String),
    /// The records could not be written.
    #[error("cannot write the records: {0}")]
    Records(#[from] io::Error),
}

/// Runs a plan. The results are the same for any number of threads, batch size and engine. With
/// `records`, samples whose output is not known are run too, and every output and score is written.
pub fn run(
    entries: &[Entry],
    tasks: &[Task],
    plan: &Plan,
    options: &Options,
    records: Option<&mut (dyn Write + Send)>,
    watch: &dyn Watch,
) -> Result<Finished, RunError> {
    let pool = ThreadPoolBuilder::new()
        .num_threads(options.threads.unwrap_or(0))
        .stack_size(STACK)
        .build()
        .map_err(|error| RunError::Threads(error.to_string()))?;
    let lines = records.map(Lines::new);
    let mut timing = Timing::default();
    let started = Instant::now();
    let samples: Vec<Samples> = pool.install(|| tasks.par_iter().map(Samples::of).collect());
    let jobs: Vec<Dealt> = pool.install(|| {
        plan.jobs.par_iter().map(|job| deal(entries, &samples, job, options)).collect()
    });
    timing.compile = started.elapsed().as_secs_f64();
    let whole = Whole { entries, tasks, plan, options, samples: &samples, jobs: &jobs, watch };
    let (mut judged, units) = whole.outputs(&pool, lines.as_ref(), &mut timing)?;
    let scored = if options.differs.is_empty() {
        None
    } else {
        Some(whole.scores(&pool, &units, &judged, lines.as_ref(), &mut timing)?)
    };
    pool.install(|| whole.explain(&mut judged.outcomes));
    let mut work = Work::of(&jobs, &judged);
    if let Some(scored) = &scored {
        work.score_rows = scored.rows;
        work.worker_bytes = work.worker_bytes.max(scored.worker_bytes);
    }
    Ok(Finished {
        outcomes: judged.outcomes,
        scored,
        fallback: judged.fallback,
        handed: judged.handed.into_iter().collect(),
        work,
        timing,
    })
}

/// Deals a job's programs and every differ for each of them.
fn deal<'a>(entries: &[Entry], samples: &[Samples], job: &'a Job, options: &Options) -> Dealt<'a> {
    let mut card = Card::new(card::Options { policy: options.policy, fuse: options.fuse });
    let programs: Vec<_> =
        job.programs.iter().map(|place| card.add(&entries[*place].program)).collect();
    for program in std::iter::once(None).chain(programs.into_iter().map(Some)) {
        for differ in options.differs {
            card.add_score(differ, program);
        }
    }
    let s = job.tasks.iter().map(|task| samples[*task].s.clone()).collect();
    Dealt { job, battery: card.deal(), s }
}

/// Everything that the passes of a run share.
struct Whole<'a> {
    entries: &'a [Entry],
    tasks: &'a [Task],
    plan: &'a Plan,
    options: &'a Options<'a>,
    samples: &'a [Samples],
    jobs: &'a [Dealt<'a>],
    watch: &'a dyn Watch,
}

impl Whole<'_> {
    fn outputs(
        &self,
        pool: &ThreadPool,
        lines: Option<&Lines>,
        timing: &mut Timing,
    ) -> Result<(Judged, Vec<Unit>), RunError> {
        let started = Instant::now();
        let units = self.units(lines.is_some());
        let judge = self.judge(&units);
        let judged = Mutex::new(Judged::new(self.plan, units.len()));
        self.pass("outputs", Phase::Outputs, &units, pool, lines, &|batch| {
            judge.add(batch, &judged, lines);
        })?;
        let mut judged = judged.into_inner().unwrap_or_else(PoisonError::into_inner);
        for (pair, outcome) in self.plan.pairs.iter().zip(&mut judged.outcomes) {
            outcome.missing = self.samples[pair.task].known() - outcome.samples().total;
        }
        timing.split(started.elapsed(), judged.times);
        Ok((judged, units))
    }

    fn scores(
        &self,
        pool: &ThreadPool,
        units: &[Unit],
        judged: &Judged,
        lines: Option<&Lines>,
        timing: &mut Timing,
    ) -> Result<Scored, RunError> {
        let started = Instant::now();
        let wanted = |(unit, matched): &(&Unit, &bool)| {
            let known = unit.find(self.jobs, self.samples).1.output.is_some();
            known && (**matched || self.options.diff == Diff::Always)
        };
        let units: Vec<Unit> =
            units.iter().zip(&judged.matched).filter(wanted).map(|(unit, _)| *unit).collect();
        let judge = self.judge(&units);
        let scorer = Scorer { judge: &judge, differs: self.options.differs };
        let mut scored = Scored::new(self.plan, self.tasks.len(), self.options.differs.len());
        scored.wanted = units.len();
        let scored = Mutex::new(scored);
        self.pass("scores", Phase::Scores, &units, pool, lines, &|batch| {
            scorer.add(batch, &scored, lines);
        })?;
        timing.scoring = started.elapsed().as_secs_f64();
        Ok(scored.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    fn judge<'b>(&'b self, units: &'b [Unit]) -> Judge<'b> {
        Judge {
            entries: self.entries,
            tasks: self.tasks,
            samples: self.samples,
            jobs: self.jobs,
            units,
            policy: self.options.policy,
            stop: self.options.stop,
        }
    }

    /// Every sample of every job; without `all`, those whose output is known.
    fn units(&self, all: bool) -> Vec<Unit> {
        let mut units = Vec::new();
        for (job, dealt) in self.jobs.iter().enumerate() {
            for (task, place) in dealt.job.tasks.iter().enumerate() {
                let items = self.samples[*place].items.iter().enumerate();
                let wanted = items.filter(|(_, item)| all || item.output.is_some());
                units.extend(wanted.map(|(sample, _)| Unit { job, task, sample }));
            }
        }
        units
    }

    fn pass(
        &self,
        what: &'static str,
        phase: Phase,
        units: &[Unit],
        pool: &ThreadPool,
        lines: Option<&Lines>,
        done: &(dyn Fn(coordinator::Batch) + Sync),
    ) -> Result<(), RunError> {
        let roots = |unit: &Unit| phase.roots(&self.jobs[unit.job].battery).len() as u64;
        let Options { engine, batch_size, .. } = *self.options;
        // Values are brought out only where records are written.
        let verdicts = lines.is_none();
        let by_job: Vec<u64> =
            (0..self.jobs.len()).map(|job| roots(&Unit { job, task: 0, sample: 0 })).collect();
        self.watch.begin(what, units.iter().map(|unit| by_job[unit.job]).sum());
        let pass = Pass {
            engine,
            phase,
            jobs: self.jobs,
            samples: self.samples,
            units,
            batch_size,
            verdicts,
            stop: self.options.stop,
        };
        let failed = || lines.is_some_and(Lines::failed);
        pass.run(pool, &failed, &|batch| {
            let results = units[batch.units.clone()].iter().map(|unit| by_job[unit.job]).sum();
            done(batch);
            self.watch.add(results);
        });
        Ok(lines.map_or(Ok(()), Lines::restart)?)
    }

    /// Sharing may change where an error is met first, so those that are shown come from the
    /// program run alone.
    fn explain(&self, outcomes: &mut [Outcome]) {
        self.plan.pairs.par_iter().zip(outcomes).for_each(|(pair, outcome)| {
            if !(self.options.explain)(outcome) {
                return;
            }
            let Some(error) = &mut outcome.error else { return };
            let Some(inputs) = self.samples[pair.task].inputs(error.sample) else { return };
            let program = &self.entries[pair.program].program;
            // Where it is said to stop, what the engine said of the error has to do.
            let alone = eval::run_until(program, &inputs, self.options.policy, self.options.stop);
            if let Some(Err(trouble)) = alone {
                *error = FirstError::new(trouble, error.sample);
            }
        });
    }
}
