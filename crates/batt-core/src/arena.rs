//! Where everything larger than 16 bytes lives: units of 32 bytes, handed out in a row.

#![allow(unsafe_code)]
#![allow(
    clippy::cast_ptr_alignment,
    reason = "units are aligned to 64 bytes, as `Cx::new` demands"
)]

#[cfg(target_arch = "nvptx64")]
use crate::global::{get, set};
use crate::lanes::Lanes;
use crate::val::Val;

/// Words in a unit: two values.
pub const UNIT: usize = 8;
/// Values in a unit.
pub const VALS: u32 = 2;
/// Units that the 32 rows of one mask or plane take.
pub const ROWS: u32 = 4;
/// Rows start at a multiple of so many units, which is a line of the cache.
pub(crate) const LINE: u32 = 2;

/// Reads something.
#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
unsafe fn get<T: Copy>(at: *const T) -> T {
    // SAFETY: the caller says that one is there.
    unsafe { *at }
}

/// Writes something.
#[cfg(not(target_arch = "nvptx64"))]
#[inline(always)]
unsafe fn set<T>(at: *mut T, to: T) {
    // SAFETY: the caller says that there is room for one.
    unsafe { *at = to }
}

/// A handle on an arena: copied freely, passed to every primitive. Two words, so that it travels in
/// registers.
#[derive(Clone, Copy, Debug)]
pub struct Cx {
    pub(crate) base: *mut u32,
    #[cfg(not(target_arch = "nvptx64"))]
    count: *mut Count,
    #[cfg(target_arch = "nvptx64")]
    pub(crate) chunk: crate::chunk::Chunk,
}

/// How much of an arena is taken.
#[cfg(not(target_arch = "nvptx64"))]
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    /// Units that are taken.
    pub taken: u32,
    /// Units that there are.
    pub units: u32,
    /// Whether something found no room.
    pub ran_out: bool,
}

#[cfg(not(target_arch = "nvptx64"))]
impl Cx {
    /// A handle on the units of memory at `base`, of which `count` says how many are taken.
    ///
    /// # Safety
    ///
    /// `base` points to `count.units * 32` bytes aligned to 64, and no more than that are taken; 128 bytes
    /// after them may be read. All stay valid while the handle or a copy of it is in use, and one thread uses it.
    pub unsafe fn new(base: *mut u32, count: *mut Count) -> Cx {
        Cx { base, count }
    }

    #[inline(always)]
    fn count<'a>(self) -> &'a mut Count {
        // SAFETY: valid by the contract of `new`, and no reference is kept.
        unsafe { &mut *self.count }
    }

    /// Takes room for `n` times 32 rows, which start [`ROWS`] units apart; `None` when the arena is
    /// full.
    #[inline(always)]
    pub fn take(self, n: u32) -> Option<u32> {
        let count = self.count();
        let unit = count.taken.next_multiple_of(LINE);
        if unit > count.units || n > (count.units - unit) / ROWS {
            return self.no_room();
        }
        count.taken = unit + n * ROWS;
        Some(unit)
    }

    /// Takes an array of `len` values.
    #[inline(always)]
    pub fn take_vals(self, len: u32) -> Option<u32> {
        let count = self.count();
        let (unit, n) = (count.taken, len.div_ceil(VALS).max(1));
        if n > count.units - unit {
            return self.no_room();
        }
        count.taken = unit + n;
        Some(unit)
    }

    #[cold]
    fn no_room(self) -> Option<u32> {
        self.count().ran_out = true;
        None
    }

    /// How many units are taken.
    #[inline(always)]
    pub fn taken(self) -> u32 {
        self.count().taken
    }

    /// Gives back everything that was taken after `units`.
    #[inline(always)]
    pub fn release(self, units: u32) {
        let count = self.count();
        count.taken = count.taken.min(units);
    }

    /// Takes everything up to a unit that is not taken yet; it holds what was there before.
    pub fn skip(self, to: u32) {
        let count = self.count();
        count.taken = to.clamp(count.taken, count.units);
    }

    /// Takes what another arena has taken from a unit on, at the same place.
    pub fn copy_from(self, other: Cx, from: u32) {
        let to = other.taken().min(self.count().units);
        let mut unit = from;
        while unit < to {
            let words = other.at(unit).cast::<[u32; UNIT]>();
            // SAFETY: the unit lies in both arenas, which are different ones.
            unsafe { *self.at(unit).cast::<[u32; UNIT]>() = *words };
            unit += 1;
        }
        self.skip(to);
    }
}

impl Cx {
    #[inline(always)]
    fn at(self, unit: u32) -> *mut u32 {
        #[cfg(not(target_arch = "nvptx64"))]
        debug_assert!(unit < self.count().units);
        // SAFETY: units come from `take`, which stays within the arena.
        unsafe { self.base.add(unit as usize * UNIT) }
    }

    /// The rows that start at a unit.
    #[inline(always)]
    pub fn load<V: Lanes>(self, unit: u32) -> V {
        // SAFETY: at a unit from `take` there are 32 aligned words.
        unsafe { V::read(self.at(unit)) }
    }

    /// 32 rows from one of those that start at a unit on; after the last of those comes anything.
    #[inline(always)]
    pub fn load_from<V: Lanes>(self, unit: u32, row: u32) -> V {
        // SAFETY: at a unit from `take` there are 32 aligned words, and after the arena as many can be read.
        unsafe { V::read_from(self.at(unit), row) }
    }

    /// Writes rows from a unit on.
    #[inline(always)]
    pub fn store<V: Lanes>(self, unit: u32, rows: V) {
        // SAFETY: at a unit from `take` there are 32 aligned words.
        unsafe { rows.write(self.at(unit)) }
    }

    /// One of the rows that start at a unit.
    #[inline(always)]
    pub fn row<V: Lanes>(self, unit: u32, row: u32) -> u32 {
        // SAFETY: at a unit from `take` there are 32 aligned words.
        unsafe { V::read_lane(self.at(unit), row) }
    }

    /// One of the rows that start at a unit, all of which were loaded before.
    #[inline(always)]
    pub fn row_of<V: Lanes>(self, unit: u32, rows: V, row: u32) -> u32 {
        // SAFETY: at a unit from `take` there are 32 aligned words.
        unsafe { rows.lane_of(self.at(unit), row) }
    }

    /// The first bit of the rows that start at a unit, as (row, column); 0 and 0 if there is none.
    #[inline(always)]
    pub fn first<V: Lanes>(self, unit: u32) -> (u32, u32) {
        let rows: V = self.load(unit);
        let row = rows.ballot().trailing_zeros() & 31;
        (row, self.row_of(unit, rows, row).trailing_zeros() & 31)
    }

    /// The last bit of the rows that start at a unit, as (row, column); 31 and 31 if there is none.
    #[inline(always)]
    pub fn last<V: Lanes>(self, unit: u32) -> (u32, u32) {
        let rows: V = self.load(unit);
        let row = 31 - (rows.ballot().leading_zeros() & 31);
        (row, 31 - (self.row_of(unit, rows, row).leading_zeros() & 31))
    }

    /// Adds bits to one of the rows that start at a unit.
    #[inline(always)]
    pub fn mark<V: Lanes>(self, unit: u32, row: u32, bits: u32) {
        // SAFETY: at a unit from `take` there are 32 aligned words.
        unsafe { V::mark_lane(self.at(unit), row, bits) }
    }

    /// Adds the bits of 32 rows to those that start so many rows after a unit; all of them were
    /// taken together.
    #[inline(always)]
    pub fn merge<V: Lanes>(self, unit: u32, row: u32, rows: V) {
        // SAFETY: whoever took them took at least 32 rows from that one on.
        unsafe { rows.merge(self.at(unit).add(row as usize)) }
    }

    /// The first row in which the rows at two units differ, with both rows.
    #[inline(always)]
    pub fn first_unlike<V: Lanes>(self, a: u32, b: u32) -> Option<(u32, u32, u32)> {
        // SAFETY: at units from `take` there are 32 aligned words.
        unsafe { V::first_unlike(self.at(a), self.at(b)) }
    }

    /// The k-th value of an array that starts at a unit.
    #[inline(always)]
    pub fn val(self, unit: u32, k: u32) -> Val {
        // SAFETY: arrays are taken whole, and k is below the length they were taken for.
        unsafe { get(self.at(unit).cast::<Val>().add(k as usize)) }
    }

    /// Sets the k-th value of an array that starts at a unit.
    #[inline(always)]
    pub fn put(self, unit: u32, k: u32, v: Val) {
        // All threads of a warp write the same; none may write before all have read.
        #[cfg(target_arch = "nvptx64")]
        self.chunk.before_write();
        // SAFETY: arrays are taken whole, and k is below the length they were taken for.
        unsafe { set(self.at(unit).cast::<Val>().add(k as usize), v) }
    }

    /// Sets the k-th value of an array, as one of several that share the values out. Those who read
    /// it meet first.
    #[inline(always)]
    pub fn put_own(self, unit: u32, k: u32, v: Val) {
        // SAFETY: arrays are taken whole, and k is below the length they were taken for.
        unsafe { set(self.at(unit).cast::<Val>().add(k as usize), v) }
    }

    /// The k-th of the words that start at a unit.
    #[inline(always)]
    pub fn word(self, unit: u32, k: u32) -> u32 {
        // SAFETY: rows are taken together, and k is below the number of words they were taken for.
        unsafe { get(self.at(unit).add(k as usize)) }
    }

    /// Sets the k-th of the words that start at a unit, as one of several that share them out. Those who
    /// read it meet first.
    #[inline(always)]
    pub fn put_own_word(self, unit: u32, k: u32, word: u32) {
        // SAFETY: rows are taken together, and k is below the number of words they were taken for.
        unsafe { set(self.at(unit).add(k as usize), word) }
    }

    /// Adds to the k-th of the words that start at a unit, as one of several that may do so; what it was.
    #[inline(always)]
    pub fn add_word(self, unit: u32, k: u32, n: u32) -> u32 {
        // SAFETY: rows are taken together, and k is below the number of words they were taken for.
        let word = unsafe { self.at(unit).add(k as usize) };
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: as above; whoever else changes the word meanwhile does it as one step, too.
        unsafe {
            use core::sync::atomic::{AtomicU32, Ordering};
            (*word.cast::<AtomicU32>()).fetch_add(n, Ordering::Relaxed)
        }
        #[cfg(not(target_arch = "nvptx64"))]
        // SAFETY: as above.
        unsafe {
            let before = *word;
            *word = before.wrapping_add(n);
            before
        }
    }

    /// Sets bits of the k-th of the words that start at a unit, as one of several that may do so.
    #[inline(always)]
    pub fn or_word(self, unit: u32, k: u32, bits: u32) {
        // SAFETY: rows are taken together, and k is below the number of words they were taken for.
        let word = unsafe { self.at(unit).add(k as usize) };
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: as above; whoever else changes the word meanwhile does it as one step, too.
        unsafe {
            use core::sync::atomic::{AtomicU32, Ordering};
            (*word.cast::<AtomicU32>()).fetch_or(bits, Ordering::Relaxed);
        }
        #[cfg(not(target_arch = "nvptx64"))]
        // SAFETY: as above.
        unsafe {
            *word |= bits;
        }
    }

    /// Makes the k-th of the words that start at a unit at least as large, as one of several that may do
    /// so; what it was.
    #[inline(always)]
    pub fn raise_word(self, unit: u32, k: u32, least: u32) -> u32 {
        // SAFETY: rows are taken together, and k is below the number of words they were taken for.
        let word = unsafe { self.at(unit).add(k as usize) };
        #[cfg(target_arch = "nvptx64")]
        // SAFETY: as above; whoever else changes the word meanwhile does it as one step, too.
        unsafe {
            use core::sync::atomic::{AtomicU32, Ordering};
            (*word.cast::<AtomicU32>()).fetch_max(least, Ordering::Relaxed)
        }
        #[cfg(not(target_arch = "nvptx64"))]
        // SAFETY: as above.
        unsafe {
            let before = *word;
            *word = least.max(before);
            before
        }
    }

    /// Takes `n` bytes.
    #[inline(always)]
    pub fn take_bytes(self, n: u32) -> Option<u32> {
        self.take(n.div_ceil(ROWS * UNIT as u32 * 4).max(1))
    }

    /// The k-th of some bytes that start at a unit.
    #[inline(always)]
    pub fn byte(self, unit: u32, k: u32) -> u8 {
        // SAFETY: bytes are taken together, and k is below the number they were taken for.
        unsafe { *self.at(unit).cast::<u8>().add(k as usize) }
    }

    /// Sets the k-th of some bytes that start at a unit.
    #[inline(always)]
    pub fn put_byte(self, unit: u32, k: u32, byte: u8) {
        // As for values.
        #[cfg(target_arch = "nvptx64")]
        self.chunk.before_write();
        // SAFETY: bytes are taken together, and k is below the number they were taken for.
        unsafe { *self.at(unit).cast::<u8>().add(k as usize) = byte }
    }

    /// Sets the k-th of some bytes, as one of several that share them out. Those who read it meet
    /// first.
    #[inline(always)]
    pub fn put_own_byte(self, unit: u32, k: u32, byte: u8) {
        // SAFETY: bytes are taken together, and k is below the number they were taken for.
        unsafe { *self.at(unit).cast::<u8>().add(k as usize) = byte }
    }

    /// Eight bytes from the k-th on of some that start at a unit, the first one lowest.
    #[inline(always)]
    pub fn eight_bytes(self, unit: u32, k: u32) -> u64 {
        // SAFETY: bytes are taken together, and k + 8 is at most the number they were taken for.
        let bytes = unsafe { self.at(unit).cast::<u8>().add(k as usize).cast::<[u8; 8]>().read() };
        u64::from_le_bytes(bytes)
    }

    /// Sets eight bytes from the k-th on of some that start at a unit, the first one lowest. For one who
    /// has them for himself.
    #[inline(always)]
    pub fn put_eight_bytes(self, unit: u32, k: u32, bytes: u64) {
        // SAFETY: bytes are taken together, and k + 8 is at most the number they were taken for.
        unsafe {
            self.at(unit).cast::<u8>().add(k as usize).cast::<[u8; 8]>().write(bytes.to_le_bytes());
        }
    }

    /// Sets `n` bytes to those that lie elsewhere: unit and number of the first ones.
    #[inline(always)]
    #[cfg(target_arch = "nvptx64")]
    pub fn copy_bytes(self, to: (u32, u32), from: (u32, u32), n: u32) {
        // There is no memmove on a device; whoever copies fills new bytes from older ones.
        let (mut k, step) = self.chunk.share();
        self.chunk.before_write();
        while k < n {
            self.put_own_byte(to.0, to.1 + k, self.byte(from.0, from.1 + k));
            k += step;
        }
        self.chunk.before_write();
    }

    /// Sets `n` bytes to those that lie elsewhere: unit and number of the first ones.
    #[inline(always)]
    #[cfg(not(target_arch = "nvptx64"))]
    pub fn copy_bytes(self, to: (u32, u32), from: (u32, u32), n: u32) {
        // SAFETY: both lie within bytes that were taken together, and `copy` lets them overlap.
        unsafe {
            let source = self.at(from.0).cast::<u8>().add(from.1 as usize);
            let target = self.at(to.0).cast::<u8>().add(to.1 as usize);
            core::ptr::copy(source, target, n as usize);
        }
    }
}
