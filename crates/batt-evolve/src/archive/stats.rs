//! What an archive holds, in numbers.

use serde::Serialize;

use super::{Archive, ArchiveError};

/// What an archive holds, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// SQLite or PostgreSQL.
    pub database: &'static str,
    /// How large it is.
    pub bytes: u64,
    /// Runs.
    pub runs: u64,
    /// Distinct programs.
    pub programs: u64,
    /// Results: a program on a task.
    pub results: u64,
    /// Distinct behaviours on their tasks.
    pub behaviours: u64,
    /// Tasks with results.
    pub tasks: u64,
    /// Tasks whose demos a program solves.
    pub solved: u64,
    /// What made the programs: operator and how many, the most frequent first.
    pub operators: Vec<(String, u64)>,
}

/// A task and its best program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TaskRow {
    /// The task.
    pub task: String,
    /// How many programs are worth something on it.
    pub programs: u64,
    /// How many demos the best one solves.
    pub exact: u32,
    /// Of how many.
    pub demos: u32,
    /// Its score.
    pub score: u32,
    /// Its cost.
    pub cost: u64,
    /// Its key.
    pub program: String,
}

impl Archive {
    /// Counts.
    pub fn stats(&mut self) -> Result<Stats, ArchiveError> {
        let bytes = self.db.bytes()?;
        let database = self.db.name();
        self.db
            .read(|tx| {
                let mut count = |sql: &str| tx.count(sql, &[]).map(|n| n as u64);
                let mut stats = Stats {
                    database,
                    bytes,
                    runs: count("SELECT COUNT(*) FROM runs")?,
                    programs: count("SELECT COUNT(*) FROM programs")?,
                    results: count("SELECT COUNT(*) FROM results")?,
                    behaviours: count(
                        "SELECT COUNT(*) FROM (SELECT DISTINCT task, behaviour FROM results) AS b",
                    )?,
                    tasks: count("SELECT COUNT(DISTINCT task) FROM results")?,
                    solved: 0,
                    operators: Vec::new(),
                };
                let sql = "SELECT operator, COUNT(*) FROM finds GROUP BY operator";
                for mut row in tx.query(sql, &[])? {
                    stats.operators.push((row.text(0)?, row.int(1)? as u64));
                }
                stats.operators.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
                Ok(stats)
            })
            .and_then(|stats| {
                let solved = self.task_rows()?.iter().filter(|row| row.exact == row.demos).count();
                Ok(Stats { solved: solved as u64, ..stats })
            })
    }

    /// The tasks with results, by id.
    pub fn task_rows(&mut self) -> Result<Vec<TaskRow>, ArchiveError> {
        let mut rows = Vec::new();
        for (task, _) in self.tasks()? {
            let args = [super::db::Arg::Text(&task)];
            let sql = "SELECT COUNT(*) FROM results WHERE task = $1";
            let programs = self.db.read(|tx| tx.count(sql, &args))? as u64;
            let Some(best) = self.best(&task, 1)?.into_iter().next() else { continue };
            rows.push(TaskRow {
                task,
                programs,
                exact: best.exact,
                demos: best.samples.len() as u32,
                score: best.score,
                cost: best.cost,
                program: best.program.hex(),
            });
        }
        Ok(rows)
    }
}
