//! The slowest rows: one sample at a time, with a clock at every step.
//!
//! A step fills one column: one row where the expression needs only the sample, many in a loop. The
//! time of a step is a bound for each of its rows, its time divided by its rows is their mean.
//! Whatever was slow is measured again, because other programs on the machine interrupt a clock.

use std::collections::BTreeMap;

use batt_lang::battery::Battery;
use batt_lang::graph::{Def, SlotId};
use serde::Serialize;

use crate::bench::Work;
use crate::bench::work::{interpret, on_threads};
use crate::engine::{Cell, Engine, Loaded, Phase, Setup, Slowest};
use crate::profile::primitive;
use crate::stop::NEVER;

/// How many of the slowest steps are measured again.
const AGAIN: usize = 200;

/// What was slow.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Slowness {
    /// How many samples were run.
    pub samples: usize,
    /// The steps that took longest, the slowest first.
    pub steps: Vec<SlowStep>,
    /// The steps that took longest for each of their rows, the slowest first.
    pub rows: Vec<SlowStep>,
    /// How many steps took more than ten milliseconds, a slot on a sample counted once.
    pub steps_above_10_ms: usize,
    /// How many of them did for each of their rows.
    pub rows_above_10_ms: usize,
    /// The sample that took longest, all programs together.
    pub slowest_sample: Option<SlowPair>,
    /// The slowest pair that was handed back: the interpreter's time.
    pub slowest_handed_back: Option<SlowPair>,
}

/// A step on one sample.
#[derive(Clone, Debug, Serialize)]
pub struct SlowStep {
    /// The first program that needs it.
    pub program: String,
    /// How many programs need it.
    pub programs: usize,
    /// The sample: its task and its number there, demos first.
    pub sample: String,
    /// The slot, as the disassembly names it.
    pub slot: String,
    /// The primitive.
    pub primitive: String,
    /// What it computes.
    pub expression: String,
    /// How long the slowest step of that slot took on that sample.
    pub millis: f64,
    /// How many rows that step had.
    pub rows: u64,
    /// The most that any step of that slot took for each of its rows.
    pub millis_per_row: f64,
}

/// A program on a sample, or all programs on it.
#[derive(Clone, Debug, Serialize)]
pub struct SlowPair {
    /// The program; `all` for all of them.
    pub program: String,
    /// The sample.
    pub sample: String,
    /// How long it took.
    pub millis: f64,
}

/// Finds the `top` slowest steps and rows of all programs over all samples.
pub fn slowest(work: &Work, engine: &dyn Engine, repeats: usize, top: usize) -> Slowness {
    let battery = work.battery(true);
    let setup = Setup {
        battery: &battery,
        phase: Phase::Outputs,
        tasks: &work.pairs,
        timed: true,
        verdicts: true,
        stop: &NEVER,
    };
    let loaded = engine.load(setup);
    let search = Search { work, battery: &battery, loaded: &*loaded };
    on_threads(Some(1), || search.run(repeats, top)).unwrap_or_default()
}

struct Search<'a> {
    work: &'a Work,
    battery: &'a Battery,
    loaded: &'a dyn Loaded,
}

/// A slot on a sample.
type Place = (usize, SlotId);

impl Search<'_> {
    fn run(&self, repeats: usize, top: usize) -> Slowness {
        let mut found: Vec<(Place, Slowest)> = Vec::new();
        let mut slowness = Slowness { samples: self.work.samples.len(), ..Slowness::default() };
        for at in 0..self.work.samples.len() {
            let started = std::time::Instant::now();
            let (cells, steps) = self.sample(at);
            let millis = started.elapsed().as_secs_f64() * 1e3;
            keep_slower(&mut slowness.slowest_sample, millis, || ("all".into(), self.name(at)));
            self.handed_back(at, &cells, &mut slowness.slowest_handed_back);
            found.extend(steps);
            if found.len() > 64 * AGAIN {
                shorten(&mut found);
            }
        }
        shorten(&mut found);
        self.again(&mut found, repeats);
        let above = |of: fn(&Slowest) -> u64| {
            found.iter().filter(|(_, slow)| of(slow) > 10_000_000).count()
        };
        slowness.steps_above_10_ms = above(|slow| slow.nanos);
        slowness.rows_above_10_ms = above(|slow| slow.nanos_per_row);
        slowness.steps = self.listed(&mut found, top, |slow| slow.nanos);
        slowness.rows = self.listed(&mut found, top, |slow| slow.nanos_per_row);
        slowness
    }

    /// Runs one sample: what it gave, and the slowest step of every slot.
    fn sample(&self, at: usize) -> (Vec<Cell>, Vec<(Place, Slowest)>) {
        let (mut rows, counters) = self.loaded.run(std::slice::from_ref(&self.work.samples[at]));
        let slots = (0..).map(SlotId).zip(counters.slowest);
        let steps = slots
            // The steps inside a `power` have their own time.
            .filter(|(slot, _)| !matches!(self.battery.def(*slot), Def::Repeat { .. }))
            .filter(|(_, slow)| slow.nanos > 0)
            .map(|(slot, slow)| ((at, slot), slow));
        (rows.pop().unwrap_or_default(), steps.collect())
    }

    fn handed_back(&self, at: usize, cells: &[Cell], slowest: &mut Option<SlowPair>) {
        let handed = self.work.programs.iter().zip(cells);
        for (program, _) in handed.filter(|(_, cell)| **cell == Cell::HandBack) {
            let started = std::time::Instant::now();
            interpret(program, &self.work.pairs, &self.work.samples[at]);
            let millis = started.elapsed().as_secs_f64() * 1e3;
            keep_slower(slowest, millis, || (program.name.clone(), self.name(at)));
        }
    }

    /// Measures steps again and keeps the shortest times.
    fn again(&self, found: &mut [(Place, Slowest)], repeats: usize) {
        let mut best: BTreeMap<Place, Slowest> = found.iter().copied().collect();
        let mut samples: Vec<usize> = best.keys().map(|(sample, _)| *sample).collect();
        samples.dedup();
        for at in samples {
            for _ in 0..repeats {
                for (place, slow) in self.sample(at).1 {
                    let Some(best) = best.get_mut(&place) else { continue };
                    if slow.nanos < best.nanos {
                        (best.nanos, best.rows) = (slow.nanos, slow.rows);
                    }
                    best.nanos_per_row = best.nanos_per_row.min(slow.nanos_per_row);
                }
            }
        }
        for (place, slow) in found {
            *slow = best[place];
        }
    }

    fn listed(
        &self,
        found: &mut [(Place, Slowest)],
        top: usize,
        of: fn(&Slowest) -> u64,
    ) -> Vec<SlowStep> {
        found.sort_by_key(|(place, slow)| (std::cmp::Reverse(of(slow)), *place));
        found.iter().take(top).map(|(place, slow)| self.describe(*place, *slow)).collect()
    }

    fn describe(&self, (at, slot): Place, slow: Slowest) -> SlowStep {
        let mut users = self
            .battery
            .programs()
            .iter()
            .filter(|entry| self.battery.slots_of(entry.output).contains(&slot));
        let program = users.next().map(|entry| entry.name.clone()).unwrap_or_default();
        SlowStep {
            programs: users.count() + usize::from(!program.is_empty()),
            program,
            sample: self.name(at),
            slot: self.battery.name(slot),
            primitive: primitive(self.battery.def(slot)),
            expression: self.battery.expression(slot),
            millis: slow.nanos as f64 / 1e6,
            rows: slow.rows,
            millis_per_row: slow.nanos_per_row as f64 / 1e6,
        }
    }

    /// A sample's task and its number there.
    fn name(&self, at: usize) -> String {
        let task = self.work.samples[at].task;
        let first = self.work.samples.partition_point(|sample| sample.task < task);
        format!("{} {}", self.work.tasks[task], at - first)
    }
}

fn keep_slower(
    slowest: &mut Option<SlowPair>,
    millis: f64,
    names: impl FnOnce() -> (String, String),
) {
    if slowest.as_ref().is_none_or(|slowest| slowest.millis < millis) {
        let (program, sample) = names();
        *slowest = Some(SlowPair { program, sample, millis });
    }
}

/// Keeps the slowest steps, and the slowest for each of their rows.
fn shorten(found: &mut Vec<(Place, Slowest)>) {
    if found.len() <= AGAIN {
        return;
    }
    let (_, _, rest) =
        found.select_nth_unstable_by_key(AGAIN - 1, |(_, slow)| std::cmp::Reverse(slow.nanos));
    rest.sort_by_key(|(_, slow)| std::cmp::Reverse(slow.nanos_per_row));
    found.truncate(2 * AGAIN);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slowest_steps_and_the_slowest_rows_are_kept() {
        let step = |nanos, nanos_per_row| Slowest { nanos, rows: 1, nanos_per_row };
        let mut found: Vec<(Place, Slowest)> =
            (0..5000).map(|at| ((at, SlotId(0)), step(1000 + at as u64, 1))).collect();
        found.push(((9999, SlotId(1)), step(1, 77)));
        shorten(&mut found);
        assert_eq!(found.len(), 2 * AGAIN);
        assert!(found.iter().any(|(_, slow)| slow.nanos_per_row == 77));
        assert!(found.iter().any(|(_, slow)| slow.nanos == 5999));
    }
}
