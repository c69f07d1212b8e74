//! An archive as lines of JSON, in one order: the same content is the same text.
//!
//! ```text
//! {"batt_archive":1}
//! {"run":{…}}       by id
//! {"task":{…}}      by id
//! {"program":{…}}   by hash
//! {"end":{"lines":…,"blake3":…}}
//! ```
//!
//! Where and when a run took place is left out, and so is the state that it goes on from.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::db::Tx;
use super::records::{self, Record};
use super::{Archive, ArchiveError};

/// The version of the form that is written, and the only one that is read.
pub const VERSION: u32 = 1;

/// A line of an export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Line {
    /// The first.
    BattArchive(u32),
    /// A run.
    Run(RunRecord),
    /// A task.
    Task(TaskRecord),
    /// A program.
    Program(Record),
    /// The last.
    End(End),
}

/// A run, without where and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunRecord {
    /// Its key.
    pub id: String,
    /// The seed.
    pub seed: u64,
    /// What else decides its course.
    pub configuration: String,
    /// The version of the language and of the judge.
    pub language: String,
    /// The hash of the data set.
    pub data: String,
    /// The last whole generation.
    pub generation: u32,
}

/// A task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskRecord {
    /// Its id.
    pub id: String,
    /// The hash of its demos.
    pub demos: String,
}

/// What went before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct End {
    /// How many lines.
    pub lines: u64,
    /// Their hash.
    pub blake3: String,
}

/// Why an export could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The archive cannot be read.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The export cannot be written.
    #[error(transparent)]
    Write(#[from] io::Error),
}

impl Archive {
    /// Writes everything as lines of JSON.
    pub fn export(&mut self, to: &mut dyn Write) -> Result<(), ExportError> {
        let mut out = Out::new(to);
        let done = self.db.read(|tx| {
            out.begin();
            out.line(&Line::BattArchive(VERSION))?;
            for run in runs(tx)? {
                out.line(&Line::Run(run))?;
            }
            let mut tasks = super::read::tasks(tx)?;
            tasks.sort();
            for (id, demos) in tasks {
                out.line(&Line::Task(TaskRecord { id, demos }))?;
            }
            records::each_part(tx, &mut |part| {
                part.into_iter().try_for_each(|record| out.line(&Line::Program(record)))
            })?;
            let blake3 = out.hash.finalize().to_hex().to_string();
            out.line(&Line::End(End { lines: out.lines, blake3 }))
        });
        if let Some(error) = out.failed {
            return Err(error.into());
        }
        Ok(done?)
    }

    /// The runs, by key.
    pub fn runs(&mut self) -> Result<Vec<RunRecord>, ArchiveError> {
        self.db.read(runs)
    }
}

pub(super) fn runs(tx: &mut dyn Tx) -> Result<Vec<RunRecord>, ArchiveError> {
    let sql = "SELECT id, seed, configuration, language, data, generation FROM runs ORDER BY id";
    let run = |mut row: super::db::Row| {
        let seed = row.text(1)?;
        Ok(RunRecord {
            id: row.text(0)?,
            seed: seed.parse().map_err(|_| ArchiveError::Damaged(format!("{seed} is no seed")))?,
            configuration: row.text(2)?,
            language: row.text(3)?,
            data: row.text(4)?,
            generation: row.int(5)? as u32,
        })
    };
    tx.query(sql, &[])?.into_iter().map(run).collect()
}

/// Counts and hashes what is written.
struct Out<'a> {
    to: &'a mut dyn Write,
    lines: u64,
    hash: blake3::Hasher,
    /// How many lines are written, and their hash: after a connection was lost they come once more.
    written: u64,
    prefix: blake3::Hash,
    failed: Option<io::Error>,
}

impl Out<'_> {
    fn new(to: &mut dyn Write) -> Out<'_> {
        let hash = blake3::Hasher::new();
        Out { to, lines: 0, prefix: hash.finalize(), hash, written: 0, failed: None }
    }

    fn begin(&mut self) {
        (self.lines, self.hash) = (0, blake3::Hasher::new());
    }

    fn line(&mut self, line: &Line) -> Result<(), ArchiveError> {
        let mut text = serde_json::to_string(line)
            .map_err(|error| ArchiveError::Damaged(error.to_string()))?;
        text.push('\n');
        self.lines += 1;
        self.hash.update(text.as_bytes());
        if self.lines <= self.written {
            let differs = self.lines == self.written && self.hash.finalize() != self.prefix;
            return if differs { Err(ArchiveError::Changed) } else { Ok(()) };
        }
        if self.failed.is_none()
            && let Err(error) = self.to.write_all(text.as_bytes())
        {
            self.failed = Some(error);
        }
        // An error of the writer ends the reading; what it was is told in its own words.
        if self.failed.is_some() {
            return Err(ArchiveError::Damaged("the export cannot be written".to_string()));
        }
        self.written = self.lines;
        self.prefix = self.hash.finalize();
        Ok(())
    }
}
