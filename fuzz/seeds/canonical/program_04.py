def solve_mark_specks(I):
    """Mark the objects of one cell."""
    x1 = objects(I, T, T, T)
    x2 = sizefilter(x1, ONE)
    x3 = merge(x2)
    O = fill(I, NINE, x3)
    return O
