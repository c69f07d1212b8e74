//! A run: generations of every task on every island, committed to an archive.
//!
//! A run is decided by its seed, its configuration, its seeds and its data. Threads, the engine, and
//! when it is stopped and resumed change nothing: all of a unit's choices come from dice that are
//! thrown for that unit, generation and child, units see of each other only what was there when the
//! generation began, and a checkpoint holds all that the next generation depends on.
//!
//! - [`config`]: what decides a run
//! - [`seeds`]: what it starts from
//! - [`totals`]: what came of it so far
//! - [`pace`]: how fast it goes
//! - [`worker`]: units that are bred elsewhere, and `remote`: what is sent there and comes back
//! - `share`: what units are told when a generation begins, and what is made of what they give
//! - `counting`: the engine, with a count of its rows
//! - `state`: the checkpoint

pub mod config;
mod counting;
pub mod pace;
mod remote;
pub mod seeds;
mod share;
mod state;
pub mod totals;
pub mod worker;

use std::cmp::Reverse;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use batt_lang::Program;
use batt_run::engine::{Engine, Stoppable};
use batt_run::stop::{NEVER, Stop};
use batt_run::tasks::Dataset;
use rayon::ThreadPool;
use rayon::prelude::*;
use thiserror::Error;

pub use config::Config;
use counting::Counting;
pub use pace::Pace;
pub use seeds::Seed;
pub use totals::Totals;
pub use worker::Worker;

use crate::archive::{Archive, ArchiveError, Found, Generation, LANGUAGE, Run, RunId, TestFound};
use crate::breed::unit::Around;
use crate::breed::{Disagreement, Step, TaskContext, Unit};

/// Why a run could not go on.
#[derive(Debug, Error)]
pub enum EvolveError {
    /// The archive said no.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The threads could not be started.
    #[error("cannot start threads: {0}")]
    Threads(String),
    /// There is nothing to breed for.
    #[error("there are no tasks with demos")]
    NoTasks,
    /// The run was begun before, and it was not said that it should go on.
    #[error("run {0} was begun before and stands at generation {1}")]
    Begun(RunId, u32),
    /// There is no such run in the archive, or nothing that it could go on from.
    #[error("the archive has nothing of run {0} to go on from")]
    NothingToResume(RunId),
    /// The run was bred by a version that searches in another way.
    #[error(
        "run {0} was bred by another version of batt, which searches otherwise: it cannot go on here"
    )]
    OtherVersion(String),
    /// The checkpoint is not one.
    #[error("the checkpoint of run {0} cannot be read")]
    BadState(RunId),
}

/// When to stop.
#[derive(Clone, Copy, Debug, Default)]
pub struct Until {
    /// After this generation.
    pub generations: Option<u32>,
    /// Once every task is solved.
    pub solved: bool,
}

/// Is told what happens.
pub trait Watch {
    /// A generation is done.
    fn generation(&mut self, progress: &Progress);

    /// An engine or a digest and the interpreter disagree about a program.
    fn disagreement(&mut self, _disagreement: &Disagreement) {}
}

/// The programs that a unit evaluated in a generation.
#[derive(Clone, Debug)]
pub struct Bred {
    /// The task, by its place among those of the run.
    pub task: usize,
    /// The programs.
    pub programs: Vec<Program>,
}

/// Where a run stands after a generation.
#[derive(Debug)]
pub struct Progress<'a> {
    /// The generation that was done.
    pub generation: u32,
    /// What came of the run so far.
    pub totals: &'a Totals,
    /// The units, by task and then by island.
    pub units: &'a [Unit],
    /// The tasks.
    pub tasks: &'a [TaskContext],
    /// How long this process has been breeding.
    pub elapsed: Duration,
    /// Candidates that this process evaluated.
    pub candidates: u64,
    /// How fast this process goes, on the whole and at present.
    pub pace: &'a Pace,
    /// How long the archive took of that.
    pub archive_time: Duration,
    /// How many islands there are.
    pub islands: usize,
}

impl Progress<'_> {
    /// How many tasks are solved by a program that was handed to the archive.
    pub fn solved(&self) -> usize {
        self.units.chunks(self.islands).filter(|units| units.iter().any(Unit::solved)).count()
    }
}

/// Programs of a generation that wait for the archive.
#[derive(Debug)]
struct Pending {
    number: u32,
    found: Vec<Found>,
    tests: Vec<TestFound>,
}

/// A run that is under way.
pub struct Evolution<'a> {
    config: Config,
    engine: Counting<'a>,
    tasks: Vec<TaskContext>,
    seeds: Vec<Seed>,
    data: String,
    units: Vec<Unit>,
    /// The generation that comes next.
    next: u32,
    totals: Totals,
    pending: Vec<Pending>,
    /// What is still to be told of.
    disagreements: Vec<Disagreement>,
    threads: ThreadPool,
    started: Instant,
    candidates: u64,
    pace: Pace,
    /// What came from elsewhere of the generation that comes next.
    arrived: remote::Arrived,
    /// How long the threads bred, all of them together.
    busy: Duration,
    /// How long every unit's last generation took.
    took: Vec<Duration>,
    archive_time: Duration,
}

impl<'a> Evolution<'a> {
    /// Readies a run on the tasks of a data set that have demos.
    pub fn new(
        config: Config,
        engine: &'a dyn Engine,
        data: &Dataset,
        seeds: Vec<Seed>,
        threads: Option<usize>,
    ) -> Result<Evolution<'a>, EvolveError> {
        let tasks = share::contexts(data.tasks())?;
        let threads = share::threads(threads)?;
        let memory = config.memory(tasks.len());
        let place = |task| (0..config.islands).map(move |island| Unit::new(task, island, memory));
        let units: Vec<Unit> = (0..tasks.len()).flat_map(place).collect();
        Ok(Evolution {
            config,
            engine: Counting::new(engine),
            tasks,
            seeds,
            data: data.hash.to_string(),
            took: vec![Duration::ZERO; units.len()],
            arrived: remote::Arrived::default(),
            units,
            next: 0,
            totals: Totals::default(),
            pending: Vec::new(),
            pace: Pace::new(threads.current_num_threads()),
            disagreements: Vec::new(),
            threads,
            started: Instant::now(),
            candidates: 0,
            busy: Duration::ZERO,
            archive_time: Duration::ZERO,
        })
    }

    /// Finds or begins the run in an archive. One that was begun goes on only if `resume` says so.
    pub fn open(&mut self, archive: &mut Archive, resume: bool) -> Result<RunId, EvolveError> {
        let started = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_secs());
        let run = Run {
            seed: self.config.seed,
            configuration: self.configuration(),
            language: LANGUAGE.to_string(),
            data: self.data.clone(),
            device: self.engine.name().to_string(),
            host: String::new(),
            started,
        };
        if resume && let Some(other) = other_version(archive, &run)? {
            return Err(EvolveError::OtherVersion(other));
        }
        let id = run.id();
        let checkpoint = archive.resume(&id)?;
        if resume && checkpoint.is_none() && !only_begun(archive, &id)? {
            return Err(EvolveError::NothingToResume(id));
        }
        archive.begin(&run)?;
        if let Some(checkpoint) = checkpoint {
            if !resume {
                return Err(EvolveError::Begun(id, checkpoint.generation));
            }
            if self.restore(&checkpoint.state).is_none() {
                return Err(EvolveError::BadState(id));
            }
        }
        Ok(id)
    }

    /// Breeds until it is time to stop, and leaves everything in the archive. A generation that is stopped
    /// is undone, so that what follows is the same whenever that is.
    pub fn run(
        &mut self,
        archive: &mut Archive,
        id: &RunId,
        until: Until,
        stop: &Stop,
        watch: &mut dyn Watch,
    ) -> Result<(), EvolveError> {
        self.started = Instant::now();
        let mut committed = Instant::now();
        let mut took = Duration::ZERO;
        while !self.is_done(until) && self.generation(stop) {
            self.tell(watch);
            // Commits cost little against what lies between them, however large the state is.
            let pause = self.config.checkpoint.max(took * 20);
            if committed.elapsed() >= pause {
                took = self.commit(archive, id)?;
                committed = Instant::now();
            }
        }
        self.commit(archive, id)?;
        Ok(())
    }

    /// Breeds until it is time to stop; nothing is kept but where the run stands.
    pub fn breed(&mut self, until: Until, stop: &Stop, watch: &mut dyn Watch) {
        self.started = Instant::now();
        while !self.is_done(until) && self.generation(stop) {
            self.pending.clear();
            self.tell(watch);
        }
    }

    fn tell(&mut self, watch: &mut dyn Watch) {
        watch.generation(&self.progress());
        self.disagreements.drain(..).for_each(|one| watch.disagreement(&one));
    }

    /// Whether it is time to stop.
    pub fn is_done(&self, until: Until) -> bool {
        until.generations.is_some_and(|last| self.next > last)
            || until.solved && self.next > 0 && self.progress().solved() == self.tasks.len()
    }

    /// Where the run stands.
    pub fn progress(&self) -> Progress<'_> {
        Progress {
            generation: self.next.saturating_sub(1),
            totals: &self.totals,
            units: &self.units,
            tasks: &self.tasks,
            elapsed: self.started.elapsed(),
            candidates: self.candidates,
            pace: &self.pace,
            archive_time: self.archive_time,
            islands: self.config.islands as usize,
        }
    }

    /// One generation of every unit. Where it is stopped, all is as before it, and the answer is no.
    pub fn generation(&mut self, stop: &Stop) -> bool {
        self.next_generation(false, stop).is_some()
    }

    /// One generation of every unit; gives all programs that were evaluated, unit by unit. Nothing is
    /// kept for an archive.
    pub fn candidates(&mut self) -> Vec<Bred> {
        let bred = self.next_generation(true, &NEVER);
        self.pending.clear();
        self.disagreements.clear();
        bred.unwrap_or_default()
    }

    fn next_generation(&mut self, collect: bool, stop: &Stop) -> Option<Vec<Bred>> {
        if stop.fired() {
            return None;
        }
        let elites = self.elites();
        let around = Around {
            on: Stoppable { engine: &self.engine, stop },
            tasks: &self.tasks,
            seed: self.config.seed,
            generation: self.next,
            children: self.config.children as usize,
            population: self.config.population as usize,
            elites: &elites,
            seeds: &self.seeds,
            islands: self.config.islands,
            collect,
        };
        let solved = self.solved();
        // Whatever took longest comes first, each thread taking the next as it is free: nobody waits long
        // for a unit that began last.
        let mut queue: Vec<(usize, &mut Unit)> = self.units.iter_mut().enumerate().collect();
        queue.sort_by_key(|(at, _)| Reverse(self.took[*at]));
        let mut steps: Vec<(usize, Step, Duration)> = self.threads.install(|| {
            let queue = queue.into_iter().par_bridge();
            let steps = queue.map(|(at, unit)| {
                let started = Instant::now();
                let children = self.config.children_of(solved[unit.task]);
                let step = unit.step(&Around { children, ..around });
                (at, step, started.elapsed())
            });
            steps.collect()
        });
        if stop.fired() {
            self.units.iter_mut().for_each(Unit::undo);
            return None;
        }
        steps.sort_unstable_by_key(|(at, ..)| *at);
        Some(self.close(steps, collect))
    }

    /// Stores every generation since the last commit and the state, in one transaction.
    pub fn commit(&mut self, archive: &mut Archive, id: &RunId) -> Result<Duration, EvolveError> {
        let started = Instant::now();
        if !self.pending.is_empty() {
            let state = self.state();
            let last = self.pending.len() - 1;
            let generations: Vec<Generation> = self
                .pending
                .iter()
                .enumerate()
                .map(|(at, pending)| Generation {
                    run: id,
                    number: pending.number,
                    found: &pending.found,
                    tests: &pending.tests,
                    state: if at == last { &state } else { &[] },
                    keep: Some(self.config.keep),
                })
                .collect();
            archive.commit_all(&generations)?;
            self.pending.clear();
        }
        let took = started.elapsed();
        self.archive_time += took;
        Ok(took)
    }

    /// The units.
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// The tasks.
    pub fn tasks(&self) -> &[TaskContext] {
        &self.tasks
    }
}

/// Whether a run was begun, and stopped before its first commit. One that was imported has come further,
/// but its state stayed where it ran.
fn only_begun(archive: &mut Archive, id: &RunId) -> Result<bool, ArchiveError> {
    let runs = archive.runs()?;
    Ok(runs.iter().any(|run| run.id == id.as_str() && run.generation == 0))
}

/// The run of the same seed, data and configuration that another version began, if there is one and
/// this version has not begun its own.
fn other_version(archive: &mut Archive, run: &Run) -> Result<Option<String>, EvolveError> {
    let (id, runs) = (run.id(), archive.runs()?);
    if runs.iter().any(|other| other.id == id.as_str()) {
        return Ok(None);
    }
    let mut others = runs.into_iter().filter(|other| {
        other.seed == run.seed
            && other.data == run.data
            && config::is_other_version(&other.configuration, &run.configuration)
    });
    Ok(others.next().map(|other| other.id))
}
