# Loops whose result is found without running their bodies: a patch in many places, and all lines
# between two sets; in every form that a patch, its places and the ends of lines come in.

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
