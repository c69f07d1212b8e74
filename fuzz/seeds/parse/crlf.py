def solve(I):
    O = rot90(I)
    return O
