//! Grids as planes, and those of the last samples kept that way.

use batt_core::grid::{Grid, Planes};
use batt_core::{Array, Cx, Lanes, Val};
use batt_lang::Value;
use batt_lang::value::Items;

use super::convert::to_val;

/// A grid that four planes hold.
pub struct Packed {
    planes: Planes<Array>,
    height: u32,
    width: u32,
}

impl Packed {
    /// A tuple, where it is such a grid.
    pub fn of(rows: &[Value]) -> Option<Packed> {
        if !(1..=32).contains(&rows.len()) {
            return None;
        }
        let (mut planes, mut width) = ([[0u32; 32]; 4], 0);
        for (i, row) in rows.iter().enumerate() {
            let (words, len) = match row {
                Value::Tuple(cells) => (words(cells)?, cells.len()),
                Value::Pair(a, b) => (words(&[Value::Int(*a), Value::Int(*b)])?, 2),
                _ => return None,
            };
            if len == 0 || i > 0 && len != width {
                return None;
            }
            width = len;
            for (plane, word) in planes.iter_mut().zip(words) {
                plane[i] = word;
            }
        }
        let planes = Planes(planes.map(Array::new));
        Some(Packed { planes, height: rows.len() as u32, width: width as u32 })
    }

    /// The items of a tuple, which may be kept as cells.
    pub fn of_items(items: &Items) -> Option<Packed> {
        let Some(cells) = items.cells() else { return Packed::of(items) };
        let (height, width) = (cells.height(), cells.width());
        if height > 32 || width > 32 {
            return None;
        }
        let mut planes = [[0u32; 32]; 4];
        for (i, row) in cells.colors().chunks_exact(width).enumerate() {
            for (plane, word) in planes.iter_mut().zip(words_of_bytes(row)?) {
                plane[i] = word;
            }
        }
        let planes = Planes(planes.map(Array::new));
        Some(Packed { planes, height: height as u32, width: width as u32 })
    }

    /// The same for any value.
    pub fn of_value(value: &Value) -> Option<Packed> {
        if let Value::Tuple(rows) = value { Packed::of_items(rows) } else { None }
    }

    /// Whether a value is this grid; `None` where it is in another form.
    pub fn is(&self, cx: Cx, val: Val) -> Option<bool> {
        let grid = Grid::<Array>::load(cx, val)?;
        let same = (grid.height, grid.width) == (self.height, self.width);
        Some(same && !self.planes.differ(grid.planes).any())
    }

    /// The grid in the arena.
    pub fn val(&self, cx: Cx) -> Val {
        Grid::make(cx, self.planes, self.height, self.width)
    }
}

/// The bits of a row's colours.
fn words(cells: &[Value]) -> Option<[u32; 4]> {
    if cells.len() > 32 {
        return None;
    }
    let (mut words, (eights, rest)) = ([0; 4], cells.as_chunks::<8>());
    for (cells, shift) in eights.iter().zip([0, 8, 16, 24]) {
        add_bits(cells, shift, &mut words)?;
    }
    add_bits(rest, cells.len() - rest.len(), &mut words)?;
    Some(words)
}

/// The bits of a row's colours, of up to 32 columns.
fn words_of_bytes(row: &[u8]) -> Option<[u32; 4]> {
    let mut bytes = [0; 32];
    bytes.get_mut(..row.len())?.copy_from_slice(row);
    let (mut words, (eights, _)) = ([0; 4], bytes.as_chunks::<8>());
    let mut any = 0;
    for (eight, shift) in eights.iter().zip([0, 8, 16, 24]) {
        let bytes = u64::from_le_bytes(*eight);
        any |= bytes;
        add_bytes(bytes, shift, &mut words);
    }
    (any & 0xf0f0_f0f0_f0f0_f0f0 == 0).then_some(words)
}

/// Adds the bits of eight cells, each a byte, from a column on.
#[inline]
fn add_bytes(bytes: u64, column: u32, words: &mut [u32; 4]) {
    for (k, word) in words.iter_mut().enumerate() {
        // The k-th bit of every byte, side by side in the highest byte.
        let bits = (bytes >> k & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080);
        *word |= ((bits >> 56) as u32) << column;
    }
}

/// The colours of a grid's cells, row by row.
pub fn colors(Planes(planes): Planes<Array>, height: usize, width: usize) -> Vec<u8> {
    let mut colors = Vec::with_capacity(height * width + 32);
    for i in 0..height {
        let words = planes.map(|plane| plane.get(i as u32));
        for column in (0..width).step_by(8) {
            let eight = words.iter().enumerate().fold(0, |eight, (k, word)| {
                // Every byte holds all eight bits; of each the one of its own column is left, and brought
                // down to the lowest place.
                let bits = u64::from(word >> column & 0xff).wrapping_mul(0x0101_0101_0101_0101);
                let own = bits & 0x8040_2010_0804_0201;
                eight | ((own + 0x7f7f_7f7f_7f7f_7f7f) >> 7 & 0x0101_0101_0101_0101) << k
            });
            colors.extend_from_slice(&u64::to_le_bytes(eight));
        }
        colors.truncate((i + 1) * width);
    }
    colors
}

/// Adds the bits of up to eight cells from a column on.
#[inline]
fn add_bits(cells: &[Value], column: usize, words: &mut [u32; 4]) -> Option<()> {
    let (mut bytes, mut any) = (0, 0);
    for cell in cells.iter().rev() {
        let color = match cell {
            Value::Int(color) => *color as u32,
            other => other.as_int().map_or(u32::MAX, |color| color as u32),
        };
        any |= color;
        bytes = bytes << 8 | u64::from(color);
    }
    add_bytes(bytes, column as u32 & 31, words);
    (any < 16).then_some(())
}

/// How many grids are kept: those of a block of samples, with what is expected of them.
const PLACES: usize = 64;

/// The grids of the last samples. A small battery would take as long to pack them as to run.
#[derive(Default)]
pub struct Kept {
    /// Each with the rows that it was packed from, which stay where they are as long as they are held.
    grids: Vec<(Items, Packed)>,
    /// Where those rows are, for each grid.
    addresses: Vec<usize>,
    /// The place after the last one that was found: samples come again in the same order.
    next: usize,
    /// The place that is used next where there is no more room.
    oldest: usize,
}

impl Kept {
    /// A value in the arena.
    pub fn val(&mut self, cx: Cx, value: &Value) -> Val {
        match self.place(value).and_then(|at| self.grids.get(at)) {
            Some((_, grid)) => grid.val(cx),
            None => to_val(cx, value),
        }
    }

    /// A value as planes, that was at a place before.
    pub fn again(&mut self, place: usize, value: &Value) -> Option<&Packed> {
        let Value::Tuple(rows) = value else { return None };
        let same = self.addresses.get(place) == Some(&rows.address());
        let at = if same { place } else { self.place(value)? };
        self.grids.get(at).map(|(_, grid)| grid)
    }

    /// Where a value is kept as planes, where they hold it.
    pub fn place(&mut self, value: &Value) -> Option<usize> {
        let Value::Tuple(rows) = value else { return None };
        let address = rows.address();
        let at = match self.addresses.get(self.next) {
            Some(next) if *next == address => Some(self.next),
            _ => self.addresses.iter().position(|kept| *kept == address),
        };
        if let Some(at) = at {
            self.next = at + 1;
            return Some(at);
        }
        let grid = Packed::of_items(rows)?;
        Some(self.keep(rows.clone(), address, grid))
    }

    /// Keeps a grid, in place of the oldest one where there is no more room; gives its place.
    fn keep(&mut self, rows: Items, address: usize, grid: Packed) -> usize {
        let at = if self.grids.len() < PLACES { self.grids.len() } else { self.oldest };
        if self.grids.len() < PLACES {
            self.grids.push((rows, grid));
            self.addresses.push(address);
            self.next = self.grids.len();
        } else {
            self.grids[self.oldest] = (rows, grid);
            self.addresses[self.oldest] = address;
            self.oldest = (self.oldest + 1) % PLACES;
            self.next = self.oldest;
        }
        at
    }

    /// The bytes that are held.
    pub fn bytes(&self) -> usize {
        self.grids.capacity() * size_of::<(Items, Packed)>()
            + self.addresses.capacity() * size_of::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::super::convert::to_value;
    use super::super::memory::Memory;
    use super::*;

    #[test]
    fn a_kept_grid_is_the_one_that_was_asked_for() {
        let mut memory = Memory::new(1 << 14);
        let (cx, mut kept) = (memory.cx(), Kept::default());
        // More than there are places for, of all widths, each asked for twice.
        let grid = |n: i32| Value::grid(&vec![vec![n % 10; n as usize % 32 + 1]; 3]);
        for n in 0..200 {
            let value = grid(n);
            for _ in 0..2 {
                let val = kept.val(cx, &value);
                assert_eq!(to_value(cx, val), Some(value.clone()));
            }
        }
        // What is no such grid is not kept, and no harm to those that are.
        let odd = Value::grid(&[[70, 3, 1]]);
        let val = kept.val(cx, &odd);
        assert_eq!(to_value(cx, val), Some(odd));
    }
}
