//! What a run took, and what merging saved.

use std::time::Duration;

use batt_lang::graph::Root;
use serde::Serialize;

use super::coordinator::Dealt;
use super::outputs::Judged;
use crate::engine::Counters;

/// How long the parts of a run took, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Timing {
    /// Reading tasks and programs.
    pub load: f64,
    /// Dealing programs into batteries.
    pub compile: f64,
    /// Outputs on demos.
    pub demo: f64,
    /// Outputs on tests.
    pub test: f64,
    /// The pass of the differs.
    pub scoring: f64,
}

impl Timing {
    /// Splits the time of the first pass as threads spent theirs. Demos and tests share batches; a
    /// batch's time is shared evenly.
    pub(super) fn split(&mut self, pass: Duration, [demos, tests]: [Duration; 2]) {
        let all = (demos + tests).as_secs_f64();
        let share = if all > 0.0 { tests.as_secs_f64() / all } else { 0.0 };
        self.test = pass.as_secs_f64() * share;
        self.demo = pass.as_secs_f64() - self.test;
    }
}

/// How much was evaluated. A row is one expression on one sample or on one element of a container.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Work {
    /// How many batteries were dealt.
    pub batteries: usize,
    /// How many batches were run for outputs.
    pub batches: usize,
    /// Rows evaluated for outputs.
    pub rows: u64,
    /// Rows that every program alone, on every sample alone, would have needed.
    pub rows_alone: u64,
    /// Rows that were saved because programs share expressions.
    pub saved_by_sharing: u64,
    /// Rows that were saved because what needs no sample is computed once per task or per battery.
    /// Where tasks differ in the length of a container, this takes the mean.
    pub saved_by_hoisting: u64,
    /// Rows evaluated for scores.
    pub score_rows: u64,
    /// The most bytes that one worker held at a time; 0 where the engine does not count them.
    pub worker_bytes: u64,
}

impl Work {
    pub(super) fn of(jobs: &[Dealt], judged: &Judged) -> Work {
        let mut work = Work { batteries: jobs.len(), batches: judged.batches, ..Work::default() };
        for (job, (counters, ran)) in jobs.iter().zip(judged.counters.iter().zip(&judged.ran)) {
            work.add(job, counters, *ran as u64);
        }
        work.rows_alone = work.rows + work.saved_by_sharing + work.saved_by_hoisting;
        work
    }

    fn add(&mut self, dealt: &Dealt, counters: &Counters, samples: u64) {
        self.worker_bytes = self.worker_bytes.max(counters.worker_bytes);
        let battery = &dealt.battery;
        let mut users = vec![0u64; battery.slot_count()];
        for program in battery.programs() {
            for slot in battery.slots_of(program.output) {
                users[slot.index()] += 1;
            }
        }
        let tasks = (dealt.job.tasks.len() as u64).max(1);
        for (at, count) in counters.slots.iter().enumerate().filter(|(_, c)| c.rows > 0) {
            let slot = battery.slot(batt_lang::graph::SlotId(at as u32));
            let rows_per_sample = match battery.frames().get(slot.frame).root {
                Root::Constant => count.rows * samples,
                Root::Task => count.rows * samples.max(tasks) / tasks,
                Root::Sample => count.rows,
            };
            self.rows += count.rows;
            self.saved_by_hoisting += rows_per_sample.saturating_sub(count.rows);
            self.saved_by_sharing += rows_per_sample * users[at].saturating_sub(1);
        }
    }
}
