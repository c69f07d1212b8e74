//! Lanes on a CPU: a plain array, left to the vectoriser.
//!
//! Compiled inside a function with `#[target_feature(enable = "avx2")]` (or AVX-512) the same loops
//! become wide instructions, since everything here is inlined.

use core::array::from_fn;
use core::marker::PhantomData;
use core::ops::{BitAnd, BitOr, BitXor, Not};

use super::cutting::cut_all;
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
    #[cfg(target_arch = "x86_64")]
    type Widest = super::avx512::Avx512;
    #[cfg(not(target_arch = "x86_64"))]
    type Widest = Array;
    const COMPACT: bool = M::COMPACT;

    #[inline(always)]
    fn from_out(rows: Array) -> Array<M> {
        Array::new(rows.0)
    }

    #[inline(always)]
    fn to_out(self) -> Array {
        Array::new(self.0)
    }

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
    fn cut_all(
        left: &mut Array<M>,
        seeds: Array<M>,
        cx: Cx,
        diagonal: bool,
        tell: impl FnMut(u32, u32),
    ) -> bool {
        let rows = (seeds & *left).ballot();
        if diagonal {
            cut_all::<Array<M>, true>(&mut left.0, &seeds.0, rows, cx, tell)
        } else {
            cut_all::<Array<M>, false>(&mut left.0, &seeds.0, rows, cx, tell)
        }
    }
}
