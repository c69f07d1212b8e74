//! Lanes on a GPU: one word per thread of a warp.
//!
//! Shuffles and votes are LLVM's intrinsics and not inline assembly, so that the compiler knows that
//! all threads must come to them together. Write `&`, not `&&`, around what votes.

#![allow(unsafe_code)]

use core::arch::nvptx::_thread_idx_x;
use core::arch::{asm, global_asm};
use core::ops::{BitAnd, BitOr, BitXor, Not};

use super::Lanes;
use crate::chunk::place;
use crate::columns::THREADS;
use crate::global::{get, set};

unsafe extern "C" {
    #[link_name = "llvm.nvvm.shfl.sync.idx.i32"]
    safe fn shuffle(members: u32, word: u32, lane: u32, clamp: u32) -> u32;
    #[link_name = "llvm.nvvm.shfl.sync.bfly.i32"]
    safe fn shuffle_xor(members: u32, word: u32, lanes: u32, clamp: u32) -> u32;
    #[link_name = "llvm.nvvm.vote.ballot.sync"]
    safe fn vote_ballot(members: u32, holds: bool) -> u32;
    #[link_name = "llvm.nvvm.vote.any.sync"]
    safe fn vote_any(members: u32, holds: bool) -> bool;
    #[link_name = "llvm.nvvm.bar.warp.sync"]
    safe fn meet(members: u32);
    #[link_name = "llvm.nvvm.read.ptx.sreg.laneid"]
    safe fn laneid() -> u32;
}

const ALL: u32 = u32::MAX;

/// This thread's lane.
#[inline(always)]
pub fn lane() -> u32 {
    laneid()
}

/// Waits for all threads of the warp; what they wrote before is seen by all after.
#[inline(always)]
pub fn together() {
    meet(ALL);
}

global_asm!(".shared .align 4 .b8 desks[{size}];", size = const THREADS * 4);

/// Where this warp has a word of the block's memory for each of its threads.
#[inline(always)]
fn desk() -> u32 {
    // SAFETY: this reads a register, and the address of what is declared above.
    unsafe { place!("desks") + (_thread_idx_x() as u32 & !31) * 4 }
}

/// Reads a word of the block's memory.
#[inline(always)]
fn word(at: u32) -> u32 {
    let found: u32;
    // SAFETY: only words of desks are read.
    unsafe {
        asm!("ld.shared.b32 {0}, [{1}];", out(reg32) found, in(reg32) at, options(nostack));
    }
    found
}

/// Writes a word of the block's memory.
#[inline(always)]
fn put_word(at: u32, to: u32) {
    // SAFETY: only words of desks are written.
    unsafe { asm!("st.shared.b32 [{0}], {1};", in(reg32) at, in(reg32) to, options(nostack)) }
}

/// Sets bits of a word of the block's memory, as one of several that may do so.
#[inline(always)]
fn add_bits(at: u32, bits: u32) {
    // SAFETY: as above.
    unsafe {
        asm!(
            "atom.shared.or.b32 {0}, [{1}], {2};",
            out(reg32) _,
            in(reg32) at,
            in(reg32) bits,
            options(nostack),
        );
    }
}

/// One row of 32, each held by a thread of the warp.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Gpu(pub u32);

impl BitAnd for Gpu {
    type Output = Gpu;
    #[inline(always)]
    fn bitand(self, other: Gpu) -> Gpu {
        Gpu(self.0 & other.0)
    }
}

impl BitOr for Gpu {
    type Output = Gpu;
    #[inline(always)]
    fn bitor(self, other: Gpu) -> Gpu {
        Gpu(self.0 | other.0)
    }
}

impl BitXor for Gpu {
    type Output = Gpu;
    #[inline(always)]
    fn bitxor(self, other: Gpu) -> Gpu {
        Gpu(self.0 ^ other.0)
    }
}

impl Not for Gpu {
    type Output = Gpu;
    #[inline(always)]
    fn not(self) -> Gpu {
        Gpu(!self.0)
    }
}

/// The word of lane `from`, zero for lanes outside 0 to 31.
#[inline(always)]
fn fetch(word: u32, from: u32) -> u32 {
    let found = shuffle(ALL, word, from & 31, 31);
    if from < 32 { found } else { 0 }
}

/// What all lanes have, put together two by two.
#[inline(always)]
fn across(word: u32, join: impl Fn(u32, u32) -> u32) -> u32 {
    let x = join(word, shuffle_xor(ALL, word, 16, 31));
    let x = join(x, shuffle_xor(ALL, x, 8, 31));
    let x = join(x, shuffle_xor(ALL, x, 4, 31));
    let x = join(x, shuffle_xor(ALL, x, 2, 31));
    join(x, shuffle_xor(ALL, x, 1, 31))
}

/// One step of a transpose: swaps the off-diagonal blocks of `half` rows and columns.
#[inline(always)]
fn swap(word: u32, half: u32, low: u32) -> u32 {
    let other = shuffle_xor(ALL, word, half, 31);
    if laneid() & half == 0 {
        (word & low) | ((other & low) << half)
    } else {
        (word & !low) | ((other & !low) >> half)
    }
}

impl Lanes for Gpu {
    type Out = Gpu;
    type Widest = Gpu;

    #[inline(always)]
    fn from_out(rows: Gpu) -> Gpu {
        rows
    }

    #[inline(always)]
    fn to_out(self) -> Gpu {
        self
    }

    const APART: bool = true;
    const SHARERS: u32 = 32;

    #[inline(always)]
    fn sharer() -> u32 {
        laneid()
    }

    #[inline(always)]
    fn each(n: u32, mut f: impl FnMut(u32)) {
        let mut k = laneid();
        while k < n {
            f(k);
            k += 32;
        }
        together();
    }

    #[inline(always)]
    fn read_each<T: Copy>(n: u32, read: impl Fn(u32) -> T, mut see: impl FnMut(u32, T)) {
        let mut k = laneid();
        while k + 96 < n {
            let [a, b, c, d] = [read(k), read(k + 32), read(k + 64), read(k + 96)];
            see(k, a);
            see(k + 32, b);
            see(k + 64, c);
            see(k + 96, d);
            k += 128;
        }
        while k < n {
            see(k, read(k));
            k += 32;
        }
        together();
    }

    #[inline(always)]
    fn all(n: u32, f: impl Fn(u32) -> bool) -> bool {
        let (mut k, mut holds) = (laneid(), true);
        // Without a vote in between, several are read at the same time.
        while k + 96 < n {
            holds &= f(k) & f(k + 32) & f(k + 64) & f(k + 96);
            k += 128;
        }
        while k < n {
            holds &= f(k);
            k += 32;
        }
        !vote_any(ALL, !holds)
    }

    #[inline(always)]
    fn find(n: u32, mut f: impl FnMut(u32) -> bool) -> Option<u32> {
        let mut base = 0;
        while base < n {
            let k = base + laneid();
            let mut holds = false;
            if k < n {
                holds = f(k);
            }
            let hits = vote_ballot(ALL, holds);
            if hits != 0 {
                return Some(base + hits.trailing_zeros());
            }
            base += 32;
        }
        None
    }

    #[inline(always)]
    fn pick(n: u32, holds: impl Fn(u32) -> bool, put: impl Fn(u32, u32)) -> u32 {
        let (mut count, mut base) = (0, 0);
        while base < n {
            let k = base + laneid();
            let mut mine = false;
            if k < n {
                mine = holds(k);
            }
            let hits = vote_ballot(ALL, mine);
            if mine {
                put(count + (hits & ((1 << laneid()) - 1)).count_ones(), k);
            }
            count += hits.count_ones();
            base += 32;
        }
        together();
        count
    }

    #[inline(always)]
    fn tally(n: u32, read: impl Fn(u32) -> u32) -> (Self, bool) {
        let (mut mine, mut past, mut base) = (0, 0, 0);
        while base < n {
            let k = base + laneid();
            let mut x = 0;
            if k < n {
                x = read(k);
            }
            past |= x >> 5;
            // A bit of 32 numbers at a time; of those that are like this lane's in all bits there are so many.
            let (mut like, mut bit) = (vote_ballot(ALL, k < n), 0);
            while bit < 5 {
                let own = 0u32.wrapping_sub(laneid() >> bit & 1);
                like &= !(vote_ballot(ALL, x >> bit & 1 != 0) ^ own);
                bit += 1;
            }
            mine += like.count_ones();
            base += 32;
        }
        (Gpu(mine), Gpu(past).any())
    }

    #[inline(always)]
    fn unfold(n: u32, word: impl Fn(u32) -> u32, put: impl Fn(u32, u32, u32)) -> u32 {
        let (mut count, mut base) = (0, 0);
        while base < n {
            let k = base + laneid();
            let mut bits = 0;
            if k < n {
                bits = word(k);
            }
            let (before, all) = Gpu::before(bits.count_ones());
            let mut at = count + before;
            while bits != 0 {
                put(at, k, bits.trailing_zeros());
                bits &= bits - 1;
                at += 1;
            }
            count += all;
            base += 32;
        }
        together();
        count
    }

    #[inline(always)]
    fn joined(x: u32) -> u32 {
        Gpu(x).or_all()
    }

    #[inline(always)]
    fn least(x: i32) -> i32 {
        across(x as u32, |a, b| (a as i32).min(b as i32) as u32) as i32
    }

    #[inline(always)]
    fn most(x: i32) -> i32 {
        across(x as u32, |a, b| (a as i32).max(b as i32) as u32) as i32
    }

    #[inline(always)]
    fn added(x: u32) -> u32 {
        across(x, u32::saturating_add)
    }

    #[inline(always)]
    fn before(x: u32) -> (u32, u32) {
        let mut all = Gpu(x);
        let mut step = 1;
        while step < 32 {
            all = all.add(all.rows(step));
            step *= 2;
        }
        (all.0 - x, all.get(31))
    }

    #[inline(always)]
    fn meet() {
        together();
    }

    #[inline(always)]
    fn each_row(self, mut f: impl FnMut(u32, u32)) {
        f(laneid(), self.0);
        together();
    }

    #[inline(always)]
    fn made(row: impl Fn(u32) -> u32) -> Gpu {
        Gpu(row(laneid()))
    }

    #[inline(always)]
    fn own(self, _row: u32) -> u32 {
        self.0
    }

    #[inline(always)]
    fn gathered(n: u32, place: impl Fn(u32) -> Option<(u32, u32)>) -> Gpu {
        let rows = desk();
        put_word(rows + laneid() * 4, 0);
        together();
        let mut k = laneid();
        while k < n {
            if let Some((i, j)) = place(k)
                && i < 32
            {
                add_bits(rows + i * 4, 1 << (j & 31));
            }
            k += 32;
        }
        together();
        let own = word(rows + laneid() * 4);
        // Nobody may write here again before all have read.
        together();
        Gpu(own)
    }

    #[inline(always)]
    unsafe fn read(from: *const u32) -> Gpu {
        // SAFETY: the caller says that 32 words are there.
        Gpu(unsafe { get(from.add(laneid() as usize)) })
    }

    #[inline(always)]
    unsafe fn write(self, to: *mut u32) {
        // SAFETY: the caller says that 32 words are there.
        unsafe { set(to.add(laneid() as usize), self.0) }
    }

    #[inline(always)]
    unsafe fn merge(self, to: *mut u32) {
        // The word may have been another thread's before, and may be again.
        together();
        // SAFETY: the caller says that 32 words are there.
        unsafe {
            let to = to.add(laneid() as usize);
            set(to, get(to) | self.0);
        }
        together();
    }

    #[inline(always)]
    fn splat(x: u32) -> Gpu {
        Gpu(x)
    }

    #[inline(always)]
    fn iota() -> Gpu {
        Gpu(laneid())
    }

    #[inline(always)]
    fn add(self, other: Gpu) -> Gpu {
        Gpu(self.0.wrapping_add(other.0))
    }

    #[inline(always)]
    fn mul(self, k: u32) -> Gpu {
        Gpu(self.0.wrapping_mul(k))
    }

    #[inline(always)]
    fn shl(self, n: u32) -> Gpu {
        Gpu(if n < 32 { self.0 << (n & 31) } else { 0 })
    }

    #[inline(always)]
    fn shr(self, n: u32) -> Gpu {
        Gpu(if n < 32 { self.0 >> (n & 31) } else { 0 })
    }

    #[inline(always)]
    fn rows(self, n: i32) -> Gpu {
        Gpu(fetch(self.0, laneid().wrapping_sub(n as u32)))
    }

    #[inline(always)]
    fn down(self) -> Gpu {
        Gpu(fetch(self.0, laneid().wrapping_sub(1)))
    }

    #[inline(always)]
    fn up(self) -> Gpu {
        Gpu(fetch(self.0, laneid() + 1))
    }

    #[inline(always)]
    fn flip(self, n: u32) -> Gpu {
        Gpu(fetch(self.0, n.wrapping_sub(1).wrapping_sub(laneid())))
    }

    #[inline(always)]
    fn stretch(self, n: u32) -> Gpu {
        Gpu(fetch(self.0, laneid() / n.max(1)))
    }

    #[inline(always)]
    fn reverse(self) -> Gpu {
        Gpu(self.0.reverse_bits())
    }

    #[inline(always)]
    fn transpose(self) -> Gpu {
        let x = swap(self.0, 16, 0x0000_ffff);
        let x = swap(x, 8, 0x00ff_00ff);
        let x = swap(x, 4, 0x0f0f_0f0f);
        let x = swap(x, 2, 0x3333_3333);
        Gpu(swap(x, 1, 0x5555_5555))
    }

    #[inline(always)]
    fn popcount(self) -> Gpu {
        Gpu(self.0.count_ones())
    }

    #[inline(always)]
    fn get(self, lane: u32) -> u32 {
        shuffle(ALL, self.0, lane & 31, 31)
    }

    #[inline(always)]
    fn put(lane: u32, v: u32) -> Gpu {
        Gpu(if laneid() == lane & 31 { v } else { 0 })
    }

    #[inline(always)]
    fn below(n: u32) -> Gpu {
        Gpu(if laneid() < n { u32::MAX } else { 0 })
    }

    #[inline(always)]
    fn filled(self) -> Gpu {
        Gpu(if self.0 == 0 { 0 } else { u32::MAX })
    }

    #[inline(always)]
    fn ballot(self) -> u32 {
        vote_ballot(ALL, self.0 != 0)
    }

    #[inline(always)]
    fn or_all(self) -> u32 {
        let x = self.0 | shuffle_xor(ALL, self.0, 16, 31);
        let x = x | shuffle_xor(ALL, x, 8, 31);
        let x = x | shuffle_xor(ALL, x, 4, 31);
        let x = x | shuffle_xor(ALL, x, 2, 31);
        x | shuffle_xor(ALL, x, 1, 31)
    }

    #[inline(always)]
    fn sum(self) -> u32 {
        let x = self.0.wrapping_add(shuffle_xor(ALL, self.0, 16, 31));
        let x = x.wrapping_add(shuffle_xor(ALL, x, 8, 31));
        let x = x.wrapping_add(shuffle_xor(ALL, x, 4, 31));
        let x = x.wrapping_add(shuffle_xor(ALL, x, 2, 31));
        x.wrapping_add(shuffle_xor(ALL, x, 1, 31))
    }

    #[inline(always)]
    fn any(self) -> bool {
        vote_any(ALL, self.0 != 0)
    }
}
