//! The policy of what stays: the best programs of every task.

use super::db::{Arg, Tx};
use super::{Archive, ArchiveError};

/// The order of the best, which no two programs share a place in.
pub(super) const BEST: &str = "exact DESC, score DESC, cost, program";

impl Archive {
    /// Keeps at most so many programs per task, by exact demos, score, cost and hash; gives how
    /// many results went. A program that is not among the best of any task goes too.
    pub fn prune(&mut self, keep: u32) -> Result<u64, ArchiveError> {
        self.db.write(|tx| {
            let mut pruned = 0;
            for mut row in tx.query("SELECT id FROM tasks", &[])? {
                pruned += prune_task(tx, &row.text(0)?, keep)?;
            }
            Ok(pruned)
        })
    }
}

/// Prunes one task.
pub(super) fn prune_task(tx: &mut dyn Tx, task: &str, keep: u32) -> Result<u64, ArchiveError> {
    let sql = format!(
        "SELECT program FROM results WHERE task = $1 ORDER BY {BEST} \
         LIMIT 9223372036854775807 OFFSET $2"
    );
    let rows = tx.query(&sql, &[Arg::Text(task), Arg::Int(i64::from(keep))])?;
    let count = rows.len() as u64;
    for mut row in rows {
        let program = row.text(0)?;
        let pair = [Arg::Text(&program), Arg::Text(task)];
        tx.execute("DELETE FROM tests WHERE program = $1 AND task = $2", &pair)?;
        tx.execute("DELETE FROM results WHERE program = $1 AND task = $2", &pair)?;
        drop_unused(tx, &program)?;
    }
    Ok(count)
}

/// Removes a program that has no results.
fn drop_unused(tx: &mut dyn Tx, program: &str) -> Result<(), ArchiveError> {
    let program = [Arg::Text(program)];
    if tx.count("SELECT COUNT(*) FROM results WHERE program = $1", &program)? == 0 {
        tx.execute("DELETE FROM finds WHERE program = $1", &program)?;
        tx.execute("DELETE FROM programs WHERE hash = $1", &program)?;
    }
    Ok(())
}
