//! A line of JSON for every generation.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use batt::evolve::operators::Operator;
use batt::evolve::run::Progress;
use serde_json::{Map, Value as Json, json};

use crate::output::{self, Growing};

/// The option that names the metrics.
pub const METRICS: &str = "--metrics";

/// A stream of metrics.
pub struct Metrics {
    path: PathBuf,
    to: Growing,
    failed: Option<std::io::Error>,
    /// What was last said of each task.
    best: HashMap<usize, (u16, u32)>,
}

impl Metrics {
    /// Begins a file.
    pub fn new(path: &Path) -> anyhow::Result<Metrics> {
        let (path, to) = (path.to_path_buf(), Growing::begin(METRICS, path)?);
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
            "rows": progress.pace.done().rows,
            "present": progress.pace.present(),
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
        // After a line that could not be written the next would follow a part of one.
        if self.failed.is_none() {
            self.failed = self.to.add(format!("{line}\n").as_bytes()).err();
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
    pub fn finish(self) -> anyhow::Result<()> {
        match self.failed {
            Some(error) => Err(output::failed(METRICS, &self.path, &error)),
            None => Ok(()),
        }
    }
}

/// What came of every operator.
fn operators(progress: &Progress) -> Json {
    let counts = Operator::ALL.iter().zip(&progress.totals.counts);
    Json::Object(
        counts.map(|(operator, count)| (operator.name().to_string(), json!(count))).collect(),
    )
}
