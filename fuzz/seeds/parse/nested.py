def solve(I):
    return compose(size, lbind(fill, I))(rot90(I))
