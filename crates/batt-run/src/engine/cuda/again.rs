//! What the device handed back, once more on the CPU engine.

use batt_lang::graph::SlotId;
use rayon::prelude::*;

use super::Ready;
use crate::engine::{Cell, Counters, Engine, Row, Sample, Setup};

impl Ready<'_> {
    /// Runs the programs that the device handed back on the CPU engine, for the samples of which it
    /// did: that one holds more, and is faster than the interpreter. Functions that are known only at
    /// run time are held by neither.
    pub(super) fn again(&self, samples: &[Sample], rows: &mut [Row], counters: &mut Counters) {
        let back = |at: usize, root: usize| rows[at].get(root) == Some(&Cell::HandBack);
        let roots: Vec<usize> = (0..self.roots.len())
            .filter(|root| (0..rows.len()).any(|at| back(at, *root)))
            .filter(|root| !self.is_dynamic(self.roots[*root]))
            .collect();
        let some: Vec<usize> =
            (0..rows.len()).filter(|at| roots.iter().any(|root| back(*at, *root))).collect();
        if some.is_empty() {
            return;
        }
        let battery = self.only(&roots);
        let cpu = self.engine.cpu.load(Setup { battery: &battery, ..self.setup });
        // One sample may take longer than a thousand others, so each is one's own.
        let ran: Vec<(Vec<Row>, Counters)> = some
            .par_iter()
            .with_max_len(1)
            .map(|at| cpu.run(std::slice::from_ref(&samples[*at])))
            .collect();
        for (at, (more, mut theirs)) in some.into_iter().zip(ran) {
            for (root, other) in roots.iter().zip(more.into_iter().flatten()) {
                let cell = &mut rows[at][*root];
                if *cell == Cell::HandBack && other != Cell::HandBack {
                    *cell = other;
                    counters.again.push((at, *root));
                }
            }
            // The device has counted what it handed back.
            theirs.slots.iter_mut().for_each(|slot| slot.handed_back = 0);
            counters.add(&theirs);
        }
    }

    fn is_dynamic(&self, root: SlotId) -> bool {
        let battery = self.setup.battery;
        battery.slots_of(root).into_iter().any(|slot| battery.is_dynamic(slot))
    }
}
