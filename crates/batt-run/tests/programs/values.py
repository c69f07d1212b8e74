# Functions as values that are carried about and not called, calls that fail whatever the function would give,
# and values that are neither grids nor patches where such are wanted.


def solve_chosen(I):
    x1 = fork(equality, rbind(vmatching, ofcolor(I, ONE)), is_no_grid)
    O = branch(equality(I, rot90(rot270(I))), hmirror(I), x1)
    return O


def solve_colors(I):
    x1 = matcher(height, width(I))
    x2 = replace(I, x1, FIVE)
    x3 = replace(x2, ZERO, lbind(subgrid, asindices(I)))
    O = astuple(x2, colorcount(x3, ONE))
    return O


def solve_held(I):
    x1 = rbind(fill, asindices(I))
    x2 = initset(x1)
    x3 = astuple(astuple(size, x1), x2)
    x4 = astuple(size(x3), equality(first(x2), last(last(x3))))
    O = astuple(x4, both(contained(x1, x2), x1))
    return O


def solve_given(I):
    x1 = rbind(fill, asindices(I))
    O = apply(rbind(astuple, x1), totuple(palette(I)))
    return O


def solve_cut(I):
    x1 = matcher(size, ONE)
    O = crop(I, branch(F, x1, is_no_grid), TWO_BY_TWO)
    return O


def solve_bound(I):
    O = rbind(height(I), ONE)
    return O


def solve_no_times(I):
    x1 = power(rot90, invert(height(I)))
    O = x1(I)
    return O


def solve_no_function(S, I, C):
    O = argmax(I, S)
    return O


def solve_ints(I):
    x1 = asindices(I)
    O = prapply(height(I), x1, x1)
    return O


def solve_nothing_to_pick(I):
    O = get_val_rank(difference(I, I), shape(I), ZERO)
    return O


def solve_other_arguments(I):
    x1 = power(branch(positive(height(I)), equality, add), TWO)
    O = get_nth_by_key_f(fgpartition(I), ZERO, compose(mostcolor, x1))
    return O


def solve_no_functions(I):
    O = rapply(shape(I), I)
    return O


def solve_one_is_none(I):
    O = rapply(astuple(rot90, shape(I)), I)
    return O


def solve_known_tuple(I):
    x1 = rapply_t(astuple(mostcolor, height), I)
    O = switch(I, first(x1), last(x1))
    return O


def solve_known_set(I):
    x1 = rapply_f(initset(power(rot90, TWO)), I)
    O = first(x1)
    return O


def solve_known_inside(I):
    x1 = initset(lbind(mapply, rbind(pair, first(I))))
    x2 = compose(size, lbind(rapply, x1))
    O = argmax(vsplit(I, ONE), x2)
    return O


def solve_an_error_decides(I):
    x1 = order(first(I), branch(positive(height(I)), identity, FIVE))
    O = fill(subgrid(initset(I), I), first(x1), asindices(I))
    return O


def solve_compress_demos(S, I, C):
    O = compress(S)
    return O


def solve_compress_grids(I):
    x1 = pair(I, rot180(I))
    O = astuple(compress(x1), compress(astuple(x1, first(x1))))
    return O


def solve_compress_ragged(I):
    x1 = vconcat(I, hconcat(I, I))
    x2 = replace(x1, ZERO, asindices(first(hsplit(I, ONE))))
    O = astuple(compress(x1), compress(x2))
    return O


def solve_compress_nothing(I):
    O = compress(hupscale(I, NEG_TWO))
    return O


def solve_ranked(S, I, C):
    x1 = get_color_rank_t(S, ZERO)
    x2 = get_color_rank_t(rot180(S), NEG_ONE)
    O = astriple(x1, x2, p_g(S))
    return O


def solve_fill_demos(S, I, C):
    O = fill(I, SIX, S)
    return O


def solve_underfill_demos(S, I, C):
    O = underfill(I, SIX, S)
    return O


def solve_cover_demos(S, I, C):
    O = cover(I, S)
    return O


def solve_move_demos(S, I, C):
    O = move(I, S, DOWN)
    return O


def solve_paint_pairs(I):
    x1 = astuple(TWO_BY_TWO, UNITY)
    O = paint(I, initset(astuple(x1, ORIGIN)))
    return O


def solve_fill_cells(I):
    x1 = canvas(TWO, TWO_BY_TWO)
    O = astuple(fill(I, THREE, totuple(initset(x1))), paint(I, astuple(x1, x1)))
    return O


def solve_fill_more(I):
    O = fill(I, THREE, astuple(canvas(TWO, TWO_BY_TWO), trim(I)))
    return O


def solve_corner(I):
    x1 = toivec(objects_t(I, T, T, T))
    O = ulcorner(product(x1, x1))
    return O


def solve_mirrored(I):
    O = cmirror(initset(dedupe(I)))
    return O
