//! The arena on a GPU: all warps take from one count, a chunk at a time.

#![allow(unsafe_code)]

use core::sync::atomic::{AtomicU32, Ordering};

use crate::arena::{Cx, LINE, ROWS, VALS};
use crate::lanes::Lanes;
use crate::lanes::gpu::{Gpu, lane, together};

/// What a warp has taken and not used yet. Every thread has its own copy, all of them equal.
#[derive(Debug)]
pub struct Chunk {
    /// Units taken in all, by everybody.
    taken: *const AtomicU32,
    /// How many units there are.
    limit: u32,
    /// How many units to take at least.
    grain: u32,
    /// Whether the threads of the warp work on one row together.
    warp: bool,
    first: u32,
    next: u32,
    end: u32,
}

impl Chunk {
    /// Nothing yet, from the count at `taken`, of an arena of `limit` units.
    ///
    /// # Safety
    ///
    /// `taken` stays valid while the chunk is in use.
    #[inline(always)]
    pub unsafe fn new(taken: *const u32, limit: u32, grain: u32, warp: bool) -> Chunk {
        Chunk { taken: taken.cast(), limit, grain, warp, first: 0, next: 0, end: 0 }
    }
}

/// Makes sure that no thread of the warp still has to read what is written next.
#[inline(always)]
pub(crate) fn before_write(chunk: *const Chunk) {
    // SAFETY: valid by the contract of `Cx::new`.
    if unsafe { (*chunk).warp } {
        together();
    }
}

/// With which of some bytes a thread begins, and how far apart its bytes are.
#[inline(always)]
pub(crate) fn share(chunk: *const Chunk) -> (u32, u32) {
    // SAFETY: valid by the contract of `Cx::new`.
    if unsafe { (*chunk).warp } { (lane(), 32) } else { (0, 1) }
}

/// Takes a new chunk that holds at least `n` units; `false` when the arena is full.
#[inline(never)]
fn refill(chunk: &mut Chunk, n: u32) -> bool {
    let end = chunk.limit;
    // Whole lines, so that every chunk begins with one.
    let want = n.max(chunk.grain).next_multiple_of(LINE);
    let reserve = || {
        // SAFETY: valid by the contract of `Chunk::new`.
        let taken = unsafe { &*chunk.taken };
        // Past the end the count stands still, so that it cannot wrap around.
        if taken.load(Ordering::Relaxed) > end {
            return u32::MAX;
        }
        taken.fetch_add(want, Ordering::Relaxed)
    };
    let first = if chunk.warp {
        let mut first = 0;
        if lane() == 0 {
            first = reserve();
        }
        Gpu(first).get(0)
    } else {
        reserve()
    };
    if first > end || want > end - first {
        return false;
    }
    (chunk.first, chunk.next, chunk.end) = (first, first, first + want);
    true
}

impl Cx {
    /// A handle on the units of memory at `base`, taken through a chunk.
    ///
    /// # Safety
    ///
    /// `base` points to as many units as the chunk's arena has, aligned to 64 bytes. Both stay valid while the handle or a copy
    /// of it is in use, and `chunk` is this thread's own.
    #[inline(always)]
    pub unsafe fn new(base: *mut u32, chunk: *mut Chunk) -> Cx {
        Cx { base, chunk }
    }

    #[inline(always)]
    fn chunk<'a>(self) -> &'a mut Chunk {
        // SAFETY: valid by the contract of `new`.
        unsafe { &mut *self.chunk }
    }

    #[inline(always)]
    fn take_units(self, n: u32, align: u32) -> Option<u32> {
        let chunk = self.chunk();
        let mut unit = chunk.next.next_multiple_of(align);
        if unit + n > chunk.end {
            if !refill(chunk, n) {
                return None;
            }
            unit = chunk.next;
        }
        chunk.next = unit + n;
        Some(unit)
    }

    /// Takes room for `n` times 32 rows, which start [`ROWS`] units apart; `None` when the arena is
    /// full.
    #[inline(always)]
    pub fn take(self, n: u32) -> Option<u32> {
        self.take_units(n * ROWS, LINE)
    }

    /// Takes an array of `len` values.
    #[inline(always)]
    pub fn take_vals(self, len: u32) -> Option<u32> {
        self.take_units(len.div_ceil(VALS).max(1), 1)
    }

    /// A mark for [`Cx::release`].
    #[inline(always)]
    pub fn taken(self) -> u32 {
        self.chunk().next
    }

    /// Whether it is still known what was taken after a mark.
    #[inline(always)]
    pub fn knows(self, mark: u32) -> bool {
        let chunk = self.chunk();
        mark >= chunk.first && mark <= chunk.next
    }

    /// Gives back what was taken after a mark, where that is still known.
    #[inline(always)]
    pub fn release(self, mark: u32) {
        if self.knows(mark) {
            self.chunk().next = mark;
        }
    }
}
