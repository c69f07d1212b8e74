//! Marks: how an output resembles what is expected, and a digest that tells outputs apart.
//!
//! Search needs no more than this of most outputs, so an engine that holds grids as bits need not
//! bring the values out. Every engine gives the same marks.

use batt_core::grid::Grid;
use batt_core::{Array, Cx, Tag, Val};
use batt_lang::Value;

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
            None => Mark { digest: digest_of(value), cells: 0 },
        }
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
        let mask = low(self.width);
        let mut digest = mix(u64::from(self.height) << 8 | u64::from(self.width));
        for i in 0..self.height.min(32) as usize {
            let [a, b, c, d] = self.planes.each_ref().map(|plane| u64::from(plane[i] & mask));
            digest = mix(digest ^ (a | b << 32)) ^ (c | d << 32);
        }
        Mark { digest: mix(digest), cells: target.map_or(0, |target| self.cells(target)) }
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

/// Spreads every bit over all others.
fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^ (x >> 32)
}

/// The digest of what bits cannot hold. Equal values have equal digests, so a bool is its int.
fn digest_of(value: &Value) -> u64 {
    let tag = match value {
        Value::Null => 1,
        Value::Bool(_) | Value::Int(_) => {
            return mix(2 << 32 | u64::from(value.as_int().unwrap_or(0) as u32));
        }
        Value::Set(_) => 4,
        Value::Function(function) => {
            let text = format!("{function:?}");
            return text.bytes().fold(5, |digest, byte| mix(digest ^ u64::from(byte)));
        }
        Value::Pair(..) | Value::Cell(..) | Value::Tuple(_) => 3,
    };
    let Some(items) = value.elements_of() else { return mix(tag) };
    let start = mix(tag << 32 | items.len() as u64);
    items.iter().fold(start, |digest, item| mix(digest.rotate_left(7) ^ digest_of(item)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_counts_cells_by_the_larger_grid() {
        let grid = Value::grid(&[[1, 2], [3, 4]]);
        let cells = |other: &Value| Mark::of(other, Some(&grid)).cells;
        assert_eq!(cells(&grid), FULL);
        assert_eq!(cells(&Value::grid(&[[1, 2], [3, 5]])), 750);
        assert_eq!(cells(&Value::grid(&[[1, 2, 0], [3, 4, 0]])), 666);
        assert_eq!(cells(&Value::Int(3)), 0);
        // No ARC grids.
        assert_eq!(cells(&Value::grid(&[[1, 2], [3, 17]])), 0);
        assert_eq!(cells(&Value::grid(&[[1, 2], [3, 10]])), 0);
        assert_eq!(cells(&Value::grid(&[[1, 2], [3, -4]])), 0);
    }

    #[test]
    fn digests_tell_values_apart() {
        let values = [
            Value::grid(&[[1, 2], [3, 4]]),
            Value::grid(&[[1, 2], [3, 5]]),
            Value::grid(&[[1, 2, 3, 4]]),
            Value::grid(&[[1], [2], [3], [4]]),
            Value::Int(1),
            Value::empty_set(),
        ];
        let digests: std::collections::HashSet<u64> =
            values.iter().map(|v| Mark::of(v, None).digest).collect();
        assert_eq!(digests.len(), values.len());
    }
}
