//! Is it worth it: the same pairs alone, as a battery on each engine, and on all cores.

use super::work::on_threads;
use super::{Row, Work, compared, median};
use crate::engine::Engine;

/// One thread alone; then for each engine a battery on one thread and on all cores.
pub fn feasibility(work: &Work, engines: &[&dyn Engine], repeats: usize) -> Vec<Row> {
    let pairs = work.size();
    let battery = work.battery(true);
    let row = |what: String, seconds: Option<f64>| {
        seconds.map(|seconds| Row::new("engines", what, seconds, pairs))
    };
    let alone = on_threads(Some(1), || median(repeats, || work.alone()));
    let mut rows = Vec::from_iter(row("each program alone, 1 thread".to_string(), alone));
    for engine in engines {
        let run = |batch| median(repeats, || work.ready(*engine, &battery, false).run(batch));
        let name = engine.name();
        let one = on_threads(Some(1), || run(16));
        rows.extend(row(format!("battery, {name}, 1 thread"), one));
        let all = on_threads(None, || run(16));
        rows.extend(row(format!("battery, {name}, all cores"), all));
    }
    compared(rows)
}
