//! Grids: cutting, joining, scaling and recolouring them.

mod painting;
mod scaling;
mod turning;

pub use painting::*;
pub use scaling::*;
pub use turning::*;

use batt_lang::{Fault, FaultKind, Value};

use super::objects::uniform_rows;
use super::patches::{shape, ulcorner};
use super::shapes::{Grid, grid_from, inside, no_item, tuple_items};
use super::{Out, ij, int, room};

/// The items from `start` to before `stop`, as Python slices: negative places count from the end,
/// and what lies outside is left out.
fn slice(all: &[Value], start: i64, stop: i64) -> &[Value] {
    let len = all.len() as i64;
    let place = |n: i64| if n < 0 { (n + len).max(0) } else { n.min(len) };
    let (start, stop) = (place(start), place(stop));
    if start < stop { &all[start as usize..stop as usize] } else { &[] }
}

/// The part of a grid from a start, of a size; rows outside it are never looked at.
fn cut(grid: &Value, (i, j): (i64, i64), (h, w): (i64, i64)) -> Out {
    let rows = tuple_items(grid)?;
    let rows = slice(&rows, i, i + h).iter();
    let part = rows.map(|row| Ok(Value::tuple(slice(&tuple_items(row)?, j, j + w).to_vec())));
    Ok(Value::tuple(part.collect::<Result<_, Fault>>()?))
}

fn wide((i, j): (i32, i32)) -> (i64, i64) {
    (i64::from(i), i64::from(j))
}

pub fn crop(grid: &Value, start: &Value, dims: &Value) -> Out {
    cut(grid, wide(ij(start)?), wide(ij(dims)?))
}

pub fn subgrid(patch: &Value, grid: &Value) -> Out {
    let start = ulcorner(patch)?.as_pair().ok_or(no_item())?;
    cut(grid, wide(start), wide(ij(&shape(patch)?)?))
}

pub fn trim(grid: &Value) -> Out {
    let rows = tuple_items(grid)?;
    let inner = slice(&rows, 1, -1).iter();
    let inner = inner.map(|row| Ok(Value::tuple(slice(&tuple_items(row)?, 1, -1).to_vec())));
    Ok(Value::tuple(inner.collect::<Result<_, Fault>>()?))
}

pub fn tophalf(grid: &Value) -> Out {
    let rows = tuple_items(grid)?;
    Ok(Value::tuple(rows[..rows.len() / 2].to_vec()))
}

pub fn bottomhalf(grid: &Value) -> Out {
    let rows = tuple_items(grid)?;
    Ok(Value::tuple(rows[rows.len().div_ceil(2)..].to_vec()))
}

pub fn lefthalf(grid: &Value) -> Out {
    rot270(&tophalf(&rot90(grid)?)?)
}

pub fn righthalf(grid: &Value) -> Out {
    rot270(&bottomhalf(&rot90(grid)?)?)
}

/// The size of one of `n` parts of a length, and how far apart the parts start: a length that does
/// not divide leaves one place between neighbours.
fn parts(length: usize, n: i32) -> Result<(i64, i64), Fault> {
    let (length, n) = (length as i64, i64::from(n));
    if n == 0 {
        return Err(Fault::new(FaultKind::ZeroDivisionError, "a split into no parts"));
    }
    // A negative number of parts makes none, whatever their size.
    let size = length / n;
    Ok((size, size + i64::from(length % n != 0)))
}

pub fn hsplit(grid: &Value, n: &Value) -> Out {
    let (rows, n) = (Grid::of(grid)?, int(n)?);
    let h = rows.height() as i64;
    let (w, step) = parts(rows.width()?, n)?;
    room(h.saturating_mul(i64::from(n)))?;
    let parts = (0..i64::from(n)).map(|i| cut(grid, (0, i * step), (h, w)));
    Ok(Value::tuple(parts.collect::<Result<_, _>>()?))
}

pub fn vsplit(grid: &Value, n: &Value) -> Out {
    let (rows, n) = (Grid::of(grid)?, int(n)?);
    let (h, step) = parts(rows.height(), n)?;
    let w = rows.width()? as i64;
    room(i64::from(n))?;
    let parts = (0..i64::from(n)).map(|i| cut(grid, (i * step, 0), (h, w)));
    Ok(Value::tuple(parts.collect::<Result<_, _>>()?))
}

pub fn hconcat(a: &Value, b: &Value) -> Out {
    let (a, b) = (Grid::of(a)?, Grid::of(b)?);
    let rows = a.rows.iter().zip(&b.rows);
    room(rows.clone().map(|(a, b)| (a.len() + b.len()) as i64).sum())?;
    Ok(grid_from(rows.map(|(a, b)| [&a[..], &b[..]].concat()).collect()))
}

pub fn vconcat(a: &Value, b: &Value) -> Out {
    let (a, b) = (tuple_items(a)?, tuple_items(b)?);
    room((a.len() + b.len()) as i64)?;
    Ok(Value::tuple([&a[..], &b[..]].concat()))
}

pub fn cellwise(a: &Value, b: &Value, fallback: &Value) -> Out {
    let (a, b) = (Grid::of(a)?, Grid::of(b)?);
    let w = a.width()?;
    let cell = |i, j| -> Out {
        let (ours, theirs) = (a.at(i, j)?, b.at(i, j)?);
        Ok(if ours == theirs { ours } else { fallback }.clone())
    };
    let row = |i| (0..w).map(|j| cell(i, j)).collect::<Result<Vec<_>, _>>();
    Ok(grid_from((0..a.height()).map(row).collect::<Result<_, _>>()?))
}

/// A grid with every cell changed on its own.
fn each_cell(grid: &Value, change: impl Fn(&Value) -> Value) -> Out {
    let grid = Grid::of(grid)?;
    Ok(grid_from(grid.rows.iter().map(|row| row.iter().map(&change).collect()).collect()))
}

pub fn replace(grid: &Value, replacee: &Value, replacer: &Value) -> Out {
    each_cell(grid, |v| if v == replacee { replacer } else { v }.clone())
}

pub fn switch(grid: &Value, a: &Value, b: &Value) -> Out {
    each_cell(grid, |v| {
        let other = if v == a { b } else { a };
        if v == a || v == b { other } else { v }.clone()
    })
}

pub fn index(grid: &Value, loc: &Value) -> Out {
    let grid = Grid::of(grid)?;
    match inside(ij(loc)?, grid.height(), grid.width()?) {
        Some((i, j)) => grid.at(i, j).cloned(),
        None => Ok(Value::Null),
    }
}

pub fn canvas(value: &Value, dimensions: &Value) -> Out {
    let (h, w) = wide(ij(dimensions)?);
    let (h, w) = (h.max(0), w.max(0));
    // A row without cells still counts one.
    room(h.saturating_mul(w.max(1)))?;
    if h == 0 {
        return Ok(Value::empty_tuple());
    }
    room(w)?;
    let row = Value::tuple(vec![value.clone(); w as usize]);
    Ok(Value::tuple(vec![row; h as usize]))
}

pub fn compress(grid: &Value) -> Out {
    let (rows, columns) = (uniform_rows(grid)?, uniform_rows(&dmirror(grid)?)?);
    let grid = Grid::of(grid)?;
    let kept = |row: &[Value]| {
        let cells = row.iter().enumerate().filter(|(j, _)| columns.binary_search(j).is_err());
        cells.map(|(_, v)| v.clone()).collect()
    };
    let left = (0..grid.height()).filter(|i| rows.binary_search(i).is_err());
    Ok(grid_from(left.map(|i| kept(&grid.rows[i])).collect()))
}

#[cfg(test)]
mod tests;
