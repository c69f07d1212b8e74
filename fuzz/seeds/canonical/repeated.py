def f(I):
    a = rot90(I)
    b = rot90(I)
    c = flip(T)
    O = hconcat(a, b)
    return O
