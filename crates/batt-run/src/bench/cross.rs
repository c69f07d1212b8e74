//! Every program on every sample, as one battery: what a pair costs.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use rayon::prelude::*;
use serde::Serialize;

use super::work::{Ready, Work, finish, on_threads};
use crate::engine::Engine;

/// What it took to run every program on every sample.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Cross {
    /// How many program-sample pairs there are.
    pub pairs: u64,
    /// CPU time of the engine on one thread.
    pub engine_cpu_s: f64,
    /// CPU time of the interpreter on what the engine handed back.
    pub handed_back_cpu_s: f64,
    /// How many pairs were handed back.
    pub handed_back: u64,
    /// The most bytes that one worker held at a time; 0 where the engine does not count them.
    pub worker_bytes: u64,
    /// CPU time of both, per pair.
    pub micros_per_pair: f64,
    /// Elapsed time of the engine alone by number of threads, 1 and all.
    pub elapsed_s: Vec<(usize, f64)>,
}

/// Runs every program on every sample on one thread, and the engine alone on all threads as well.
pub fn cross(work: &Work, engine: &dyn Engine, threads: usize) -> Cross {
    let battery = work.battery(true);
    let ready = work.ready(engine, &battery, true);
    let mut cross = on_threads(Some(1), || alone(work, &ready)).unwrap_or_default();
    for n in [1, threads] {
        let elapsed = on_threads(Some(n), || {
            let started = Instant::now();
            spread(work, &ready);
            started.elapsed().as_secs_f64()
        });
        cross.elapsed_s.extend(elapsed.map(|seconds| (n, seconds)));
    }
    cross
}

fn alone(work: &Work, ready: &Ready<'_>) -> Cross {
    let mut cross = Cross { pairs: work.size() as u64, ..Cross::default() };
    let (mut engine, mut interpreter) = (Duration::ZERO, Duration::ZERO);
    for batch in work.samples.chunks(ready.batch()) {
        let started = ThreadTime::now();
        let (rows, counters) = ready.loaded().run(batch);
        engine += started.elapsed();
        cross.worker_bytes = cross.worker_bytes.max(counters.worker_bytes);
        let started = ThreadTime::now();
        for (row, sample) in rows.iter().zip(batch) {
            cross.handed_back += finish(&work.programs, &work.pairs, sample, row) as u64;
        }
        interpreter += started.elapsed();
    }
    cross.engine_cpu_s = engine.as_secs_f64();
    cross.handed_back_cpu_s = interpreter.as_secs_f64();
    cross.micros_per_pair = (engine + interpreter).as_secs_f64() * 1e6 / cross.pairs.max(1) as f64;
    cross
}

fn spread(work: &Work, ready: &Ready<'_>) {
    work.samples.par_chunks(ready.batch().max(1)).with_max_len(1).for_each(|batch| {
        std::hint::black_box(ready.loaded().run(batch));
    });
}
