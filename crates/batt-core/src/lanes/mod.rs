//! 32 lanes of 32 bits: lane = row, bit = column.

pub mod array;
#[cfg(target_arch = "x86_64")]
pub mod avx2;
#[cfg(target_arch = "x86_64")]
pub mod avx512;
pub mod boost;
mod cutting;
#[cfg(target_arch = "nvptx64")]
pub mod gpu;
pub mod moves;

use core::ops::{BitAnd, BitOr, BitXor, Not};

use crate::arena::Cx;

/// The lowest bits of a word, put one by one where another word has bits.
#[inline(always)]
fn dealt(mut bits: u32, mut over: u32) -> u32 {
    let mut out = 0;
    while over != 0 {
        let bit = over & over.wrapping_neg();
        out |= bit & (bits & 1).wrapping_neg();
        (bits, over) = (bits >> 1, over ^ bit);
    }
    out
}

/// 32 rows of 32 bits, worked on at once.
///
/// Every argument that is not a `Self` is the same in all lanes.
pub trait Lanes:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// The lanes with which what is compiled apart from its callers works: it is compiled once, and not for
    /// each instruction set that callers are compiled for.
    type Out: Lanes;
    /// The lanes with which that works where it is known that the machine has the widest registers.
    type Widest: Lanes;
    /// Whether what is written out, so that it runs faster, is better left to loops: it takes long to compile
    /// wherever it is used.
    const COMPACT: bool = true;

    /// What was made by something that is compiled apart.
    fn from_out(rows: Self::Out) -> Self;
    /// What is given to something that is compiled apart.
    fn to_out(self) -> Self::Out;

    /// Reads 32 words.
    ///
    /// # Safety
    ///
    /// `from` points to 32 words aligned to 64 bytes.
    #[allow(unsafe_code)]
    unsafe fn read(from: *const u32) -> Self;
    /// Writes 32 words.
    ///
    /// # Safety
    ///
    /// `to` points to 32 words aligned to 64 bytes.
    #[allow(unsafe_code)]
    unsafe fn write(self, to: *mut u32);
    /// Adds all bits to 32 words.
    ///
    /// # Safety
    ///
    /// `to` points to 32 words, aligned or not.
    #[allow(unsafe_code)]
    unsafe fn merge(self, to: *mut u32);
    /// The same bits in every lane.
    fn splat(x: u32) -> Self;
    /// Each lane's own number.
    fn iota() -> Self;
    /// Lane by lane, wrapping.
    fn add(self, other: Self) -> Self;
    /// Lane by lane, wrapping.
    fn mul(self, k: u32) -> Self;
    /// Bits moved to higher columns; what leaves is lost, also for 32 and more.
    fn shl(self, n: u32) -> Self;
    /// Bits moved to lower columns; what leaves is lost, also for 32 and more.
    fn shr(self, n: u32) -> Self;
    /// Rows moved down by `n` (up where negative); what leaves is lost.
    fn rows(self, n: i32) -> Self;
    /// Rows moved down by one.
    fn down(self) -> Self;
    /// Rows moved up by one.
    fn up(self) -> Self;
    /// Row i becomes row n - 1 - i, for i below n; the others are zero.
    fn flip(self, n: u32) -> Self;
    /// Every row `n` times, `n` at least 1; what leaves is lost.
    fn stretch(self, n: u32) -> Self;
    /// Each lane's bits in reverse order.
    fn reverse(self) -> Self;
    /// Rows and columns exchanged.
    fn transpose(self) -> Self;
    /// Each lane's number of set bits.
    fn popcount(self) -> Self;
    /// The value of one lane.
    fn get(self, lane: u32) -> u32;
    /// The value of one lane in every lane.
    #[inline(always)]
    fn everywhere(self, lane: u32) -> Self {
        Self::splat(self.get(lane))
    }
    /// `v` in one lane, zero elsewhere.
    fn put(lane: u32, v: u32) -> Self;
    /// All ones in the lanes below n.
    fn below(n: u32) -> Self;
    /// All ones in the lanes that are not zero.
    fn filled(self) -> Self;
    /// A bit for every lane that is not zero.
    fn ballot(self) -> u32;
    /// All lanes or-ed together.
    fn or_all(self) -> u32;
    /// The sum of all lanes, wrapping.
    fn sum(self) -> u32;

    /// The word of one lane of 32 words.
    ///
    /// # Safety
    ///
    /// As for [`Lanes::read`].
    #[inline(always)]
    #[allow(unsafe_code)]
    unsafe fn read_lane(from: *const u32, lane: u32) -> u32 {
        // SAFETY: the caller's promise is the same.
        unsafe { Self::read(from) }.get(lane)
    }

    /// 32 words from a lane on. Those after the last lane are anything.
    ///
    /// # Safety
    ///
    /// As for [`Lanes::read`], and 32 words more may be read.
    #[inline(always)]
    #[allow(unsafe_code)]
    unsafe fn read_from(from: *const u32, lane: u32) -> Self {
        // SAFETY: the caller's promise is the same.
        unsafe { Self::read(from) }.rows(-(lane as i32))
    }

    /// The value of one lane, where all were read from 32 words that have not changed since:
    /// from wherever that is cheaper.
    ///
    /// # Safety
    ///
    /// As for [`Lanes::read`].
    #[inline(always)]
    #[allow(unsafe_code)]
    unsafe fn lane_of(self, from: *const u32, lane: u32) -> u32 {
        let _ = from;
        self.get(lane)
    }

    /// Adds bits to one lane of 32 words.
    ///
    /// # Safety
    ///
    /// As for [`Lanes::write`].
    #[inline(always)]
    #[allow(unsafe_code)]
    unsafe fn mark_lane(to: *mut u32, lane: u32, bits: u32) {
        // SAFETY: the caller's promise is the same.
        unsafe { (Self::read(to) | Self::put(lane, bits)).write(to) }
    }

    /// The first lane in which 32 words differ from 32 others, and both words there.
    ///
    /// # Safety
    ///
    /// As for [`Lanes::read`], of both.
    #[inline(always)]
    #[allow(unsafe_code)]
    unsafe fn first_unlike(a: *const u32, b: *const u32) -> Option<(u32, u32, u32)> {
        // SAFETY: the caller's promise is the same.
        let (a, b) = unsafe { (Self::read(a), Self::read(b)) };
        let (row, _) = (a ^ b).first()?;
        Some((row, a.get(row), b.get(row)))
    }

    /// Adds bits to one lane.
    #[inline(always)]
    fn mark(&mut self, lane: u32, bits: u32) {
        *self = *self | Self::put(lane, bits);
    }

    /// Whether any bit after a place is set, in row-major order.
    #[inline(always)]
    fn any_after(self, row: u32, column: u32) -> bool {
        (self & !Self::below(row) & !Self::put(row, low_bits(column + 1))).any()
    }

    /// Whether any bit is set.
    #[inline(always)]
    fn any(self) -> bool {
        self.or_all() != 0
    }

    /// How many bits are set.
    #[inline(always)]
    fn count(self) -> u32 {
        self.popcount().sum()
    }

    /// The first set bit in row-major order, as (row, column).
    #[inline(always)]
    fn first(self) -> Option<(u32, u32)> {
        let rows = self.ballot();
        if rows == 0 {
            return None;
        }
        let row = rows.trailing_zeros();
        Some((row, self.get(row).trailing_zeros()))
    }

    /// The last set bit in row-major order, as (row, column).
    #[inline(always)]
    fn last(self) -> Option<(u32, u32)> {
        let rows = self.ballot();
        if rows == 0 {
            return None;
        }
        let row = 31 - rows.leading_zeros();
        Some((row, 31 - self.get(row).leading_zeros()))
    }

    /// Whether lanes are threads: what follows then shares numbers out among them, and the functions
    /// that it is given run apart from each other and ask nothing of other lanes.
    const APART: bool = false;
    /// How many share the numbers.
    const SHARERS: u32 = 1;

    /// Which of the sharers this is.
    #[inline(always)]
    fn sharer() -> u32 {
        0
    }

    /// Calls `f` with every number below n.
    #[inline(always)]
    fn each(n: u32, mut f: impl FnMut(u32)) {
        let mut k = 0;
        while k < n {
            f(k);
            k += 1;
        }
    }

    /// Calls `see` with every number below n and what is read for it. What is read is read ahead:
    /// where lanes are threads, waiting for memory takes longest.
    #[inline(always)]
    fn read_each<T: Copy>(n: u32, read: impl Fn(u32) -> T, mut see: impl FnMut(u32, T)) {
        let mut k = 0;
        while k < n {
            see(k, read(k));
            k += 1;
        }
    }

    /// Whether `f` holds for all numbers below n. It may be tried for any of them, in any order.
    #[inline(always)]
    fn all(n: u32, f: impl Fn(u32) -> bool) -> bool {
        let mut k = 0;
        while k < n && f(k) {
            k += 1;
        }
        k >= n
    }

    /// The first number below n for which `f` holds. Numbers after it may be tried or not.
    #[inline(always)]
    fn find(n: u32, mut f: impl FnMut(u32) -> bool) -> Option<u32> {
        let mut k = 0;
        while k < n {
            if f(k) {
                return Some(k);
            }
            k += 1;
        }
        None
    }

    /// Calls `put` with every number below n for which `holds` does, after how many there were
    /// before; how many there are.
    #[inline(always)]
    fn pick(n: u32, holds: impl Fn(u32) -> bool, put: impl Fn(u32, u32)) -> u32 {
        let (mut count, mut k) = (0, 0);
        while k < n {
            if holds(k) {
                put(count, k);
                count += 1;
            }
            k += 1;
        }
        count
    }

    /// Calls `put` with every bit of n words in order: its number, the word's, and the bit's; how
    /// many there are.
    #[inline(always)]
    fn unfold(n: u32, word: impl Fn(u32) -> u32, put: impl Fn(u32, u32, u32)) -> u32 {
        let (mut count, mut k) = (0, 0);
        while k < n {
            let mut bits = word(k);
            while bits != 0 {
                put(count, k, bits.trailing_zeros());
                bits &= bits - 1;
                count += 1;
            }
            k += 1;
        }
        count
    }

    /// How often each number occurs among those that are read for all below n: lane c counts c. And a bit
    /// for what is past 31, which counts as what it is modulo 32.
    #[inline(always)]
    fn tally(n: u32, read: impl Fn(u32) -> u32) -> (Self, bool) {
        let (mut all, mut past, mut k) = ([0; 32], 0, 0);
        while k < n {
            let x = read(k);
            past |= x >> 5;
            all[x as usize & 31] += 1;
            k += 1;
        }
        (Self::made(|c| all[c as usize & 31]), past != 0)
    }

    /// What the sharers have, or-ed together.
    #[inline(always)]
    fn joined(x: u32) -> u32 {
        x
    }

    /// The least that a sharer has.
    #[inline(always)]
    fn least(x: i32) -> i32 {
        x
    }

    /// The most that a sharer has.
    #[inline(always)]
    fn most(x: i32) -> i32 {
        x
    }

    /// What the sharers have together; stops at the largest number.
    #[inline(always)]
    fn added(x: u32) -> u32 {
        x
    }

    /// What the sharers before this one have together, and all of them.
    #[inline(always)]
    fn before(x: u32) -> (u32, u32) {
        (0, x)
    }

    /// Waits for all sharers; what they wrote before is seen by all after.
    #[inline(always)]
    fn meet() {}

    /// Calls `f` with every row and its bits.
    fn each_row(self, f: impl FnMut(u32, u32));

    /// A sharer's own row; where there is one sharer, any.
    fn own(self, row: u32) -> u32;

    /// Rows that are given one by one.
    fn made(row: impl Fn(u32) -> u32) -> Self;

    /// The lowest bits of a word, put one by one where another word has bits.
    #[inline(always)]
    fn dealt(bits: u32, over: u32) -> u32 {
        dealt(bits, over)
    }

    /// The bits of some places, rows and columns below 32; those that are `None` are left out. They
    /// come most often row by row.
    #[inline(always)]
    fn gathered(n: u32, place: impl Fn(u32) -> Option<(u32, u32)>) -> Self {
        let (mut rows, mut row, mut word, mut k) = (Self::splat(0), 0, 0, 0);
        while k < n {
            if let Some((i, j)) = place(k) {
                if i != row {
                    rows = rows | Self::put(row, word);
                    (row, word) = (i, 0);
                }
                word |= 1 << (j & 31);
            }
            k += 1;
        }
        rows | Self::put(row, word)
    }

    /// Takes away what is connected to bits of `seeds`, diagonally too or not: each object is written to the
    /// arena, in the order of its first such bit, and told with how many bits it has. False where the arena
    /// is full.
    #[inline(always)]
    fn cut_all(
        left: &mut Self,
        seeds: Self,
        cx: Cx,
        diagonal: bool,
        mut tell: impl FnMut(u32, u32),
    ) -> bool {
        while let Some((row, column)) = (seeds & *left).first() {
            let Some(unit) = cx.take(1) else { return false };
            let (object, count) = Self::flood(*left, row, column, diagonal);
            cx.store(unit, object);
            *left = *left & !object;
            tell(unit, count);
        }
        true
    }

    /// The bits of `mask` that are connected to one of them, diagonally too or not, and how many
    /// they are.
    #[inline(always)]
    fn flood(mask: Self, row: u32, column: u32, diagonal: bool) -> (Self, u32) {
        flood_rows(mask, row, column, diagonal)
    }

    /// All horizontal runs of `mask` that hold a bit of `seed` (which lies within the mask).
    ///
    /// Adding the seed to the mask carries through the run towards higher columns; the same on
    /// reversed bits does the other direction.
    #[inline(always)]
    fn fill_runs(mask: Self, reversed: Self, seed: Self) -> Self {
        let high = seed | (mask & !mask.add(seed));
        let low = high.reverse();
        (low | (reversed & !reversed.add(low))).reverse()
    }
}

/// The lowest `n` bits; all for 32 and more.
#[inline(always)]
pub const fn low_bits(n: u32) -> u32 {
    if n >= 32 { u32::MAX } else { (1 << n) - 1 }
}

/// [`Lanes::flood`] with all rows at once.
#[inline(always)]
fn flood_rows<V: Lanes>(mask: V, row: u32, column: u32, diagonal: bool) -> (V, u32) {
    let sideways = V::splat(if diagonal { u32::MAX } else { 0 });
    let reversed = mask.reverse();
    let mut all = V::fill_runs(mask, reversed, V::put(row, 1 << (column & 31)));
    loop {
        let wide = all | ((all.shl(1) | all.shr(1)) & sideways);
        let more = (wide.down() | wide.up()) & mask & !all;
        if !more.any() {
            return (all, all.count());
        }
        all = all | V::fill_runs(mask, reversed, more);
    }
}

#[cfg(test)]
mod tests {
    use super::array::Array;
    use super::*;

    #[test]
    fn both_ways_to_flood_agree() {
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 32) as u32
        };
        for round in 0..600 {
            // From sparse to dense; in between, objects wind.
            let mask = Array::new(core::array::from_fn(|_| match round % 3 {
                0 => next() & next(),
                1 => next(),
                _ => next() | next(),
            }));
            let Some((row, column)) = (mask & !<Array>::below(next() & 15)).first() else {
                continue;
            };
            for diagonal in [false, true] {
                assert_eq!(
                    <Array>::flood(mask, row, column, diagonal),
                    flood_rows(mask, row, column, diagonal)
                );
            }
        }
    }
}
