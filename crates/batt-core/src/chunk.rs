//! The arena on a GPU: all warps take from one count, a chunk at a time.
//!
//! What a thread has of a chunk it keeps in the memory of its block: it would be a thread's own memory
//! otherwise, and every write to that goes all the way to the memory of the device.

#![allow(unsafe_code)]

use core::arch::nvptx::_thread_idx_x;
use core::arch::{asm, global_asm};
use core::sync::atomic::{AtomicU32, Ordering};

use crate::arena::{Cx, LINE, ROWS, VALS};
use crate::columns::THREADS;
use crate::lanes::Lanes;
use crate::lanes::gpu::{Gpu, lane, together};

/// How many words a thread keeps.
const WORDS: u32 = 7;
/// The bytes between two words of a thread: those of all threads lie side by side.
const STEP: u32 = THREADS * 4;

global_asm!(
    ".shared .align 4 .b8 chunks[{size}];",
    ".shared .align 4 .b8 exports[{size}];",
    size = const WORDS * STEP,
);

/// What a thread has taken and not used yet: where its words lie, and in the lowest bit whether the
/// threads of its warp work on one row together. Those have equal words then.
#[derive(Clone, Copy, Debug)]
pub struct Chunk(u32);

/// The words of a thread.
mod word {
    /// The first unit of the chunk.
    pub const FIRST: u32 = 0;
    /// The next unit to be used.
    pub const NEXT: u32 = 1;
    /// Where the chunk ends.
    pub const END: u32 = 2;
    /// How many units the arena has.
    pub const LIMIT: u32 = 3;
    /// How many units to take at least.
    pub const GRAIN: u32 = 4;
    /// Where the units are counted that anybody took; two words.
    pub const TAKEN: u32 = 5;
}

/// Where the words of all threads lie.
macro_rules! place {
    ($name:literal) => {{
        let at: u32;
        // SAFETY: the address of what is declared above.
        asm!(concat!("mov.b32 {0}, ", $name, ";"), out(reg32) at, options(pure, nomem, nostack));
        at
    }};
}

impl Chunk {
    /// Nothing yet, from the count at `taken`, of an arena of `limit` units.
    ///
    /// # Safety
    ///
    /// `taken` stays valid while the chunk is in use. A block has no more than [`THREADS`] threads. This
    /// thread has no other chunk from here in use: they have the same words.
    #[inline(always)]
    pub unsafe fn new(taken: *const u32, limit: u32, grain: u32, warp: bool) -> Chunk {
        Chunk::start(place!("chunks"), taken, limit, grain, warp)
    }

    /// As [`Chunk::new`], of a second arena.
    ///
    /// # Safety
    ///
    /// As for [`Chunk::new`].
    #[inline(always)]
    pub unsafe fn of_exports(taken: *const u32, limit: u32, grain: u32, warp: bool) -> Chunk {
        Chunk::start(place!("exports"), taken, limit, grain, warp)
    }

    #[inline(always)]
    unsafe fn start(at: u32, taken: *const u32, limit: u32, grain: u32, warp: bool) -> Chunk {
        // SAFETY: this reads a register.
        let chunk = Chunk(at + _thread_idx_x() as u32 * 4 + u32::from(warp));
        chunk.set_all(0, 0, 0);
        chunk.set::<{ word::LIMIT }>(limit);
        chunk.set::<{ word::GRAIN }>(grain);
        chunk.set::<{ word::TAKEN }>(taken as u64 as u32);
        chunk.set::<{ word::TAKEN + 1 }>((taken as u64 >> 32) as u32);
        chunk
    }

    #[inline(always)]
    fn warp(self) -> bool {
        self.0 & 1 != 0
    }

    #[inline(always)]
    fn get<const WORD: u32>(self) -> u32 {
        let word: u32;
        // SAFETY: the words of this thread, which nobody else reads or writes.
        unsafe {
            asm!(
                "ld.shared.b32 {0}, [{1}+{2}];",
                out(reg32) word,
                in(reg32) self.0 & !1,
                const WORD * STEP,
                options(readonly, nostack),
            );
        }
        word
    }

    #[inline(always)]
    fn set<const WORD: u32>(self, to: u32) {
        // SAFETY: as above.
        unsafe {
            asm!(
                "st.shared.b32 [{0}+{2}], {1};",
                in(reg32) self.0 & !1,
                in(reg32) to,
                const WORD * STEP,
                options(nostack),
            );
        }
    }

    #[inline(always)]
    fn set_all(self, first: u32, next: u32, end: u32) {
        self.set::<{ word::FIRST }>(first);
        self.set::<{ word::NEXT }>(next);
        self.set::<{ word::END }>(end);
    }

    /// Makes sure that no thread of the warp still has to read what is written next.
    #[inline(always)]
    pub(crate) fn before_write(self) {
        if self.warp() {
            together();
        }
    }

    /// With which of some bytes a thread begins, and how far apart its bytes are.
    #[inline(always)]
    pub(crate) fn share(self) -> (u32, u32) {
        if self.warp() { (lane(), 32) } else { (0, 1) }
    }
}

/// Takes a new chunk that holds at least `n` units, and of them the first `n`; `None` when the arena is
/// full.
#[inline(never)]
fn refill(chunk: Chunk, n: u32) -> Option<u32> {
    let end = chunk.get::<{ word::LIMIT }>();
    // Whole lines, so that every chunk begins with one.
    let want = n.max(chunk.get::<{ word::GRAIN }>()).next_multiple_of(LINE);
    let low = u64::from(chunk.get::<{ word::TAKEN }>());
    let taken = low | u64::from(chunk.get::<{ word::TAKEN + 1 }>()) << 32;
    let reserve = || {
        // SAFETY: valid by the contract of `Chunk::new`.
        let taken = unsafe { &*(taken as *const AtomicU32) };
        // Past the end the count stands still, so that it cannot wrap around.
        if taken.load(Ordering::Relaxed) > end {
            return u32::MAX;
        }
        taken.fetch_add(want, Ordering::Relaxed)
    };
    let first = if chunk.warp() {
        let mut first = 0;
        if lane() == 0 {
            first = reserve();
        }
        Gpu(first).get(0)
    } else {
        reserve()
    };
    if first > end || want > end - first {
        return None;
    }
    chunk.set_all(first, first + n, first + want);
    Some(first)
}

impl Cx {
    /// A handle on the units of memory at `base`, taken through a chunk.
    ///
    /// # Safety
    ///
    /// `base` points to as many units as the chunk's arena has, aligned to 64 bytes. They stay valid while
    /// the handle or a copy of it is in use, and `chunk` is this thread's own.
    #[inline(always)]
    pub unsafe fn new(base: *mut u32, chunk: Chunk) -> Cx {
        Cx { base, chunk }
    }

    #[inline(always)]
    fn take_units(self, n: u32, align: u32) -> Option<u32> {
        let chunk = self.chunk;
        let unit = chunk.get::<{ word::NEXT }>().next_multiple_of(align);
        if unit + n > chunk.get::<{ word::END }>() {
            return refill(chunk, n);
        }
        chunk.set::<{ word::NEXT }>(unit + n);
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
        self.chunk.get::<{ word::NEXT }>()
    }

    /// Whether it is still known what was taken after a mark.
    #[inline(always)]
    pub fn knows(self, mark: u32) -> bool {
        mark >= self.chunk.get::<{ word::FIRST }>() && mark <= self.taken()
    }

    /// Gives back what was taken after a mark, where that is still known.
    #[inline(always)]
    pub fn release(self, mark: u32) {
        if self.knows(mark) {
            self.chunk.set::<{ word::NEXT }>(mark);
        }
    }
}
