def solve_widen_by_colours(I):
    """Make every cell as wide as there are colours."""
    x1 = numcolors(I)
    O = hupscale(I, x1)
    return O
