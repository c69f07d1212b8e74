//! What a pair of a program and a sample costs when there are many samples, end to end.

use serde::Serialize;

use super::work::{Work, on_threads};
use crate::engine::Engine;
use crate::random;
use crate::tasks::{Example, Grid, Task};

/// What one size took.
#[derive(Clone, Debug, Serialize)]
pub struct Throughput {
    /// What evaluated.
    pub engine: &'static str,
    /// How many samples.
    pub samples: usize,
    /// How many program-sample pairs.
    pub pairs: u64,
    /// Elapsed time, hand-backs included.
    pub seconds: f64,
    /// Elapsed time of a pair, its scores included where there are differs.
    pub nanos_per_pair: f64,
    /// Elapsed time of a sample with all programs.
    pub micros_per_sample: f64,
    /// How many differs scored every output.
    pub differs: usize,
    /// Pairs that were handed back.
    pub handed_back: u64,
    /// Pairs that cores took beside a device.
    pub core_pairs: u64,
    /// Time of cores that they took.
    pub core_seconds: f64,
    /// Rows evaluated, on a device and in all.
    pub device_rows: u64,
    /// All rows.
    pub rows: u64,
    /// Kernels that were started.
    pub kernels: u64,
    /// Bytes up and down.
    pub bytes: [u64; 2],
    /// Time that devices were busy with chunks.
    pub device_seconds: f64,
    /// Time that kernels ran.
    pub kernel_seconds: f64,
    /// How often a chunk was split.
    pub splits: u64,
}

/// Tasks with at least so many samples: the given ones, then the same with colours exchanged.
pub fn many(tasks: &[Task], samples: usize) -> Vec<Task> {
    let mut rng = random::rng(samples as u64);
    let mut all = Vec::new();
    let mut count = 0;
    while count < samples && !tasks.is_empty() {
        let mut colors: [u8; 10] = std::array::from_fn(|color| color as u8);
        if !all.is_empty() {
            for at in (1..10).rev() {
                colors.swap(at, rng.below(at + 1));
            }
        }
        for task in tasks {
            if count >= samples {
                break;
            }
            count += task.demos.len() + task.tests.len();
            all.push(exchanged(task, colors));
        }
    }
    all
}

fn exchanged(task: &Task, colors: [u8; 10]) -> Task {
    let grid = |grid: &Grid| {
        let rows: Vec<Vec<u8>> =
            grid.rows().map(|row| row.iter().map(|c| colors[usize::from(*c)]).collect()).collect();
        Grid::from_rows(&rows).unwrap_or_else(|| grid.clone())
    };
    let example = |example: &Example| Example {
        input: grid(&example.input),
        output: example.output.as_ref().map(grid),
    };
    Task {
        id: task.id.clone(),
        demos: task.demos.iter().map(example).collect(),
        tests: task.tests.iter().map(example).collect(),
    }
}

/// Runs every program on every sample on all cores; the median of some repeats after one that does
/// not count.
pub fn throughput(work: &Work, engine: &dyn Engine, repeats: usize) -> Option<Throughput> {
    let battery = work.battery(true);
    on_threads(None, || {
        let ready = work.ready(engine, &battery, true);
        ready.timed();
        let mut runs: Vec<_> = (0..repeats.max(1)).map(|_| ready.timed()).collect();
        runs.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (seconds, done) = runs.swap_remove(runs.len() / 2);
        let pairs = work.size() as u64;
        let device = done.counters.device;
        Throughput {
            engine: ready.engine(),
            samples: work.samples.len(),
            pairs,
            seconds,
            nanos_per_pair: seconds * 1e9 / pairs.max(1) as f64,
            micros_per_sample: seconds * 1e6 / work.samples.len().max(1) as f64,
            differs: work.differs.len(),
            handed_back: done.handed_back,
            core_pairs: device.core_pairs,
            core_seconds: device.core_nanos as f64 / 1e9,
            device_rows: device.rows,
            rows: done.counters.rows(),
            kernels: device.kernels,
            bytes: [device.bytes_up, device.bytes_down],
            device_seconds: device.nanos as f64 / 1e9,
            kernel_seconds: device.kernel_nanos as f64 / 1e9,
            splits: device.splits,
        }
    })
}
