def solve(S, I, C):
    t1 = (1, (2, -3), (T, F), ())
    return astuple(t1, -2147483648)
