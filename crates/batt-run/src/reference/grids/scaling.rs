//! Larger and smaller copies.

use batt_lang::{Fault, FaultKind, Value};

use super::super::shapes::{Bounds, Grid, cell, cells_of, grid_from, tuple_items};
use super::super::{Out, int, items, narrow, room};

/// A factor, where nothing is left of anything below one.
fn times(factor: &Value) -> Result<i64, Fault> {
    int(factor).map(|n| i64::from(n.max(0)))
}

/// Every item so many times.
fn stretched(all: &[Value], n: i64) -> Vec<Value> {
    all.iter().flat_map(|v| std::iter::repeat_n(v.clone(), n as usize)).collect()
}

pub fn hupscale(grid: &Value, factor: &Value) -> Out {
    let (grid, n) = (Grid::of(grid)?, times(factor)?);
    let cells: usize = grid.rows.iter().map(|row| row.len()).sum();
    room((cells as i64).saturating_mul(n))?;
    Ok(grid_from(grid.rows.iter().map(|row| stretched(row, n)).collect()))
}

pub fn vupscale(grid: &Value, factor: &Value) -> Out {
    let (rows, n) = (tuple_items(grid)?, times(factor)?);
    room((rows.len() as i64).saturating_mul(n))?;
    Ok(Value::tuple(stretched(&rows, n)))
}

pub fn upscale(element: &Value, factor: &Value) -> Out {
    if !element.is_tuple() {
        return upscale_object(element, factor);
    }
    if times(factor)? == 0 {
        return Ok(Value::empty_tuple());
    }
    vupscale(&hupscale(element, factor)?, factor)
}

fn upscale_object(obj: &Value, factor: &Value) -> Out {
    if items(obj)?.is_empty() {
        return Ok(Value::empty_set());
    }
    let (cells, n) = (cells_of(obj)?, times(factor)?);
    let bounds = Bounds::of_patch(obj)?;
    room((cells.len() as i64).saturating_mul(n).saturating_mul(n))?;
    let mut scaled = Vec::new();
    for (colour, (i, j)) in &cells {
        // From the upper left corner, which stays where it is.
        let top = bounds.top + (i64::from(*i) - bounds.top) * n;
        let left = bounds.left + (i64::from(*j) - bounds.left) * n;
        for i in top..top + n {
            for j in left..left + n {
                scaled.push(cell(colour, (narrow(i)?, narrow(j)?)));
            }
        }
    }
    Ok(Value::set(scaled))
}

pub fn downscale(grid: &Value, factor: &Value) -> Out {
    let (grid, n) = (Grid::of(grid)?, int(factor)?);
    let w = grid.width()?;
    if n == 0 {
        return Err(Fault::new(FaultKind::ZeroDivisionError, "a scale of zero"));
    }
    let step = n.unsigned_abs() as usize;
    let kept = |i| (0..w).step_by(step).map(|j| grid.at(i, j).cloned()).collect();
    // Every row is read, those that are dropped too: any of them may be too short.
    let rows = (0..grid.height()).map(kept).collect::<Result<Vec<Vec<Value>>, Fault>>()?;
    Ok(grid_from(rows.into_iter().step_by(step).collect()))
}
