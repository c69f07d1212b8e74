//! From grids to sets: locations of colours, connected objects, partitions, where objects occur.

use std::collections::BTreeMap;

use batt_lang::{Fault, FaultKind, Value};

use super::colors::mostcolor;
use super::grids::dmirror;
use super::patches::{normalize, shape};
use super::shapes::{Grid, Loc, cell, cells_of, indices, indices_of, inside};
use super::{Out, ij, int, room};

pub fn asindices(grid: &Value) -> Out {
    let grid = Grid::of(grid)?;
    if grid.height() == 0 {
        return Ok(Value::empty_set());
    }
    let (h, w) = (grid.height() as i64, grid.width()? as i64);
    indices(h * w, (0..h).flat_map(|i| (0..w).map(move |j| (i, j))))
}

pub fn ofcolor(grid: &Value, value: &Value) -> Out {
    let grid = Grid::of(grid)?;
    let found = grid.cells().filter(|(v, _)| *v == value);
    Ok(Value::set(found.map(|(_, (i, j))| Value::Pair(i, j)).collect()))
}

pub fn objects(grid: &Value, univalued: &Value, diagonal: &Value, without_bg: &Value) -> Out {
    let found = find_objects(grid, univalued.truth(), diagonal.truth(), without_bg.truth())?;
    Ok(Value::set(found))
}

pub fn objects_t(grid: &Value, univalued: &Value, diagonal: &Value, without_bg: &Value) -> Out {
    as_tuple(&objects(grid, univalued, diagonal, without_bg)?)
}

pub fn o_g(grid: &Value, mode: &Value) -> Out {
    let mode = int(mode)?;
    if !(0..8).contains(&mode) {
        return Err(Fault::new(FaultKind::IndexError, "the mode of o_g is 0 to 7"));
    }
    Ok(Value::set(find_objects(grid, mode & 4 != 0, mode & 2 != 0, mode & 1 != 0)?))
}

pub fn o_g_t(grid: &Value, mode: &Value) -> Out {
    as_tuple(&o_g(grid, mode)?)
}

fn as_tuple(set: &Value) -> Out {
    Ok(Value::tuple(super::items(set)?.to_vec()))
}

/// The connected objects of a grid, in the order of their first cells.
fn find_objects(
    grid: &Value,
    univalued: bool,
    diagonal: bool,
    without_bg: bool,
) -> Result<Vec<Value>, Fault> {
    // Null stands for "no background", so null cells are background then.
    let background = if without_bg { mostcolor(grid)? } else { Value::Null };
    let grid = Grid::of(grid)?;
    let (h, w) = (grid.height(), grid.width()?);
    let cells: Vec<&Value> = grid.rectangle()?.into_iter().flatten().collect();
    let around: &[Loc] = if diagonal { &STEPS } else { &STEPS[..4] };

    let mut seen: Vec<bool> = cells.iter().map(|v| **v == background).collect();
    let mut found = Vec::new();
    for start in 0..cells.len() {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut object = Vec::new();
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            let (i, j) = ((at / w) as i32, (at % w) as i32);
            object.push(cell(cells[at], (i, j)));
            for (di, dj) in around {
                let Some((i, j)) = inside((i + di, j + dj), h, w) else { continue };
                let next = i * w + j;
                if !seen[next] && (!univalued || cells[next] == cells[start]) {
                    seen[next] = true;
                    open.push(next);
                }
            }
        }
        found.push(Value::set(object));
    }
    Ok(found)
}

/// The steps to the neighbours of a cell, straight ones first.
const STEPS: [Loc; 8] = [(-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)];

/// One object for each colour, colours ascending.
fn by_colour(grid: &Value) -> Result<BTreeMap<Value, Vec<Value>>, Fault> {
    let mut parts: BTreeMap<Value, Vec<Value>> = BTreeMap::new();
    for (v, at) in Grid::of(grid)?.cells() {
        parts.entry(v.clone()).or_default().push(cell(v, at));
    }
    Ok(parts)
}

pub fn partition(grid: &Value) -> Out {
    Ok(Value::set(by_colour(grid)?.into_values().map(Value::set).collect()))
}

pub fn fgpartition(grid: &Value) -> Out {
    let mut parts = by_colour(grid)?;
    parts.remove(&mostcolor(grid)?);
    Ok(Value::set(parts.into_values().map(Value::set).collect()))
}

pub fn toobject(patch: &Value, grid: &Value) -> Out {
    let grid = Grid::of(grid)?;
    let (h, w) = (grid.height(), grid.width()?);
    let mut cells = Vec::new();
    for at in indices_of(patch)? {
        if let Some((i, j)) = inside(at, h, w) {
            cells.push(cell(grid.at(i, j)?, at));
        }
    }
    Ok(Value::set(cells))
}

pub fn asobject(grid: &Value) -> Out {
    Ok(Value::set(Grid::of(grid)?.cells().map(|(v, at)| cell(v, at)).collect()))
}

pub fn occurrences(grid: &Value, obj: &Value) -> Out {
    let cells = cells_of(&normalize(obj)?)?;
    let (oh, ow) = ij(&shape(obj)?)?;
    let grid = Grid::of(grid)?;
    let (h, w) = (grid.height(), grid.width()?);
    let occurs = |i: i32, j: i32| -> Result<bool, Fault> {
        for (v, (a, b)) in &cells {
            let Some((a, b)) = inside((i.saturating_add(*a), j.saturating_add(*b)), h, w) else {
                return Ok(false);
            };
            if grid.at(a, b)? != v {
                return Ok(false);
            }
        }
        Ok(true)
    };
    let mut found = Vec::new();
    // An empty object fits once more than there are rows and columns, as its height is 0.
    for i in 0..=h as i64 - i64::from(oh) {
        for j in 0..=w as i64 - i64::from(ow) {
            if occurs(i as i32, j as i32)? {
                found.push(Value::Pair(i as i32, j as i32));
                room(found.len() as i64)?;
            }
        }
    }
    Ok(Value::set(found))
}

/// The places of the rows of a grid that are of one colour.
pub(super) fn uniform_rows(grid: &Value) -> Result<Vec<usize>, Fault> {
    let uniform = |row: &[Value]| !row.is_empty() && row.iter().all(|v| *v == row[0]);
    let grid = Grid::of(grid)?;
    Ok((0..grid.height()).filter(|&i| uniform(&grid.rows[i])).collect())
}

pub fn frontiers(value: &Value) -> Out {
    let grid = Grid::of(value)?;
    let (h, w) = (grid.height(), grid.width()?);
    let line = |places: Vec<(usize, usize)>| -> Out {
        let cells =
            places.into_iter().map(|(i, j)| grid.at(i, j).map(|v| cell(v, (i as i32, j as i32))));
        Ok(Value::set(cells.collect::<Result<_, Fault>>()?))
    };
    let mut found = Vec::new();
    for i in uniform_rows(value)? {
        found.push(line((0..w).map(|j| (i, j)).collect())?);
    }
    for j in uniform_rows(&dmirror(value)?)? {
        found.push(line((0..h).map(|i| (i, j)).collect())?);
    }
    Ok(Value::set(found))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::reference::items;

    fn count(grid: &Value, mode: i32) -> usize {
        items(&o_g(grid, &Value::Int(mode)).unwrap()).unwrap().len()
    }

    #[test]
    fn the_mode_says_what_belongs_together() {
        let grid = Value::grid(&[[1, 0, 0], [0, 2, 2], [0, 0, 3]]);
        assert_eq!(count(&grid, 5), 3);
        assert_eq!(count(&grid, 1), 2);
        assert_eq!(count(&grid, 3), 1);
        assert_eq!(count(&grid, 0), 1);
        assert!(o_g(&grid, &Value::Int(8)).is_err() && o_g(&grid, &Value::Int(-1)).is_err());
    }

    #[test]
    fn the_tuple_form_is_in_canonical_order() {
        let grid = Value::grid(&[[3, 0, 1]]);
        let tuple = o_g_t(&grid, &Value::Int(5)).unwrap();
        let single = |c, j| Value::set(vec![Value::Cell(c, 0, j)]);
        assert_eq!(tuple, Value::tuple(vec![single(1, 2), single(3, 0)]));
    }

    #[test]
    fn an_empty_object_occurs_beyond_the_last_row_and_column() {
        let found = occurrences(&Value::grid(&[[1, 2, 3], [4, 5, 6]]), &Value::empty_set());
        assert_eq!(items(&found.unwrap()).unwrap().len(), 12);
    }

    #[test]
    fn a_wide_first_row_does_not_make_a_huge_set() {
        let mut rows = vec![Value::Pair(0, 0); 10_000];
        rows[0] = Value::tuple(vec![Value::Int(0); 10_000]);
        let grid = Value::tuple(rows);
        assert_eq!(asindices(&grid).unwrap_err().kind, FaultKind::Size);
        assert_eq!(occurrences(&grid, &Value::empty_set()).unwrap_err().kind, FaultKind::Size);
    }

    #[test]
    fn a_uniform_grid_is_all_frontiers() {
        let found = frontiers(&Value::grid(&[[1, 1], [1, 1]])).unwrap();
        assert_eq!(items(&found).unwrap().len(), 4);
        assert!(frontiers(&Value::empty_tuple()).is_err());
    }

    proptest! {
        #[test]
        fn objects_take_a_grid_apart(
            rows in prop::collection::vec(prop::collection::vec(0..4, 5), 1..6), mode in 0..4,
        ) {
            let grid = Value::grid(&rows);
            // Without a background, no cell is left out and none is in two objects.
            let found = o_g(&grid, &Value::Int(mode * 2)).unwrap();
            let cells: Vec<Value> =
                items(&found).unwrap().iter().flat_map(|o| items(o).unwrap().to_vec()).collect();
            prop_assert_eq!(cells.len(), rows.len() * 5);
            prop_assert_eq!(Value::set(cells), asobject(&grid).unwrap());
        }
    }
}
