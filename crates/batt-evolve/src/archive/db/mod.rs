//! A database: SQLite or PostgreSQL behind one narrow door.
//!
//! SQL is written once for both: `$1, $2, …` in the order of their first use, `BIGINT`, `TEXT` and
//! `BYTEA` only, and sorted by nothing but ints and hashes, which every collation sorts alike.

mod look;
mod postgresql;
pub(super) mod promise;
mod sqlite;

use super::{ArchiveError, Place};
use promise::{Promise, Stand};

/// What an archive is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// To read what is there; nothing is changed.
    Read,
    /// To write to what is there.
    Write,
    /// To write, and to make it where it is not there.
    Make,
}

/// A value for a statement.
#[derive(Clone, Copy, Debug)]
pub enum Arg<'a> {
    /// Text.
    Text(&'a str),
    /// An int.
    Int(i64),
    /// Bytes.
    Bytes(&'a [u8]),
}

/// A value from a row.
#[derive(Clone, Debug, PartialEq)]
pub enum Field {
    /// Nothing.
    Null,
    /// An int.
    Int(i64),
    /// Text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

/// A row of a result.
#[derive(Clone, Debug, PartialEq)]
pub struct Row(Vec<Field>);

impl Row {
    /// All of it.
    pub fn fields(&self) -> &[Field] {
        &self.0
    }

    /// The int at a place.
    pub fn int(&self, at: usize) -> Result<i64, ArchiveError> {
        match self.0.get(at) {
            Some(Field::Int(n)) => Ok(*n),
            other => Err(wrong("an int", other)),
        }
    }

    /// The text at a place.
    pub fn text(&mut self, at: usize) -> Result<String, ArchiveError> {
        match self.0.get_mut(at) {
            Some(Field::Text(text)) => Ok(std::mem::take(text)),
            other => Err(wrong("text", other.as_deref())),
        }
    }

    /// The bytes at a place.
    pub fn bytes(&self, at: usize) -> Result<Vec<u8>, ArchiveError> {
        match self.0.get(at) {
            Some(Field::Bytes(bytes)) => Ok(bytes.clone()),
            other => Err(wrong("bytes", other)),
        }
    }
}

fn wrong(wanted: &str, found: Option<&Field>) -> ArchiveError {
    ArchiveError::Damaged(format!("{found:?} stands where {wanted} should"))
}

/// Is given one row after the other.
pub type Each<'a> = &'a mut dyn FnMut(Row) -> Result<(), ArchiveError>;

/// A transaction.
pub trait Tx {
    /// Runs statements that take and give nothing.
    fn batch(&mut self, sql: &str) -> Result<(), ArchiveError>;

    /// Runs a statement; gives how many rows it changed.
    fn execute(&mut self, sql: &str, args: &[Arg]) -> Result<u64, ArchiveError>;

    /// Runs a query and hands over each row as it comes.
    fn each(&mut self, sql: &str, args: &[Arg], see: Each) -> Result<(), ArchiveError>;
}

impl dyn Tx + '_ {
    /// Runs a query and gives all rows.
    pub fn query(&mut self, sql: &str, args: &[Arg]) -> Result<Vec<Row>, ArchiveError> {
        let mut rows = Vec::new();
        self.each(sql, args, &mut |row| {
            rows.push(row);
            Ok(())
        })?;
        Ok(rows)
    }

    /// The int that a query gives.
    pub fn count(&mut self, sql: &str, args: &[Arg]) -> Result<i64, ArchiveError> {
        let rows = self.query(sql, args)?;
        rows.first().map_or(Ok(0), |row| row.int(0))
    }
}

/// An open database.
pub enum Db {
    /// A file.
    Sqlite(sqlite::Sqlite),
    /// A server.
    Postgres(Box<postgresql::Postgres>),
}

impl std::fmt::Debug for Db {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl Db {
    /// Opens a database; a file is looked at before anything of it is changed.
    pub fn open(url: &str, access: Access) -> Result<Db, ArchiveError> {
        match Place::read(url)? {
            Place::Server(server) => {
                Ok(Db::Postgres(Box::new(postgresql::Postgres::open(server)?)))
            }
            Place::File(path) => {
                let opened = sqlite::Sqlite::open(&path, access);
                Ok(Db::Sqlite(opened.map_err(|error| error.shown(&path))?))
            }
        }
    }

    /// Whether this names a file.
    pub fn is_file(url: &str) -> bool {
        Place::file(url).is_some()
    }

    /// Which one it is.
    pub fn name(&self) -> &'static str {
        match self {
            Db::Sqlite(_) => "SQLite",
            Db::Postgres(_) => "PostgreSQL",
        }
    }

    /// Whether work may be done again from its beginning.
    pub fn may_begin_again(&self) -> bool {
        matches!(self, Db::Postgres(_))
    }

    /// Whether there is a table of that name.
    pub fn has_table(&mut self, name: &str) -> Result<bool, ArchiveError> {
        let sql = match self {
            Db::Sqlite(_) => "SELECT COUNT(*) FROM sqlite_master WHERE name = $1",
            Db::Postgres(_) => {
                "SELECT COUNT(*) FROM information_schema.tables WHERE table_name = $1 \
                 AND table_schema = ANY (current_schemas(false))"
            }
        };
        Ok(self.read(|tx| tx.count(sql, &[Arg::Text(name)]))? > 0)
    }

    /// Whether a file without our tables holds others. A server's database may, beside ours.
    pub fn is_foreign(&mut self) -> Result<bool, ArchiveError> {
        // Another process may be making ours at this moment: look at both at once.
        let sql = "SELECT COUNT(*) FROM sqlite_master WHERE name <> 'batt_schema' \
                   AND NOT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'batt_schema')";
        match self {
            Db::Sqlite(_) => Ok(self.read(|tx| tx.count(sql, &[]))? > 0),
            Db::Postgres(_) => Ok(false),
        }
    }

    /// What is promised beside a file; a server keeps its own promises.
    pub fn promise(&self) -> Option<Promise> {
        match self {
            Db::Sqlite(db) => Some(db.promise().clone()),
            Db::Postgres(_) => None,
        }
    }

    /// Readies a file for many commits.
    pub fn work(&mut self) -> Result<(), ArchiveError> {
        match self {
            Db::Sqlite(db) => db.work(),
            Db::Postgres(_) => Ok(()),
        }
    }

    /// Lays a file to rest if nobody else has it open, so that it is whole without what lies beside it.
    pub fn rest(&mut self, settle: impl FnOnce(&mut dyn Tx) -> Result<(), ArchiveError>) {
        if let Db::Sqlite(db) = self {
            db.rest(settle);
        }
    }

    /// Says outside the database how far it has come.
    pub fn stands(&self, stand: &Stand) {
        if let Db::Sqlite(db) = self {
            db.promise().keep(stand);
        }
    }

    /// What the database itself finds wrong.
    pub fn integrity(&mut self) -> Result<Vec<String>, ArchiveError> {
        match self {
            Db::Sqlite(db) => db.integrity(),
            // The server keeps its own constraints, and has no check of its own.
            Db::Postgres(_) => Ok(Vec::new()),
        }
    }

    /// How large it is.
    pub fn bytes(&mut self) -> Result<u64, ArchiveError> {
        let sql = match self {
            Db::Sqlite(_) => {
                "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
            }
            Db::Postgres(_) => "SELECT pg_database_size(current_database())",
        };
        Ok(self.read(|tx| tx.count(sql, &[]))? as u64)
    }

    /// Reads from one unchanging state. Where a connection is lost, the work is done again from its
    /// beginning.
    pub fn read<T>(
        &mut self,
        work: impl FnMut(&mut dyn Tx) -> Result<T, ArchiveError>,
    ) -> Result<T, ArchiveError> {
        match self {
            Db::Sqlite(db) => db.read(work),
            Db::Postgres(db) => db.read(work),
        }
    }

    /// Writes all or nothing, one writer at a time; others wait. Where a connection is lost, the
    /// work is done again from its beginning, though it may have been stored already.
    pub fn write<T>(
        &mut self,
        work: impl FnMut(&mut dyn Tx) -> Result<T, ArchiveError>,
    ) -> Result<T, ArchiveError> {
        match self {
            Db::Sqlite(db) => db.write(work),
            Db::Postgres(db) => db.write(work),
        }
    }
}
