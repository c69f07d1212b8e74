//! Every row against its seal, and every table against the ledger.

use super::super::ArchiveError;
use super::super::db::Tx;
use super::super::ledger::{Ledger, Total};
use super::super::seal::{self, CHECKPOINTS, TABLES, Table};
use super::super::write::CHANGED;

/// Tells of every row that is not what was stored, and of every table that lacks some.
pub fn all(tx: &mut dyn Tx, tell: &mut dyn FnMut(String)) {
    let ledger = Ledger::read(tx).map_err(|error| tell(words(error))).ok();
    for table in TABLES {
        if let Err(error) = one(tx, table, ledger.as_ref(), tell) {
            tell(format!("table {}: {}", table.name, words(error)));
        }
    }
}

/// Refuses checkpoints that are not what was stored, and that there are others than were stored.
pub fn checkpoints(tx: &mut dyn Tx) -> Result<(), ArchiveError> {
    let ledger = Ledger::read(tx)?;
    let mut problems = Vec::new();
    one(tx, &CHECKPOINTS, Some(&ledger), &mut |problem| problems.push(problem))?;
    problems.into_iter().next().map_or(Ok(()), |problem| Err(ArchiveError::Damaged(problem)))
}

fn one(
    tx: &mut dyn Tx,
    table: &Table,
    ledger: Option<&Ledger>,
    tell: &mut dyn FnMut(String),
) -> Result<(), ArchiveError> {
    let mut there = Total::default();
    let mut changed = false;
    let width = table.columns.len();
    let sql = format!("SELECT {}, seal FROM {}", table.columns.join(", "), table.name);
    tx.each(&sql, &[], &mut |row| {
        let fields = &row.fields()[..width];
        let seal = seal::of_fields(table, fields);
        there.add(seal);
        if !row.int(width).is_ok_and(|stored| stored == seal) {
            changed = true;
            tell(format!("{}: {CHANGED}", seal::named(table, fields)));
        }
        Ok(())
    })?;
    let Some(ledger) = ledger else { return Ok(()) };
    let stored = ledger.total(table);
    let name = table.name;
    if there.rows != stored.rows {
        tell(format!(
            "table {name}: {} rows were stored, and {} are there",
            stored.rows, there.rows
        ));
    } else if there.sum != stored.sum && !changed {
        tell(format!("table {name}: its {} rows are not those that were stored", there.rows));
    }
    Ok(())
}

fn words(error: ArchiveError) -> String {
    match error {
        ArchiveError::Damaged(why) => why,
        other => other.to_string(),
    }
}
