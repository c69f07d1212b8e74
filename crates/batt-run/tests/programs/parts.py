# Loops over all items but one of a container from further out, in bodies that know which one that is.

# The body needs the item alone.
def solve_sizes(I):
    x1 = objects(I, T, F, T)
    x2 = lbind(apply, size)
    x3 = rbind(remove, x1)
    x4 = chain(x2, x3, identity)
    O = apply(x4, x1)
    return O

# The body needs a cell too, which comes from another loop.
def solve_cells(I):
    x1 = objects(I, T, F, F)
    x2 = apply(center, x1)
    x3 = asindices(I)
    x4 = rbind(remove, x2)
    x5 = lbind(lbind, valmin)
    x6 = compose(x5, x4)
    x7 = lbind(lbind, subtract)
    x8 = lbind(compose, maximum)
    x9 = compose(x8, x7)
    x10 = rbind(compose, x9)
    x11 = compose(x10, x6)
    x12 = rbind(apply, x3)
    x13 = compose(x12, x11)
    O = apply(x13, x2)
    return O

# Items are picked, not what the bodies gave.
def solve_picked(I):
    x1 = objects(I, T, F, F)
    x2 = rbind(remove, x1)
    x3 = rbind(argmax, size)
    x4 = compose(x3, x2)
    x5 = rbind(order, lowermost)
    x6 = compose(x5, x2)
    x7 = rbind(mfilter, vline)
    x8 = compose(x7, x2)
    x9 = fork(astuple, x4, x6)
    x10 = fork(astuple, x9, x8)
    O = apply(x10, x1)
    return O

# Locations and cells, not an array of values.
def solve_locations(I):
    x1 = crop(I, ORIGIN, THREE_BY_THREE)
    x2 = asindices(x1)
    x3 = asobject(x1)
    x4 = rbind(remove, x2)
    x5 = lbind(apply, double)
    x6 = lbind(apply, x5)
    x7 = compose(x6, x4)
    x8 = apply(x7, x2)
    x9 = rbind(remove, x3)
    x10 = rbind(sfilter, first)
    x11 = compose(x10, x9)
    x12 = apply(x11, x3)
    O = astuple(x8, x12)
    return O

# The body runs loops of its own.
def solve_nested(I):
    x1 = objects(I, F, F, F)
    x2 = rbind(remove, x1)
    x3 = lbind(apply, dneighbors)
    x4 = compose(merge, x3)
    x5 = compose(x4, toindices)
    x6 = compose(size, x5)
    x7 = rbind(argmin, x6)
    x8 = compose(x7, x2)
    O = mapply(x8, x1)
    return O

# What the body gives does not depend on the cell that it was given.
def solve_ignored(I):
    x1 = fgpartition(I)
    x2 = asindices(I)
    x3 = rbind(remove, x1)
    x4 = lbind(lbind, astuple)
    x5 = lbind(compose, last)
    x6 = compose(x5, x4)
    x7 = lbind(compose, size)
    x8 = compose(x7, x6)
    x9 = lbind(lbind, valmax)
    x10 = compose(x9, x3)
    x11 = rbind(compose, x8)
    x12 = compose(x11, x10)
    x13 = rbind(apply, x2)
    x14 = compose(x13, x12)
    O = apply(x14, x1)
    return O

# The body fails for objects of one cell, and no other objects are left where the only one is away.
def solve_fails(I):
    x1 = objects(I, T, F, F)
    x2 = sizefilter(x1, ONE)
    x3 = rbind(remove, x1)
    x4 = fork(remove, first, identity)
    x5 = compose(last, x4)
    x6 = lbind(apply, x5)
    x7 = compose(x6, x3)
    O = apply(x7, x2)
    return O

# Too many bodies for the largest, which is left out.
def solve_largest(I):
    x1 = partition(I)
    x2 = argmax(x1, size)
    x3 = initset(x2)
    x4 = rbind(remove, x1)
    x5 = lbind(prapply, equality)
    x6 = compose(x5, toindices)
    x7 = fork(x5, toindices, toindices)
    x8 = lbind(apply, x7)
    x9 = compose(x8, x4)
    O = apply(x9, x3)
    return O

# One after the other is left out.
def solve_power(I):
    x1 = fgpartition(I)
    x2 = rbind(remove, x1)
    x3 = rbind(argmax, size)
    x4 = compose(x3, x2)
    x5 = power(x4, THREE)
    x6 = first(x1)
    O = x5(x6)
    return O

# Something that is not there is left out, and a container that is not known to be a set.
def solve_others(I):
    x1 = palette(I)
    x2 = totuple(x1)
    x3 = interval(ZERO, TEN, ONE)
    x4 = rbind(remove, x1)
    x5 = rbind(remove, x2)
    x6 = lbind(apply, increment)
    x7 = compose(x6, x4)
    x8 = compose(x6, x5)
    x9 = fork(astuple, x7, x8)
    O = apply(x9, x3)
    return O

# Two programs with one loop, and between them one whose loops must open one after the other.
def solve_before(I):
    x1 = totuple(palette(I))
    x2 = rbind(remove, x1)
    x3 = lbind(apply, initset)
    x4 = rbind(argmax, x3)
    x5 = compose(x4, x2)
    x6 = lbind(mapply, size)
    x7 = compose(x6, x2)
    x8 = fork(astuple, x5, x7)
    O = apply(x8, x1)
    return O

def solve_between(I):
    x1 = objects(I, T, F, T)
    x2 = objects(I, F, F, T)
    x3 = apply(toindices, x2)
    x4 = rbind(remove, x1)
    x5 = lbind(lbind, argmin)
    x6 = compose(x5, x4)
    x7 = lbind(lbind, astuple)
    x8 = rbind(compose, x7)
    x9 = compose(x8, x6)
    x10 = rbind(mapply, x3)
    x11 = compose(x10, x9)
    O = apply(x11, x1)
    return O

def solve_behind(I):
    x1 = totuple(palette(I))
    x2 = objects(I, T, T, F)
    x3 = rbind(remove, x1)
    x4 = lbind(lbind, mfilter)
    x5 = compose(x4, x3)
    x6 = lbind(lbind, either)
    x7 = rbind(compose, x6)
    x8 = compose(x7, x5)
    x9 = lbind(argmax, x2)
    x10 = compose(x9, x8)
    O = apply(x10, x1)
    return O

# The extreme key of what is left: ints, pairs and sets, and where the body runs loops of its own.
def solve_extremes(I):
    x1 = objects(I, T, F, F)
    x2 = rbind(remove, x1)
    x3 = compose(rbind(valmin, size), x2)
    x4 = compose(rbind(valmax, ulcorner), x2)
    x5 = compose(rbind(valmin, toindices), x2)
    x6 = compose(maximum, lbind(apply, first))
    x7 = compose(rbind(valmax, x6), x2)
    x8 = fork(astuple, fork(astuple, x3, x4), fork(astuple, x5, x7))
    O = apply(x8, x1)
    return O
