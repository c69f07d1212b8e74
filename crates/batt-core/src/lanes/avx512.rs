//! Lanes in two registers of AVX-512.
//!
//! The vectoriser keeps the rows of an array in memory, and where it reads them otherwise than they were just
//! written, a processor waits. To be named only where it is known that the machine has AVX-512 with its bit
//! counts, and inside functions that are compiled for it.

#![allow(unsafe_code)]
#![allow(
    clippy::cast_ptr_alignment,
    reason = "rows are aligned, as `Lanes::read` demands, or read as if they were not"
)]

use core::arch::x86_64::{
    __m512i, _mm_cvtsi32_si128, _mm512_add_epi32, _mm512_alignr_epi32, _mm512_and_si512,
    _mm512_cmplt_epu32_mask, _mm512_cmpneq_epi32_mask, _mm512_cvtsi512_si32,
    _mm512_maskz_permutex2var_epi32, _mm512_maskz_set1_epi32, _mm512_mullo_epi32, _mm512_or_si512,
    _mm512_permutex2var_epi32, _mm512_permutexvar_epi32, _mm512_popcnt_epi32,
    _mm512_reduce_add_epi32, _mm512_reduce_or_epi32, _mm512_set1_epi8, _mm512_set1_epi32,
    _mm512_set1_epi64, _mm512_setr_epi32, _mm512_setzero_si512, _mm512_shuffle_epi8,
    _mm512_sll_epi32, _mm512_slli_epi64, _mm512_srl_epi32, _mm512_srli_epi16, _mm512_srli_epi64,
    _mm512_sub_epi32, _mm512_test_epi32_mask, _mm512_xor_si512, _pdep_u32,
};
use core::mem::transmute;
use core::ops::{BitAnd, BitOr, BitXor, Not};

use super::array::Array;
use super::cutting::cut_all;
use super::{Lanes, low_bits};
use crate::arena::Cx;

/// 32 rows, 16 in each register.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct Avx512(__m512i, __m512i);

/// Functions that are always compiled inside those that call them: one that says for which machines it is
/// compiled could not be.
macro_rules! inside {
    ($(fn $name:ident($($arg:ident: $kind:ty),*) -> $result:ty $body:block)*) => {
        $(
            #[inline(always)]
            fn $name($($arg: $kind),*) -> $result {
                // SAFETY: the machine has AVX-512.
                unsafe { $body }
            }
        )*
    };
}

inside! {
    fn and(x: Avx512, y: Avx512) -> Avx512 {
        Avx512(_mm512_and_si512(x.0, y.0), _mm512_and_si512(x.1, y.1))
    }

    fn or(x: Avx512, y: Avx512) -> Avx512 {
        Avx512(_mm512_or_si512(x.0, y.0), _mm512_or_si512(x.1, y.1))
    }

    fn xor(x: Avx512, y: Avx512) -> Avx512 {
        Avx512(_mm512_xor_si512(x.0, y.0), _mm512_xor_si512(x.1, y.1))
    }

    fn not(x: Avx512) -> Avx512 {
        let all = _mm512_set1_epi32(-1);
        Avx512(_mm512_xor_si512(x.0, all), _mm512_xor_si512(x.1, all))
    }

    fn splat(x: u32) -> Avx512 {
        let x = _mm512_set1_epi32(x as i32);
        Avx512(x, x)
    }

    fn iota() -> Avx512 {
        let low = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        Avx512(low, _mm512_add_epi32(low, _mm512_set1_epi32(16)))
    }

    fn add(x: Avx512, y: Avx512) -> Avx512 {
        Avx512(_mm512_add_epi32(x.0, y.0), _mm512_add_epi32(x.1, y.1))
    }

    fn subtract(x: Avx512, y: Avx512) -> Avx512 {
        Avx512(_mm512_sub_epi32(x.0, y.0), _mm512_sub_epi32(x.1, y.1))
    }

    fn mul(x: Avx512, k: u32) -> Avx512 {
        let k = _mm512_set1_epi32(k as i32);
        Avx512(_mm512_mullo_epi32(x.0, k), _mm512_mullo_epi32(x.1, k))
    }

    fn shl(x: Avx512, n: u32) -> Avx512 {
        let n = _mm_cvtsi32_si128(n as i32);
        Avx512(_mm512_sll_epi32(x.0, n), _mm512_sll_epi32(x.1, n))
    }

    fn shr(x: Avx512, n: u32) -> Avx512 {
        let n = _mm_cvtsi32_si128(n as i32);
        Avx512(_mm512_srl_epi32(x.0, n), _mm512_srl_epi32(x.1, n))
    }

    // The rows with the numbers that are given, none where there is no such row.
    fn picked(x: Avx512, rows: Avx512) -> Avx512 {
        let all = _mm512_set1_epi32(32);
        let low = _mm512_cmplt_epu32_mask(rows.0, all);
        let high = _mm512_cmplt_epu32_mask(rows.1, all);
        Avx512(
            _mm512_maskz_permutex2var_epi32(low, x.0, rows.0, x.1),
            _mm512_maskz_permutex2var_epi32(high, x.0, rows.1, x.1),
        )
    }

    fn down(x: Avx512) -> Avx512 {
        let none = _mm512_setzero_si512();
        Avx512(_mm512_alignr_epi32::<15>(x.0, none), _mm512_alignr_epi32::<15>(x.1, x.0))
    }

    fn up(x: Avx512) -> Avx512 {
        let none = _mm512_setzero_si512();
        Avx512(_mm512_alignr_epi32::<1>(x.1, x.0), _mm512_alignr_epi32::<1>(none, x.1))
    }

    fn reversed(x: __m512i) -> __m512i {
        let low = _mm512_set1_epi8(15);
        // Four bits in reverse, in each half of a byte, and the bytes of a word in reverse.
        let above = _mm512_and_si512(_mm512_srli_epi16::<4>(x), low);
        let above = _mm512_shuffle_epi8(four_times(REVERSED), above);
        let below = _mm512_and_si512(x, low);
        let below = _mm512_shuffle_epi8(four_times(REVERSED_HIGH), below);
        let bytes = four_times([3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]);
        _mm512_shuffle_epi8(_mm512_or_si512(above, below), bytes)
    }

    // The same 16 bytes in every quarter of a register.
    fn four_times(bytes: [u8; 16]) -> __m512i {
        // Both are 64 bytes, of which any are fine.
        transmute::<[[u8; 16]; 4], __m512i>([bytes; 4])
    }

    // Rows and columns exchanged within 8×8 bits, each of which is 64 bits in a row.
    fn turned(x: __m512i) -> __m512i {
        let low = _mm512_set1_epi64(0x00aa_00aa_00aa_00aa);
        let t = _mm512_and_si512(_mm512_xor_si512(x, _mm512_srli_epi64::<7>(x)), low);
        let x = _mm512_xor_si512(x, _mm512_xor_si512(t, _mm512_slli_epi64::<7>(t)));
        let low = _mm512_set1_epi64(0x0000_cccc_0000_cccc);
        let t = _mm512_and_si512(_mm512_xor_si512(x, _mm512_srli_epi64::<14>(x)), low);
        let x = _mm512_xor_si512(x, _mm512_xor_si512(t, _mm512_slli_epi64::<14>(t)));
        let low = _mm512_set1_epi64(0x0000_0000_f0f0_f0f0);
        let t = _mm512_and_si512(_mm512_xor_si512(x, _mm512_srli_epi64::<28>(x)), low);
        _mm512_xor_si512(x, _mm512_xor_si512(t, _mm512_slli_epi64::<28>(t)))
    }

    fn transpose(x: Avx512) -> Avx512 {
        // Bytes and rows exchanged within four rows; then the 8×8 bits that are to lie beside each other
        // are brought there, four rows of each at a time.
        let bytes = four_times([0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15]);
        let (a, b) = (_mm512_shuffle_epi8(x.0, bytes), _mm512_shuffle_epi8(x.1, bytes));
        let left = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
        let right = _mm512_add_epi32(left, _mm512_set1_epi32(2));
        let top = turned(_mm512_permutex2var_epi32(a, left, b));
        let bottom = turned(_mm512_permutex2var_epi32(a, right, b));
        let even = _mm512_setr_epi32(0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15);
        let (top, bottom) =
            (_mm512_permutexvar_epi32(even, top), _mm512_permutexvar_epi32(even, bottom));
        Avx512(_mm512_shuffle_epi8(top, bytes), _mm512_shuffle_epi8(bottom, bytes))
    }

    fn popcount(x: Avx512) -> Avx512 {
        Avx512(_mm512_popcnt_epi32(x.0), _mm512_popcnt_epi32(x.1))
    }

    fn one_row(x: Avx512, lane: u32) -> __m512i {
        _mm512_permutex2var_epi32(x.0, _mm512_set1_epi32(lane as i32), x.1)
    }

    fn get(x: Avx512, lane: u32) -> u32 {
        _mm512_cvtsi512_si32(one_row(x, lane)) as u32
    }

    // The same in each of some rows, nothing in the others.
    fn in_rows(rows: u32, v: u32) -> Avx512 {
        let (low, high) = (rows as u16, (rows >> 16) as u16);
        Avx512(
            _mm512_maskz_set1_epi32(low, v as i32),
            _mm512_maskz_set1_epi32(high, v as i32),
        )
    }

    fn ballot(x: Avx512) -> u32 {
        let low = _mm512_test_epi32_mask(x.0, x.0);
        let high = _mm512_test_epi32_mask(x.1, x.1);
        u32::from(low) | u32::from(high) << 16
    }

    fn any(x: Avx512) -> bool {
        let all = _mm512_or_si512(x.0, x.1);
        _mm512_test_epi32_mask(all, all) != 0
    }

    fn unlike(x: Avx512, y: Avx512) -> u32 {
        let low = _mm512_cmpneq_epi32_mask(x.0, y.0);
        let high = _mm512_cmpneq_epi32_mask(x.1, y.1);
        u32::from(low) | u32::from(high) << 16
    }

    fn or_all(x: Avx512) -> u32 {
        _mm512_reduce_or_epi32(_mm512_or_si512(x.0, x.1)) as u32
    }

    fn sum(x: Avx512) -> u32 {
        _mm512_reduce_add_epi32(_mm512_add_epi32(x.0, x.1)) as u32
    }
}

/// Four bits in reverse.
const REVERSED: [u8; 16] = [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15];

/// The same, in the upper half of a byte.
const REVERSED_HIGH: [u8; 16] =
    [0, 128, 64, 192, 32, 160, 96, 224, 16, 144, 80, 208, 48, 176, 112, 240];

impl Avx512 {
    #[inline(always)]
    fn of_array(rows: [u32; 32]) -> Avx512 {
        // SAFETY: both are 128 bytes, of which any are fine.
        unsafe { transmute(rows) }
    }

    #[inline(always)]
    fn to_array(self) -> [u32; 32] {
        // SAFETY: both are 128 bytes, of which any are fine.
        unsafe { transmute(self) }
    }
}

impl BitAnd for Avx512 {
    type Output = Avx512;
    #[inline(always)]
    fn bitand(self, other: Avx512) -> Avx512 {
        and(self, other)
    }
}

impl BitOr for Avx512 {
    type Output = Avx512;
    #[inline(always)]
    fn bitor(self, other: Avx512) -> Avx512 {
        or(self, other)
    }
}

impl BitXor for Avx512 {
    type Output = Avx512;
    #[inline(always)]
    fn bitxor(self, other: Avx512) -> Avx512 {
        xor(self, other)
    }
}

impl Not for Avx512 {
    type Output = Avx512;
    #[inline(always)]
    fn not(self) -> Avx512 {
        not(self)
    }
}

impl Lanes for Avx512 {
    type Out = Array;
    type Widest = Avx512;
    const COMPACT: bool = false;

    #[inline(always)]
    fn from_out(rows: Array) -> Avx512 {
        Avx512::of_array(rows.0)
    }

    #[inline(always)]
    fn to_out(self) -> Array {
        Array::new(self.to_array())
    }

    #[inline(always)]
    unsafe fn read(from: *const u32) -> Avx512 {
        // SAFETY: the caller says that 32 aligned words are there.
        unsafe { from.cast::<Avx512>().read() }
    }

    #[inline(always)]
    unsafe fn write(self, to: *mut u32) {
        // SAFETY: the caller says that 32 aligned words are there.
        unsafe { to.cast::<Avx512>().write(self) }
    }

    #[inline(always)]
    unsafe fn merge(self, to: *mut u32) {
        // SAFETY: the caller says that 32 words are there.
        unsafe {
            let there = to.cast::<Avx512>();
            there.write_unaligned(or(there.read_unaligned(), self));
        }
    }

    #[inline(always)]
    unsafe fn read_lane(from: *const u32, lane: u32) -> u32 {
        // SAFETY: the caller says that 32 words are there.
        unsafe { *from.add((lane & 31) as usize) }
    }

    #[inline(always)]
    unsafe fn read_from(from: *const u32, lane: u32) -> Avx512 {
        // SAFETY: the caller says that 64 words are there.
        unsafe { from.add((lane & 31) as usize).cast::<Avx512>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn lane_of(self, from: *const u32, lane: u32) -> u32 {
        // SAFETY: the caller says that 32 words are there.
        unsafe { Avx512::read_lane(from, lane) }
    }

    #[inline(always)]
    unsafe fn mark_lane(to: *mut u32, lane: u32, bits: u32) {
        // SAFETY: the caller says that 32 words are there.
        unsafe { *to.add((lane & 31) as usize) |= bits }
    }

    #[inline(always)]
    unsafe fn first_unlike(a: *const u32, b: *const u32) -> Option<(u32, u32, u32)> {
        // SAFETY: the caller says that 32 words are there, of which the row is one.
        unsafe {
            let rows = unlike(Avx512::read(a), Avx512::read(b));
            let row = rows.trailing_zeros();
            (rows != 0).then(|| (row, Avx512::read_lane(a, row), Avx512::read_lane(b, row)))
        }
    }

    #[inline(always)]
    fn splat(x: u32) -> Avx512 {
        splat(x)
    }

    #[inline(always)]
    fn iota() -> Avx512 {
        iota()
    }

    #[inline(always)]
    fn add(self, other: Avx512) -> Avx512 {
        add(self, other)
    }

    #[inline(always)]
    fn mul(self, k: u32) -> Avx512 {
        mul(self, k)
    }

    #[inline(always)]
    fn shl(self, n: u32) -> Avx512 {
        shl(self, n)
    }

    #[inline(always)]
    fn shr(self, n: u32) -> Avx512 {
        shr(self, n)
    }

    #[inline(always)]
    fn rows(self, n: i32) -> Avx512 {
        picked(self, subtract(iota(), splat(n.clamp(-32, 32) as u32)))
    }

    #[inline(always)]
    fn down(self) -> Avx512 {
        down(self)
    }

    #[inline(always)]
    fn up(self) -> Avx512 {
        up(self)
    }

    #[inline(always)]
    fn flip(self, n: u32) -> Avx512 {
        picked(self, subtract(splat(n.min(32).wrapping_sub(1)), iota()))
    }

    #[inline(always)]
    fn stretch(self, n: u32) -> Avx512 {
        // A row's number divided by n, which is exact for numbers as small as these.
        let part = 65536_u32.div_ceil(n.max(1));
        picked(self, shr(mul(iota(), part), 16))
    }

    #[inline(always)]
    fn reverse(self) -> Avx512 {
        Avx512(reversed(self.0), reversed(self.1))
    }

    #[inline(always)]
    fn transpose(self) -> Avx512 {
        transpose(self)
    }

    #[inline(always)]
    fn popcount(self) -> Avx512 {
        popcount(self)
    }

    #[inline(always)]
    fn get(self, lane: u32) -> u32 {
        get(self, lane)
    }

    #[inline(always)]
    fn everywhere(self, lane: u32) -> Avx512 {
        let row = one_row(self, lane);
        Avx512(row, row)
    }

    #[inline(always)]
    fn put(lane: u32, v: u32) -> Avx512 {
        in_rows(1 << (lane & 31), v)
    }

    #[inline(always)]
    fn below(n: u32) -> Avx512 {
        in_rows(low_bits(n), u32::MAX)
    }

    #[inline(always)]
    fn filled(self) -> Avx512 {
        in_rows(ballot(self), u32::MAX)
    }

    #[inline(always)]
    fn ballot(self) -> u32 {
        ballot(self)
    }

    #[inline(always)]
    fn any(self) -> bool {
        any(self)
    }

    #[inline(always)]
    fn or_all(self) -> u32 {
        or_all(self)
    }

    #[inline(always)]
    fn sum(self) -> u32 {
        sum(self)
    }

    #[inline(always)]
    fn dealt(bits: u32, over: u32) -> u32 {
        // SAFETY: the machine has the bit instructions that come with AVX-512.
        unsafe { _pdep_u32(bits, over) }
    }

    #[inline(always)]
    fn each_row(self, mut f: impl FnMut(u32, u32)) {
        let (rows, mut row) = (self.to_array(), 0);
        while row < 32 {
            f(row, rows[row as usize & 31]);
            row += 1;
        }
    }

    #[inline(always)]
    fn own(self, row: u32) -> u32 {
        self.get(row)
    }

    #[inline(always)]
    fn made(row: impl Fn(u32) -> u32) -> Avx512 {
        Avx512::of_array(<Array>::made(row).0)
    }

    #[inline(always)]
    fn gathered(n: u32, place: impl Fn(u32) -> Option<(u32, u32)>) -> Avx512 {
        Avx512::of_array(<Array>::gathered(n, place).0)
    }

    #[inline(always)]
    fn cut_all(
        left: &mut Avx512,
        seeds: Avx512,
        cx: Cx,
        diagonal: bool,
        tell: impl FnMut(u32, u32),
    ) -> bool {
        let rows = (seeds & *left).ballot();
        let (mut within, seeds) = (left.to_array(), seeds.to_array());
        let room = if diagonal {
            cut_all::<Avx512, true>(&mut within, &seeds, rows, cx, tell)
        } else {
            cut_all::<Avx512, false>(&mut within, &seeds, rows, cx, tell)
        };
        *left = Avx512::of_array(within);
        room
    }
}

#[cfg(test)]
mod tests {
    use super::super::moves::Plain;
    use super::*;

    extern crate std;

    fn machine_has_it() -> bool {
        std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512bw")
            && std::is_x86_feature_detected!("avx512dq")
            && std::is_x86_feature_detected!("avx512vl")
            && std::is_x86_feature_detected!("avx512vpopcntdq")
    }

    #[test]
    fn lanes_are_as_they_are_in_an_array() {
        if !machine_has_it() {
            return;
        }
        let mut state = 7_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 32) as u32
        };
        for round in 0..200 {
            let mut rows = || -> [u32; 32] {
                let rows: [u32; 32] = core::array::from_fn(|_| {
                    if round % 3 == 0 { next() & next() & next() } else { next() }
                });
                rows.map(|row| if round % 2 == 0 && next() & 1 == 0 { 0 } else { row })
            };
            let (x, y) = (rows(), rows());
            let (a, b) = (Array::<Plain>::new(x), Array::<Plain>::new(y));
            let (p, q) = (Avx512::of_array(x), Avx512::of_array(y));
            let same = |a: Array<Plain>, p: Avx512| assert_eq!(a.0, p.to_array());
            same(a & b, p & q);
            same(a | b, p | q);
            same(a ^ b, p ^ q);
            same(!a, !p);
            same(a.add(b), p.add(q));
            same(a.mul(round), p.mul(round));
            same(a.down(), p.down());
            same(a.up(), p.up());
            same(a.reverse(), p.reverse());
            same(a.transpose(), p.transpose());
            same(a.popcount(), p.popcount());
            same(a.filled(), p.filled());
            same(Array::iota(), Avx512::iota());
            same(Array::splat(round), Avx512::splat(round));
            assert_eq!(a.ballot(), p.ballot());
            assert_eq!(a.count(), p.count());
            assert_eq!(a.or_all(), p.or_all());
            assert_eq!(a.sum(), p.sum());
            assert_eq!(a.any(), p.any());
            assert_eq!(a.first(), p.first());
            assert_eq!(a.last(), p.last());
            for n in -40..=40 {
                same(a.rows(n), p.rows(n));
            }
            for n in 0..=32 {
                same(a.shl(n), p.shl(n));
                same(a.shr(n), p.shr(n));
                same(a.flip(n), p.flip(n));
                same(a.stretch(n + 1), p.stretch(n + 1));
                same(Array::below(n), Avx512::below(n));
                if n < 32 {
                    assert_eq!(a.get(n), p.get(n));
                    same(a.everywhere(n), p.everywhere(n));
                    same(Array::put(n, round), Avx512::put(n, round));
                    assert_eq!(a.any_after(n, round & 31), p.any_after(n, round & 31));
                }
            }
        }
    }
}
