//! Drawing patches on grids.

use batt_lang::{Fault, Value};

use super::super::Out;
use super::super::colors::mostcolor;
use super::super::patches::{shift, toindices};
use super::super::shapes::{Grid, Loc, cells_of, grid_from, indices_of, inside, no_item};

/// A grid with colours put at locations, one after the other. What lies outside is left out, and
/// with a background given, what is no longer background.
fn draw<'a>(
    grid: &Value,
    background: Option<&Value>,
    cells: impl Iterator<Item = (&'a Value, Loc)>,
) -> Out {
    let grid = Grid::of(grid)?;
    let (h, w) = (grid.height(), grid.width()?);
    let mut rows = grid.to_rows();
    for (colour, at) in cells {
        let Some((i, j)) = inside(at, h, w) else { continue };
        let place = rows[i].get_mut(j).ok_or(no_item())?;
        if background.is_none_or(|background| place == background) {
            *place = colour.clone();
        }
    }
    Ok(grid_from(rows))
}

/// The commonest colour of a grid that has a first row.
fn background(grid: &Value) -> Result<Value, Fault> {
    Grid::of(grid)?.width()?;
    mostcolor(grid)
}

pub fn fill(grid: &Value, value: &Value, patch: &Value) -> Out {
    draw(grid, None, indices_of(patch)?.into_iter().map(|at| (value, at)))
}

pub fn paint(grid: &Value, obj: &Value) -> Out {
    draw(grid, None, cells_of(obj)?.iter().map(|(colour, at)| (colour, *at)))
}

pub fn underfill(grid: &Value, value: &Value, patch: &Value) -> Out {
    let background = background(grid)?;
    draw(grid, Some(&background), indices_of(patch)?.into_iter().map(|at| (value, at)))
}

pub fn underpaint(grid: &Value, obj: &Value) -> Out {
    let background = background(grid)?;
    draw(grid, Some(&background), cells_of(obj)?.iter().map(|(colour, at)| (colour, *at)))
}

pub fn cover(grid: &Value, patch: &Value) -> Out {
    fill(grid, &mostcolor(grid)?, &toindices(patch)?)
}

pub fn r#move(grid: &Value, obj: &Value, offset: &Value) -> Out {
    paint(&cover(grid, obj)?, &shift(obj, offset)?)
}
