//! Grids with rows and columns exchanged.

use crate::arena::{Cx, ROWS};
use crate::val::{Tag, Val};

/// Exchanges the off-diagonal blocks of so many rows and columns of 32 words; written out, so that all of
/// them stay in registers.
macro_rules! exchanged {
    ($words:ident, $half:literal, $low:literal: $($row:literal)*) => {$(
        let unlike = ($words[$row] >> $half ^ $words[$row + $half]) & $low;
        $words[$row + $half] ^= unlike;
        $words[$row] ^= unlike << $half;
    )*};
}

/// Bits with rows and columns exchanged.
#[inline(always)]
fn transposed(mut words: [u32; 32]) -> [u32; 32] {
    exchanged!(words, 16, 0x0000_ffff: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    exchanged!(words, 8, 0x00ff_00ff: 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23);
    exchanged!(words, 4, 0x0f0f_0f0f: 0 1 2 3 8 9 10 11 16 17 18 19 24 25 26 27);
    exchanged!(words, 2, 0x3333_3333: 0 1 4 5 8 9 12 13 16 17 20 21 24 25 28 29);
    exchanged!(words, 1, 0x5555_5555: 0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30);
    words
}

/// The words of four times four, one after the other.
macro_rules! all_of {
    ($four:ident: $($k:literal)*) => {
        [$($four[$k][0], $four[$k][1], $four[$k][2], $four[$k][3]),*]
    };
}

/// A row of a width from right to left.
#[inline(always)]
fn reversed(row: u32, width: u32) -> u32 {
    row.reverse_bits() >> ((32 - width) & 31)
}

/// A grid with rows and columns exchanged: first each row reversed or not, which turns what becomes of it
/// upside down, at last each row of that.
#[inline(always)]
pub fn turned(cx: Cx, unit: u32, g: Val, first: bool, last: bool) -> Val {
    let ((height, width), mut plane) = (g.dims(), 0);
    while plane < 4 {
        let at = |k: u32| {
            let rows = cx.val(g.a() + plane * ROWS, k).words();
            if first { rows.map(|row| reversed(row, width)) } else { rows }
        };
        let four = [at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7)];
        let words = transposed(all_of!(four: 0 1 2 3 4 5 6 7));
        let words = if last { words.map(|row| reversed(row, height)) } else { words };
        let (mut rest, mut k) = (&words[..], 0);
        while let [a, b, c, d, more @ ..] = rest {
            cx.put_own(unit + plane * ROWS, k, Val::from_four_words([*a, *b, *c, *d]));
            (rest, k) = (more, k + 1);
        }
        plane += 1;
    }
    Val::new(Tag::Grid, 0, unit, 0, width | height << 8)
}
