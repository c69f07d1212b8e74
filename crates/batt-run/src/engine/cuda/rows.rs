//! What came of all lots, put together by sample.

use batt_core::Val;
use batt_core::columns::{BACK, FAILED, NO_SCORE, RIGHT, SCORE, SLOT_SHIFT, VALUE, WRONG};
use batt_core::seq::elements;
use batt_lang::Value;
use batt_lang::battery::Battery;
use batt_lang::graph::SlotId;
use rayon::prelude::*;

use super::arena::Arena;
use super::chunk::Brought;
use super::{Lot, Ready};
use crate::engine::cpu::{fault_of, to_value};
use crate::engine::{Cell, Counters, Engine, Loaded, Phase, Row, Sample, Setup, SlotCount};

/// The cells of some samples that one lot gave.
struct Found {
    first: usize,
    samples: usize,
    words: Vec<u32>,
    /// By root, where values were asked for.
    values: Vec<Vec<Option<Value>>>,
}

impl Found {
    fn of(first: usize, chunk: Brought<'_>) -> Found {
        let Brought { samples, words, values, .. } = chunk;
        let values = values.into_par_iter().enumerate().map(|(k, (mut arena, values))| {
            let words = words.iter().skip(k * samples);
            let one = |(val, word): (Val, &u32)| {
                if *word == VALUE { value_of(&mut arena, val) } else { None }
            };
            values.into_iter().zip(words).map(one).collect()
        });
        let values = values.collect();
        Found { first, samples, words, values }
    }

    /// What a root, by its place in the lot, gave for a sample; and the slot that handed it back.
    fn cell(&self, k: usize, sample: usize, root: SlotId) -> Result<Cell, SlotId> {
        let at = sample - self.first;
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
    lots: Vec<Vec<Found>>,
    /// How many samples of each lot are done; a device that failed leaves some.
    done: Vec<usize>,
}

impl All<'_> {
    /// The chunk of a lot that has a sample.
    fn chunk(&self, lot: usize, sample: usize) -> Option<&Found> {
        let has = |found: &&Found| (found.first..found.first + found.samples).contains(&sample);
        self.lots[lot].iter().find(has)
    }

    /// The row of a sample, and the slots that handed some of it back.
    fn row(&self, sample: usize) -> (Row, Vec<SlotId>) {
        let chunks: Vec<_> = (0..self.lots.len()).map(|lot| self.chunk(lot, sample)).collect();
        let mut back = Vec::new();
        let cell = |(root, (lot, k)): (&SlotId, &(usize, usize))| match chunks[*lot] {
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
        brought: Vec<Vec<Brought<'_>>>,
        counters: &mut Counters,
    ) -> Vec<Row> {
        let all = self.all(lots, brought, counters);
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
        for (lot, (more, theirs)) in self.rest(samples, lots, &all.done, |cpu, left| cpu.run(left))
        {
            counters.add(&theirs);
            for (row, cells) in rows[all.done[lot]..].iter_mut().zip(more) {
                for (at, cell) in lots[lot].places.iter().zip(cells) {
                    row[*at] = cell;
                }
            }
        }
        rows
    }

    fn all(
        &self,
        lots: &[Lot<'_>],
        brought: Vec<Vec<Brought<'_>>>,
        counters: &mut Counters,
    ) -> All<'_> {
        let mut places = vec![(0, 0); self.roots.len()];
        for (lot, Lot { places: of, .. }) in lots.iter().enumerate() {
            of.iter().enumerate().for_each(|(k, at)| places[*at] = (lot, k));
        }
        let mut all = All { roots: &self.roots, places, lots: Vec::new(), done: Vec::new() };
        for chunks in brought {
            let (mut found, mut done) = (Vec::with_capacity(chunks.len()), 0);
            for mut chunk in chunks {
                self.count_slots(&mut chunk, counters);
                let first = done;
                done += chunk.samples;
                found.push(Found::of(first, chunk));
            }
            all.lots.push(found);
            all.done.push(done);
        }
        all
    }

    /// What a chunk counted.
    pub(super) fn count_slots(&self, chunk: &mut Brought<'_>, counters: &mut Counters) {
        let slots = std::mem::take(&mut chunk.slots);
        let mut counted = Counters { slots, ..Counters::default() };
        counted.device.rows = counted.rows();
        counted.slots.resize(self.setup.battery.slot_count(), SlotCount::default());
        counters.add(&counted);
    }

    /// Runs on the CPU engine what each lot has left, of which so many samples are done.
    pub(super) fn rest<T: Send>(
        &self,
        samples: &[Sample],
        lots: &[Lot<'_>],
        done: &[usize],
        run: impl Fn(&dyn Loaded, &[Sample]) -> T + Sync,
    ) -> Vec<(usize, T)> {
        let left = done.iter().enumerate().filter(|(_, done)| **done < samples.len());
        let left: Vec<(usize, usize)> = left.map(|(lot, done)| (lot, *done)).collect();
        let one = |(lot, done): (usize, usize)| {
            let of_lot;
            let battery = if lots.len() == 1 {
                self.setup.battery
            } else {
                of_lot = self.only(&lots[lot].places);
                &of_lot
            };
            let loaded = self.engine.cpu.load(Setup { battery, ..self.setup });
            (lot, run(&*loaded, &samples[done..]))
        };
        left.into_par_iter().map(one).collect()
    }

    /// The battery with only some of the phase's roots, by their places.
    pub(super) fn only(&self, roots: &[usize]) -> Battery {
        match self.setup.phase {
            Phase::Outputs => self.setup.battery.only(roots, &[]),
            Phase::Scores => self.setup.battery.only(&[], roots),
        }
    }
}
