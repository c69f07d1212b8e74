//! Patches: their size, their corners and sides, moving them.

mod outlines;
mod periods;
mod relations;

pub use outlines::*;
pub use periods::*;
pub use relations::*;

use batt_lang::{Fault, FaultKind, Value};

use super::shapes::{Bounds, Patch, indices_of, no_item, pair, tuple_items};
use super::{Out, ij, int, items, narrow};

/// How many rows and columns a piece has. A tuple counts as a grid, whatever it holds.
fn extent(piece: &Value) -> Result<(i64, i64), Fault> {
    let all = items(piece)?;
    let Some(first) = all.first() else { return Ok((0, 0)) };
    if piece.is_tuple() {
        return Ok((all.len() as i64, items(first)?.len() as i64));
    }
    let bounds = Bounds::of_patch(piece)?;
    Ok((bounds.height(), bounds.width()))
}

pub fn height(piece: &Value) -> Out {
    // The items of a tuple need not be rows here.
    let h = if piece.is_tuple() { items(piece)?.len() as i64 } else { extent(piece)?.0 };
    Ok(Value::Int(narrow(h)?))
}

pub fn width(piece: &Value) -> Out {
    Ok(Value::Int(narrow(extent(piece)?.1)?))
}

pub fn shape(piece: &Value) -> Out {
    let (h, w) = extent(piece)?;
    pair(h, w)
}

pub fn portrait(piece: &Value) -> Out {
    let (h, w) = extent(piece)?;
    Ok(Value::Bool(h > w))
}

pub fn square(piece: &Value) -> Out {
    let count = items(piece)?.len() as i64;
    if piece.is_tuple() && count == 0 {
        return Err(no_item());
    }
    let (h, w) = extent(piece)?;
    Ok(Value::Bool(h == w && (piece.is_tuple() || h.saturating_mul(w) == count)))
}

pub fn vline(patch: &Value) -> Out {
    let (h, w) = extent(patch)?;
    Ok(Value::Bool(h == items(patch)?.len() as i64 && w == 1))
}

pub fn hline(patch: &Value) -> Out {
    let (h, w) = extent(patch)?;
    Ok(Value::Bool(w == items(patch)?.len() as i64 && h == 1))
}

/// A corner of the bounding box; `()` for an empty patch.
fn corner_of(patch: &Value, pick: fn(Bounds) -> (i64, i64)) -> Out {
    match Bounds::of(&indices_of(patch)?) {
        None => Ok(Value::empty_tuple()),
        Some(bounds) => {
            let (i, j) = pick(bounds);
            pair(i, j)
        }
    }
}

pub fn ulcorner(patch: &Value) -> Out {
    corner_of(patch, |b| (b.top, b.left))
}

pub fn urcorner(patch: &Value) -> Out {
    corner_of(patch, |b| (b.top, b.right))
}

pub fn llcorner(patch: &Value) -> Out {
    corner_of(patch, |b| (b.bottom, b.left))
}

pub fn lrcorner(patch: &Value) -> Out {
    corner_of(patch, |b| (b.bottom, b.right))
}

pub fn corners(patch: &Value) -> Out {
    Ok(Value::set(vec![ulcorner(patch)?, urcorner(patch)?, llcorner(patch)?, lrcorner(patch)?]))
}

pub fn corner(patch: &Value, which: &Value) -> Out {
    match int(which)? {
        0 => ulcorner(patch),
        1 => urcorner(patch),
        2 => llcorner(patch),
        3 => lrcorner(patch),
        _ => Err(Fault::new(FaultKind::IndexError, "a corner is 0 to 3")),
    }
}

pub fn uppermost(patch: &Value) -> Out {
    Ok(Value::Int(narrow(Bounds::of_patch(patch)?.top)?))
}

pub fn lowermost(patch: &Value) -> Out {
    Ok(Value::Int(narrow(Bounds::of_patch(patch)?.bottom)?))
}

pub fn leftmost(patch: &Value) -> Out {
    Ok(Value::Int(narrow(Bounds::of_patch(patch)?.left)?))
}

pub fn rightmost(patch: &Value) -> Out {
    Ok(Value::Int(narrow(Bounds::of_patch(patch)?.right)?))
}

pub fn col_row(patch: &Value, which: &Value) -> Out {
    match int(which)? {
        0 => lowermost(patch),
        1 => uppermost(patch),
        2 => leftmost(patch),
        3 => rightmost(patch),
        _ => Err(Fault::new(FaultKind::IndexError, "a side is 0 to 3")),
    }
}

pub fn toindices(patch: &Value) -> Out {
    if items(patch)?.is_empty() {
        return Ok(Value::empty_set());
    }
    match Patch::of(patch)? {
        // A tuple of locations stays the tuple that it is.
        Patch::Locations(_) => Ok(patch.clone()),
        Patch::Cells(all) => {
            Ok(Value::set(all.into_iter().map(|(_, (i, j))| Value::Pair(i, j)).collect()))
        }
    }
}

pub fn shift(patch: &Value, directions: &Value) -> Out {
    if items(patch)?.is_empty() {
        return Ok(patch.clone());
    }
    let (di, dj) = ij(directions)?;
    Patch::of(patch)?.moved(|i, j| (i + i64::from(di), j + i64::from(dj)))
}

pub fn normalize(patch: &Value) -> Out {
    if items(patch)?.is_empty() {
        return Ok(patch.clone());
    }
    let bounds = Bounds::of_patch(patch)?;
    Patch::of(patch)?.moved(|i, j| (i - bounds.top, j - bounds.left))
}

/// The middle of a patch: its sides from the locations, its size as [`extent`] reads it.
fn middle(patch: &Value) -> Result<(i64, i64), Fault> {
    let bounds = Bounds::of_patch(patch)?;
    let (h, w) = extent(patch)?;
    Ok((bounds.top + h / 2, bounds.left + w / 2))
}

pub fn center(patch: &Value) -> Out {
    let (i, j) = middle(patch)?;
    pair(i, j)
}

pub fn centerofmass(patch: &Value) -> Out {
    let locations = indices_of(patch)?;
    if locations.is_empty() {
        return Ok(Value::empty_tuple());
    }
    // Cells that share a location are summed once and counted each.
    let count = items(patch)?.len() as i64;
    let sum = |axis: fn(&(i32, i32)) -> i32| -> i64 {
        locations.iter().map(|at| i64::from(axis(at))).sum()
    };
    pair(sum(|at| at.0).div_euclid(count), sum(|at| at.1).div_euclid(count))
}

pub fn bordering(patch: &Value, grid: &Value) -> Out {
    let bounds = Bounds::of_patch(patch)?;
    if bounds.top == 0 || bounds.left == 0 {
        return Ok(Value::Bool(true));
    }
    let rows = tuple_items(grid)?;
    if bounds.bottom == rows.len() as i64 - 1 {
        return Ok(Value::Bool(true));
    }
    let first = rows.first().ok_or(no_item())?;
    Ok(Value::Bool(bounds.right == items(first)?.len() as i64 - 1))
}

#[cfg(test)]
mod tests;
