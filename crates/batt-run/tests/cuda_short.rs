//! What threads of a device do alone, and what is only made as far as it is drawn, gives what the reference
//! engine gives: loops of no items, of a few and of more than a thread closes, patches beside the grid.

#[path = "common/device.rs"]
mod device;

use device::compare;

/// Loops, closed by a thread where they are short.
const LOOPS: &str = "def solve_colors(I):
    x1 = objects(I, T, F, T)
    O = apply(color, x1)
    return O

def solve_corners(I):
    x1 = objects(I, T, F, T)
    O = apply(ulcorner, x1)
    return O

def solve_cells(I):
    x1 = objects(I, T, F, T)
    O = apply(first, x1)
    return O

def solve_ones(I):
    x1 = objects(I, T, F, T)
    x2 = sizefilter(x1, ONE)
    x3 = mapply(identity, x2)
    x4 = lbind(recolor, TWO)
    O = apply(x4, x2)
    return O

def solve_sizes(I):
    x1 = objects(I, T, F, T)
    x2 = totuple(x1)
    O = apply(size, x2)
    return O

def solve_shapes(I):
    x1 = objects(I, T, F, T)
    x2 = order(x1, size)
    O = apply(shape, x2)
    return O

def solve_places(I):
    x1 = objects(I, T, F, T)
    x2 = order(x1, leftmost)
    O = apply(toindices, x2)
    return O

def solve_pair(I):
    x1 = objects(I, T, F, T)
    x2 = totuple(x1)
    x3 = rbind(contained, x2)
    x4 = first(x2)
    x5 = astuple(x4, x4)
    O = apply(height, x5)
    return O

def solve_rows(I):
    x1 = rbind(order, identity)
    O = apply(x1, I)
    return O

def solve_boxes(I):
    x1 = objects(I, T, F, T)
    O = mapply(box, x1)
    return O

def solve_backdrops(I):
    x1 = objects(I, T, F, T)
    x2 = compose(backdrop, toindices)
    O = mapply(x2, x1)
    return O

def solve_recolored(I):
    x1 = objects(I, T, F, T)
    x2 = lbind(recolor, THREE)
    O = mapply(x2, x1)
    return O

def solve_nothing(I):
    x1 = objects(I, T, F, T)
    x2 = sizefilter(x1, NEG_ONE)
    O = mapply(box, x2)
    return O

def solve_no_sets(I):
    x1 = objects(I, T, F, T)
    O = mapply(size, x1)
    return O

def solve_small(I):
    x1 = objects(I, T, F, T)
    x2 = matcher(size, ONE)
    O = sfilter(x1, x2)
    return O

def solve_wide(I):
    x1 = objects(I, T, F, T)
    x2 = matcher(height, ONE)
    x3 = order(x1, size)
    O = sfilter(x3, x2)
    return O

def solve_some_places(I):
    x1 = ofcolor(I, TWO)
    x2 = compose(even, first)
    O = sfilter(x1, x2)
    return O

def solve_some_cells(I):
    x1 = asobject(I)
    x2 = matcher(first, TWO)
    O = sfilter(x1, x2)
    return O

def solve_some_ints(I):
    x1 = first(I)
    O = sfilter(x1, even)
    return O

def solve_merged(I):
    x1 = objects(I, T, F, T)
    x2 = matcher(size, ONE)
    O = mfilter(x1, x2)
    return O

def solve_merged_color(I):
    x1 = objects(I, T, F, T)
    x2 = matcher(color, TWO)
    O = mfilter(x1, x2)
    return O

def solve_merged_tuple(I):
    x1 = objects(I, T, F, T)
    x2 = order(x1, size)
    x3 = matcher(size, ONE)
    O = mfilter(x2, x3)
    return O

def solve_ordered(I):
    x1 = objects(I, T, F, T)
    O = order(x1, uppermost)
    return O

def solve_ordered_few(I):
    x1 = fgpartition(I)
    O = order(x1, color)
    return O

def solve_ordered_pairs(I):
    x1 = objects(I, T, F, T)
    O = order(x1, center)
    return O

def solve_extracted(I):
    x1 = objects(I, T, F, T)
    x2 = matcher(color, TWO)
    O = extract(x1, x2)
    return O

def solve_error(I):
    x1 = objects(I, T, F, T)
    x2 = lbind(divide, TEN)
    x3 = fork(subtract, size, color)
    x4 = compose(x2, x3)
    O = apply(x4, x1)
    return O

def solve_error_merged(I):
    x1 = objects(I, T, F, T)
    x2 = lbind(divide, TEN)
    x3 = fork(subtract, size, color)
    x4 = compose(x2, x3)
    x5 = compose(initset, x4)
    O = mapply(x5, x1)
    return O

def solve_most(I):
    x1 = objects(I, T, F, T)
    O = argmax(x1, size)
    return O

def solve_deduped(I):
    x1 = first(I)
    O = dedupe(x1)
    return O

def solve_of_color(I):
    x1 = objects(I, T, F, T)
    O = colorfilter(x1, TWO)
    return O

def solve_connected(I):
    x1 = ofcolor(I, TWO)
    x2 = prapply(connect, x1, x1)
    O = mfilter(x2, hline)
    return O
";

/// Lines and stamps that are only drawn.
const DRAWN: &str = "def solve_shots(I):
    x1 = ofcolor(I, TWO)
    x2 = rbind(shoot, UNITY)
    x3 = mapply(x2, x1)
    O = fill(I, SIX, x3)
    return O

def solve_shots_up(I):
    x1 = ofcolor(I, TWO)
    x2 = rbind(shoot, UP)
    x3 = mapply(x2, x1)
    O = underfill(I, SIX, x3)
    return O

def solve_shot(I):
    x1 = ofcolor(I, TWO)
    x2 = center(x1)
    x3 = shoot(x2, DOWN)
    x4 = shoot(x2, NEG_UNITY)
    x5 = combine(x3, x4)
    O = fill(I, SIX, x5)
    return O

def solve_colored(I):
    x1 = objects(I, T, F, T)
    x2 = rbind(shoot, RIGHT)
    x3 = compose(x2, center)
    x4 = fork(recolor, color, x3)
    x5 = mapply(x4, x1)
    O = paint(I, x5)
    return O

def solve_stamped(I):
    x1 = ofcolor(I, TWO)
    x2 = crop(I, ORIGIN, TWO_BY_TWO)
    x3 = asobject(x2)
    x4 = lbind(shift, x3)
    x5 = mapply(x4, x1)
    O = paint(I, x5)
    return O

def solve_stamped_places(I):
    x1 = ofcolor(I, TWO)
    x2 = ofcolor(I, ONE)
    x3 = lbind(shift, x2)
    x4 = mapply(x3, x1)
    O = fill(I, SIX, x4)
    return O
";

/// Rows of two cells are locations: a tuple of them, of which the last one that is drawn stays.
const ROWS: &str = "def solve_rows(I):
    x1 = replace(I, THREE, ZERO)
    x2 = hmirror(x1)
    x3 = asobject(x2)
    x4 = lbind(shift, x3)
    x5 = mapply(x4, x2)
    O = paint(x2, x5)
    return O
";

/// What becomes of a patch, `x3`, that was moved away from another one, `x2`, or past the edge of the grid.
const OF_PATCHES: &[&str] = &[
    "fill(I, SIX, x3)",
    "underfill(I, SIX, x3)",
    "cover(I, x3)",
    "paint(I, x3)",
    "underpaint(I, x3)",
    "toobject(x3, I)",
    "subgrid(x3, I)",
    "outbox(x3)",
    "inbox(x3)",
    "box(x3)",
    "backdrop(x3)",
    "delta(x3)",
    "intersection(x2, x3)",
    "difference(x2, x3)",
    "combine(x2, x3)",
];

/// What becomes of a grid; `x1` is half its shape, `x3` the same grid turned, `x5` one of its shape and one colour.
const OF_GRIDS: &[&str] = &[
    "hmirror(I)",
    "vmirror(I)",
    "dmirror(I)",
    "cmirror(I)",
    "rot90(I)",
    "rot180(I)",
    "rot270(I)",
    "tophalf(I)",
    "bottomhalf(I)",
    "lefthalf(I)",
    "righthalf(I)",
    "trim(I)",
    "crop(I, x1, THREE_BY_THREE)",
    "crop(I, x2, UNITY)",
    "hconcat(I, x3)",
    "vconcat(I, I)",
    "switch(I, ONE, TWO)",
    "replace(I, TWO, SEVEN)",
    "cellwise(I, x3, SIX)",
    "canvas(FOUR, x4)",
    "asobject(I)",
    "asobject(x5)",
    "asindices(I)",
    "palette(I)",
    "mostcolor(I)",
    "numcolors(I)",
    "equality(I, x3)",
];

/// What becomes of locations: `x1` before the grid, `x2` and `x3` beyond it, `x4` in one row with `x1`.
const OF_PLACES: &[&str] = &[
    "neighbors(x1)",
    "dneighbors(x1)",
    "ineighbors(x1)",
    "vfrontier(x1)",
    "hfrontier(x1)",
    "initset(x1)",
    "connect(x1, x2)",
    "connect(x3, ORIGIN)",
    "connect(x1, x4)",
];

/// A program for each of some last lines, after the lines that all have.
fn programs(before: &[&str], last: &[&str]) -> String {
    let before = before.join("\n    ");
    let program =
        |(k, value)| format!("def solve_{k}(I):\n    {before}\n    O = {value}\n    return O\n");
    last.iter().enumerate().map(program).collect::<Vec<_>>().join("\n")
}

/// Grids from one cell to some that no window holds with what is around them.
const SIDES: &[i32] = &[1, 2, 3, 4, 5, 6, 8, 11, 17, 31, 32];

#[test]
fn short_loops_are_the_same_by_threads() {
    let (_, values) = compare(LOOPS, &SIDES[..9]);
    assert_eq!(values, 260);
}

#[test]
fn what_is_drawn_is_the_same_where_only_that_is_made() {
    let (_, values) = compare(DRAWN, &SIDES[..9]);
    assert_eq!(values, 52);
}

#[test]
fn rows_of_two_cells_are_drawn_in_their_order() {
    assert_eq!(compare(ROWS, &[2, 2, 3]).1, 2);
}

#[test]
fn what_threads_make_of_patches_is_the_same() {
    let down = ["x1 = objects(I, F, F, T)", "x2 = argmax(x1, size)", "x3 = shift(x2, TWO_BY_ZERO)"];
    assert_eq!(compare(&programs(&down, OF_PATCHES), SIDES).1, 150);
    let up = [
        "x1 = ofcolor(I, TWO)",
        "x2 = recolor(FIVE, x1)",
        "x4 = invert(THREE_BY_THREE)",
        "x3 = shift(x2, x4)",
    ];
    assert_eq!(compare(&programs(&up, OF_PATCHES), SIDES).1, 159);
}

#[test]
fn what_threads_make_of_grids_is_the_same() {
    let before = [
        "x4 = shape(I)",
        "x1 = halve(x4)",
        "x2 = invert(x1)",
        "x3 = rot90(I)",
        "x5 = canvas(FOUR, x4)",
    ];
    assert_eq!(compare(&programs(&before, OF_GRIDS), SIDES).1, 297);
}

#[test]
fn what_threads_make_of_locations_is_the_same() {
    let before = [
        "x0 = shape(I)",
        "x5 = decrement(x0)",
        "x1 = invert(x5)",
        "x2 = multiply(x0, TWO)",
        "x3 = crement(x0)",
        "x6 = first(x1)",
        "x4 = astuple(x6, FIVE)",
    ];
    assert_eq!(compare(&programs(&before, OF_PLACES), SIDES).1, 99);
}
