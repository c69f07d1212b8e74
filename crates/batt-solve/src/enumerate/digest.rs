//! Digests: 128 bits that tell values apart, whatever form the arena holds them in.

use batt_core::arena::ROWS;
use batt_core::patch::planes;
use batt_core::{Array, Cx, Tag, Val};

/// Two independent sums of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digest {
    a: u64,
    b: u64,
}

/// Words without a pattern: the first digits of the square roots of 2, 3, 5 and 7.
const KEYS: [u64; 4] =
    [0x6a09_e667_f3bc_c909, 0xbb67_ae85_84ca_a73b, 0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1];

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

impl Digest {
    /// The digest of nothing, of a sort.
    #[inline]
    pub fn new(seed: u64) -> Digest {
        Digest { a: KEYS[0] ^ seed, b: KEYS[1].wrapping_add(seed) }
    }

    /// Adds two words.
    #[inline]
    pub fn add(&mut self, x: u64, y: u64) {
        // Each product is of words that depend on all before, so a zero factor, which would forget one of
        // the words, is as unlikely as any other value; the other sum does not have it at the same time.
        self.a = fold(self.a ^ x, KEYS[2] ^ y).wrapping_add(self.a.rotate_left(23));
        self.b = fold(self.b ^ y, KEYS[3] ^ x).wrapping_add(self.b.rotate_left(41));
    }

    /// Adds another digest.
    #[inline]
    pub fn join(&mut self, other: Digest) {
        self.add(other.a, other.b);
    }

    /// All its bits.
    #[inline]
    pub fn bits(self) -> u128 {
        u128::from(self.a) << 64 | u128::from(self.b)
    }
}

/// The digest of a value.
#[inline]
pub fn digest(cx: Cx, val: Val) -> Digest {
    match val.tag() {
        Tag::Grid => grid(cx, val),
        Tag::Mask => patch(cx, val, Tag::Mask as u64),
        Tag::Object => patch(cx, val, Tag::Object as u64),
        Tag::Tuple | Tag::Set => {
            let mut digest = Digest::new(val.tag() as u64);
            for k in 0..val.x() {
                digest.join(self::digest(cx, cx.val(val.a(), k)));
            }
            digest.add(u64::from(val.x()), 0);
            digest
        }
        tag => {
            let mut digest = Digest::new(tag as u64);
            let (low, high) = val.two_words();
            digest.add(low, high);
            digest
        }
    }
}

#[inline]
fn grid(cx: Cx, val: Val) -> Digest {
    let (height, _) = val.dims();
    let mut digest = Digest::new(Tag::Grid as u64 | u64::from(val.x()) << 8);
    for plane in 0..4 {
        let unit = val.a() + plane * ROWS;
        let mut row = 0;
        // Four rows at a time; those below the last one are empty.
        while row < height {
            digest.add(cx.eight_bytes(unit, row * 4), cx.eight_bytes(unit, row * 4 + 8));
            row += 4;
        }
    }
    digest
}

/// A patch, as it lies in a window that begins with its first row and column.
#[inline]
fn patch(cx: Cx, val: Val, seed: u64) -> Digest {
    let mask = cx.load::<Array>(val.a()).0;
    let all = mask.iter().fold(0, |all, row| all | row);
    let first = mask.iter().position(|row| *row != 0).unwrap_or(0);
    let last = mask.iter().rposition(|row| *row != 0).unwrap_or(0);
    let (i, j) = val.origin();
    let (i, j) = (i + first as i32, j + all.trailing_zeros() as i32);
    let mut digest = Digest::new(seed | u64::from(val.extra()) << 8);
    digest.add(u64::from(i as u32) << 32 | u64::from(j as u32), (last - first) as u64);
    let shift = all.trailing_zeros() & 31;
    add_rows(&mut digest, &mask[first..=last], shift);
    if val.is(Tag::Object) {
        let planes = colors(cx, val, &mask);
        match one_color(&planes, &mask) {
            Some(color) => digest.add(u64::from(color), u64::MAX),
            None => {
                for rows in &planes {
                    add_rows(&mut digest, &rows[first..=last], shift);
                }
            }
        }
    }
    digest
}

/// Adds rows, four at a time, from a column on.
#[inline]
fn add_rows(digest: &mut Digest, rows: &[u32], shift: u32) {
    for four in rows.chunks(4) {
        let at = |row: usize| u64::from(four.get(row).map_or(0, |row| row >> shift));
        digest.add(at(0) | at(1) << 32, at(2) | at(3) << 32);
    }
}

/// The planes of an object's colours, within its mask.
#[inline]
fn colors(cx: Cx, object: Val, mask: &[u32; 32]) -> [[u32; 32]; 4] {
    let mut rows = planes::<Array>(cx, object).0.map(|plane| plane.0);
    for plane in &mut rows {
        for (row, mask) in plane.iter_mut().zip(mask) {
            *row &= mask;
        }
    }
    rows
}

/// The one colour that an object has: it may be kept as such or in planes.
#[inline]
fn one_color(planes: &[[u32; 32]; 4], mask: &[u32; 32]) -> Option<u32> {
    let mut color = 0;
    for (k, plane) in planes.iter().enumerate() {
        if plane == mask {
            color |= 1 << k;
        } else if plane.iter().any(|row| *row != 0) {
            return None;
        }
    }
    Some(color)
}
