//! What came of all lots, put together by sample.

use std::ops::Range;

use batt_core::Val;
use batt_core::columns::{BACK, FAILED, NO_SCORE, RIGHT, SCORE, SLOT_SHIFT, VALUE, WRONG};
use batt_core::seq::elements;
use batt_lang::Value;
use batt_lang::battery::Battery;
use batt_lang::graph::SlotId;
use rayon::prelude::*;

use super::arena::Arena;
use super::bring::{Came, Piece};
use super::chunk::Brought;
use super::deal::Share;
use super::{Lot, Ready};
use crate::engine::cpu::{fault_of, to_value};
use crate::engine::{Cell, Counters, Engine, Loaded, Phase, Row, Sample, Setup, SlotCount};

/// The cells of some samples of a lot.
struct Found {
    samples: Range<usize>,
    cells: Cells,
}

/// The cells, as they were found.
enum Cells {
    Device(OnDevice),
    /// Row by row.
    Cores(Vec<Row>),
}

/// The cells of some samples that a device gave.
struct OnDevice {
    samples: usize,
    words: Vec<u32>,
    /// By root, where values were asked for.
    values: Vec<Vec<Option<Value>>>,
}

impl Found {
    /// What a root, by its place in the lot, gave for a sample; and the slot that handed it back, where that
    /// was not counted yet.
    fn cell(&self, k: usize, sample: usize, root: SlotId) -> Result<Cell, SlotId> {
        let at = sample - self.samples.start;
        match &self.cells {
            Cells::Device(found) => found.cell(k, at, root),
            Cells::Cores(rows) => {
                let cell = rows.get(at).and_then(|row| row.get(k));
                cell.cloned().ok_or(root)
            }
        }
    }
}

impl OnDevice {
    fn of(chunk: Brought<'_>) -> OnDevice {
        let Brought { samples, words, values, .. } = chunk;
        let values = values.into_par_iter().enumerate().map(|(k, (mut arena, values))| {
            let words = words.iter().skip(k * samples);
            let one = |(val, word): (Val, &u32)| {
                if *word == VALUE { value_of(&mut arena, val) } else { None }
            };
            values.into_iter().zip(words).map(one).collect()
        });
        let values = values.collect();
        OnDevice { samples, words, values }
    }

    /// What a root, by its place in the lot, gave for a sample; and the slot that handed it back.
    fn cell(&self, k: usize, at: usize, root: SlotId) -> Result<Cell, SlotId> {
        let word = self.words.get(k * self.samples + at).copied().unwrap_or(BACK);
        let slot = (word >> SLOT_SHIFT).checked_sub(1).map_or(root, SlotId);
        match word & 15 {
            RIGHT => Ok(Cell::Verdict(true)),
            WRONG => Ok(Cell::Verdict(false)),
            FAILED => Ok(Cell::Error(fault_of(word >> 4 & 15), slot)),
            SCORE => Ok(Cell::score(Some((word >> SLOT_SHIFT) as i32))),
            NO_SCORE => Ok(Cell::score(None)),
            VALUE => {
                let value = self.values.get(k).and_then(|values| values[at].clone());
                value.map(Cell::Value).ok_or(root)
            }
            _ => Err(slot),
        }
    }
}

/// The value that a brought-out one stands for. Rows of wide grids are built beside it.
fn value_of(arena: &mut Arena, val: Val) -> Option<Value> {
    let before = arena.taken();
    arena.reserve(elements(val).saturating_mul(2).saturating_add(64));
    let value = to_value(arena.cx(), val);
    arena.cx().release(before);
    value
}

/// What all lots gave.
struct All<'r> {
    roots: &'r [SlotId],
    /// For each root its lot, and its place there.
    places: Vec<(usize, usize)>,
    /// By lot, in the order of the samples.
    lots: Vec<Vec<Found>>,
}

impl All<'_> {
    /// The part of a lot that has a sample.
    fn part(&self, lot: usize, sample: usize) -> Option<&Found> {
        let parts = &self.lots[lot];
        let after = parts.partition_point(|found| found.samples.start <= sample);
        parts[..after].last().filter(|found| found.samples.contains(&sample))
    }

    /// The row of a sample, and the slots that handed some of it back.
    fn row(&self, sample: usize) -> (Row, Vec<SlotId>) {
        let parts: Vec<_> = (0..self.lots.len()).map(|lot| self.part(lot, sample)).collect();
        let mut back = Vec::new();
        let cell = |(root, (lot, k)): (&SlotId, &(usize, usize))| match parts[*lot] {
            Some(found) => found.cell(*k, sample, *root).unwrap_or_else(|slot| {
                back.push(slot);
                Cell::HandBack
            }),
            None => Cell::HandBack,
        };
        let row = self.roots.iter().zip(&self.places).map(cell).collect();
        (row, back)
    }
}

impl Ready<'_> {
    /// The rows of samples. What a device that failed left is done by the CPU engine.
    pub(super) fn rows(
        &self,
        samples: &[Sample],
        lots: &[Lot<'_>],
        pieces: Vec<Vec<Piece<'_, Row>>>,
        counters: &mut Counters,
    ) -> Vec<Row> {
        let gaps = gaps(&pieces, samples.len());
        let all = self.all(lots, pieces, counters);
        let both: Vec<(Row, Vec<SlotId>)> =
            (0..samples.len()).into_par_iter().map(|sample| all.row(sample)).collect();
        let mut rows = Vec::with_capacity(both.len());
        counters.slots.resize(self.setup.battery.slot_count(), SlotCount::default());
        for (row, back) in both {
            rows.push(row);
            for slot in back {
                if let Some(count) = counters.slots.get_mut(slot.index()) {
                    count.handed_back += 1;
                }
            }
        }
        let rest = self.rest(samples, lots, &gaps, |cpu, left| cpu.run(left));
        for (gap, (more, theirs)) in gaps.iter().zip(rest) {
            counters.add(&theirs);
            for (row, cells) in rows[gap.samples.clone()].iter_mut().zip(more) {
                for (at, cell) in lots[gap.lot].places.iter().zip(cells) {
                    row[*at] = cell;
                }
            }
        }
        rows
    }

    fn all(
        &self,
        lots: &[Lot<'_>],
        pieces: Vec<Vec<Piece<'_, Row>>>,
        counters: &mut Counters,
    ) -> All<'_> {
        let mut places = vec![(0, 0); self.roots.len()];
        for (lot, Lot { places: of, .. }) in lots.iter().enumerate() {
            of.iter().enumerate().for_each(|(k, at)| places[*at] = (lot, k));
        }
        let mut one = |piece: Piece<'_, Row>| {
            let samples = piece.samples();
            let cells = match piece.came {
                Came::Device(mut chunk) => {
                    self.count_slots(&mut chunk, counters);
                    Cells::Device(OnDevice::of(chunk))
                }
                Came::Cores(rows) => Cells::Cores(rows),
            };
            Found { samples, cells }
        };
        let lots = pieces.into_iter().map(|of_lot| of_lot.into_iter().map(&mut one).collect());
        All { roots: &self.roots, places, lots: lots.collect() }
    }

    /// What a chunk counted.
    pub(super) fn count_slots(&self, chunk: &mut Brought<'_>, counters: &mut Counters) {
        let slots = std::mem::take(&mut chunk.slots);
        let mut counted = Counters { slots, ..Counters::default() };
        counted.device.rows = counted.rows();
        counted.slots.resize(self.setup.battery.slot_count(), SlotCount::default());
        counters.add(&counted);
    }

    /// Runs on the CPU engine what nobody did.
    pub(super) fn rest<T: Send>(
        &self,
        samples: &[Sample],
        lots: &[Lot<'_>],
        gaps: &[Share],
        run: impl Fn(&dyn Loaded, &[Sample]) -> T + Sync,
    ) -> Vec<T> {
        let one = |gap: &Share| {
            let of_lot;
            let battery = if lots.len() == 1 {
                self.setup.battery
            } else {
                of_lot = self.only(&lots[gap.lot].places);
                &of_lot
            };
            let loaded = self.engine.cpu.load(Setup { battery, ..self.setup });
            run(&*loaded, &samples[gap.samples.clone()])
        };
        gaps.par_iter().map(one).collect()
    }

    /// The battery with only some of the phase's roots, by their places.
    pub(super) fn only(&self, roots: &[usize]) -> Battery {
        match self.setup.phase {
            Phase::Outputs => self.setup.battery.only(roots, &[]),
            Phase::Scores => self.setup.battery.only(&[], roots),
        }
    }
}

/// The samples of each lot that nobody did; a device that failed leaves some.
pub(super) fn gaps<T>(lots: &[Vec<Piece<'_, T>>], samples: usize) -> Vec<Share> {
    let mut gaps = Vec::new();
    for (lot, pieces) in lots.iter().enumerate() {
        let mut done = 0;
        for next in pieces.iter().map(Piece::samples).chain(std::iter::once(samples..samples)) {
            if done < next.start {
                gaps.push(Share { lot, samples: done..next.start });
            }
            done = done.max(next.end);
        }
    }
    gaps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_did_is_found() {
        let piece = |samples: Range<usize>| Piece {
            first: samples.start,
            came: Came::Cores(vec![(); samples.len()]),
        };
        let gap = |lot, samples| Share { lot, samples };
        let lots = vec![vec![piece(0..3), piece(5..9)], vec![], vec![piece(0..10)]];
        assert_eq!(gaps(&lots, 10), [gap(0, 3..5), gap(0, 9..10), gap(1, 0..10)]);
        assert_eq!(gaps::<()>(&[vec![]], 0), []);
    }
}
