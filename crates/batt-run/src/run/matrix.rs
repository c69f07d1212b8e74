//! Scores by program and task.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Finished;
use super::library::Entry;
use super::outcome::Tally;
use super::plan::Plan;
use super::scores::{DifferSums, Sum};
use crate::tasks::Task;

/// What differs say of a pair, as means from 0 to 1000; null where nothing was scored.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Scores {
    /// Over all differs, on demos: the score that decides.
    pub demos: Option<f64>,
    /// Over all differs, on tests: only reported.
    pub tests: Option<f64>,
    /// By differ, on demos.
    pub differs: BTreeMap<String, Option<f64>>,
}

impl Scores {
    /// The means of sums by differ.
    pub fn of(names: &[String], sums: &[DifferSums]) -> Scores {
        let all =
            |part: fn(&DifferSums) -> Sum| sums.iter().map(part).fold(Sum::default(), Sum::with);
        let by_differ = names.iter().zip(sums);
        Scores {
            demos: all(|s| s.demos).mean(),
            tests: all(|s| s.tests).mean(),
            differs: by_differ.map(|(name, s)| (name.clone(), s.demos.mean())).collect(),
        }
    }
}

/// One program on one task, in the matrix.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatrixRow {
    /// The program; none for the input itself.
    pub program: Option<String>,
    /// The task.
    pub task: String,
    /// The demos, which decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub demos: Option<Tally>,
    /// The tests, which are only reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tests: Option<Tally>,
    /// What differs say, where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scores: Option<Scores>,
}

/// Every pair of the plan, program by program; with differs, the inputs of every task first.
pub fn matrix(
    entries: &[Entry],
    tasks: &[Task],
    plan: &Plan,
    finished: &Finished,
    differs: &[String],
) -> Vec<MatrixRow> {
    let mut rows = Vec::new();
    if let Some(scored) = &finished.scored {
        for task in plan.jobs.iter().flat_map(|job| &job.tasks) {
            rows.push(MatrixRow {
                program: None,
                task: tasks[*task].id.clone(),
                demos: None,
                tests: None,
                scores: Some(Scores::of(differs, scored.input(*task))),
            });
        }
    }
    for (at, (pair, outcome)) in plan.pairs.iter().zip(&finished.outcomes).enumerate() {
        rows.push(MatrixRow {
            program: Some(entries[pair.program].id.clone()),
            task: tasks[pair.task].id.clone(),
            demos: Some(outcome.demos),
            tests: Some(outcome.tests),
            scores: finished.scored.as_ref().map(|s| Scores::of(differs, s.pair(at))),
        });
    }
    rows
}
