"""How many of the colours of C are missing in I."""


def differ_colours_new(S, I, C):
    """1000 when I has none of the colours of C, 0 when it has them all; and the missing ones."""
    t1 = p_g(I)
    t2 = p_g(C)
    t3 = difference_tuple(t2, t1)
    t4 = multiply(size(t3), THOUSAND)
    t5 = divide(t4, size(t2))
    t6 = astuple(t5, t3)
    return t6
