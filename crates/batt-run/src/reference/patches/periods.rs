//! After how many steps an object repeats.

use std::collections::BTreeSet;

use batt_lang::limits::MAX_SEARCHED;
use batt_lang::{Fault, Value};

use super::super::shapes::cells_of;
use super::super::{Out, int};
use super::{height, normalize, width};

/// How long it takes to find a period grows faster than the object.
fn few(obj: &Value) -> Result<(), Fault> {
    let few = obj.elements() as usize <= MAX_SEARCHED;
    if few { Ok(()) } else { Err(Fault::size("too many cells to find what repeats")) }
}

pub fn hperiod(obj: &Value) -> Out {
    few(obj)?;
    let normal = normalize(obj)?;
    let size = width(&normal)?;
    period(&normal, int(&size)?, |(i, j)| (i, j)).map(Value::Int)
}

pub fn vperiod(obj: &Value) -> Out {
    few(obj)?;
    let normal = normalize(obj)?;
    let size = height(&normal)?;
    period(&normal, int(&size)?, |(i, j)| (j, i)).map(Value::Int)
}

/// The smallest shift back along an axis that maps the cells that stay in front onto the object,
/// or its size along that axis. `axis` puts that axis last.
fn period(normal: &Value, size: i32, axis: fn((i32, i32)) -> (i32, i32)) -> Result<i32, Fault> {
    if size <= 1 {
        return Ok(size);
    }
    let cells: BTreeSet<(Value, i32, i32)> = cells_of(normal)?
        .into_iter()
        .map(|(colour, at)| {
            let (across, along) = axis(at);
            (colour, across, along)
        })
        .collect();
    let last = cells.iter().find(|cell| cell.2 == size - 1);
    let Some((colour, across, _)) = last else { return Ok(size) };
    // The last cell must land on a cell like it, so only those distances need a test.
    let like_last = cells.iter().filter(|cell| cell.0 == *colour && cell.1 == *across);
    for shift in like_last.rev().map(|cell| size - 1 - cell.2).filter(|shift| *shift > 0) {
        let lands = |(v, across, along): &(Value, i32, i32)| {
            *along < shift || cells.contains(&(v.clone(), *across, along - shift))
        };
        if cells.iter().all(lands) {
            return Ok(shift);
        }
    }
    Ok(size)
}
