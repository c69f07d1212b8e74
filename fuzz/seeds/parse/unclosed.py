def solve(I):
    x = fill(I, (1, 2
    return x
