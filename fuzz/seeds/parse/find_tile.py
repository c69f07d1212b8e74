def solve_find_tile(I):
    """Cut out the smallest tile that makes the pattern."""
    x1 = asobject(I)
    x2 = vperiod(x1)
    x3 = hperiod(x1)
    x4 = astuple(x2, x3)
    O = crop(I, ORIGIN, x4)
    return O
