def solve_restore_symmetry(I):
    """Repair the hidden cells from the other side."""
    x1 = ofcolor(I, EIGHT)
    x2 = vmirror(I)
    x3 = toobject(x1, x2)
    O = paint(I, x3)
    return O
