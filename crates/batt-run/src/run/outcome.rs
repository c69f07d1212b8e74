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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleId {
    /// A demo.
    Demo(usize),
    /// A test.
    Test(usize),
}

impl std::fmt::Display for SampleId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SampleId::Demo(n) => write!(f, "demo{n}"),
            SampleId::Test(n) => write!(f, "test{n}"),
        }
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

/// What one program makes of one task. Only samples with a known output are run.
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
}

impl Outcome {
    /// Whether all demos and all known tests are solved.
    pub fn solved(&self) -> bool {
        self.demos.whole() && self.tests.whole()
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
    s: Value,
    demos: Vec<(Value, Option<Value>)>,
    tests: Vec<(Value, Option<Value>)>,
}

impl Samples {
    /// The samples of a task.
    pub fn of(task: &Task) -> Samples {
        let values = |examples: &[Example]| {
            examples
                .iter()
                .map(|e| (e.input.to_value(), e.output.as_ref().map(Grid::to_value)))
                .collect()
        };
        Samples { s: task.pairs(), demos: values(&task.demos), tests: values(&task.tests) }
    }

    /// What a program may read on a sample.
    pub fn inputs(&self, sample: SampleId) -> Option<Inputs<'_>> {
        let (input, _) = match sample {
            SampleId::Demo(n) => self.demos.get(n)?,
            SampleId::Test(n) => self.tests.get(n)?,
        };
        Some(Inputs { s: &self.s, i: input, c: None })
    }
}

/// Runs a program on every sample of a task whose output is known.
///
/// Every evaluation of a run goes through here, so another engine replaces this one function.
pub fn evaluate(program: &Program, samples: &Samples, policy: Policy) -> Outcome {
    let mut outcome = Outcome::default();
    let demos = samples.demos.iter().enumerate().map(|(n, s)| (SampleId::Demo(n), s));
    let tests = samples.tests.iter().enumerate().map(|(n, s)| (SampleId::Test(n), s));
    for (sample, (input, expected)) in demos.chain(tests) {
        let Some(expected) = expected else { continue };
        let inputs = Inputs { s: &samples.s, i: input, c: None };
        let result = eval::run(program, &inputs, policy);
        let solved = matches!(&result, Ok(value) if value == expected);
        match sample {
            SampleId::Demo(_) => outcome.demos.count(solved),
            SampleId::Test(_) => outcome.tests.count(solved),
        }
        if let Err(trouble) = result {
            outcome.errors += 1;
            outcome.error.get_or_insert(FirstError {
                kind: trouble.fault.kind,
                what: trouble.fault.what,
                line: trouble.line,
                sample,
            });
        }
    }
    outcome
}
