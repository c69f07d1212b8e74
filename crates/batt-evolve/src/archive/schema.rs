//! The tables, as the steps that made them. Both databases read the same text.

use super::ArchiveError;
use super::db::{Arg, Db};

/// Every step, from the first version on. What has been released is never changed, only followed.
/// `BYTEA` is PostgreSQL's name for bytes; SQLite takes any name.
const STEPS: [&str; 1] = ["
CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    seed TEXT NOT NULL,
    configuration TEXT NOT NULL,
    language TEXT NOT NULL,
    data TEXT NOT NULL,
    generation BIGINT NOT NULL,
    device TEXT NOT NULL,
    host TEXT NOT NULL,
    started BIGINT NOT NULL
);
CREATE TABLE checkpoints (
    run TEXT PRIMARY KEY REFERENCES runs(id),
    generation BIGINT NOT NULL,
    state BYTEA NOT NULL
);
CREATE TABLE tasks (
    id TEXT PRIMARY KEY,
    demos TEXT NOT NULL
);
CREATE TABLE programs (
    hash TEXT PRIMARY KEY,
    text TEXT NOT NULL,
    kinds TEXT NOT NULL
);
CREATE TABLE finds (
    run TEXT NOT NULL REFERENCES runs(id),
    program TEXT NOT NULL REFERENCES programs(hash),
    generation BIGINT NOT NULL,
    island BIGINT NOT NULL,
    operator TEXT NOT NULL,
    parents TEXT NOT NULL,
    PRIMARY KEY (program, run)
);
CREATE TABLE results (
    program TEXT NOT NULL REFERENCES programs(hash),
    task TEXT NOT NULL REFERENCES tasks(id),
    behaviour TEXT NOT NULL,
    exact BIGINT NOT NULL,
    score BIGINT NOT NULL CHECK (score > 0),
    cost BIGINT NOT NULL CHECK (cost >= 0),
    samples TEXT NOT NULL,
    PRIMARY KEY (program, task)
);
CREATE INDEX results_best ON results (task, exact DESC, score DESC, cost, program);
CREATE TABLE tests (
    program TEXT NOT NULL,
    task TEXT NOT NULL,
    results TEXT NOT NULL,
    PRIMARY KEY (program, task),
    FOREIGN KEY (program, task) REFERENCES results(program, task)
);
"];

/// Brings the tables to the newest version.
pub fn migrate(db: &mut Db) -> Result<(), ArchiveError> {
    let newest = STEPS.len() as i64;
    let now = version(db)?;
    if now == newest {
        return Ok(());
    }
    if now == 0 && db.is_foreign()? {
        return Err(ArchiveError::Foreign);
    }
    db.write(|tx| {
        tx.batch("CREATE TABLE IF NOT EXISTS batt_schema (version BIGINT PRIMARY KEY)")?;
        let rows = tx.query("SELECT MAX(version) FROM batt_schema", &[])?;
        let at = rows.first().and_then(|row| row.int(0).ok()).unwrap_or(0);
        if at > newest {
            return Err(ArchiveError::Newer(at, newest));
        }
        for (number, step) in (1..).zip(STEPS).skip(at as usize) {
            tx.batch(step)?;
            tx.execute("INSERT INTO batt_schema (version) VALUES ($1)", &[Arg::Int(number)])?;
        }
        Ok(())
    })
}

/// The version that the tables have; 0 if there are none.
fn version(db: &mut Db) -> Result<i64, ArchiveError> {
    if !db.has_table("batt_schema")? {
        return Ok(0);
    }
    let rows = db.read(|tx| tx.query("SELECT MAX(version) FROM batt_schema", &[]))?;
    Ok(rows.first().and_then(|row| row.int(0).ok()).unwrap_or(0))
}
