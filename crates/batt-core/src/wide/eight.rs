//! Eight bytes at a time, as one word, the first one lowest.

/// The lowest bit of each of eight bytes.
const LOWEST: u64 = 0x0101_0101_0101_0101;

/// The bits of eight bytes that no colour from 0 to 15 has.
pub(super) const HIGH: u64 = LOWEST * 0xf0;

/// Every eight bits as the lowest ones of eight bytes.
pub(super) static IN_BYTES: [u64; 256] = {
    let (mut all, mut bits) = ([0; 256], 0);
    while bits < 256 {
        let mut k = 0;
        while k < 8 {
            all[bits] |= (bits as u64 >> k & 1) << (8 * k);
            k += 1;
        }
        bits += 1;
    }
    all
};

/// The lowest bits of eight bytes.
#[inline(always)]
pub fn lowest_bits(bytes: u64) -> u8 {
    ((bytes & LOWEST).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// Eight rows of eight bytes, columns for rows.
#[inline(always)]
pub(super) fn transposed(rows: [u64; 8]) -> [u64; 8] {
    let mut x = rows;
    // Swaps ever smaller off-diagonal blocks.
    for (half, low) in [(4, 0xffff_ffff), (2, 0x0000_ffff_0000_ffff), (1, 0x00ff_00ff_00ff_00ff)] {
        for k in (0..8).filter(|k| k & half == 0) {
            let (a, b) = (x[k & 7], x[(k | half) & 7]);
            let differ = ((a >> (8 * half)) ^ b) & low;
            x[k & 7] = a ^ (differ << (8 * half));
            x[(k | half) & 7] = b ^ differ;
        }
    }
    x
}

/// The highest bit of each of eight bytes that are equal to one.
#[inline(always)]
pub fn equal_bytes(bytes: u64, byte: u8) -> u64 {
    let differ = bytes ^ LOWEST.wrapping_mul(u64::from(byte));
    let low = LOWEST * 0x7f;
    !((differ & low).wrapping_add(low) | differ | low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_bytes_are_told_apart() {
        let bytes = u64::from_le_bytes([3, 0, 2, 255, 2, 1, 130, 0]);
        assert_eq!(equal_bytes(bytes, 2), 0x0000_0080_0080_0000);
        assert_eq!(equal_bytes(bytes, 0), 0x8000_0000_0000_8000);
        assert_eq!(equal_bytes(bytes, 9), 0);
        assert_eq!(lowest_bits(bytes), 0b0010_1001);
        for bits in 0..=255 {
            assert_eq!(lowest_bits(IN_BYTES[usize::from(bits)]), bits);
        }
    }

    #[test]
    fn columns_become_rows() {
        let rows = core::array::from_fn(|i| {
            u64::from_le_bytes(core::array::from_fn(|j| (i * 8 + j) as u8))
        });
        let columns = transposed(rows);
        for (j, column) in columns.into_iter().enumerate() {
            assert_eq!(column.to_le_bytes(), core::array::from_fn(|i| (i * 8 + j) as u8));
        }
    }
}
