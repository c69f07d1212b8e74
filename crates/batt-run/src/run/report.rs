//! Rows and totals of a run, as other programs read them (`"schema": 1`).

use std::collections::HashSet;

use serde::Serialize;

use super::Finished;
use super::library::Entry;
use super::matrix::{MatrixRow, Scores};
use super::outcome::{FirstError, Outcome, Tally};
use super::plan::{Pair, Plan};
use super::scores::Diff;
use super::work::{Timing, Work};
use crate::engine::spent::Notes;
use crate::tasks::Task;

/// The version of the machine-readable form.
pub const SCHEMA: u32 = 1;

/// A whole run.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The version of this form.
    pub schema: u32,
    /// The sums.
    pub totals: Totals,
    /// One row for every program; with a cross run, for every pair that solves a sample.
    pub programs: Vec<Row>,
    /// What could not be read or is refused.
    pub problems: Vec<ReportProblem>,
    /// The tasks.
    pub data: Data,
    /// What an error did: `strict` or `safe`.
    pub policy: &'static str,
    /// What evaluated the programs; left out of stable reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// What its devices did; left out of stable reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<Notes>,
    /// How long it took; left out of stable reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// How long its parts took; left out of stable reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timing: Option<Timing>,
    /// How much was evaluated, and what merging saved; left out of stable reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub work: Option<Work>,
    /// The first pairs that the engine handed back; left out of stable reports.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fallbacks: Vec<Fallback>,
    /// What scored the outputs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scoring: Option<Scoring>,
    /// Every program-task pair with its scores, where it is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub matrix: Option<Vec<MatrixRow>>,
}

/// What scored the outputs, and how much.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Scoring {
    /// The differs' names.
    pub differs: Vec<String>,
    /// Which samples were scored.
    pub diff: Diff,
    /// How many samples were.
    pub samples: usize,
    /// How many scores were computed.
    pub scores: usize,
    /// Samples that should have been scored when the run was cut short.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_scored: Option<usize>,
}

/// A program-sample pair that the engine could not hold; the interpreter ran it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fallback {
    /// The program.
    pub program: String,
    /// The task.
    pub task: String,
    /// The sample.
    pub sample: String,
}

/// The sums of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Programs run or listed.
    pub programs: usize,
    /// Tasks that a program was run on.
    pub tasks: usize,
    /// Tasks of which one program solved all demos and all known tests.
    pub tasks_solved: usize,
    /// Program-sample pairs with a known output.
    pub samples: usize,
    /// Those of them that were solved.
    pub samples_solved: usize,
    /// Those of them that ended in an error.
    pub errors: usize,
    /// Those of them that another engine had to run; left out of stable reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fallback: Option<usize>,
    /// Program-task pairs that were not run, or not on all samples, because the run was cut short.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_run: Option<usize>,
}

/// One program on one task.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The program.
    pub id: String,
    /// The task it ran on, or that it names.
    pub task: Option<String>,
    /// Where the program was read.
    pub file: String,
    /// The line of its `def`.
    pub line: u32,
    /// The demos.
    pub demos: Tally,
    /// The tests with a known output.
    pub tests: Tally,
    /// Whether all of them are solved.
    pub solved: bool,
    /// How many samples ended in an error.
    pub errors: usize,
    /// The first error.
    pub error: Option<RowError>,
    /// What differs say, where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scores: Option<Scores>,
}

/// The first error of a row. In a stable report only what every engine agrees on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RowError {
    /// What kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// The line of the program where it began.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// What went wrong, in a few words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub what: Option<String>,
    /// On which sample; none when the program could not be run at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sample: Option<String>,
}

/// A function that could not be read or is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReportProblem {
    /// The file.
    pub file: String,
    /// The line, counted from 1.
    pub line: Option<u32>,
    /// What is wrong.
    pub message: String,
}

/// The tasks of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Data {
    /// The data set's name.
    pub name: String,
    /// Its version, where it is known.
    pub version: Option<String>,
    /// The hash of its content.
    pub hash: String,
    /// How many tasks it has.
    pub tasks: usize,
}

/// How to report.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Whether every program ran on every task: then rows that solve nothing are left out.
    pub cross: bool,
    /// Whether to leave out everything that may differ between two runs of the same work.
    pub stable: bool,
}

/// Rows and totals of what came of a plan. `differs` are the names of those that scored.
pub fn rows(
    entries: &[Entry],
    tasks: &[Task],
    plan: &Plan,
    finished: &Finished,
    differs: &[String],
    shape: Shape,
) -> (Vec<Row>, Totals) {
    let mut totals = Totals {
        programs: entries.len(),
        fallback: (!shape.stable).then_some(finished.fallback),
        ..Totals::default()
    };
    let (mut tried, mut solved) = (HashSet::new(), HashSet::new());
    let mut rows: Vec<(usize, Row)> = Vec::new();
    for (at, (pair, outcome)) in plan.pairs.iter().zip(&finished.outcomes).enumerate() {
        tried.insert(pair.task);
        let samples = outcome.samples();
        totals.samples += samples.total;
        totals.samples_solved += samples.solved;
        totals.errors += outcome.errors;
        if outcome.solved() {
            solved.insert(pair.task);
        }
        if outcome.missing > 0 {
            *totals.not_run.get_or_insert(0) += 1;
        }
        if !shape.cross && outcome.missing > 0 && samples.total == 0 {
            let why = "the run ended before it ran";
            rows.push((pair.program, bare(&entries[pair.program], "NotRun", why)));
        } else if !shape.cross || samples.solved > 0 {
            let mut row = row(entries, tasks, *pair, outcome, shape);
            row.scores = finished.scored.as_ref().map(|s| Scores::of(differs, s.pair(at)));
            rows.push((pair.program, row));
        }
    }
    for program in &plan.stray {
        let entry = &entries[*program];
        let why = if entry.task.is_some() {
            "the data set has no task of this name"
        } else {
            "it names no task"
        };
        rows.push((*program, bare(entry, "NoTask", why)));
    }
    // Stable: a program's pairs keep their order.
    rows.sort_by_key(|(program, _)| *program);
    totals.tasks = tried.len();
    totals.tasks_solved = solved.len();
    (rows.into_iter().map(|(_, row)| row).collect(), totals)
}

fn row(entries: &[Entry], tasks: &[Task], pair: Pair, outcome: &Outcome, shape: Shape) -> Row {
    let entry = &entries[pair.program];
    Row {
        id: entry.id.clone(),
        task: Some(tasks[pair.task].id.clone()),
        file: entry.file.clone(),
        line: entry.program.line,
        demos: outcome.demos,
        tests: outcome.tests,
        solved: outcome.solved(),
        errors: outcome.errors,
        error: outcome.error.as_ref().map(|error| row_error(error, shape.stable)),
        scores: None,
    }
}

/// A row for a program that was not run.
fn bare(entry: &Entry, kind: &str, why: &str) -> Row {
    let error = RowError {
        kind: Some(kind.to_string()),
        line: Some(entry.program.line),
        what: Some(why.to_string()),
        sample: None,
    };
    Row {
        id: entry.id.clone(),
        task: entry.task.clone(),
        file: entry.file.clone(),
        line: entry.program.line,
        demos: Tally::default(),
        tests: Tally::default(),
        solved: false,
        errors: 0,
        error: Some(error),
        scores: None,
    }
}

fn row_error(error: &FirstError, stable: bool) -> RowError {
    RowError {
        kind: (!stable).then(|| error.kind.name().to_string()),
        line: (!stable).then_some(error.line),
        what: (!stable).then(|| error.what.to_string()),
        sample: Some(error.sample.to_string()),
    }
}
