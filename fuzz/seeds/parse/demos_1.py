def solve_rarest_colour(S, I, C):
    """Paint the whole grid in its rarest colour."""
    t1 = get_color_rank_t(I, L1)
    t2 = shape_t(I)
    t3 = canvas(t1, t2)
    return t3
