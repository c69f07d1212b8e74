//! Rows that change places in the registers of AVX2.
//!
//! The vectoriser would write them to memory and read them from another place, or one by one, and
//! a processor waits for what is read otherwise than it was just written.

#![allow(unsafe_code)]

use core::arch::x86_64::{
    __m256i, _mm_add_epi64, _mm_cvtsi128_si64, _mm_unpackhi_epi64, _mm256_add_epi8,
    _mm256_add_epi32, _mm256_and_si256, _mm256_blendv_epi8, _mm256_castps_si256,
    _mm256_castsi256_ps, _mm256_castsi256_si128, _mm256_cmpeq_epi32, _mm256_cmpgt_epi32,
    _mm256_extracti128_si256, _mm256_i32gather_epi32, _mm256_movemask_epi8, _mm256_mulhi_epu16,
    _mm256_packs_epi16, _mm256_packs_epi32, _mm256_permute2x128_si256, _mm256_permutevar8x32_epi32,
    _mm256_sad_epu8, _mm256_set1_epi8, _mm256_set1_epi32, _mm256_setr_epi8, _mm256_setr_epi32,
    _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_shuffle_ps, _mm256_slli_epi32,
    _mm256_srli_epi16, _mm256_srli_epi32, _mm256_sub_epi32, _mm256_unpackhi_epi32,
    _mm256_unpackhi_epi64, _mm256_unpacklo_epi32, _mm256_unpacklo_epi64, _mm256_xor_si256,
    _pdep_u32,
};
use core::mem::transmute;

use super::array::Array;
use super::moves::Moves;

/// Rows change places with AVX2. To be named only where it is known that the machine has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx2;

/// Eight rows each.
type Rows = [__m256i; 4];

#[inline(always)]
fn split(rows: Array<Avx2>) -> Rows {
    // SAFETY: both are 128 bytes, of which any are fine.
    unsafe { transmute(rows.0) }
}

#[inline(always)]
fn joined(rows: Rows) -> Array<Avx2> {
    // SAFETY: both are 128 bytes, of which any are fine.
    Array::new(unsafe { transmute::<Rows, [u32; 32]>(rows) })
}

impl Moves for Avx2 {
    const COMPACT: bool = false;

    #[inline(always)]
    fn rows(rows: Array<Avx2>, n: i32) -> Array<Avx2> {
        // SAFETY: the machine has AVX2.
        joined(unsafe { seen_from(split(rows), 32 - n.clamp(-32, 32)) })
    }

    #[inline(always)]
    fn flip(rows: Array<Avx2>, n: u32) -> Array<Avx2> {
        // SAFETY: the machine has AVX2.
        joined(unsafe { flipped_from(split(rows), 64 - n.min(32) as i32) })
    }

    #[inline(always)]
    fn stretch(rows: Array<Avx2>, n: u32) -> Array<Avx2> {
        // SAFETY: the machine has AVX2.
        if n < 2 { rows } else { joined(unsafe { stretched(&rows, n) }) }
    }

    #[inline(always)]
    fn transpose(rows: Array<Avx2>) -> Array<Avx2> {
        // SAFETY: the machine has AVX2.
        joined(unsafe { transposed(split(rows)) })
    }

    #[inline(always)]
    fn ballot(rows: Array<Avx2>) -> u32 {
        // SAFETY: the machine has AVX2.
        unsafe { not_zero(split(rows)) }
    }

    #[inline(always)]
    fn dealt(bits: u32, over: u32) -> u32 {
        // SAFETY: the machine has the bit instructions that come with AVX2.
        unsafe { _pdep_u32(bits, over) }
    }

    #[inline(always)]
    fn count(rows: Array<Avx2>) -> u32 {
        // SAFETY: the machine has AVX2.
        unsafe { ones(split(rows)) }
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn iota() -> __m256i {
    _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)
}

/// 32 of 96 rows from one on, where the rows are those in the middle and all others are zero.
#[target_feature(enable = "avx2")]
#[inline]
fn seen_from(rows: Rows, first: i32) -> Rows {
    let order = _mm256_add_epi32(iota(), _mm256_set1_epi32(first));
    let turned = |eight| _mm256_permutevar8x32_epi32(eight, order);
    let [a, b, c, d] = rows;
    picked([turned(a), turned(b), turned(c), turned(d)], first)
}

/// The same of the rows in reverse.
#[target_feature(enable = "avx2")]
#[inline]
fn flipped_from(rows: Rows, first: i32) -> Rows {
    // Only the lowest three bits of a place count, and 7 minus it is its complement.
    let order = _mm256_sub_epi32(_mm256_set1_epi32(7 - first), iota());
    let turned = |eight| _mm256_permutevar8x32_epi32(eight, order);
    let [a, b, c, d] = rows;
    picked([turned(d), turned(c), turned(b), turned(a)], first)
}

/// The rows from one on, where each eight are turned round so that theirs with a multiple of eight before it
/// is at its place.
#[target_feature(enable = "avx2")]
#[inline]
fn picked(turned: Rows, first: i32) -> Rows {
    let ([a, b, c, d], zero) = (turned, _mm256_setzero_si256());
    // From which of the next eight rows the last ones come.
    let next = _mm256_cmpgt_epi32(
        _mm256_add_epi32(iota(), _mm256_set1_epi32(first & 7)),
        _mm256_set1_epi32(7),
    );
    let merged = |one, two| _mm256_blendv_epi8(one, two, next);
    // Written and read eight rows at a time, which no processor has to wait for.
    let all = [
        zero,
        zero,
        zero,
        merged(zero, a),
        merged(a, b),
        merged(b, c),
        merged(c, d),
        merged(d, zero),
        zero,
        zero,
        zero,
        zero,
    ];
    let eights = (first >> 3) as usize;
    *all.get(eights..).and_then(<[__m256i]>::first_chunk).unwrap_or(&[zero; 4])
}

/// Every row `n` times, `n` at least 2.
#[target_feature(enable = "avx2")]
#[inline]
fn stretched(rows: &Array<Avx2>, n: u32) -> Rows {
    // A row's number divided by n, which is exact for numbers as small as these.
    let part = _mm256_set1_epi32(65536_u32.div_ceil(n) as i32);
    let gathered = |first: i32| {
        let place = _mm256_add_epi32(iota(), _mm256_set1_epi32(first));
        let from = _mm256_mulhi_epu16(place, part);
        // SAFETY: no place is divided to one past the last row.
        unsafe { _mm256_i32gather_epi32::<4>(rows.0.as_ptr().cast(), from) }
    };
    [gathered(0), gathered(8), gathered(16), gathered(24)]
}

/// Swaps the blocks beside the diagonal of two rows that are so many rows apart.
#[target_feature(enable = "avx2")]
#[inline]
fn swapped<const APART: i32>(a: __m256i, b: __m256i, low: u32) -> (__m256i, __m256i) {
    let low = _mm256_set1_epi32(low as i32);
    let t = _mm256_and_si256(_mm256_xor_si256(_mm256_srli_epi32::<APART>(a), b), low);
    (_mm256_xor_si256(a, _mm256_slli_epi32::<APART>(t)), _mm256_xor_si256(b, t))
}

#[target_feature(enable = "avx2")]
#[inline]
fn transposed([a, b, c, d]: Rows) -> Rows {
    let (a, c) = swapped::<16>(a, c, 0x0000_ffff);
    let (b, d) = swapped::<16>(b, d, 0x0000_ffff);
    let (a, b) = swapped::<8>(a, b, 0x00ff_00ff);
    let (c, d) = swapped::<8>(c, d, 0x00ff_00ff);
    let ((a, b), (c, d)) = (transposed_within(a, b), transposed_within(c, d));
    [a, b, c, d]
}

/// The blocks of eight rows and columns, transposed each.
#[target_feature(enable = "avx2")]
#[inline]
fn transposed_within(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    // Rows are ordered so that those to be swapped are at the same place of two registers.
    let (low, high) =
        (_mm256_permute2x128_si256::<0x20>(a, b), _mm256_permute2x128_si256::<0x31>(a, b));
    let (low, high) = swapped::<4>(low, high, 0x0f0f_0f0f);
    let (front, back) = (_mm256_unpacklo_epi64(low, high), _mm256_unpackhi_epi64(low, high));
    let (front, back) = swapped::<2>(front, back, 0x3333_3333);
    let (x, y) = (_mm256_castsi256_ps(front), _mm256_castsi256_ps(back));
    let even = _mm256_castps_si256(_mm256_shuffle_ps::<0x88>(x, y));
    let odd = _mm256_castps_si256(_mm256_shuffle_ps::<0xdd>(x, y));
    let (even, odd) = swapped::<1>(even, odd, 0x5555_5555);
    // And back: 0 1 4 5, 2 3 6 7, then 0 1 2 3, 4 5 6 7, of both halves.
    let (front, back) = (_mm256_unpacklo_epi32(even, odd), _mm256_unpackhi_epi32(even, odd));
    let (low, high) = (_mm256_unpacklo_epi64(front, back), _mm256_unpackhi_epi64(front, back));
    (_mm256_permute2x128_si256::<0x20>(low, high), _mm256_permute2x128_si256::<0x31>(low, high))
}

#[target_feature(enable = "avx2")]
#[inline]
fn not_zero([a, b, c, d]: Rows) -> u32 {
    let zero = _mm256_setzero_si256();
    let none = |eight| _mm256_cmpeq_epi32(eight, zero);
    let (ab, cd) = (_mm256_packs_epi32(none(a), none(b)), _mm256_packs_epi32(none(c), none(d)));
    // A byte for every row, in fours: those of a, b, c and d of both halves.
    let bytes = _mm256_packs_epi16(ab, cd);
    let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    !(_mm256_movemask_epi8(_mm256_permutevar8x32_epi32(bytes, order)) as u32)
}

#[target_feature(enable = "avx2")]
#[inline]
fn ones([a, b, c, d]: Rows) -> u32 {
    let counts = _mm256_setr_epi8(
        0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3,
        3, 4,
    );
    let low = _mm256_set1_epi8(15);
    let of = |eight| {
        let high = _mm256_and_si256(_mm256_srli_epi16::<4>(eight), low);
        let below = _mm256_shuffle_epi8(counts, _mm256_and_si256(eight, low));
        _mm256_add_epi8(below, _mm256_shuffle_epi8(counts, high))
    };
    // No byte holds more than 32.
    let bytes = _mm256_add_epi8(_mm256_add_epi8(of(a), of(b)), _mm256_add_epi8(of(c), of(d)));
    let sums = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
    let two = _mm_add_epi64(_mm256_castsi256_si128(sums), _mm256_extracti128_si256::<1>(sums));
    _mm_cvtsi128_si64(_mm_add_epi64(two, _mm_unpackhi_epi64(two, two))) as u32
}

#[cfg(test)]
mod tests {
    use super::super::Lanes;
    use super::super::moves::Plain;
    use super::*;

    extern crate std;

    #[test]
    fn rows_change_places_as_they_do_without() {
        if !std::is_x86_feature_detected!("avx2") {
            return;
        }
        let mut state = 7_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 32) as u32
        };
        for round in 0..200 {
            let rows: [u32; 32] = core::array::from_fn(|_| {
                if round % 3 == 0 { next() & next() & next() } else { next() }
            });
            let rows = rows.map(|row| if round % 2 == 0 && next() & 1 == 0 { 0 } else { row });
            let (plain, wide) = (Array::<Plain>::new(rows), Array::<Avx2>::new(rows));
            assert_eq!(plain.transpose().0, wide.transpose().0);
            assert_eq!(plain.ballot(), wide.ballot());
            assert_eq!(plain.count(), wide.count());
            for n in -40..=40 {
                assert_eq!(plain.rows(n).0, wide.rows(n).0, "{n}");
            }
            for n in 0..=32 {
                assert_eq!(plain.flip(n).0, wide.flip(n).0, "{n}");
                assert_eq!(plain.stretch(n + 1).0, wide.stretch(n + 1).0, "{n}");
            }
        }
    }
}
