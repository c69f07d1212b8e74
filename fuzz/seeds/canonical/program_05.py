def solve_kaleidoscope(I):
    """Mirror the grid to the right, then both upwards."""
    x1 = vmirror(I)
    x2 = hconcat(I, x1)
    x3 = hmirror(x2)
    O = vconcat(x3, x2)
    return O
