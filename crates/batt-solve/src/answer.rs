//! Candidates ranked, confirmed by the reference interpreter, and handed out as attempts.

use std::hash::{Hash, Hasher};

use batt_lang::Value;
use batt_lang::program::{NodeId, Program};
use batt_run::reference::eval::{self, Inputs, Policy};
use batt_run::tasks::{Grid, Task};
use rustc_hash::{FxHashMap as HashMap, FxHasher};

use crate::evaluate::grid_of;
use crate::part::Part;
use crate::store::Store;

/// Something that is right on all demos.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The part that found it.
    pub part: Part,
    /// What it makes of the tests.
    pub tests: Vec<Grid>,
    /// What it is worth: more is better.
    pub score: f64,
    /// The share of demos on which its like was right without having seen them.
    pub trust: f64,
    /// How it was found.
    pub how: String,
    /// Its expression, where it was written down already.
    pub node: NodeId,
}

/// One of the grids handed out for every test, and the program that makes them.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The part that found it.
    pub part: Part,
    /// The program.
    pub program: Program,
    /// What it makes of the tests.
    pub outputs: Vec<Grid>,
    /// How it was found.
    pub how: String,
    /// The share of demos on which its like was right without having seen them.
    pub trust: f64,
}

impl Attempt {
    /// The attempt that a program makes by the reference interpreter, or why it makes none.
    pub fn confirmed(
        task: &Task,
        s: &Value,
        program: Program,
        of: (Part, String, f64),
    ) -> Result<Attempt, Refusal> {
        let run = |grid: &Grid| {
            let input = grid.to_value();
            let inputs = Inputs { s, i: &input, c: None };
            eval::run(&program, &inputs, Policy::Strict).ok().and_then(|value| grid_of(&value))
        };
        if let Some(demo) = task.demos.iter().position(|demo| run(&demo.input) != demo.output) {
            return Err(Refusal::Demo(demo));
        }
        let outputs: Option<Vec<Grid>> = task.tests.iter().map(|test| run(&test.input)).collect();
        let outputs = outputs.ok_or(Refusal::Test)?;
        let (part, how, trust) = of;
        Ok(Attempt { part, program, outputs, how, trust })
    }
}

/// Why the reference interpreter does not confirm a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is not right on this demo.
    #[error("not right on demo {0}")]
    Demo(usize),
    /// It makes no grid of a test.
    #[error("makes no grid of a test")]
    Test,
    /// It makes something else of the tests than the part that found it said.
    #[error("makes something else of the tests")]
    Other,
}

/// A part's share in an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tried {
    /// The part.
    pub part: Part,
    /// How many candidates it found that are right on all demos.
    pub candidates: usize,
    /// How many row evaluations it took from the budget.
    pub rows: u64,
}

/// What is handed out for a task.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The attempts, the best first.
    pub attempts: Vec<Attempt>,
    /// The parts that were asked, in order.
    pub tried: Vec<Tried>,
    /// Programs that are right on some demos only, the best first: something to breed from.
    pub near: Vec<Program>,
    /// How many candidates there were.
    pub candidates: usize,
    /// Candidates that the interpreter did not confirm, and why.
    pub refused: Vec<String>,
}

/// How much worse a score must be to count a tenth of another.
const SOFTNESS: f64 = 100.0;
/// How much more the second attempt is worth where another part than the first one's found it and trusts it.
const OTHER_PART: f64 = 100.0;
/// How much of its score a trusted candidate owes to that.
const TRUST: f64 = 200.0;

/// Puts candidates in order: those that make the same of the tests speak for each other. The seed decides
/// between those that are worth the same; with 0 it is the order in which they were found.
pub fn rank(candidates: Vec<Candidate>, seed: u64) -> Vec<Candidate> {
    let mut groups: HashMap<Vec<Grid>, Vec<Candidate>> = HashMap::default();
    let mut order: Vec<Vec<Grid>> = Vec::new();
    for candidate in candidates {
        let group = groups.entry(candidate.tests.clone()).or_insert_with(|| {
            order.push(candidate.tests.clone());
            Vec::new()
        });
        group.push(candidate);
    }
    let mut ranked: Vec<(f64, Candidate)> = Vec::new();
    for tests in order {
        let Some(mut group) = groups.remove(&tests) else { continue };
        let alone = |c: &Candidate| c.score - TRUST * c.trust;
        let best = group.iter().map(alone).fold(f64::MIN, f64::max);
        let sum: f64 = group.iter().map(|c| libm::exp((alone(c) - best) / SOFTNESS)).sum();
        let worth = best + SOFTNESS * libm::log(sum);
        // The first of the best.
        group.sort_by(|a, b| b.score.total_cmp(&a.score));
        ranked.push((worth, group.swap_remove(0)));
    }
    let lot = |candidate: &Candidate| if seed == 0 { 0 } else { lot(&candidate.tests, seed) };
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| lot(&a.1).cmp(&lot(&b.1))));
    // What another part says is worth more beside the first than what that part says next.
    if let Some(((_, first), others)) = ranked.split_first_mut() {
        for (worth, other) in others.iter_mut().filter(|(_, other)| other.part != first.part) {
            *worth += OTHER_PART * other.trust;
        }
        others.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| lot(&a.1).cmp(&lot(&b.1))));
    }
    ranked.into_iter().map(|(_, candidate)| candidate).collect()
}

/// A number that follows from grids and a seed.
fn lot(grids: &[Grid], seed: u64) -> u64 {
    let mut hasher = FxHasher::default();
    seed.hash(&mut hasher);
    grids.hash(&mut hasher);
    hasher.finish()
}

/// Runs the best candidates with the interpreter, and hands out those that it confirms.
pub fn confirm(task: &Task, store: &Store, ranked: Vec<Candidate>, attempts: usize) -> Answer {
    let mut answer = Answer { candidates: ranked.len(), ..Answer::default() };
    let s = task.pairs();
    for candidate in ranked {
        if answer.attempts.len() == attempts {
            break;
        }
        let program = store.program(candidate.node, &task.id);
        let Candidate { part, tests, how, trust, .. } = candidate;
        let confirmed = Attempt::confirmed(task, &s, program, (part, how.clone(), trust));
        let same = |attempt: Attempt| {
            if attempt.outputs == tests { Ok(attempt) } else { Err(Refusal::Other) }
        };
        match confirmed.and_then(same) {
            Ok(attempt) => answer.attempts.push(attempt),
            Err(refusal) => answer.refused.push(format!("{how}: {refusal}")),
        }
    }
    answer
}
