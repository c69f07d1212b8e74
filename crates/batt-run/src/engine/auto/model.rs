//! What work is expected to take on either side, from what was measured on this machine.

use batt_lang::battery::Battery;
use serde::{Deserialize, Serialize};

use super::weight::Weights;
use crate::engine::Phase;

/// A device must be expected to take less than this part of the CPU's time: no expectation is exact,
/// and where both are about as fast the CPU has nothing to lose.
const MARGIN: f64 = 0.9;

/// What a side takes for batteries of one size, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cost {
    /// Slots of the battery.
    pub slots: f64,
    /// What a sample of it weighs.
    pub weight: f64,
    /// Whatever the number of samples.
    pub fixed: f64,
    /// For each sample.
    pub per_sample: f64,
    /// Where very many samples were measured too: from how many on each takes how long. A device that is
    /// full takes less for a sample than one that is not.
    #[serde(default)]
    pub beyond: Option<(f64, f64)>,
}

impl Cost {
    /// The cost of a line, see [`Cost::fit`], and how steep it is beyond, up to what `many` took.
    pub fn bent(slots: usize, weight: f64, times: &[(usize, f64)], many: (usize, f64)) -> Cost {
        let line = Cost::fit(slots, weight, times);
        let from = times.iter().map(|(samples, _)| *samples).max().unwrap_or(0);
        if many.0 <= from {
            return line;
        }
        let more = (many.1 - line.seconds(from as f64)) / (many.0 - from) as f64;
        Cost { beyond: Some((from as f64, more.max(0.0))), ..line }
    }

    /// What so many samples take.
    pub fn seconds(&self, samples: f64) -> f64 {
        match self.beyond {
            Some((from, each)) if samples > from => {
                self.fixed + self.per_sample * from + each * (samples - from)
            }
            _ => self.fixed + self.per_sample * samples,
        }
    }

    /// The cost that explains some times best: pairs of samples and seconds. What matters is how far
    /// each time is off in proportion.
    pub fn fit(slots: usize, weight: f64, times: &[(usize, f64)]) -> Cost {
        let (mut w, mut wn, mut wnn, mut wt, mut wnt) = (0.0, 0.0, 0.0, 0.0, 0.0);
        for (samples, seconds) in times {
            let (n, t) = (*samples as f64, seconds.max(1e-9));
            let weight = 1.0 / (t * t);
            w += weight;
            wn += weight * n;
            wnn += weight * n * n;
            wt += weight * t;
            wnt += weight * n * t;
        }
        let spread = w * wnn - wn * wn;
        let mut per_sample = if spread > 0.0 { (w * wnt - wn * wt) / spread } else { 0.0 };
        let mut fixed = if w > 0.0 { (wt - per_sample * wn) / w } else { 0.0 };
        // No part of a time is less than nothing.
        if fixed < 0.0 && wnn > 0.0 {
            (fixed, per_sample) = (0.0, wnt / wnn);
        } else if per_sample < 0.0 && w > 0.0 {
            (fixed, per_sample) = (wt / w, 0.0);
        }
        Cost { slots: slots as f64, weight, fixed, per_sample, beyond: None }
    }

    /// The same for a battery that weighs something else.
    #[must_use]
    pub fn weighing(self, weight: Option<f64>) -> Cost {
        let times = match weight {
            Some(weight) if weight > 0.0 && self.weight > 0.0 => weight / self.weight,
            _ => 1.0,
        };
        Cost {
            weight: self.weight * times,
            per_sample: self.per_sample * times,
            beyond: self.beyond.map(|(from, each)| (from, each * times)),
            ..self
        }
    }
}

/// The cost of a battery of any size, from those that were measured, the smallest first: between two
/// of them on the line that joins them, beyond them in proportion.
pub fn at(costs: &[Cost], slots: usize) -> Option<Cost> {
    let (first, last) = (costs.first()?, costs.last()?);
    let size = slots.max(1) as f64;
    if size <= first.slots {
        let part = size / first.slots.max(1.0);
        let small = first.weighing(Some(first.weight * part));
        return Some(Cost { slots: size, weight: first.weight * part, ..small });
    }
    if size >= last.slots {
        let times = size / last.slots.max(1.0);
        return Some(Cost {
            slots: size,
            weight: last.weight * times,
            fixed: last.fixed * times,
            per_sample: last.per_sample * times,
            beyond: last.beyond.map(|(from, each)| (from, each * times)),
        });
    }
    let above = costs.iter().position(|cost| cost.slots >= size)?.max(1);
    let (a, b) = (costs[above - 1], costs[above]);
    let part = (size - a.slots) / (b.slots - a.slots).max(1e-9);
    let mix = |a: f64, b: f64| a + (b - a) * part;
    Some(Cost {
        slots: size,
        weight: mix(a.weight, b.weight),
        fixed: mix(a.fixed, b.fixed),
        per_sample: mix(a.per_sample, b.per_sample),
        // Both were measured up to as many.
        beyond: a.beyond.zip(b.beyond).map(|((from, a), (_, b))| (from, mix(a, b))),
    })
}

/// What this machine and its device were when they were measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key {
    /// The device's name.
    pub device: String,
    /// The driver's version.
    pub driver: i32,
    /// Cores of the CPU.
    pub cores: usize,
    /// The version of batt.
    pub batt: String,
    /// The hash of the kernels' sources.
    pub kernels: String,
}

impl Key {
    /// The key of a device here.
    pub fn new(device: &str, driver: i32) -> Key {
        Key {
            device: device.to_string(),
            driver,
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            batt: env!("CARGO_PKG_VERSION").to_string(),
            kernels: batt_cuda::sources().to_string(),
        }
    }
}

/// What both sides take on this machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// What was measured.
    pub key: Key,
    /// All cores, by size of battery.
    pub cpu: Vec<Cost>,
    /// The device, by size of battery.
    pub device: Vec<Cost>,
    /// What slots weigh.
    pub weights: Weights,
    /// Opening the device, which is paid once.
    pub open: f64,
    /// How long measuring took.
    pub took: f64,
}

/// An amount of work.
#[derive(Clone, Copy, Debug)]
pub struct Size<'a> {
    /// Slots of the battery.
    pub slots: usize,
    /// The battery and what is run of it; without it, it weighs what others of its size do.
    pub of: Option<(&'a Battery, Phase)>,
    /// Samples.
    pub samples: usize,
    /// Threads that the CPU may use.
    pub threads: usize,
}

/// Which side, and what both are expected to take.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Choice {
    /// Whether it is the device.
    pub device: bool,
    /// Seconds on the CPU.
    pub cpu_seconds: f64,
    /// Seconds on the device.
    pub device_seconds: f64,
}

impl Calibration {
    /// Whether it can be used: both sides were measured, and every number is one.
    pub fn is_sound(&self) -> bool {
        let sound = |costs: &[Cost]| {
            let good = |n: f64| n.is_finite() && n >= 0.0;
            let each = |c: &Cost| {
                let beyond = c.beyond.unwrap_or_default();
                [c.fixed, c.per_sample, c.slots, c.weight, beyond.0, beyond.1].into_iter().all(good)
            };
            !costs.is_empty() && costs.iter().all(each) && costs.is_sorted_by_key(|c| c.slots)
        };
        let measured = sound(&self.cpu) && sound(&self.device) && self.weights.is_sound();
        measured && self.open.is_finite() && self.open >= 0.0
    }

    /// The faster side for some work; `opened` says that the device need not be opened first.
    pub fn choose(&self, size: Size<'_>, opened: bool) -> Choice {
        let weight = size.of.map(|(battery, phase)| self.weights.weigh(battery, phase));
        let time = |costs: &[Cost], slow: f64| {
            let cost = at(costs, size.slots).map(|cost| cost.weighing(weight));
            cost.map_or(f64::INFINITY, |cost| cost.seconds(slow * size.samples as f64))
        };
        let fewer = self.key.cores as f64 / size.threads.clamp(1, self.key.cores.max(1)) as f64;
        let cpu_seconds = time(&self.cpu, fewer);
        let opening = if opened { 0.0 } else { self.open };
        let device_seconds = time(&self.device, 1.0) + opening;
        let device = device_seconds < cpu_seconds * MARGIN;
        Choice { device, cpu_seconds, device_seconds }
    }

    /// From how many samples on an open device is the faster side for a battery; `None` if never.
    pub fn break_even(&self, slots: usize) -> Option<usize> {
        let (cpu, device) = (at(&self.cpu, slots)?, at(&self.device, slots)?);
        let gain = cpu.per_sample * MARGIN - device.per_sample;
        let extra = device.fixed - cpu.fixed * MARGIN;
        match (extra > 0.0, gain > 0.0) {
            (false, true) => Some(1),
            (true, true) => Some((extra / gain).ceil().max(1.0) as usize),
            (_, false) => None,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A device that needs 10 ms and then takes a tenth of what the CPU takes.
    pub fn fake() -> Calibration {
        let cost = |slots: f64, fixed: f64, per_slot: f64| Cost {
            slots,
            weight: slots,
            fixed,
            per_sample: per_slot * slots,
            beyond: None,
        };
        Calibration {
            key: Key { cores: 4, ..Key::new("a device", 1) },
            cpu: [100.0, 1000.0].map(|slots| cost(slots, 0.0, 1e-7)).to_vec(),
            device: [100.0, 1000.0].map(|slots| cost(slots, slots * 1e-5, 1e-8)).to_vec(),
            weights: Weights::default(),
            open: 0.5,
            took: 1.0,
        }
    }

    #[test]
    fn a_line_is_found_again() {
        let line = |n: usize| (n, 0.002 + 3e-6 * n as f64);
        let cost = Cost::fit(7, 1.0, &[line(10), line(100), line(1000)]);
        assert!((cost.fixed - 0.002).abs() < 1e-9 && (cost.per_sample - 3e-6).abs() < 1e-12);
        // Times that fall, or that a line would explain by less than nothing.
        let falling = Cost::fit(7, 1.0, &[(10, 2.0), (100, 1.0)]);
        assert!(falling.per_sample.abs() < 1e-12 && falling.fixed > 0.9, "{falling:?}");
        let steep = Cost::fit(7, 1.0, &[(10, 0.001), (100, 0.1)]);
        assert!(steep.fixed.abs() < 1e-12 && steep.per_sample > 0.0, "{steep:?}");
        assert!(Cost::fit(7, 1.0, &[]).fixed.abs() < 1e-12);
    }

    #[test]
    fn many_samples_may_take_less_each() {
        let line = |n: usize| (n, 0.002 + 3e-6 * n as f64);
        let cost = Cost::bent(7, 1.0, &[line(10), line(1000)], (3000, 0.005 + 2e-6 * 2000.0));
        assert!((cost.seconds(500.0) - 0.0035).abs() < 1e-9);
        assert!((cost.seconds(2000.0) - 0.007).abs() < 1e-9);
        assert!((cost.weighing(Some(2.0)).seconds(2000.0) - 0.012).abs() < 1e-9);
        assert_eq!(Cost::bent(7, 1.0, &[line(10)], (10, 1.0)).beyond, None);
    }

    #[test]
    fn costs_lie_between_those_that_were_measured() {
        let costs = fake().device;
        let at = |slots| at(&costs, slots).unwrap();
        assert!((at(550).fixed - 0.0055).abs() < 1e-9);
        assert!((at(550).per_sample - 5.5e-6).abs() < 1e-12);
        assert!((at(4000).fixed - 0.04).abs() < 1e-9);
        assert!((at(10).per_sample - 1e-7).abs() < 1e-12);
        assert!((at(10).fixed - 0.001).abs() < 1e-9, "starting is not free for a small battery");
        assert_eq!(super::at(&[], 5), None);
    }

    #[test]
    fn what_weighs_more_takes_longer_for_a_sample() {
        let cost = at(&fake().device, 1000).unwrap();
        let heavy = cost.weighing(Some(3000.0));
        assert!((heavy.per_sample - 3.0 * cost.per_sample).abs() < 1e-12);
        assert!((heavy.fixed - cost.fixed).abs() < 1e-12);
        for unknown in [None, Some(0.0), Some(f64::NAN)] {
            assert_eq!(cost.weighing(unknown), cost);
        }
    }

    #[test]
    fn few_samples_go_to_the_cpu_and_many_to_the_device() {
        let calibration = fake();
        assert!(calibration.is_sound());
        let device = |samples, threads, opened| {
            calibration.choose(Size { slots: 1000, of: None, samples, threads }, opened).device
        };
        // 0.09 ms a sample against 10 ms and 0.01 ms a sample: 125 samples.
        assert!(matches!(calibration.break_even(1000), Some(125 | 126)));
        assert!(!device(124, 4, true) && device(127, 4, true));
        // Opening it costs half a second more.
        assert!(!device(6_000, 4, false) && device(6_500, 4, false));
        // One core instead of four takes four times as long.
        assert!(device(30, 1, true) && !device(30, 4, true));
    }

    #[test]
    fn what_makes_no_sense_is_not_used() {
        let broken = |change: fn(&mut Calibration)| {
            let mut calibration = fake();
            change(&mut calibration);
            calibration
        };
        assert!(!broken(|c| c.cpu.clear()).is_sound());
        assert!(!broken(|c| c.device[0].fixed = f64::NAN).is_sound());
        assert!(!broken(|c| c.device[0].per_sample = -1.0).is_sound());
        assert!(!broken(|c| c.device.reverse()).is_sound());
        assert_eq!(broken(|c| c.device[1].per_sample = 1.0).break_even(1000), None);
    }
}
