//! Verification: two ways to run the same programs, compared answer by answer.
//!
//! - [`compare`]: every output, every mark of an output and every score of two [`Side`]s
//! - [`case`]: one program on one sample, as small as it gets, and its conformance record
//! - [`shrink`]: makes a case that differs smaller

pub mod case;
mod compare;
pub mod shrink;

use batt_lang::card::{Card, Options, Policy};
use batt_lang::{Input, Program, Value};

use crate::engine::mark::Mark;
use crate::engine::{Cell, Engine};
use crate::reference::eval::{self, Inputs};
use crate::run::outcome::SampleId;
use crate::run::plan::Plan;
use crate::tasks::Task;

pub use case::Case;
pub use compare::compare;
pub use shrink::shrink;

/// Enough stack for the deepest nesting that the limits let a value or a function have.
pub const STACK: usize = 256 << 20;

/// One way to run programs.
#[derive(Clone, Copy)]
pub enum Side<'a> {
    /// Each program by itself, on the interpreter.
    Alone,
    /// All programs as one battery.
    Merged {
        /// What runs the battery.
        engine: &'a dyn Engine,
        /// Whether it is dealt with the fusing rules.
        fuse: bool,
    },
}

/// Two ways to run programs, and what errors do.
#[derive(Clone, Copy)]
pub struct Check<'a> {
    /// The one way.
    pub left: Side<'a>,
    /// The other.
    pub right: Side<'a>,
    /// What an error does.
    pub policy: Policy,
}

/// What to run.
#[derive(Clone, Copy)]
pub struct Work<'a> {
    /// The programs, which are dealt into one battery.
    pub programs: &'a [Program],
    /// The differs that score every program's output and the input itself.
    pub differs: &'a [Program],
    /// The tasks.
    pub tasks: &'a [Task],
    /// Which program's answers are compared on which task's samples.
    pub plan: &'a Plan,
}

/// What a program gives: a value, or an error of any kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A value.
    Value(Value),
    /// An error. Which one does not matter: sharing may change it.
    Error,
}

impl From<eval::Outcome> for Answer {
    fn from(outcome: eval::Outcome) -> Answer {
        outcome.map_or(Answer::Error, Answer::Value)
    }
}

impl Answer {
    /// The answer in a cell; `None` where the engine handed it back.
    fn of(cell: &Cell) -> Option<Answer> {
        match cell {
            Cell::Value(value) => Some(Answer::Value(value.clone())),
            Cell::Error(..) => Some(Answer::Error),
            Cell::HandBack | Cell::Stopped | Cell::Verdict(_) => None,
        }
    }

    /// The value; `None` for an error.
    pub fn value(&self) -> Option<&Value> {
        match self {
            Answer::Value(value) => Some(value),
            Answer::Error => None,
        }
    }

    /// How it is marked, by the rules that hold for every engine.
    pub fn mark(&self, expected: Option<&Value>) -> Mark {
        Mark::of_out(self.value(), expected)
    }
}

/// A mark that is not that of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismarked {
    /// Whether the right side marked it so; the left one otherwise.
    pub right: bool,
    /// How the side marked it.
    pub given: Mark,
    /// How the answer is marked.
    pub wanted: Mark,
}

/// An answer that is not the same on both sides.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// The program, by its place; `None` where the input itself was scored.
    pub program: Option<usize>,
    /// The differ, by its place, where a score differs.
    pub differ: Option<usize>,
    /// The task, by its place.
    pub task: usize,
    /// The sample.
    pub sample: SampleId,
    /// What the one side gave.
    pub left: Answer,
    /// What the other gave.
    pub right: Answer,
    /// Where both gave the same: the mark that is wrong.
    pub mark: Option<Mismarked>,
}

/// What a comparison found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How many answers were compared.
    pub compared: u64,
    /// How many marks of outputs were compared with those of the answers.
    pub marks: u64,
    /// How many answers were not the same, or not marked as they should be.
    pub mismatches: u64,
    /// How many an engine handed back to the interpreter, counted on each side. On that side the
    /// interpreter's answer was compared.
    pub handed_back: u64,
    /// How many answers were values, on the left.
    pub values: u64,
    /// The first that was not the same, by task, sample and program.
    pub first: Option<Mismatch>,
}

/// The programs, and the scores of each by each differ, on a card.
fn dealt(work: &Work, fuse: bool, policy: Policy) -> Card {
    let mut card = Card::new(Options { policy, fuse });
    for program in work.programs {
        let id = card.add(program);
        for differ in work.differs {
            card.add_score(differ, Some(id));
        }
    }
    for differ in work.differs {
        card.add_score(differ, None);
    }
    card
}

/// What a differ gives for a program's output, both alone. Where the output is an error, so is
/// the score, unless the differ does not look at it.
fn score_alone(
    program: Option<&Program>,
    differ: &Program,
    inputs: &Inputs,
    policy: Policy,
) -> Answer {
    let output = match program.map(|p| eval::run(p, &Inputs { c: None, ..*inputs }, policy)) {
        None => inputs.i.clone(),
        Some(Ok(output)) => output,
        Some(Err(_)) if differ.reads(Input::I) => return Answer::Error,
        Some(Err(_)) => Value::Null,
    };
    eval::run(differ, &Inputs { i: &output, ..*inputs }, policy).into()
}
