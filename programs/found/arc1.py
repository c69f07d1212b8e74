"""Short programs that `batt solve` found and nobody wrote.

Made by `batt solve --tasks arc1:train --library FILE`: of at most 8 calls, right on all demos and tests,
and found again, and right, with each demo left out. A comment says how one was found.
"""


# objects shapes8: what it encloses Color(4), 1 leaves, 5/5
def solve_00d62c1b(I):
    t1 = objects(I, T, T, F)
    t2 = colorfilter(t1, ZERO)
    t3 = difference(t1, t2)
    t4 = compose(toindices, interior)
    t5 = mapply(t4, t3)
    t6 = fill(I, FOUR, t5)
    return t6


# view
def solve_0b148d64(I):
    t1 = leastcolor(I)
    t2 = ofcolor(I, t1)
    t3 = subgrid(t2, I)
    return t3


# view
def solve_1c786137(I):
    t1 = fgpartition(I)
    t2 = argmin(t1, height)
    t3 = subgrid(t2, I)
    t4 = trim(t3)
    return t4


# enumeration cost 3, 3/3
def solve_1cf80156(I):
    t1 = compress(I)
    return t1


# view
def solve_1f85a75f(I):
    t1 = leastcolor(I)
    t2 = ofcolor(I, t1)
    t3 = subgrid(t2, I)
    return t3


# assembly of 1 layers, cost 6, 3/3
def solve_22168020(I):
    t1 = ray(I, ZERO, RIGHT)
    t2 = ray(I, ZERO, LEFT)
    t3 = intersection(t2, t1)
    t4 = paint(I, t3)
    return t4


# assembly of 1 layers, cost 6, 3/3
def solve_22eb0ac0(I):
    t1 = ray(I, ZERO, RIGHT)
    t2 = ray(I, ZERO, LEFT)
    t3 = intersection(t2, t1)
    t4 = paint(I, t3)
    return t4


# view
def solve_23b5c85d(I):
    t1 = leastcolor(I)
    t2 = ofcolor(I, t1)
    t3 = subgrid(t2, I)
    return t3


# objects shapes4 erased: one down Own, 1 leaves, 4/4
def solve_25ff71a9(I):
    t1 = objects(I, T, F, F)
    t2 = colorfilter(t1, ZERO)
    t3 = difference(t1, t2)
    t4 = rbind(shift, DOWN)
    t5 = mapply(t4, t3)
    t6 = mapply(toindices, t3)
    t7 = fill(I, ZERO, t6)
    t8 = paint(t7, t5)
    return t8


# view
def solve_28bf18c6(I):
    t1 = objects(I, F, T, T)
    t2 = argmax(t1, size)
    t3 = subgrid(t2, I)
    t4 = hconcat(t3, t3)
    return t4


# assembly of 0 layers, cost 8, 3/3
def solve_2dc579da(I):
    t1 = frontiers(I)
    t2 = first(t1)
    t3 = color(t2)
    t4 = panels(I, t3)
    t5 = argmax(t4, numcolors)
    t6 = subgrid(t5, I)
    return t6


# view
def solve_2dee498d(I):
    t1 = hsplit(I, 3)
    t2 = get_nth_t(t1, 0)
    return t2


# assembly of 2 layers, cost 17, 3/3
def solve_31aa019c(I):
    t1 = canvas(ZERO, (10, 10))
    t2 = fgpartition(I)
    t3 = argmin(t2, size)
    t4 = paint(t1, t3)
    t5 = outbox(t3)
    t6 = fill(t4, TWO, t5)
    return t6


# assembly of 1 layers, cost 9, 3/3
def solve_32597951(I):
    t1 = ofcolor(I, EIGHT)
    t2 = delta(t1)
    t3 = fill(I, THREE, t2)
    return t3


# assembly of 1 layers, cost 14, 3/3
def solve_3618c87e(I):
    t1 = ray(I, ZERO, UP)
    t2 = replace(I, ONE, ZERO)
    t3 = hmirror(t1)
    t4 = paint(t2, t3)
    return t4


# objects shapes4: around it Color(1) behind, 1 leaves, 2/2
def solve_3aa6fb7a(I):
    t1 = objects(I, T, F, F)
    t2 = colorfilter(t1, ZERO)
    t3 = difference(t1, t2)
    t4 = ofcolor(I, ZERO)
    t5 = compose(toindices, backdrop)
    t6 = mapply(t5, t3)
    t7 = intersection(t4, t6)
    t8 = fill(I, ONE, t7)
    return t8


# view
def solve_3af2c5a8(I):
    t1 = vmirror(I)
    t2 = hconcat(I, t1)
    t3 = hmirror(t2)
    t4 = vconcat(t2, t3)
    return t4


# enumeration cost 3, 4/4
def solve_3c9b0459(I):
    t1 = rot180(I)
    return t1


# assembly of 2 layers, cost 11, 2/2
def solve_40853293(I):
    t1 = ray(I, ZERO, RIGHT)
    t2 = ray(I, ZERO, LEFT)
    t3 = intersection(t2, t1)
    t4 = ray(I, ZERO, DOWN)
    t5 = ray(I, ZERO, UP)
    t6 = intersection(t5, t4)
    t7 = paint(I, t3)
    t8 = paint(t7, t6)
    return t8


# objects shapes4: frame outside Color(1), 1 leaves, 2/2
def solve_4258a5f9(I):
    t1 = objects(I, T, F, F)
    t2 = colorfilter(t1, ZERO)
    t3 = difference(t1, t2)
    t4 = compose(toindices, outbox)
    t5 = mapply(t4, t3)
    t6 = fill(I, ONE, t5)
    return t6


# assembly of 1 layers, cost 9, 4/4
def solve_42a50994(I):
    t1 = objects(I, T, T, F)
    t2 = colorfilter(t1, ZERO)
    t3 = difference(t1, t2)
    t4 = mfilter(t3, square)
    t5 = fill(I, ZERO, t4)
    return t5


# assembly of 0 layers, cost 9, 3/3
def solve_4347f46a(I):
    t1 = ray(I, ZERO, NEG_UNITY)
    t2 = ray(I, ZERO, UNITY)
    t3 = intersection(t2, t1)
    t4 = cover(I, t3)
    return t4


# assembly of 1 layers, cost 9, 4/4
def solve_44d8ac46(I):
    t1 = objects(I, T, F, F)
    t2 = colorfilter(t1, ZERO)
    t3 = mfilter(t2, square)
    t4 = fill(I, TWO, t3)
    return t4


# assembly of 0 layers, cost 8, 3/3
def solve_46442a0e(I):
    t1 = rot90(I)
    t2 = rot180(I)
    t3 = rot270(I)
    t4 = hconcat(t3, t2)
    t5 = hconcat(I, t1)
    t6 = vconcat(t5, t4)
    return t6


# view
def solve_46f33fce(I):
    t1 = shape(I)
    t2 = decrement(t1)
    t3 = crop(I, UNITY, t2)
    t4 = downscale(t3, 2)
    t5 = upscale(t4, 4)
    return t5


# view
def solve_4c4377d9(I):
    t1 = hmirror(I)
    t2 = vconcat(t1, I)
    return t2


# assembly of 1 layers, cost 7, 3/3
def solve_50cb2852(I):
    t1 = ray(I, ZERO, UP_RIGHT)
    t2 = ray(I, ZERO, DOWN_LEFT)
    t3 = intersection(t1, t2)
    t4 = fill(I, EIGHT, t3)
    return t4


# assembly of 1 layers, cost 14, 2/2
def solve_543a7ed5(I):
    t1 = objects(I, F, T, T)
    t2 = mapply(outbox, t1)
    t3 = mapply(delta, t1)
    t4 = fill(I, THREE, t2)
    t5 = fill(t4, FOUR, t3)
    return t5


# cells view0 own Entropy 1 leaves, 3/3
def solve_5582e5ca(I):
    t1 = partition(I)
    t2 = matcher(color, ZERO)
    t3 = compose(flip, t2)
    t4 = mfilter(t1, t3)
    t5 = mostcolor(t4)
    t6 = asindices(I)
    t7 = fill(I, t5, t6)
    return t7


# assembly of 0 layers, cost 7, 2/2
def solve_5614dbcf(I):
    t1 = vsplit(I, 3)
    t2 = rbind(hsplit, 3)
    t3 = lbind(apply, mostcolor)
    t4 = compose(t3, t2)
    t5 = apply(t4, t1)
    return t5


# view
def solve_5bd6f4ac(I):
    t1 = vsplit(I, 3)
    t2 = get_nth_t(t1, 0)
    t3 = hsplit(t2, 3)
    t4 = get_nth_t(t3, 2)
    return t4


# assembly of 0 layers, cost 10, 2/2
def solve_60b61512(I):
    t1 = objects(I, T, T, F)
    t2 = colorfilter(t1, ZERO)
    t3 = difference(t1, t2)
    t4 = mapply(delta, t3)
    t5 = fill(I, SEVEN, t4)
    return t5


# enumeration cost 3, 2/2
def solve_6150a2bd(I):
    t1 = rot180(I)
    return t1


# view
def solve_62c24649(I):
    t1 = vmirror(I)
    t2 = hconcat(I, t1)
    t3 = hmirror(t2)
    t4 = vconcat(t2, t3)
    return t4


# assembly of 0 layers, cost 6, 4/4
def solve_662c240a(I):
    t1 = vsplit(I, 3)
    t2 = fork(equality, identity, dmirror)
    t3 = compose(flip, t2)
    t4 = extract(t1, t3)
    return t4


# assembly of 1 layers, cost 10, 4/4
def solve_67385a82(I):
    t1 = chain(positive, decrement, size)
    t2 = objects(I, T, F, F)
    t3 = colorfilter(t2, ZERO)
    t4 = difference(t2, t3)
    t5 = mfilter(t4, t1)
    t6 = fill(I, EIGHT, t5)
    return t6


# enumeration cost 3, 3/3
def solve_67a3c6ac(I):
    t1 = vmirror(I)
    return t1


# assembly of 1 layers, cost 10, 3/3
def solve_67a423a3(I):
    t1 = fgpartition(I)
    t2 = mapply(delta, t1)
    t3 = outbox(t2)
    t4 = fill(I, FOUR, t3)
    return t4


# view
def solve_67e8384a(I):
    t1 = vmirror(I)
    t2 = hconcat(I, t1)
    t3 = hmirror(t2)
    t4 = vconcat(t2, t3)
    return t4


# enumeration cost 3, 3/3
def solve_68b16354(I):
    t1 = hmirror(I)
    return t1


# view
def solve_6d0aefbc(I):
    t1 = vmirror(I)
    t2 = hconcat(I, t1)
    return t2


# objects shapes4: around it Color(2) behind, 1 leaves, 3/3
def solve_6d75e8bb(I):
    t1 = objects(I, T, F, F)
    t2 = colorfilter(t1, ZERO)
    t3 = difference(t1, t2)
    t4 = ofcolor(I, ZERO)
    t5 = compose(toindices, backdrop)
    t6 = mapply(t5, t3)
    t7 = intersection(t4, t6)
    t8 = fill(I, TWO, t7)
    return t8


# objects gaps4: frame Color(8), 1 leaves, 4/4
def solve_6f8cd79b(I):
    t1 = objects(I, T, F, F)
    t2 = colorfilter(t1, ZERO)
    t3 = compose(toindices, box)
    t4 = mapply(t3, t2)
    t5 = fill(I, EIGHT, t4)
    return t5


# view
def solve_6fa7a44f(I):
    t1 = hmirror(I)
    t2 = vconcat(I, t1)
    return t2


# assembly of 0 layers, cost 7, 3/3
def solve_72ca375d(I):
    t1 = objects(I, F, T, T)
    t2 = compose(toindices, vmirror)
    t3 = fork(equality, toindices, t2)
    t4 = argmax(t1, t3)
    t5 = subgrid(t4, I)
    return t5


# view
def solve_7468f01a(I):
    t1 = objects(I, F, T, T)
    t2 = argmax(t1, size)
    t3 = subgrid(t2, I)
    t4 = vmirror(t3)
    return t4


# enumeration cost 3, 4/4
def solve_74dd1130(I):
    t1 = dmirror(I)
    return t1


# assembly of 1 layers, cost 12, 3/3
def solve_7b6016b9(I):
    t1 = objects(I, T, F, F)
    t2 = colorfilter(t1, ZERO)
    t3 = difference(t1, t2)
    t4 = mapply(interior, t3)
    t5 = replace(I, ZERO, THREE)
    t6 = fill(t5, TWO, t4)
    return t6


# assembly of 0 layers, cost 6, 3/3
def solve_7b7f7511(I):
    t1 = dedupe(I)
    t2 = dmirror(t1)
    t3 = dedupe(t2)
    t4 = dmirror(t3)
    return t4


# view
def solve_7fe24cdd(I):
    t1 = rot90(I)
    t2 = rot180(I)
    t3 = rot270(I)
    t4 = hconcat(t3, t2)
    t5 = hconcat(I, t1)
    t6 = vconcat(t5, t4)
    return t6


# assembly of 1 layers, cost 14, 3/3
def solve_810b9b61(I):
    t1 = objects(I, T, F, F)
    t2 = colorfilter(t1, ZERO)
    t3 = difference(t1, t2)
    t4 = replace(I, ONE, THREE)
    t5 = matcher(holes, ZERO)
    t6 = mfilter(t3, t5)
    t7 = paint(t4, t6)
    return t7


# assembly of 1 layers, cost 13, 3/3
def solve_83302e8f(I):
    t1 = objects(I, T, F, F)
    t2 = colorfilter(t1, ZERO)
    t3 = replace(I, ZERO, FOUR)
    t4 = mfilter(t2, square)
    t5 = fill(t3, THREE, t4)
    return t5


# view
def solve_8be77c9e(I):
    t1 = hmirror(I)
    t2 = vconcat(I, t1)
    return t2


# assembly of 0 layers, cost 7, 3/3
def solve_8efcae92(I):
    t1 = objects(I, T, T, F)
    t2 = colorfilter(t1, ZERO)
    t3 = difference(t1, t2)
    t4 = argmax(t3, holes)
    t5 = subgrid(t4, I)
    return t5


# objects mixed8: part without repeats of one, 1 leaves, 3/3
def solve_90c28cc7(I):
    t1 = objects(I, F, T, T)
    t2 = rbind(subgrid, I)
    t3 = chain(dedupe, dmirror, dedupe)
    t4 = chain(dmirror, t3, t2)
    t5 = first(t1)
    t6 = t4(t5)
    return t6


# enumeration cost 3, 2/2
def solve_9172f3a0(I):
    t1 = upscale(I, 3)
    return t1


# enumeration cost 3, 3/3
def solve_9dfd6313(I):
    t1 = dmirror(I)
    return t1


# view
def solve_9ecd008a(I):
    t1 = ofcolor(I, 0)
    t2 = mended(I, 0)
    t3 = subgrid(t1, t2)
    return t3


# enumeration cost 3, 3/3
def solve_a416b8f3(I):
    t1 = hconcat(I, I)
    return t1


# objects shapes4: what it encloses Color(1) behind, 1 leaves, 3/3
def solve_a5313dff(I):
    t1 = objects(I, T, F, F)
    t2 = colorfilter(t1, ZERO)
    t3 = difference(t1, t2)
    t4 = ofcolor(I, ZERO)
    t5 = compose(toindices, interior)
    t6 = mapply(t5, t3)
    t7 = intersection(t4, t6)
    t8 = fill(I, ONE, t7)
    return t8


# assembly of 0 layers, cost 7, 4/4
def solve_a87f7484(I):
    t1 = objects(I, T, T, F)
    t2 = colorfilter(t1, ZERO)
    t3 = difference(t1, t2)
    t4 = argmax(t3, size)
    t5 = subgrid(t4, I)
    return t5


# objects shapes4: a pattern Own, 1 leaves, 4/4
def solve_a9f96cdd(I):
    t1 = objects(I, T, F, F)
    t2 = colorfilter(t1, ZERO)
    t3 = difference(t1, t2)
    t4 = lbind(shift, ((3, (-1, -1)), (6, (-1, 1)), (0, (0, 0)), (8, (1, -1)), (7, (1, 1))))
    t5 = compose(t4, center)
    t6 = mapply(t5, t3)
    t7 = paint(I, t6)
    return t7


# view
def solve_ac0a08a4(I):
    t1 = numcolors(I)
    t2 = decrement(t1)
    t3 = upscale(I, t2)
    return t3


# cells view0 own Entropy 1 leaves, 3/3
def solve_b1948b0a(I):
    t1 = partition(I)
    t2 = asindices(I)
    t3 = fill(I, TWO, t2)
    t4 = rbind(contained, (7,))
    t5 = compose(t4, color)
    t6 = mfilter(t1, t5)
    t7 = paint(t3, t6)
    return t7


# assembly of 1 layers, cost 9, 4/4
def solve_b2862040(I):
    t1 = objects(I, F, T, T)
    t2 = compose(positive, holes)
    t3 = mfilter(t1, t2)
    t4 = fill(I, EIGHT, t3)
    return t4


# view
def solve_b91ae062(I):
    t1 = numcolors(I)
    t2 = decrement(t1)
    t3 = upscale(I, t2)
    return t3


# objects colours: what it leaves free Item, 1 leaves, 4/4
def solve_ba97ae07(I):
    t1 = fgpartition(I)
    t2 = fork(recolor, color, delta)
    t3 = mapply(t2, t1)
    t4 = paint(I, t3)
    return t4


# view
def solve_be94b721(I):
    t1 = get_color_rank_t(I, F1)
    t2 = ofcolor(I, t1)
    t3 = subgrid(t2, I)
    return t3


# assembly of 1 layers, cost 9, 3/3
def solve_c1d99e64(I):
    t1 = frontiers(I)
    t2 = mapply(backdrop, t1)
    t3 = fill(I, TWO, t2)
    return t3


# enumeration cost 3, 3/3
def solve_c59eb873(I):
    t1 = upscale(I, 2)
    return t1


# cells view0 own Entropy 1 leaves, 3/3
def solve_c8f0f002(I):
    t1 = partition(I)
    t2 = asindices(I)
    t3 = fill(I, FIVE, t2)
    t4 = rbind(contained, (1, 8))
    t5 = compose(t4, color)
    t6 = mfilter(t1, t5)
    t7 = paint(t3, t6)
    return t7


# view
def solve_c909285e(I):
    t1 = leastcolor(I)
    t2 = ofcolor(I, t1)
    t3 = subgrid(t2, I)
    return t3


# view
def solve_c9e6f938(I):
    t1 = vmirror(I)
    t2 = hconcat(I, t1)
    return t2


# enumeration cost 3, 3/3
def solve_d10ecb37(I):
    t1 = crop(I, ORIGIN, (2, 2))
    return t1


# objects shapes4 erased: what it leaves free Color(3), 1 leaves, 3/3
def solve_d5d6de2d(I):
    t1 = objects(I, T, F, F)
    t2 = colorfilter(t1, ZERO)
    t3 = difference(t1, t2)
    t4 = compose(toindices, delta)
    t5 = mapply(t4, t3)
    t6 = mapply(toindices, t3)
    t7 = fill(I, ZERO, t6)
    t8 = fill(t7, THREE, t5)
    return t8


# assembly of 0 layers, cost 8, 4/4
def solve_d631b094(I):
    t1 = matcher(color, ZERO)
    t2 = compose(flip, t1)
    t3 = partition(I)
    t4 = mfilter(t3, t2)
    t5 = size(t4)
    t6 = astuple(ONE, t5)
    t7 = mostcolor(t4)
    t8 = canvas(t7, t6)
    return t8


# assembly of 0 layers, cost 8, 4/4
def solve_d9fac9be(I):
    t1 = objects(I, T, T, F)
    t2 = colorfilter(t1, ZERO)
    t3 = difference(t1, t2)
    t4 = totuple(t3)
    t5 = apply(color, t4)
    t6 = mostcommon(t5)
    t7 = repeat(t6, ONE)
    t8 = repeat(t7, ONE)
    return t8


# choice of cells view0 own+views Entropy 2 leaves, 5/5
def solve_dae9d2b5(I):
    t1 = lefthalf(I)
    t2 = righthalf(I)
    t3 = asobject(t2)
    t4 = asobject(t1)
    t5 = intersection(t3, t4)
    t6 = toindices(t5)
    t7 = canvas(SIX, (3, 3))
    t8 = fill(t7, ZERO, t6)
    return t8


# view
def solve_dc0a314f(I):
    t1 = ofcolor(I, 3)
    t2 = mended(I, 3)
    t3 = subgrid(t1, t2)
    return t3


# assembly of 1 layers, cost 10, 3/3
def solve_dc1df850(I):
    t1 = ofcolor(I, TWO)
    t2 = mapply(neighbors, t1)
    t3 = fill(I, ONE, t2)
    return t3


# objects colours: a pattern Own, 1 leaves, 2/2
def solve_e9614598(I):
    t1 = fgpartition(I)
    t2 = lbind(shift, ((3, (-1, 0)), (3, (0, -1)), (3, (0, 0)), (3, (0, 1)), (3, (1, 0))))
    t3 = compose(t2, center)
    t4 = mapply(t3, t1)
    t5 = paint(I, t4)
    return t5


# enumeration cost 8, 3/3
def solve_e98196ab(I):
    t1 = bottomhalf(I)
    t2 = ofcolor(I, ZERO)
    t3 = asindices(I)
    t4 = difference(t3, t2)
    t5 = toobject(t4, I)
    t6 = paint(t1, t5)
    return t6


# enumeration cost 3, 4/4
def solve_ed36ccf7(I):
    t1 = rot270(I)
    return t1


# view
def solve_f25fbde4(I):
    t1 = objects(I, F, T, T)
    t2 = argmax(t1, size)
    t3 = subgrid(t2, I)
    t4 = upscale(t3, 2)
    return t4


# view
def solve_f8ff0b80(I):
    t1 = objects(I, F, T, T)
    t2 = compose(invert, size)
    t3 = order(t1, t2)
    t4 = apply(color, t3)
    t5 = repeat(t4, ONE)
    t6 = dmirror(t5)
    return t6


# view
def solve_f9012d9b(I):
    t1 = ofcolor(I, 0)
    t2 = tiled(I, 0)
    t3 = subgrid(t1, t2)
    return t3


# view
def solve_ff805c23(I):
    t1 = ofcolor(I, 1)
    t2 = mended(I, 1)
    t3 = subgrid(t1, t2)
    return t3
