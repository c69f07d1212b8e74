//! What cells see, what patches enclose, and the panels that a grid is divided into.

use std::collections::BTreeSet;
use std::ops::Range;

use batt_lang::{Fault, Value};

use super::shapes::{Bounds, Grid, cell, indices_of, inside, pair};
use super::{Out, ij, int, room};

pub fn ray(grid: &Value, through: &Value, direction: &Value) -> Out {
    let grid = Grid::of(grid)?;
    let rows = grid.rectangle()?;
    let (h, w) = (grid.height(), grid.width()?);
    int(through)?;
    let (di, dj) = ij(direction)?;
    if (di, dj) == (0, 0) {
        return Ok(Value::empty_set());
    }
    let mut places: Vec<(usize, usize)> =
        (0..h).flat_map(|i| (0..w).map(move |j| (i, j))).collect();
    // A cell sees what the next one shows, or sees: so the next one has its turn before.
    if (di, dj) > (0, 0) {
        places.reverse();
    }
    let mut seen: Vec<Vec<Option<&Value>>> = vec![vec![None; w]; h];
    let mut cells = Vec::new();
    for (i, j) in places {
        let next = ((i as i32).saturating_add(di), (j as i32).saturating_add(dj));
        let Some((a, b)) = inside(next, h, w) else { continue };
        seen[i][j] = if rows[a][b] == *through { seen[a][b] } else { Some(&rows[a][b]) };
        cells.extend(seen[i][j].map(|colour| cell(colour, (i as i32, j as i32))));
    }
    Ok(Value::set(cells))
}

/// A row and a column in 64 bits, so that neighbours of all locations fit.
type Wide = (i64, i64);

pub fn interior(patch: &Value) -> Out {
    let all = enclosed(patch)?.into_iter().map(|(i, j)| pair(i, j));
    Ok(Value::set(all.collect::<Result<_, Fault>>()?))
}

pub fn holes(patch: &Value) -> Out {
    let mut left = enclosed(patch)?;
    let mut count = 0;
    while let Some(&first) = left.first() {
        take_region(&mut left, first);
        count += 1;
    }
    Ok(Value::Int(count))
}

/// The free locations of the bounding box from which free ones lead to no edge of it.
fn enclosed(patch: &Value) -> Result<BTreeSet<Wide>, Fault> {
    let taken = indices_of(patch)?;
    let Some(bounds) = Bounds::of(&taken) else { return Ok(BTreeSet::new()) };
    room(bounds.height().saturating_mul(bounds.width()))?;
    let taken: BTreeSet<Wide> =
        taken.into_iter().map(|(i, j)| (i64::from(i), i64::from(j))).collect();
    let all = bounds.rows().flat_map(|i| bounds.columns().map(move |j| (i, j)));
    let mut free: BTreeSet<Wide> = all.filter(|at| !taken.contains(at)).collect();
    for i in bounds.rows() {
        take_region(&mut free, (i, bounds.left));
        take_region(&mut free, (i, bounds.right));
    }
    for j in bounds.columns() {
        take_region(&mut free, (bounds.top, j));
        take_region(&mut free, (bounds.bottom, j));
    }
    Ok(free)
}

/// Takes away a location and all that are connected with it by edges, if it is there.
fn take_region(free: &mut BTreeSet<Wide>, start: Wide) {
    let mut open = vec![start];
    while let Some((i, j)) = open.pop() {
        if free.remove(&(i, j)) {
            open.extend([(i - 1, j), (i, j - 1), (i, j + 1), (i + 1, j)]);
        }
    }
}

pub fn panels(grid: &Value, divider: &Value) -> Out {
    let grid = Grid::of(grid)?;
    let rows = grid.rectangle()?;
    int(divider)?;
    let down = runs(grid.height(), |i| rows[i].iter().all(|v| v == divider));
    let across = runs(grid.width()?, |j| rows.iter().all(|row| row[j] == *divider));
    let mut found = Vec::new();
    for i in &down {
        for j in &across {
            let places = i.clone().flat_map(|i| j.clone().map(move |j| (i, j)));
            let cells = places.map(|(i, j)| cell(&rows[i][j], (i as i32, j as i32)));
            found.push(Value::set(cells.collect()));
        }
    }
    Ok(Value::tuple(found))
}

/// The runs of places that do not divide.
fn runs(n: usize, divides: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for place in (0..n).filter(|place| !divides(*place)) {
        match runs.last_mut() {
            Some(run) if run.end == place => run.end += 1,
            _ => runs.push(place..place + 1),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use batt_lang::FaultKind;

    use super::super::objects::asobject;
    use super::*;

    fn locations(all: &[(i32, i32)]) -> Value {
        Value::set(all.iter().map(|(i, j)| Value::Pair(*i, *j)).collect())
    }

    fn seen(grid: &Value, through: i32, direction: (i32, i32)) -> Value {
        ray(grid, &Value::Int(through), &Value::Pair(direction.0, direction.1)).unwrap()
    }

    #[test]
    fn a_cell_sees_the_first_other_colour_and_not_itself() {
        let grid = Value::grid(&[[1, 0, 0, 2, 3]]);
        let cells = |all: &[(i32, i32)]| {
            Value::set(all.iter().map(|(colour, j)| Value::Cell(*colour, 0, *j)).collect())
        };
        assert_eq!(seen(&grid, 0, (0, 1)), cells(&[(2, 0), (2, 1), (2, 2), (3, 3)]));
        assert_eq!(seen(&grid, 0, (0, -1)), cells(&[(1, 1), (1, 2), (1, 3), (2, 4)]));
        // Through another colour, the neighbour is what is seen.
        assert_eq!(seen(&grid, 7, (0, 1)), cells(&[(0, 0), (0, 1), (2, 2), (3, 3)]));
        assert_eq!(seen(&grid, 0, (0, 2)), cells(&[(3, 0), (2, 1), (3, 2)]));
        for nothing in [(1, 0), (0, 0), (-1, 1), (0, i32::MIN), (0, i32::MAX)] {
            assert_eq!(seen(&grid, 0, nothing), Value::empty_set());
        }
    }

    #[test]
    fn diagonal_rays_pass_between_cells_that_touch() {
        let grid = Value::grid(&[[0, 5, 0], [5, 0, 0], [0, 0, 4]]);
        let found = seen(&grid, 0, (1, 1));
        assert_eq!(found, Value::set(vec![Value::Cell(4, 0, 0), Value::Cell(4, 1, 1)]));
    }

    #[test]
    fn corners_do_not_let_out_what_is_enclosed() {
        // A diamond; its corners touch and enclose one location.
        let diamond = locations(&[(0, 1), (1, 0), (1, 2), (2, 1)]);
        assert_eq!(interior(&diamond), Ok(locations(&[(1, 1)])));
        let two = locations(&[(0, 1), (1, 0), (1, 2), (2, 1), (2, 3), (3, 2)]);
        assert_eq!(holes(&two), Ok(Value::Int(2)));
        let open = locations(&[(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 2)]);
        assert_eq!(interior(&open), Ok(Value::empty_set()));
        assert_eq!(holes(&Value::empty_set()), Ok(Value::Int(0)));
    }

    #[test]
    fn far_patches_are_refused_or_have_no_holes() {
        let far = locations(&[(i32::MIN, 0), (i32::MAX, 9)]);
        assert_eq!(interior(&far).unwrap_err().kind, FaultKind::Size);
        let edges = locations(&[(i32::MIN, i32::MIN), (i32::MIN + 1, i32::MIN + 1)]);
        assert_eq!(holes(&edges), Ok(Value::Int(0)));
    }

    #[test]
    fn panels_lie_between_full_rows_and_columns() {
        let grid = Value::grid(&[[1, 5, 2, 5], [5, 5, 5, 5], [5, 5, 0, 5], [3, 5, 4, 5]]);
        let panel = |cells: &[(i32, i32, i32)]| {
            Value::set(cells.iter().map(|(c, i, j)| Value::Cell(*c, *i, *j)).collect())
        };
        let expected = vec![
            panel(&[(1, 0, 0)]),
            panel(&[(2, 0, 2)]),
            panel(&[(5, 2, 0), (3, 3, 0)]),
            panel(&[(0, 2, 2), (4, 3, 2)]),
        ];
        assert_eq!(panels(&grid, &Value::Int(5)), Ok(Value::tuple(expected)));
        let whole = Value::tuple(vec![asobject(&grid).unwrap()]);
        assert_eq!(panels(&grid, &Value::Int(7)), Ok(whole));
        let divider = Value::grid(&[[5, 5]]);
        assert_eq!(panels(&divider, &Value::Int(5)), Ok(Value::empty_tuple()));
    }

    #[test]
    fn what_is_no_grid_or_no_colour_is_an_error() {
        let (grid, colour) = (Value::grid(&[[1, 2], [3, 4]]), Value::Int(0));
        let (right, none) = (Value::Pair(0, 1), Value::Null);
        let kind = |out: Out| out.unwrap_err().kind;
        assert_eq!(kind(ray(&colour, &colour, &right)), FaultKind::TypeError);
        assert_eq!(kind(ray(&grid, &none, &right)), FaultKind::TypeError);
        assert_eq!(kind(ray(&grid, &colour, &colour)), FaultKind::TypeError);
        assert_eq!(kind(ray(&Value::empty_tuple(), &colour, &right)), FaultKind::IndexError);
        assert_eq!(kind(panels(&grid, &right)), FaultKind::TypeError);
        assert_eq!(kind(interior(&colour)), FaultKind::TypeError);
    }
}
