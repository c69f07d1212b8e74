"""How many cells of I and C match."""


def differ_cells_match(S, I, C):
    """1000 when all cells match, 0 when none do, by the larger grid; and how many match."""
    t1 = asobject(I)
    t2 = asobject(C)
    t3 = size(intersection(t1, t2))
    t4 = maximum(astuple(size(t1), size(t2)))
    t5 = multiply(t3, THOUSAND)
    t6 = divide(t5, t4)
    t7 = astuple(t6, t3)
    return t7
