//! What one program makes of one task.

use batt_lang::{FaultKind, Program, Value};
use serde::Serialize;

use crate::reference::eval::{self, Inputs, Policy};
use crate::tasks::{Example, Grid, Task};

/// How many were solved, of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Solved.
    pub solved: usize,
    /// In all.
    pub total: usize,
}

impl Tally {
    fn count(&mut self, solved: bool) {
        self.total += 1;
        self.solved += usize::from(solved);
    }

    /// Whether none is left unsolved.
    pub fn whole(self) -> bool {
        self.solved == self.total
    }
}

/// A demo or a test of a task, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SampleId {
    /// A demo.
    Demo(usize),
    /// A test.
    Test(usize),
}

impl SampleId {
    /// `demo` or `test`.
    pub fn split(self) -> &'static str {
        match self {
            SampleId::Demo(_) => "demo",
            SampleId::Test(_) => "test",
        }
    }

    /// Its place among the demos or the tests.
    pub fn index(self) -> usize {
        match self {
            SampleId::Demo(n) | SampleId::Test(n) => n,
        }
    }
}

impl std::fmt::Display for SampleId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.split(), self.index())
    }
}

/// The first error of a program on a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstError {
    /// What kind.
    pub kind: FaultKind,
    /// What went wrong, in a few words.
    pub what: &'static str,
    /// The line of the program where it began.
    pub line: u32,
    /// On which sample.
    pub sample: SampleId,
}

impl FirstError {
    /// An error that the interpreter met.
    pub fn new(trouble: eval::Trouble, sample: SampleId) -> FirstError {
        let eval::Trouble { fault, line, .. } = trouble;
        FirstError { kind: fault.kind, what: fault.what, line, sample }
    }
}

/// What one program makes of one task. Only samples with a known output count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The demos.
    pub demos: Tally,
    /// The tests whose outputs are known.
    pub tests: Tally,
    /// How many samples ended in an error.
    pub errors: usize,
    /// The first of them.
    pub error: Option<FirstError>,
    /// How many samples were not run because the run was cut short.
    pub missing: usize,
}

impl Outcome {
    /// Whether all demos and all known tests are solved.
    pub fn solved(&self) -> bool {
        self.demos.whole() && self.tests.whole() && self.missing == 0
    }

    /// Counts a sample; an error is kept if no earlier sample has one.
    pub fn count(&mut self, sample: SampleId, solved: bool, error: Option<FirstError>) {
        match sample {
            SampleId::Demo(_) => self.demos.count(solved),
            SampleId::Test(_) => self.tests.count(solved),
        }
        if let Some(error) = error {
            self.errors += 1;
            if self.error.as_ref().is_none_or(|first| error.sample < first.sample) {
                self.error = Some(error);
            }
        }
    }

    /// How many samples were solved, of how many.
    pub fn samples(&self) -> Tally {
        Tally {
            solved: self.demos.solved + self.tests.solved,
            total: self.demos.total + self.tests.total,
        }
    }
}

/// A task's samples as values, made once and used by every program that runs on it.
#[derive(Clone, Debug)]
pub struct Samples {
    /// S.
    pub s: Value,
    /// The demos, then the tests.
    pub items: Vec<Item>,
}

/// One sample as values.
#[derive(Clone, Debug)]
pub struct Item {
    /// Which one.
    pub id: SampleId,
    /// I.
    pub input: Value,
    /// The output, if it is known.
    pub output: Option<Value>,
}

impl Samples {
    /// The samples of a task.
    pub fn of(task: &Task) -> Samples {
        let item = |id: SampleId, e: &Example| Item {
            id,
            input: e.input.to_value(),
            output: e.output.as_ref().map(Grid::to_value),
        };
        let demos = task.demos.iter().enumerate().map(|(n, e)| item(SampleId::Demo(n), e));
        let tests = task.tests.iter().enumerate().map(|(n, e)| item(SampleId::Test(n), e));
        Samples { s: task.pairs(), items: demos.chain(tests).collect() }
    }

    /// What a program may read on a sample.
    pub fn inputs(&self, sample: SampleId) -> Option<Inputs<'_>> {
        let item = self.items.iter().find(|item| item.id == sample)?;
        Some(self.inputs_of(item))
    }

    /// What a program may read on one of these samples.
    pub fn inputs_of<'a>(&'a self, item: &'a Item) -> Inputs<'a> {
        Inputs { s: &self.s, i: &item.input, c: None }
    }

    /// How many outputs are known.
    pub fn known(&self) -> usize {
        self.items.iter().filter(|item| item.output.is_some()).count()
    }
}

/// Runs a program alone, by the interpreter, on every sample of a task whose output is known. A
/// run of batteries gives the same.
pub fn evaluate(program: &Program, samples: &Samples, policy: Policy) -> Outcome {
    let mut outcome = Outcome::default();
    for item in &samples.items {
        let Some(expected) = &item.output else { continue };
        let result = eval::run(program, &samples.inputs_of(item), policy);
        let solved = matches!(&result, Ok(value) if value == expected);
        let error = result.err().map(|trouble| FirstError::new(trouble, item.id));
        outcome.count(item.id, solved, error);
    }
    outcome
}
