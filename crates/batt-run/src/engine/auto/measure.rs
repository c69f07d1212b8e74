//! A short measurement of both sides, with the programs and tasks that are built in.

use std::time::Instant;

use batt_lang::Program;
use batt_lang::card::dice::Dice;
use batt_lang::card::mutate;

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
    /// Runs of each, of which the fastest counts, after one that does not.
    pub repeats: usize,
}

impl Default for Sizes<'_> {
    fn default() -> Self {
        Sizes { programs: &[4, 16, 48, 128, 512], samples: &[32, 256, 2048], repeats: 2 }
    }
}

/// Samples over which slots are weighed.
const WEIGHED: usize = 64;
/// How often a line of a program is changed where there are too few programs.
const CHANGED: f64 = 0.2;

/// So many programs: the ones that are given, then changed ones.
pub fn some_programs(given: &[Program], count: usize) -> Vec<Program> {
    let mut dice = Dice::new(0, 0);
    let originals = given.iter().cycle().take(count).enumerate();
    originals
        .map(|(at, program)| {
            if at < given.len() {
                program.clone()
            } else {
                mutate::mutate(program, CHANGED, &mut dice).0
            }
        })
        .collect()
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
    let most = sizes.samples.iter().copied().max().unwrap_or(0);
    let samples = many(data.tasks(), most);
    let built_in = programs::parsed();
    let (mut on_cpu, mut on_device) = (Vec::new(), Vec::new());
    for count in sizes.programs {
        let work = Work::new(some_programs(&built_in, *count), &samples, most);
        let battery = work.battery(true);
        let slots = slots_of(&battery, Phase::Outputs);
        let weight = weights.weigh(&battery, Phase::Outputs);
        for (engine, costs) in [(cpu, &mut on_cpu), (device, &mut on_device)] {
            let mut times = Vec::new();
            for samples in sizes.samples {
                let part = work.first(*samples);
                let ready = part.ready(engine, &battery, true);
                let times_of = (0..=sizes.repeats).map(|_| ready.timed().0);
                let best = times_of.skip(1).fold(f64::INFINITY, f64::min);
                times.push((part.samples.len(), best));
            }
            costs.push(Cost::fit(slots, weight, &times));
        }
    }
    (on_cpu, on_device)
}
