//! Programs as breeding makes them, every candidate and not only what stays: what engines are compared
//! on.

use std::collections::VecDeque;

use batt_lang::Program;
use batt_lang::card::dice::Dice;
use batt_run::engine::Engine;
use batt_run::tasks::{Dataset, Task};

use crate::run::{Config, Evolution, EvolveError, Seed, seeds};

/// How many tasks a run breeds for.
const TASKS: usize = 2;
/// How many generations follow the first of a run.
const GENERATIONS: u32 = 8;
/// How many random programs a run starts from.
const RANDOM: usize = 24;

/// The candidates of one generation for one task.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Which run bred them, counted from 0.
    pub run: u64,
    /// In which generation.
    pub generation: u32,
    /// The task; and where it has several demos, the task without one of them, which is its test:
    /// programs that read S are bred so.
    pub tasks: Vec<Task>,
    /// The programs.
    pub programs: Vec<Program>,
}

/// Runs on random seeds, one after the other without end: every other one from random programs alone,
/// the others from the programs that are given too. The same seed gives the same batches.
pub struct Source<'a> {
    engine: &'a dyn Engine,
    data: &'a Dataset,
    programs: Vec<Seed>,
    seed: u64,
    threads: Option<usize>,
    /// How many runs were begun.
    runs: u64,
    current: Option<Evolution<'a>>,
    generation: u32,
    ready: VecDeque<Batch>,
}

impl<'a> Source<'a> {
    /// A source of programs for the tasks of a data set; `engine` evaluates what is bred.
    pub fn new(
        engine: &'a dyn Engine,
        data: &'a Dataset,
        programs: Vec<Seed>,
        seed: u64,
        threads: Option<usize>,
    ) -> Source<'a> {
        let (runs, current, generation, ready) = (0, None, 0, VecDeque::new());
        Source { engine, data, programs, seed, threads, runs, current, generation, ready }
    }

    /// How many runs were begun so far.
    pub fn runs(&self) -> u64 {
        self.runs
    }

    /// The next candidates.
    pub fn next_batch(&mut self) -> Result<Batch, EvolveError> {
        loop {
            if let Some(batch) = self.ready.pop_front() {
                return Ok(batch);
            }
            self.breed()?;
        }
    }

    /// One more generation, of a new run where the last one is at its end.
    fn breed(&mut self) -> Result<(), EvolveError> {
        let mut evolution = match self.current.take() {
            Some(evolution) => evolution,
            None => self.begin()?,
        };
        let (run, generation) = (self.runs - 1, self.generation);
        for bred in evolution.candidates().into_iter().filter(|bred| !bred.programs.is_empty()) {
            let tasks = self.tasks(&evolution.tasks()[bred.task].id, generation as usize);
            self.ready.push_back(Batch { run, generation, tasks, programs: bred.programs });
        }
        if generation < GENERATIONS {
            self.current = Some(evolution);
            self.generation += 1;
        }
        Ok(())
    }

    fn begin(&mut self) -> Result<Evolution<'a>, EvolveError> {
        let mut dice = Dice::new(self.seed, self.runs);
        let all = self.data.tasks();
        if all.is_empty() {
            return Err(EvolveError::NoTasks);
        }
        let mut ids: Vec<&str> =
            (0..TASKS).map(|_| all[dice.below(all.len())].id.as_str()).collect();
        ids.dedup();
        let data = self.data.select(&ids.join(",")).map_err(|_| EvolveError::NoTasks)?;
        let seed = (dice.below(1 << 30) as u64) << 30 | dice.below(1 << 30) as u64;
        let mut start = if self.runs % 2 == 1 { self.programs.clone() } else { Vec::new() };
        start.push(seeds::input());
        start.extend(seeds::random(seed, RANDOM));
        let (population, children) = (48, 256);
        let config = Config { seed, population, children, islands: 1, ..Config::default() };
        self.runs += 1;
        self.generation = 0;
        Evolution::new(config, self.engine, &data, start, self.threads)
    }

    fn tasks(&self, id: &str, number: usize) -> Vec<Task> {
        let Some(task) = self.data.get(id) else { return Vec::new() };
        let mut tasks = vec![task.clone()];
        if task.demos.len() > 1 {
            let mut demos = task.demos.clone();
            let tests = vec![demos.remove(number % task.demos.len())];
            tasks.push(Task {
                id: format!("{id}, demo {}", number % task.demos.len()),
                demos,
                tests,
            });
        }
        tasks
    }
}
