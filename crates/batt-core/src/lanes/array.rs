//! Lanes on a CPU: a plain array, left to the vectoriser.
//!
//! Compiled inside a function with `#[target_feature(enable = "avx2")]` (or AVX-512) the same loops
//! become wide instructions, since everything here is inlined.

use core::array::from_fn;
use core::marker::PhantomData;
use core::ops::{BitAnd, BitOr, BitXor, Not};

use super::moves::{Moves, Plain};
use super::{Lanes, low_bits};
use crate::arena::Cx;

/// 32 rows as an array. `M` is how rows change places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Array<M = Plain>(pub [u32; 32], PhantomData<M>);

/// All bits of 32 rows, with none below.
static FIRST: [u32; 64] = {
    let (mut rows, mut i) = ([0; 64], 0);
    while i < 32 {
        rows[i] = u32::MAX;
        i += 1;
    }
    rows
};

/// All bits of one row, with none above and below.
static ONLY: [u32; 63] = {
    let mut rows = [0; 63];
    rows[31] = u32::MAX;
    rows
};

impl<M: Copy> Array<M> {
    /// So many rows.
    #[inline(always)]
    pub const fn new(rows: [u32; 32]) -> Array<M> {
        Array(rows, PhantomData)
    }

    #[inline(always)]
    fn map(self, f: impl Fn(u32) -> u32) -> Array<M> {
        let mut out = self.0;
        for row in &mut out {
            *row = f(*row);
        }
        Array::new(out)
    }

    #[inline(always)]
    fn zip(self, other: Array<M>, f: impl Fn(u32, u32) -> u32) -> Array<M> {
        let mut out = self.0;
        for (a, b) in out.iter_mut().zip(other.0) {
            *a = f(*a, b);
        }
        Array::new(out)
    }
}

impl<M: Copy> BitAnd for Array<M> {
    type Output = Array<M>;
    #[inline(always)]
    fn bitand(self, other: Array<M>) -> Array<M> {
        self.zip(other, |a, b| a & b)
    }
}

impl<M: Copy> BitOr for Array<M> {
    type Output = Array<M>;
    #[inline(always)]
    fn bitor(self, other: Array<M>) -> Array<M> {
        self.zip(other, |a, b| a | b)
    }
}

impl<M: Copy> BitXor for Array<M> {
    type Output = Array<M>;
    #[inline(always)]
    fn bitxor(self, other: Array<M>) -> Array<M> {
        self.zip(other, |a, b| a ^ b)
    }
}

impl<M: Copy> Not for Array<M> {
    type Output = Array<M>;
    #[inline(always)]
    fn not(self) -> Array<M> {
        self.map(|a| !a)
    }
}

impl<M: Moves> Lanes for Array<M> {
    type Out = Array;
    const COMPACT: bool = M::COMPACT;

    #[inline(always)]
    fn each_row(self, mut f: impl FnMut(u32, u32)) {
        let mut row = 0;
        while row < 32 {
            f(row, self.0[row as usize & 31]);
            row += 1;
        }
    }

    #[inline(always)]
    fn dealt(bits: u32, over: u32) -> u32 {
        M::dealt(bits, over)
    }

    #[inline(always)]
    fn made(row: impl Fn(u32) -> u32) -> Array<M> {
        let (mut rows, mut i) = ([0; 32], 0);
        while i < 32 {
            rows[i as usize & 31] = row(i);
            i += 1;
        }
        Array::new(rows)
    }

    #[inline(always)]
    fn own(self, row: u32) -> u32 {
        self.0[row as usize & 31]
    }

    #[inline(always)]
    #[allow(unsafe_code, clippy::cast_ptr_alignment)]
    unsafe fn read(from: *const u32) -> Array<M> {
        // SAFETY: the caller says that 32 aligned words are there.
        unsafe { from.cast::<Array<M>>().read() }
    }

    #[inline(always)]
    #[allow(unsafe_code, clippy::cast_ptr_alignment)]
    unsafe fn write(self, to: *mut u32) {
        // SAFETY: the caller says that 32 aligned words are there.
        unsafe { to.cast::<Array<M>>().write(self) }
    }

    #[inline(always)]
    #[allow(unsafe_code)]
    unsafe fn merge(self, to: *mut u32) {
        // SAFETY: the caller says that 32 words are there.
        let to = unsafe { &mut *to.cast::<[u32; 32]>() };
        for (to, bits) in to.iter_mut().zip(self.0) {
            *to |= bits;
        }
    }

    #[inline(always)]
    #[allow(unsafe_code)]
    unsafe fn read_lane(from: *const u32, lane: u32) -> u32 {
        // SAFETY: the caller says that 32 words are there.
        unsafe { *from.add((lane & 31) as usize) }
    }

    #[inline(always)]
    #[allow(unsafe_code)]
    unsafe fn read_from(from: *const u32, lane: u32) -> Array<M> {
        // SAFETY: the caller says that 64 words are there.
        Array::new(unsafe { from.add((lane & 31) as usize).cast::<[u32; 32]>().read() })
    }

    #[inline(always)]
    #[allow(unsafe_code)]
    unsafe fn lane_of(self, from: *const u32, lane: u32) -> u32 {
        // SAFETY: the caller says that 32 words are there.
        unsafe { Array::<M>::read_lane(from, lane) }
    }

    #[inline(always)]
    #[allow(unsafe_code)]
    unsafe fn mark_lane(to: *mut u32, lane: u32, bits: u32) {
        // SAFETY: the caller says that 32 words are there.
        unsafe { *to.add((lane & 31) as usize) |= bits }
    }

    /// Word by word: most differ early.
    #[inline(always)]
    #[allow(unsafe_code)]
    unsafe fn first_unlike(a: *const u32, b: *const u32) -> Option<(u32, u32, u32)> {
        // SAFETY: the caller says that 32 words are there.
        let (a, b) = unsafe { (&*a.cast::<[u32; 32]>(), &*b.cast::<[u32; 32]>()) };
        let mut row = 0;
        while row < 32 {
            if a[row] != b[row] {
                return Some((row as u32, a[row], b[row]));
            }
            row += 1;
        }
        None
    }

    #[inline(always)]
    fn gathered(n: u32, place: impl Fn(u32) -> Option<(u32, u32)>) -> Array<M> {
        let (mut rows, mut k) = (Array::new([0; 32]), 0);
        while k < n {
            if let Some((i, j)) = place(k) {
                rows.mark(i, 1 << (j & 31));
            }
            k += 1;
        }
        rows
    }

    #[inline(always)]
    fn mark(&mut self, lane: u32, bits: u32) {
        self.0[(lane & 31) as usize] |= bits;
    }

    #[inline(always)]
    fn any_after(self, row: u32, column: u32) -> bool {
        if self.get(row) & !low_bits(column + 1) != 0 {
            return true;
        }
        let mut row = row + 1;
        while row < 32 && self.get(row) == 0 {
            row += 1;
        }
        row < 32
    }

    #[inline(always)]
    fn splat(x: u32) -> Array<M> {
        Array::new([x; 32])
    }

    #[inline(always)]
    fn iota() -> Array<M> {
        Array::new(from_fn(|i| i as u32))
    }

    #[inline(always)]
    fn add(self, other: Array<M>) -> Array<M> {
        self.zip(other, u32::wrapping_add)
    }

    #[inline(always)]
    fn mul(self, k: u32) -> Array<M> {
        self.map(|a| a.wrapping_mul(k))
    }

    #[inline(always)]
    fn shl(self, n: u32) -> Array<M> {
        // A mask instead of a branch keeps the loop a plain vector shift.
        let keep = if n < 32 { u32::MAX } else { 0 };
        self.map(|a| (a << (n & 31)) & keep)
    }

    #[inline(always)]
    fn shr(self, n: u32) -> Array<M> {
        let keep = if n < 32 { u32::MAX } else { 0 };
        self.map(|a| (a >> (n & 31)) & keep)
    }

    #[inline(always)]
    fn rows(self, n: i32) -> Array<M> {
        if n == 0 { self } else { M::rows(self, n) }
    }

    #[inline(always)]
    fn down(self) -> Array<M> {
        Array::new(from_fn(|i| if i == 0 { 0 } else { self.0[i - 1] }))
    }

    #[inline(always)]
    fn up(self) -> Array<M> {
        Array::new(from_fn(|i| if i == 31 { 0 } else { self.0[i + 1] }))
    }

    #[inline(always)]
    fn flip(self, n: u32) -> Array<M> {
        M::flip(self, n)
    }

    #[inline(always)]
    fn stretch(self, n: u32) -> Array<M> {
        M::stretch(self, n)
    }

    #[inline(always)]
    fn reverse(self) -> Array<M> {
        self.map(u32::reverse_bits)
    }

    #[inline(always)]
    fn transpose(self) -> Array<M> {
        M::transpose(self)
    }

    #[inline(always)]
    fn popcount(self) -> Array<M> {
        self.map(u32::count_ones)
    }

    #[inline(always)]
    fn get(self, lane: u32) -> u32 {
        self.0[(lane & 31) as usize]
    }

    #[inline(always)]
    fn put(lane: u32, v: u32) -> Array<M> {
        // Not written to its place: a processor waits where it reads a vector that it wrote in parts.
        let only = ONLY.get(31 - (lane & 31) as usize..).and_then(<[u32]>::first_chunk);
        Array::new(*only.unwrap_or(&[0; 32])).map(|only| only & v)
    }

    #[inline(always)]
    fn below(n: u32) -> Array<M> {
        // Read and not compared: the vectoriser would compare rows one by one.
        let first = FIRST.get(32 - n.min(32) as usize..).and_then(<[u32]>::first_chunk);
        Array::new(*first.unwrap_or(&[0; 32]))
    }

    #[inline(always)]
    fn filled(self) -> Array<M> {
        self.map(|a| if a == 0 { 0 } else { u32::MAX })
    }

    #[inline(always)]
    fn ballot(self) -> u32 {
        M::ballot(self)
    }

    #[inline(always)]
    fn count(self) -> u32 {
        M::count(self)
    }

    #[inline(always)]
    fn or_all(self) -> u32 {
        self.0.into_iter().fold(0, |all, row| all | row)
    }

    #[inline(always)]
    fn sum(self) -> u32 {
        self.0.into_iter().fold(0, u32::wrapping_add)
    }

    #[inline(always)]
    fn first_from(&self, from: u32) -> Option<(u32, u32)> {
        let mut row = from;
        while row < 32 {
            let bits = self.0[row as usize & 31];
            if bits != 0 {
                return Some((row, bits.trailing_zeros()));
            }
            row += 1;
        }
        None
    }

    #[inline(always)]
    fn first_common(&self, other: &Array<M>, from: u32) -> Option<(u32, u32)> {
        let mut row = from;
        while row < 32 {
            let bits = self.0[row as usize & 31] & other.0[row as usize & 31];
            if bits != 0 {
                return Some((row, bits.trailing_zeros()));
            }
            row += 1;
        }
        None
    }

    #[inline(always)]
    fn flood(mask: Array<M>, row: u32, column: u32, diagonal: bool) -> (Array<M>, u32) {
        let mut all = [0u32; 32];
        let (top, bottom) = flooded(&mask.0, &mut all, (row, column), diagonal);
        let (mut count, mut i) = (0, top);
        while i <= bottom & 31 {
            count += all[i & 31].count_ones();
            i += 1;
        }
        (Array::new(all), count)
    }

    /// Row by row: a processor waits where it reads a vector that it wrote in parts.
    #[inline(always)]
    fn cut_out(&mut self, cx: Cx, unit: u32, (row, column): (u32, u32), diagonal: bool) -> u32 {
        let mut all = [0u32; 32];
        let (top, bottom) = flooded(&self.0, &mut all, (row, column), diagonal);
        cx.store(unit, Self::splat(0));
        let (mut count, mut i) = (0, top);
        while i <= bottom & 31 {
            let bits = all[i & 31];
            count += bits.count_ones();
            self.0[i & 31] &= !bits;
            cx.put_own_word(unit, i as u32, bits);
            i += 1;
        }
        count
    }
}

/// Finds the bits of a mask that are connected to one of them: its first and its last row.
///
/// Sweeps down and up over single rows, which costs only as much as the object is high; most
/// objects are small, and few need a second sweep.
#[inline(always)]
fn flooded(
    mask: &[u32; 32],
    all: &mut [u32; 32],
    (row, column): (u32, u32),
    diagonal: bool,
) -> (usize, usize) {
    let first = (row & 31) as usize;
    all[first] = runs(mask[first], 1 << (column & 31));
    let (mut top, mut bottom) = (first, first);
    let mut once = false;
    loop {
        let mut changed = false;
        let mut i = top + 1;
        while i < 32 {
            let more = spread(all[i - 1], diagonal) & mask[i] & !all[i];
            if more != 0 {
                all[i] |= runs(mask[i], more);
                bottom = bottom.max(i);
                changed = true;
            } else if i > bottom {
                break;
            }
            i += 1;
        }
        if once && !changed {
            break;
        }
        changed = false;
        let mut i = bottom & 31;
        while i > 0 {
            let more = spread(all[i], diagonal) & mask[i - 1] & !all[i - 1];
            i -= 1;
            if more != 0 {
                all[i] |= runs(mask[i], more);
                top = top.min(i);
                changed = true;
            } else if i < top {
                break;
            }
        }
        if !changed {
            break;
        }
        once = true;
    }
    (top, bottom)
}

/// A row's bits, with their neighbours if asked for.
#[inline(always)]
fn spread(bits: u32, diagonal: bool) -> u32 {
    if diagonal { bits | bits << 1 | bits >> 1 } else { bits }
}

/// The runs of a row that hold a bit of `seed`, which lies within the row.
#[inline(always)]
fn runs(row: u32, seed: u32) -> u32 {
    let (mut out, mut left) = (0, seed);
    while left != 0 {
        let bit = left & left.wrapping_neg();
        // From the lowest seed upwards by carry, and downwards to the next gap.
        let high = row & !row.wrapping_add(bit);
        let below = bit - 1;
        let gap = 32 - (!row & below).leading_zeros();
        let run = high | (below & u32::MAX << (gap & 31));
        out |= run;
        left &= !run;
    }
    out
}
