//! The checkpoint: all that the next generation depends on.

use rayon::prelude::*;

use super::{Evolution, Totals};
use crate::breed::Unit;
use crate::bytes::{In, Out};

/// The form of the state.
const VERSION: u64 = 2;

impl Evolution<'_> {
    /// The state after the last generation.
    pub(super) fn state(&self) -> Vec<u8> {
        let mut out = Out::default();
        out.numbers([VERSION, u64::from(self.next)]);
        self.totals.write(&mut out);
        out.count(self.units.len());
        // What was met is most of it, and has to be put in order.
        let write = |unit: &Unit| {
            let mut out = Out::default();
            unit.write(&mut out);
            out.0
        };
        let units: Vec<Vec<u8>> =
            self.threads.install(|| self.units.par_iter().map(write).collect());
        out.0.reserve_exact(units.iter().map(Vec::len).sum());
        for unit in &units {
            out.0.extend_from_slice(unit);
        }
        out.0
    }

    /// Goes on from a state; `None` if it is not one of this run.
    pub(super) fn restore(&mut self, state: &[u8]) -> Option<()> {
        let mut bytes = In(state);
        if bytes.number()? != VERSION {
            return None;
        }
        let next = u32::try_from(bytes.number()?).ok()?;
        let totals = Totals::read(&mut bytes)?;
        if bytes.count()? != self.units.len() {
            return None;
        }
        let units: Option<Vec<Unit>> =
            self.units.iter().map(|unit| Unit::read(unit.task, unit.island, &mut bytes)).collect();
        let units = units?;
        if !bytes.0.is_empty() {
            return None;
        }
        self.units = units;
        self.totals = totals;
        self.next = next;
        Some(())
    }
}
