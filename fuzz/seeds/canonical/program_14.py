def solve_recolour_like_demos(S, I, C):
    """Replace the colour that only inputs have by the one that only outputs have."""
    t1 = rbind(get_nth_t, F0)
    t2 = c_iz_n(S, p_g, t1)
    t3 = c_zo_n(S, p_g, t1)
    t4 = replace(I, t2, t3)
    return t4
