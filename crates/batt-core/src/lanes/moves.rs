//! How the rows of an [`Array`] change places.

use core::array::from_fn;

use super::Lanes;
use super::array::Array;

/// What the vectoriser makes little of: rows that change places, and what is found out across rows. Each
/// is what the method of [`Lanes`] of the same name gives.
pub trait Moves: Copy {
    /// As [`Lanes::COMPACT`].
    const COMPACT: bool = true;

    /// As [`Lanes::rows`].
    #[inline(always)]
    fn rows(rows: Array<Self>, n: i32) -> Array<Self> {
        // What is seen of the rows, with none above and below, from another row on.
        let mut all = [[0; 32]; 3];
        all[1] = rows.0;
        let first = (32 - n.clamp(-32, 32)) as usize;
        let seen = all.as_flattened().get(first..).and_then(<[u32]>::first_chunk);
        Array::new(*seen.unwrap_or(&[0; 32]))
    }

    /// As [`Lanes::flip`].
    #[inline(always)]
    fn flip(rows: Array<Self>, n: u32) -> Array<Self> {
        let reversed = Array::new(from_fn(|i| rows.0[31 - i]));
        Self::rows(reversed, n as i32 - 32)
    }

    /// As [`Lanes::stretch`].
    #[inline(always)]
    fn stretch(rows: Array<Self>, n: u32) -> Array<Self> {
        let (mut out, mut from, mut left) = ([0; 32], 0, n);
        for to in &mut out {
            *to = rows.0[from & 31];
            left -= 1;
            if left == 0 {
                (from, left) = (from + 1, n);
            }
        }
        Array::new(out)
    }

    /// As [`Lanes::dealt`].
    #[inline(always)]
    fn dealt(bits: u32, over: u32) -> u32 {
        super::dealt(bits, over)
    }

    /// As [`Lanes::transpose`].
    #[inline(always)]
    fn transpose(rows: Array<Self>) -> Array<Self> {
        let mut x = rows.0;
        let mut half = 16;
        let mut low = 0x0000_ffff_u32;
        // Swaps ever smaller off-diagonal blocks.
        while half > 0 {
            let mut k = 0;
            while k < 32 {
                let (a, b) = (x[k & 31], x[(k | half) & 31]);
                let t = ((a >> half) ^ b) & low;
                x[k & 31] = a ^ (t << half);
                x[(k | half) & 31] = b ^ t;
                k = ((k | half) + 1) & !half;
            }
            half >>= 1;
            low ^= low << half;
        }
        Array::new(x)
    }

    /// As [`Lanes::ballot`].
    #[inline(always)]
    fn ballot(rows: Array<Self>) -> u32 {
        filled_rows(&rows.0)
    }

    /// As [`Lanes::count`].
    #[inline(always)]
    fn count(rows: Array<Self>) -> u32 {
        rows.popcount().sum()
    }
}

/// Rows change places as any machine can do it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plain;

impl Moves for Plain {}

/// Which rows hold bits. The vectoriser makes three times as many instructions of the loop below.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn filled_rows(rows: &[u32; 32]) -> u32 {
    use core::arch::x86_64::{
        __m128i, _mm_cmpeq_epi32, _mm_movemask_epi8, _mm_packs_epi16, _mm_packs_epi32,
        _mm_setzero_si128,
    };
    #[allow(unsafe_code)]
    // SAFETY: vectors of four rows are plain data, and every such machine has these instructions.
    unsafe {
        let rows: [__m128i; 8] = core::mem::transmute(*rows);
        let empty = |k: usize| _mm_cmpeq_epi32(rows[k & 7], _mm_setzero_si128());
        let eight = |k: usize| _mm_packs_epi32(empty(k), empty(k + 1));
        let bits = |k: usize| {
            let sixteen = _mm_packs_epi16(eight(k), eight(k + 2));
            _mm_movemask_epi8(sixteen) as u32 & 0xffff
        };
        !(bits(0) | bits(4) << 16)
    }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn filled_rows(rows: &[u32; 32]) -> u32 {
    let mut out = 0;
    for (i, row) in rows.iter().enumerate() {
        out |= u32::from(*row != 0) << i;
    }
    out
}
