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

/// Patches and grids, made by a thread.
const MADE: &str = "def solve_down_fill(I):
    x1 = objects(I, F, F, T)
    x2 = argmax(x1, size)
    x3 = shift(x2, TWO_BY_ZERO)
    O = fill(I, SIX, x3)
    return O

def solve_up_fill(I):
    x1 = ofcolor(I, TWO)
    x2 = recolor(FIVE, x1)
    x4 = invert(THREE_BY_THREE)
    x3 = shift(x2, x4)
    O = fill(I, SIX, x3)
    return O

def solve_down_underfill(I):
    x1 = objects(I, F, F, T)
    x2 = argmax(x1, size)
    x3 = shift(x2, TWO_BY_ZERO)
    O = underfill(I, SIX, x3)
    return O

def solve_up_underfill(I):
    x1 = ofcolor(I, TWO)
    x2 = recolor(FIVE, x1)
    x4 = invert(THREE_BY_THREE)
    x3 = shift(x2, x4)
    O = underfill(I, SIX, x3)
    return O

def solve_down_cover(I):
    x1 = objects(I, F, F, T)
    x2 = argmax(x1, size)
    x3 = shift(x2, TWO_BY_ZERO)
    O = cover(I, x3)
    return O

def solve_up_cover(I):
    x1 = ofcolor(I, TWO)
    x2 = recolor(FIVE, x1)
    x4 = invert(THREE_BY_THREE)
    x3 = shift(x2, x4)
    O = cover(I, x3)
    return O

def solve_down_paint(I):
    x1 = objects(I, F, F, T)
    x2 = argmax(x1, size)
    x3 = shift(x2, TWO_BY_ZERO)
    O = paint(I, x3)
    return O

def solve_up_paint(I):
    x1 = ofcolor(I, TWO)
    x2 = recolor(FIVE, x1)
    x4 = invert(THREE_BY_THREE)
    x3 = shift(x2, x4)
    O = paint(I, x3)
    return O

def solve_down_underpaint(I):
    x1 = objects(I, F, F, T)
    x2 = argmax(x1, size)
    x3 = shift(x2, TWO_BY_ZERO)
    O = underpaint(I, x3)
    return O

def solve_up_underpaint(I):
    x1 = ofcolor(I, TWO)
    x2 = recolor(FIVE, x1)
    x4 = invert(THREE_BY_THREE)
    x3 = shift(x2, x4)
    O = underpaint(I, x3)
    return O

def solve_down_toobject(I):
    x1 = objects(I, F, F, T)
    x2 = argmax(x1, size)
    x3 = shift(x2, TWO_BY_ZERO)
    O = toobject(x3, I)
    return O

def solve_up_toobject(I):
    x1 = ofcolor(I, TWO)
    x2 = recolor(FIVE, x1)
    x4 = invert(THREE_BY_THREE)
    x3 = shift(x2, x4)
    O = toobject(x3, I)
    return O

def solve_down_subgrid(I):
    x1 = objects(I, F, F, T)
    x2 = argmax(x1, size)
    x3 = shift(x2, TWO_BY_ZERO)
    O = subgrid(x3, I)
    return O

def solve_up_subgrid(I):
    x1 = ofcolor(I, TWO)
    x2 = recolor(FIVE, x1)
    x4 = invert(THREE_BY_THREE)
    x3 = shift(x2, x4)
    O = subgrid(x3, I)
    return O

def solve_down_outbox(I):
    x1 = objects(I, F, F, T)
    x2 = argmax(x1, size)
    x3 = shift(x2, TWO_BY_ZERO)
    O = outbox(x3)
    return O

def solve_up_outbox(I):
    x1 = ofcolor(I, TWO)
    x2 = recolor(FIVE, x1)
    x4 = invert(THREE_BY_THREE)
    x3 = shift(x2, x4)
    O = outbox(x3)
    return O

def solve_down_inbox(I):
    x1 = objects(I, F, F, T)
    x2 = argmax(x1, size)
    x3 = shift(x2, TWO_BY_ZERO)
    O = inbox(x3)
    return O

def solve_up_inbox(I):
    x1 = ofcolor(I, TWO)
    x2 = recolor(FIVE, x1)
    x4 = invert(THREE_BY_THREE)
    x3 = shift(x2, x4)
    O = inbox(x3)
    return O

def solve_down_box(I):
    x1 = objects(I, F, F, T)
    x2 = argmax(x1, size)
    x3 = shift(x2, TWO_BY_ZERO)
    O = box(x3)
    return O

def solve_up_box(I):
    x1 = ofcolor(I, TWO)
    x2 = recolor(FIVE, x1)
    x4 = invert(THREE_BY_THREE)
    x3 = shift(x2, x4)
    O = box(x3)
    return O

def solve_down_backdrop(I):
    x1 = objects(I, F, F, T)
    x2 = argmax(x1, size)
    x3 = shift(x2, TWO_BY_ZERO)
    O = backdrop(x3)
    return O

def solve_up_backdrop(I):
    x1 = ofcolor(I, TWO)
    x2 = recolor(FIVE, x1)
    x4 = invert(THREE_BY_THREE)
    x3 = shift(x2, x4)
    O = backdrop(x3)
    return O

def solve_down_delta(I):
    x1 = objects(I, F, F, T)
    x2 = argmax(x1, size)
    x3 = shift(x2, TWO_BY_ZERO)
    O = delta(x3)
    return O

def solve_up_delta(I):
    x1 = ofcolor(I, TWO)
    x2 = recolor(FIVE, x1)
    x4 = invert(THREE_BY_THREE)
    x3 = shift(x2, x4)
    O = delta(x3)
    return O

def solve_down_intersection(I):
    x1 = objects(I, F, F, T)
    x2 = argmax(x1, size)
    x3 = shift(x2, TWO_BY_ZERO)
    O = intersection(x2, x3)
    return O

def solve_up_intersection(I):
    x1 = ofcolor(I, TWO)
    x2 = recolor(FIVE, x1)
    x4 = invert(THREE_BY_THREE)
    x3 = shift(x2, x4)
    O = intersection(x2, x3)
    return O

def solve_down_difference(I):
    x1 = objects(I, F, F, T)
    x2 = argmax(x1, size)
    x3 = shift(x2, TWO_BY_ZERO)
    O = difference(x2, x3)
    return O

def solve_up_difference(I):
    x1 = ofcolor(I, TWO)
    x2 = recolor(FIVE, x1)
    x4 = invert(THREE_BY_THREE)
    x3 = shift(x2, x4)
    O = difference(x2, x3)
    return O

def solve_down_combine(I):
    x1 = objects(I, F, F, T)
    x2 = argmax(x1, size)
    x3 = shift(x2, TWO_BY_ZERO)
    O = combine(x2, x3)
    return O

def solve_up_combine(I):
    x1 = ofcolor(I, TWO)
    x2 = recolor(FIVE, x1)
    x4 = invert(THREE_BY_THREE)
    x3 = shift(x2, x4)
    O = combine(x2, x3)
    return O

def solve_hmirror(I):
    x4 = shape(I)
    x1 = halve(x4)
    x2 = invert(x1)
    x3 = rot90(I)
    x5 = canvas(FOUR, x4)
    O = hmirror(I)
    return O

def solve_vmirror(I):
    x4 = shape(I)
    x1 = halve(x4)
    x2 = invert(x1)
    x3 = rot90(I)
    x5 = canvas(FOUR, x4)
    O = vmirror(I)
    return O

def solve_dmirror(I):
    x4 = shape(I)
    x1 = halve(x4)
    x2 = invert(x1)
    x3 = rot90(I)
    x5 = canvas(FOUR, x4)
    O = dmirror(I)
    return O

def solve_cmirror(I):
    x4 = shape(I)
    x1 = halve(x4)
    x2 = invert(x1)
    x3 = rot90(I)
    x5 = canvas(FOUR, x4)
    O = cmirror(I)
    return O

def solve_rot90(I):
    x4 = shape(I)
    x1 = halve(x4)
    x2 = invert(x1)
    x3 = rot90(I)
    x5 = canvas(FOUR, x4)
    O = rot90(I)
    return O

def solve_rot180(I):
    x4 = shape(I)
    x1 = halve(x4)
    x2 = invert(x1)
    x3 = rot90(I)
    x5 = canvas(FOUR, x4)
    O = rot180(I)
    return O

def solve_rot270(I):
    x4 = shape(I)
    x1 = halve(x4)
    x2 = invert(x1)
    x3 = rot90(I)
    x5 = canvas(FOUR, x4)
    O = rot270(I)
    return O

def solve_top(I):
    x4 = shape(I)
    x1 = halve(x4)
    x2 = invert(x1)
    x3 = rot90(I)
    x5 = canvas(FOUR, x4)
    O = tophalf(I)
    return O

def solve_bottom(I):
    x4 = shape(I)
    x1 = halve(x4)
    x2 = invert(x1)
    x3 = rot90(I)
    x5 = canvas(FOUR, x4)
    O = bottomhalf(I)
    return O

def solve_left(I):
    x4 = shape(I)
    x1 = halve(x4)
    x2 = invert(x1)
    x3 = rot90(I)
    x5 = canvas(FOUR, x4)
    O = lefthalf(I)
    return O

def solve_right(I):
    x4 = shape(I)
    x1 = halve(x4)
    x2 = invert(x1)
    x3 = rot90(I)
    x5 = canvas(FOUR, x4)
    O = righthalf(I)
    return O

def solve_trim(I):
    x4 = shape(I)
    x1 = halve(x4)
    x2 = invert(x1)
    x3 = rot90(I)
    x5 = canvas(FOUR, x4)
    O = trim(I)
    return O

def solve_crop(I):
    x4 = shape(I)
    x1 = halve(x4)
    x2 = invert(x1)
    x3 = rot90(I)
    x5 = canvas(FOUR, x4)
    O = crop(I, x1, THREE_BY_THREE)
    return O

def solve_crop_end(I):
    x4 = shape(I)
    x1 = halve(x4)
    x2 = invert(x1)
    x3 = rot90(I)
    x5 = canvas(FOUR, x4)
    O = crop(I, x2, UNITY)
    return O

def solve_h(I):
    x4 = shape(I)
    x1 = halve(x4)
    x2 = invert(x1)
    x3 = rot90(I)
    x5 = canvas(FOUR, x4)
    O = hconcat(I, x3)
    return O

def solve_v(I):
    x4 = shape(I)
    x1 = halve(x4)
    x2 = invert(x1)
    x3 = rot90(I)
    x5 = canvas(FOUR, x4)
    O = vconcat(I, I)
    return O

def solve_switch(I):
    x4 = shape(I)
    x1 = halve(x4)
    x2 = invert(x1)
    x3 = rot90(I)
    x5 = canvas(FOUR, x4)
    O = switch(I, ONE, TWO)
    return O

def solve_replace(I):
    x4 = shape(I)
    x1 = halve(x4)
    x2 = invert(x1)
    x3 = rot90(I)
    x5 = canvas(FOUR, x4)
    O = replace(I, TWO, SEVEN)
    return O

def solve_cellwise(I):
    x4 = shape(I)
    x1 = halve(x4)
    x2 = invert(x1)
    x3 = rot90(I)
    x5 = canvas(FOUR, x4)
    O = cellwise(I, x3, SIX)
    return O

def solve_canvas(I):
    x4 = shape(I)
    x1 = halve(x4)
    x2 = invert(x1)
    x3 = rot90(I)
    x5 = canvas(FOUR, x4)
    O = canvas(FOUR, x4)
    return O

def solve_asobject(I):
    x4 = shape(I)
    x1 = halve(x4)
    x2 = invert(x1)
    x3 = rot90(I)
    x5 = canvas(FOUR, x4)
    O = asobject(I)
    return O

def solve_plain(I):
    x4 = shape(I)
    x1 = halve(x4)
    x2 = invert(x1)
    x3 = rot90(I)
    x5 = canvas(FOUR, x4)
    O = asobject(x5)
    return O

def solve_asindices(I):
    x4 = shape(I)
    x1 = halve(x4)
    x2 = invert(x1)
    x3 = rot90(I)
    x5 = canvas(FOUR, x4)
    O = asindices(I)
    return O

def solve_of_neighbors(I):
    x0 = shape(I)
    x5 = decrement(x0)
    x1 = invert(x5)
    x2 = multiply(x0, TWO)
    x3 = crement(x0)
    x6 = first(x1)
    x4 = astuple(x6, FIVE)
    O = neighbors(x1)
    return O

def solve_of_dneighbors(I):
    x0 = shape(I)
    x5 = decrement(x0)
    x1 = invert(x5)
    x2 = multiply(x0, TWO)
    x3 = crement(x0)
    x6 = first(x1)
    x4 = astuple(x6, FIVE)
    O = dneighbors(x1)
    return O

def solve_of_ineighbors(I):
    x0 = shape(I)
    x5 = decrement(x0)
    x1 = invert(x5)
    x2 = multiply(x0, TWO)
    x3 = crement(x0)
    x6 = first(x1)
    x4 = astuple(x6, FIVE)
    O = ineighbors(x1)
    return O

def solve_of_vfrontier(I):
    x0 = shape(I)
    x5 = decrement(x0)
    x1 = invert(x5)
    x2 = multiply(x0, TWO)
    x3 = crement(x0)
    x6 = first(x1)
    x4 = astuple(x6, FIVE)
    O = vfrontier(x1)
    return O

def solve_of_hfrontier(I):
    x0 = shape(I)
    x5 = decrement(x0)
    x1 = invert(x5)
    x2 = multiply(x0, TWO)
    x3 = crement(x0)
    x6 = first(x1)
    x4 = astuple(x6, FIVE)
    O = hfrontier(x1)
    return O

def solve_of_initset(I):
    x0 = shape(I)
    x5 = decrement(x0)
    x1 = invert(x5)
    x2 = multiply(x0, TWO)
    x3 = crement(x0)
    x6 = first(x1)
    x4 = astuple(x6, FIVE)
    O = initset(x1)
    return O

def solve_of_connect(I):
    x0 = shape(I)
    x5 = decrement(x0)
    x1 = invert(x5)
    x2 = multiply(x0, TWO)
    x3 = crement(x0)
    x6 = first(x1)
    x4 = astuple(x6, FIVE)
    O = connect(x1, x2)
    return O

def solve_of_connect_up(I):
    x0 = shape(I)
    x5 = decrement(x0)
    x1 = invert(x5)
    x2 = multiply(x0, TWO)
    x3 = crement(x0)
    x6 = first(x1)
    x4 = astuple(x6, FIVE)
    O = connect(x3, ORIGIN)
    return O

def solve_of_connect_row(I):
    x0 = shape(I)
    x5 = decrement(x0)
    x1 = invert(x5)
    x2 = multiply(x0, TWO)
    x3 = crement(x0)
    x6 = first(x1)
    x4 = astuple(x6, FIVE)
    O = connect(x1, x4)
    return O
";

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
fn what_threads_make_is_the_same() {
    let (_, values) = compare(MADE, SIDES);
    assert_eq!(values, 661);
}
