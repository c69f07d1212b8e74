//! A worker's memory.

#![allow(unsafe_code)]

use batt_core::Cx;

/// One unit of the arena: the rows of a mask, or eight values.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Unit([u32; 32]);

/// The arena of one worker.
pub struct Memory {
    units: Vec<Unit>,
    taken: Box<u32>,
}

impl Memory {
    /// Room for `units` units of 128 bytes. Pages that are never touched cost nothing.
    pub fn new(units: u32) -> Memory {
        Memory { units: vec![Unit([0; 32]); units as usize], taken: Box::new(0) }
    }

    /// A handle for primitives; whatever was taken before stays.
    pub fn cx(&mut self) -> Cx {
        let units = self.units.len() as u32;
        // SAFETY: both buffers live as long as `self`, whose borrow the caller holds while it uses
        // the handle, and a worker runs on one thread at a time.
        unsafe { Cx::new(self.units.as_mut_ptr().cast(), &raw mut *self.taken, units) }
    }
}
