//! PostgreSQL: one database on a server that several machines may share.

use std::collections::HashMap;

use postgres::fallible_iterator::FallibleIterator;
use postgres::types::{ToSql, Type};
use postgres::{Client, IsolationLevel, NoTls, Statement, Transaction};

use super::{Arg, Each, Field, Row, Tx};
use crate::archive::ArchiveError;

/// Held by whoever writes; any number that others are unlikely to use.
const LOCK: &str = "SELECT pg_advisory_xact_lock(6221743050)";

/// An open connection.
pub struct Postgres {
    client: Client,
    statements: HashMap<String, Statement>,
}

impl Postgres {
    /// Connects.
    pub fn open(url: &str) -> Result<Postgres, ArchiveError> {
        let client = Client::connect(url, NoTls).map_err(|error| ArchiveError::Open {
            place: without_password(url),
            why: words(&error),
        })?;
        Ok(Postgres { client, statements: HashMap::new() })
    }

    /// Reads from one unchanging state.
    pub fn read<T>(
        &mut self,
        work: impl FnOnce(&mut dyn Tx) -> Result<T, ArchiveError>,
    ) -> Result<T, ArchiveError> {
        let start = self.client.build_transaction().read_only(true);
        let tx = start.isolation_level(IsolationLevel::RepeatableRead).start()?;
        work(&mut Sure { tx, statements: &mut self.statements })
    }

    /// Writes all or nothing.
    pub fn write<T>(
        &mut self,
        work: impl FnOnce(&mut dyn Tx) -> Result<T, ArchiveError>,
    ) -> Result<T, ArchiveError> {
        let mut tx = self.client.transaction()?;
        // One writer at a time, as in SQLite: whoever holds it sees all that was written before.
        tx.batch_execute(LOCK)?;
        let mut sure = Sure { tx, statements: &mut self.statements };
        let done = work(&mut sure)?;
        sure.tx.commit()?;
        Ok(done)
    }
}

/// The error with what caused it.
fn words(error: &postgres::Error) -> String {
    let cause = std::error::Error::source(error).map(|cause| format!(": {cause}"));
    format!("{error}{}", cause.unwrap_or_default())
}

/// An address as it may be shown: `postgres://user:…@host/database`.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_string() };
    let Some((user, host)) = rest.rsplit_once('@') else { return url.to_string() };
    let user = user.split_once(':').map_or(user, |(user, _)| user);
    format!("{scheme}://{user}@{host}")
}

/// A transaction that is under way.
struct Sure<'a> {
    tx: Transaction<'a>,
    statements: &'a mut HashMap<String, Statement>,
}

impl Sure<'_> {
    fn statement(&mut self, sql: &str) -> Result<Statement, ArchiveError> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.tx.prepare(sql)?;
        self.statements.insert(sql.to_string(), statement.clone());
        Ok(statement)
    }
}

impl Tx for Sure<'_> {
    fn batch(&mut self, sql: &str) -> Result<(), ArchiveError> {
        Ok(self.tx.batch_execute(sql)?)
    }

    fn execute(&mut self, sql: &str, args: &[Arg]) -> Result<u64, ArchiveError> {
        let statement = self.statement(sql)?;
        Ok(self.tx.execute(&statement, &params(args))?)
    }

    fn each(&mut self, sql: &str, args: &[Arg], see: Each) -> Result<(), ArchiveError> {
        let statement = self.statement(sql)?;
        let mut rows = self.tx.query_raw(&statement, params(args))?;
        while let Some(row) = rows.next()? {
            let fields = (0..row.len()).map(|at| field(&row, at));
            see(Row(fields.collect::<Result<_, postgres::Error>>()?))?;
        }
        Ok(())
    }
}

fn params<'a>(args: &'a [Arg]) -> Vec<&'a (dyn ToSql + Sync)> {
    let param = |arg: &'a Arg| -> &'a (dyn ToSql + Sync) {
        match arg {
            Arg::Text(text) => text,
            Arg::Int(n) => n,
            Arg::Bytes(bytes) => bytes,
        }
    };
    args.iter().map(param).collect()
}

fn field(row: &postgres::Row, at: usize) -> Result<Field, postgres::Error> {
    let of = row.columns()[at].type_();
    Ok(match *of {
        Type::INT8 => row.try_get::<_, Option<i64>>(at)?.map(Field::Int),
        Type::BYTEA => row.try_get::<_, Option<Vec<u8>>>(at)?.map(Field::Bytes),
        _ => row.try_get::<_, Option<String>>(at)?.map(Field::Text),
    }
    .unwrap_or(Field::Null))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        let shown = without_password("postgres://me:se@cret@host:5/db");
        assert_eq!(shown, "postgres://me@host:5/db");
        assert_eq!(without_password("postgres://host/db"), "postgres://host/db");
    }
}
