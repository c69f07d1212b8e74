//! Broken programs, and how many of them evolution repairs.

use std::sync::Arc;
use std::time::{Duration, Instant};

use batt_lang::card::dice::Dice;
use batt_lang::text;
use batt_run::engine::{Engine, Stoppable};
use batt_run::stop::Watcher;
use batt_run::tasks::Dataset;
use serde::Serialize;

use crate::breed::TaskContext;
use crate::breed::evaluate::on_demos;
use crate::breed::individual::exact;
use crate::operators::{Draft, Hints, Operator, Proposal};
use crate::pool::{Gene, Genome, Pool};
use crate::run::{Config, Evolution, EvolveError, Progress, Seed, Until, Watch, seeds};

/// What breaks programs. What a program has lost, nothing else in it can tell.
const BREAKS: [Operator; 5] = [
    Operator::Constant,
    Operator::Primitive,
    Operator::Variable,
    Operator::Insert,
    Operator::Delete,
];

/// A program with a few random changes, after which it does not solve its task.
#[derive(Clone, Debug)]
pub struct Broken {
    /// The task.
    pub task: String,
    /// How many changes were made.
    pub changes: usize,
    /// How many demos it still solves.
    pub exact: u16,
    /// What is left of it.
    pub genome: Arc<Genome>,
}

impl Broken {
    /// Its text.
    pub fn text(&self) -> String {
        text::print(&self.genome.program())
    }
}

/// Breaks a program that solves a task with one to three random changes; `None` if that did not
/// succeed in a thousand tries.
pub fn mutilate(
    engine: &dyn Engine,
    task: &TaskContext,
    program: &Genome,
    seed: u64,
) -> Option<Broken> {
    let mut pool = Pool::default();
    let root = program.add_to(&mut pool);
    let changes = 1 + Dice::new(seed, 0).below(3);
    for stream in 1..1000 {
        let mut dice = Dice::new(seed, stream);
        let Some(broken) = change(&mut pool, root, changes, &mut dice) else { continue };
        let given = on_demos(Stoppable::never(engine), task, &mut pool, &[broken]).0;
        let cells = &given[0].cells;
        if usize::from(exact(cells)) < cells.len() {
            let genome = Arc::new(Genome::of(&mut pool, broken));
            return Some(Broken { task: task.id.clone(), changes, exact: exact(cells), genome });
        }
    }
    None
}

fn change(pool: &mut Pool, root: Gene, changes: usize, dice: &mut Dice) -> Option<Gene> {
    let mut broken = root;
    for _ in 0..changes {
        let operator = BREAKS[dice.below(BREAKS.len())];
        let parts = pool.parts(broken);
        let hints = Hints::default();
        let mut draft =
            Draft { pool: &mut *pool, parts: &parts, donors: &[], hints: &hints, dice: &mut *dice };
        let Proposal::Child(child) = draft.propose(operator) else { return None };
        broken = child;
    }
    Some(broken)
}

/// What came of a broken program.
#[derive(Clone, Debug, Serialize)]
pub struct Repair {
    /// The task.
    pub task: String,
    /// How many changes broke the program.
    pub changes: usize,
    /// How many demos the broken program solved.
    pub exact: u16,
    /// Whether all demos are solved again.
    pub repaired: bool,
    /// How long it took.
    pub seconds: f64,
    /// How many generations.
    pub generations: u32,
    /// How many candidates were evaluated.
    pub candidates: u64,
}

struct Quiet;

impl Watch for Quiet {
    fn generation(&mut self, _: &Progress) {}
}

/// Breeds for a task from a broken program, the input as it is and some random programs.
pub fn repair(
    engine: &dyn Engine,
    data: &Dataset,
    broken: &Broken,
    config: Config,
    threads: usize,
    limit: Duration,
) -> Result<Repair, EvolveError> {
    let mut start: Vec<Seed> = vec![(Some(broken.task.clone()), broken.genome.clone())];
    start.push(seeds::input());
    start.extend(seeds::random(config.seed, 16));
    let mut evolution = Evolution::new(config, engine, data, start, Some(threads))?;
    let started = Instant::now();
    let until = Until { solved: true, ..Until::default() };
    let watcher = Watcher::new(None, started.checked_add(limit));
    evolution.breed(until, watcher.stop(), &mut Quiet);
    let progress = evolution.progress();
    Ok(Repair {
        task: broken.task.clone(),
        changes: broken.changes,
        exact: broken.exact,
        repaired: progress.solved() == progress.tasks.len(),
        seconds: started.elapsed().as_secs_f64(),
        generations: progress.generation,
        candidates: progress.candidates,
    })
}
