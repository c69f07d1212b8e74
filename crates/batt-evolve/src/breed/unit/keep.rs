//! What a generation hands to the archive: minimal, and judged alone by the interpreter.

use std::sync::Arc;

use batt_lang::Input;
use batt_lang::canonical::{Canonical, ProgramHash};

use super::{Around, Candidate, Made, Step, Unit};
use crate::archive::{Found, Origin, TestFound};
use crate::breed::{Individual, minimal};
use crate::pool::{Genome, Pool};

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
        let mut all = self.population.all().to_vec();
        let worth = |one: &Individual| {
            let better = self.kept.is_none_or(|kept| one.quality() > kept);
            one.born == around.generation && one.points() > 0 && (one.solves() || better)
        };
        let places: Vec<usize> = (0..all.len()).filter(|at| worth(&all[*at])).take(MOST).collect();
        if places.is_empty() {
            return;
        }
        // One improvement is enough where nothing is solved: the next ones follow soon.
        let places = if all[places[0]].solves() { &places[..] } else { &places[..1] };
        for at in places {
            let origin = self.origin(pool, candidates, &all[*at]);
            let short = self.shortened(around, pool, &all[*at]);
            if around.on.stop.fired() {
                return;
            }
            all[*at] = short;
            let one = &all[*at];
            self.kept = self.kept.max(Some(one.quality()));
            judge(around, self.task, one, origin, step);
        }
        self.population = super::Population::of(all);
    }

    /// The same program, as short as it gets.
    fn shortened(&mut self, around: &Around, pool: &mut Pool, one: &Individual) -> Individual {
        let task = &around.tasks[self.task];
        let root = one.genome.add_to(pool);
        let demos = if pool.reads_pairs(root) { &task.apart } else { &task.demos };
        let samples = [&demos[..], &task.tests[..]].concat();
        let short = minimal::minimal(around.on, task, &samples, pool, root);
        self.graphs.add(pool.hash(short));
        Individual {
            genome: Arc::new(Genome::of(pool, short)),
            graph: pool.hash(short),
            ..one.clone()
        }
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
}

/// Judges a program alone, by the interpreter; one that it finds otherwise is not kept.
fn judge(around: &Around, task: usize, one: &Individual, origin: Origin, step: &mut Step) {
    let task = &around.tasks[task];
    let program = Canonical::of(&one.genome.program());
    let Some(judged) = task.judge.judge_until(program.program(), around.on.stop) else { return };
    if program.program().reads(Input::S) {
        // With its own pair in S it may find more, which proves nothing, or less.
        if judged.exact() != u32::from(one.exact()) {
            return;
        }
    } else if !judged.samples().iter().map(|s| s.cells).eq(one.cells.iter().map(|n| u32::from(*n)))
    {
        step.mismatches += 1;
        return;
    }
    if judged.score() == 0 {
        return;
    }
    let tested = task.judge.test_until(program.program(), around.on.stop);
    let Some(tested) = tested else { return };
    step.tests.push(TestFound { program: program.hash(), task: task.id.clone(), tested });
    let demos = task.judge.demos().to_string();
    step.found.push(Found { program, task: task.id.clone(), demos, judged, origin });
}
