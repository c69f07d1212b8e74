//! Grids of which one colour hides something, filled in from what repeats: a tile, or a mirrored half.

use std::cmp::Reverse;

use batt_lang::limits::MAX_SEARCHED;
use batt_lang::{Fault, FaultKind, Value};

use super::shapes::{Grid, grid_from};
use super::{Out, int};

/// A grid of which a colour hides cells.
struct Partial<'a> {
    rows: Vec<&'a [Value]>,
    height: usize,
    width: usize,
    hidden: &'a Value,
}

impl<'a> Partial<'a> {
    fn of(grid: &'a Grid<'a>, hidden: &'a Value) -> Result<Partial<'a>, Fault> {
        let (rows, height, width) = (grid.rectangle()?, grid.height(), grid.width()?);
        int(hidden)?;
        if height * width > MAX_SEARCHED {
            return Err(Fault::size("the grid is too large to look for what repeats"));
        }
        Ok(Partial { rows, height, width, hidden })
    }

    /// A cell that is not hidden.
    fn at(&self, i: usize, j: usize) -> Option<&'a Value> {
        let cell = self.rows.get(i)?.get(j)?;
        (cell != self.hidden).then_some(cell)
    }

    /// The grid with every hidden cell for which there is something as that.
    fn filled(&self, with: impl Fn(usize, usize) -> Option<&'a Value>) -> Value {
        let cell = |i: usize, j: usize| {
            self.at(i, j).or_else(|| with(i, j)).unwrap_or(self.hidden).clone()
        };
        let row = |i: usize| (0..self.width).map(|j| cell(i, j)).collect();
        grid_from((0..self.height).map(row).collect())
    }
}

pub fn tiled(grid: &Value, hidden: &Value) -> Out {
    let grid = Grid::of(grid)?;
    let grid = Partial::of(&grid, hidden)?;
    let (h, w) = (grid.height, grid.width);
    let sizes = (2..=h + w).flat_map(|sum| (1..sum).map(move |p| (p, sum - p)));
    for (p, q) in sizes.filter(|(p, q)| *p <= h && *q <= w && 2 * p * q <= h * w) {
        if let Some(tile) = tile(&grid, p, q) {
            return Ok(grid.filled(|i, j| tile[i % p][j % q]));
        }
    }
    Err(Fault::new(FaultKind::ValueError, "no tile repeats"))
}

/// What is known of a tile of so many rows and columns, if the grid repeats one.
fn tile<'a>(grid: &Partial<'a>, p: usize, q: usize) -> Option<Vec<Vec<Option<&'a Value>>>> {
    let mut tile = vec![vec![None; q]; p];
    for (i, j) in (0..grid.height).flat_map(|i| (0..grid.width).map(move |j| (i, j))) {
        let known = &mut tile[i % p][j % q];
        match (*known, grid.at(i, j)) {
            (_, None) => {}
            (Some(there), Some(here)) if there != here => return None,
            (_, here) => *known = here,
        }
    }
    Some(tile)
}

pub fn mended(grid: &Value, hidden: &Value) -> Out {
    let grid = Grid::of(grid)?;
    let grid = Partial::of(&grid, hidden)?;
    let (h, w) = (grid.height, grid.width);
    let across = axis(w, h, h * w, |j, i| grid.at(i, j));
    let down = axis(h, w, h * w, |i, j| grid.at(i, j));
    if across.is_none() && down.is_none() {
        return Err(Fault::new(FaultKind::ValueError, "no symmetry is seen"));
    }
    Ok(grid.filled(|i, j| {
        let column = across.and_then(|sum| sum.checked_sub(j));
        let row = down.and_then(|sum| sum.checked_sub(i));
        let beside = column.and_then(|column| grid.at(i, column));
        let below = || row.and_then(|row| grid.at(row, j));
        let both = || grid.at(row?, column?);
        beside.or_else(below).or_else(both)
    }))
}

/// The axis about which so many lines mirror each other, as the sum of the places of two lines that do.
/// `at` tells a cell, if it is not hidden, by its line and its place in that.
fn axis<'a>(
    lines: usize,
    places: usize,
    cells: usize,
    at: impl Fn(usize, usize) -> Option<&'a Value>,
) -> Option<usize> {
    // At least half of the lines lie on the side that is mirrored, or on the axis, or are a mirror image.
    let sums = (1..2 * lines).filter(|sum| 2 * sum >= lines && 2 * sum + 4 <= 3 * lines);
    let agreeing = |sum: usize| {
        let mut count = 0;
        for line in (0..lines).filter(|line| 2 * line < sum && sum - line < lines) {
            for place in 0..places {
                match (at(line, place), at(sum - line, place)) {
                    (Some(a), Some(b)) if a == b => count += 1,
                    (Some(_), Some(_)) => return None,
                    _ => {}
                }
            }
        }
        Some(count)
    };
    let found = sums.filter_map(|sum| {
        let off = sum.abs_diff(lines - 1);
        Some((agreeing(sum)?, Reverse(off), Reverse(sum)))
    });
    let (count, _, Reverse(sum)) = found.max()?;
    (8 * count >= cells).then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(out: Out) -> FaultKind {
        out.unwrap_err().kind
    }

    #[test]
    fn the_smallest_tile_fills_what_is_hidden() {
        let grid = Value::grid(&[[1, 2, 1, 9], [3, 9, 3, 4], [9, 2, 1, 2], [3, 4, 9, 4]]);
        let full = Value::grid(&[[1, 2, 1, 2], [3, 4, 3, 4], [1, 2, 1, 2], [3, 4, 3, 4]]);
        assert_eq!(tiled(&grid, &Value::Int(9)), Ok(full));
    }

    #[test]
    fn of_tiles_as_large_the_one_with_fewer_rows_is_tried_first() {
        // Two columns repeat, and so do two rows.
        let grid = Value::grid(&[[1, 9], [9, 2]]);
        assert_eq!(tiled(&grid, &Value::Int(9)), Ok(Value::grid(&[[1, 2], [1, 2]])));
    }

    #[test]
    fn a_place_of_the_tile_that_is_hidden_everywhere_stays() {
        let grid = Value::grid(&[[1, 2, 9, 1, 2, 9, 1, 9, 9]]);
        assert_eq!(tiled(&grid, &Value::Int(9)), Ok(Value::grid(&[[1, 2, 9, 1, 2, 9, 1, 2, 9]])));
    }

    #[test]
    fn a_tile_must_have_room_twice() {
        assert_eq!(kind(tiled(&Value::grid(&[[1]]), &Value::Int(0))), FaultKind::ValueError);
        assert_eq!(kind(tiled(&Value::grid(&[[1, 2, 3]]), &Value::Int(0))), FaultKind::ValueError);
        assert_eq!(
            kind(tiled(&Value::grid(&[[1, 2], [3, 4]]), &Value::Int(0))),
            FaultKind::ValueError
        );
    }

    #[test]
    fn hidden_cells_are_filled_from_the_other_side() {
        let grid = Value::grid(&[[1, 2, 9, 1], [3, 4, 4, 9], [9, 5, 5, 9]]);
        let full = Value::grid(&[[1, 2, 2, 1], [3, 4, 4, 3], [9, 5, 5, 9]]);
        assert_eq!(mended(&grid, &Value::Int(9)), Ok(full));
    }

    #[test]
    fn a_corner_is_filled_from_the_corner_across_where_both_sides_are_hidden() {
        let rows = [[9, 9, 2, 9], [9, 3, 3, 2], [2, 3, 3, 2], [9, 2, 2, 1]];
        let full = [[1, 2, 2, 1], [2, 3, 3, 2], [2, 3, 3, 2], [1, 2, 2, 1]];
        assert_eq!(mended(&Value::grid(&rows), &Value::Int(9)), Ok(Value::grid(&full)));
    }

    #[test]
    fn the_axis_may_lie_off_the_middle() {
        let grid = Value::grid(&[[7, 1, 2, 3, 9, 1], [8, 4, 5, 5, 5, 9]]);
        // Columns 1 and 5, 2 and 4 mirror each other.
        let full = Value::grid(&[[7, 1, 2, 3, 2, 1], [8, 4, 5, 5, 5, 4]]);
        assert_eq!(mended(&grid, &Value::Int(9)), Ok(full));
    }

    #[test]
    fn an_axis_needs_cells_that_show_it() {
        let grid = Value::grid(&[[1, 9, 9, 9, 9, 9, 9, 9, 1]]);
        // One pair agrees, of nine cells.
        assert_eq!(kind(mended(&grid, &Value::Int(9))), FaultKind::ValueError);
        let grid = Value::grid(&[[1, 9, 9, 9, 9, 9, 9, 1]]);
        assert_eq!(mended(&grid, &Value::Int(9)), Ok(grid.clone()));
        for none in [Value::grid(&[[1, 2], [3, 4]]), Value::grid(&[[5]])] {
            assert_eq!(kind(mended(&none, &Value::Int(9))), FaultKind::ValueError);
        }
    }

    #[test]
    fn large_grids_are_refused() {
        let grid = Value::grid(&vec![vec![1; 64]; 65]);
        assert_eq!(kind(tiled(&grid, &Value::Int(9))), FaultKind::Size);
        assert_eq!(kind(mended(&grid, &Value::Int(9))), FaultKind::Size);
        let grid = Value::grid(&vec![vec![1; 64]; 64]);
        assert!(tiled(&grid, &Value::Int(9)).is_ok() && mended(&grid, &Value::Int(9)).is_ok());
    }

    #[test]
    fn what_is_no_grid_or_no_colour_is_an_error() {
        let (grid, colour) = (Value::grid(&[[1, 1], [1, 1]]), Value::Int(0));
        for primitive in [tiled, mended] {
            assert_eq!(kind(primitive(&colour, &colour)), FaultKind::TypeError);
            assert_eq!(kind(primitive(&grid, &Value::Null)), FaultKind::TypeError);
            assert_eq!(kind(primitive(&Value::empty_tuple(), &colour)), FaultKind::IndexError);
            assert_eq!(
                kind(primitive(&Value::tuple(vec![Value::empty_tuple()]), &colour)),
                FaultKind::ValueError
            );
        }
    }
}
