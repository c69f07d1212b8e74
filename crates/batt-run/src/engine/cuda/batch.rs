//! A batch of samples, in parts that lots ask for: all of it, halves, quarters and so on.
//!
//! Lots differ in how many samples fit. Every part's inputs are made once, by the lot that needs
//! them first.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::Ready;
use super::inputs::Inputs;
use crate::engine::Sample;

/// How many batches run side by side.
#[derive(Default)]
pub struct Batches {
    running: AtomicUsize,
    /// The most since none ran,
    most: AtomicUsize,
    /// and before that.
    before: AtomicUsize,
}

impl Batches {
    /// A batch begins; it ends when what is returned is dropped.
    pub fn enter(&self) -> Beside<'_> {
        let running = self.running.fetch_add(1, Ordering::Relaxed) + 1;
        let most = self.most.fetch_max(running, Ordering::Relaxed).max(running);
        // The first of many cannot know of the others, unless there were others the last time.
        Beside { batches: self, many: most.max(self.before.load(Ordering::Relaxed)) }
    }
}

/// A batch that runs.
pub struct Beside<'b> {
    batches: &'b Batches,
    /// How many run side by side, as far as that is known.
    pub many: usize,
}

impl Drop for Beside<'_> {
    fn drop(&mut self) {
        if self.batches.running.fetch_sub(1, Ordering::Relaxed) == 1 {
            let most = self.batches.most.swap(0, Ordering::Relaxed);
            self.batches.before.store(most, Ordering::Relaxed);
        }
    }
}

/// A batch of samples with the inputs of its parts.
pub struct Batch<'s, 'd> {
    pub samples: &'s [Sample],
    /// The parts of each level, twice as many as of the one before.
    levels: Vec<OnceLock<Vec<OnceLock<Inputs<'d>>>>>,
}

impl<'s, 'd> Batch<'s, 'd> {
    /// A batch of which nothing is ready.
    pub fn new(samples: &'s [Sample]) -> Batch<'s, 'd> {
        let levels = usize::BITS - samples.len().leading_zeros() + 1;
        Batch { samples, levels: (0..levels).map(|_| OnceLock::new()).collect() }
    }

    /// The first sample of a part of a level; a level has twice as many parts as the one before.
    fn bound(&self, level: usize, at: usize) -> usize {
        (self.samples.len() * at) >> level
    }

    /// The largest part that has a sample and is at most so large; at least one sample.
    pub fn part(&self, sample: usize, most: usize) -> Part {
        for level in 0..self.levels.len() {
            // Of several empty parts the last one begins where the next has samples.
            let at = (((sample + 1) << level) - 1) / self.samples.len().max(1);
            let range = self.bound(level, at)..self.bound(level, at + 1);
            if range.len() <= most.max(1) && range.contains(&sample) {
                return Part { level, at, range };
            }
        }
        Part { level: usize::MAX, at: 0, range: sample..sample + 1 }
    }

    /// The inputs of the largest part that has a sample, is at most so large and takes no more units, unless
    /// it is one sample; `None` for a sample that is not this batch's.
    pub fn inputs_with(
        &self,
        sample: usize,
        most: usize,
        units: u32,
        ready: &Ready<'_>,
    ) -> Option<(&Inputs<'d>, Range<usize>)> {
        let mut part = self.part(sample, most);
        loop {
            let inputs = self.inputs(&part, ready)?;
            if inputs.units() <= units || part.range.len() == 1 {
                return Some((inputs, part.range));
            }
            part = self.part(sample, part.range.len() / 2);
        }
    }

    /// The inputs of a part; `None` for one that is not this batch's.
    fn inputs(&self, part: &Part, ready: &Ready<'_>) -> Option<&Inputs<'d>> {
        let parts = self.levels.get(part.level)?;
        let parts = parts.get_or_init(|| (0..1 << part.level).map(|_| OnceLock::new()).collect());
        let samples = &self.samples[part.range.clone()];
        Some(parts.get(part.at)?.get_or_init(|| ready.inputs(samples)))
    }
}

/// A part of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    level: usize,
    at: usize,
    pub range: Range<usize>,
}

#[cfg(test)]
mod tests {
    use batt_lang::Value;

    use super::*;

    #[test]
    fn batches_know_of_each_other() {
        let batches = Batches::default();
        let first = batches.enter();
        let second = batches.enter();
        assert_eq!((first.many, second.many), (1, 2));
        drop(first);
        assert_eq!(batches.enter().many, 2);
        drop(second);
        // None runs now; the next ones are expected to be as many again.
        assert_eq!(batches.enter().many, 2);
        assert_eq!(batches.enter().many, 1);
    }

    #[test]
    fn parts_follow_each_other() {
        for count in [1, 2, 3, 7, 100, 1000] {
            let sample = Sample { task: 0, input: Value::Int(1), compared: None, expected: None };
            let samples = vec![sample; count];
            let batch = Batch::new(&samples);
            for most in 1..=count {
                let (mut done, mut parts) = (0, 0);
                while done < count {
                    let part = batch.part(done, most);
                    assert!(part.level < batch.levels.len(), "{count} {most} {part:?}");
                    assert_eq!(part.range.start, done);
                    assert!(part.range.len() <= most, "{count} {most} {part:?}");
                    (done, parts) = (part.range.end, parts + 1);
                }
                assert_eq!(done, count);
                assert!(parts <= (4 * count).div_ceil(most), "{count} {most} {parts}");
            }
        }
    }
}
