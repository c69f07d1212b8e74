def solve_keep_tall(I):
    """Keep the objects that are taller than wide."""
    x1 = objects(I, T, F, T)
    x2 = compose(flip, portrait)
    x3 = mfilter(x1, x2)
    O = cover(I, x3)
    return O
