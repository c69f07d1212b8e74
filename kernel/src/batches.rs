//! The operands of several rows at once. A row's operands are found by an index, then in a column, and
//! what they hold in the arena: a warp that asked for one row after the other would wait three times for
//! each. So every lane asks for one operand of one of eight rows, and all lanes find them in the memory
//! of the block.

use core::arch::{asm, global_asm};

use crate::arena::UNIT;
use crate::chunk::place;
use crate::columns::{Memory, THREADS};
use crate::global::get;
use crate::lanes::Lanes;
use crate::lanes::gpu::{Gpu, lane, together};
use crate::rows::{List, Threads};
use crate::val::{Tag, Val};

/// Rows of a batch, and the most operands of each; a power of two.
const ROWS: u32 = 8;
const OPERANDS: u32 = 32 / ROWS;
/// Bytes of a value.
const VALUE: u32 = 16;
/// Bytes that are read together.
const SECTOR: u32 = 32;
/// Bytes from one plane of a grid to the next.
const PLANE: u32 = 128;

global_asm!(
    ".shared .align 16 .b8 operands[{values}];",
    ".shared .align 4 .b8 touched[{words}];",
    values = const THREADS * VALUE,
    words = const THREADS * 4,
);

/// Some rows of a warp, so far apart.
#[derive(Clone, Copy)]
pub struct Batch {
    first: u32,
    apart: u32,
    step: u32,
    rows: u32,
}

impl Threads {
    /// The first rows of this warp, in the order of [`Threads::each_by_warp`].
    #[inline(always)]
    pub fn batches(self, rows: u32) -> Batch {
        let (warp, warps) = (self.warp(), self.warps());
        let (first, apart) = if self.near(rows) { (warp * ROWS, 1) } else { (warp, warps) };
        Batch { first, apart, step: warps * ROWS, rows }
    }
}

impl Batch {
    /// The rows after these.
    #[inline(always)]
    pub fn next(&mut self) {
        self.first += self.step;
    }

    /// Whether there is any row.
    #[inline(always)]
    pub fn is_there(self) -> bool {
        self.first < self.rows
    }

    /// Asks for the operands of all rows, each lane for one.
    #[inline(always)]
    pub unsafe fn ask<const N: usize>(self, memory: &Memory, operands: List) -> Asked {
        let (row, which) = (self.first + lane() / OPERANDS * self.apart, lane() % OPERANDS);
        let mut val = Val::NULL;
        if (which < N as u32) & (row < self.rows) {
            val = operands.get(which).get(row);
            // A single row asks for this itself.
            if self.first + self.apart < self.rows {
                touch(memory, val);
            }
        }
        Asked::new(val, val.is_bad())
    }

    /// Calls `f` with every row, its operands, and whether one of them is bad.
    #[inline(always)]
    pub unsafe fn each<const N: usize>(self, asked: Asked, mut f: impl FnMut(u32, [Val; N], bool)) {
        let mut shown = asked.show();
        let mut row = self.first;
        let end = self.rows.min(row + ROWS * self.apart);
        while row < end {
            let (mut args, mut which) = ([Val::BACK; N], 0);
            while which < N {
                args[which] = shown.value(which as u32);
                which += 1;
            }
            f(row, args, shown.bad % (1 << OPERANDS) != 0);
            shown.at += OPERANDS * VALUE;
            shown.bad >>= OPERANDS;
            row += self.apart;
        }
    }
}

/// Reads of what a value holds as much as four reads bring near, so that a row need not wait for it: the bits
/// of a patch, the first items of an array, the first rows of a grid in each of its planes.
#[inline(always)]
unsafe fn touch(memory: &Memory, val: Val) {
    if val.words()[0] as u8 >= Tag::Mask as u8 {
        let words = (memory.base as *const u32).add(val.a() as usize * UNIT);
        let is_grid = val.is(Tag::Grid) | val.is(Tag::Wide);
        let bits = val.is(Tag::Mask) | val.is(Tag::Object);
        let apart = if is_grid { PLANE } else { SECTOR };
        // Of an array no more than there is.
        let last = if is_grid | bits { 3 } else { (val.x() * VALUE / SECTOR).min(3) };
        let part = |k: u32| get(words.add((k.min(last) * (apart / 4)) as usize));
        // Nobody needs it, but what nobody needs is not read.
        let all = part(0) ^ part(1) ^ part(2) ^ part(3);
        let at = place!("touched") + Threads::of_block() * 4;
        asm!("st.shared.b32 [{0}], {1};", in(reg32) at, in(reg32) all, options(nostack));
    }
}

/// What a lane has asked for, and of all lanes whether it is bad.
#[derive(Clone, Copy)]
pub struct Asked {
    val: Val,
    bad: u32,
}

impl Asked {
    /// What this lane has, and whether it is bad.
    #[inline(always)]
    pub fn new(val: Val, bad: bool) -> Asked {
        Asked { val, bad: Gpu(u32::from(bad)).ballot() }
    }

    /// Shows it to all lanes.
    #[inline(always)]
    pub unsafe fn show(self) -> Shown {
        let at = place!("operands") + (Threads::of_block() & !31) * VALUE;
        let (low, high) = self.val.two_words();
        // Nobody may still have to read what was shown before.
        together();
        asm!(
            "st.shared.v2.b64 [{0}], {{{1}, {2}}};",
            in(reg32) at + lane() * VALUE,
            in(reg64) low,
            in(reg64) high,
            options(nostack),
        );
        together();
        Shown { at, bad: self.bad }
    }
}

/// The operands of some rows, which all lanes see.
#[derive(Clone, Copy)]
pub struct Shown {
    at: u32,
    /// Whose are bad.
    pub bad: u32,
}

impl Shown {
    /// What a lane showed.
    #[inline(always)]
    pub unsafe fn value(self, lane: u32) -> Val {
        let (low, high): (u64, u64);
        asm!(
            "ld.shared.v2.b64 {{{0}, {1}}}, [{2}];",
            out(reg64) low,
            out(reg64) high,
            in(reg32) self.at + lane * VALUE,
            options(readonly, nostack),
        );
        Val::from_words(low, high)
    }
}
