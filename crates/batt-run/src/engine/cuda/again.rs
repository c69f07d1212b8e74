//! What the device handed back, once more on the CPU engine.

use std::ops::Range;

use batt_core::columns::BACK;
use batt_lang::graph::SlotId;
use rayon::prelude::*;

use super::chunk::Brought;
use super::{Lot, Ready};
use crate::engine::{Cell, Counters, Engine, Row, Sample, Setup};

/// Cells that the CPU engine gave, by the places of the sample and of the root.
pub type Again = Vec<(usize, usize, Cell)>;

impl Ready<'_> {
    /// Runs the programs of a lot that the device handed back on the CPU engine, for the samples of
    /// which it did: that one holds more, and is faster than the interpreter. The device goes on with
    /// other lots meanwhile. Functions that are known only at run time are held by neither.
    pub(super) fn again(
        &self,
        lot: &Lot<'_>,
        samples: &[Sample],
        share: Range<usize>,
        brought: &[Brought<'_>],
        counters: &mut Counters,
    ) -> Again {
        let mut back = vec![Vec::new(); lot.places.len()];
        let mut first = share.start;
        for chunk in brought {
            for (k, back) in back.iter_mut().enumerate() {
                let word =
                    |at: &usize| chunk.words.get(k * chunk.samples + at).map_or(BACK, |w| *w);
                let here = (0..chunk.samples).filter(|at| word(at) & 15 == BACK);
                back.extend(here.map(|at| first + at));
            }
            first += chunk.samples;
        }
        for (back, root) in back.iter_mut().zip(&lot.roots.slots) {
            if !back.is_empty() && self.is_dynamic(*root) {
                back.clear();
            }
        }
        let roots: Vec<usize> = (0..back.len()).filter(|k| !back[*k].is_empty()).collect();
        let mut some: Vec<usize> = back.iter().flatten().copied().collect();
        some.sort_unstable();
        some.dedup();
        if some.is_empty() {
            return Again::new();
        }
        let places: Vec<usize> = roots.iter().map(|k| lot.places[*k]).collect();
        let battery = self.only(&places);
        let cpu = self.engine.cpu.load(Setup { battery: &battery, ..self.setup });
        // One sample may take longer than a thousand others, so each is one's own.
        let ran: Vec<(Vec<Row>, Counters)> = some
            .par_iter()
            .with_max_len(1)
            .map(|at| cpu.run(std::slice::from_ref(&samples[*at])))
            .collect();
        let mut found = Again::new();
        for (at, (more, mut theirs)) in some.into_iter().zip(ran) {
            for ((k, place), cell) in roots.iter().zip(&places).zip(more.into_iter().flatten()) {
                if cell != Cell::HandBack && back[*k].binary_search(&at).is_ok() {
                    found.push((at, *place, cell));
                }
            }
            // The device has counted what it handed back.
            theirs.slots.iter_mut().for_each(|slot| slot.handed_back = 0);
            counters.add(&theirs);
        }
        found
    }

    fn is_dynamic(&self, root: SlotId) -> bool {
        let battery = self.setup.battery;
        battery.slots_of(root).into_iter().any(|slot| battery.is_dynamic(slot))
    }
}
