def solve_drop_down(I):
    """Let every cell fall to the bottom of its column."""
    x1 = dmirror(I)
    x2 = rbind(order, positive)
    x3 = apply(x2, x1)
    O = dmirror(x3)
    return O
