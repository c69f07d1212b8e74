//! Checking an archive: the database, every seal, what was promised, every hash, every score, and with
//! tasks every result anew.

mod rows;

use std::collections::{HashMap, HashSet};

use batt_lang::canonical::{Canonical, ProgramHash};
use rayon::ThreadPool;
use rayon::prelude::*;
use serde::Serialize;

use super::db::Tx;
use super::records::{Record, TaskResult, each_part};
use super::{Archive, ArchiveError, export, read, schema, write};
use crate::judge::{FULL, Judges, SampleScore};
pub(super) use rows::checkpoints;

/// Enough for the deepest nesting that the limits let a value or a program have.
const STACK: usize = 256 << 20;

/// How what a program does on a test is written.
const TEST: [char; 3] = ['0', '1', '?'];

/// How many problems are told.
const MOST: usize = 100;

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// Programs that were looked at.
    pub programs: u64,
    /// Results that were looked at.
    pub results: u64,
    /// Results that were made anew.
    pub rerun: u64,
    /// Results of tasks that are not among those that were given.
    pub skipped: u64,
    /// What is wrong, the first hundred.
    pub problems: Vec<String>,
    /// How many problems there are.
    pub count: u64,
}

impl Checked {
    fn note(&mut self, problem: String) {
        self.count += 1;
        if self.problems.len() < MOST {
            self.problems.push(problem);
        }
    }
}

impl Archive {
    /// Looks at everything. With `judges` the results of their tasks are made anew.
    pub fn check(&mut self, judges: Option<&Judges>) -> Result<Checked, ArchiveError> {
        let mut checked = Checked::default();
        if let Some(lost) = &self.lost {
            checked.note(lost.clone());
        }
        match self.db.integrity() {
            Ok(problems) => problems.into_iter().for_each(|problem| checked.note(problem)),
            Err(error) => checked.note(error.to_string()),
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .stack_size(STACK)
            .build()
            .map_err(|error| ArchiveError::Threads(error.to_string()))?;
        let sealed = self.version >= schema::SEALED;
        let done = self.db.read(|tx| {
            // A connection that is lost begins anew.
            let mut checked = checked.clone();
            if sealed {
                rows::all(tx, &mut |problem| checked.note(problem));
            }
            match check(tx, judges, &pool, &mut checked) {
                Err(ArchiveError::Damaged(why)) => checked.note(why),
                // What cannot be read any more is damaged as well; a server may just be away.
                Err(error @ ArchiveError::Sqlite(_)) => checked.note(error.to_string()),
                other => other?,
            }
            Ok(checked)
        });
        match done {
            Err(ArchiveError::Damaged(why)) => checked.note(why),
            Err(error @ ArchiveError::Sqlite(_)) => checked.note(error.to_string()),
            other => return other,
        }
        Ok(checked)
    }
}

fn check(
    tx: &mut dyn Tx,
    judges: Option<&Judges>,
    pool: &ThreadPool,
    checked: &mut Checked,
) -> Result<(), ArchiveError> {
    let runs = export::runs(tx)?;
    for run in &runs {
        let whole = write::run_of(run);
        if whole.id().as_str() != run.id {
            checked.note(format!("run {} has another key", run.id));
        }
    }
    let ahead = "SELECT COUNT(*) FROM checkpoints c JOIN runs r ON r.id = c.run \
                 WHERE c.generation > r.generation";
    if tx.count(ahead, &[])? > 0 {
        checked.note("a checkpoint is ahead of its run".to_string());
    }
    let late = "SELECT COUNT(*) FROM finds f JOIN runs r ON r.id = f.run \
                WHERE f.generation > r.generation";
    if tx.count(late, &[])? > 0 {
        checked.note("a program was found after its run's last generation".to_string());
    }
    let runs: HashSet<String> = runs.into_iter().map(|run| run.id).collect();
    let tasks: HashMap<String, String> = read::tasks(tx)?.into_iter().collect();
    let mut seen = 0;
    each_part(tx, &mut |part| {
        let known = Known { runs: &runs, tasks: &tasks, judges };
        seen += part.len() as u64;
        checked.programs += part.len() as u64;
        for result in part.iter().flat_map(|record| &record.results) {
            checked.results += 1;
            if let Some(judges) = judges {
                let there = judges.get(&result.task).is_some();
                checked.rerun += u64::from(there);
                checked.skipped += u64::from(!there);
            }
        }
        let problems: Vec<Vec<String>> =
            pool.install(|| part.par_iter().map(|record| known.problems(record)).collect());
        problems.into_iter().flatten().for_each(|problem| checked.note(problem));
        Ok(())
    })?;
    let all = tx.count("SELECT COUNT(*) FROM programs", &[])? as u64;
    if all != seen {
        checked.note(format!("{} programs have keys that are no hashes", all - seen));
    }
    Ok(())
}

/// What a program's record is checked against.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub runs: &'a HashSet<String>,
    /// The hashes of their demos.
    pub tasks: &'a HashMap<String, String>,
    pub judges: Option<&'a Judges>,
}

impl Known<'_> {
    /// What is wrong with a program.
    pub fn problems(&self, record: &Record) -> Vec<String> {
        let name = &record.hash;
        let Some(canonical) = record.canonical() else {
            return vec![format!("program {name} is not what its hash says")];
        };
        let mut problems = Vec::new();
        if canonical.kinds() != record.kinds {
            problems.push(format!("program {name} has other kinds than {}", record.kinds));
        }
        if record.results.is_empty() {
            problems.push(format!("program {name} is worth nothing on any task"));
        }
        if record.finds.is_empty() {
            problems.push(format!("program {name} was found by no run"));
        }
        let strangers = record.finds.iter().filter(|find| !self.runs.contains(&find.run));
        problems.extend(strangers.map(|f| format!("program {name}: there is no run {}", f.run)));
        let parents = record.finds.iter().flat_map(|find| &find.parents);
        let unread = parents.filter(|parent| ProgramHash::read(parent).is_none());
        problems.extend(unread.map(|parent| format!("program {name}: {parent} is no parent")));
        let mut tasks = HashSet::new();
        for result in &record.results {
            let wrong = if tasks.insert(&result.task) {
                self.result(&canonical, result)
            } else {
                Some("there are two results".to_string())
            };
            problems.extend(wrong.map(|why| format!("program {name} on {}: {why}", result.task)));
        }
        problems
    }

    fn result(&self, canonical: &Canonical, result: &TaskResult) -> Option<String> {
        let Some(demos) = self.tasks.get(&result.task) else {
            return Some("there is no such task".to_string());
        };
        let in_range = |score: SampleScore| score.cells <= FULL && score.differ <= FULL;
        if !result.scores().all(in_range) || result.samples.iter().any(|sample| sample.0 > 1) {
            return Some("the scores of its demos are out of range".to_string());
        }
        if result.tests.as_ref().is_some_and(|t| t.is_empty() || !t.trim_matches(TEST).is_empty()) {
            return Some("what it does on the tests cannot be read".to_string());
        }
        let exact = result.scores().filter(|score| score.exact).count() as u32;
        let score: u32 = result.scores().map(SampleScore::points).sum();
        if (exact, score) != (result.exact, result.score) {
            return Some(format!("the demos make {score} points, not {}", result.score));
        }
        if score == 0 {
            return Some("the score is zero".to_string());
        }
        let judge = self.judges?.get(&result.task)?;
        if judge.demos() != demos {
            return Some("the demos of the task are others".to_string());
        }
        let judged = judge.judge(canonical.program());
        let same = judged.samples().iter().copied().eq(result.scores());
        if !same || judged.behaviour() != result.behaviour || judged.cost() != result.cost {
            return Some(format!(
                "run anew it makes {} points at a cost of {}, not {} at {}",
                judged.score(),
                judged.cost(),
                result.score,
                result.cost
            ));
        }
        let stored = result.tests.as_ref()?;
        let tests = write::tests_text(judge.test(canonical.program()).tests());
        // A test whose output is not known here says nothing about what is stored.
        let differ = tests.len() != stored.len()
            || tests.chars().zip(stored.chars()).any(|(a, b)| a != b && a != '?' && b != '?');
        differ.then(|| format!("the tests give {tests}, not {stored}"))
    }
}
