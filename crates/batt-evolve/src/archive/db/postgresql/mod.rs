//! PostgreSQL: one database on a server that several machines may share.
//!
//! A transaction whose connection is lost runs again as a whole on a new one, also where it is not known
//! whether it was committed: to store something again changes nothing. The lock that a writer takes makes
//! it wait for whatever the server still does for the connection that was lost.

mod lost;
mod tls;

use std::collections::HashMap;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use postgres::fallible_iterator::FallibleIterator;
use postgres::types::{ToSql, Type};
use postgres::{Client, Config, IsolationLevel, Statement, Transaction};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::{Arg, Each, Field, Row, Tx};
use crate::archive::ArchiveError;
use crate::archive::place::Server;
use crate::archive::wait::{Tries, Waited, Waiting};

/// Held by whoever writes; any number that others are unlikely to use.
const LOCK: &str = "SELECT pg_advisory_xact_lock(6221743050)";

/// How often it is looked whether somebody gave up waiting for a connection.
const TICK: Duration = Duration::from_millis(20);

/// How long connecting may still take when somebody does not want to wait.
const GRACE: Duration = Duration::from_secs(1);

/// A server that is gone without a word is noticed after about a minute, and not after hours.
const SILENT: Duration = Duration::from_secs(60);

/// A database on a server, with the connection that there is at the moment.
pub struct Postgres {
    server: Server,
    config: Config,
    tls: MakeRustlsConnect,
    connection: Option<Connection>,
    /// Whether the server ever answered.
    met: bool,
}

struct Connection {
    client: Client,
    statements: HashMap<String, Statement>,
}

impl Postgres {
    /// Connects.
    pub fn open(server: Server) -> Result<Postgres, ArchiveError> {
        let open = |error: postgres::Error| ArchiveError::Open {
            place: server.to_string(),
            why: words(&error),
        };
        let mut config: Config = server.for_driver().parse().map_err(open)?;
        let tls = tls::connector(&server, &mut config)?;
        patient(&server, &mut config);
        let mut db = Postgres { server, config, tls, connection: None, met: false };
        db.again(|_| Ok(()))?;
        Ok(db)
    }

    /// Reads from one unchanging state.
    pub fn read<T>(
        &mut self,
        mut work: impl FnMut(&mut dyn Tx) -> Result<T, ArchiveError>,
    ) -> Result<T, ArchiveError> {
        self.again(|Connection { client, statements }| {
            let start = client.build_transaction().read_only(true);
            let tx = start.isolation_level(IsolationLevel::RepeatableRead).start()?;
            work(&mut Sure { tx, statements })
        })
    }

    /// Writes all or nothing.
    pub fn write<T>(
        &mut self,
        mut work: impl FnMut(&mut dyn Tx) -> Result<T, ArchiveError>,
    ) -> Result<T, ArchiveError> {
        self.again(|Connection { client, statements }| {
            let mut tx = client.transaction()?;
            // One writer at a time, as in SQLite: whoever holds it sees all that was written before.
            tx.batch_execute(LOCK)?;
            let mut sure = Sure { tx, statements };
            let done = work(&mut sure)?;
            sure.tx.commit()?;
            Ok(done)
        })
    }

    /// Does something with a connection, and once more with another one as long as it is lost.
    fn again<T>(
        &mut self,
        mut work: impl FnMut(&mut Connection) -> Result<T, ArchiveError>,
    ) -> Result<T, ArchiveError> {
        let mut tries = Tries::new();
        loop {
            let why = match self.connected().and_then(&mut work) {
                Ok(done) => {
                    tries.done();
                    return Ok(done);
                }
                Err(ArchiveError::Postgres(error)) if lost::is_lost(&error, self.met) => {
                    words(&error)
                }
                Err(ArchiveError::Silent { why, .. }) if self.met => why,
                Err(error) => return Err(error),
            };
            self.connection = None;
            let place = self.server.to_string();
            match tries.wait() {
                Waited::Again => {}
                Waited::Interrupted => return Err(ArchiveError::Interrupted { place, why }),
                Waited::Enough => return Err(ArchiveError::Silent { place, why }),
            }
        }
    }

    /// The connection; a new one if there is none.
    fn connected(&mut self) -> Result<&mut Connection, ArchiveError> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => Connection { client: self.connect()?, statements: HashMap::new() },
        };
        self.met = true;
        Ok(self.connection.insert(connection))
    }

    /// Connects on a thread, since a server may take a connection and then say nothing.
    fn connect(&self) -> Result<Client, ArchiveError> {
        let waiting = Waiting::now();
        let (config, tls) = (self.config.clone(), self.tls.clone());
        let (send, receive) = mpsc::channel();
        let started = Instant::now();
        std::thread::Builder::new()
            .name("connect".to_string())
            // Nobody may be waiting for it any more.
            .spawn(move || drop(send.send(config.connect(tls))))
            .map_err(|error| ArchiveError::Threads(error.to_string()))?;
        let place = || self.server.to_string();
        loop {
            match receive.recv_timeout(TICK) {
                Ok(Ok(client)) => return Ok(client),
                Ok(Err(error)) if lost::is_lost(&error, self.met) => return Err(error.into()),
                Ok(Err(error)) => {
                    return Err(ArchiveError::Open { place: place(), why: words(&error) });
                }
                Err(RecvTimeoutError::Timeout)
                    if (waiting.stop)() && started.elapsed() >= GRACE =>
                {
                    let why = "it did not answer yet".to_string();
                    return Err(ArchiveError::Interrupted { place: place(), why });
                }
                Err(RecvTimeoutError::Timeout) if started.elapsed() < waiting.connect => {}
                Err(_) => {
                    let why = "the server takes connections and says nothing".to_string();
                    return Err(ArchiveError::Silent { place: place(), why });
                }
            }
        }
    }
}

/// Sets what an address leaves open so that nothing waits for hours for a server that is gone.
fn patient(server: &Server, config: &mut Config) {
    let unset = |option| server.get(option).is_none();
    if unset("application_name") {
        config.application_name("batt");
    }
    if unset("connect_timeout") {
        config.connect_timeout(SILENT / 6);
    }
    if unset("tcp_user_timeout") {
        config.tcp_user_timeout(SILENT);
    }
    if unset("keepalives_idle") {
        config.keepalives_idle(SILENT / 2);
    }
    if unset("keepalives_interval") {
        config.keepalives_interval(SILENT / 6);
    }
    if unset("keepalives_retries") {
        config.keepalives_retries(3);
    }
}

/// The error with what caused it.
fn words(error: &postgres::Error) -> String {
    if let Some(said) = error.as_db_error() {
        return said.message().to_string();
    }
    let cause = std::error::Error::source(error).map(|cause| format!(": {cause}"));
    format!("{error}{}", cause.unwrap_or_default())
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
