//! What the interpreter says of a program that breeding wants to keep, beside what an engine marked.
//!
//! Engines mark outputs with digests. Before anything is kept or replaced the interpreter runs it, and
//! where it finds something else than the marks say that is a [`Disagreement`].

use batt_lang::{Program, Value};
use batt_run::conform::codec;
use batt_run::engine::mark::{FULL, Mark};
use batt_run::engine::{Engine, Sample, Stoppable};
use batt_run::reference::eval::{self, Inputs, Policy};
use batt_run::verify::{self, Case, Check, Side};
use serde_json::Value as Json;

use super::TaskContext;
use super::evaluate::{Outcome, marks};
use crate::pool::{Gene, Genome, Pool};

/// What an engine or a digest says of a program otherwise than the interpreter.
#[derive(Clone, Debug, PartialEq)]
pub struct Disagreement {
    /// The task that was bred for.
    pub task: String,
    /// The program on the sample where it shows.
    pub case: Case,
    /// A value that differs from what the program gives, where the digests of both were the same.
    pub unlike: Option<Value>,
}

/// How many smaller cases are tried.
const TRIES: usize = 500;

impl Disagreement {
    /// The same as small as it gets, where the engine shows it again.
    #[must_use]
    pub fn shrunk(self, engine: &dyn Engine) -> Disagreement {
        let right = Side::Merged { engine, fuse: true };
        let check = Check { left: Side::Alone, right, policy: Policy::Strict };
        if self.unlike.is_some() || !self.case.differs(&check) {
            return self;
        }
        let case = verify::shrink(self.case, TRIES, &|case| case.differs(&check));
        Disagreement { case, ..self }
    }

    /// The conformance record: the interpreter passes it, an engine that is wrong does not.
    pub fn record(&self) -> Json {
        let mut record = self.case.record(&self.task, Policy::Strict);
        if let Some(unlike) = &self.unlike {
            record["unlike"] = codec::encode(unlike);
        }
        record
    }
}

/// A program as the interpreter finds it on every sample that breeding looks at: the demos as it is
/// bred on them, the demos with all of S if it reads S, and the tests.
#[derive(Debug)]
pub struct Confirmed {
    /// The samples.
    pub samples: Vec<Sample>,
    /// What it gives on each; `None` is an error.
    pub values: Vec<Option<Value>>,
    /// How that is marked.
    pub marks: Vec<Mark>,
    /// How many demos there are.
    demos: usize,
    /// Whether it reads S.
    reads: bool,
}

impl Confirmed {
    /// Runs a program.
    pub fn new(on: Stoppable, task: &TaskContext, program: &Program, reads: bool) -> Confirmed {
        let (bred, whole): (_, &[Sample]) =
            if reads { (&task.apart, &task.demos) } else { (&task.demos, &[]) };
        let samples = [bred, whole, &task.tests].concat();
        let values: Vec<Option<Value>> =
            samples.iter().map(|sample| run(on, task, program, sample)).collect();
        let marks = samples.iter().zip(&values);
        let marks =
            marks.map(|(sample, value)| Mark::of_out(value.as_ref(), sample.expected.as_ref()));
        Confirmed { marks: marks.collect(), samples, values, demos: task.demos.len(), reads }
    }

    /// The marks by demo as it is bred, and with all of S.
    fn on_demos(&self) -> (&[Mark], &[Mark]) {
        let (bred, rest) = self.marks.split_at(self.demos);
        (bred, if self.reads { &rest[..self.demos] } else { bred })
    }

    /// Its outcome, tests included where it solves the demos: what breeding should have found.
    pub fn outcome(&self) -> Outcome {
        let (bred, whole) = self.on_demos();
        let exact = self.reads && bred.iter().any(|mark| mark.cells == FULL);
        let mut outcome = Outcome::of(bred, exact.then_some(whole));
        if outcome.solves() {
            let tests = if self.reads { 2 * self.demos } else { self.demos };
            outcome.see_tests(self.marks[tests..].iter().copied());
        }
        outcome
    }

    /// Whether it solves a demo only with that demo's own pair in S.
    pub fn looks_answers_up(&self) -> bool {
        let (bred, whole) = self.on_demos();
        bred.iter().zip(whole).any(|(bred, whole)| whole.cells == FULL && bred.cells != FULL)
    }

    /// The first sample on which another program gives something else, and what that is.
    pub fn differs_from(
        &self,
        on: Stoppable,
        task: &TaskContext,
        other: &Program,
    ) -> Option<(usize, Option<Value>)> {
        let mut others = self.samples.iter().map(|sample| run(on, task, other, sample)).enumerate();
        others.find(|(at, value)| *value != self.values[*at])
    }

    /// Where an engine marks the program otherwise than this: by itself, or else merged with those that
    /// it was bred among.
    pub fn disagreement(
        &self,
        on: Stoppable,
        task: &TaskContext,
        pool: &mut Pool,
        root: Gene,
        among: &[Gene],
    ) -> Disagreement {
        let others: Vec<Gene> = among.iter().copied().filter(|other| *other != root).collect();
        let found = [Vec::new(), others.clone()].into_iter().find_map(|with| {
            let all = [&with[..], &[root]].concat();
            let given = marks(on, task, &self.samples, pool, &all).0;
            let mut rows = given.iter().zip(&self.marks);
            let at = rows.position(|(row, mark)| row.last() != Some(mark))?;
            Some((at, with))
        });
        // What an engine does not do again is kept with everything around it.
        let (at, with) = found.unwrap_or((0, others));
        let case = case(task, &self.samples[at], pool, root, &with);
        Disagreement { task: task.id.clone(), case, unlike: None }
    }
}

/// What the interpreter gives for a program on a sample; nothing, once it is said to stop.
fn run(on: Stoppable, task: &TaskContext, program: &Program, sample: &Sample) -> Option<Value> {
    let inputs = Inputs { s: &task.pairs[sample.task], i: &sample.input, c: None };
    eval::run_until(program, &inputs, Policy::Strict, on.stop)?.ok()
}

/// A program on a sample as a case.
pub fn case(
    task: &TaskContext,
    sample: &Sample,
    pool: &mut Pool,
    root: Gene,
    with: &[Gene],
) -> Case {
    let mut program = |root: &Gene| Genome::of(pool, *root).program();
    let rows = |value: &Value| value.grid_rows().unwrap_or_default();
    let pairs = task.pairs[sample.task].elements_of();
    let pairs = pairs.iter().flat_map(|pairs| pairs.iter()).filter_map(|pair| {
        let sides = pair.elements_of()?;
        Some([rows(sides.first()?), rows(sides.get(1)?)])
    });
    Case {
        program: program(&root),
        with: with.iter().map(program).collect(),
        pairs: pairs.collect(),
        input: rows(&sample.input),
        compared: None,
        target: sample.expected.as_ref().map(rows),
    }
}
