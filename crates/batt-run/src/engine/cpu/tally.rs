//! Counting the rows of nested frames, and telling when they are for nothing.

use batt_core::Val;
use batt_core::seq::len;
use batt_lang::graph::SlotId;
use batt_lang::limits::MAX_BODIES;

use super::nests::{Inner, Size};
use super::worker::Worker;

/// What is counted for a sample whose outermost loops surely run too many bodies,
const HOPELESS: u32 = u32::MAX;
/// and where a frame's own rows will be too many.
const TOO_MANY: u32 = u32::MAX - 1;

impl Worker {
    /// Starts to count the rows of nested frames anew, where an outermost loop begins. Where there
    /// will be too many rows, none are opened.
    pub fn forget(&mut self, inner: &[Inner], rows: usize) {
        for inner in inner {
            let mut opened = std::mem::take(&mut self.frames[inner.frame.index()].opened);
            opened.clear();
            opened.extend((0..rows).map(|row| self.outlook(inner, row)));
            self.frames[inner.frame.index()].opened = opened;
        }
    }

    /// What the count of a frame's rows begins with for a sample, by the containers that are there.
    fn outlook(&self, inner: &Inner, row: usize) -> u32 {
        let most = u64::from(MAX_BODIES);
        let size = |size: Size| self.size(size, row);
        let around = inner.around.as_deref().unwrap_or_default();
        if !around.is_empty() && around.iter().all(|one| one.bodies(&size) > most) {
            return HOPELESS;
        }
        let sizes = inner.sizes.iter().flatten();
        let rows = sizes.map(|one| size(*one)).reduce(u64::saturating_mul);
        if rows.unwrap_or(0) > most { TOO_MANY } else { 0 }
    }

    /// How many rows a frame has for one sample.
    fn size(&self, size: Size, row: usize) -> u64 {
        let len = |slot: SlotId| {
            let column = self.columns.get(slot);
            let val = column.get(row).copied().unwrap_or(Val::BACK);
            u64::from(len(val).unwrap_or(0))
        };
        match size {
            Size::Each(a) => len(a),
            Size::But(a) => len(a).saturating_sub(1),
            Size::Zip(a, b) => len(a).min(len(b)),
            Size::Product(a, b) => len(a) * len(b),
        }
    }
}

/// Counts the rows of a nested frame as they are opened.
pub struct Tally<'a> {
    worker: &'a Worker,
    frame: Option<&'a Inner>,
    opened: &'a mut Vec<u32>,
    /// The sample whose outlook was last asked for.
    asked: Option<usize>,
}

impl<'a> Tally<'a> {
    /// Goes on with the counts of a frame.
    pub fn new(
        worker: &'a Worker,
        frame: Option<&'a Inner>,
        opened: &'a mut Vec<u32>,
    ) -> Tally<'a> {
        Tally { worker, frame, opened, asked: None }
    }

    /// Counts rows for a sample; gives how many there were so far, or none where all are for nothing.
    #[inline]
    pub fn add(&mut self, sample: usize, count: usize) -> Option<usize> {
        match self.opened.get_mut(sample) {
            Some(opened) if *opened != 0 && *opened <= MAX_BODIES => {
                let sum = *opened as usize + count;
                *opened = sum.min(TOO_MANY as usize) as u32;
                Some(sum)
            }
            _ => self.add_first(sample, count),
        }
    }

    /// As [`Tally::add`], where none or too many were counted so far.
    #[inline(never)]
    fn add_first(&mut self, sample: usize, count: usize) -> Option<usize> {
        if self.opened.len() <= sample {
            self.opened.resize(sample + 1, 0);
        }
        let opened = &mut self.opened[sample];
        // A container may be there only now: the outermost loop may be of many programs.
        if *opened == 0 && self.asked != Some(sample) {
            self.asked = Some(sample);
            *opened = self.frame.map_or(0, |frame| self.worker.outlook(frame, sample));
        }
        if *opened == HOPELESS {
            return None;
        }
        let sum = (*opened as usize).saturating_add(count);
        *opened = sum.min(TOO_MANY as usize) as u32;
        Some(sum)
    }
}
