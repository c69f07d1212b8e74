//! What a program is worth on a task, by the reference interpreter alone.
//!
//! Only a [`Judge`] makes a [`Judged`], and the archive takes nothing else: what is stored has been
//! run by the specification, and running it again gives the same.

use std::collections::HashMap;
use std::sync::LazyLock;

use batt_lang::card::{Card, Options};
use batt_lang::program::Definition;
use batt_lang::{Program, Value, text};
use batt_run::engine::mark::Mark;
use batt_run::engine::reference::Reference;
use batt_run::engine::{Engine, Phase, Sample, Setup};
use batt_run::programs;
use batt_run::reference::eval::{self, Inputs, Policy};
use batt_run::run::outcome::{Item, SampleId, Samples};
use batt_run::run::scores::Score;
use batt_run::stop::{NEVER, Stop};
use batt_run::tasks::Task;
use serde::{Deserialize, Serialize};

/// What a whole sample is worth.
pub const FULL: u32 = 1000;

/// What one output is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampleScore {
    /// Whether it is the expected grid.
    pub exact: bool,
    /// How many cells match, of 1000, by the larger grid.
    pub cells: u32,
    /// How alike the differs find it, of 1000; `cells_match` aside, which `cells` is.
    pub differ: u32,
}

impl SampleScore {
    /// The score of an output.
    pub fn of(output: &Value, expected: &Value, s: &Value) -> SampleScore {
        if output == expected {
            return SampleScore { exact: true, cells: FULL, differ: FULL };
        }
        let cells = u32::from(Mark::of(output, Some(expected)).cells);
        if cells == 0 {
            return SampleScore::default();
        }
        SampleScore { exact: false, cells, differ: alike(output, expected, s) }
    }

    /// What it counts: 1000 when exact, less when not, cells weighing nine times what differs do.
    pub fn points(self) -> u32 {
        if self.exact { FULL } else { ((9 * self.cells + self.differ) / 10).min(FULL - 1) }
    }
}

/// The embedded differs that say how much is missing or new.
static DIFFERS: LazyLock<Vec<Program>> = LazyLock::new(|| {
    let sources = programs::differs().iter();
    let definitions = sources.flat_map(|(_, source)| text::parse(source).definitions);
    let programs = definitions.filter_map(|definition| match definition {
        Definition::Program(program) => Some(program),
        Definition::Generated(_) => None,
    });
    programs.filter(|program| program.name != "differ_cells_match").collect()
});

/// The differs that guide: each says how much is missing or new, so less is better.
pub fn differs() -> &'static [Program] {
    &DIFFERS
}

/// 1000 less what the differs say on average; a differ that fails finds nothing alike.
fn alike(output: &Value, expected: &Value, s: &Value) -> u32 {
    let inputs = Inputs { s, i: output, c: Some(expected) };
    let alike = DIFFERS.iter().map(|differ| {
        let value = eval::run(differ, &inputs, Policy::Strict).ok();
        let score = value.and_then(|value| Score::of(&value));
        score.map_or(0, |score| FULL - score.score as u32)
    });
    alike.sum::<u32>() / (DIFFERS.len().max(1) as u32)
}

/// What a program is worth on a task's demos. Only a [`Judge`] makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    pub(crate) samples: Vec<SampleScore>,
    pub(crate) behaviour: String,
    pub(crate) cost: u64,
}

impl Judged {
    /// By demo.
    pub fn samples(&self) -> &[SampleScore] {
        &self.samples
    }

    /// How many demos are exact.
    pub fn exact(&self) -> u32 {
        self.samples.iter().filter(|sample| sample.exact).count() as u32
    }

    /// Whether all demos are.
    pub fn solved(&self) -> bool {
        self.samples.iter().all(|sample| sample.exact)
    }

    /// The points of all demos together; nothing with a zero is kept.
    pub fn score(&self) -> u32 {
        self.samples.iter().map(|sample| sample.points()).sum()
    }

    /// The hash of what it gave on all demos, errors included.
    pub fn behaviour(&self) -> &str {
        &self.behaviour
    }

    /// Rows that the reference engine evaluates for it alone and unfused, on all demos.
    pub fn cost(&self) -> u64 {
        self.cost
    }
}

/// What a program gives on a task's tests. Kept apart: nothing that selects programs reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tested {
    pub(crate) tests: Vec<Option<bool>>,
}

impl Tested {
    /// By test: whether it is right, where that is known.
    pub fn tests(&self) -> &[Option<bool>] {
        &self.tests
    }
}

/// The samples of one task, ready to run programs on.
#[derive(Clone, Debug)]
pub struct Judge {
    task: String,
    demos: String,
    samples: Samples,
}

impl Judge {
    /// Readies a task.
    pub fn new(task: &Task) -> Judge {
        let samples = Samples::of(task);
        Judge { task: task.id.clone(), demos: demos_hash(&samples.s), samples }
    }

    /// The task's id.
    pub fn task(&self) -> &str {
        &self.task
    }

    /// The hash of the task's demos: two tasks of one name differ in it.
    pub fn demos(&self) -> &str {
        &self.demos
    }

    /// Runs a program on the demos, strictly.
    pub fn judge(&self, program: &Program) -> Judged {
        self.judged(program, &NEVER)
    }

    /// Runs a program on the demos, strictly, unless the work is stopped before.
    pub fn judge_until(&self, program: &Program, stop: &Stop) -> Option<Judged> {
        let judged = self.judged(program, stop);
        // What was computed after that means nothing.
        (!stop.fired()).then_some(judged)
    }

    fn judged(&self, program: &Program, stop: &Stop) -> Judged {
        let mut samples = Vec::new();
        let mut behaviour = blake3::Hasher::new();
        for item in self.samples.items.iter().filter(|i| matches!(i.id, SampleId::Demo(_))) {
            let inputs = self.samples.inputs_of(item);
            let output = eval::run_until(program, &inputs, Policy::Strict, stop);
            let Some(output) = output else { break };
            let seen = match &output {
                Ok(value) => format!("{value:#}\n"),
                Err(_) => "error\n".to_string(),
            };
            behaviour.update(seen.as_bytes());
            samples.push(match (&output, &item.output) {
                (Ok(value), Some(expected)) => SampleScore::of(value, expected, &self.samples.s),
                _ => SampleScore::default(),
            });
        }
        let behaviour = behaviour.finalize().to_hex().to_string();
        Judged { samples, behaviour, cost: self.cost(program, stop) }
    }

    /// Runs a program on the tests, strictly.
    pub fn test(&self, program: &Program) -> Tested {
        self.tested(program, &NEVER)
    }

    /// Runs a program on the tests, strictly, unless the work is stopped before.
    pub fn test_until(&self, program: &Program, stop: &Stop) -> Option<Tested> {
        let tested = self.tested(program, stop);
        (!stop.fired()).then_some(tested)
    }

    fn tested(&self, program: &Program, stop: &Stop) -> Tested {
        let tests = self.samples.items.iter().filter(|i| matches!(i.id, SampleId::Test(_)));
        let right = |item: &Item| {
            let expected = item.output.as_ref()?;
            let inputs = self.samples.inputs_of(item);
            let output = eval::run_until(program, &inputs, Policy::Strict, stop)?;
            Some(output.as_ref() == Ok(expected))
        };
        Tested { tests: tests.map(right).collect() }
    }

    fn cost(&self, program: &Program, stop: &Stop) -> u64 {
        // What fusing saves changes as its rules do; the cost should not.
        let mut card = Card::new(Options { fuse: false, ..Options::default() });
        card.add(program);
        let battery = card.deal();
        let tasks = [self.samples.s.clone()];
        let loaded = Reference.load(Setup {
            battery: &battery,
            phase: Phase::Outputs,
            tasks: &tasks,
            timed: false,
            verdicts: false,
            stop,
        });
        let demos = self.samples.items.iter().filter(|i| matches!(i.id, SampleId::Demo(_)));
        let demos = demos.map(|item| Sample {
            task: 0,
            input: item.input.clone(),
            compared: None,
            expected: None,
        });
        loaded.run(&demos.collect::<Vec<_>>()).1.rows()
    }
}

/// The judges of many tasks, by id.
#[derive(Clone, Debug, Default)]
pub struct Judges(HashMap<String, Judge>);

impl Judges {
    /// Readies tasks.
    pub fn new(tasks: &[Task]) -> Judges {
        Judges(tasks.iter().map(|task| (task.id.clone(), Judge::new(task))).collect())
    }

    /// The judge of a task.
    pub fn get(&self, task: &str) -> Option<&Judge> {
        self.0.get(task)
    }
}

/// The hash of a task's demos.
fn demos_hash(s: &Value) -> String {
    blake3::hash(format!("{s:#}").as_bytes()).to_hex().to_string()
}
