//! The archive: programs, their results, lineage and runs, in SQLite or PostgreSQL.
//!
//! One generation of a run is one transaction, so whenever a process dies, a generation is there
//! whole or not at all.

mod check;
mod db;
mod error;
mod export;
mod import;
mod place;
mod prune;
mod read;
mod records;
mod schema;
mod stats;
mod types;
mod wait;
mod write;

pub use check::Checked;
pub use error::ArchiveError;
pub use export::{ExportError, RunRecord, TaskRecord};
pub use place::{Place, Server};
pub use read::Kept;
pub use records::{Find, Record, TaskResult};
pub use stats::{Stats, TaskRow};
pub use types::{Checkpoint, Found, Generation, LANGUAGE, Origin, Run, RunId, Stored, TestFound};
pub use wait::Waiting;

use db::{Arg, Db};

/// An open archive.
#[derive(Debug)]
pub struct Archive {
    db: Db,
}

impl Archive {
    /// Opens an archive, and makes it if it is not there: see [`Place::read`].
    pub fn open(url: &str) -> Result<Archive, ArchiveError> {
        let mut archive = Archive { db: Db::open(url, true)? };
        schema::migrate(&mut archive.db)?;
        Ok(archive)
    }

    /// Opens an archive that must be there.
    pub fn open_existing(url: &str) -> Result<Archive, ArchiveError> {
        let mut archive = Archive { db: Db::open(url, false)? };
        schema::migrate(&mut archive.db)?;
        Ok(archive)
    }

    /// The last whole generation of a run and the state that it left; `None` before the first.
    pub fn resume(&mut self, run: &RunId) -> Result<Option<Checkpoint>, ArchiveError> {
        let sql = "SELECT generation, state FROM checkpoints WHERE run = $1";
        let rows = self.db.read(|tx| tx.query(sql, &[Arg::Text(run.as_str())]))?;
        let Some(row) = rows.into_iter().next() else { return Ok(None) };
        Ok(Some(Checkpoint { generation: row.int(0)? as u32, state: row.bytes(1)? }))
    }
}
