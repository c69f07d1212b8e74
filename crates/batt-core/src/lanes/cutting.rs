//! Objects cut out of a mask row by row.
//!
//! Most objects are small, so this costs only as much as they are high. Every object is found from one of its
//! cells downwards; only what bends upwards again needs more than that.

use super::Lanes;
use crate::arena::Cx;

/// What is cut, and into what.
struct Cut<'a> {
    cx: Cx,
    /// Cells that are in no object yet.
    left: &'a mut [u32; 32],
    /// Where objects begin.
    seeds: &'a [u32; 32],
    /// The rows in which cells that are left are seeds.
    rows: u32,
    /// How many cells the object has.
    count: u32,
}

/// [`Lanes::cut_all`], where `rows` have seeds.
#[inline(always)]
pub(super) fn cut_all<V: Lanes, const DIAGONAL: bool>(
    left: &mut [u32; 32],
    seeds: &[u32; 32],
    rows: u32,
    cx: Cx,
    mut tell: impl FnMut(u32, u32),
) -> bool {
    let mut cut = Cut { cx, left, seeds, rows, count: 0 };
    while cut.rows != 0 {
        let Some(unit) = cx.take(1) else { return false };
        cx.store(unit, V::splat(0));
        let first = cut.rows.trailing_zeros();
        cut.count = 0;
        let (last, bends) = cut.down_from::<DIAGONAL>(unit, first);
        if bends {
            // By value, so that what changes for every object stays in registers.
            let rest = Cut { cx, left: cut.left, seeds, rows: cut.rows, count: cut.count };
            (cut.rows, cut.count) = rest.back_and_forth::<DIAGONAL>(unit, first, last);
        }
        tell(unit, cut.count);
    }
    true
}

impl Cut<'_> {
    #[inline(always)]
    fn left(&self, row: u32) -> u32 {
        self.left[row as usize & 31]
    }

    /// Takes the runs of a row that hold bits of `seed`: what they are, and what is left.
    #[inline(always)]
    fn take(&mut self, unit: u32, row: u32, seed: u32) -> (u32, u32) {
        let at = row as usize & 31;
        let run = runs(self.left[at], seed);
        let rest = self.left[at] & !run;
        self.left[at] = rest;
        self.count += run.count_ones();
        self.rows &= !(u32::from(rest & self.seeds[at] == 0) << (row & 31));
        self.cx.put_own_word(unit, row, run | self.cx.word(unit, row));
        (run, rest)
    }

    /// Takes an object from its first row on, as far as it is found downwards: its last row, and whether more
    /// of it lies above what was found.
    #[inline(always)]
    fn down_from<const DIAGONAL: bool>(&mut self, unit: u32, first: u32) -> (u32, bool) {
        let seeds = self.left(first) & self.seeds[first as usize & 31];
        let (mut run, mut above) = self.take(unit, first, seeds & seeds.wrapping_neg());
        let mut bends = if first > 0 { spread::<DIAGONAL>(run) & self.left(first - 1) } else { 0 };
        let mut row = first + 1;
        while row < 32 {
            let more = spread::<DIAGONAL>(run) & self.left(row);
            if more == 0 {
                break;
            }
            let (next, rest) = self.take(unit, row, more);
            bends |= spread::<DIAGONAL>(next) & above;
            (run, above) = (next, rest);
            row += 1;
        }
        (row - 1, bends != 0)
    }

    /// Takes what is left of an object that has rows already, upwards and downwards in turn: the rows in
    /// which there are seeds then, and how many cells it has.
    #[inline(never)]
    fn back_and_forth<const DIAGONAL: bool>(
        mut self,
        unit: u32,
        first: u32,
        last: u32,
    ) -> (u32, u32) {
        let (mut top, mut bottom) = (first, last);
        loop {
            let mut found = false;
            let mut row = bottom;
            while row > 0 {
                let more = spread::<DIAGONAL>(self.cx.word(unit, row)) & self.left(row - 1);
                row -= 1;
                if more != 0 {
                    self.take(unit, row, more);
                    top = top.min(row);
                    found = true;
                } else if row < top {
                    break;
                }
            }
            if !found {
                return (self.rows, self.count);
            }
            found = false;
            row = top;
            while row < 31 {
                let more = spread::<DIAGONAL>(self.cx.word(unit, row)) & self.left(row + 1);
                row += 1;
                if more != 0 {
                    self.take(unit, row, more);
                    bottom = bottom.max(row);
                    found = true;
                } else if row > bottom {
                    break;
                }
            }
            if !found {
                return (self.rows, self.count);
            }
        }
    }
}

/// A row's bits, with their neighbours if asked for.
#[inline(always)]
fn spread<const DIAGONAL: bool>(bits: u32) -> u32 {
    if DIAGONAL { bits | bits << 1 | bits >> 1 } else { bits }
}

/// The runs of a row that hold a bit of `seed`, which lies within the row.
#[inline(always)]
fn runs(row: u32, seed: u32) -> u32 {
    let (mut out, mut left) = (0, seed);
    loop {
        let bit = left & left.wrapping_neg();
        // From the lowest seed upwards by carry, and downwards to the next gap.
        let high = row & !row.wrapping_add(bit);
        let below = bit.wrapping_sub(1);
        let gap = 32 - (!row & below).leading_zeros();
        let run = high | (below & u32::MAX << (gap & 31));
        out |= run;
        left &= !run;
        if left == 0 {
            return out;
        }
    }
}
