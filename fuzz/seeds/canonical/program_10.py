def solve_crop_and_double(I):
    """Cut the drawing out and double its size."""
    x1 = asindices(I)
    x2 = ofcolor(I, ZERO)
    x3 = difference(x1, x2)
    x4 = subgrid(x3, I)
    O = upscale(x4, TWO)
    return O
