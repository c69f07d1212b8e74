def solve_four_corners(S, I, C):
    """Make a grid of the four corner cells."""
    t1 = asindices(I)
    t2 = index(I, corner(t1, R0))
    t3 = index(I, corner(t1, R1))
    t4 = index(I, corner(t1, R2))
    t5 = index(I, corner(t1, R3))
    t6 = hconcat(canvas(t2, UNITY), canvas(t3, UNITY))
    t7 = hconcat(canvas(t4, UNITY), canvas(t5, UNITY))
    t8 = vconcat(t6, t7)
    return t8
