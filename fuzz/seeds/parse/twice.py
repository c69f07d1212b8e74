def a(I):
    O = I
    return O
def a(I):
    return I
