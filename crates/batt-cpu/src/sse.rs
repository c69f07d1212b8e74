//! Vectors of four words, one value each, with the instructions that every x86-64 machine has.

#![allow(unsafe_code)]

use core::arch::x86_64::{self as arch};
use core::mem::MaybeUninit;

pub use core::arch::x86_64::__m128i;

use batt_core::Val;

macro_rules! of_two {
    ($($(#[$doc:meta])* $name:ident is $instruction:ident;)*) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            pub fn $name(a: __m128i, b: __m128i) -> __m128i {
                // SAFETY: every x86-64 machine has the instruction.
                unsafe { arch::$instruction(a, b) }
            }
        )*
    };
}
of_two! {
    /// The bits that both have.
    and is _mm_and_si128;
    /// The bits that one has.
    or is _mm_or_si128;
    /// The bits that only one has.
    xor is _mm_xor_si128;
    /// Sums of words.
    plus is _mm_add_epi32;
    /// Differences of words.
    minus is _mm_sub_epi32;
    /// All bits of the words that are equal.
    equal is _mm_cmpeq_epi32;
    /// All bits of the words that are greater.
    above is _mm_cmpgt_epi32;
    /// Products of the first word of each half.
    times is _mm_mul_epu32;
}

/// A vector of four words.
#[inline(always)]
pub fn words([a, b, c, d]: [i32; 4]) -> __m128i {
    // SAFETY: every x86-64 machine has the instruction.
    unsafe { arch::_mm_set_epi32(d, c, b, a) }
}

/// Moves both halves up by a word.
#[inline(always)]
pub fn up(v: __m128i) -> __m128i {
    // SAFETY: every x86-64 machine has the instruction.
    unsafe { arch::_mm_slli_epi64::<32>(v) }
}

/// Moves both halves down by some bits.
#[inline(always)]
pub fn down<const BITS: i32>(v: __m128i) -> __m128i {
    // SAFETY: every x86-64 machine has the instruction.
    unsafe { arch::_mm_srli_epi64::<BITS>(v) }
}

/// The sign of every word in all of its bits.
#[inline(always)]
pub fn sign(v: __m128i) -> __m128i {
    // SAFETY: every x86-64 machine has the instruction.
    unsafe { arch::_mm_srai_epi32::<31>(v) }
}

/// The highest bit of every word.
#[inline(always)]
pub fn signs(v: __m128i) -> i32 {
    // SAFETY: every x86-64 machine has the instructions.
    unsafe { arch::_mm_movemask_ps(arch::_mm_castsi128_ps(v)) }
}

/// The last word in place of the one before it, too.
#[inline(always)]
pub fn last_twice(v: __m128i) -> __m128i {
    // SAFETY: every x86-64 machine has the instruction.
    unsafe { arch::_mm_shuffle_epi32::<0b11_11_01_00>(v) }
}

/// The second word in place of the last one.
#[inline(always)]
pub fn second_last(v: __m128i) -> __m128i {
    // SAFETY: every x86-64 machine has the instruction.
    unsafe { arch::_mm_shuffle_epi32::<0b01_10_01_00>(v) }
}

/// The words of a value as one vector.
#[inline(always)]
pub fn vector(val: &Val) -> __m128i {
    // SAFETY: a value is 16 bytes; it need not be aligned for this.
    unsafe { arch::_mm_loadu_si128(core::ptr::from_ref(val).cast()) }
}

/// Writes a vector where there is room for a value.
#[inline(always)]
pub fn write(room: &mut MaybeUninit<Val>, v: __m128i) {
    // SAFETY: there is room for 16 bytes; they need not be aligned for this.
    unsafe { arch::_mm_storeu_si128(room.as_mut_ptr().cast(), v) }
}
