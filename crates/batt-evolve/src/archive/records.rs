//! A program with all that is known of it: what `show` prints, `export` writes and `check` reads.

use std::collections::BTreeMap;

use batt_lang::canonical::Canonical;
use serde::{Deserialize, Serialize};

use super::db::{Arg, Tx};
use super::{Archive, ArchiveError, read};
use crate::judge::SampleScore;

/// A program with its results and its lineage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Its key: the hash of its text.
    pub hash: String,
    /// What it reads and gives.
    pub kinds: String,
    /// Its canonical text.
    pub text: String,
    /// How each run came to it, by run.
    pub finds: Vec<Find>,
    /// What it is worth, by task.
    pub results: Vec<TaskResult>,
}

/// How a run came to a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Find {
    /// The run.
    pub run: String,
    /// When it was first found.
    pub generation: u32,
    /// Where.
    pub island: u32,
    /// What made it.
    pub operator: String,
    /// What it was made from; these programs may be gone by now.
    pub parents: Vec<String>,
}

/// What a program is worth on a task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskResult {
    /// The task.
    pub task: String,
    /// The hash of what it gave on all demos.
    pub behaviour: String,
    /// How many demos are exact.
    pub exact: u32,
    /// The points of all demos together.
    pub score: u32,
    /// Rows that are evaluated for it alone, on all demos.
    pub cost: u64,
    /// By demo: exact, cells, differ.
    pub samples: Vec<(u32, u32, u32)>,
    /// By test: `1` right, `0` wrong, `?` not known. Nothing that selects programs reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tests: Option<String>,
}

impl Record {
    /// The program, if its text is canonical and has this hash.
    pub fn canonical(&self) -> Option<Canonical> {
        let read = Canonical::read(&self.text)?;
        (read.text() == self.text && read.hash().hex() == self.hash).then_some(read)
    }
}

impl TaskResult {
    /// By demo.
    pub fn scores(&self) -> impl Iterator<Item = SampleScore> {
        self.samples.iter().map(|&(exact, cells, differ)| SampleScore {
            exact: exact == 1,
            cells,
            differ,
        })
    }
}

impl Archive {
    /// The programs whose keys begin so, by key.
    pub fn find(&mut self, prefix: &str) -> Result<Vec<Record>, ArchiveError> {
        let prefix = prefix.to_ascii_lowercase();
        if !prefix.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Ok(Vec::new());
        }
        self.db.read(|tx| records(tx, &prefix))
    }
}

/// Hands over every program, a part of them at a time, in the order of their keys.
pub(super) fn each_part(
    tx: &mut dyn Tx,
    see: &mut dyn FnMut(Vec<Record>) -> Result<(), ArchiveError>,
) -> Result<(), ArchiveError> {
    // Keys are hashes, so their beginnings cut an archive of any size into even parts.
    let many = tx.count("SELECT COUNT(*) FROM programs", &[])? > 20_000;
    let parts = if many { 256_u32 } else { 1 };
    for part in 0..parts {
        let prefix = if many { format!("{part:02x}") } else { String::new() };
        see(records(tx, &prefix)?)?;
    }
    Ok(())
}

/// The programs whose keys begin so.
fn records(tx: &mut dyn Tx, prefix: &str) -> Result<Vec<Record>, ArchiveError> {
    // No hexadecimal digit comes after `g`.
    let end = format!("{prefix}g");
    let range = [Arg::Text(prefix), Arg::Text(&end)];
    let mut programs: BTreeMap<String, Record> = BTreeMap::new();
    let sql = "SELECT hash, kinds, text FROM programs WHERE hash >= $1 AND hash < $2";
    tx.each(sql, &range, &mut |mut row| {
        let (hash, kinds, text) = (row.text(0)?, row.text(1)?, row.text(2)?);
        let record = Record { hash, kinds, text, finds: Vec::new(), results: Vec::new() };
        programs.insert(record.hash.clone(), record);
        Ok(())
    })?;
    let stray = |what: &str| ArchiveError::Damaged(format!("a {what} of a program that is gone"));
    let sql = "SELECT program, run, generation, island, operator, parents FROM finds \
               WHERE program >= $1 AND program < $2 ORDER BY program, run";
    tx.each(sql, &range, &mut |mut row| {
        let record = programs.get_mut(&row.text(0)?).ok_or_else(|| stray("find"))?;
        let parents = row.text(5)?.split_whitespace().map(str::to_string).collect();
        record.finds.push(Find {
            run: row.text(1)?,
            generation: row.int(2)? as u32,
            island: row.int(3)? as u32,
            operator: row.text(4)?,
            parents,
        });
        Ok(())
    })?;
    let sql = "SELECT r.program, r.task, r.behaviour, r.exact, r.score, r.cost, r.samples, \
               COALESCE(t.results, '') FROM results r LEFT JOIN tests t ON t.program = r.program \
               AND t.task = r.task WHERE r.program >= $1 AND r.program < $2";
    tx.each(sql, &range, &mut |mut row| {
        let record = programs.get_mut(&row.text(0)?).ok_or_else(|| stray("result"))?;
        let samples = read::samples(&row.text(6)?)?;
        let samples = samples.iter().map(|s| (u32::from(s.exact), s.cells, s.differ)).collect();
        record.results.push(TaskResult {
            task: row.text(1)?,
            behaviour: row.text(2)?,
            exact: row.int(3)? as u32,
            score: row.int(4)? as u32,
            cost: row.int(5)? as u64,
            samples,
            tests: Some(row.text(7)?).filter(|tests| !tests.is_empty()),
        });
        Ok(())
    })?;
    let mut records: Vec<Record> = programs.into_values().collect();
    for record in &mut records {
        // Databases sort names by their own rules; we sort by bytes.
        record.results.sort_by(|a, b| a.task.cmp(&b.task));
    }
    Ok(records)
}
