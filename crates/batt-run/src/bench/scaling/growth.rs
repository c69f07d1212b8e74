//! Time against the number of samples and against the number of distinct expressions.
//!
//! All the work is done for every point, cut into fewer and larger parts: a few heavy programs or
//! samples then weigh the same in each of them, and only the size of the parts differs.

use std::time::Duration;

use cpu_time::ThreadTime;
use serde::Serialize;

use crate::bench::Work;
use crate::bench::work::on_threads;
use crate::engine::{Engine, Loaded, Phase, Sample, Setup};
use crate::stop::NEVER;

/// Into how many parts the work is cut.
const PARTS: [usize; 5] = [16, 8, 4, 2, 1];
/// Samples that are evaluated in one call.
const BATCH: usize = 64;

/// How time grows with a size.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Growth {
    /// The sizes, the smallest first.
    pub points: Vec<Point>,
    /// The power of the size that time grows with, fitted over all points: 1 is linear.
    pub exponent: f64,
}

/// What parts of one size took.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Point {
    /// How many parts there were.
    pub parts: usize,
    /// The mean size of a part: samples, or distinct expressions.
    pub size: f64,
    /// The mean CPU time of the engine for a part, on one thread.
    pub seconds: f64,
    /// Rows evaluated for a part, on average.
    pub rows: f64,
}

/// Time against samples: one battery of all programs, on parts of the tasks.
pub fn by_samples(work: &Work, engine: &dyn Engine, repeats: usize) -> Growth {
    let battery = work.battery(true);
    let setup = Setup {
        battery: &battery,
        phase: Phase::Outputs,
        tasks: &work.pairs,
        timed: false,
        verdicts: true,
        stop: &NEVER,
    };
    let loaded = engine.load(setup);
    // So that the first part does not pay for memory that is touched for the first time.
    let warm = work.samples.get(..BATCH.min(work.samples.len())).unwrap_or_default();
    on_threads(Some(1), || run(&*loaded, warm));
    grow(work.pairs.len(), |parts| {
        let mut point = Point { parts, size: 0.0, seconds: 0.0, rows: 0.0 };
        for part in 0..parts {
            let samples: Vec<Sample> =
                work.samples.iter().filter(|s| s.task % parts == part).cloned().collect();
            let (seconds, rows) = on_threads(Some(1), || timed(repeats, &*loaded, &samples))?;
            point.add(samples.len(), seconds, rows);
        }
        Some(point.mean())
    })
}

/// Time against distinct expressions: parts of the programs as batteries, on all samples.
pub fn by_expressions(work: &Work, engine: &dyn Engine, repeats: usize) -> Growth {
    grow(work.programs.len(), |parts| {
        let mut point = Point { parts, size: 0.0, seconds: 0.0, rows: 0.0 };
        for part in 0..parts {
            let mut less = work.clone();
            less.programs = work.programs.iter().skip(part).step_by(parts).cloned().collect();
            let battery = less.battery(true);
            let setup = Setup {
                battery: &battery,
                phase: Phase::Outputs,
                tasks: &work.pairs,
                timed: false,
                verdicts: true,
                stop: &NEVER,
            };
            let loaded = engine.load(setup);
            let run = || timed(repeats, &*loaded, &work.samples);
            let (seconds, rows) = on_threads(Some(1), run)?;
            point.add(battery.slot_count(), seconds, rows);
        }
        Some(point.mean())
    })
}

impl Point {
    fn add(&mut self, size: usize, seconds: f64, rows: u64) {
        self.size += size as f64;
        self.seconds += seconds;
        self.rows += rows as f64;
    }

    fn mean(mut self) -> Point {
        let parts = self.parts as f64;
        self.size /= parts;
        self.seconds /= parts;
        self.rows /= parts;
        self
    }
}

/// A point for every number of parts that there is enough for.
fn grow(most: usize, point: impl FnMut(usize) -> Option<Point>) -> Growth {
    let points: Vec<Point> =
        PARTS.into_iter().filter(|parts| *parts <= most.max(1)).filter_map(point).collect();
    let exponent = exponent(&points);
    Growth { points, exponent }
}

/// The slope of the line through the logarithms of sizes and times.
fn exponent(points: &[Point]) -> f64 {
    let logs = points.iter().map(|p| (p.size.max(1e-12).ln(), p.seconds.max(1e-12).ln()));
    let n = points.len() as f64;
    let (sum_x, sum_y) = logs.clone().fold((0.0, 0.0), |(x, y), log| (x + log.0, y + log.1));
    let (mean_x, mean_y) = (sum_x / n, sum_y / n);
    let (mut over, mut under) = (0.0, 0.0);
    for (x, y) in logs {
        over += (x - mean_x) * (y - mean_y);
        under += (x - mean_x).powi(2);
    }
    if under > 0.0 { over / under } else { 1.0 }
}

/// The median CPU time of running samples, in seconds, and the rows it took.
fn timed(repeats: usize, loaded: &dyn Loaded, samples: &[Sample]) -> (f64, u64) {
    let mut runs: Vec<(Duration, u64)> =
        (0..repeats.max(1)).map(|_| run(loaded, samples)).collect();
    runs.sort_unstable();
    let (time, rows) = runs[runs.len() / 2];
    (time.as_secs_f64(), rows)
}

fn run(loaded: &dyn Loaded, samples: &[Sample]) -> (Duration, u64) {
    let started = ThreadTime::now();
    let rows = samples.chunks(BATCH).map(|batch| loaded.run(batch).1.rows()).sum();
    (started.elapsed(), rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(size: f64, seconds: f64) -> Point {
        Point { parts: 1, size, seconds, rows: 0.0 }
    }

    #[test]
    fn the_exponent_tells_linear_from_quadratic() {
        let linear = [point(10.0, 1.0), point(20.0, 2.0), point(40.0, 4.0)];
        assert!((exponent(&linear) - 1.0).abs() < 1e-9);
        let quadratic = [point(10.0, 1.0), point(20.0, 4.0), point(40.0, 16.0)];
        assert!((exponent(&quadratic) - 2.0).abs() < 1e-9);
        assert!((exponent(&[point(10.0, 1.0)]) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn there_are_no_more_parts_than_things_to_part() {
        let growth = grow(5, |parts| Some(point(parts as f64, 1.0)));
        let sizes: Vec<f64> = growth.points.iter().map(|p| p.size).collect();
        assert_eq!(sizes, [4.0, 2.0, 1.0]);
    }
}
