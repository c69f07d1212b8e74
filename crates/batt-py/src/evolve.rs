//! Evolution: programs bred for tasks, in an archive.

use std::time::Duration;

use batt::evolve::archive::Archive;
use batt::evolve::breed::Unit;
use batt::evolve::run::seeds::{self, Seed};
use batt::evolve::run::{Config, Evolution, EvolveError, Progress, Until, Watch};
use batt::generation::Generations;
use batt::lang::text;
use pyo3::prelude::*;

use crate::program::Program;
use crate::run::at_most;
use crate::task::Tasks;
use crate::work::{self, Teller};
use crate::{device, errors};

/// What Python is told of.
pub enum Event {
    /// A generation was done: where the run stands, as JSON.
    Generation(String),
    /// A task was solved, by the program of this text.
    Solved(String, String),
}

/// What is new of a run's generations.
#[derive(Default)]
pub struct News {
    generations: Generations,
    solved: Vec<bool>,
}

impl News {
    /// What is new in a generation: tasks that were solved, then the generation.
    pub fn of(&mut self, progress: &Progress) -> Vec<Event> {
        let mut events = Vec::new();
        let line = self.generations.line(progress).to_string();
        self.solved.resize(progress.tasks.len(), false);
        let units = progress.units.chunks(progress.islands.max(1)).zip(progress.tasks);
        for ((units, task), known) in units.zip(&mut self.solved) {
            if *known || !units.iter().any(Unit::solved) {
                continue;
            }
            *known = true;
            let best = units.iter().filter_map(|unit| unit.population.best());
            if let Some(best) = best.filter(|one| one.solves()).max_by_key(|one| one.quality()) {
                let mut program = best.genome.program();
                program.name = format!("solve_{}", task.id);
                program.task = Some(task.id.clone());
                events.push(Event::Solved(task.id.clone(), text::print(&program)));
            }
        }
        events.push(Event::Generation(line));
        events
    }
}

/// Tells Python of generations, and of tasks that were solved in them.
struct Told<'a> {
    teller: &'a Teller<Event>,
    news: News,
    wanted: bool,
}

impl Watch for Told<'_> {
    fn generation(&mut self, progress: &Progress) {
        if self.wanted {
            self.news.of(progress).into_iter().for_each(|event| self.teller.tell(event));
        }
    }
}

/// What decides a run, as Python names it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Asked {
    seed: u64,
    population: u32,
    islands: u32,
    random: u32,
    keep: u32,
}

impl Asked {
    /// The configuration.
    pub fn config(&self) -> Config {
        Config {
            seed: self.seed,
            population: self.population,
            // As many as `batt evolve` has.
            children: self.population.saturating_mul(8),
            islands: self.islands,
            keep: self.keep,
            checkpoint: Duration::from_secs(2),
            ..Config::default()
        }
    }

    /// What it starts from.
    pub fn seeds(&self, programs: &[Py<Program>]) -> Vec<Seed> {
        let mut all: Vec<Seed> =
            programs.iter().map(|program| seeds::of(program.get().get())).collect();
        all.push(seeds::input());
        all.extend(seeds::random(self.seed, self.random as usize));
        all
    }
}

/// Why a run could not go on, as Python has it.
pub fn failed(py: Python<'_>, error: EvolveError) -> PyErr {
    match error {
        EvolveError::Archive(error) => errors::archive(py, &error),
        EvolveError::Begun(..) => errors::option(
            py,
            &error.to_string(),
            "resume=True goes on with it; another seed or archive begins anew",
        ),
        error => errors::option(
            py,
            &error.to_string(),
            "a run is known by its seed, tasks, programs and sizes",
        ),
    }
}

/// Breeds programs. Gives the run's key, its last generation, how many tasks are solved of how many, and
/// the last generation as JSON.
#[pyfunction]
#[pyo3(signature = (programs, tasks, *, archive, generations, minutes, until_solved, seed, population, islands, random, keep, resume, device, threads, heard))]
#[expect(clippy::too_many_arguments, reason = "each is an option by its own name")]
pub fn evolve(
    py: Python<'_>,
    programs: Vec<Py<Program>>,
    tasks: &Tasks,
    archive: &str,
    generations: Option<u32>,
    minutes: Option<f64>,
    until_solved: bool,
    seed: u64,
    population: u32,
    islands: u32,
    random: u32,
    keep: u32,
    resume: bool,
    device: &str,
    threads: Option<usize>,
    heard: Option<&Bound<'_, PyAny>>,
) -> PyResult<(String, u32, usize, usize, String)> {
    let engine = device::open(py, device)?;
    let asked = Asked { seed, population, islands, random, keep };
    let (config, all) = (asked.config(), asked.seeds(&programs));
    let until = Until { generations, solved: until_solved };
    let tell = |event: Event| {
        let Some(to) = heard else { return Ok(()) };
        match event {
            Event::Generation(line) => to.call1(("generation", line)).map(drop),
            Event::Solved(task, text) => to.call1(("solved", (task, text))).map(drop),
        }
    };
    let wanted = heard.is_some();
    let done = work::run(py, None, tell, |stop, teller| -> Result<_, EvolveError> {
        let mut archive =
            if resume { Archive::open_existing(archive)? } else { Archive::open(archive)? };
        let mut evolution = Evolution::new(config, &*engine, tasks.get(), all, threads)?;
        let id = evolution.open(&mut archive, resume)?;
        let mut told = Told { teller, news: News::default(), wanted };
        let seconds = minutes.map(|minutes| minutes * 60.0);
        at_most(seconds, stop, || evolution.run(&mut archive, &id, until, stop, &mut told))?;
        let progress = evolution.progress();
        let last = Generations::default().line(&progress).to_string();
        Ok((id.to_string(), progress.generation, progress.solved(), progress.tasks.len(), last))
    })?;
    done.map_err(|error| failed(py, error))
}
