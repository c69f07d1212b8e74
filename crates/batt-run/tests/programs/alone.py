# What one thread of a GPU tells of a row alone, beside rows of which it cannot, and what many sets are
# drawn into. The values of a program are gathered in one tuple.

def solve_equal_patches(I):
    x1 = objects(I, T, F, T)
    x2 = lbind(shift, first(x1))
    x3 = product(x1, apply(normalize, x1))
    x4 = fork(equality, first, last)
    x5 = fork(equality, compose(normalize, first), last)
    x6 = fork(equality, compose(toindices, first), compose(toindices, last))
    x7 = astuple(size(sfilter(x3, x4)), size(sfilter(x3, x5)))
    x8 = astuple(size(sfilter(x3, x6)), equality(x2(ORIGIN), first(x1)))
    O = combine(x7, x8)
    return O

def solve_equal_colored(I):
    x1 = partition(I)
    x2 = objects(I, F, T, F)
    x3 = product(x2, apply(rbind(shift, UNITY), x2))
    x4 = fork(equality, first, compose(rbind(shift, NEG_UNITY), last))
    x5 = fork(equality, first, last)
    x6 = astuple(size(sfilter(x3, x4)), size(sfilter(x3, x5)))
    x7 = astuple(equality(x1, x2), equality(first(x2), asobject(I)))
    O = combine(x6, x7)
    return O

def solve_equal_kinds(I):
    x1 = ofcolor(I, ZERO)
    x2 = palette(I)
    x3 = astuple(astuple(x1, x2), astuple(I, asindices(I)))
    x4 = combine(first(x3), last(x3))
    x5 = product(insert(ONE, insert(UNITY, difference(x2, x2))), x2)
    x6 = apply(lbind(equality, first(x4)), x4)
    x7 = apply(lbind(equality, I), x4)
    x8 = astuple(equality(x1, ZERO), equality(UNITY, toivec(ONE)))
    x9 = size(sfilter(x5, fork(equality, first, last)))
    O = combine(combine(x6, x7), insert(x9, initset(size(x8))))
    return O

def solve_shared_and_apart(I):
    x1 = objects(I, T, F, F)
    x2 = apply(toindices, x1)
    x3 = product(x2, apply(rbind(shift, (1, 2)), x2))
    x4 = apply(compose(size, fork(intersection, first, last)), x3)
    x5 = apply(compose(size, fork(difference, first, last)), x3)
    x6 = product(x1, apply(rbind(recolor, difference(ofcolor(I, ZERO), asindices(I))), palette(I)))
    x7 = apply(compose(size, fork(difference, first, last)), product(x1, x1))
    x8 = apply(compose(size, fork(intersection, last, first)), x6)
    O = astuple(astuple(x4, x5), astuple(x7, x8))
    return O

def solve_far_apart(I):
    x1 = shift(asindices(I), (31, 0))
    x2 = shift(asindices(I), (0, NEG_ONE))
    x3 = astuple(size(difference(x1, asindices(I))), size(intersection(x2, asindices(I))))
    x4 = shift(asindices(I), (40, 40))
    O = combine(x3, astuple(size(difference(x4, x1)), size(intersection(x1, x4))))
    return O

def solve_colors_counted(I):
    x1 = objects(I, F, T, F)
    x2 = lbind(rbind, colorcount)
    x3 = insert(NEG_ONE, insert(16, palette(I)))
    x4 = apply(lbind(colorcount, I), x3)
    x5 = apply(rbind(colorcount, ZERO), x1)
    x6 = apply(rbind(colorcount, FIVE), apply(rbind(recolor, asindices(I)), x3))
    x7 = apply(lbind(colorcount, upscale(I, FOUR)), x3)
    O = astuple(astuple(x4, x5), astuple(x6, x7))
    return O

def solve_lines_between(I):
    x1 = asindices(crop(I, ORIGIN, (3, 3)))
    x2 = product(x1, ofcolor(I, ZERO))
    O = apply(fork(connect, first, last), x2)
    return O

def solve_lines_from_outside(I):
    x1 = shift(asindices(crop(I, ORIGIN, (2, 3))), (NEG_TWO, 40))
    x2 = product(x1, corners(asindices(I)))
    O = apply(fork(connect, first, last), x2)
    return O

def solve_on_the_border(I):
    x1 = objects(I, T, T, F)
    x2 = sizefilter(x1, size(first(x1)))
    x3 = rbind(bordering, I)
    x4 = rbind(bordering, upscale(I, FOUR))
    x5 = rbind(bordering, crop(I, ORIGIN, (2, 2)))
    O = astuple(apply(x3, x1), astuple(apply(x4, x1), apply(x5, x2)))
    return O

def solve_nothing_moved(I):
    x1 = difference(asindices(I), asindices(I))
    x2 = astuple(shift(x1, UNITY), shift((), (40, NEG_TWO)))
    x3 = apply(rbind(shift, UNITY), insert(x1, apply(toindices, objects(I, T, F, T))))
    O = astuple(x2, x3)
    return O

def solve_stamps_of_few(I):
    x1 = asobject(crop(I, ORIGIN, (2, 2)))
    O = mapply(lbind(shift, x1), asindices(I))
    return O

def solve_stamps_of_many(I):
    x1 = asobject(upscale(I, THREE))
    O = mapply(lbind(shift, x1), insert((20, 3), initset((NEG_TWO, 30))))
    return O

def solve_stamps_past_a_window(I):
    x1 = shoot(ORIGIN, (1, 2))
    O = mapply(lbind(shift, x1), asindices(I))
    return O

def solve_unions_past_a_window(I):
    x1 = apply(rbind(shoot, (1, 1)), asindices(I))
    x2 = mapply(lbind(recolor, THREE), x1)
    O = astuple(merge(x1), x2)
    return O

def solve_unions_of_colors(I):
    x1 = apply(rbind(shift, (30, 31)), partition(I))
    x2 = combine(x1, objects(I, F, T, F))
    O = merge(x2)
    return O

def solve_items_that_stay(I):
    x1 = asindices(I)
    x2 = sfilter(x1, compose(even, first))
    x3 = sfilter(shift(x1, (NEG_TWO, NEG_ONE)), compose(positive, last))
    x4 = sfilter(asobject(I), compose(even, fork(add, compose(first, last), first)))
    O = astuple(x2, astuple(x3, x4))
    return O

def solve_picked_by_place(I):
    x1 = order(objects(I, T, F, F), size)
    x2 = astuple(argmin(x1, leftmost), argmax(x1, lowermost))
    x3 = astuple(valmin(x1, size), valmax(x1, numcolors))
    O = astuple(x2, astuple(x3, argmax(asindices(I), first)))
    return O

def solve_colors_of_wide_grids(I):
    x1 = upscale(I, SEVEN)
    x2 = replace(x1, ZERO, 31)
    x3 = replace(x1, ZERO, 32)
    x4 = replace(x1, ZERO, NEG_ONE)
    x5 = astuple(size(palette(x1)), size(palette(x2)))
    O = combine(x5, astuple(size(palette(x3)), size(palette(x4))))
    return O
