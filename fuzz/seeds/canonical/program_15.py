def solve_second_from_left(S, I, C):
    """Cut out the second object from the left."""
    t1 = o_g_t(I, R5)
    t2 = get_nth_by_key_t(t1, F1, leftmost)
    t3 = subgrid(t2, I)
    return t3
