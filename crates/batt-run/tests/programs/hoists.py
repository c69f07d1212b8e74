# Loops within loops over items from further out, in a body that needs both, and over its own items.

def solve_near(I):
    x1 = objects(I, T, F, T)
    x2 = asindices(I)
    x3 = lbind(sfilter, x2)
    x4 = compose(decrement, first)
    x5 = lbind(lbind, greater)
    x6 = compose(x5, size)
    x7 = rbind(compose, x4)
    x8 = chain(x3, x7, x6)
    O = mapply(x8, x1)
    return O

def solve_pairs(I):
    x1 = objects(I, T, F, T)
    x2 = lbind(lbind, manhattan)
    x3 = lbind(rbind, apply)
    x4 = x3(x1)
    x5 = compose(x4, x2)
    O = apply(x5, x1)
    return O
