//! The arena on a GPU: all warps take from one count, a chunk at a time.
//!
//! What a thread has of a chunk it keeps in the memory of its block: it would be a thread's own memory
//! otherwise, and every write to that goes all the way to the memory of the device.

#![allow(unsafe_code)]

use core::arch::nvptx::_thread_idx_x;
use core::arch::{asm, global_asm};

use crate::arena::{Cx, LINE, ROWS, VALS};
use crate::columns::THREADS;
use crate::global::get;
use crate::lanes::Lanes;
use crate::lanes::gpu::{Gpu, lane, together};

/// How many bytes a thread keeps, in two parts that are read and written at once.
const PART: u32 = 16;
/// The bytes of a part of all threads, which lie side by side.
const STEP: u32 = THREADS * PART;

global_asm!(
    ".shared .align 16 .b8 chunks[{size}];",
    ".shared .align 16 .b8 exports[{size}];",
    size = const 2 * STEP,
);

/// What a thread has taken and not used yet: where its words lie, and in the lowest bit whether the
/// threads of its warp work on one row together. Those have equal words then, but each its own: one of
/// them may be ahead of another.
#[derive(Clone, Copy, Debug)]
pub struct Chunk(u32);

/// Where the words of a thread are.
mod word {
    use super::STEP;

    /// The first unit of the chunk, the next one to be used, where the chunk ends, and how many units the
    /// arena has.
    pub const CHUNK: u32 = 0;
    /// The second of those.
    pub const NEXT: u32 = 4;
    /// How many units to take at least, nothing, and where the units are counted that anybody took.
    pub const SOURCE: u32 = STEP;
}

/// Where something lies in the memory of blocks.
macro_rules! place {
    ($name:literal) => {{
        let at: u32;
        // SAFETY: the address of what is declared beside it.
        core::arch::asm!(concat!("mov.b32 {0}, ", $name, ";"), out(reg32) at, options(pure, nomem, nostack));
        at
    }};
}
pub(crate) use place;

/// What a warp had left of its chunk: the next unit, and where it ends.
#[derive(Clone, Copy, Debug, Default)]
pub struct Left {
    /// The next unit to be used.
    pub next: u32,
    /// Where the chunk ends.
    pub end: u32,
}

impl Chunk {
    /// What is left of a chunk from the count at `taken`, of an arena of `limit` units.
    ///
    /// # Safety
    ///
    /// `taken` stays valid while the chunk is in use. A block has no more than [`THREADS`] threads. This
    /// thread has no other chunk from here in use: they have the same words.
    #[inline(always)]
    pub unsafe fn new(taken: *const u32, limit: u32, grain: u32, warp: bool, left: Left) -> Chunk {
        Chunk::start(place!("chunks"), taken, [limit, grain], warp, left)
    }

    /// As [`Chunk::new`], of a second arena, with nothing left.
    ///
    /// # Safety
    ///
    /// As for [`Chunk::new`].
    #[inline(always)]
    pub unsafe fn of_exports(taken: *const u32, limit: u32, grain: u32, warp: bool) -> Chunk {
        Chunk::start(place!("exports"), taken, [limit, grain], warp, Left::default())
    }

    #[inline(always)]
    unsafe fn start(
        at: u32,
        taken: *const u32,
        [limit, grain]: [u32; 2],
        warp: bool,
        left: Left,
    ) -> Chunk {
        // SAFETY: this reads a register.
        let chunk = Chunk(at + _thread_idx_x() as u32 * PART + u32::from(warp));
        chunk.set_all::<{ word::CHUNK }>([left.next, left.next, left.end, limit]);
        let taken = taken as u64;
        chunk.set_all::<{ word::SOURCE }>([grain, 0, taken as u32, (taken >> 32) as u32]);
        chunk
    }

    /// What is left of it.
    #[inline(always)]
    pub fn left(self) -> Left {
        let [_, next, end, _] = self.get_all::<{ word::CHUNK }>();
        Left { next, end }
    }

    #[inline(always)]
    fn warp(self) -> bool {
        self.0 & 1 != 0
    }

    #[inline(always)]
    fn get_all<const AT: u32>(self) -> [u32; 4] {
        let (a, b, c, d): (u32, u32, u32, u32);
        // SAFETY: the words of this thread, which nobody else reads or writes.
        unsafe {
            asm!(
                "ld.shared.v4.b32 {{{0}, {1}, {2}, {3}}}, [{4}+{5}];",
                out(reg32) a,
                out(reg32) b,
                out(reg32) c,
                out(reg32) d,
                in(reg32) self.0 & !1,
                const AT,
                options(readonly, nostack),
            );
        }
        [a, b, c, d]
    }

    #[inline(always)]
    fn set_all<const AT: u32>(self, [a, b, c, d]: [u32; 4]) {
        // SAFETY: as above.
        unsafe {
            asm!(
                "st.shared.v4.b32 [{0}+{5}], {{{1}, {2}, {3}, {4}}};",
                in(reg32) self.0 & !1,
                in(reg32) a,
                in(reg32) b,
                in(reg32) c,
                in(reg32) d,
                const AT,
                options(nostack),
            );
        }
    }

    #[inline(always)]
    fn set_next(self, to: u32) {
        // SAFETY: as above.
        unsafe {
            asm!(
                "st.shared.b32 [{0}+{2}], {1};",
                in(reg32) self.0 & !1,
                in(reg32) to,
                const word::NEXT,
                options(nostack),
            );
        }
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
    let [_, next, _, limit] = chunk.get_all::<{ word::CHUNK }>();
    // Once it is full it stays full for this warp, so that the count cannot wrap around.
    if next > limit {
        return None;
    }
    let [grain, _, low, high] = chunk.get_all::<{ word::SOURCE }>();
    // Whole lines, so that every chunk begins with one.
    let want = n.max(grain).next_multiple_of(LINE);
    let taken = u64::from(low) | u64::from(high) << 32;
    let first = if chunk.warp() {
        let mut first = 0;
        if lane() == 0 {
            // SAFETY: valid by the contract of `Chunk::new`.
            first = unsafe { add(taken, want) };
        }
        Gpu(first).get(0)
    } else {
        // Threads alone are many, and forget that it is full.
        // SAFETY: as above.
        unsafe { if get(taken as *const u32) > limit { FULL } else { add(taken, want) } }
    };
    if first > limit || want > limit - first {
        chunk.set_all::<{ word::CHUNK }>([FULL, FULL, 0, limit]);
        return None;
    }
    chunk.set_all::<{ word::CHUNK }>([first, first + n, first + want, limit]);
    Some(first)
}

/// The next unit where the arena is full: past the end of any.
const FULL: u32 = 1 << 31;

/// Adds to a count of the device's memory, and gives what it was.
#[inline(always)]
unsafe fn add(at: u64, n: u32) -> u32 {
    let before: u32;
    asm!(
        "atom.global.add.u32 {0}, [{1}], {2};",
        out(reg32) before,
        in(reg64) at,
        in(reg32) n,
        options(nostack),
    );
    before
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

    /// What is left of its chunk.
    #[inline(always)]
    pub fn left(self) -> Left {
        self.chunk.left()
    }

    #[inline(always)]
    fn take_units(self, n: u32, align: u32) -> Option<u32> {
        let chunk = self.chunk;
        let Left { next, end } = chunk.left();
        let unit = next.next_multiple_of(align);
        if unit + n > end {
            return refill(chunk, n);
        }
        chunk.set_next(unit + n);
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
        self.chunk.left().next
    }

    /// Whether it is still known what was taken after a mark.
    #[inline(always)]
    pub fn knows(self, mark: u32) -> bool {
        let [first, next, ..] = self.chunk.get_all::<{ word::CHUNK }>();
        mark >= first && mark <= next
    }

    /// Gives back what was taken after a mark, where that is still known.
    #[inline(always)]
    pub fn release(self, mark: u32) {
        if self.knows(mark) {
            self.chunk.set_next(mark);
        }
    }
}
