//! What a generation hands to the archive: confirmed by the interpreter, minimal, and judged alone.
//!
//! A unit counts as solved by what the judge accepted, never by what an engine marked. What is refused
//! is counted, stays in the population at what the interpreter finds it worth, and keeps nothing else
//! from being tried.

use std::sync::Arc;

use batt_lang::canonical::{Canonical, ProgramHash};
use batt_run::engine::mark::Mark;
use batt_run::stop::Stop;

use super::{Around, Candidate, Made, Step, Unit};
use crate::archive::{Found, Origin, TestFound};
use crate::breed::confirm::{self, Confirmed, Disagreement};
use crate::breed::minimal::{Minimal, Unlike, minimal};
use crate::breed::{Individual, TaskContext};
use crate::pool::{Gene, Genome, Pool};

/// How many programs a generation of a unit keeps at most.
const MOST: usize = 4;

impl Unit {
    /// Hands on solutions that do something new on tests, and whatever is better than all before.
    pub(super) fn keep(
        &mut self,
        around: &Around,
        pool: &mut Pool,
        candidates: &[Candidate],
        step: &mut Step,
    ) {
        if !self.population.all().iter().any(|one| self.is_worth_keeping(around, one)) {
            return;
        }
        let mut all = self.population.all().to_vec();
        let (mut kept, mut tried) = (0, 0);
        for one in &mut all {
            if kept == MOST || around.on.stop.fired() {
                break;
            }
            if !self.is_worth_keeping(around, one) {
                continue;
            }
            if !one.solves() {
                // One improvement is enough where nothing is solved: the next ones follow soon.
                if kept > 0 || tried == MOST {
                    break;
                }
                tried += 1;
            }
            kept += usize::from(self.hand_on(around, pool, candidates, one, step));
        }
        self.population = super::Population::of(all);
    }

    fn is_worth_keeping(&self, around: &Around, one: &Individual) -> bool {
        let better = self.kept.is_none_or(|kept| one.quality() > kept);
        one.born == around.generation && one.points() > 0 && (one.solves() || better)
    }

    /// Hands a program on, as short as it gets, if the interpreter confirms it; says whether it did.
    fn hand_on(
        &mut self,
        around: &Around,
        pool: &mut Pool,
        candidates: &[Candidate],
        one: &mut Individual,
        step: &mut Step,
    ) -> bool {
        let task = &around.tasks[self.task];
        let root = one.genome.add_to(pool);
        let confirmed =
            Confirmed::new(around.on, task, &one.genome.program(), pool.reads_pairs(root));
        let outcome = confirmed.outcome();
        if outcome.cells != one.cells || outcome.behaviour != one.behaviour {
            let among: Vec<Gene> = candidates.iter().map(|candidate| candidate.root).collect();
            let found = confirmed.disagreement(around.on, task, pool, root, &among);
            step.disagreements.push(found);
            step.refused.disagreements += 1;
            (one.cells, one.behaviour) = (outcome.cells, outcome.behaviour);
            if !self.is_worth_keeping(around, one) {
                return false;
            }
        }
        if confirmed.looks_answers_up() {
            step.refused.own_pair += 1;
            return false;
        }
        let origin = self.origin(pool, candidates, one);
        let Minimal { root, unlike } = minimal(around.on, task, pool, root, &confirmed);
        for unlike in unlike {
            unconfirmed(around, task, pool, &confirmed, &unlike, step);
        }
        self.graphs.add(pool.hash(root));
        one.genome = Arc::new(Genome::of(pool, root));
        one.graph = pool.hash(root);
        self.judge(task, one, origin, step, around.on.stop)
    }

    /// How the run came to a program.
    fn origin(&self, pool: &Pool, candidates: &[Candidate], one: &Individual) -> Origin {
        let candidate = candidates.iter().find(|c| pool.hash(c.root) == one.graph);
        let parent = candidate.and_then(|c| c.parent).and_then(|at| self.parents.get(at));
        let operator = match candidate.map(|c| c.made) {
            Some(Made::By(operators)) => {
                let names: Vec<&str> = operators.iter().flatten().map(|o| o.name()).collect();
                names.join("+")
            }
            Some(Made::Seed) | None => "seed".to_string(),
            Some(Made::Moved) => "transfer".to_string(),
        };
        let hash =
            |genome: &Arc<Genome>| -> ProgramHash { Canonical::of(&genome.program()).hash() };
        Origin { operator, parents: parent.map(hash).into_iter().collect(), island: self.island }
    }

    /// Judges a program alone, by the interpreter; what it accepts is handed to the archive.
    fn judge(
        &mut self,
        task: &TaskContext,
        one: &Individual,
        origin: Origin,
        step: &mut Step,
        stop: &Stop,
    ) -> bool {
        let program = Canonical::of(&one.genome.program());
        let Some(judged) = task.judge.judge_until(program.program(), stop) else { return false };
        let Some(tested) = task.judge.test_until(program.program(), stop) else { return false };
        if judged.score() == 0 {
            step.refused.worthless += 1;
            return false;
        }
        self.kept = self.kept.max(Some(one.quality()));
        self.solved |= judged.solved();
        step.tests.push(TestFound { program: program.hash(), task: task.id.clone(), tested });
        let demos = task.judge.demos().to_string();
        step.found.push(Found { program, task: task.id.clone(), demos, judged, origin });
        true
    }
}

/// Notes a program that was marked like another and gives something else: two values share a digest,
/// or the engine marked one of them wrong.
fn unconfirmed(
    around: &Around,
    task: &TaskContext,
    pool: &mut Pool,
    confirmed: &Confirmed,
    unlike: &Unlike,
    step: &mut Step,
) {
    let sample = &confirmed.samples[unlike.sample];
    let theirs = Mark::of_out(unlike.value.as_ref(), sample.expected.as_ref());
    if theirs.digest == confirmed.marks[unlike.sample].digest {
        let case = confirm::case(task, sample, pool, unlike.root, &[]);
        let value = confirmed.values[unlike.sample].clone();
        step.disagreements.push(Disagreement { task: task.id.clone(), case, unlike: value });
        step.refused.collisions += 1;
    } else {
        let program = Genome::of(pool, unlike.root).program();
        let own = Confirmed::new(around.on, task, &program, pool.reads_pairs(unlike.root));
        let found = own.disagreement(around.on, task, pool, unlike.root, &unlike.among);
        step.disagreements.push(found);
        step.refused.disagreements += 1;
    }
}
