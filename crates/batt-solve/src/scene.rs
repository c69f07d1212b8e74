//! A scene: the grids that a rule looks at, one for each demo and test, and what the demos should become.
//!
//! All cells of all grids stand in one row, the demos' first ([`crate::bits`]).

use batt_lang::Value;
use batt_run::tasks::Grid;

use crate::bits::{Bits, insert};

/// What a plane says of a cell that it says nothing of.
pub const NONE: u8 = u8::MAX;

/// A grid of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Rows.
    pub height: usize,
    /// Columns.
    pub width: usize,
    /// Where its cells begin.
    pub start: usize,
}

impl Extent {
    /// How many cells it has.
    pub fn area(&self) -> usize {
        self.height * self.width
    }

    /// The place of a cell, if it is within the grid.
    pub fn cell(&self, row: i32, column: i32) -> Option<usize> {
        let (row, column) = (usize::try_from(row).ok()?, usize::try_from(column).ok()?);
        let inside = row < self.height && column < self.width;
        inside.then(|| self.start + row * self.width + column)
    }
}

/// The grids that a rule looks at.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The grids, demos first.
    pub extents: Vec<Extent>,
    /// How many of them are demos.
    pub demos: usize,
    /// How many words of a set the demos take.
    pub demo_words: usize,
    /// How many words a set has.
    pub words: usize,
    /// The colour of every cell.
    pub own: Vec<u8>,
    /// What every cell of the demos should become; nothing where it does not matter.
    pub target: Vec<u8>,
}

impl Scene {
    /// The scene of grids and what the first of them should become; `None` where sizes differ.
    pub fn new(grids: &[Grid], targets: &[&Grid]) -> Option<Scene> {
        let same = |(a, b): (&Grid, &&Grid)| a.height() == b.height() && a.width() == b.width();
        if targets.len() > grids.len() || !grids.iter().zip(targets).all(same) {
            return None;
        }
        let (mut extents, mut start) = (Vec::with_capacity(grids.len()), 0_usize);
        let mut demo_words = 0;
        for (at, grid) in grids.iter().enumerate() {
            if at == targets.len() {
                demo_words = start.div_ceil(64);
                start = demo_words * 64;
            }
            let extent = Extent { height: grid.height(), width: grid.width(), start };
            extents.push(extent);
            start += extent.area();
        }
        let words = start.div_ceil(64);
        if targets.len() == grids.len() {
            demo_words = words;
        }
        let mut own = vec![NONE; words * 64];
        let mut target = vec![NONE; demo_words * 64];
        for (at, (grid, extent)) in grids.iter().zip(&extents).enumerate() {
            let cells = grid.rows().flatten();
            for (to, color) in own[extent.start..].iter_mut().zip(cells) {
                *to = *color;
            }
            if let Some(wanted) = targets.get(at) {
                for (to, color) in target[extent.start..].iter_mut().zip(wanted.rows().flatten()) {
                    *to = *color;
                }
            }
        }
        Some(Scene { extents, demos: targets.len(), demo_words, words, own, target })
    }

    /// The same grids, where only parts of them matter, which should become what is given for the demos.
    #[must_use]
    pub fn through(&self, parts: &[(i32, i32, i32, i32)], targets: &[&Grid]) -> Scene {
        let mut target = vec![NONE; self.demo_words * 64];
        for ((extent, (top, left, ..)), wanted) in self.extents.iter().zip(parts).zip(targets) {
            for (i, row) in wanted.rows().enumerate() {
                for (j, color) in row.iter().enumerate() {
                    if let Some(cell) = extent.cell(top + i as i32, left + j as i32) {
                        target[cell] = *color;
                    }
                }
            }
        }
        Scene { target, ..self.clone() }
    }

    /// What the demos should become.
    pub fn targets(&self) -> Vec<Grid> {
        let grid = |extent: &Extent| {
            let cells = &self.target[extent.start..extent.start + extent.area()];
            Grid::from_rows(&cells.chunks(extent.width).collect::<Vec<_>>())
        };
        self.extents[..self.demos].iter().filter_map(grid).collect()
    }

    /// The empty set.
    pub fn none(&self) -> Bits {
        vec![0; self.words]
    }

    /// The cells of a plane that hold a color.
    pub fn cells_of(&self, plane: &[u8], color: u8) -> Bits {
        plane
            .chunks(64)
            .map(|word| bits_where(word, |eight, _| equal(eight, repeated(color))))
            .collect()
    }

    /// The cells on which two planes agree; those that one of them says nothing of aside.
    pub fn cells_alike(&self, a: &[u8], b: &[u8]) -> Bits {
        let alike = |(a, b): (&[u8], &[u8])| {
            bits_where(a, |eight, at| {
                let other = eight_from(b, at);
                equal(eight, other) & !equal(eight, repeated(NONE))
            })
        };
        a.chunks(64).zip(b.chunks(64)).map(alike).collect()
    }

    /// All cells of one grid.
    pub fn cells_within(&self, grid: usize) -> Bits {
        let extent = self.extents[grid];
        let mut bits = self.none();
        (extent.start..extent.start + extent.area()).for_each(|cell| insert(&mut bits, cell));
        bits
    }

    /// The colours that a plane may say, `NONE` last.
    pub fn colors() -> impl Iterator<Item = u8> {
        (0..10).chain([NONE])
    }

    /// A plane that one value of a feature says for each grid: a grid or an object as it is, an int for
    /// all cells. `None` where one of them is no such thing.
    pub fn plane(&self, values: &[&Value]) -> Option<Vec<u8>> {
        let mut plane = vec![NONE; self.words * 64];
        for (value, extent) in values.iter().zip(&self.extents) {
            draw(value, *extent, &mut plane)?;
        }
        Some(plane)
    }

    /// The cells that one value of a feature chooses for each grid: indices, or the cells of an object.
    pub fn chosen(&self, values: &[&Value]) -> Option<Bits> {
        let mut bits = self.none();
        for (value, extent) in values.iter().zip(&self.extents) {
            each_cell(value, *extent, |cell| insert(&mut bits, cell))?;
        }
        Some(bits)
    }
}

/// A bit for each of up to 64 bytes, eight at a time: those that are so have the highest bit of their byte set.
#[inline]
fn bits_where(bytes: &[u8], is: impl Fn(u64, usize) -> u64) -> u64 {
    let mut bits = 0;
    for at in (0..bytes.len()).step_by(8) {
        let marks = is(eight_from(bytes, at), at) >> 7;
        // Each mark is moved to the place of its byte in the uppermost byte.
        bits |= (marks.wrapping_mul(0x0102_0408_1020_4080) >> 56) << at;
    }
    bits
}

/// Eight bytes from a place on; planes have whole words.
#[inline]
fn eight_from(bytes: &[u8], at: usize) -> u64 {
    bytes[at..].first_chunk().map_or(0, |eight| u64::from_le_bytes(*eight))
}

/// Eight times the same byte.
fn repeated(byte: u8) -> u64 {
    u64::from(byte) * 0x0101_0101_0101_0101
}

/// The highest bit of every byte in which two numbers are equal.
#[inline]
fn equal(a: u64, b: u64) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let differ = a ^ b;
    !(((differ & LOW) + LOW) | differ | LOW)
}

/// Draws what a feature says of one grid.
fn draw(value: &Value, extent: Extent, plane: &mut [u8]) -> Option<()> {
    match value {
        Value::Int(n) => {
            let color = color(*n)?;
            plane[extent.start..extent.start + extent.area()].fill(color);
        }
        Value::Set(cells) => {
            for cell in cells.iter() {
                let Value::Cell(c, row, column) = cell else { return None };
                let Some(at) = extent.cell(*row, *column) else { continue };
                let color = color(*c)?;
                if plane[at] != NONE && plane[at] != color {
                    return None;
                }
                plane[at] = color;
            }
        }
        _ => {
            for (row, cells) in value.grid_rows()?.iter().enumerate() {
                for (column, c) in cells.iter().enumerate() {
                    let Some(at) = extent.cell(row as i32, column as i32) else { continue };
                    plane[at] = color(*c)?;
                }
            }
        }
    }
    Some(())
}

/// Calls back with every cell of a patch or a location within a grid; `None` if the value is neither.
pub fn each_cell(value: &Value, extent: Extent, mut see: impl FnMut(usize)) -> Option<()> {
    let mut see = |row: i32, column: i32| {
        if let Some(at) = extent.cell(row, column) {
            see(at);
        }
    };
    match value {
        Value::Pair(row, column) => see(*row, *column),
        Value::Set(items) => {
            for item in items.iter() {
                match item {
                    Value::Pair(row, column) | Value::Cell(_, row, column) => see(*row, *column),
                    _ => return None,
                }
            }
        }
        _ => return None,
    }
    Some(())
}

fn color(n: i32) -> Option<u8> {
    u8::try_from(n).ok().filter(|c| *c <= 9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_compared_eight_at_a_time() {
        let grid = Grid::from_rows(&[[0_u8; 30]; 3]).unwrap();
        let scene = Scene::new(std::slice::from_ref(&grid), &[&grid]).unwrap();
        let plane = |step: usize| -> Vec<u8> {
            (0..128).map(|at| if at % 5 == 0 { NONE } else { (at * step % 7) as u8 }).collect()
        };
        let (a, b) = (plane(1), plane(3));
        let is = |bits: &Bits, at: usize| bits[at / 64] >> (at % 64) & 1 == 1;
        let (alike, of) = (scene.cells_alike(&a, &b), scene.cells_of(&a, 3));
        for at in 0..128 {
            assert_eq!(is(&alike, at), a[at] == b[at] && a[at] != NONE, "{at}");
            assert_eq!(is(&of, at), a[at] == 3, "{at}");
        }
    }
}
