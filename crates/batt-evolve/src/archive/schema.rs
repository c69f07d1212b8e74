//! The tables, as the steps that made them. Both databases read the same text.

use super::ArchiveError;
use super::db::{Arg, Db, Field, Tx};
use super::ledger::Ledger;
use super::seal::{self, TABLES, Table};

/// The version that this batt writes.
pub const NEWEST: i64 = STEPS.len() as i64;

/// The first version with seals and a ledger.
pub const SEALED: i64 = 2;

/// Every step, from the first version on. What has been released is never changed, only followed.
/// `BYTEA` is PostgreSQL's name for bytes; SQLite takes any name.
const STEPS: [&str; 2] = [
    "
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
",
    "
ALTER TABLE runs ADD COLUMN seal BIGINT NOT NULL DEFAULT 0;
ALTER TABLE checkpoints ADD COLUMN seal BIGINT NOT NULL DEFAULT 0;
ALTER TABLE tasks ADD COLUMN seal BIGINT NOT NULL DEFAULT 0;
ALTER TABLE programs ADD COLUMN seal BIGINT NOT NULL DEFAULT 0;
ALTER TABLE finds ADD COLUMN seal BIGINT NOT NULL DEFAULT 0;
ALTER TABLE results ADD COLUMN seal BIGINT NOT NULL DEFAULT 0;
ALTER TABLE tests ADD COLUMN seal BIGINT NOT NULL DEFAULT 0;
CREATE TABLE ledger (
    one BIGINT PRIMARY KEY CHECK (one = 1),
    archive TEXT NOT NULL,
    commits BIGINT NOT NULL,
    writing BIGINT NOT NULL,
    totals TEXT NOT NULL,
    seal BIGINT NOT NULL
);
",
];

/// Brings the tables to the newest version.
pub fn migrate(db: &mut Db) -> Result<(), ArchiveError> {
    let now = version(db)?;
    if now == NEWEST {
        return Ok(());
    }
    if now == 0 && db.is_foreign()? {
        return Err(ArchiveError::Foreign);
    }
    db.write(|tx| {
        tx.batch("CREATE TABLE IF NOT EXISTS batt_schema (version BIGINT PRIMARY KEY)")?;
        let rows = tx.query("SELECT MAX(version) FROM batt_schema", &[])?;
        let at = rows.first().and_then(|row| row.int(0).ok()).unwrap_or(0);
        if at > NEWEST {
            return Err(ArchiveError::Newer(at, NEWEST));
        }
        for (number, step) in (1..).zip(STEPS).skip(at as usize) {
            tx.batch(step)?;
            if number == SEALED {
                seal_all(tx)?;
            }
            tx.execute("INSERT INTO batt_schema (version) VALUES ($1)", &[Arg::Int(number)])?;
        }
        Ok(())
    })
}

/// The version that the tables have; 0 if there are none.
pub fn version(db: &mut Db) -> Result<i64, ArchiveError> {
    if !db.has_table("batt_schema")? {
        return Ok(0);
    }
    let rows = db.read(|tx| tx.query("SELECT version FROM batt_schema ORDER BY version", &[]))?;
    let versions: Vec<i64> = rows.iter().map(|row| row.int(0)).collect::<Result<_, _>>()?;
    let newest = versions.last().copied().unwrap_or(0);
    if newest > NEWEST {
        return Err(ArchiveError::Newer(newest, NEWEST));
    }
    let whole = versions.iter().copied().eq(1..=newest);
    if !whole || (newest < SEALED && db.has_table("ledger")?) {
        return Err(ArchiveError::Damaged("the version of its tables is changed".to_string()));
    }
    Ok(newest)
}

/// Seals every row as it is, and begins the ledger.
fn seal_all(tx: &mut dyn Tx) -> Result<(), ArchiveError> {
    let mut ledger = Ledger::new();
    for table in TABLES {
        // Keys are hashes in the large ones, so that their beginnings cut them into even parts.
        let parts = if table.columns[0] == "id" { 1 } else { 256 };
        for part in 0..parts {
            seal_part(tx, table, (parts > 1).then_some(part), &mut ledger)?;
        }
    }
    ledger.create(tx)
}

fn seal_part(
    tx: &mut dyn Tx,
    table: &Table,
    part: Option<u32>,
    ledger: &mut Ledger,
) -> Result<(), ArchiveError> {
    let (name, first) = (table.name, table.columns[0]);
    let mut sql = format!("SELECT {} FROM {name}", table.columns.join(", "));
    let (begin, end) = part.map_or((String::new(), String::new()), |part| {
        // No hexadecimal digit comes after `g`.
        (format!("{part:02x}"), format!("{part:02x}g"))
    });
    let range = [Arg::Text(&begin), Arg::Text(&end)];
    let range: &[Arg] = if part.is_some() {
        sql = format!("{sql} WHERE {first} >= $1 AND {first} < $2");
        &range
    } else {
        &[]
    };
    let mut sealed: Vec<(Vec<Field>, i64)> = Vec::new();
    tx.each(&sql, range, &mut |row| {
        let seal = seal::of_fields(table, row.fields());
        ledger.add(table, seal);
        sealed.push((row.fields()[..table.key].to_vec(), seal));
        Ok(())
    })?;
    let key: Vec<String> = (2..)
        .zip(&table.columns[..table.key])
        .map(|(n, column)| format!("{column} = ${n}"))
        .collect();
    let sql = format!("UPDATE {name} SET seal = $1 WHERE {}", key.join(" AND "));
    for (key, seal) in &sealed {
        let mut args = vec![Arg::Int(*seal)];
        for field in key {
            match field {
                Field::Text(text) => args.push(Arg::Text(text)),
                other => return Err(ArchiveError::Damaged(format!("{other:?} is no key"))),
            }
        }
        tx.execute(&sql, &args)?;
    }
    Ok(())
}
