//! Values as vectors, four words each: one, with the instructions that every x86-64 machine has, or two
//! beside each other, with those of AVX2.

#![allow(unsafe_code)]

use core::arch::x86_64::{self as arch, __m128i, __m256i};
use core::mem::MaybeUninit;

use batt_core::{Tag, Val};

/// One or two values.
pub trait Words: Copy {
    /// How many.
    const VALS: usize;

    /// The same four words for each value.
    fn words(words: [i32; 4]) -> Self;
    /// The values of a column from a row on; handed back where there are none.
    fn read(column: &[Val], row: usize) -> Self;
    /// The values of the rows that some rows name.
    fn gather(column: &[Val], rows: &[u32], row: usize) -> Self;
    /// Writes them where there is room for so many.
    fn write(self, room: &mut [MaybeUninit<Val>]);
    /// The bits that both have.
    fn and(self, other: Self) -> Self;
    /// The bits that one has.
    fn or(self, other: Self) -> Self;
    /// The bits that only one has.
    fn xor(self, other: Self) -> Self;
    /// Sums of words.
    fn plus(self, other: Self) -> Self;
    /// Differences of words.
    fn minus(self, other: Self) -> Self;
    /// All bits of the words that are equal.
    fn equal(self, other: Self) -> Self;
    /// All bits of the words that are greater.
    fn above(self, other: Self) -> Self;
    /// Products of the first word of each half.
    fn times(self, other: Self) -> Self;
    /// Moves both halves up by a word.
    fn up(self) -> Self;
    /// Moves both halves down by a word.
    fn down(self) -> Self;
    /// The sign of every word in all of its bits.
    fn sign(self) -> Self;
    /// The last word in place of the one before it, too.
    fn last_twice(self) -> Self;
    /// The second word in place of the last one.
    fn second_last(self) -> Self;
    /// The highest bits of the words, where any of the values has them.
    fn signs(self) -> i32;
}

/// A value without anything but its kind.
#[inline(always)]
pub fn kind<W: Words>(tag: Tag) -> W {
    W::words([tag as i32, 0, 0, 0])
}

/// The methods that are one instruction.
macro_rules! instructions {
    ($($name:ident ($($other:ident)?) is $instruction:ident $(::<$number:literal>)?;)*) => {
        $(
            #[inline(always)]
            fn $name(self $(, $other: Self)?) -> Self {
                // SAFETY: whoever names this type knows that the machine has its instructions.
                unsafe { arch::$instruction$(::<$number>)?(self $(, $other)?) }
            }
        )*
    };
}

impl Words for __m128i {
    const VALS: usize = 1;

    instructions! {
        and(other) is _mm_and_si128;
        or(other) is _mm_or_si128;
        xor(other) is _mm_xor_si128;
        plus(other) is _mm_add_epi32;
        minus(other) is _mm_sub_epi32;
        equal(other) is _mm_cmpeq_epi32;
        above(other) is _mm_cmpgt_epi32;
        times(other) is _mm_mul_epu32;
        up() is _mm_slli_epi64::<32>;
        down() is _mm_srli_epi64::<32>;
        sign() is _mm_srai_epi32::<31>;
        last_twice() is _mm_shuffle_epi32::<0b11_11_01_00>;
        second_last() is _mm_shuffle_epi32::<0b01_10_01_00>;
    }

    #[inline(always)]
    fn words([a, b, c, d]: [i32; 4]) -> __m128i {
        // SAFETY: every x86-64 machine has the instruction.
        unsafe { arch::_mm_set_epi32(d, c, b, a) }
    }

    #[inline(always)]
    fn read(column: &[Val], row: usize) -> __m128i {
        let Some(val) = column.get(row) else { return kind(Tag::Back) };
        // SAFETY: a value is 16 bytes; it need not be aligned for this.
        unsafe { arch::_mm_loadu_si128(core::ptr::from_ref(val).cast()) }
    }

    #[inline(always)]
    fn gather(column: &[Val], rows: &[u32], row: usize) -> __m128i {
        rows.get(row).map_or(kind(Tag::Back), |row| __m128i::read(column, *row as usize))
    }

    #[inline(always)]
    fn write(self, room: &mut [MaybeUninit<Val>]) {
        if room.len() == 1 {
            // SAFETY: there is room for 16 bytes; they need not be aligned for this.
            unsafe { arch::_mm_storeu_si128(room.as_mut_ptr().cast(), self) }
        }
    }

    #[inline(always)]
    fn signs(self) -> i32 {
        // SAFETY: every x86-64 machine has the instructions.
        unsafe { arch::_mm_movemask_ps(arch::_mm_castsi128_ps(self)) }
    }
}

impl Words for __m256i {
    const VALS: usize = 2;

    instructions! {
        and(other) is _mm256_and_si256;
        or(other) is _mm256_or_si256;
        xor(other) is _mm256_xor_si256;
        plus(other) is _mm256_add_epi32;
        minus(other) is _mm256_sub_epi32;
        equal(other) is _mm256_cmpeq_epi32;
        above(other) is _mm256_cmpgt_epi32;
        times(other) is _mm256_mul_epu32;
        up() is _mm256_slli_epi64::<32>;
        down() is _mm256_srli_epi64::<32>;
        sign() is _mm256_srai_epi32::<31>;
        last_twice() is _mm256_shuffle_epi32::<0b11_11_01_00>;
        second_last() is _mm256_shuffle_epi32::<0b01_10_01_00>;
    }

    #[inline(always)]
    fn words([a, b, c, d]: [i32; 4]) -> __m256i {
        // SAFETY: whoever names this type knows that the machine has AVX2.
        unsafe { arch::_mm256_setr_epi32(a, b, c, d, a, b, c, d) }
    }

    #[inline(always)]
    fn read(column: &[Val], row: usize) -> __m256i {
        let Some(both) = column.get(row..).and_then(<[Val]>::first_chunk::<2>) else {
            return kind(Tag::Back);
        };
        // SAFETY: two values are 32 bytes; they need not be aligned for this.
        unsafe { arch::_mm256_loadu_si256(core::ptr::from_ref(both).cast()) }
    }

    #[inline(always)]
    fn gather(column: &[Val], rows: &[u32], row: usize) -> __m256i {
        let (a, b) = (__m128i::gather(column, rows, row), __m128i::gather(column, rows, row + 1));
        // SAFETY: as above.
        unsafe { arch::_mm256_set_m128i(b, a) }
    }

    #[inline(always)]
    fn write(self, room: &mut [MaybeUninit<Val>]) {
        if room.len() == 2 {
            // SAFETY: there is room for two values of 16 bytes; they need not be aligned for this.
            unsafe { arch::_mm256_storeu_si256(room.as_mut_ptr().cast(), self) }
        }
    }

    #[inline(always)]
    fn signs(self) -> i32 {
        // SAFETY: as above.
        let all = unsafe { arch::_mm256_movemask_ps(arch::_mm256_castsi256_ps(self)) };
        all & 15 | all >> 4
    }
}
