//! What is left of a batch: lots and samples that the streams of devices and the cores draw from.
//!
//! A stream takes all samples that are left of a lot, or a large part of them: what it does takes nearly
//! as long for few samples as for many. A core takes so few that it is done in some milliseconds. Each side
//! begins with what it gains most on, by what both took the last time, and goes on with what the other
//! one has left.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How long a core should take for what it draws at once.
const NANOS: f64 = 2e6;
/// The most samples that a core draws at once: a block of the CPU engine.
const MOST: usize = 32;
/// So many samples a core draws of what it does not know yet.
const TRY: usize = 4;
/// Of so many samples or more the cores try a few of every lot.
const MANY: usize = 64;
/// What was counted counts half, once it is of so many samples.
const OLD: f64 = 4096.0;

/// What some programs took on either side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// How many samples streams ran the last time, and how many nanoseconds they took in all.
    device: Option<(f64, f64)>,
    /// Samples that cores ran, and how many nanoseconds of a core they took.
    cores: Option<(f64, f64)>,
}

impl Times {
    /// Streams took so long for some samples of a batch.
    pub fn learn_device(&mut self, samples: usize, nanos: u64) {
        let (samples, nanos) = (samples as f64, nanos as f64);
        // Times differ between runs, so half of what was known stays.
        let known = self.device(samples).map_or(nanos, |known| f64::midpoint(known, nanos));
        if samples > 0.0 {
            self.device = Some((samples, known));
        }
    }

    /// A core took so long for some samples.
    pub fn learn_cores(&mut self, samples: usize, nanos: u64) {
        let (mut all, mut took) = self.cores.unwrap_or_default();
        if all > OLD {
            (all, took) = (all / 2.0, took / 2.0);
        }
        if samples > 0 {
            self.cores = Some((all + samples as f64, took + nanos as f64));
        }
    }

    /// What streams are expected to take for some samples: half of it is the slowest rows and launches,
    /// however many there are.
    fn device(&self, samples: f64) -> Option<f64> {
        self.device.map(|(of, nanos)| nanos * (0.5 + 0.5 * samples / of))
    }

    /// What a core is expected to take for each sample.
    fn core(&self) -> Option<f64> {
        self.cores.map(|(of, nanos)| nanos / of)
    }
}

/// Some samples of a lot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    /// The lot.
    pub lot: usize,
    /// Which samples.
    pub samples: Range<usize>,
}

/// Who draws.
#[derive(Clone, Copy, Debug)]
pub struct Sides {
    /// How many streams work on this batch.
    pub streams: usize,
    /// How many cores do.
    pub cores: usize,
    /// The fewest samples in a share of a lot.
    pub fewest: usize,
}

/// What is left of a batch.
pub struct Deal {
    left: Mutex<Vec<Left>>,
    /// The lots, what a stream takes first at the front,
    for_streams: Vec<usize>,
    /// and what a core takes first at the front.
    for_cores: Vec<usize>,
    /// How many samples of each lot a stream takes at once.
    pieces: Vec<usize>,
    /// How many samples there were.
    samples: usize,
    sides: Sides,
    /// Whether cores try what they do not know.
    tries: bool,
}

/// What is left of a lot.
struct Left {
    samples: Range<usize>,
    times: Times,
    /// Whether a core has tried it.
    tried: bool,
}

impl Deal {
    /// So many samples of lots that took so long before; those of which nothing is known are in the order in
    /// which they are expected to.
    pub fn new(times: &[Times], samples: usize, sides: Sides) -> Deal {
        let plan = Plan::new(times, samples, sides);
        let all: f64 = plan.device.iter().sum();
        // A lot that takes as long as half of what a stream does is shared out where there are several.
        let most = (all / sides.streams.max(1) as f64 / 2.0).max(1.0);
        let parts = if sides.streams > 1 { (samples / sides.fewest.max(1)).max(1) } else { 1 };
        let piece = |(nanos, times): (&f64, &Times)| {
            let wanted = if times.device.is_some() { (nanos / most).ceil() } else { 1.0 };
            samples.div_ceil((wanted as usize).clamp(1, parts)).max(1)
        };
        let left = |(nanos, times): (&f64, &Times)| {
            let mut times = *times;
            if times.device.is_none() && *nanos > 0.0 {
                times.learn_device(samples, *nanos as u64);
            }
            Left { samples: 0..samples, times, tried: false }
        };
        Deal {
            left: Mutex::new(plan.device.iter().zip(times).map(left).collect()),
            pieces: plan.device.iter().zip(times).map(piece).collect(),
            for_streams: plan.for_streams,
            for_cores: plan.for_cores,
            samples,
            sides,
            tries: samples >= MANY,
        }
    }

    fn left(&self) -> MutexGuard<'_, Vec<Left>> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many shares streams may draw, at most.
    pub fn pieces(&self) -> usize {
        let left = self.left();
        left.iter().zip(&self.pieces).map(|(of, size)| of.samples.len().div_ceil(*size)).sum()
    }

    /// What a stream does next. What the cores are done with before it would be is left to them.
    pub fn for_stream(&self) -> Option<Share> {
        let mut left = self.left();
        let cores: f64 = left.iter().map(Left::on_a_core).sum();
        let cores = cores / self.sides.cores.max(1) as f64;
        for &lot in &self.for_streams {
            let of = &mut left[lot];
            let count = of.samples.len().min(self.pieces[lot]);
            let late = self.on_a_stream(lot, &of.times, count).is_some_and(|nanos| nanos > cores);
            if count == 0 || late && self.sides.cores > 0 {
                continue;
            }
            let samples = of.samples.start..of.samples.start + count;
            of.samples.start = samples.end;
            return Some(Share { lot, samples });
        }
        None
    }

    /// What a stream is expected to take for so many samples of a lot.
    fn on_a_stream(&self, lot: usize, times: &Times, count: usize) -> Option<f64> {
        if self.pieces[lot] < self.samples {
            let all = self.samples as f64;
            return times.device(all).map(|nanos| nanos * count as f64 / all);
        }
        times.device(count as f64)
    }

    /// What a core does next.
    pub fn for_core(&self) -> Option<Share> {
        let mut left = self.left();
        let open = |of: &Left| !of.samples.is_empty();
        let new = |lot: &&usize| open(&left[**lot]) && !left[**lot].tried;
        let unknown = |lot: &&usize| new(lot) && left[**lot].times.core().is_none();
        let tried = self.for_cores.iter().find(unknown).filter(|_| self.tries);
        let found = tried.or_else(|| self.for_cores.iter().find(|lot| open(&left[**lot])));
        let lot = *found?;
        let of = &mut left[lot];
        of.tried = true;
        let fits = of.times.core().map_or(TRY, |nanos| (NANOS / nanos.max(1.0)) as usize);
        let count = of.samples.len().min(fits.clamp(1, MOST));
        let samples = of.samples.end - count..of.samples.end;
        of.samples.end = samples.start;
        Some(Share { lot, samples })
    }

    /// A core took so long for a share.
    pub fn learn_cores(&self, share: &Share, nanos: u64) {
        self.left()[share.lot].times.learn_cores(share.samples.len(), nanos);
    }
}

impl Left {
    /// What a core would take for it; nothing bounds what is not known.
    fn on_a_core(&self) -> f64 {
        let each = self.times.core().unwrap_or(f64::INFINITY);
        if self.samples.is_empty() { 0.0 } else { each * self.samples.len() as f64 }
    }
}

/// Which side begins with what.
struct Plan {
    /// What a stream is expected to take for each lot.
    device: Vec<f64>,
    for_streams: Vec<usize>,
    for_cores: Vec<usize>,
}

impl Plan {
    fn new(times: &[Times], samples: usize, sides: Sides) -> Plan {
        let count = samples as f64;
        let known = times.iter().filter_map(|t| Some((t.device(count)?, t.core()? * count)));
        let (device, core) =
            known.fold((0.0, 0.0), |(a, b), (device, core)| (a + device, b + core));
        // What one side does not know takes as much more or less there as all else does.
        let rate = if device > 0.0 && core > 0.0 { Some(core / device) } else { None };
        let both = |t: &Times| {
            let core = t.core().map(|nanos| nanos * count);
            let device = t.device(count).or_else(|| Some(core? / rate?));
            Some((device?, core.or_else(|| Some(device? * rate?))?))
        };
        let Some(both) = times.iter().map(both).collect::<Option<Vec<_>>>() else {
            let device: Vec<f64> =
                times.iter().map(|t| t.device(count).unwrap_or_default()).collect();
            let mut for_streams: Vec<usize> = (0..times.len()).collect();
            for_streams.sort_by_key(|lot| Reverse(device[*lot] as u64));
            let for_cores = for_streams.iter().rev().copied().collect();
            return Plan { device, for_streams, for_cores };
        };
        let mut gain: Vec<usize> = (0..times.len()).collect();
        let rate = |lot: &usize| both[*lot].1 / both[*lot].0.max(1.0);
        gain.sort_by(|a, b| rate(a).total_cmp(&rate(b)));
        // From the front to the cores, until they have as much to do as the streams have with the rest.
        let (mut left, mut taken) = (both.iter().map(|(device, _)| device).sum::<f64>(), 0.0);
        let mut for_cores_first = 0;
        while sides.cores > 0 && for_cores_first < gain.len() {
            let rest = gain[for_cores_first..].iter().map(|lot| both[*lot].0);
            // One lot is one stream's unless it is shared out; then no stream waits for it.
            let on_streams =
                (left / sides.streams.max(1) as f64).max(rest.fold(0.0, f64::max) / 2.0);
            let (device, core) = both[gain[for_cores_first]];
            if (taken + core) / sides.cores as f64 > on_streams {
                break;
            }
            (left, taken) = (left - device, taken + core);
            for_cores_first += 1;
        }
        let (cores, streams) = gain.split_at(for_cores_first);
        let mut for_streams = streams.to_vec();
        for_streams.sort_by(|a, b| both[*b].0.total_cmp(&both[*a].0));
        for_streams.extend(cores.iter().rev());
        Plan {
            device: both.iter().map(|(device, _)| *device).collect(),
            for_streams,
            for_cores: gain,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(device: u64, core: u64) -> Times {
        let mut times = Times::default();
        times.learn_device(100, device);
        times.learn_cores(100, core);
        times
    }

    const SIDES: Sides = Sides { streams: 2, cores: 2, fewest: 8 };

    /// How often each sample of each lot is dealt, if the sides draw in turns by a pattern.
    fn dealt(deal: &Deal, lots: usize, samples: usize, pattern: u32) -> Vec<Vec<usize>> {
        let mut seen = vec![vec![0; samples]; lots];
        let (mut turn, mut missed) = (0, 0);
        while missed < 64 {
            let core = pattern.rotate_left(turn) & 1 != 0;
            turn += 1;
            match if core { deal.for_core() } else { deal.for_stream() } {
                Some(share) => {
                    missed = 0;
                    seen[share.lot][share.samples].iter_mut().for_each(|n| *n += 1);
                }
                None => missed += 1,
            }
        }
        seen
    }

    #[test]
    fn every_sample_of_every_lot_is_dealt_once() {
        let known = [times(1_000_000, 90_000_000), times(4_000_000, 1_000_000), times(9, 9)];
        let partly = [times(5_000_000, 8_000_000), Times::default()];
        for times in [&known[..], &partly, &[Times::default(); 3], &[]] {
            for samples in [0, 1, 7, 100, 1000] {
                for pattern in [0x5555_5555, 0xffff_fffe, 0x0001_0001, u32::MAX, 0xf0f0_f00f] {
                    let deal = Deal::new(times, samples, SIDES);
                    let seen = dealt(&deal, times.len(), samples, pattern);
                    assert!(
                        seen.iter().flatten().all(|n| *n == 1),
                        "{samples} {pattern:x} {seen:?}"
                    );
                }
                // Without cores the streams take everything.
                let deal = Deal::new(times, samples, Sides { cores: 0, ..SIDES });
                let seen = dealt(&deal, times.len(), samples, 0);
                assert!(seen.iter().flatten().all(|n| *n == 1), "{samples} {seen:?}");
            }
        }
    }

    #[test]
    fn cores_begin_with_what_gains_least_on_a_device() {
        // The second takes a stream long and a core little.
        let lots = [times(10_000_000, 400_000_000), times(40_000_000, 4_000_000), times(1, 9)];
        let deal = Deal::new(&lots, 100, SIDES);
        assert_eq!(deal.for_core().map(|share| share.lot), Some(1));
        assert_eq!(deal.for_stream().map(|share| share.lot), Some(0));
    }

    #[test]
    fn a_stream_leaves_what_cores_are_done_with_sooner() {
        let lots = [times(50_000_000, 1_000_000)];
        let deal = Deal::new(&lots, 100, SIDES);
        assert_eq!(deal.for_stream(), None);
        assert!(deal.for_core().is_some());
        let alone = Deal::new(&lots, 100, Sides { cores: 0, ..SIDES });
        assert!(alone.for_stream().is_some());
    }

    #[test]
    fn a_dear_lot_is_shared_out_among_streams() {
        let lots = [times(80_000_000, 800_000_000), times(1_000_000, 10_000_000)];
        let deal = Deal::new(&lots, 100, Sides { cores: 0, ..SIDES });
        let share = deal.for_stream().unwrap();
        assert!(share.lot == 0 && (8..100).contains(&share.samples.len()), "{share:?}");
        let one = Deal::new(&lots, 100, Sides { streams: 1, cores: 0, ..SIDES });
        assert_eq!(one.for_stream(), Some(Share { lot: 0, samples: 0..100 }));
    }

    #[test]
    fn a_core_takes_as_much_as_it_does_in_a_moment() {
        let size = |core| Deal::new(&[times(1 << 40, core)], 100, SIDES).for_core().unwrap();
        assert_eq!(size(100_000_000).samples, 98..100, "1 ms each");
        assert_eq!(size(1).samples.len(), MOST);
        assert_eq!(size(u64::MAX / 4).samples.len(), 1);
    }
}
