"""How many of the single-cell objects of C are missing in I."""


def differ_specks_new(S, I, C):
    """1000 when I has none of the single cells of C, 0 when it has them all; and the missing ones."""
    t1 = sizefilter(o_g(I, R5), ONE)
    t2 = sizefilter(o_g(C, R5), ONE)
    t3 = difference(t2, t1)
    t4 = multiply(size(t3), THOUSAND)
    t5 = maximum(astuple(ONE, size(t2)))
    t6 = divide(t4, t5)
    t7 = astuple(t6, t3)
    return t7
