//! The archive: programs, their results, lineage and runs, in SQLite or PostgreSQL.
//!
//! One generation of a run is one transaction, so whenever a process dies, a generation is there
//! whole or not at all.

mod check;
mod db;
mod error;
mod export;
mod import;
mod ledger;
mod place;
mod prune;
mod read;
mod records;
mod schema;
mod seal;
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

use db::promise::Said;
use db::{Access, Arg, Db, Tx};
use ledger::Ledger;
use seal::Table;

/// How often a reader looks again whether a promise is kept, before it says that it is not.
const LOOKS: u32 = 5;

/// An open archive.
#[derive(Debug)]
pub struct Archive {
    db: Db,
    version: i64,
    /// What was promised and is not there.
    lost: Option<String>,
    writes: bool,
    /// Whether all that was promised was there when the first writing began.
    sure: bool,
}

/// A transaction that writes, and the ledger that is to be stored with it.
struct Writer<'a> {
    tx: &'a mut (dyn Tx + 'a),
    ledger: Ledger,
}

impl Writer<'_> {
    /// Counts the rows whose seals a statement gives as added; gives how many they are.
    fn added(&mut self, table: &Table, sql: &str, args: &[Arg]) -> Result<u64, ArchiveError> {
        let (ledger, mut count) = (&mut self.ledger, 0);
        self.tx.each(sql, args, &mut |row| {
            ledger.add(table, row.int(0)?);
            count += 1;
            Ok(())
        })?;
        Ok(count)
    }

    /// Counts the rows whose seals a statement gives as removed.
    fn removed(&mut self, table: &Table, sql: &str, args: &[Arg]) -> Result<(), ArchiveError> {
        let ledger = &mut self.ledger;
        self.tx.each(sql, args, &mut |row| {
            ledger.remove(table, row.int(0)?);
            Ok(())
        })
    }
}

impl Archive {
    /// Opens an archive to write to it, and makes it if it is not there: see [`Place::read`].
    pub fn open(url: &str) -> Result<Archive, ArchiveError> {
        Archive::open_for(url, Access::Make)
    }

    /// Opens an archive that must be there, to write to it.
    pub fn open_existing(url: &str) -> Result<Archive, ArchiveError> {
        Archive::open_for(url, Access::Write)
    }

    /// Opens an archive that must be there, and changes nothing of it.
    pub fn open_to_read(url: &str) -> Result<Archive, ArchiveError> {
        let mut db = Db::open(url, Access::Read)?;
        let version = schema::version(&mut db)?;
        if version == 0 {
            return Err(ArchiveError::Missing(Place::shown(url)));
        }
        let mut archive = Archive { db, version, lost: None, writes: false, sure: false };
        archive.lost = archive.missed();
        Ok(archive)
    }

    fn open_for(url: &str, access: Access) -> Result<Archive, ArchiveError> {
        // Closing a file whose log is damaged would end the log: nothing of it may be opened to write.
        if Db::is_file(url)
            && let Some(why) =
                Archive::open_to_read(url).ok().and_then(|archive| archive.lost.clone())
        {
            return Err(ArchiveError::Lost(why));
        }
        let mut db = Db::open(url, access)?;
        schema::migrate(&mut db)?;
        let version = schema::NEWEST;
        let mut archive = Archive { db, version, lost: None, writes: true, sure: false };
        archive.write(|_| Ok(()))?;
        archive.db.work()?;
        Ok(archive)
    }

    /// What was promised and is not there, if anything is missed.
    pub fn lost(&self) -> Option<&str> {
        self.lost.as_deref()
    }

    fn missed(&mut self) -> Option<String> {
        let promise = self.db.promise().filter(|_| self.version >= schema::SEALED)?;
        let mut missed = None;
        for look in 0..LOOKS {
            if look > 0 {
                // Somebody may be about to begin or to end, one step after the other.
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            // In this order: a commit is there before it is promised.
            let said = promise.read();
            // What is wrong with the ledger is for a check to say.
            missed = self.db.read(Ledger::read).ok()?.broken(&promise, &said);
            if missed.is_none() {
                break;
            }
        }
        missed
    }

    /// Writes all or nothing. What is in the tables and what the ledger says change together.
    fn write<T>(
        &mut self,
        mut work: impl FnMut(&mut Writer) -> Result<T, ArchiveError>,
    ) -> Result<T, ArchiveError> {
        if !self.writes {
            return Err(ArchiveError::ReadOnly);
        }
        let (promise, sure) = (self.db.promise(), self.sure);
        let (done, stand) = self.db.write(|tx| {
            let before = Ledger::read(tx)?;
            let mut writer = Writer { tx, ledger: before.clone() };
            if let Some(promise) = &promise {
                let said = promise.read();
                if !sure && let Some(why) = before.broken(promise, &said) {
                    return Err(ArchiveError::Lost(why));
                }
                if !before.writing || said == Said::Nothing {
                    promise.make(&before.stand()).map_err(|error| ArchiveError::Open {
                        place: promise.path().display().to_string(),
                        why: error.to_string(),
                    })?;
                    writer.ledger.writing = true;
                }
            }
            let done = work(&mut writer)?;
            let Writer { tx, mut ledger } = writer;
            ledger.follow(&before);
            if ledger != before {
                ledger.store(tx)?;
            }
            Ok((done, ledger.stand()))
        })?;
        self.sure = true;
        self.db.stands(&stand);
        Ok(done)
    }

    /// The last whole generation of a run and the state that it left; `None` before the first.
    pub fn resume(&mut self, run: &RunId) -> Result<Option<Checkpoint>, ArchiveError> {
        let sealed = self.version >= schema::SEALED;
        self.db.read(|tx| {
            if sealed {
                check::checkpoints(tx)?;
            }
            let sql = "SELECT generation, state FROM checkpoints WHERE run = $1";
            let rows = tx.query(sql, &[Arg::Text(run.as_str())])?;
            let Some(row) = rows.into_iter().next() else { return Ok(None) };
            Ok(Some(Checkpoint { generation: row.int(0)? as u32, state: row.bytes(1)? }))
        })
    }
}

impl Drop for Archive {
    fn drop(&mut self) {
        // One that could not be opened is left as it was found.
        if self.sure {
            self.db.rest(|tx| {
                let mut ledger = Ledger::read(tx)?;
                ledger.writing = false;
                ledger.store(tx)
            });
        }
    }
}
