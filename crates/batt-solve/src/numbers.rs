//! Numbers of items as sets of cells: which items have this number, at most this one, or the largest.

use crate::bits::{Bits, insert};
use crate::native::Item;
use crate::scene::Scene;

/// What an attribute of an item may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    /// This number.
    Is(i32),
    /// At most this number.
    AtMost(i32),
    /// The largest among all items.
    Largest,
    /// The smallest among all items.
    Smallest,
    /// What most items have.
    Commonest,
    /// What fewest items have.
    Rarest,
}

/// Where a cell lies in the item that it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlaceIn {
    /// So many rows from the first.
    Row,
    /// So many columns from the first.
    Column,
    /// So many rows from the last.
    RowBelow,
    /// So many columns from the last.
    ColumnRight,
    /// Whether in an even row.
    EvenRow,
    /// Whether in an even column.
    EvenColumn,
    /// Whether its row and its column add up to an even number.
    EvenSum,
    /// Whether in the upper half.
    Upper,
    /// Whether in the lower half.
    Lower,
    /// Whether in the left half.
    Left,
    /// Whether in the right half.
    Right,
    /// Whether in the middle row.
    MiddleRow,
    /// Whether in the middle column.
    MiddleColumn,
}

impl PlaceIn {
    /// All of them.
    pub const ALL: [PlaceIn; 13] = [
        PlaceIn::Row,
        PlaceIn::Column,
        PlaceIn::RowBelow,
        PlaceIn::ColumnRight,
        PlaceIn::EvenRow,
        PlaceIn::EvenColumn,
        PlaceIn::EvenSum,
        PlaceIn::Upper,
        PlaceIn::Lower,
        PlaceIn::Left,
        PlaceIn::Right,
        PlaceIn::MiddleRow,
        PlaceIn::MiddleColumn,
    ];

    /// The function that gives the cells of an item that lie so, where no pattern of any item does.
    pub fn of_one_item(self) -> Option<&'static str> {
        Some(match self {
            PlaceIn::Upper => {
                "fork(intersection, toindices, fork(shift, backdrop, chain(toivec, invert, compose(halve, height))))"
            }
            PlaceIn::Lower => {
                "fork(intersection, toindices, fork(shift, backdrop, chain(toivec, halve, height)))"
            }
            PlaceIn::Left => {
                "fork(intersection, toindices, fork(shift, backdrop, chain(tojvec, invert, compose(halve, width))))"
            }
            PlaceIn::Right => {
                "fork(intersection, toindices, fork(shift, backdrop, chain(tojvec, halve, width)))"
            }
            PlaceIn::MiddleRow => "fork(intersection, toindices, compose(hfrontier, center))",
            PlaceIn::MiddleColumn => "fork(intersection, toindices, compose(vfrontier, center))",
            _ => return None,
        })
    }

    /// The number of a location in an item.
    pub fn of(self, item: &Item, i: i32, j: i32) -> i32 {
        let (row, column) = (i - item.top, j - item.left);
        match self {
            PlaceIn::Row => row,
            PlaceIn::Column => column,
            PlaceIn::RowBelow => item.bottom - i,
            PlaceIn::ColumnRight => item.right - j,
            PlaceIn::EvenRow => i32::from(row % 2 == 0),
            PlaceIn::EvenColumn => i32::from(column % 2 == 0),
            PlaceIn::EvenSum => i32::from((row + column) % 2 == 0),
            PlaceIn::Upper => i32::from(item.bottom - i >= item.height() / 2),
            PlaceIn::Lower => i32::from(row >= item.height() / 2),
            PlaceIn::Left => i32::from(item.right - j >= item.width() / 2),
            PlaceIn::Right => i32::from(column >= item.width() / 2),
            PlaceIn::MiddleRow => i32::from(row == item.height() / 2),
            PlaceIn::MiddleColumn => i32::from(column == item.width() / 2),
        }
    }
}

/// As many different numbers of an attribute are asked for.
const MAX_NUMBERS: usize = 40;

/// The sets of cells that the numbers of items tell, with what each costs: `label` says which item of its
/// grid a cell is in.
pub fn sets(
    scene: &Scene,
    by_grid: &[Vec<i32>],
    label: &[u32],
    is_cell: bool,
) -> Vec<(When, f64, Bits)> {
    let mut known: Vec<i32> = by_grid[..scene.demos].iter().flatten().copied().collect();
    known.sort_unstable();
    known.dedup();
    let varied = known.len() > 1;
    known.truncate(MAX_NUMBERS);
    let mut out = Vec::new();
    if varied && !is_cell {
        let mut whens = vec![When::Largest, When::Smallest];
        // Of no items there is neither, which is an error in a program.
        if by_grid.iter().all(|numbers| !numbers.is_empty()) {
            whens.extend([When::Commonest, When::Rarest]);
        }
        for when in whens {
            let wanted: Vec<Option<i32>> =
                by_grid.iter().map(|numbers| when.wanted(numbers)).collect();
            let mut yes = scene.none();
            each(scene, by_grid, label, |grid, cell, n| {
                if wanted[grid] == Some(n) {
                    insert(&mut yes, cell);
                }
            });
            out.push((when, 1.0, yes));
        }
    }
    // The cells of every known number, and those between it and the one below.
    let mut exact = vec![scene.none(); known.len()];
    let mut between = vec![scene.none(); known.len()];
    each(scene, by_grid, label, |_, cell, n| {
        let at = known.partition_point(|other| *other < n);
        if let Some(other) = known.get(at) {
            insert(if *other == n { &mut exact[at] } else { &mut between[at] }, cell);
        }
    });
    let mut at_most = Vec::new();
    if known.len() > 2 {
        let mut sum = scene.none();
        for (at, n) in known[..known.len() - 1].iter().enumerate() {
            let added = exact[at].iter().zip(&between[at]);
            sum.iter_mut().zip(added).for_each(|(sum, (a, b))| *sum |= a | b);
            at_most.push((When::AtMost(*n), 1.2, sum.clone()));
        }
    }
    let cost = |n: i32| 1.0 + 0.02 * f64::from(n.abs().min(20));
    out.extend(known.into_iter().zip(exact).map(|(n, yes)| (When::Is(n), cost(n), yes)));
    out.extend(at_most);
    out
}

/// Calls back with every cell that is in an item: its grid, its place, and the number of the item.
fn each(
    scene: &Scene,
    by_grid: &[Vec<i32>],
    label: &[u32],
    mut see: impl FnMut(usize, usize, i32),
) {
    for (grid, (extent, numbers)) in scene.extents.iter().zip(by_grid).enumerate() {
        let cells = extent.start..extent.start + extent.area();
        for (cell, label) in cells.clone().zip(&label[cells]) {
            if let Some(n) = numbers.get(*label as usize) {
                see(grid, cell, *n);
            }
        }
    }
}

impl When {
    /// Whether this number is meant, where [`When::wanted`] gave that one.
    pub fn means(self, wanted: Option<i32>, n: i32) -> bool {
        match self {
            When::AtMost(most) => n <= most,
            _ => wanted == Some(n),
        }
    }

    /// Which number is meant, among these.
    pub fn wanted(self, numbers: &[i32]) -> Option<i32> {
        match self {
            When::Is(n) | When::AtMost(n) => Some(n),
            When::Largest => numbers.iter().max().copied(),
            When::Smallest => numbers.iter().min().copied(),
            When::Commonest => by_count(numbers, true),
            When::Rarest => by_count(numbers, false),
        }
    }
}

/// The number that occurs most or least often; the smallest on a tie.
fn by_count(numbers: &[i32], most: bool) -> Option<i32> {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    let runs = sorted.chunk_by(|a, b| a == b).map(|run| (run.len(), run[0]));
    runs.reduce(|a, b| {
        let better = if most { b.0 > a.0 } else { b.0 < a.0 };
        if better { b } else { a }
    })
    .map(|(_, n)| n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_of_equals_is_the_commonest() {
        assert_eq!(by_count(&[3, 1, 3, 1, 2], true), Some(1));
        assert_eq!(by_count(&[3, 1, 3, 1, 2], false), Some(2));
        assert_eq!(by_count(&[], true), None);
    }
}
