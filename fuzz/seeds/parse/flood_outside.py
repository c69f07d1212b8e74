def solve_flood_outside(I):
    """Flood what is open to the edge of the grid."""
    x1 = objects(I, T, F, F)
    x2 = colorfilter(x1, ZERO)
    x3 = rbind(bordering, I)
    x4 = mfilter(x2, x3)
    O = fill(I, SEVEN, x4)
    return O
