"""Programs that solve tasks in tasks/ with the demo pairs S or by rank."""


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


def solve_rarest_colour(S, I, C):
    """Paint the whole grid in its rarest colour."""
    t1 = get_color_rank_t(I, L1)
    t2 = shape_t(I)
    t3 = canvas(t1, t2)
    return t3


def solve_recolour_like_demos(S, I, C):
    """Replace the colour that only inputs have by the one that only outputs have."""
    t1 = rbind(get_nth_t, F0)
    t2 = c_iz_n(S, p_g, t1)
    t3 = c_zo_n(S, p_g, t1)
    t4 = replace(I, t2, t3)
    return t4


def solve_second_from_left(S, I, C):
    """Cut out the second object from the left."""
    t1 = o_g_t(I, R5)
    t2 = get_nth_by_key_t(t1, F1, leftmost)
    t3 = subgrid(t2, I)
    return t3


def solve_second_largest(S, I, C):
    """Cut out the second largest object."""
    t1 = o_g(I, R5)
    t2 = get_arg_rank_f(t1, size, F1)
    t3 = subgrid(t2, I)
    return t3


def solve_turn_like_demos(S, I, C):
    """Turn or mirror the grid as the demo pairs do."""
    t1 = a_mr(S)
    t2 = mir_rot_t(I, t1)
    return t2
