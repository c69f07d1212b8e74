//! A short measurement of both sides, with the programs and tasks that are built in.

use std::time::Instant;

use batt_lang::program::Definition;
use batt_lang::{Program, text};

use super::model::{Calibration, Cost, Key};
use super::slots_of;
use super::weight::Weights;
use crate::bench::{Work, many, on_threads};
use crate::engine::{Engine, Phase};
use crate::{programs, tasks};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Sizes<'a> {
    /// Sizes of batteries, in programs, the smallest first.
    pub programs: &'a [usize],
    /// Numbers of samples.
    pub samples: &'a [usize],
    /// Samples that are very many, for the device alone: a CPU takes as long for each of them.
    pub many: usize,
    /// Runs of each, of which the fastest counts, after one that does not.
    pub repeats: usize,
}

impl Default for Sizes<'_> {
    fn default() -> Self {
        Sizes {
            programs: &[4, 16, 48, 128, 512],
            samples: &[32, 256, 2048],
            many: 8192,
            repeats: 2,
        }
    }
}

/// Samples over which slots are weighed.
const WEIGHED: usize = 64;
/// What is short is measured again and again until it took so many seconds, so many times at most.
const LONG: f64 = 0.02;
const OFTEN: usize = 12;

/// So many programs: the ones that are given, then the same on inputs with two colours exchanged, which share
/// nothing with them and take as long.
pub fn some_programs(given: &[Program], count: usize) -> Vec<Program> {
    let pairs = (0..10).flat_map(|a| (a + 1..10).map(move |b| (a, b)));
    let others = pairs.flat_map(|colors| given.iter().filter_map(move |p| exchanged(p, colors)));
    // What there are not enough pairs for is the same again.
    let again = given.iter().cycle().cloned();
    given.iter().cloned().chain(others).chain(again).take(count).collect()
}

/// A program on an input with two colours exchanged.
fn exchanged(program: &Program, (a, b): (u32, u32)) -> Option<Program> {
    let text = text::print(program);
    let (head, body) = text.split_once('\n')?;
    let mut changed = format!("{head}\n    other_input = switch(I, {a}, {b})\n");
    let mut word = String::new();
    for c in body.chars() {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        changed += if word == "I" { "other_input" } else { &word };
        changed.push(c);
        word.clear();
    }
    text::parse(&(changed + &word)).definitions.into_iter().find_map(|found| match found {
        Definition::Program(program) => Some(program),
        Definition::Generated(_) => None,
    })
}

/// Measures both sides. `open` is what opening the device took.
pub fn measure(
    cpu: &dyn Engine,
    device: &dyn Engine,
    key: Key,
    sizes: &Sizes<'_>,
    open: f64,
) -> Calibration {
    let started = Instant::now();
    let weights = on_threads(Some(1), || weights(cpu)).unwrap_or_default();
    let run = || sides(cpu, device, sizes, &weights);
    let (cpu, device) = on_threads(None, run).unwrap_or_default();
    let took = started.elapsed().as_secs_f64();
    Calibration { key, cpu, device, weights, open, took }
}

/// What slots weigh, on one core.
fn weights(cpu: &dyn Engine) -> Weights {
    let work = Work::new(programs::parsed(), tasks::embedded().tasks(), WEIGHED);
    let battery = work.battery(true);
    let samples = work.samples.len();
    // The first run warms the caches.
    work.profiled(cpu, &battery, samples);
    Weights::of(&battery, Phase::Outputs, &work.profiled(cpu, &battery, samples), samples)
}

/// What batteries take on both sides, by their size.
fn sides(
    cpu: &dyn Engine,
    device: &dyn Engine,
    sizes: &Sizes<'_>,
    weights: &Weights,
) -> (Vec<Cost>, Vec<Cost>) {
    let data = tasks::embedded();
    let most = sizes.samples.iter().copied().max().unwrap_or(0).max(sizes.many);
    let samples = many(data.tasks(), most);
    let built_in = programs::parsed();
    let (mut on_cpu, mut on_device) = (Vec::new(), Vec::new());
    for count in sizes.programs {
        let work = Work::new(some_programs(&built_in, *count), &samples, most);
        let battery = work.battery(true);
        let slots = slots_of(&battery, Phase::Outputs);
        let weight = weights.weigh(&battery, Phase::Outputs);
        let time = |engine: &dyn Engine, samples: usize| {
            let part = work.first(samples);
            let ready = part.ready(engine, &battery, true);
            // The first one warms up.
            ready.timed();
            let (mut best, mut all, mut runs) = (f64::INFINITY, 0.0, 0);
            while runs < sizes.repeats || all < LONG && runs < OFTEN {
                let seconds = ready.timed().0;
                (best, all, runs) = (seconds.min(best), all + seconds, runs + 1);
            }
            (part.samples.len(), best)
        };
        let times = |engine| sizes.samples.iter().map(|n| time(engine, *n)).collect::<Vec<_>>();
        on_cpu.push(Cost::fit(slots, weight, &times(cpu)));
        on_device.push(Cost::bent(slots, weight, &times(device), time(device, sizes.many)));
    }
    (on_cpu, on_device)
}

#[cfg(test)]
mod tests {
    use batt_lang::card::{Card, Options};

    use super::*;

    #[test]
    fn more_programs_share_nothing() {
        let given: Vec<Program> = programs::parsed().into_iter().take(3).collect();
        let slots = |count: usize| {
            let mut card = Card::new(Options::default());
            for program in some_programs(&given, count) {
                card.add(&program);
            }
            card.deal().slot_count()
        };
        assert_eq!(some_programs(&given, 200).len(), 200);
        assert!(slots(9) > 2 * slots(3), "{} of {}", slots(9), slots(3));
        assert!(some_programs(&[], 5).is_empty());
    }
}
