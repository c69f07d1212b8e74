//! The policy of what stays: the best programs of every task.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use batt_lang::canonical::ProgramHash;

use super::db::{Arg, Tx};
use super::seal::{FINDS, PROGRAMS, RESULTS, TESTS};
use super::{Archive, ArchiveError, Found, Writer, read};

/// The order of the best, which no two programs share a place in.
pub(super) const BEST: &str = "exact DESC, score DESC, cost, program";

impl Archive {
    /// Keeps at most so many programs per task, by exact demos, score, cost and hash; gives how
    /// many results went. A program that is not among the best of any task goes too.
    pub fn prune(&mut self, keep: u32) -> Result<u64, ArchiveError> {
        self.write(|to| {
            let mut pruned = 0;
            for mut row in to.tx.query("SELECT id FROM tasks", &[])? {
                pruned += prune_task(to, &row.text(0)?, keep)?;
            }
            Ok(pruned)
        })
    }
}

/// What pruning may leave of what was found: per task the best of them, and of those the ones that
/// are no worse than what the last place has now. Most of what a long run finds is neither.
pub(super) fn hopeful<'a>(
    tx: &mut dyn Tx,
    found: Vec<&'a Found>,
    keep: u32,
) -> Result<Vec<&'a Found>, ArchiveError> {
    let mut by_task: BTreeMap<&str, Vec<&Found>> = BTreeMap::new();
    for f in found {
        by_task.entry(&f.task).or_default().push(f);
    }
    let sql = format!(
        "SELECT exact, score, cost, program FROM results WHERE task = $1 ORDER BY {BEST} \
         LIMIT 1 OFFSET $2"
    );
    let mut hopeful = Vec::new();
    for (task, mut found) in by_task {
        let place = i64::from(keep.saturating_sub(1));
        let last = tx.query(&sql, &[Arg::Text(task), Arg::Int(place)])?.into_iter().next();
        if let Some(mut row) = last {
            let worth = Reverse((row.int(0)?, row.int(1)?));
            let last = (worth, row.int(2)?, read::hash(&row.text(3)?)?);
            found.retain(|f| rank(f) <= last);
        }
        found.sort_by_cached_key(|f| rank(f));
        let mut different = 0;
        let mut before = None;
        hopeful.extend(found.into_iter().take_while(|f| {
            let program = Some(f.program.hash());
            different += u32::from(before != program);
            before = program;
            different <= keep
        }));
    }
    Ok(hopeful)
}

/// A place in the order of the best.
fn rank(f: &Found) -> (Reverse<(i64, i64)>, i64, ProgramHash) {
    let worth = (i64::from(f.judged.exact()), i64::from(f.judged.score()));
    (Reverse(worth), f.judged.cost() as i64, f.program.hash())
}

/// Prunes one task.
pub(super) fn prune_task(to: &mut Writer, task: &str, keep: u32) -> Result<u64, ArchiveError> {
    let sql = format!(
        "SELECT program FROM results WHERE task = $1 ORDER BY {BEST} \
         LIMIT 9223372036854775807 OFFSET $2"
    );
    let rows = to.tx.query(&sql, &[Arg::Text(task), Arg::Int(i64::from(keep))])?;
    let count = rows.len() as u64;
    for mut row in rows {
        let program = row.text(0)?;
        let pair = [Arg::Text(&program), Arg::Text(task)];
        let sql = "DELETE FROM tests WHERE program = $1 AND task = $2 RETURNING seal";
        to.removed(&TESTS, sql, &pair)?;
        let sql = "DELETE FROM results WHERE program = $1 AND task = $2 RETURNING seal";
        to.removed(&RESULTS, sql, &pair)?;
        drop_unused(to, &program)?;
    }
    Ok(count)
}

/// Removes a program that has no results.
fn drop_unused(to: &mut Writer, program: &str) -> Result<(), ArchiveError> {
    let program = [Arg::Text(program)];
    if to.tx.count("SELECT COUNT(*) FROM results WHERE program = $1", &program)? == 0 {
        to.removed(&FINDS, "DELETE FROM finds WHERE program = $1 RETURNING seal", &program)?;
        to.removed(&PROGRAMS, "DELETE FROM programs WHERE hash = $1 RETURNING seal", &program)?;
    }
    Ok(())
}
