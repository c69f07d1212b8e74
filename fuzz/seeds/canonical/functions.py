def f(S, I):
    g = fork(add, size, rbind(get_nth_t, F0))
    return canvas(ONE, astuple(g(I), 1))
