//! Units that are bred elsewhere than where the archive is.
//!
//! A worker gives what one process would have given: a unit's generation depends on the unit, on what all
//! units were when the generation began, and on nothing else. A worker remembers its units from one
//! generation to the next; one that has not got a unit says so, and is sent it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use batt_run::engine::{Engine, Stoppable};
use batt_run::stop::Stop;
use batt_run::tasks::Task;
use rayon::ThreadPool;
use rayon::prelude::*;

use super::counting::Counting;
use super::{Config, EvolveError, Seed, remote, share};
use crate::breed::unit::Around;
use crate::breed::{Step, TaskContext, Unit};
use crate::bytes::{In, Out};
use crate::pool::Genome;

/// Breeds units that it is sent.
pub struct Worker {
    config: Config,
    engine: Arc<dyn Engine>,
    tasks: Vec<TaskContext>,
    seeds: Vec<Seed>,
    threads: ThreadPool,
    outline: Outline,
    /// Units by place, and the generation that each is to breed next.
    units: HashMap<usize, (u32, Unit)>,
}

/// What is known of a generation.
#[derive(Default)]
struct Outline {
    generation: u32,
    solved: Vec<bool>,
    elites: Vec<Vec<Arc<Genome>>>,
}

/// What a worker gives.
#[derive(Debug, Default)]
pub struct Lot {
    /// What [`super::Evolution::take`] takes.
    pub given: Vec<u8>,
    /// The places of units that it has not got.
    pub missing: Vec<usize>,
    /// Programs that were evaluated.
    pub candidates: u64,
}

impl Worker {
    /// Readies a worker for a run of this configuration, seeds and tasks, in their order.
    pub fn new(
        config: Config,
        engine: Arc<dyn Engine>,
        tasks: &[Task],
        seeds: Vec<Seed>,
        threads: Option<usize>,
    ) -> Result<Worker, EvolveError> {
        Ok(Worker {
            config,
            engine,
            tasks: share::contexts(tasks)?,
            seeds,
            threads: share::threads(threads)?,
            outline: Outline::default(),
            units: HashMap::new(),
        })
    }

    /// What decides the run but for its seed: it must be what the run has.
    pub fn configuration(&self) -> String {
        self.config.text(&self.seeds)
    }

    /// Hears of a generation; `None` if it is not one of this run.
    pub fn listen(&mut self, outline: &[u8]) -> Option<()> {
        let outline = Outline::read(outline)?;
        let units = self.tasks.len() * self.config.islands as usize;
        if outline.solved.len() != self.tasks.len() || outline.elites.len() != units {
            return None;
        }
        // What was bred elsewhere meanwhile is of no use any more.
        self.units.retain(|_, (next, _)| *next == outline.generation);
        self.outline = outline;
        Some(())
    }

    /// Breeds some units, each by its place, with its state where it is sent. Once it is stopped nothing
    /// is given; `None` if a state is not one of this run.
    pub fn step(&mut self, lot: Vec<(usize, Option<Vec<u8>>)>, stop: &Stop) -> Option<Lot> {
        let generation = self.outline.generation;
        let (mut units, mut missing) = (Vec::new(), Vec::new());
        for (at, state) in lot {
            let known = self.units.remove(&at).filter(|(next, _)| *next == generation);
            match (state, known) {
                (Some(state), _) => units.push((at, self.read(at, &state)?)),
                (None, Some((_, unit))) => units.push((at, unit)),
                (None, None) => missing.push(at),
            }
        }
        let counting = Counting::new(&*self.engine);
        let around = Around {
            on: Stoppable { engine: &counting, stop },
            tasks: &self.tasks,
            seed: self.config.seed,
            generation,
            children: 0,
            population: self.config.population as usize,
            elites: &self.outline.elites,
            seeds: &self.seeds,
            islands: self.config.islands,
            collect: false,
        };
        let breed = |(at, mut unit): (usize, Unit)| -> (usize, Unit, Step, Duration) {
            let started = Instant::now();
            let children = self.config.children_of(self.outline.solved[unit.task]);
            let step = unit.step(&Around { children, ..around });
            (at, unit, step, started.elapsed())
        };
        let bred: Vec<_> =
            self.threads.install(|| units.into_par_iter().with_max_len(1).map(breed).collect());
        if stop.fired() {
            return Some(Lot::default());
        }
        let mut out = Out::default();
        out.numbers([u64::from(generation), counting.rows()]);
        out.count(bred.len());
        let mut candidates = 0;
        for (at, unit, step, took) in bred {
            candidates += step.candidates;
            remote::write_given(at, &unit, &step, took, &mut out);
            self.units.insert(at, (generation + 1, unit));
        }
        Some(Lot { given: out.0, missing, candidates })
    }

    fn read(&self, at: usize, state: &[u8]) -> Option<Unit> {
        let islands = self.config.islands as usize;
        if at >= self.tasks.len() * islands {
            return None;
        }
        let mut bytes = In(state);
        let unit = Unit::read(at / islands, (at % islands) as u32, &mut bytes)?;
        bytes.0.is_empty().then_some(unit)
    }
}

impl Outline {
    fn read(outline: &[u8]) -> Option<Outline> {
        let mut bytes = In(outline);
        let generation = u32::try_from(bytes.number()?).ok()?;
        let solved: Option<Vec<bool>> =
            (0..bytes.count()?).map(|_| Some(bytes.number()? == 1)).collect();
        let elite = |bytes: &mut In| -> Option<Vec<Arc<Genome>>> {
            (0..bytes.count()?).map(|_| Some(Arc::new(Genome::read_from(bytes)?))).collect()
        };
        let elites: Option<Vec<Vec<Arc<Genome>>>> =
            (0..bytes.count()?).map(|_| elite(&mut bytes)).collect();
        let outline = Outline { generation, solved: solved?, elites: elites? };
        bytes.0.is_empty().then_some(outline)
    }
}
