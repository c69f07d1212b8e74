# What is found in a shorter way than it is written, on values for which that way is made and on others.

# The larger ones of two grids' cells.

def solve_larger(I):
    x1 = dmirror(I)
    x2 = lbind(apply, maximum)
    x3 = papply(pair, I, x1)
    O = apply(x2, x3)
    return O

def solve_larger_of_a_part(I):
    x1 = lefthalf(I)
    x2 = tophalf(rot90(I))
    x3 = lbind(apply, maximum)
    O = apply(x3, papply(pair, x1, x2))
    return O

def solve_larger_of_wide_grids(I):
    x1 = upscale(I, FIVE)
    x2 = rot180(x1)
    x3 = lbind(apply, maximum)
    O = apply(x3, papply(pair, x1, x2))
    return O

def solve_larger_of_negative_cells(I):
    x1 = replace(I, ZERO, NEG_ONE)
    x2 = vmirror(x1)
    x3 = lbind(apply, maximum)
    O = apply(x3, papply(pair, x1, x2))
    return O

def solve_larger_of_sets(I):
    x1 = asindices(I)
    x2 = ofcolor(I, ZERO)
    x3 = lbind(apply, maximum)
    O = apply(x3, papply(pair, x1, x2))
    return O

def solve_larger_of_objects(I):
    x1 = order(objects(I, T, F, T), size)
    x2 = order(objects(I, F, T, T), size)
    x3 = lbind(apply, maximum)
    O = apply(x3, papply(pair, x1, x2))
    return O

def solve_larger_read_otherwise(I):
    x1 = papply(pair, I, hmirror(I))
    x2 = lbind(apply, maximum)
    x3 = apply(x2, x1)
    O = astuple(x3, size(x1))
    return O

# Where a patch lies within another one.

def solve_fitting(I):
    x1 = ofcolor(I, ZERO)
    x2 = shift(x1, UNITY)
    x3 = rbind(difference, x2)
    x4 = lbind(shift, x1)
    x5 = matcher(size, ZERO)
    x6 = chain(x5, x3, x4)
    x7 = asindices(I)
    O = sfilter(x7, x6)
    return O

def solve_fitting_single_cells(I):
    x1 = leastcolor(I)
    x2 = ofcolor(I, x1)
    x3 = initset(center(x2))
    x4 = rbind(difference, x2)
    x5 = lbind(shift, x3)
    x6 = chain(matcher(size, ZERO), x4, x5)
    x7 = shift(asindices(I), astuple(NEG_TWO, NEG_ONE))
    O = sfilter(x7, x6)
    return O

def solve_fitting_objects(I):
    x1 = asobject(I)
    x2 = first(objects(I, T, F, T))
    x3 = rbind(difference, x1)
    x4 = lbind(shift, x2)
    x5 = chain(matcher(size, ZERO), x3, x4)
    O = sfilter(asindices(I), x5)
    return O

def solve_fitting_by_wide_places(I):
    x1 = ofcolor(I, ZERO)
    x2 = asindices(upscale(I, FOUR))
    x3 = rbind(difference, x2)
    x4 = lbind(shift, x1)
    x5 = chain(matcher(size, ZERO), x3, x4)
    O = sfilter(x2, x5)
    return O

def solve_fitting_by_ints(I):
    x1 = ofcolor(I, ZERO)
    x2 = rbind(difference, x1)
    x3 = lbind(shift, x1)
    x4 = chain(matcher(size, ZERO), x2, x3)
    O = sfilter(palette(I), x4)
    return O

# Lines that are only drawn.

def solve_lines_drawn(I):
    x1 = leastcolor(I)
    x2 = ofcolor(I, x1)
    x3 = mapply(rbind(shoot, UP_RIGHT), x2)
    x4 = mapply(rbind(shoot, DOWN), x2)
    x5 = combine(x3, x4)
    x6 = underfill(I, THREE, x5)
    O = fill(x6, FOUR, x4)
    return O

def solve_lines_drawn_from_beside(I):
    x1 = asindices(I)
    x2 = shift(x1, astuple(multiply(NEG_TWO, NINE), FIVE))
    x3 = mapply(rbind(shoot, DOWN), x2)
    x4 = fill(I, THREE, x3)
    x5 = shift(x1, astuple(FIVE, multiply(FIVE, NINE)))
    x6 = mapply(rbind(shoot, LEFT), x5)
    O = fill(x4, FOUR, x6)
    return O

def solve_lines_drawn_from_far_away(I):
    x1 = ofcolor(I, ZERO)
    x2 = shift(x1, astuple(multiply(NINE, NINE), multiply(NEG_TWO, multiply(NINE, NINE))))
    x3 = mapply(rbind(shoot, UP_RIGHT), x2)
    O = fill(I, THREE, x3)
    return O

def solve_lines_drawn_from_many_places(I):
    x1 = asindices(upscale(I, THREE))
    x2 = mapply(rbind(shoot, NEG_UNITY), x1)
    O = fill(I, THREE, x2)
    return O

def solve_lines_drawn_on_a_wide_grid(I):
    x1 = upscale(I, FOUR)
    x2 = mapply(rbind(shoot, UNITY), ofcolor(I, ZERO))
    O = fill(x1, THREE, x2)
    return O

def solve_lines_of_objects_drawn(I):
    x1 = objects(I, T, F, T)
    x2 = compose(rbind(shoot, RIGHT), center)
    x3 = fork(recolor, color, x2)
    x4 = mapply(x3, x1)
    x5 = compose(rbind(shoot, DOWN_LEFT), urcorner)
    x6 = fork(recolor, color, x5)
    x7 = mapply(x6, x1)
    x8 = underpaint(I, x4)
    O = paint(x8, x7)
    return O

def solve_lines_of_a_tuple_drawn(I):
    x1 = order(objects(I, T, F, T), size)
    x2 = compose(rbind(shoot, UP), center)
    x3 = mapply(x2, x1)
    O = fill(I, TWO, x3)
    return O

def solve_lines_of_cells_drawn(I):
    x1 = mapply(rbind(shoot, UP), asobject(I))
    O = fill(I, TWO, x1)
    return O

def solve_lines_drawn_within_loops(I):
    x1 = objects(I, T, F, T)
    x2 = compose(lbind(mapply, rbind(shoot, UP)), toindices)
    x3 = compose(lbind(mapply, rbind(shoot, RIGHT)), corners)
    x4 = fork(combine, x2, x3)
    x5 = mapply(x4, x1)
    O = underfill(I, TWO, x5)
    return O

def solve_lines_painted_without_colors(I):
    x1 = mapply(rbind(shoot, UP), ofcolor(I, ZERO))
    O = paint(I, x1)
    return O

def solve_one_line_drawn(I):
    x1 = shape(I)
    x2 = shoot(x1, NEG_UNITY)
    x3 = shoot(decrement(x1), LEFT)
    x4 = fill(I, TWO, x2)
    O = paint(x4, recolor(THREE, x3))
    return O

def solve_no_step(I):
    x1 = shoot(decrement(shape(I)), ORIGIN)
    O = fill(I, TWO, x1)
    return O

# What is only merged.

def solve_merged_lines(I):
    x1 = asobject(I)
    x2 = product(x1, x1)
    x3 = sfilter(x2, fork(equality, compose(first, first), compose(first, last)))
    x4 = fork(connect, compose(last, first), compose(last, last))
    x5 = apply(fork(recolor, color, x4), x3)
    x6 = fork(either, vline, hline)
    x7 = mfilter(x5, x6)
    O = paint(I, x7)
    return O

def solve_merged_cells(I):
    x1 = apply(initset, asindices(I))
    O = mfilter(x1, rbind(bordering, I))
    return O

def solve_merged_in_two_ways(I):
    x1 = apply(toindices, objects(I, T, T, F))
    x2 = mfilter(x1, square)
    x3 = mfilter(x1, matcher(size, ONE))
    O = astuple(x2, x3)
    return O

def solve_merged_grids(I):
    x1 = apply(rbind(subgrid, I), objects(I, T, F, T))
    O = mfilter(x1, square)
    return O

def solve_merged_of_nothing(I):
    x1 = apply(delta, objects(I, T, F, T))
    O = mfilter(x1, matcher(size, ZERO))
    return O

def solve_merged_and_looked_at(I):
    x1 = apply(toindices, objects(I, T, T, F))
    x2 = mfilter(x1, square)
    O = astuple(x1, x2)
    return O

# Sets of copies that are too large together.

def solve_copies_too_large(I):
    x1 = interval(ONE, NINE, ONE)
    x2 = prapply(astuple, x1, x1)
    x3 = lbind(canvas, ZERO)
    x4 = compose(asindices, x3)
    x5 = asindices(I)
    x6 = chain(rbind(apply, x5), lbind(lbind, shift), x4)
    O = mapply(x6, x2)
    return O

def solve_copies_of_one_size(I):
    x1 = objects(I, T, F, F)
    x2 = asindices(I)
    x3 = compose(rbind(apply, x2), lbind(lbind, shift))
    O = mapply(x3, x1)
    return O

# What always fails.

def solve_fails(I):
    x1 = increment(size(height(I)))
    x2 = apply(double, x1)
    O = first(x2)
    return O

def solve_fails_where_it_matters(I):
    x1 = objects(I, T, F, T)
    x2 = increment(size(height(I)))
    x3 = valmax(x1, size)
    O = branch(greater(x3, THREE), x3, first(apply(double, x2)))
    return O

# Colours that are looked for.

def solve_of_few_colors(I):
    x1 = asobject(I)
    x2 = sfilter(x1, compose(rbind(contained, astuple(ONE, FIVE)), first))
    x3 = sfilter(x1, compose(rbind(contained, totuple(palette(I))), first))
    x4 = sfilter(x1, compose(rbind(contained, palette(I)), first))
    x5 = sfilter(x1, matcher(first, NINE))
    O = astuple(astuple(x2, x3), astuple(x4, x5))
    return O

def solve_of_odd_colors(I):
    x1 = asobject(I)
    x2 = sfilter(x1, compose(rbind(contained, astuple(ORIGIN, NEG_ONE)), first))
    x3 = sfilter(x1, matcher(first, ORIGIN))
    O = astuple(x2, x3)
    return O

# Copies of a patch: one of them, or those of a tuple, of which the last is seen.

def solve_one_copy(I):
    x1 = argmax(objects(I, F, T, T), size)
    x2 = initset(center(x1))
    x3 = mapply(lbind(shift, x1), x2)
    x4 = mapply(lbind(shift, toindices(x1)), initset(ulcorner(x1)))
    O = astuple(x3, x4)
    return O

def solve_one_copy_by_an_int(I):
    x1 = argmax(objects(I, F, T, T), size)
    O = mapply(lbind(shift, x1), initset(size(x1)))
    return O

def solve_one_copy_of_a_tuple(I):
    x1 = totuple(argmax(objects(I, F, T, T), size))
    O = mapply(lbind(shift, x1), initset(UNITY))
    return O

def solve_copies_in_turn(I):
    x1 = asobject(I)
    x2 = interval(NEG_TWO, THREE, ONE)
    x3 = interval(TWO, invert(THREE), NEG_ONE)
    x4 = pair(x2, x3)
    x5 = mapply(lbind(shift, x1), x4)
    O = paint(I, x5)
    return O

def solve_places_in_turn(I):
    x1 = ofcolor(I, leastcolor(I))
    x2 = astuple(UNITY, astuple(NEG_TWO, multiply(NINE, NINE)))
    x3 = mapply(lbind(shift, x1), x2)
    x4 = fill(I, THREE, x3)
    x5 = mapply(lbind(shift, x1), astuple(DOWN, LEFT))
    O = astuple(x4, paint(I, x5))
    return O

def solve_copies_in_turn_beside(I):
    x1 = asobject(I)
    x2 = multiply(shape(I), TWO)
    x3 = astuple(x2, invert(x2))
    x4 = mapply(lbind(shift, x1), x3)
    O = paint(I, x4)
    return O

# Items that stay: of masks, objects, arrays and tuples, by ints and by other values.

def solve_stay_of_arrays(I):
    x1 = mapply(rbind(shoot, UP), ofcolor(I, leastcolor(I)))
    x2 = sfilter(x1, compose(even, last))
    x3 = sfilter(totuple(x1), compose(even, first))
    x4 = sfilter(apply(toindices, objects(I, T, F, T)), compose(even, size))
    O = astuple(astuple(x2, x3), x4)
    return O

def solve_stay_by_containers(I):
    x1 = asindices(I)
    x2 = ofcolor(I, ZERO)
    x3 = compose(rbind(intersection, x2), dneighbors)
    x4 = mapply(rbind(shoot, UP), x2)
    O = astuple(sfilter(x1, x3), sfilter(x4, x3))
    return O

def solve_stay_of_wide_patches(I):
    x1 = asindices(upscale(I, TWO))
    x2 = asobject(upscale(I, TWO))
    x3 = sfilter(x1, compose(even, first))
    x4 = sfilter(x2, chain(even, first, last))
    O = astuple(x3, x4)
    return O

# Patches that lie in several windows, together.

def solve_patches_of_many_windows(I):
    x1 = objects(I, T, F, T)
    x2 = apply(fork(shift, identity, compose(invert, center)), x1)
    x3 = apply(toindices, x2)
    x4 = apply(fork(shift, identity, size), x1)
    O = astuple(astuple(merge(x2), merge(x3)), merge(x4))
    return O

def solve_patches_too_far_apart(I):
    x1 = objects(I, T, F, T)
    x2 = apply(fork(shift, identity, compose(rbind(multiply, TEN), center)), x1)
    x3 = apply(toindices, x2)
    O = astuple(merge(x2), merge(x3))
    return O
