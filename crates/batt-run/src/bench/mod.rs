//! Benchmarks that a command prints: the same work done in several ways, side by side.
//!
//! - [`feasibility()`]: alone, as a battery on one thread, as a battery on all cores, by engine
//! - [`scaling`]: by samples, expressions and batch size, and the slowest rows
//! - [`card()`]: unfused, fused and alone, and what compiling costs
//! - [`cross()`]: every program on every sample, what a pair costs
//! - [`throughput()`]: what a pair costs by number of samples, end to end
//! - [`auto()`]: how often the faster side is picked
//! - [`python`]: the public Python DSL against ours
//!
//! Every time is the median over some repeats.

mod auto;
mod card;
mod cross;
mod feasibility;
pub mod python;
pub mod scaling;
mod throughput;
mod work;

use std::time::Instant;

use serde::Serialize;

pub use auto::{Grid, Tried, auto};
pub use card::{Compile, card};
pub use cross::{Cross, cross};
pub use feasibility::feasibility;
pub use throughput::{Throughput, many, throughput};
pub use work::{Done, Ready, Work, on_threads};

/// One way to do the work, or one size of it.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// What was done.
    pub what: String,
    /// The median time.
    pub seconds: f64,
    /// How many program-sample pairs it gave; 0 where nothing was evaluated.
    pub pairs: u64,
    /// How it compares with the first row of its group: how many times as fast.
    pub speedup: f64,
    /// The name of what is compared: rows of one group are.
    pub group: &'static str,
}

impl Row {
    /// Program-sample pairs per second.
    pub fn rate(&self) -> f64 {
        self.pairs as f64 / self.seconds.max(1e-12)
    }

    fn new(group: &'static str, what: impl Into<String>, seconds: f64, pairs: usize) -> Row {
        Row { what: what.into(), seconds, pairs: pairs as u64, speedup: 1.0, group }
    }
}

/// Fills in how each row compares with the first of its group, per pair where pairs are counted.
fn compared(mut rows: Vec<Row>) -> Vec<Row> {
    let cost = |row: &Row| row.seconds.max(1e-12) / row.pairs.max(1) as f64;
    for at in 0..rows.len() {
        let first = rows.iter().find(|row| row.group == rows[at].group).map_or(1.0, cost);
        rows[at].speedup = first / cost(&rows[at]);
    }
    rows
}

/// The median time of some repeats.
fn median<T>(repeats: usize, mut work: impl FnMut() -> T) -> f64 {
    let mut times: Vec<f64> = (0..repeats.max(1))
        .map(|_| {
            let started = Instant::now();
            let result = work();
            let seconds = started.elapsed().as_secs_f64();
            std::hint::black_box(result);
            seconds
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// What the benchmarks ran on.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// The CPU's model, where the system says it.
    pub cpu: String,
    /// How many threads may run at once.
    pub cores: usize,
}

impl Machine {
    /// This machine.
    pub fn here() -> Machine {
        let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
        Machine {
            cpu: model.map_or("unknown CPU".to_string(), |(_, name)| name.trim().to_string()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_compared_within_their_group_and_per_pair() {
        let rows = vec![
            Row::new("a", "slow", 2.0, 10),
            Row::new("b", "other", 9.0, 1),
            Row::new("a", "fast", 1.0, 20),
        ];
        let speedups: Vec<f64> = compared(rows).iter().map(|row| row.speedup).collect();
        assert_eq!(speedups, [1.0, 1.0, 4.0]);
    }
}
