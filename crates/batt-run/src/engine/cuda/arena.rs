//! An arena on the host, filled with inputs for a device or with what came from one. Values name
//! units by number, so they mean the same in both places.

#![allow(unsafe_code)]

use batt_core::Cx;
use batt_core::arena::UNIT;

/// 128 bytes, aligned as an arena must be.
#[derive(Clone, Copy)]
#[repr(C, align(128))]
struct Unit([u32; UNIT]);

/// Units that may be read and written by handles.
pub struct Arena {
    units: Vec<Unit>,
    taken: Box<u32>,
}

impl Arena {
    /// Room for `units` units, of which the first `taken` are not to be used.
    pub fn new(units: u32, taken: u32) -> Arena {
        Arena { units: vec![Unit([0; UNIT]); units as usize], taken: Box::new(taken.min(units)) }
    }

    /// A handle.
    pub fn cx(&mut self) -> Cx {
        let units = self.units.len() as u32;
        // SAFETY: the units are there, aligned, and live as long as `self`, whose borrow the caller
        // holds while it uses the handle.
        unsafe { Cx::new(self.units.as_mut_ptr().cast(), &raw mut *self.taken, units) }
    }

    /// How many units are taken.
    pub fn taken(&self) -> u32 {
        *self.taken
    }

    /// Makes room for so many more units.
    pub fn reserve(&mut self, more: u32) {
        let wanted = self.taken.saturating_add(more) as usize;
        if wanted > self.units.len() {
            self.units.resize(wanted.next_power_of_two(), Unit([0; UNIT]));
        }
    }

    /// The bytes of some units.
    pub fn bytes(&self, from: u32, to: u32) -> &[u8] {
        let units = self.units.get(from as usize..to as usize).unwrap_or_default();
        // SAFETY: a unit is 32 words, without gaps.
        unsafe { std::slice::from_raw_parts(units.as_ptr().cast(), size_of_val(units)) }
    }

    /// The bytes of the first units, to be overwritten.
    pub fn bytes_mut(&mut self, count: u32) -> &mut [u8] {
        self.units.resize((count as usize).max(self.units.len()), Unit([0; UNIT]));
        *self.taken = count;
        let units = &mut self.units[..count as usize];
        // SAFETY: a unit is 32 words, without gaps, and any words are a unit.
        unsafe { std::slice::from_raw_parts_mut(units.as_mut_ptr().cast(), size_of_val(units)) }
    }
}
