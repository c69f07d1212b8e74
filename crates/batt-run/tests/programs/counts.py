# Sets of which only the size is asked for, and some of which more is.

def solve_c1(I):
    x1 = identity(I)
    x2 = hconcat(I, x1)
    x3 = hconcat(x2, x2)
    x4 = vconcat(x3, x3)
    x5 = objects(x1, F, F, F)
    x6 = sizefilter(x5, ONE)
    x7 = objects(x4, F, F, F)
    x8 = sizefilter(x7, ONE)
    x9 = difference(x6, x8)
    x10 = difference(x8, x6)
    x11 = intersection(x6, x8)
    x12 = size(x9)
    x13 = size(x10)
    x14 = size(x11)
    x15 = size(x6)
    x16 = size(x8)
    x17 = astuple(x12, x13)
    x18 = astuple(x14, x15)
    x19 = astuple(x17, x18)
    O = astuple(x19, x16)
    return O

def solve_c2(I):
    x1 = hmirror(I)
    x2 = hconcat(I, x1)
    x3 = hconcat(x2, x2)
    x4 = vconcat(x3, x3)
    x5 = objects(x1, F, F, T)
    x6 = sizefilter(x5, ONE)
    x7 = objects(x4, F, F, T)
    x8 = sizefilter(x7, ONE)
    x9 = difference(x6, x8)
    x10 = difference(x8, x6)
    x11 = intersection(x6, x8)
    x12 = size(x9)
    x13 = size(x10)
    x14 = size(x11)
    x15 = size(x6)
    x16 = size(x8)
    x17 = astuple(x12, x13)
    x18 = astuple(x14, x15)
    x19 = astuple(x17, x18)
    O = astuple(x19, x16)
    return O

def solve_c3(I):
    x1 = vmirror(I)
    x2 = hconcat(I, x1)
    x3 = hconcat(x2, x2)
    x4 = vconcat(x3, x3)
    x5 = objects(x1, F, T, F)
    x6 = sizefilter(x5, ONE)
    x7 = objects(x4, F, T, F)
    x8 = sizefilter(x7, ONE)
    x9 = difference(x6, x8)
    x10 = difference(x8, x6)
    x11 = intersection(x6, x8)
    x12 = size(x9)
    x13 = size(x10)
    x14 = size(x11)
    x15 = size(x6)
    x16 = size(x8)
    x17 = astuple(x12, x13)
    x18 = astuple(x14, x15)
    x19 = astuple(x17, x18)
    O = astuple(x19, x16)
    return O

def solve_c4(I):
    x1 = rot90(I)
    x2 = hconcat(I, x1)
    x3 = hconcat(x2, x2)
    x4 = vconcat(x3, x3)
    x5 = objects(x1, F, T, T)
    x6 = sizefilter(x5, ONE)
    x7 = objects(x4, F, T, T)
    x8 = sizefilter(x7, ONE)
    x9 = difference(x6, x8)
    x10 = difference(x8, x6)
    x11 = intersection(x6, x8)
    x12 = size(x9)
    x13 = size(x10)
    x14 = size(x11)
    x15 = size(x6)
    x16 = size(x8)
    x17 = astuple(x12, x13)
    x18 = astuple(x14, x15)
    x19 = astuple(x17, x18)
    O = astuple(x19, x16)
    return O

def solve_c5(I):
    x1 = rot180(I)
    x2 = hconcat(I, x1)
    x3 = hconcat(x2, x2)
    x4 = vconcat(x3, x3)
    x5 = objects(x1, T, F, F)
    x6 = sizefilter(x5, ONE)
    x7 = objects(x4, T, F, F)
    x8 = sizefilter(x7, ONE)
    x9 = difference(x6, x8)
    x10 = difference(x8, x6)
    x11 = intersection(x6, x8)
    x12 = size(x9)
    x13 = size(x10)
    x14 = size(x11)
    x15 = size(x6)
    x16 = size(x8)
    x17 = astuple(x12, x13)
    x18 = astuple(x14, x15)
    x19 = astuple(x17, x18)
    O = astuple(x19, x16)
    return O

def solve_c6(I):
    x1 = rot270(I)
    x2 = hconcat(I, x1)
    x3 = hconcat(x2, x2)
    x4 = vconcat(x3, x3)
    x5 = objects(x1, T, F, T)
    x6 = sizefilter(x5, ONE)
    x7 = objects(x4, T, F, T)
    x8 = sizefilter(x7, ONE)
    x9 = difference(x6, x8)
    x10 = difference(x8, x6)
    x11 = intersection(x6, x8)
    x12 = size(x9)
    x13 = size(x10)
    x14 = size(x11)
    x15 = size(x6)
    x16 = size(x8)
    x17 = astuple(x12, x13)
    x18 = astuple(x14, x15)
    x19 = astuple(x17, x18)
    O = astuple(x19, x16)
    return O

def solve_c7(I):
    x1 = dmirror(I)
    x2 = hconcat(I, x1)
    x3 = hconcat(x2, x2)
    x4 = vconcat(x3, x3)
    x5 = objects(x1, T, T, F)
    x6 = sizefilter(x5, ONE)
    x7 = objects(x4, T, T, F)
    x8 = sizefilter(x7, ONE)
    x9 = difference(x6, x8)
    x10 = difference(x8, x6)
    x11 = intersection(x6, x8)
    x12 = size(x9)
    x13 = size(x10)
    x14 = size(x11)
    x15 = size(x6)
    x16 = size(x8)
    x17 = astuple(x12, x13)
    x18 = astuple(x14, x15)
    x19 = astuple(x17, x18)
    O = astuple(x19, x16)
    return O

def solve_c8(I):
    x1 = cmirror(I)
    x2 = hconcat(I, x1)
    x3 = hconcat(x2, x2)
    x4 = vconcat(x3, x3)
    x5 = objects(x1, T, T, T)
    x6 = sizefilter(x5, ONE)
    x7 = objects(x4, T, T, T)
    x8 = sizefilter(x7, ONE)
    x9 = difference(x6, x8)
    x10 = difference(x8, x6)
    x11 = intersection(x6, x8)
    x12 = size(x9)
    x13 = size(x10)
    x14 = size(x11)
    x15 = size(x6)
    x16 = size(x8)
    x17 = astuple(x12, x13)
    x18 = astuple(x14, x15)
    x19 = astuple(x17, x18)
    O = astuple(x19, x16)
    return O

def solve_c9(I):
    x1 = p_g(I)
    x2 = hupscale(I, FIVE)
    x3 = upscale(x2, TWO)
    x4 = p_g(x3)
    x5 = difference_tuple(x1, x4)
    x6 = size(x5)
    x7 = size(x1)
    O = astuple(x6, x7)
    return O

def solve_c10(I):
    x1 = lefthalf(I)
    x2 = righthalf(I)
    x3 = p_g(x1)
    x4 = p_g(x2)
    x5 = difference_tuple(x3, x4)
    x6 = difference_tuple(x4, x3)
    x7 = size(x5)
    x8 = size(x6)
    O = astuple(x7, x8)
    return O

def solve_c11(I):
    x1 = trim(I)
    x2 = asobject(I)
    x3 = asobject(x1)
    x4 = intersection(x2, x3)
    x5 = size(x4)
    x6 = size(x2)
    O = astuple(x5, x6)
    return O

def solve_c12(I):
    x1 = vconcat(I, I)
    x2 = vconcat(x1, I)
    x3 = tophalf(x2)
    x4 = asobject(x2)
    x5 = asobject(x3)
    x6 = intersection(x4, x5)
    x7 = size(x6)
    x8 = size(x4)
    O = astuple(x7, x8)
    return O

def solve_c13(I):
    x1 = hconcat(I, I)
    x2 = hconcat(x1, I)
    x3 = hconcat(x2, x1)
    x4 = upscale(I, THREE)
    x5 = asobject(x3)
    x6 = asobject(x4)
    x7 = intersection(x5, x6)
    O = size(x7)
    return O

def solve_c14(I):
    x1 = crop(I, ORIGIN, ORIGIN)
    x2 = asobject(x1)
    O = size(x2)
    return O

def solve_c15(I):
    x1 = bottomhalf(I)
    x2 = objects(x1, T, T, F)
    x3 = sizefilter(x2, ONE)
    x4 = difference(x2, x3)
    O = size(x4)
    return O

def solve_c16(I):
    x1 = tophalf(I)
    x2 = objects(x1, T, F, F)
    x3 = sizefilter(x2, ONE)
    x4 = objects(x1, F, F, F)
    x5 = sizefilter(x4, ONE)
    x6 = difference(x3, x5)
    x7 = size(x6)
    O = astuple(x6, x7)
    return O

def solve_c17(I):
    x1 = first(hsplit(I, TWO))
    x2 = p_g(x1)
    x3 = p_g(I)
    x4 = difference(x2, x3)
    O = size(x4)
    return O

def solve_c18(I):
    x1 = objects(I, T, F, T)
    x2 = rbind(subgrid, I)
    x3 = compose(x2, identity)
    x4 = chain(size, p_g, x3)
    O = apply(x4, x1)
    return O

def solve_c19(I):
    x1 = palette(I)
    x2 = p_g(x1)
    O = size(x2)
    return O

def solve_c20(I):
    x1 = asindices(I)
    x2 = asobject(x1)
    O = size(x2)
    return O

def solve_c21(I):
    x1 = asindices(I)
    x2 = objects(x1, T, F, T)
    x3 = sizefilter(x2, ONE)
    O = size(x3)
    return O

def solve_c22(I):
    x1 = objects(I, T, T, T)
    x2 = rbind(intersection, asindices(I))
    x3 = chain(size, x2, toindices)
    O = apply(x3, x1)
    return O

def solve_c23(I):
    x1 = objects(I, F, T, T)
    x2 = rbind(difference, box(ofcolor(I, ONE)))
    x3 = chain(size, x2, backdrop)
    O = apply(x3, x1)
    return O

# Pairs that only decide: as many as one value holds and one more, as bits and as arrays, and of other kinds.

def solve_pairs_fit(I):
    x1 = asindices(canvas(height(I), astuple(12, 15)))
    x2 = asindices(canvas(height(I), astuple(1, 181)))
    x3 = branch(product(x1, x1), ONE, TWO)
    x4 = branch(product(x2, x2), ONE, TWO)
    O = astuple(x3, x4)
    return O

def solve_pairs_of_bits_are_too_many(I):
    x1 = asindices(canvas(height(I), astuple(13, 14)))
    O = branch(product(x1, x1), I, x1)
    return O

def solve_pairs_of_arrays_are_too_many(I):
    x1 = asindices(canvas(height(I), astuple(1, 182)))
    O = branch(product(x1, x1), I, x1)
    return O

def solve_pairs_of_objects(I):
    x1 = objects(I, T, F, F)
    x2 = asindices(canvas(height(I), astuple(9, 9)))
    x3 = branch(product(x1, x1), ONE, TWO)
    x4 = branch(product(x1, x2), ONE, TWO)
    x5 = branch(product(x2, palette(I)), ONE, TWO)
    x6 = branch(product(palette(I), x2), ONE, TWO)
    x7 = branch(product(difference(x1, x1), x2), ONE, TWO)
    O = astuple(astuple(x3, x4), astuple(astuple(x5, x6), x7))
    return O

def solve_pairs_of_ints(I):
    x1 = apply(first, asindices(canvas(height(I), astuple(250, 1))))
    O = branch(product(x1, x1), ONE, TWO)
    return O
