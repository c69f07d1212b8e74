def solve_mark_centres(I):
    """Mark the middle of every rectangle."""
    x1 = objects(I, T, F, T)
    x2 = apply(center, x1)
    O = fill(I, TWO, x2)
    return O
