def solve_swap_extremes(I):
    """Swap the commonest and the rarest colour."""
    x1 = mostcolor(I)
    x2 = leastcolor(I)
    O = switch(I, x1, x2)
    return O
