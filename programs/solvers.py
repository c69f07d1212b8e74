"""Programs that solve the tasks in tasks/, written over the input alone."""


def solve_add_frame(I):
    """Surround the grid with its commonest colour."""
    x1 = mostcolor(I)
    x2 = shape(I)
    x3 = add(x2, TWO)
    x4 = canvas(x1, x3)
    x5 = asobject(I)
    x6 = shift(x5, UNITY)
    O = paint(x4, x6)
    return O


def solve_agreeing_halves(I):
    """Keep the cells where the upper and the lower half agree."""
    x1 = tophalf(I)
    x2 = bottomhalf(I)
    O = cellwise(x1, x2, FIVE)
    return O


def solve_big_and_small(I):
    """Paint the largest object blue and the others red."""
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, size)
    x3 = merge(x1)
    x4 = fill(I, TWO, x3)
    O = fill(x4, ONE, x2)
    return O


def solve_boxes_to_frames(I):
    """Put a frame in the place of every object."""
    x1 = objects(I, T, F, T)
    x2 = mapply(outbox, x1)
    x3 = merge(x1)
    x4 = cover(I, x3)
    O = fill(x4, SIX, x2)
    return O


def solve_bridge_pairs(I):
    """Bridge the gap between two cells of one colour in gray."""
    x1 = fgpartition(I)
    x2 = fork(connect, ulcorner, lrcorner)
    x3 = mapply(x2, x1)
    x4 = merge(x1)
    x5 = fill(I, FIVE, x3)
    O = paint(x5, x4)
    return O


def solve_checkers(I):
    """Make a square checkerboard of the two colours of a row."""
    x1 = index(I, ORIGIN)
    x2 = other(palette(I), x1)
    x3 = width(I)
    x4 = astuple(x3, x3)
    x5 = canvas(x2, x4)
    x6 = asindices(x5)
    x7 = fork(add, first, last)
    x8 = compose(even, x7)
    x9 = sfilter(x6, x8)
    O = fill(x5, x1, x9)
    return O


def solve_count_objects(I):
    """Make a row with one cell for every object."""
    x1 = objects(I, T, F, T)
    x2 = size(x1)
    x3 = astuple(ONE, x2)
    O = canvas(ONE, x3)
    return O


def solve_crop_and_double(I):
    """Cut the drawing out and double its size."""
    x1 = asindices(I)
    x2 = ofcolor(I, ZERO)
    x3 = difference(x1, x2)
    x4 = subgrid(x3, I)
    O = upscale(x4, TWO)
    return O


def solve_dot_in_box(I):
    """Cut out the one box of two colours."""
    x1 = objects(I, F, F, T)
    x2 = argmax(x1, numcolors)
    O = subgrid(x2, I)
    return O


def solve_drop_down(I):
    """Let every cell fall to the bottom of its column."""
    x1 = dmirror(I)
    x2 = rbind(order, positive)
    x3 = apply(x2, x1)
    O = dmirror(x3)
    return O


def solve_find_tile(I):
    """Cut out the smallest tile that makes the pattern."""
    x1 = asobject(I)
    x2 = vperiod(x1)
    x3 = hperiod(x1)
    x4 = astuple(x2, x3)
    O = crop(I, ORIGIN, x4)
    return O


def solve_flip_largest(I):
    """Cut out the largest object, left to right."""
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, size)
    x3 = subgrid(x2, I)
    O = vmirror(x3)
    return O


def solve_flood_outside(I):
    """Flood what is open to the edge of the grid."""
    x1 = objects(I, T, F, F)
    x2 = colorfilter(x1, ZERO)
    x3 = rbind(bordering, I)
    x4 = mfilter(x2, x3)
    O = fill(I, SEVEN, x4)
    return O


def solve_kaleidoscope(I):
    """Mirror the grid to the right, then both upwards."""
    x1 = vmirror(I)
    x2 = hconcat(I, x1)
    x3 = hmirror(x2)
    O = vconcat(x3, x2)
    return O


def solve_keep_tall(I):
    """Keep the objects that are taller than wide."""
    x1 = objects(I, T, F, T)
    x2 = compose(flip, portrait)
    x3 = mfilter(x1, x2)
    O = cover(I, x3)
    return O


def solve_left_not_right(I):
    """Mark what the left half has and the right half has not."""
    x1 = lefthalf(I)
    x2 = righthalf(I)
    x3 = ofcolor(x1, THREE)
    x4 = ofcolor(x2, THREE)
    x5 = difference(x3, x4)
    x6 = shape(x1)
    x7 = canvas(ZERO, x6)
    O = fill(x7, SIX, x5)
    return O


def solve_mark_centres(I):
    """Mark the middle of every rectangle."""
    x1 = objects(I, T, F, T)
    x2 = apply(center, x1)
    O = fill(I, TWO, x2)
    return O


def solve_mark_specks(I):
    """Mark the objects of one cell."""
    x1 = objects(I, T, T, T)
    x2 = sizefilter(x1, ONE)
    x3 = merge(x2)
    O = fill(I, NINE, x3)
    return O


def solve_odd_one_out(I):
    """Cut out the object of the rare colour."""
    x1 = leastcolor(I)
    x2 = ofcolor(I, x1)
    O = subgrid(x2, I)
    return O


def solve_plus_lines(I):
    """Draw the row and the column of the one cell."""
    x1 = leastcolor(I)
    x2 = ofcolor(I, x1)
    x3 = first(x2)
    x4 = hfrontier(x3)
    x5 = vfrontier(x3)
    x6 = combine(x4, x5)
    x7 = fill(I, x1, x6)
    O = fill(x7, TWO, x2)
    return O


def solve_rank_colours(I):
    """List the colours, the rarest first."""
    x1 = palette(I)
    x2 = remove(ZERO, x1)
    x3 = lbind(colorcount, I)
    x4 = order(x2, x3)
    O = repeat(x4, ONE)
    return O


def solve_rays_up(I):
    """Draw a ray upwards from every cell."""
    x1 = asobject(I)
    x2 = compose(positive, first)
    x3 = sfilter(x1, x2)
    x4 = rbind(shoot, UP)
    x5 = compose(x4, last)
    x6 = fork(recolor, first, x5)
    x7 = mapply(x6, x3)
    O = paint(I, x7)
    return O


def solve_restore_symmetry(I):
    """Repair the hidden cells from the other side."""
    x1 = ofcolor(I, EIGHT)
    x2 = vmirror(I)
    x3 = toobject(x1, x2)
    O = paint(I, x3)
    return O


def solve_shrink_thirds(I):
    """Make every block of three by three one cell."""
    O = downscale(I, THREE)
    return O


def solve_sort_bars(I):
    """Sort the bars by their height."""
    x1 = dmirror(I)
    x2 = lbind(remove, ZERO)
    x3 = compose(size, x2)
    x4 = order(x1, x3)
    O = dmirror(x4)
    return O


def solve_stick_to_wall(I):
    """Move the object to the wall, where it becomes part of it."""
    x1 = ofcolor(I, THREE)
    x2 = ofcolor(I, FIVE)
    x3 = gravitate(x1, x2)
    x4 = shift(x1, x3)
    x5 = cover(I, x1)
    O = fill(x5, FIVE, x4)
    return O


def solve_swap_extremes(I):
    """Swap the commonest and the rarest colour."""
    x1 = mostcolor(I)
    x2 = leastcolor(I)
    O = switch(I, x1, x2)
    return O


def solve_tent(I):
    """Draw the two diagonals down from the one cell."""
    x1 = ofcolor(I, ONE)
    x2 = first(x1)
    x3 = shoot(x2, UNITY)
    x4 = shoot(x2, DOWN_LEFT)
    x5 = combine(x3, x4)
    O = underfill(I, THREE, x5)
    return O


def solve_turned_below(I):
    """Put the grid, turned by a half, below itself."""
    x1 = rot180(I)
    O = vconcat(I, x1)
    return O


def solve_widen_by_colours(I):
    """Make every cell as wide as there are colours."""
    x1 = numcolors(I)
    O = hupscale(I, x1)
    return O


def solve_zigzag_row(I):
    """Put the grid three times in a row, the middle one upside down."""
    x1 = hmirror(I)
    x2 = hconcat(I, x1)
    O = hconcat(x2, I)
    return O
