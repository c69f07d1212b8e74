//! Mirrors and turns, of grids and of patches.

use batt_lang::{Fault, FaultKind, Value};

use super::super::containers::toset;
use super::super::shapes::{Bounds, Grid, Patch, grid_from, indices_of, no_item, tuple_items};
use super::super::{Out, int, items};

/// Rows in reverse; the rows themselves are not looked at.
fn rows_reversed(grid: &Value) -> Out {
    Ok(Value::tuple(tuple_items(grid)?.iter().rev().cloned().collect()))
}

/// Every row in reverse.
fn columns_reversed(grid: &Value) -> Out {
    let grid = Grid::of(grid)?;
    Ok(grid_from(grid.rows.iter().map(|row| row.iter().rev().cloned().collect()).collect()))
}

/// Rows for columns, as many as the shortest row has.
fn transposed(grid: &Value) -> Out {
    let grid = Grid::of(grid)?;
    let w = grid.rows.iter().map(|row| row.len()).min().unwrap_or(0);
    let column = |j: usize| grid.rows.iter().map(|row| row[j].clone()).collect();
    Ok(grid_from((0..w).map(column).collect()))
}

pub fn rot90(grid: &Value) -> Out {
    transposed(&rows_reversed(grid)?)
}

pub fn rot180(grid: &Value) -> Out {
    columns_reversed(&rows_reversed(grid)?)
}

pub fn rot270(grid: &Value) -> Out {
    rows_reversed(&transposed(grid)?)
}

/// The bounds of a patch to mirror.
fn bounds(patch: &Value) -> Result<Option<Bounds>, Fault> {
    Ok(Bounds::of(&indices_of(patch)?))
}

pub fn hmirror(piece: &Value) -> Out {
    if piece.is_tuple() {
        return rows_reversed(piece);
    }
    let b = bounds(piece)?.ok_or(no_item())?;
    Patch::of(piece)?.moved(|i, j| (b.top + b.bottom - i, j))
}

pub fn vmirror(piece: &Value) -> Out {
    if piece.is_tuple() {
        return columns_reversed(piece);
    }
    let b = bounds(piece)?.ok_or(no_item())?;
    Patch::of(piece)?.moved(|i, j| (i, b.left + b.right - j))
}

pub fn dmirror(piece: &Value) -> Out {
    if piece.is_tuple() {
        return transposed(piece);
    }
    let b = bounds(piece)?.ok_or(Fault::empty("the patch is empty"))?;
    Patch::of(piece)?.moved(|i, j| (j - b.left + b.top, i - b.top + b.left))
}

pub fn cmirror(piece: &Value) -> Out {
    if piece.is_tuple() {
        return transposed(&rot180(piece)?);
    }
    vmirror(&dmirror(&vmirror(piece)?)?)
}

/// The mirror of an orientation below four.
fn mirror(piece: &Value, orientation: i32) -> Out {
    match orientation {
        0 => hmirror(piece),
        1 => dmirror(piece),
        2 => vmirror(piece),
        3 => cmirror(piece),
        _ => Err(Fault::new(FaultKind::IndexError, "an orientation is 0 or more")),
    }
}

pub fn mir_rot_t(grid: &Value, orientation: &Value) -> Out {
    tuple_items(grid)?;
    match int(orientation)? {
        4 => rot90(grid),
        5 => rot180(grid),
        6 => rot270(grid),
        7.. => Ok(grid.clone()),
        mirrored => mirror(grid, mirrored),
    }
}

pub fn mir_rot_f(patch: &Value, orientation: &Value) -> Out {
    items(patch)?;
    match int(orientation)? {
        4.. => Ok(patch.clone()),
        mirrored => mirror(&toset(patch)?, mirrored),
    }
}
