//! Marks straight from what came down: grids are compared as the bits they are.

use batt_core::columns::{BACK, FAILED, VALUE};

use super::Ready;
use super::chunk::Brought;
use crate::engine::mark::{Bits, Mark};
use crate::engine::{Counters, Sample, SlotCount};

impl Ready<'_> {
    /// The marks of a chunk, by sample.
    pub(super) fn assemble_marks(
        &self,
        mut chunk: Brought<'_>,
        samples: &[Sample],
        marks: &mut Vec<Vec<Option<Mark>>>,
        counters: &mut Counters,
    ) {
        let mut counted =
            Counters { slots: std::mem::take(&mut chunk.slots), ..Counters::default() };
        counted.device.rows = counted.rows();
        counted.slots.resize(self.setup.battery.slot_count(), SlotCount::default());
        for (at, sample) in samples.iter().take(chunk.samples).enumerate() {
            let target = sample.expected.as_ref().and_then(Bits::of);
            let mut row = Vec::with_capacity(self.roots.len());
            for (k, root) in self.roots.iter().enumerate() {
                let word = chunk.words.get(k * chunk.samples + at).copied().unwrap_or(BACK);
                let values = chunk.values.get_mut(k);
                let mark = match (word & 15, values) {
                    (FAILED, _) => Some(Mark::ERROR),
                    (VALUE, Some((arena, values))) => {
                        let expected = sample.expected.as_ref();
                        Mark::of_val(arena.cx(), values[at], target.as_ref(), expected)
                    }
                    _ => None,
                };
                if mark.is_none() {
                    counted.slots[root.index()].handed_back += 1;
                }
                row.push(mark);
            }
            marks.push(row);
        }
        counters.add(&counted);
    }
}
