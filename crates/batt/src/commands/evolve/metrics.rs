//! A line of JSON for every generation.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use batt::evolve::operators::Operator;
use batt::evolve::run::Progress;
use serde_json::{Map, Value as Json, json};

/// A stream of metrics.
pub struct Metrics {
    path: PathBuf,
    to: BufWriter<File>,
    failed: Option<std::io::Error>,
    /// What was last said of each task.
    best: HashMap<usize, (u16, u32)>,
}

impl Metrics {
    /// Begins a file.
    pub fn new(path: &Path) -> anyhow::Result<Metrics> {
        let file = File::create(path).with_context(|| path.display().to_string())?;
        let (to, path) = (BufWriter::new(file), path.to_path_buf());
        Ok(Metrics { path, to, failed: None, best: HashMap::new() })
    }

    /// Adds a generation. Tasks are listed when their best program changed.
    pub fn write(&mut self, progress: &Progress) {
        let line = json!({
            "schema": 1,
            "type": "generation",
            "generation": progress.generation,
            "seconds": progress.elapsed.as_secs_f64(),
            "candidates": progress.candidates,
            "archive_seconds": progress.archive_time.as_secs_f64(),
            "solved": progress.solved(),
            "tasks": progress.tasks.len(),
            "proposals": progress.totals.proposals,
            "well_typed": progress.totals.well_typed,
            "new_behaviour": progress.totals.new_behaviour,
            "kept": progress.totals.kept,
            "handed_back": progress.totals.handed_back,
            "mismatches": progress.totals.refused.disagreements,
            "refused": progress.totals.refused,
            "operators": operators(progress),
            "best": self.changed(progress),
        });
        let written = writeln!(self.to, "{line}").and_then(|()| self.to.flush());
        if let Err(error) = written {
            self.failed.get_or_insert(error);
        }
    }

    fn changed(&mut self, progress: &Progress) -> Json {
        let mut changed = Map::new();
        let tasks = progress.units.chunks(progress.islands.max(1)).zip(progress.tasks);
        for (at, (units, task)) in tasks.enumerate() {
            let best = units.iter().filter_map(|unit| unit.population.best());
            let Some(best) = best.max_by_key(|one| one.quality()) else { continue };
            let now = (best.exact(), best.points());
            if self.best.insert(at, now) != Some(now) {
                let demos = best.cells.len();
                changed.insert(
                    task.id.clone(),
                    json!({ "exact": now.0, "demos": demos, "points": now.1 }),
                );
            }
        }
        Json::Object(changed)
    }

    /// Makes sure that everything was written.
    pub fn finish(mut self) -> anyhow::Result<()> {
        let flushed = self.to.flush();
        let ended = self.failed.map_or(flushed, Err);
        ended.with_context(|| format!("cannot write {}", self.path.display()))
    }
}

/// What came of every operator.
fn operators(progress: &Progress) -> Json {
    let counts = Operator::ALL.iter().zip(&progress.totals.counts);
    Json::Object(
        counts.map(|(operator, count)| (operator.name().to_string(), json!(count))).collect(),
    )
}
