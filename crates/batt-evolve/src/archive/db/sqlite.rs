//! SQLite: one file, with a write-ahead log while somebody writes to it.
//!
//! At rest an archive is one file in rollback mode, and nothing lies beside it. Whoever opens it to
//! write says so in its ledger and makes the [promise](super::promise), then switches to the log; the
//! last one to close it switches back, settles the ledger and takes the promise away. So reading makes
//! no files, a copy of a file at rest is whole, and one of a file that is written to says that it may
//! not be.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags, ToSql, TransactionBehavior};

use super::look::{Look, is_beside, look, open_unchanging};
use super::promise::{Promise, Said, beside};
use super::{Access, Arg, Each, Field, Row, Tx};
use crate::archive::{ArchiveError, schema};

/// How long a writer waits for another one.
const PATIENCE: Duration = Duration::from_secs(120);

/// How long it waits before it tries again.
pub(super) const MOMENT: Duration = Duration::from_millis(20);

/// Statements that are kept ready.
const STATEMENTS: usize = 64;

/// An open file.
pub struct Sqlite {
    connection: Connection,
    promise: Promise,
    /// Whether it was opened to write.
    writes: bool,
}

impl Sqlite {
    /// Opens a file, after a look at what it is.
    pub fn open(name: &str, access: Access) -> Result<Sqlite, ArchiveError> {
        let told = |why: String| ArchiveError::Open { place: name.to_string(), why };
        // What lies beside a file lies beside the file itself, not beside a link to it.
        let path = fs::canonicalize(name).unwrap_or_else(|_| PathBuf::from(name));
        let promise = Promise::of(&path);
        let look = look(&path).map_err(told)?;
        let writes = access != Access::Read;
        let connection = match look {
            Look::Missing | Look::Empty if access != Access::Make => {
                return Err(ArchiveError::Missing(name.to_string()));
            }
            Look::Missing | Look::Empty if has_content(&path, &promise) => {
                return Err(ArchiveError::Lost(format!(
                    "{name} is empty, but not what lies beside it"
                )));
            }
            Look::Foreign => return Err(ArchiveError::Foreign),
            Look::Archive { version, .. } if version > schema::NEWEST => {
                return Err(ArchiveError::Newer(version, schema::NEWEST));
            }
            Look::Archive { rests: false, .. } | Look::Bare
                if !writes && !beside(&path, "-wal").exists() && !is_beside(&path, "-journal") =>
            {
                // There is no log to read, and SQLite would make one.
                open_unchanging(&path)
            }
            _ => connect(&path, access),
        };
        let connection = connection.and_then(ready).map_err(|error| told(error.to_string()))?;
        Ok(Sqlite { connection, promise, writes })
    }

    /// The file beside it.
    pub fn promise(&self) -> &Promise {
        &self.promise
    }

    /// Switches to the log.
    pub fn work(&mut self) -> Result<(), ArchiveError> {
        let began = Instant::now();
        loop {
            let switch =
                self.connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| {
                    row.get::<_, String>(0)
                });
            match switch {
                Err(error) if is_busy(&error) && began.elapsed() < PATIENCE => {
                    std::thread::sleep(MOMENT);
                }
                other => {
                    other?;
                    break;
                }
            }
        }
        // What the ledger says must stand in the file itself: the log is what may be lost.
        self.connection.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()))?;
        Ok(())
    }

    /// Lays the file to rest, if nobody else has it open. Whatever fails, all is as durable as before.
    pub fn rest(&mut self, settle: impl FnOnce(&mut dyn Tx) -> Result<(), ArchiveError>) {
        if !self.writes || !self.connection.is_autocommit() {
            return;
        }
        self.connection.flush_prepared_statement_cache();
        let alone = self.connection.busy_timeout(Duration::ZERO).is_ok()
            && self.connection.pragma_update(None, "locking_mode", "EXCLUSIVE").is_ok()
            && self
                .connection
                .pragma_update_and_check(None, "journal_mode", "DELETE", |row| {
                    row.get::<_, String>(0)
                })
                .is_ok_and(|mode| mode == "delete");
        // From here on nobody else comes in before the connection is closed.
        if alone && self.write(settle).is_ok() {
            self.promise.remove();
        }
    }

    /// What SQLite finds wrong with its file.
    pub fn integrity(&mut self) -> Result<Vec<String>, ArchiveError> {
        let mut problems = Vec::new();
        self.connection.pragma_query(None, "integrity_check", |row| {
            problems.push(row.get::<_, String>(0)?);
            Ok(())
        })?;
        problems.retain(|problem| problem != "ok");
        self.connection.pragma_query(None, "foreign_key_check", |row| {
            let (table, to): (String, String) = (row.get(0)?, row.get(2)?);
            problems.push(format!("a row of {table} names one that is not in {to}"));
            Ok(())
        })?;
        Ok(problems)
    }

    /// Reads from one unchanging state.
    pub fn read<T>(
        &mut self,
        work: impl FnOnce(&mut dyn Tx) -> Result<T, ArchiveError>,
    ) -> Result<T, ArchiveError> {
        let tx = self.connection.transaction_with_behavior(TransactionBehavior::Deferred)?;
        work(&mut Sure(&tx))
    }

    /// Writes all or nothing.
    pub fn write<T>(
        &mut self,
        work: impl FnOnce(&mut dyn Tx) -> Result<T, ArchiveError>,
    ) -> Result<T, ArchiveError> {
        // A transaction that first reads and then wants to write would fail when another one wrote
        // in between; one that begins as a writer waits its turn instead.
        let tx = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = work(&mut Sure(&tx))?;
        tx.commit()?;
        Ok(done)
    }
}

/// Whether something of an archive lies beside a file.
fn has_content(path: &Path, promise: &Promise) -> bool {
    is_beside(path, "-wal") || matches!(promise.read(), Said::Stand(stand) if stand.commits > 0)
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

fn connect(path: &Path, access: Access) -> rusqlite::Result<Connection> {
    let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    flags.set(OpenFlags::SQLITE_OPEN_CREATE, access == Access::Make);
    if access == Access::Read {
        flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        connection.busy_timeout(PATIENCE)?;
        let looked = connection.query_row("SELECT COUNT(*) FROM sqlite_master", [], |_| Ok(()));
        if looked.is_ok() {
            return Ok(connection);
        }
        // Somebody was killed while the file was not in its log, and SQLite must put it in order.
        drop(connection);
        flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let repair = Connection::open_with_flags(path, flags)?;
        repair.busy_timeout(PATIENCE)?;
        repair.query_row("SELECT COUNT(*) FROM sqlite_master", [], |_| Ok(()))?;
        repair.pragma_update(None, "query_only", true)?;
        return Ok(repair);
    }
    Connection::open_with_flags(path, flags)
}

/// Settings that a connection has, and that leave nothing in the file.
fn ready(connection: Connection) -> rusqlite::Result<Connection> {
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    // Like FULL, and a rollback journal is gone for good when it is gone.
    connection.pragma_update(None, "synchronous", "EXTRA")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    Ok(connection)
}

/// A transaction that is under way.
struct Sure<'a>(&'a Connection);

impl Tx for Sure<'_> {
    fn batch(&mut self, sql: &str) -> Result<(), ArchiveError> {
        Ok(self.0.execute_batch(sql)?)
    }

    fn execute(&mut self, sql: &str, args: &[Arg]) -> Result<u64, ArchiveError> {
        let mut statement = self.0.prepare_cached(sql)?;
        Ok(statement.execute(&*params(args))? as u64)
    }

    fn each(&mut self, sql: &str, args: &[Arg], see: Each) -> Result<(), ArchiveError> {
        let mut statement = self.0.prepare_cached(sql)?;
        let columns = statement.column_count();
        let mut rows = statement.query(&*params(args))?;
        while let Some(row) = rows.next()? {
            let fields = (0..columns).map(|at| Ok(field(row.get_ref(at)?)));
            see(Row(fields.collect::<rusqlite::Result<_>>()?))?;
        }
        Ok(())
    }
}

fn params<'a>(args: &'a [Arg]) -> Vec<&'a dyn ToSql> {
    let param = |arg: &'a Arg| -> &'a dyn ToSql {
        match arg {
            Arg::Text(text) => text,
            Arg::Int(n) => n,
            Arg::Bytes(bytes) => bytes,
        }
    };
    args.iter().map(param).collect()
}

fn field(value: ValueRef) -> Field {
    match value {
        ValueRef::Null => Field::Null,
        ValueRef::Integer(n) => Field::Int(n),
        ValueRef::Real(x) => Field::Text(x.to_string()),
        ValueRef::Text(text) => Field::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Field::Bytes(bytes.to_vec()),
    }
}
