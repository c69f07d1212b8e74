//! Marks straight from what came down: grids are compared as the bits they are.

use batt_core::columns::{BACK, FAILED, VALUE};
use rayon::prelude::*;

use super::chunk::Brought;
use super::{Lot, Ready};
use crate::engine::mark::{Bits, Mark};
use crate::engine::{Counters, Sample};

impl Ready<'_> {
    /// The marks of samples. What a device that failed left is done by the CPU engine.
    pub(super) fn all_marks(
        &self,
        samples: &[Sample],
        lots: &[Lot<'_>],
        brought: Vec<Vec<Brought<'_>>>,
        counters: &mut Counters,
    ) -> Vec<Vec<Option<Mark>>> {
        let mut marks = vec![vec![None; self.roots.len()]; samples.len()];
        let mut done = vec![0; lots.len()];
        for (lot, chunks) in brought.into_iter().enumerate() {
            let places = &lots[lot].places;
            for mut chunk in chunks {
                self.count_slots(&mut chunk, counters);
                let first = done[lot];
                done[lot] += chunk.samples;
                let columns = of_chunk(&mut chunk, &samples[first..done[lot]], places.len());
                for (column, at) in columns.into_iter().zip(places) {
                    let missing = column.iter().filter(|mark| mark.is_none()).count();
                    counters.slots[self.roots[*at].index()].handed_back += missing as u64;
                    for (row, mark) in marks[first..].iter_mut().zip(column) {
                        row[*at] = mark;
                    }
                }
            }
        }
        let rest = self.rest(samples, lots, &done, |loaded, left| loaded.marks(left));
        for (lot, (more, theirs)) in rest {
            counters.add(&theirs);
            for (row, found) in marks[done[lot]..].iter_mut().zip(more) {
                for (at, mark) in lots[lot].places.iter().zip(found) {
                    row[*at] = mark;
                }
            }
        }
        marks
    }
}

/// The marks of a chunk, root by root.
fn of_chunk(chunk: &mut Brought<'_>, samples: &[Sample], roots: usize) -> Vec<Vec<Option<Mark>>> {
    let target = |sample: &Sample| sample.expected.as_ref().and_then(Bits::of);
    let targets: Vec<Option<Bits>> = samples.iter().map(target).collect();
    let (words, count) = (&chunk.words, chunk.samples);
    let word = |k: usize, at: usize| words.get(k * count + at).map_or(BACK, |word| word & 15);
    let mut columns = vec![vec![None; count]; roots];
    for (k, column) in columns.iter_mut().enumerate() {
        for (at, mark) in column.iter_mut().enumerate() {
            *mark = (word(k, at) == FAILED).then_some(Mark::ERROR);
        }
    }
    let values = chunk.values.par_iter_mut().zip(&mut columns).enumerate();
    values.for_each(|(k, ((arena, values), column))| {
        for (at, mark) in column.iter_mut().enumerate().filter(|(at, _)| word(k, *at) == VALUE) {
            let expected = samples[at].expected.as_ref();
            *mark = Mark::of_val(arena.cx(), values[at], targets[at].as_ref(), expected);
        }
    });
    columns
}
