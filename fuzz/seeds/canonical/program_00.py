def solve_shrink_thirds(I):
    """Make every block of three by three one cell."""
    O = downscale(I, THREE)
    return O
