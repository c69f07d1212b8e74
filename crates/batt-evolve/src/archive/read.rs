//! Reading: the best programs of a task, one program with all that is known of it, runs and totals.

use batt_lang::canonical::{Canonical, ProgramHash};
use serde::Serialize;

use super::db::{Arg, Row, Tx};
use super::prune::BEST;
use super::{Archive, ArchiveError};
use crate::judge::SampleScore;

/// A program and what it is worth on one task's demos.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Kept {
    /// The program's key.
    #[serde(serialize_with = "hex")]
    pub program: ProgramHash,
    /// The task.
    pub task: String,
    /// How many demos are exact.
    pub exact: u32,
    /// The points of all demos together.
    pub score: u32,
    /// Rows that are evaluated for it alone, on all demos.
    pub cost: u64,
    /// By demo.
    pub samples: Vec<SampleScore>,
    /// The hash of what it gave on all demos.
    pub behaviour: String,
    /// Its text.
    pub text: String,
}

impl Kept {
    /// The program, read from its text.
    pub fn canonical(&self) -> Result<Canonical, ArchiveError> {
        Canonical::read(&self.text)
            .filter(|read| read.hash() == self.program)
            .ok_or_else(|| ArchiveError::Damaged(format!("program {} is changed", self.program)))
    }
}

fn hex<S: serde::Serializer>(hash: &ProgramHash, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&hash.hex())
}

const KEPT: &str = "SELECT r.program, r.task, r.exact, r.score, r.cost, r.samples, r.behaviour, \
                    p.text FROM results r JOIN programs p ON p.hash = r.program";

fn kept(mut row: Row) -> Result<Kept, ArchiveError> {
    Ok(Kept {
        program: hash(&row.text(0)?)?,
        task: row.text(1)?,
        exact: row.int(2)? as u32,
        score: row.int(3)? as u32,
        cost: row.int(4)? as u64,
        samples: samples(&row.text(5)?)?,
        behaviour: row.text(6)?,
        text: row.text(7)?,
    })
}

/// Reads a key.
pub(super) fn hash(text: &str) -> Result<ProgramHash, ArchiveError> {
    ProgramHash::read(text).ok_or_else(|| ArchiveError::Damaged(format!("{text} is no hash")))
}

/// Reads scores by sample.
pub(super) fn samples(text: &str) -> Result<Vec<SampleScore>, ArchiveError> {
    let one = |word: &str| {
        let mut parts = word.split(':').map(|part| part.parse::<u32>().ok());
        let mut next = || parts.next().flatten();
        Some(SampleScore { exact: next()? == 1, cells: next()?, differ: next()? })
    };
    let read: Option<Vec<SampleScore>> = text.split_whitespace().map(one).collect();
    read.ok_or_else(|| ArchiveError::Damaged(format!("{text} are no scores")))
}

impl Archive {
    /// The best programs of a task, by exact demos, score, cost and hash.
    pub fn best(&mut self, task: &str, limit: u32) -> Result<Vec<Kept>, ArchiveError> {
        let sql = format!("{KEPT} WHERE r.task = $1 ORDER BY {BEST} LIMIT $2");
        let args = [Arg::Text(task), Arg::Int(i64::from(limit))];
        self.db.read(|tx| tx.query(&sql, &args))?.into_iter().map(kept).collect()
    }

    /// The tasks that have results, with the hashes of their demos.
    pub fn tasks(&mut self) -> Result<Vec<(String, String)>, ArchiveError> {
        let mut tasks = self.db.read(tasks)?;
        tasks.sort();
        Ok(tasks)
    }
}

/// The tasks, in any order.
pub(super) fn tasks(tx: &mut dyn Tx) -> Result<Vec<(String, String)>, ArchiveError> {
    let rows = tx.query("SELECT id, demos FROM tasks", &[])?;
    rows.into_iter().map(|mut row| Ok((row.text(0)?, row.text(1)?))).collect()
}
