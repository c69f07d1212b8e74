//! Generations of a run as JSON: what `--metrics` writes and callbacks are given.

use std::collections::HashMap;

use serde_json::{Map, Value as Json, json};

use crate::evolve::operators::Operator;
use crate::evolve::run::Progress;

/// The generations of one run; remembers what was said of each task.
#[derive(Debug, Default)]
pub struct Generations {
    best: HashMap<usize, (u16, u32)>,
}

impl Generations {
    /// Where a run stands. Tasks are listed when their best program changed.
    pub fn line(&mut self, progress: &Progress) -> Json {
        json!({
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
        })
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
}

/// What came of every operator.
fn operators(progress: &Progress) -> Json {
    let counts = Operator::ALL.iter().zip(&progress.totals.counts);
    Json::Object(
        counts.map(|(operator, count)| (operator.name().to_string(), json!(count))).collect(),
    )
}
