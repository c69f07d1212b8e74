//! What came of a run so far.

use crate::breed::{Refused, Step};
use crate::bytes::{In, Out};
use crate::operators::rates::{Count, Counts};

/// Counts of a whole run, also over interruptions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// By operator.
    pub counts: Counts,
    /// Children that were begun.
    pub proposals: u64,
    /// Children that fit the kinds.
    pub well_typed: u64,
    /// Programs that were evaluated: none of them was met before.
    pub candidates: u64,
    /// Those that did something new.
    pub new_behaviour: u64,
    /// Those that were better than their parents.
    pub improving: u64,
    /// Results that the engine handed back. It depends on the engine, so no state holds it.
    pub handed_back: u64,
    /// Programs that were handed to the archive.
    pub kept: u64,
    /// What the interpreter did not confirm, by reason.
    pub refused: Refused,
}

impl Totals {
    /// Adds what came of a unit's generation.
    pub fn add(&mut self, step: &Step) {
        for (mine, theirs) in self.counts.iter_mut().zip(&step.counts) {
            mine.add(theirs);
        }
        self.proposals += step.proposals;
        self.well_typed += step.well_typed;
        self.candidates += step.candidates;
        self.new_behaviour += step.new_behaviour;
        self.improving += step.improving;
        self.handed_back += step.handed_back;
        self.kept += step.found.len() as u64;
        self.refused.add(&step.refused);
    }

    pub(super) fn write(&self, out: &mut Out) {
        for c in &self.counts {
            out.numbers([c.proposed, c.well_typed, c.new_graph, c.new_behaviour, c.improving]);
        }
        out.numbers([self.proposals, self.well_typed, self.candidates, self.new_behaviour]);
        out.numbers([self.improving, self.kept]);
        self.refused.write(out);
    }

    pub(super) fn read(bytes: &mut In) -> Option<Totals> {
        let mut totals = Totals::default();
        for count in &mut totals.counts {
            *count = Count {
                proposed: bytes.number()?,
                well_typed: bytes.number()?,
                new_graph: bytes.number()?,
                new_behaviour: bytes.number()?,
                improving: bytes.number()?,
            };
        }
        totals.proposals = bytes.number()?;
        totals.well_typed = bytes.number()?;
        totals.candidates = bytes.number()?;
        totals.new_behaviour = bytes.number()?;
        totals.improving = bytes.number()?;
        totals.kept = bytes.number()?;
        totals.refused = Refused::read(bytes)?;
        Some(totals)
    }
}
