//! How many new programs a core makes and evaluates per second, the archive included.

use std::time::{Duration, Instant};

use batt_run::engine::Engine;
use batt_run::stop::NEVER;
use batt_run::tasks::Dataset;
use cpu_time::ProcessTime;
use serde::Serialize;

use crate::archive::Archive;
use crate::run::{Config, Evolution, EvolveError, Progress, Seed, Until, Watch};

/// The rate on one task.
#[derive(Clone, Debug, Serialize)]
pub struct Rate {
    /// The task.
    pub task: String,
    /// How many demos it has.
    pub demos: usize,
    /// Programs that were evaluated on all demos; none was met before.
    pub candidates: u64,
    /// CPU time of the whole process.
    pub cpu_seconds: f64,
    /// Elapsed time.
    pub seconds: f64,
    /// How much of that the archive took.
    pub archive_seconds: f64,
    /// Results that the engine handed back, of all.
    pub handed_back: f64,
    /// Candidates for each second of CPU time.
    pub per_cpu_second: f64,
}

struct Quiet;

impl Watch for Quiet {
    fn generation(&mut self, _: &Progress) {}
}

/// Breeds for one task on one thread for so many generations, into an archive.
pub fn rate(
    engine: &dyn Engine,
    data: &Dataset,
    config: Config,
    seeds: Vec<Seed>,
    generations: u32,
    archive: &mut Archive,
) -> Result<Rate, EvolveError> {
    let config = Config { rest: false, ..config };
    let mut evolution = Evolution::new(config, engine, data, seeds, Some(1))?;
    let (cpu, started) = (ProcessTime::now(), Instant::now());
    let id = evolution.open(archive, false)?;
    let until = Until { generations: Some(generations), ..Until::default() };
    evolution.run(archive, &id, until, &NEVER, &mut Quiet)?;
    let (cpu, elapsed): (Duration, Duration) = (cpu.elapsed(), started.elapsed());
    let progress = evolution.progress();
    let task = &progress.tasks[0];
    let results = progress.candidates * task.demos.len() as u64;
    Ok(Rate {
        task: task.id.clone(),
        demos: task.demos.len(),
        candidates: progress.candidates,
        cpu_seconds: cpu.as_secs_f64(),
        seconds: elapsed.as_secs_f64(),
        archive_seconds: progress.archive_time.as_secs_f64(),
        handed_back: progress.totals.handed_back as f64 / results.max(1) as f64,
        per_cpu_second: progress.candidates as f64 / cpu.as_secs_f64().max(1e-9),
    })
}
