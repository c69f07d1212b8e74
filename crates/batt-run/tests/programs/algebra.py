# Loops that are dealt as something else: a power that is its calls, maps over pairs of ints, and loops
# over all pairs of two sets.


def solve_halves(I):
    x1 = asobject(I)
    x2 = product(ofcolor(I, ONE), x1)
    x4 = fork(equality, power(first, TWO), chain(first, last, last))
    x5 = sfilter(x2, x4)
    x6 = fork(connect, first, compose(last, last))
    O = underfill(I, THREE, mapply(x6, x5))
    return O


def solve_whole_pairs(I):
    x1 = ofcolor(I, TWO)
    x2 = product(x1, ofcolor(I, ONE))
    x3 = sfilter(x2, fork(greater, first, last))
    x4 = fork(insert, first, initset)
    O = size(mapply(x4, x3))
    return O


def solve_nothing(I):
    x1 = product(ofcolor(I, TEN), asindices(I))
    x2 = rbind(add, increment(shape(first(I))))
    x3 = fork(connect, compose(x2, first), last)
    O = mapply(x3, x1)
    return O


def solve_too_many_pairs(I):
    x1 = multiply(TEN, multiply(TEN, TEN))
    x2 = asindices(canvas(ZERO, astuple(ONE, x1)))
    x3 = product(x2, x2)
    x4 = fork(connect, first, compose(increment, last))
    O = size(mapply(x4, sfilter(x3, fork(equality, first, last))))
    return O


def solve_distances(I):
    x1 = fork(multiply, sign, identity)
    x2 = lbind(apply, x1)
    x3 = compose(x2, lbind(subtract, center(asindices(I))))
    x4 = fork(add, compose(first, x3), compose(last, x3))
    x5 = compose(even, x4)
    O = fill(I, FIVE, sfilter(asindices(I), x5))
    return O


def solve_bodies_fit(I):
    x1 = multiply(FIVE, multiply(multiply(TEN, TEN), multiply(TEN, TEN)))
    x2 = apply(power(increment, FOUR), interval(ZERO, x1, ONE))
    O = last(x2)
    return O


def solve_too_many_bodies(I):
    x1 = multiply(SIX, multiply(multiply(TEN, TEN), multiply(TEN, TEN)))
    x2 = apply(power(power(increment, TWO), TWO), interval(ZERO, x1, ONE))
    O = last(x2)
    return O
