//! A task on an island, and its next generation.

use std::cell::RefCell;
use std::sync::Arc;

use batt_lang::Program;
use batt_lang::card::dice::Dice;
use batt_run::engine::Stoppable;

use super::evaluate::{Outcome, marks, on_demos};
use super::individual::{Quality, exact};
use super::population::Population;
use super::seen::Seen;
use super::{Disagreement, Individual, Refused, TaskContext, guide};
use crate::archive::{Found, TestFound};
use crate::operators::rates::{Counts, Rates};
use crate::operators::{Draft, Hints, LARGEST, Operator, Proposal};
use crate::pool::{Gene, Genome, Pool};

pub mod change;
mod keep;
mod state;

/// The most changes between a parent and its child.
const CHANGES: usize = 5;
/// How many newcomers of a generation the differs look at.
const GUIDED: usize = 12;
/// How many programs of other populations lend their parts to a generation.
const DONORS: usize = 12;

thread_local! {
    /// What is known of kinds outlives generations; everything else in it is forgotten.
    static POOL: RefCell<Pool> = RefCell::new(Pool::default());
}

/// What every unit of a generation is told.
#[derive(Clone, Copy)]
pub struct Around<'a> {
    /// What evaluates, and when it ends: what a generation gives then is to be undone.
    pub on: Stoppable<'a>,
    /// The tasks.
    pub tasks: &'a [TaskContext],
    /// The run's seed.
    pub seed: u64,
    /// Which generation this is; 0 takes the seeds in.
    pub generation: u32,
    /// How many children to make.
    pub children: usize,
    /// How many programs stay.
    pub population: usize,
    /// What the others' best were when the generation began, by unit.
    pub elites: &'a [Vec<Arc<Genome>>],
    /// Programs to start from: the task they are for, if any, and what they are.
    pub seeds: &'a [(Option<String>, Arc<Genome>)],
    /// How many islands there are.
    pub islands: u32,
    /// Whether a step also gives all programs that it evaluated.
    pub collect: bool,
}

/// A task on an island.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The task, by its place.
    pub task: usize,
    /// The island.
    pub island: u32,
    /// Its programs.
    pub population: Population,
    /// How often each operator is used.
    pub rates: Rates,
    /// Graphs that were met.
    pub graphs: Seen,
    /// Behaviours that were met.
    pub behaviours: Seen,
    /// The best that was handed to the archive.
    pub kept: Option<Quality>,
    /// Whether what was handed to the archive solves all demos.
    solved: bool,
    /// Who was there when the generation began, by the places that children name.
    parents: Vec<Arc<Genome>>,
    /// What else the generation began with.
    before: Before,
}

/// What a unit was before a generation, beside what was met.
#[derive(Clone, Debug, Default)]
struct Before {
    population: Population,
    rates: Rates,
    kept: Option<Quality>,
    solved: bool,
}

/// What came of one generation of a unit.
#[derive(Debug, Default)]
pub struct Step {
    /// By operator.
    pub counts: Counts,
    /// Children that were begun.
    pub proposals: u64,
    /// Children that fit the kinds.
    pub well_typed: u64,
    /// Programs that were not met before: these were evaluated.
    pub candidates: u64,
    /// Those that did something new.
    pub new_behaviour: u64,
    /// Those that were better than their parents.
    pub improving: u64,
    /// Results that the engine handed back.
    pub handed_back: u64,
    /// What is to be kept.
    pub found: Vec<Found>,
    /// What that gave on tests.
    pub tests: Vec<TestFound>,
    /// What the interpreter did not confirm, by reason.
    pub refused: Refused,
    /// Where engines or digests and the interpreter disagree.
    pub disagreements: Vec<Disagreement>,
    /// The programs that were evaluated, where they were asked for.
    pub bred: Vec<Program>,
}

/// How a candidate came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Made {
    By([Option<Operator>; CHANGES]),
    Seed,
    Moved,
}

/// What children are made from besides their parents.
#[derive(Clone, Copy)]
struct Sources<'a> {
    donors: &'a [&'a [Gene]],
    hints: &'a Hints,
}

#[derive(Clone, Copy, Debug)]
struct Candidate {
    root: Gene,
    parent: Option<usize>,
    made: Made,
}

impl Unit {
    /// A unit before its first generation.
    pub fn new(task: usize, island: u32, memory: usize) -> Unit {
        Unit {
            task,
            island,
            population: Population::default(),
            rates: Rates::default(),
            graphs: Seen::new(memory),
            behaviours: Seen::new(memory),
            kept: None,
            solved: false,
            parents: Vec::new(),
            before: Before::default(),
        }
    }

    /// Whether a program that was handed to the archive solves all demos.
    pub fn solved(&self) -> bool {
        self.solved
    }

    /// The next generation.
    pub fn step(&mut self, around: &Around) -> Step {
        self.graphs.begin();
        self.behaviours.begin();
        self.before = Before {
            population: self.population.clone(),
            rates: self.rates.clone(),
            kept: self.kept,
            solved: self.solved,
        };
        // It is taken, not borrowed: while an engine waits for its own jobs, this thread may be given
        // another unit's step.
        let mut pool = POOL.take();
        pool.clear();
        let mut step = Step::default();
        let candidates = if around.generation == 0 {
            self.begin(around, &mut pool)
        } else {
            self.breed(around, &mut pool, &mut step)
        };
        if around.collect {
            let programs = candidates.iter().map(|c| Genome::of(&mut pool, c.root).program());
            step.bred = programs.collect();
        }
        self.select(around, &mut pool, &candidates, &mut step);
        POOL.set(pool);
        step
    }

    /// Undoes the last generation.
    pub fn undo(&mut self) {
        self.graphs.undo();
        self.behaviours.undo();
        let Before { population, rates, kept, solved } = std::mem::take(&mut self.before);
        (self.population, self.rates, self.kept, self.solved) = (population, rates, kept, solved);
        self.parents.clear();
    }

    /// The dice of one choice of this unit's generation.
    fn dice(&self, around: &Around, index: usize) -> Dice {
        let place = (self.task as u64) << 16 | u64::from(self.island);
        let seed = [around.seed, u64::from(around.generation), place]
            .into_iter()
            .fold(0, |all: u64, n| (all ^ n).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29));
        Dice::new(seed, index as u64)
    }

    /// The programs to start from. Those for this task come first; every island has all of them.
    fn begin(&mut self, around: &Around, pool: &mut Pool) -> Vec<Candidate> {
        let id = around.tasks[self.task].id.as_str();
        let mut seeds: Vec<&(Option<String>, Arc<Genome>)> = around.seeds.iter().collect();
        seeds.sort_by_key(|(task, _)| task.as_deref() != Some(id));
        let mut candidates = Vec::new();
        for (_, genome) in seeds {
            let root = genome.add_to(pool);
            if self.graphs.add(pool.hash(root)) {
                candidates.push(Candidate { root, parent: None, made: Made::Seed });
            }
        }
        candidates
    }

    /// Children of the population, and the best of other populations as they are.
    fn breed(&mut self, around: &Around, pool: &mut Pool, step: &mut Step) -> Vec<Candidate> {
        let roots: Vec<Gene> =
            self.population.all().iter().map(|one| one.genome.add_to(pool)).collect();
        let mut parts: Vec<Vec<Gene>> = roots.iter().map(|root| pool.parts(*root)).collect();
        let mut candidates = self.visitors(around, pool, &mut parts);
        let donors: Vec<&[Gene]> = parts.iter().map(Vec::as_slice).collect();
        let told = &around.tasks[self.task].told;
        let colors = told.colors.iter().map(|genome| genome.add_to(pool)).collect();
        let from = Sources { donors: &donors, hints: &Hints { colors, turned: told.turned } };
        let most = 2 * around.children;
        for index in 1..=most {
            if candidates.len() >= around.children {
                break;
            }
            let mut dice = self.dice(around, index);
            let Some(parent) = self.population.draw(&mut dice) else { break };
            step.proposals += 1;
            let made = self.child(pool, &parts[parent], from, &mut dice, &mut step.counts);
            let Some((root, made)) = made else { continue };
            step.well_typed += 1;
            if self.graphs.add(pool.hash(root)) {
                count(&mut step.counts, made, |c| c.new_graph += 1);
                candidates.push(Candidate { root, parent: Some(parent), made: Made::By(made) });
            }
        }
        candidates
    }

    /// The best programs of other tasks and islands: their parts may be taken, and those that were
    /// not met here are tried as they are.
    fn visitors(
        &mut self,
        around: &Around,
        pool: &mut Pool,
        parts: &mut Vec<Vec<Gene>>,
    ) -> Vec<Candidate> {
        let mut dice = self.dice(around, 0);
        let mut candidates = Vec::new();
        let islands = around.islands.max(1) as usize;
        for at in 0..DONORS {
            // A few from the other islands of this task, the others from anywhere.
            let unit = if at < 2 && islands > 1 {
                let step = 1 + dice.below(islands - 1);
                self.task * islands + (self.island as usize + step) % islands
            } else {
                dice.below(around.elites.len())
            };
            let Some(elite) = around.elites.get(unit).filter(|elite| !elite.is_empty()) else {
                continue;
            };
            let root = elite[dice.below(elite.len())].add_to(pool);
            parts.push(pool.parts(root));
            if self.graphs.add(pool.hash(root)) {
                candidates.push(Candidate { root, parent: None, made: Made::Moved });
            }
        }
        candidates
    }

    /// A child of one program; `None` if it fits no kind. What was met before is changed further.
    fn child(
        &self,
        pool: &mut Pool,
        parts: &[Gene],
        from: Sources,
        dice: &mut Dice,
        counts: &mut Counts,
    ) -> Option<(Gene, [Option<Operator>; CHANGES])> {
        let changes = match dice.below(20) {
            0..11 => 1,
            11..17 => 2,
            _ => 3,
        };
        let mut made = [None; CHANGES];
        let mut child = None;
        let mut own;
        let mut parts = parts;
        for (at, slot) in made.iter_mut().enumerate() {
            if at >= changes && child.is_some_and(|root| !self.graphs.has(pool.hash(root))) {
                break;
            }
            let (operator, root) = self.change(pool, parts, from, dice, counts)?;
            *slot = Some(operator);
            child = Some(root);
            own = pool.parts(root);
            if own.len() > LARGEST {
                return None;
            }
            parts = &own;
        }
        child.map(|root| (root, made))
    }

    /// One change; an operator that finds nothing to change makes way for another.
    fn change(
        &self,
        pool: &mut Pool,
        parts: &[Gene],
        from: Sources,
        dice: &mut Dice,
        counts: &mut Counts,
    ) -> Option<(Operator, Gene)> {
        for _ in 0..6 {
            let operator = self.rates.draw(dice);
            let Sources { donors, hints } = from;
            let mut draft = Draft { pool: &mut *pool, parts, donors, hints, dice: &mut *dice };
            let made = draft.propose(operator);
            let count = &mut counts[operator.index()];
            match made {
                Proposal::Nothing => {}
                Proposal::IllTyped => {
                    count.proposed += 1;
                    return None;
                }
                Proposal::Child(root) => {
                    count.proposed += 1;
                    count.well_typed += 1;
                    return Some((operator, root));
                }
            }
        }
        None
    }

    /// Evaluates candidates, lets the best of them stay and hands on what is to be kept.
    fn select(
        &mut self,
        around: &Around,
        pool: &mut Pool,
        candidates: &[Candidate],
        step: &mut Step,
    ) {
        let task = &around.tasks[self.task];
        let roots: Vec<Gene> = candidates.iter().map(|c| c.root).collect();
        let (outcomes, handed_back) = on_demos(around.on, task, pool, &roots);
        if around.on.stop.fired() {
            return;
        }
        step.handed_back += handed_back;
        step.candidates += roots.len() as u64;
        let mut entrants: Vec<Entrant> = Vec::new();
        for (at, (candidate, outcome)) in candidates.iter().zip(outcomes).enumerate() {
            let entrant = Entrant::new(at, outcome);
            let new = self.behaviours.add(entrant.outcome.behaviour);
            step.new_behaviour += u64::from(new);
            let better = candidate.parent.is_some_and(|parent| {
                let parent = &self.population.all()[parent];
                entrant.key() > (parent.exact(), sum(&parent.cells))
            });
            step.improving += u64::from(better);
            if let Made::By(made) = candidate.made {
                count(&mut step.counts, made, |c| {
                    c.new_behaviour += u64::from(new);
                    c.improving += u64::from(better);
                });
            }
            // Whoever gives nothing that resembles a demo may start a run but not join it.
            let resembles = entrant.sum > 0 || around.generation == 0;
            if resembles && (new || better || entrant.outcome.solves()) {
                entrants.push(entrant);
            }
        }
        self.rates.learn(&step.counts);
        self.parents = self.population.all().iter().map(|one| one.genome.clone()).collect();
        entrants.sort_by_key(|e| (std::cmp::Reverse(e.key()), e.at));
        if around.generation > 0 {
            thin(&mut entrants, around.population);
        }
        let newcomers = self.newcomers(around, pool, candidates, entrants);
        if around.on.stop.fired() {
            return;
        }
        self.population.renew(newcomers, around.population);
        self.keep(around, pool, candidates, step);
    }

    /// Candidates as programs of their own, with what the differs say of the best of them.
    fn newcomers(
        &self,
        around: &Around,
        pool: &mut Pool,
        candidates: &[Candidate],
        entrants: Vec<Entrant>,
    ) -> Vec<Individual> {
        let task = &around.tasks[self.task];
        let guided: Vec<Gene> =
            entrants.iter().take(GUIDED).map(|e| candidates[e.at].root).collect();
        let mut alike = guide::alike(around.on, task, pool, &guided).into_iter();
        let solved: Vec<Gene> =
            entrants.iter().filter(|e| e.outcome.solves()).map(|e| candidates[e.at].root).collect();
        let on_tests = marks(around.on, task, &task.tests, pool, &solved).0;
        let mut solutions = 0;
        let newcomer = |Entrant { at, mut outcome, .. }: Entrant| {
            let root = candidates[at].root;
            if outcome.solves() {
                outcome.see_tests(on_tests.iter().map(|row| row[solutions]));
                solutions += 1;
            }
            Individual {
                genome: Arc::new(Genome::of(pool, root)),
                graph: pool.hash(root),
                behaviour: outcome.behaviour,
                alike: alike.next().unwrap_or_else(|| vec![0; outcome.cells.len()]).into(),
                cells: outcome.cells,
                born: around.generation,
            }
        };
        entrants.into_iter().map(newcomer).collect()
    }
}

/// A candidate that may stay.
struct Entrant {
    at: usize,
    outcome: Outcome,
    sum: u32,
}

impl Entrant {
    fn new(at: usize, outcome: Outcome) -> Entrant {
        Entrant { at, sum: sum(&outcome.cells), outcome }
    }

    fn key(&self) -> (u16, u32) {
        (exact(&self.outcome.cells), self.sum)
    }
}

fn sum(cells: &[u16]) -> u32 {
    cells.iter().map(|n| u32::from(*n)).sum()
}

/// Leaves the best, and every so many-th of the others so that the unlike have their chance too.
fn thin(entrants: &mut Vec<Entrant>, population: usize) {
    let best = (population / 4).max(8);
    if entrants.len() > 2 * best {
        let rest = entrants.split_off(best);
        let every = rest.len().div_ceil(best);
        entrants.extend(rest.into_iter().step_by(every));
    }
}

fn count(
    counts: &mut Counts,
    made: [Option<Operator>; CHANGES],
    mut add: impl FnMut(&mut crate::operators::rates::Count),
) {
    for (at, operator) in made.iter().enumerate() {
        // An operator that was used twice counts once.
        if let Some(operator) = operator
            && !made[..at].contains(&Some(*operator))
        {
            add(&mut counts[operator.index()]);
        }
    }
}
