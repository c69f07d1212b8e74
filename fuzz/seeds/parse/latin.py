def solve(I): # café
    """
    text
    """
    return I
