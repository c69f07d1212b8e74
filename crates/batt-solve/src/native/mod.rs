//! Features computed without an engine: what most rules ask for, straight from the cells of a grid.
//!
//! A feature of the library is an expression, and what that gives is what counts. Most of the time it would
//! take goes into making values of it, so features that are simple to compute have a twin here, found by group
//! and name. `tests/written.rs` compares every twin with its expression.

mod attributes;
mod items;
mod location;
mod names;
mod planes;

use batt_run::tasks::Grid;

pub use attributes::{Context, ItemAttribute, named as item_attribute};
pub use items::{Item, ItemsOf};
pub use location::LocationAttribute;
pub use planes::{PlaneOf, Turn};

use crate::columns::Shape;

/// A grid as features read it.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Rows.
    pub height: i32,
    /// Columns.
    pub width: i32,
    /// The colours, row by row.
    pub cells: Vec<u8>,
}

/// What a feature says of one grid.
#[derive(Clone, Debug)]
pub enum Said {
    /// A colour for every cell, or none.
    Plane(Shape, Vec<u8>),
    /// The cells that it chooses.
    Chosen(Vec<bool>),
}

/// The steps to the eight neighbours, straight ones first.
pub const STEPS: [(i32, i32); 8] =
    [(0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)];

impl Picture {
    /// The picture of a grid.
    pub fn of(grid: &Grid) -> Picture {
        let cells = grid.rows().flatten().copied().collect();
        Picture { height: grid.height() as i32, width: grid.width() as i32, cells }
    }

    /// Whether a location is within the grid.
    pub fn holds(&self, i: i32, j: i32) -> bool {
        0 <= i && i < self.height && 0 <= j && j < self.width
    }

    /// The place of a location within the grid.
    pub fn place(&self, i: i32, j: i32) -> usize {
        (i * self.width + j) as usize
    }

    /// The colour at a location, if it is within the grid.
    pub fn at(&self, i: i32, j: i32) -> Option<u8> {
        self.holds(i, j).then(|| self.cells[self.place(i, j)])
    }

    /// All locations, row by row.
    pub fn locations(&self) -> impl Iterator<Item = (i32, i32)> + use<> {
        let (height, width) = (self.height, self.width);
        (0..height).flat_map(move |i| (0..width).map(move |j| (i, j)))
    }

    /// How often every colour occurs.
    pub fn counts(&self) -> [u32; 10] {
        let mut counts = [0; 10];
        self.cells.iter().for_each(|color| counts[usize::from(*color)] += 1);
        counts
    }
}

/// The commonest of the colours that occur, the smallest on a tie.
pub fn commonest(counts: &[u32; 10]) -> Option<u8> {
    let most = *counts.iter().max()?;
    (most > 0).then(|| counts.iter().position(|n| *n == most)).flatten().map(|c| c as u8)
}

/// The rarest of the colours that occur, the smallest on a tie.
pub fn rarest(counts: &[u32; 10]) -> Option<u8> {
    let least = *counts.iter().filter(|n| **n > 0).min()?;
    counts.iter().position(|n| *n == least).map(|c| c as u8)
}

/// The number at the end of a name such as `box of 3`.
fn last_digit(name: &str) -> Option<(&str, u8)> {
    let (head, digit) = name.rsplit_once(' ')?;
    let digit = digit.parse().ok().filter(|digit| *digit <= 9)?;
    Some((head, digit))
}
