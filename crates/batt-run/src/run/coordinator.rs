//! The mega-batch: the samples of all jobs as one queue, cut into batches for all threads.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use batt_lang::Value;
use batt_lang::battery::Battery;
use rayon::ThreadPool;

use super::outcome::{Item, Samples};
use super::plan::Job;
use crate::engine::{Amount, Counters, Engine, Loaded, Phase, Row, Sample, Setup};
use crate::stop::Stop;

/// How long a batch should take where its size is not given: large batteries run some thirty samples at a time.
const TARGET: Duration = Duration::from_millis(150);
/// How many batches every thread should find, at least.
const BATCHES_PER_THREAD: usize = 4;

/// A job with its battery.
pub struct Dealt<'a> {
    /// The job.
    pub job: &'a Job,
    /// Its programs and differs, merged.
    pub battery: Battery,
    /// S of its tasks; one value for each, which all of its samples share.
    pub s: Vec<Value>,
}

/// One sample of one job, by its places.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    /// The job.
    pub job: usize,
    /// The task's place in the job.
    pub task: usize,
    /// The sample's place in the task.
    pub sample: usize,
}

impl Unit {
    /// The task's samples, and this one.
    pub fn find<'a>(self, jobs: &[Dealt], samples: &'a [Samples]) -> (&'a Samples, &'a Item) {
        let of_task = &samples[jobs[self.job].job.tasks[self.task]];
        (of_task, &of_task.items[self.sample])
    }
}

/// A batch that was run.
pub struct Batch {
    /// Its number; batches are numbered in the order of their units.
    pub number: usize,
    /// Which units.
    pub units: Range<usize>,
    /// What they gave.
    pub rows: Vec<Row>,
    /// What it took.
    pub counters: Counters,
    /// How long it took.
    pub time: Duration,
}

/// One pass over some samples.
pub struct Pass<'a> {
    /// What evaluates.
    pub engine: &'a dyn Engine,
    /// Outputs or scores.
    pub phase: Phase,
    /// The jobs.
    pub jobs: &'a [Dealt<'a>],
    /// The samples of every task.
    pub samples: &'a [Samples],
    /// What to run, job by job.
    pub units: &'a [Unit],
    /// How many samples a batch has, if that is fixed.
    pub batch_size: Option<usize>,
    /// Whether it is enough to know which outputs are right.
    pub verdicts: bool,
    /// Says when to end.
    pub stop: &'a Stop,
}

impl<'a> Pass<'a> {
    /// Runs batches on every thread of the pool until the queue is empty or it is said to stop, also by
    /// `failed`; what was not done of a batch then is [`crate::engine::Cell::Stopped`]. `done` is called
    /// with each, in no particular order.
    pub fn run(
        &self,
        pool: &ThreadPool,
        failed: &(dyn Fn() -> bool + Sync),
        done: &(dyn Fn(Batch) + Sync),
    ) {
        let loaded: Vec<OnceLock<Box<dyn Loaded + 'a>>> =
            self.jobs.iter().map(|_| OnceLock::new()).collect();
        let threads = pool.current_num_threads();
        let queue = Mutex::new(Queue { engines: self.engines(threads), ..Queue::default() });
        let pace = Pace { threads, ..Pace::default() };
        pool.broadcast(|_| {
            while !self.stop.fired() && !failed() {
                let taken = queue.lock().unwrap_or_else(PoisonError::into_inner).take(self, &pace);
                let Some((number, engine, units)) = taken else { break };
                let job = self.units[units.start].job;
                let ready = loaded[job].get_or_init(|| self.load(engine, job));
                let samples: Vec<Sample> =
                    self.units[units.clone()].iter().map(|unit| self.sample(*unit)).collect();
                let started = Instant::now();
                let (rows, counters) = ready.run(&samples);
                let time = started.elapsed();
                pace.learn(time, units.len() * self.roots(job));
                done(Batch { number, units, rows, counters, time });
            }
        });
    }

    /// The engine of every job: the one that is asked for, or the one that it picks for as many
    /// samples as the job has.
    fn engines(&self, threads: usize) -> Vec<&'a dyn Engine> {
        let mut counts = vec![0; self.jobs.len()];
        for unit in self.units {
            counts[unit.job] += 1;
        }
        let pick = |(dealt, samples): (&'a Dealt, usize)| {
            let amount = Amount { battery: &dealt.battery, phase: self.phase, samples, threads };
            self.engine.pick(&amount).unwrap_or(self.engine)
        };
        self.jobs.iter().zip(counts).map(pick).collect()
    }

    fn load(&self, engine: &'a dyn Engine, job: usize) -> Box<dyn Loaded + 'a> {
        let Dealt { battery, s, .. } = &self.jobs[job];
        engine.load(Setup {
            battery,
            phase: self.phase,
            tasks: s,
            timed: false,
            verdicts: self.verdicts,
            stop: self.stop,
        })
    }

    fn sample(&self, unit: Unit) -> Sample {
        let (_, item) = unit.find(self.jobs, self.samples);
        let compared = if self.phase == Phase::Scores { item.output.clone() } else { None };
        let judged = self.verdicts && self.phase == Phase::Outputs;
        let expected = if judged { item.output.clone() } else { None };
        Sample { task: unit.task, input: item.input.clone(), compared, expected }
    }

    /// How many results a sample of this job gives.
    fn roots(&self, job: usize) -> usize {
        let battery = &self.jobs[job].battery;
        match self.phase {
            Phase::Outputs => battery.programs().len(),
            Phase::Scores => battery.scores().len(),
        }
    }
}

/// Where the next batch starts.
#[derive(Default)]
struct Queue<'a> {
    next: usize,
    batches: usize,
    /// By job.
    engines: Vec<&'a dyn Engine>,
}

impl<'a> Queue<'a> {
    /// The next batch: samples of one job, and what runs them.
    fn take(&mut self, pass: &Pass, pace: &Pace) -> Option<(usize, &'a dyn Engine, Range<usize>)> {
        let first = pass.units.get(self.next)?;
        let left = pass.units.len() - self.next;
        let engine = *self.engines.get(first.job)?;
        let fixed = pass.batch_size.or_else(|| engine.batch_size());
        let size = fixed.unwrap_or_else(|| pace.size(pass.roots(first.job), left));
        let of_job = pass.units[self.next..].iter().take(size.max(1));
        let size = of_job.take_while(|unit| unit.job == first.job).count();
        let units = self.next..self.next + size;
        self.next += size;
        self.batches += 1;
        Some((self.batches - 1, engine, units))
    }
}

/// Follows the measured time, so that a batch takes about as long as it should.
#[derive(Default)]
struct Pace {
    threads: usize,
    /// Time per result; 0 while nothing was measured.
    picos: AtomicU64,
}

impl Pace {
    fn size(&self, roots: usize, left: usize) -> usize {
        let picos = self.picos.load(Ordering::Relaxed);
        if picos == 0 {
            return 1;
        }
        let per_sample = u128::from(picos) * roots.max(1) as u128;
        let fits = (TARGET.as_nanos() * 1_000 / per_sample.max(1)) as usize;
        fits.min(left / (self.threads * BATCHES_PER_THREAD).max(1)).max(1)
    }

    fn learn(&self, time: Duration, results: usize) {
        let new = (time.as_nanos() * 1_000 / results.max(1) as u128).max(1) as u64;
        let old = self.picos.load(Ordering::Relaxed);
        self.picos.store(if old == 0 { new } else { u64::midpoint(old, new) }, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_follows_the_time() {
        let pace = Pace { threads: 2, ..Pace::default() };
        assert_eq!(pace.size(10, 1000), 1);
        pace.learn(Duration::from_millis(10), 10);
        assert_eq!(pace.size(10, 1000), 15);
        assert_eq!(pace.size(10, 16), 2, "every thread finds several batches");
        assert_eq!(pace.size(1_000_000, 1000), 1);
    }
}
