//! A worker's memory.

#![allow(unsafe_code)]

use batt_core::Cx;
use batt_core::arena::{Count, UNIT};

/// Words in a cache line, to which the arena is aligned.
const LINE: usize = 16;

/// Words after the last unit that can be read.
const AFTER: usize = 32;

/// The arena of one worker.
pub struct Memory {
    words: Vec<u32>,
    /// Words before the first unit.
    skip: usize,
    /// How many units there are and how many are taken.
    count: Box<Count>,
    /// The most units that were taken when it was noted.
    most: u32,
}

impl Default for Memory {
    fn default() -> Memory {
        Memory::new(0)
    }
}

impl Memory {
    /// Room for `units` units of 32 bytes. The words are zero from the start, so the system gives
    /// a page only when it is touched.
    pub fn new(units: u32) -> Memory {
        let words = vec![0; units as usize * UNIT + AFTER + LINE];
        let skip = words.as_ptr().align_offset(LINE * size_of::<u32>()).min(LINE);
        Memory { words, skip, count: Box::new(Count { units, ..Count::default() }), most: 0 }
    }

    /// A handle for primitives; whatever was taken before stays.
    #[inline]
    pub fn cx(&mut self) -> Cx {
        // SAFETY: after `skip` words, at most a line, there are `units` whole units aligned to a
        // line, and what can be read after them. Both buffers live as long as `self`, whose borrow the caller holds while it uses the
        // handle, and a worker runs on one thread at a time.
        unsafe { Cx::new(self.words.as_mut_ptr().add(self.skip), &raw mut *self.count) }
    }

    /// How many units there are.
    pub fn units(&self) -> u32 {
        self.count.units
    }

    /// Notes how much is taken, before some of it is given back.
    pub fn note(&mut self) {
        self.most = self.most.max(self.count.taken);
    }

    /// The bytes that were touched: the most that was taken when it was noted, or is taken now. What
    /// a primitive gives back itself before it ends is not in it.
    pub fn bytes(&self) -> usize {
        self.most.max(self.count.taken) as usize * UNIT * size_of::<u32>()
    }

    /// How many units are taken.
    #[inline]
    pub fn taken(&self) -> u32 {
        self.count.taken
    }

    /// Whether something found no room since this was last asked.
    pub fn ran_out(&mut self) -> bool {
        std::mem::take(&mut self.count.ran_out)
    }
}
