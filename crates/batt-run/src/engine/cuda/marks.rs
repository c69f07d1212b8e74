//! Marks straight from what came down: grids are compared as the bits they are.

use batt_core::columns::{BACK, FAILED, VALUE};
use rayon::prelude::*;

use super::bring::{Came, Piece};
use super::chunk::Brought;
use super::rows::gaps;
use super::{Lot, Ready};
use crate::engine::mark::{Bits, Mark};
use crate::engine::{Counters, Sample};

/// The marks of a sample, by root.
type Marks = Vec<Option<Mark>>;

impl Ready<'_> {
    /// The marks of samples. What a device that failed left is done by the CPU engine.
    pub(super) fn all_marks(
        &self,
        samples: &[Sample],
        lots: &[Lot<'_>],
        pieces: Vec<Vec<Piece<'_, Marks>>>,
        counters: &mut Counters,
    ) -> Vec<Marks> {
        let mut marks = vec![vec![None; self.roots.len()]; samples.len()];
        let gaps = gaps(&pieces, samples.len());
        for (lot, pieces) in lots.iter().zip(pieces) {
            for piece in pieces {
                let range = piece.samples();
                match piece.came {
                    Came::Device(mut chunk) => {
                        self.count_slots(&mut chunk, counters);
                        let columns =
                            of_chunk(&mut chunk, &samples[range.clone()], lot.places.len());
                        for (column, at) in columns.into_iter().zip(&lot.places) {
                            let missing = column.iter().filter(|mark| mark.is_none()).count();
                            counters.slots[self.roots[*at].index()].handed_back += missing as u64;
                            for (row, mark) in marks[range.clone()].iter_mut().zip(column) {
                                row[*at] = mark;
                            }
                        }
                    }
                    Came::Cores(more) => put(&mut marks[range], lot, more),
                }
            }
        }
        let rest = self.rest(samples, lots, &gaps, |loaded, left| loaded.marks(left));
        for (gap, (more, theirs)) in gaps.into_iter().zip(rest) {
            counters.add(&theirs);
            put(&mut marks[gap.samples], &lots[gap.lot], more);
        }
        marks
    }
}

/// Puts the marks of a lot into those of all roots.
fn put(marks: &mut [Marks], lot: &Lot<'_>, more: Vec<Marks>) {
    for (row, found) in marks.iter_mut().zip(more) {
        for (at, mark) in lot.places.iter().zip(found) {
            row[*at] = mark;
        }
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
