"""How many of the colours of I are missing in C."""


def differ_colours_gone(S, I, C):
    """1000 when C has none of the colours of I, 0 when it has them all; and the missing ones."""
    t1 = p_g(I)
    t2 = p_g(C)
    t3 = difference_tuple(t1, t2)
    t4 = multiply(size(t3), THOUSAND)
    t5 = divide(t4, size(t1))
    t6 = astuple(t5, t3)
    return t6
