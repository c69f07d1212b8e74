# Rows that repeat, and lines and boxes that no window of 32 by 32 holds.

def solve_rows(I):
    O = dedupe(I)
    return O

def solve_rows_twice(I):
    x1 = vupscale(I, TWO)
    x2 = vconcat(I, x1)
    O = dedupe(x2)
    return O

def solve_columns(I):
    x1 = rot90(I)
    x2 = hconcat(x1, x1)
    x3 = vconcat(x2, x2)
    O = dedupe(x3)
    return O

def solve_same_rows(I):
    x1 = canvas(THREE, astuple(TEN, FIVE))
    O = dedupe(x1)
    return O

def solve_far_diagonals(I):
    x1 = shoot(ORIGIN, UNITY)
    x2 = shoot(astuple(TWO, NINE), DOWN_LEFT)
    O = combine(x1, x2)
    return O

def solve_far_lines(I):
    x1 = shoot(ORIGIN, RIGHT)
    x2 = shoot(toivec(FOUR), DOWN)
    O = combine(x1, x2)
    return O

def solve_large_boxes(I):
    x1 = shoot(ORIGIN, UNITY)
    x2 = box(x1)
    x3 = backdrop(x1)
    x4 = size(x3)
    O = astuple(x2, x4)
    return O

def solve_large_backdrop(I):
    x1 = insert(astuple(NINE, multiply(FIVE, NINE)), initset(ORIGIN))
    O = backdrop(x1)
    return O

def solve_counted_masks(I):
    x1 = ofcolor(I, ZERO)
    x2 = rbind(difference, x1)
    x3 = compose(size, x2)
    x4 = lbind(shift, x1)
    x5 = compose(x3, x4)
    x6 = asindices(I)
    x7 = order(x6, x5)
    x8 = rbind(intersection, x1)
    x9 = compose(size, x8)
    x10 = compose(x9, x4)
    x11 = apply(x10, x6)
    O = astuple(x7, x11)
    return O

def solve_counted_far_masks(I):
    x1 = ofcolor(I, ZERO)
    x2 = shift(x1, astuple(multiply(FIVE, NINE), NEG_TWO))
    x3 = size(difference(x2, x1))
    x4 = size(intersection(x2, x1))
    O = astuple(x3, x4)
    return O

def solve_counted_objects(I):
    x1 = asobject(I)
    x2 = shift(x1, UNITY)
    x3 = size(intersection(x1, x2))
    x4 = size(difference(x1, palette(I)))
    O = astuple(x3, x4)
    return O

def solve_counted_ints(I):
    x1 = ofcolor(I, ZERO)
    O = size(difference(ZERO, x1))
    return O

# Pairs of items of which there are none in some samples.

def solve_pairs_of_blue(I):
    x1 = palette(I)
    x2 = ofcolor(I, ONE)
    O = prapply(multiply, x1, x2)
    return O

def solve_pairs_of_red(I):
    x1 = palette(I)
    x2 = ofcolor(I, TWO)
    O = prapply(multiply, x1, x2)
    return O

def solve_pairs_of_green(I):
    x1 = palette(I)
    x2 = ofcolor(I, THREE)
    O = prapply(multiply, x1, x2)
    return O

def solve_pairs_of_the_rarest(I):
    x1 = objects(I, T, F, T)
    x2 = sizefilter(x1, ONE)
    O = prapply(manhattan, x1, x2)
    return O
