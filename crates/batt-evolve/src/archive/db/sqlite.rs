//! SQLite: one file, with a write-ahead log.

use std::path::Path;
use std::time::Duration;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags, ToSql, TransactionBehavior};

use super::{Arg, Each, Field, Row, Tx};
use crate::archive::ArchiveError;

/// How long a writer waits for another one.
const PATIENCE: Duration = Duration::from_secs(120);

/// Statements that are kept ready.
const STATEMENTS: usize = 64;

/// An open file.
pub struct Sqlite {
    connection: Connection,
}

impl Sqlite {
    /// Opens a file; makes it only where `make` says so.
    pub fn open(path: &str, make: bool) -> Result<Sqlite, ArchiveError> {
        if !make && !Path::new(path).exists() {
            return Err(ArchiveError::Missing(path.to_string()));
        }
        let connection = connect(path, make).map_err(|error| ArchiveError::Open {
            place: path.to_string(),
            why: error.to_string(),
        })?;
        Ok(Sqlite { connection })
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

fn connect(path: &str, make: bool) -> rusqlite::Result<Connection> {
    let mut flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    flags.set(OpenFlags::SQLITE_OPEN_CREATE, make);
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
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
