def solve(I):
    return frobnicate(I, y)
