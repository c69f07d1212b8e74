use proptest::prelude::*;

use super::*;

fn kind(out: Out) -> FaultKind {
    out.unwrap_err().kind
}

fn ragged() -> Value {
    grid_from(vec![vec![Value::Int(1); 3], vec![Value::Int(2)]])
}

#[test]
fn crop_slices_as_python_does() {
    let grid = Value::grid(&[[1, 2, 3], [4, 5, 6], [7, 8, 9]]);
    let crop = |start: (i32, i32), dims: (i32, i32)| {
        crop(&grid, &Value::Pair(start.0, start.1), &Value::Pair(dims.0, dims.1))
    };
    assert_eq!(crop((1, 1), (5, 5)), Ok(Value::grid(&[[5, 6], [8, 9]])));
    assert_eq!(crop((-1, 0), (2, 2)), Ok(Value::empty_tuple()));
    assert_eq!(crop((0, -2), (2, 1)), Ok(Value::grid(&[[2], [5]])));
    assert_eq!(crop((0, 0), (-1, 2)), Ok(Value::grid(&[[1, 2], [4, 5]])));
    assert_eq!(crop((i32::MAX, 0), (i32::MAX, 1)), Ok(Value::empty_tuple()));
}

#[test]
fn a_split_that_does_not_divide_skips_a_separator() {
    let grid = Value::grid(&[[1, 2, 9, 3, 4]]);
    let halves = vec![Value::grid(&[[1, 2]]), Value::grid(&[[3, 4]])];
    assert_eq!(hsplit(&grid, &Value::Int(2)), Ok(Value::tuple(halves)));
    let none = Value::tuple(vec![Value::empty_tuple(); 3]);
    assert_eq!(vsplit(&Value::grid(&[[1], [2]]), &Value::Int(3)), Ok(none));
    assert_eq!(kind(hsplit(&grid, &Value::Int(0))), FaultKind::ZeroDivisionError);
    assert_eq!(hsplit(&grid, &Value::Int(-2)), Ok(Value::empty_tuple()));
}

#[test]
fn huge_results_are_refused_before_anything_is_built() {
    let grid = Value::grid(&[[1, 2], [3, 4]]);
    let huge = Value::Int(i32::MAX);
    let object = Value::set(vec![Value::Cell(1, 0, 0)]);
    for out in [
        canvas(&Value::Int(0), &Value::Pair(i32::MAX, i32::MAX)),
        canvas(&Value::Int(0), &Value::Pair(i32::MAX, -1)),
        hupscale(&grid, &huge),
        vupscale(&grid, &huge),
        upscale(&grid, &huge),
        upscale(&object, &huge),
        hsplit(&grid, &huge),
        vsplit(&grid, &huge),
    ] {
        assert_eq!(kind(out), FaultKind::Size);
    }
    // Rows without cells stay so, whatever the factor.
    let rows = grid_from(vec![vec![], vec![]]);
    assert_eq!(hupscale(&rows, &huge), Ok(rows));
    assert_eq!(canvas(&Value::Int(0), &Value::Pair(0, i32::MAX)), Ok(Value::empty_tuple()));
}

#[test]
fn upscale_keeps_the_corner_of_an_object_and_refuses_indices() {
    let object = Value::set(vec![Value::Cell(1, 5, 5)]);
    let cells = [(5, 5), (5, 6), (6, 5), (6, 6)].map(|(i, j)| Value::Cell(1, i, j));
    assert_eq!(upscale(&object, &Value::Int(2)), Ok(Value::set(cells.to_vec())));
    let indices = Value::set(vec![Value::Pair(5, 5)]);
    assert_eq!(kind(upscale(&indices, &Value::Int(2))), FaultKind::TypeError);
}

#[test]
fn conflicting_cells_go_to_the_last() {
    let grid = Value::grid(&[[0, 0]]);
    let object = Value::set(vec![Value::Cell(3, 0, 0), Value::Cell(7, 0, 0)]);
    assert_eq!(paint(&grid, &object), Ok(Value::grid(&[[7, 0]])));
    // The first one takes the background away.
    assert_eq!(underpaint(&grid, &object), Ok(Value::grid(&[[3, 0]])));
}

#[test]
fn rows_may_differ_in_length() {
    assert_eq!(dmirror(&ragged()), Ok(Value::grid(&[[1, 2]])));
    assert_eq!(hmirror(&ragged()).and_then(|g| hmirror(&g)), Ok(ragged()));
    let patch = Value::set(vec![Value::Pair(1, 2)]);
    assert_eq!(kind(fill(&ragged(), &Value::Int(0), &patch)), FaultKind::IndexError);
    assert_eq!(index(&ragged(), &Value::Pair(5, 0)), Ok(Value::Null));
    assert_eq!(kind(index(&Value::empty_tuple(), &Value::Pair(0, 0))), FaultKind::IndexError);
}

#[test]
fn empty_patches_cannot_be_mirrored() {
    let nothing = Value::empty_set();
    assert_eq!(kind(hmirror(&nothing)), FaultKind::IndexError);
    assert_eq!(kind(dmirror(&nothing)), FaultKind::ValueError);
    assert_eq!(kind(cmirror(&nothing)), FaultKind::IndexError);
    assert_eq!(kind(subgrid(&nothing, &ragged())), FaultKind::IndexError);
}

#[test]
fn orientations_have_numbers() {
    let grid = Value::grid(&[[1, 2], [3, 4]]);
    let turned = |n| mir_rot_t(&grid, &Value::Int(n));
    assert_eq!(turned(4), rot90(&grid));
    assert_eq!((turned(7), turned(99)), (Ok(grid.clone()), Ok(grid.clone())));
    assert!(turned(-1).is_err());
    let patch = Value::set(vec![Value::Pair(0, 0), Value::Pair(0, 1)]);
    assert_eq!(mir_rot_f(&patch, &Value::Int(5)), Ok(patch.clone()));
    let cells = Value::tuple(vec![Value::Pair(0, 0), Value::Pair(0, 1)]);
    assert_eq!(mir_rot_f(&cells, &Value::Int(2)), Ok(patch));
    assert!(mir_rot_f(&Value::Int(3), &Value::Int(0)).is_err());
}

fn some_grid() -> impl Strategy<Value = Value> {
    (1..6_usize, 1..6_usize).prop_flat_map(|(h, w)| {
        let row = prop::collection::vec(0..10, w);
        prop::collection::vec(row, h).prop_map(|rows| Value::grid(&rows))
    })
}

fn some_patch() -> impl Strategy<Value = Value> {
    prop::collection::vec((0..3, -5..5, -5..5), 1..12)
        .prop_map(|cells| Value::set(cells.iter().map(|&(c, i, j)| Value::Cell(c, i, j)).collect()))
}

fn run(steps: &[fn(&Value) -> Out], start: &Value) -> Out {
    steps.iter().try_fold(start.clone(), |value, step| step(&value))
}

proptest! {
    #[test]
    fn turns_and_mirrors_come_back(grid in some_grid()) {
        let same = Ok(grid.clone());
        prop_assert_eq!(&run(&[rot90, rot90, rot90, rot90], &grid), &same);
        prop_assert_eq!(&run(&[rot90, rot270], &grid), &same);
        prop_assert_eq!(run(&[rot90, rot90], &grid), rot180(&grid));
        for mirror in [hmirror, vmirror, dmirror, cmirror] {
            prop_assert_eq!(&run(&[mirror; 2], &grid), &same);
        }
        prop_assert_eq!(run(&[vmirror, rot90, rot90, rot90], &grid), dmirror(&grid));
        prop_assert_eq!(run(&[dmirror, rot180], &grid), cmirror(&grid));
    }

    #[test]
    fn mirrored_patches_come_back(patch in some_patch()) {
        for mirror in [hmirror, vmirror, dmirror] {
            prop_assert_eq!(run(&[mirror; 2], &patch), Ok(patch.clone()));
        }
    }

    #[test]
    fn downscale_undoes_upscale(grid in some_grid(), n in 1..4) {
        let n = Value::Int(n);
        prop_assert_eq!(upscale(&grid, &n).and_then(|g| downscale(&g, &n)), Ok(grid.clone()));
        prop_assert_eq!(hupscale(&grid, &n).and_then(|g| vupscale(&g, &n)), upscale(&grid, &n));
    }

    #[test]
    fn trim_undoes_a_frame(grid in some_grid(), colour in 0..10) {
        let (h, w) = ij(&shape(&grid).unwrap()).unwrap();
        let colour = Value::Int(colour);
        let (wide, tall) = (Value::Pair(1, w), Value::Pair(h + 2, 1));
        let (row, column) = (canvas(&colour, &wide).unwrap(), canvas(&colour, &tall).unwrap());
        let framed = vconcat(&vconcat(&row, &grid).unwrap(), &row).unwrap();
        let framed = hconcat(&hconcat(&column, &framed).unwrap(), &column).unwrap();
        prop_assert_eq!(trim(&framed), Ok(grid));
    }

    #[test]
    fn halves_are_halves(grid in some_grid()) {
        let doubled = vconcat(&grid, &grid).unwrap();
        prop_assert_eq!(tophalf(&doubled), bottomhalf(&doubled));
        let doubled = hconcat(&grid, &grid).unwrap();
        prop_assert_eq!(lefthalf(&doubled), Ok(grid.clone()));
        prop_assert_eq!(righthalf(&doubled), Ok(grid));
    }
}
