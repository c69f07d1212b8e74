//! An arena on the host, filled with inputs for a device or with what came from one. Values name
//! units by number, so they mean the same in both places.

#![allow(unsafe_code)]

use batt_core::Cx;
use batt_core::arena::{Count, UNIT};

/// Units in a line, to which an arena is aligned.
const LINE: u32 = 2;

/// A line of units.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u32; UNIT * LINE as usize]);

const EMPTY: Line = Line([0; UNIT * LINE as usize]);

/// Lines after the last unit that can be read.
const AFTER: usize = 2;

/// Units that may be read and written by handles.
pub struct Arena {
    lines: Vec<Line>,
    /// How many units are taken.
    count: Box<Count>,
}

impl Arena {
    /// Room for `units` units, of which the first `taken` are not to be used.
    pub fn new(units: u32, taken: u32) -> Arena {
        let lines = vec![EMPTY; units.div_ceil(LINE) as usize + AFTER];
        Arena { lines, count: Box::new(Count { taken: taken.min(units), ..Count::default() }) }
    }

    fn units(&self) -> u32 {
        self.lines.len().saturating_sub(AFTER) as u32 * LINE
    }

    /// A handle.
    pub fn cx(&mut self) -> Cx {
        self.count.units = self.units();
        // SAFETY: the units and what can be read after them are there, aligned, and live as long as `self`, whose borrow the caller
        // holds while it uses the handle.
        unsafe { Cx::new(self.lines.as_mut_ptr().cast(), &raw mut *self.count) }
    }

    /// How many units are taken.
    pub fn taken(&self) -> u32 {
        self.count.taken
    }

    /// Makes room for so many more units.
    pub fn reserve(&mut self, more: u32) {
        let wanted = self.count.taken.saturating_add(more);
        if wanted > self.units() {
            let units = wanted.checked_next_power_of_two().unwrap_or(wanted);
            self.lines.resize(units.div_ceil(LINE) as usize + AFTER, EMPTY);
        }
    }

    /// The bytes of some units that are taken.
    pub fn bytes(&self, from: u32, to: u32) -> &[u8] {
        let words: &[u32] = self.lines.as_flattened_words();
        let part = words.get(from as usize * UNIT..to as usize * UNIT).unwrap_or_default();
        batt_cuda::bytes(part)
    }

    /// The bytes of the first units, to be overwritten.
    pub fn bytes_mut(&mut self, count: u32) -> &mut [u8] {
        self.lines.resize((count.div_ceil(LINE) as usize + AFTER).max(self.lines.len()), EMPTY);
        self.count.taken = count;
        // SAFETY: a line is words without gaps.
        let words: &mut [u32] = unsafe {
            std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast(), count as usize * UNIT)
        };
        batt_cuda::bytes_mut(words)
    }
}

/// Lines as their words.
trait Words {
    fn as_flattened_words(&self) -> &[u32];
}

impl Words for [Line] {
    fn as_flattened_words(&self) -> &[u32] {
        // SAFETY: a line is words without gaps.
        unsafe { std::slice::from_raw_parts(self.as_ptr().cast(), size_of_val(self) / 4) }
    }
}
