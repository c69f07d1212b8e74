use proptest::prelude::*;

use super::*;

fn indices(locations: &[(i32, i32)]) -> Value {
    Value::set(locations.iter().map(|&(i, j)| Value::Pair(i, j)).collect())
}

fn kind(out: Out) -> FaultKind {
    out.unwrap_err().kind
}

#[test]
fn the_corner_of_nothing_is_an_empty_tuple() {
    let nothing = Value::empty_set();
    assert_eq!(ulcorner(&nothing), Ok(Value::empty_tuple()));
    assert_eq!(corners(&nothing), Ok(Value::set(vec![Value::empty_tuple()])));
    assert_eq!(kind(uppermost(&nothing)), FaultKind::ValueError);
    assert_eq!(square(&nothing), Ok(Value::Bool(true)));
    assert_eq!(kind(square(&Value::empty_tuple())), FaultKind::IndexError);
}

#[test]
fn a_tuple_of_locations_stays_and_measures_as_a_grid() {
    let tuple = Value::tuple(vec![Value::Pair(5, 5), Value::Pair(5, 9), Value::Pair(5, 5)]);
    assert_eq!(toindices(&tuple), Ok(tuple.clone()));
    assert_eq!(shape(&tuple), Ok(Value::Pair(3, 2)));
    assert_eq!(ulcorner(&tuple), Ok(Value::Pair(5, 5)));
    assert_eq!(shift(&tuple, &Value::Pair(1, 0)), Ok(indices(&[(6, 5), (6, 9)])));
    assert_eq!(kind(delta(&tuple)), FaultKind::TypeError);
}

#[test]
fn mass_is_summed_over_locations_and_divided_by_cells() {
    let twice = Value::set(vec![Value::Cell(1, 4, 4), Value::Cell(2, 4, 4)]);
    assert_eq!(centerofmass(&twice), Ok(Value::Pair(2, 2)));
    assert_eq!(centerofmass(&indices(&[(-1, 0), (0, 0)])), Ok(Value::Pair(-1, 0)));
}

#[test]
fn the_inbox_of_one_cell_is_the_ring_around_it() {
    let one = indices(&[(0, 0)]);
    assert_eq!(inbox(&one), outbox(&one));
    let two = indices(&[(0, 0), (1, 1)]);
    assert_eq!(inbox(&two), r#box(&two));
}

#[test]
fn gravitate_moves_along_one_axis() {
    let at = |i, j| indices(&[(i, j)]);
    assert_eq!(gravitate(&at(0, 0), &at(0, 5)), Ok(Value::Pair(0, 4)));
    assert_eq!(gravitate(&at(0, 0), &at(3, 5)), Ok(Value::Pair(0, 42)));
    assert_eq!(gravitate(&at(0, 0), &at(0, 0)), Ok(Value::Pair(-1, 0)));
    assert_eq!(position(&at(0, 0), &at(0, 0)), Ok(Value::Pair(0, -1)));
}

#[test]
fn overlapping_is_not_adjacent() {
    let (a, b) = (indices(&[(0, 0), (0, 1)]), indices(&[(0, 1), (0, 2)]));
    assert_eq!(manhattan(&a, &b), Ok(Value::Int(0)));
    assert_eq!(adjacent(&a, &b), Ok(Value::Bool(false)));
    assert_eq!(kind(adjacent(&a, &Value::empty_set())), FaultKind::ValueError);
}

#[test]
fn bordering_asks_for_the_very_edge() {
    let grid = Value::grid(&[[0, 0, 0]; 3]);
    assert_eq!(bordering(&indices(&[(1, 2)]), &grid), Ok(Value::Bool(true)));
    assert_eq!(bordering(&indices(&[(1, 3)]), &grid), Ok(Value::Bool(false)));
    assert_eq!(kind(bordering(&indices(&[(1, 3)]), &Value::empty_tuple())), FaultKind::IndexError);
}

#[test]
fn far_apart_cells_are_refused_before_anything_is_built() {
    let far = indices(&[(i32::MIN, i32::MIN), (i32::MAX, i32::MAX)]);
    for out in [backdrop(&far), delta(&far), r#box(&far), inbox(&far), outbox(&far)] {
        assert_eq!(kind(out), FaultKind::Size);
    }
    assert_eq!(kind(height(&far)), FaultKind::Overflow);
    assert_eq!(
        kind(manhattan(&indices(&[(i32::MIN, 0)]), &indices(&[(i32::MAX, 0)]))),
        FaultKind::Overflow
    );
    let object = Value::set(vec![Value::Cell(1, 0, 0), Value::Cell(1, 0, i32::MAX - 1)]);
    assert_eq!(hperiod(&object), Ok(Value::Int(i32::MAX - 1)));
}

#[test]
fn selectors_out_of_range_are_errors() {
    let patch = indices(&[(1, 2), (3, 4)]);
    assert_eq!(corner(&patch, &Value::Int(2)), Ok(Value::Pair(3, 1 + 1)));
    assert_eq!(col_row(&patch, &Value::Int(0)), Ok(Value::Int(3)));
    assert!(corner(&patch, &Value::Int(4)).is_err());
    assert!(col_row(&patch, &Value::Int(-1)).is_err());
}

fn some_object() -> impl Strategy<Value = Vec<(i32, i32, i32)>> {
    prop::collection::vec((0..3, 0..4, 0..7), 1..20)
}

fn object(cells: &[(i32, i32, i32)]) -> Value {
    Value::set(cells.iter().map(|&(c, i, j)| Value::Cell(c, i, j)).collect())
}

proptest! {
    #[test]
    fn the_backdrop_is_the_patch_and_its_delta(cells in some_object()) {
        let object = object(&cells);
        let patch = toindices(&object).unwrap();
        let mut both = items(&patch).unwrap().to_vec();
        both.extend(items(&delta(&object).unwrap()).unwrap().to_vec());
        prop_assert_eq!(Value::set(both), backdrop(&object).unwrap());
    }

    #[test]
    fn manhattan_is_the_smallest_of_all_distances(a in some_object(), b in some_object(), far in -9..9) {
        let b: Vec<_> = b.iter().map(|&(c, i, j)| (c, i + far, j - far)).collect();
        let distance = |x: &(i32, i32, i32), y: &(i32, i32, i32)| (x.1 - y.1).abs() + (x.2 - y.2).abs();
        let least = a.iter().flat_map(|x| b.iter().map(move |y| distance(x, y))).min().unwrap();
        let (a, b) = (object(&a), object(&b));
        prop_assert_eq!(manhattan(&a, &b), Ok(Value::Int(least)));
        prop_assert_eq!(adjacent(&a, &b), Ok(Value::Bool(least == 1)));
    }

    #[test]
    fn the_period_is_the_first_shift_that_fits(cells in some_object()) {
        let normal = normalize(&object(&cells)).unwrap();
        let w = int(&width(&normal).unwrap()).unwrap();
        let held = items(&normal).unwrap();
        let fits = |p: i32| held.iter().all(|cell| match *cell {
            Value::Cell(c, i, j) if j >= p => held.contains(&Value::Cell(c, i, j - p)),
            _ => true,
        });
        let expected = (1..w).find(|p| fits(*p)).unwrap_or(w);
        prop_assert_eq!(hperiod(&normal), Ok(Value::Int(expected)));
    }
}
