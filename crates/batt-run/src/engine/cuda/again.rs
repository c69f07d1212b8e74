//! What the device handed back, once more on the CPU engine.

use batt_core::columns::BACK;
use batt_lang::graph::SlotId;
use rayon::prelude::*;

use super::chunk::Brought;
use super::{Lot, Ready};
use crate::engine::{Cell, Counters, Engine, Row, Sample, Setup};

/// Cells that the CPU engine gave, by the places of the sample and of the root.
pub type Again = Vec<(usize, usize, Cell)>;

/// What a device handed back of some samples of a lot.
pub struct Handed {
    /// The roots of the lot of which it did, each with the samples.
    back: Vec<(usize, Vec<usize>)>,
    /// All of those samples.
    samples: Vec<usize>,
}

impl Ready<'_> {
    /// What a device handed back of samples from some on. Functions that are known only at run time are held
    /// by no engine but the interpreter.
    pub(super) fn handed(
        &self,
        lot: &Lot<'_>,
        mut first: usize,
        brought: &[Brought<'_>],
    ) -> Option<Handed> {
        let mut back = vec![Vec::new(); lot.places.len()];
        for chunk in brought {
            for (k, back) in back.iter_mut().enumerate() {
                let word =
                    |at: &usize| chunk.words.get(k * chunk.samples + at).map_or(BACK, |w| *w);
                let here = (0..chunk.samples).filter(|at| word(at) & 15 == BACK);
                back.extend(here.map(|at| first + at));
            }
            first += chunk.samples;
        }
        let held = |(k, back): &(usize, Vec<usize>)| {
            !back.is_empty() && !self.is_dynamic(lot.roots.slots[*k])
        };
        let back: Vec<(usize, Vec<usize>)> = back.into_iter().enumerate().filter(held).collect();
        let mut samples: Vec<usize> = back.iter().flat_map(|(_, at)| at).copied().collect();
        samples.sort_unstable();
        samples.dedup();
        if samples.is_empty() { None } else { Some(Handed { back, samples }) }
    }

    /// Runs the programs of a lot that the device handed back on the CPU engine, for the samples of
    /// which it did: that one holds more, and is faster than the interpreter. The device goes on with
    /// other lots meanwhile.
    pub(super) fn again(
        &self,
        lot: &Lot<'_>,
        samples: &[Sample],
        handed: &Handed,
        counters: &mut Counters,
    ) -> Again {
        let places: Vec<usize> = handed.back.iter().map(|(k, _)| lot.places[*k]).collect();
        let battery = self.only(&places);
        let cpu = self.engine.cpu.load(Setup { battery: &battery, ..self.setup });
        // One sample may take longer than a thousand others, so each is one's own.
        let ran: Vec<(Vec<Row>, Counters)> = handed
            .samples
            .par_iter()
            .with_max_len(1)
            .map(|at| cpu.run(std::slice::from_ref(&samples[*at])))
            .collect();
        let mut found = Again::new();
        for (at, (more, mut theirs)) in handed.samples.iter().zip(ran) {
            let cells = more.into_iter().flatten();
            for (((_, back), place), cell) in handed.back.iter().zip(&places).zip(cells) {
                if cell != Cell::HandBack && back.binary_search(at).is_ok() {
                    found.push((*at, *place, cell));
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
