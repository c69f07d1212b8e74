//! Marks: how an output resembles what is expected, and a digest that tells outputs apart.
//!
//! Search needs no more than this of most outputs, so an engine that holds grids as bits need not
//! bring the values out. Every engine gives the same marks.
//!
//! A digest is XXH3 (64 bits) of bytes that differ for any two values that differ: a grid is written
//! as its size and its bit planes, any other value as tagged items with their counts. So two outputs
//! share a digest by chance alone: among a million outputs once in 37 million times.

mod bytes;

use batt_core::grid::Grid;
use batt_core::{Array, Cx, Tag, Val};
use batt_lang::Value;
use twox_hash::XxHash3_64;

use super::Cell;
use super::cpu::to_value;

/// What a mark's `cells` is when the output is the expected one.
pub const FULL: u16 = 1000;

/// The digest of every error.
const ERROR: u64 = 0x6572_726f_7221;

/// How one output resembles what is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Tells outputs apart; all errors are alike.
    pub digest: u64,
    /// How many cells match, of 1000, by the larger grid; 1000 exactly when the grids are equal, 0
    /// for an error and for what is no ARC grid: one of up to 30 by 30 cells of ten colours.
    pub cells: u16,
}

impl Mark {
    /// The mark of an error.
    pub const ERROR: Mark = Mark { digest: ERROR, cells: 0 };

    /// The mark of a value.
    pub fn of(value: &Value, expected: Option<&Value>) -> Mark {
        let target = expected.and_then(Bits::of);
        match Bits::of(value) {
            Some(bits) => bits.mark(target.as_ref()),
            None => Mark { digest: digest_of_bytes(&bytes::of(value)), cells: 0 },
        }
    }

    /// The mark of an output; `None` is an error.
    pub fn of_out(out: Option<&Value>, expected: Option<&Value>) -> Mark {
        out.map_or(Mark::ERROR, |value| Mark::of(value, expected))
    }

    /// The mark of what an arena holds; `None` where it was handed back. `target` is `expected` as
    /// bits.
    pub fn of_val(
        cx: Cx,
        val: Val,
        target: Option<&Bits>,
        expected: Option<&Value>,
    ) -> Option<Mark> {
        match val.tag() {
            Tag::Back => None,
            Tag::Error => Some(Mark::ERROR),
            Tag::Grid => {
                let Grid { planes, height, width } = Grid::<Array>::load(cx, val)?;
                let bits = Bits { planes: planes.0.map(|plane| plane.0), height, width };
                Some(bits.mark(target))
            }
            _ => to_value(cx, val).map(|value| Mark::of(&value, expected)),
        }
    }

    /// The mark of a cell; `None` where the engine handed it back.
    pub fn of_cell(cell: &Cell, expected: Option<&Value>) -> Option<Mark> {
        match cell {
            Cell::Value(value) => Some(Mark::of(value, expected)),
            Cell::Error(..) => Some(Mark::ERROR),
            Cell::Verdict(_) | Cell::HandBack | Cell::Stopped => None,
        }
    }
}

/// A grid of up to 32 by 32 colours below 16, as bits: row = word, column = bit.
#[derive(Clone, Debug)]
pub struct Bits {
    /// One for each bit of a colour.
    pub planes: [[u32; 32]; 4],
    /// Rows.
    pub height: u32,
    /// Columns.
    pub width: u32,
}

impl Bits {
    /// The bits of a grid, where it is one that they can hold.
    pub fn of(value: &Value) -> Option<Bits> {
        let rows = value.elements_of().filter(|_| value.is_tuple())?;
        if !(1..=32).contains(&rows.len()) {
            return None;
        }
        let mut bits = Bits { planes: [[0; 32]; 4], height: rows.len() as u32, width: 0 };
        for (i, row) in rows.iter().enumerate() {
            let cells = row.elements_of().filter(|_| row.is_tuple())?;
            let width = cells.len() as u32;
            if !(1..=32).contains(&width) || i > 0 && width != bits.width {
                return None;
            }
            bits.width = width;
            for (j, cell) in cells.iter().enumerate() {
                let color = cell.as_int().filter(|c| (0..16).contains(c))? as u32;
                for (k, plane) in bits.planes.iter_mut().enumerate() {
                    plane[i] |= (color >> k & 1) << j;
                }
            }
        }
        Some(bits)
    }

    /// The mark of this grid.
    pub fn mark(&self, target: Option<&Bits>) -> Mark {
        Mark { digest: self.digest(), cells: target.map_or(0, |target| self.cells(target)) }
    }

    fn digest(&self) -> u64 {
        let mask = low(self.width);
        let mut bytes = [0; bytes::GRID_BYTES];
        bytes[..bytes::HEAD].copy_from_slice(&bytes::head(self.height, self.width));
        let rows = self.height.min(32) as usize;
        for (i, row) in bytes[bytes::HEAD..].chunks_exact_mut(bytes::ROW).take(rows).enumerate() {
            for (plane, word) in self.planes.iter().zip(row.chunks_exact_mut(4)) {
                word.copy_from_slice(&(plane[i] & mask).to_le_bytes());
            }
        }
        digest_of_bytes(&bytes[..bytes::HEAD + rows * bytes::ROW])
    }

    /// Whether a colour is beyond the ten of ARC.
    fn has_odd_colors(&self) -> bool {
        let [_, b, c, d] = &self.planes;
        (0..32).any(|i| d[i] & (b[i] | c[i]) != 0)
    }

    fn cells(&self, target: &Bits) -> u16 {
        let mask = low(self.width.min(target.width));
        let rows = self.height.min(target.height).min(32) as usize;
        let mut same = 0;
        if self.height.max(self.width) > 30 || self.has_odd_colors() {
            return 0;
        }
        for i in 0..rows {
            let differ = (0..4).fold(0, |all, k| all | (self.planes[k][i] ^ target.planes[k][i]));
            same += (!differ & mask).count_ones();
        }
        let area = (self.height * self.width).max(target.height * target.width).max(1);
        (same * u32::from(FULL) / area) as u16
    }
}

/// The lowest `n` bits.
fn low(n: u32) -> u32 {
    if n >= 32 { u32::MAX } else { (1 << n) - 1 }
}

/// The digest of several digests, in their order.
pub fn digest_of_all(digests: impl IntoIterator<Item = u64>) -> u64 {
    let bytes: Vec<u8> = digests.into_iter().flat_map(u64::to_le_bytes).collect();
    digest_of_bytes(&bytes)
}

/// The digest of bytes; the same on every machine.
pub fn digest_of_bytes(bytes: &[u8]) -> u64 {
    XxHash3_64::oneshot(bytes)
}

#[cfg(test)]
mod tests;
