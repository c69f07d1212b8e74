//! Sets of cells as bits: what rules are learnt on.
//!
//! The cells of all demos come first, from the lowest bit of the first word on; those of the tests begin
//! at a word of their own. Learning looks at the demos' words only, and a rule that was learnt is applied
//! to all.

// What counts bits is compiled inside what is compiled for wide instructions ([`crate::split`]).
#![allow(clippy::inline_always)]

/// A set of cells.
pub type Bits = Vec<u64>;

/// How many cells are in a set.
#[inline(always)]
pub fn count(a: &[u64]) -> u32 {
    a.iter().map(|word| word.count_ones()).sum()
}

/// How many cells two sets share.
#[inline(always)]
pub fn count_both(a: &[u64], b: &[u64]) -> u32 {
    a.iter().zip(b).map(|(a, b)| (a & b).count_ones()).sum()
}

/// What two sets share.
#[inline]
pub fn both(a: &[u64], b: &[u64]) -> Bits {
    a.iter().zip(b).map(|(a, b)| a & b).collect()
}

/// What the first set holds and the second does not.
#[inline]
pub fn but(a: &[u64], b: &[u64]) -> Bits {
    a.iter().zip(b).map(|(a, b)| a & !b).collect()
}

/// Adds a cell.
pub fn insert(a: &mut [u64], cell: usize) {
    a[cell >> 6] |= 1 << (cell & 63);
}

/// Whether a cell is in a set.
pub fn has(a: &[u64], cell: usize) -> bool {
    a[cell >> 6] >> (cell & 63) & 1 == 1
}

/// The cells of a set, ascending.
pub fn cells(a: &[u64]) -> impl Iterator<Item = usize> + '_ {
    a.iter().enumerate().flat_map(|(at, word)| {
        let mut left = *word;
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros())?;
            left &= left - 1;
            Some(at * 64 + bit as usize)
        })
    })
}

/// A number that tells sets apart: two sets share it by chance alone.
pub fn fingerprint(a: &[u64]) -> u128 {
    let mut print: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
    for word in a {
        print = (print ^ u128::from(*word)).wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645);
        print ^= print >> 61;
    }
    print
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_was_put_in() {
        let mut a = vec![0; 3];
        for cell in [0, 63, 64, 150] {
            insert(&mut a, cell);
        }
        assert_eq!(cells(&a).collect::<Vec<_>>(), [0, 63, 64, 150]);
        assert_eq!((count(&a), has(&a, 64), has(&a, 65)), (4, true, false));
        let b = vec![u64::MAX, 0, 0];
        assert_eq!((count_both(&a, &b), count(&both(&a, &b)), count(&but(&a, &b))), (2, 2, 2));
        assert_ne!(fingerprint(&a), fingerprint(&b));
    }
}
