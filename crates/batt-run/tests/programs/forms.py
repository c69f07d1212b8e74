# Loops whose result is found without running their bodies: a patch in many places, all lines between
# two sets, and the item nearest to a place; in every form that a patch, its places and items come in.

def solve_locations(I):
    x1 = ofcolor(I, ONE)
    x2 = ofcolor(I, TWO)
    x3 = lbind(shift, x1)
    O = mapply(x3, x2)
    return O

def solve_one_color(I):
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, size)
    x3 = lbind(shift, x2)
    x4 = ofcolor(I, ZERO)
    O = mapply(x3, x4)
    return O

def solve_many_colors(I):
    x1 = objects(I, F, T, T)
    x2 = argmax(x1, size)
    x3 = lbind(shift, x2)
    x4 = corners(x2)
    O = mapply(x3, x4)
    return O

def solve_two_colors_at_a_place(I):
    x1 = asobject(I)
    x2 = lbind(shift, x1)
    x3 = ofcolor(I, ONE)
    O = mapply(x2, x3)
    return O

def solve_wide(I):
    x1 = upscale(I, FOUR)
    x2 = asobject(x1)
    x3 = lbind(shift, x2)
    x4 = ofcolor(I, TWO)
    O = mapply(x3, x4)
    return O

def solve_wide_locations(I):
    x1 = upscale(I, FOUR)
    x2 = ofcolor(x1, ZERO)
    x3 = lbind(shift, x2)
    x4 = ofcolor(I, ZERO)
    O = mapply(x3, x4)
    return O

def solve_far(I):
    x1 = multiply(TEN, TEN)
    x2 = ofcolor(I, ONE)
    x3 = shift(x2, x1)
    x4 = lbind(shift, x3)
    x5 = shift(x2, multiply(x1, x1))
    O = mapply(x4, combine(x2, x5))
    return O

def solve_in_order(I):
    x1 = ofcolor(I, ONE)
    x2 = order(x1, last)
    x3 = lbind(shift, x1)
    O = mapply(x3, x2)
    return O

def solve_by_cells(I):
    x1 = ofcolor(I, ONE)
    x2 = asobject(I)
    x3 = lbind(shift, x1)
    O = mapply(x3, x2)
    return O

def solve_no_patch(I):
    x1 = ofcolor(I, ONE)
    x2 = lbind(shift, THREE)
    O = mapply(x2, x1)
    return O

def solve_each_object(I):
    x1 = objects(I, T, F, T)
    x2 = ofcolor(I, ONE)
    x3 = lbind(lbind, shift)
    x4 = rbind(mapply, x2)
    x5 = compose(x4, x3)
    O = apply(x5, x1)
    return O

def solve_lines(I):
    x1 = ofcolor(I, ONE)
    O = prapply(connect, x1, x1)
    return O

def solve_all_lines(I):
    x1 = asindices(I)
    O = prapply(connect, x1, x1)
    return O

def solve_lines_between(I):
    x1 = ofcolor(I, ONE)
    x2 = ofcolor(I, ZERO)
    O = prapply(connect, x1, x2)
    return O

def solve_lines_backwards(I):
    x1 = ofcolor(I, ONE)
    x2 = asindices(I)
    x3 = rbind(connect, ORIGIN)
    x4 = prapply(connect, x2, x1)
    x5 = mfilter(x4, hline)
    O = astuple(x5, apply(x3, x1))
    return O

def solve_lines_past_a_window(I):
    x1 = ofcolor(I, ONE)
    x2 = multiply(THREE, TEN)
    x3 = ofcolor(I, TWO)
    x4 = shift(x3, astuple(x2, x2))
    O = prapply(connect, x1, x4)
    return O

def solve_lines_of_cells(I):
    x1 = ofcolor(I, ONE)
    x2 = asobject(I)
    O = prapply(connect, x1, x2)
    return O

def solve_lines_by_color(I):
    x1 = palette(I)
    x2 = lbind(ofcolor, I)
    x3 = lbind(prapply, connect)
    x4 = fork(x3, x2, x2)
    O = apply(x4, x1)
    return O

def solve_too_many_lines(I):
    x1 = astuple(multiply(THREE, EIGHT), multiply(THREE, EIGHT))
    x2 = asindices(canvas(ZERO, x1))
    O = prapply(connect, x2, x2)
    return O

def solve_nearest_cell(I):
    x1 = asobject(I)
    x2 = ofcolor(I, ONE)
    x3 = lbind(argmin, x1)
    x4 = lbind(lbind, manhattan)
    x5 = compose(rbind(compose, initset), x4)
    x6 = chain(x3, x5, initset)
    O = apply(x6, x2)
    return O

def solve_nearest_location(I):
    x1 = ofcolor(I, ZERO)
    x2 = asindices(I)
    x3 = outbox(x2)
    x4 = combine(x2, x3)
    x5 = lbind(argmin, x1)
    x6 = lbind(lbind, manhattan)
    x7 = compose(rbind(compose, initset), x6)
    x8 = fork(astuple, identity, chain(x5, x7, initset))
    O = apply(x8, x4)
    return O

def solve_nearest_from_far(I):
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, size)
    x3 = shift(asindices(I), multiply(TEN, FOUR))
    x4 = lbind(argmin, x2)
    x5 = lbind(rbind, manhattan)
    x6 = compose(rbind(compose, initset), x5)
    x7 = chain(x4, x6, initset)
    x8 = apply(x7, x3)
    x9 = apply(x7, shift(asindices(I), multiply(NEG_TWO, TEN)))
    O = astuple(x8, x9)
    return O

def solve_nearest_to_objects(I):
    x1 = objects(I, T, F, T)
    x2 = ofcolor(I, ZERO)
    x3 = lbind(argmin, x2)
    x4 = lbind(lbind, manhattan)
    x5 = compose(rbind(compose, initset), x4)
    x6 = compose(x3, x5)
    O = apply(x6, x1)
    return O

def solve_nearest_in_wide(I):
    x1 = upscale(I, FOUR)
    x2 = ofcolor(x1, ONE)
    x3 = ofcolor(I, ZERO)
    x4 = lbind(argmin, x2)
    x5 = lbind(lbind, manhattan)
    x6 = compose(rbind(compose, initset), x5)
    x7 = chain(x4, x6, initset)
    O = apply(x7, x3)
    return O

def solve_nearest_of_nothing(I):
    x1 = ofcolor(I, TEN)
    x2 = ofcolor(I, ZERO)
    x3 = lbind(argmin, x1)
    x4 = lbind(lbind, manhattan)
    x5 = compose(rbind(compose, initset), x4)
    x6 = chain(x3, x5, initset)
    O = apply(x6, x2)
    return O

def solve_lines_of_pairs(I):
    x1 = ofcolor(I, ONE)
    x2 = ofcolor(I, TWO)
    x3 = fork(connect, first, last)
    x4 = apply(x3, product(x1, x1))
    x5 = apply(fork(connect, last, first), product(x1, x2))
    O = astuple(x4, x5)
    return O

def solve_lines_of_many_pairs(I):
    x1 = asindices(I)
    x2 = product(x1, x1)
    x3 = apply(fork(connect, first, last), x2)
    O = mfilter(x3, fork(either, vline, hline))
    return O

def solve_lines_of_pairs_of_ints(I):
    x1 = palette(I)
    x2 = product(x1, x1)
    O = apply(fork(connect, first, last), x2)
    return O

def solve_lines_of_pairs_of_cells(I):
    x1 = asobject(I)
    x2 = ofcolor(I, ONE)
    O = apply(fork(connect, first, last), product(x2, x1))
    return O

def solve_lines_of_far_pairs(I):
    x1 = ofcolor(I, ONE)
    x2 = shift(x1, multiply(TEN, FOUR))
    O = apply(fork(connect, first, last), product(x1, x2))
    return O

def solve_too_many_pairs(I):
    x1 = asindices(canvas(ZERO, multiply(UNITY, multiply(FIVE, THREE))))
    O = apply(fork(connect, first, last), product(x1, x1))
    return O

def solve_stamps_in_turn(I):
    x1 = totuple(asindices(crop(I, ORIGIN, THREE_BY_THREE)))
    x2 = mapply(lbind(shift, asobject(I)), x1)
    x4 = mapply(lbind(shift, ofcolor(I, ZERO)), apply(double, x1))
    x5 = recolor(THREE, mapply(lbind(shift, ofcolor(I, ONE)), (UNITY, DOWN_LEFT)))
    O = (x2, x4, x5)
    return O

def solve_stamps_by_ints(I):
    O = mapply(lbind(shift, ofcolor(I, ZERO)), interval(ONE, FOUR, ONE))
    return O

def solve_shots(I):
    x1 = ofcolor(I, ONE)
    x3 = mapply(rbind(shoot, UNITY), x1)
    x4 = mapply(rbind(shoot, LEFT), asindices(I))
    x5 = mapply(rbind(shoot, ORIGIN), x1)
    x6 = mapply(rbind(shoot, astuple(ONE, TWO)), x1)
    x7 = mapply(rbind(shoot, DOWN_LEFT), totuple(x1))
    O = combine((x3, x4, x5), (x6, x7))
    return O

def solve_shots_from_far_apart(I):
    x1 = hupscale(crop(I, ORIGIN, THREE_BY_THREE), multiply(FIVE, THREE))
    x2 = mapply(rbind(shoot, UP), asindices(x1))
    x3 = mapply(rbind(shoot, UNITY), ofcolor(x1, ZERO))
    x4 = mapply(rbind(shoot, ORIGIN), asindices(x1))
    O = (x2, x3, x4)
    return O

def solve_shots_of_cells_far_apart(I):
    x1 = hupscale(crop(I, ORIGIN, THREE_BY_THREE), multiply(FIVE, THREE))
    O = mapply(rbind(shoot, DOWN), asobject(x1))
    return O

def solve_shots_of_cells(I):
    x1 = asobject(I)
    O = mapply(rbind(shoot, UP), x1)
    return O

def solve_shots_in_every_direction(I):
    x1 = ofcolor(I, TWO)
    x2 = neighbors(ORIGIN)
    x3 = lbind(rbind, shoot)
    x4 = compose(rbind(mapply, x1), x3)
    O = apply(x4, x2)
    return O

def solve_cells_of_a_color(I):
    x1 = asobject(I)
    x2 = sfilter(x1, matcher(first, ONE))
    x3 = sfilter(x1, matcher(first, TEN))
    x4 = sfilter(x1, matcher(first, ORIGIN))
    x5 = sfilter(x1, compose(rbind(contained, astuple(ONE, THREE)), first))
    x6 = sfilter(x1, compose(rbind(contained, palette(I)), first))
    x7 = sfilter(x2, matcher(first, ONE))
    O = combine((x2, x3, x4), (x5, x6, x7))
    return O

def solve_cells_of_no_colors(I):
    x1 = asobject(I)
    O = sfilter(x1, compose(rbind(contained, THREE), first))
    return O

def solve_cells_of_each_object(I):
    x1 = objects(I, F, T, T)
    x2 = lbind(matcher, first)
    x3 = compose(x2, mostcolor)
    x4 = fork(sfilter, identity, x3)
    O = apply(x4, x1)
    return O

def solve_locations_of_a_row(I):
    x1 = asindices(I)
    x2 = sfilter(x1, matcher(first, ONE))
    x3 = sfilter(totuple(x1), matcher(first, TWO))
    O = (x2, x3)
    return O

def solve_cells_of_a_color_in_wide(I):
    x1 = asobject(upscale(I, FOUR))
    x2 = sfilter(x1, matcher(first, ONE))
    x3 = sfilter(x1, compose(rbind(contained, astuple(ZERO, TWO)), first))
    O = (x2, x3)
    return O

def solve_copies(I):
    x1 = ofcolor(I, ONE)
    x2 = argmax(objects(I, F, T, T), size)
    x3 = apply(lbind(shift, x2), x1)
    x4 = apply(lbind(shift, x1), x1)
    x5 = apply(lbind(shift, x1), totuple(x1))
    x6 = apply(lbind(shift, ofcolor(I, TEN)), x1)
    O = combine((x3, x4), (x5, x6))
    return O

def solve_copies_far_away(I):
    x1 = ofcolor(I, ONE)
    x2 = multiply(UNITY, multiply(TEN, multiply(TEN, multiply(TEN, TEN))))
    x3 = shift(x1, multiply(x2, THREE))
    O = apply(lbind(shift, x3), shift(x1, x2))
    return O

def solve_too_many_copies(I):
    x1 = asindices(canvas(ZERO, multiply(UNITY, multiply(THREE, NINE))))
    O = apply(lbind(shift, x1), x1)
    return O

def solve_copies_of_wide(I):
    x1 = asobject(upscale(I, FOUR))
    x2 = ofcolor(I, ONE)
    x3 = apply(lbind(shift, x1), x2)
    x4 = apply(lbind(shift, x2), ofcolor(upscale(I, FOUR), ONE))
    O = (x3, x4)
    return O

def solve_copies_by_cells(I):
    x1 = ofcolor(I, ONE)
    O = apply(lbind(shift, x1), asobject(I))
    return O

def solve_drawn_tiles(I):
    x1 = asobject(I)
    x2 = shape(I)
    x3 = lbind(multiply, x2)
    x4 = mapply(neighbors, neighbors(ORIGIN))
    x5 = apply(x3, x4)
    x6 = mapply(lbind(shift, x1), x5)
    O = paint(I, x6)
    return O

def solve_drawn_overlaps(I):
    x1 = asobject(I)
    x2 = asindices(I)
    x3 = lbind(multiply, TWO)
    x4 = apply(x3, x2)
    x5 = mapply(lbind(shift, x1), x4)
    O = paint(I, x5)
    return O

def solve_drawn_twice(I):
    x1 = mapply(lbind(shift, asobject(hmirror(I))), asindices(I))
    x2 = mapply(lbind(shift, asobject(rot180(I))), shift(asindices(I), NEG_UNITY))
    O = paint(paint(I, x1), x2)
    return O

def solve_drawn_locations(I):
    x1 = asindices(I)
    x2 = lbind(multiply, TEN)
    x3 = apply(x2, x1)
    x4 = mapply(lbind(shift, x1), x3)
    O = fill(I, THREE, x4)
    return O

def solve_drawn_both_ways(I):
    x1 = recolor(FOUR, ofcolor(I, ZERO))
    x2 = apply(lbind(multiply, THREE), shift(asindices(I), NEG_UNITY))
    x3 = mapply(lbind(shift, x1), x2)
    O = fill(paint(I, x3), EIGHT, x3)
    return O

def solve_drawn_locations_beside(I):
    x1 = shift(ofcolor(I, ZERO), multiply(UNITY, multiply(TEN, TEN)))
    x2 = apply(lbind(multiply, TEN), asindices(I))
    x3 = mapply(lbind(shift, x1), x2)
    O = paint(I, x3)
    return O

def solve_drawn_later(I):
    x1 = mapply(lbind(shift, asobject(I)), apply(lbind(multiply, TWO), asindices(I)))
    x2 = canvas(FIVE, TWO_BY_TWO)
    O = paint(vconcat(I, dmirror(x2)), x1)
    return O

def solve_drawn_in_turn(I):
    x1 = totuple(apply(lbind(multiply, TWO), asindices(I)))
    x2 = mapply(lbind(shift, asobject(I)), x1)
    O = paint(I, x2)
    return O

def solve_drawn_inside_loops(I):
    x1 = objects(I, T, F, F)
    x2 = apply(lbind(multiply, THREE), asindices(I))
    x3 = compose(lbind(paint, I), compose(rbind(mapply, x2), lbind(lbind, shift)))
    O = apply(x3, x1)
    return O
