//! Candidates ranked, confirmed by the reference interpreter, and handed out as attempts.

use batt_lang::program::{NodeId, Program};
use batt_run::reference::eval::{self, Inputs, Policy};
use batt_run::tasks::{Grid, Task};
use rustc_hash::FxHashMap as HashMap;

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

/// What is handed out for a task.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The attempts, the best first.
    pub attempts: Vec<Attempt>,
    /// How many candidates there were.
    pub candidates: usize,
    /// Candidates that the interpreter did not confirm, and why.
    pub refused: Vec<String>,
}

/// How much worse a score must be to count a tenth of another.
const SOFTNESS: f64 = 100.0;
/// How much of its score a trusted candidate owes to that.
const TRUST: f64 = 400.0;

/// Puts candidates in order: those that make the same of the tests speak for each other.
pub fn rank(candidates: Vec<Candidate>) -> Vec<Candidate> {
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
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    ranked.into_iter().map(|(_, candidate)| candidate).collect()
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
        let run = |grid: &Grid| {
            let input = grid.to_value();
            let inputs = Inputs { s: &s, i: &input, c: None };
            eval::run(&program, &inputs, Policy::Strict).ok().and_then(|value| grid_of(&value))
        };
        let wrong = task.demos.iter().position(|demo| run(&demo.input) != demo.output);
        let outputs: Option<Vec<Grid>> = task.tests.iter().map(|test| run(&test.input)).collect();
        match (wrong, outputs) {
            (None, Some(outputs)) if outputs == candidate.tests => {
                let Candidate { part, how, trust, .. } = candidate;
                answer.attempts.push(Attempt { part, program, outputs, how, trust });
            }
            (None, Some(_)) => answer.refused.push(format!("{}: other tests", candidate.how)),
            (None, None) => answer.refused.push(format!("{}: fails on a test", candidate.how)),
            (Some(demo), _) => {
                answer.refused.push(format!("{}: not right on demo {demo}", candidate.how));
            }
        }
    }
    answer
}
