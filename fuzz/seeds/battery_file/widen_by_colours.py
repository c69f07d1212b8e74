# batt battery 1
# blake3:ac34957d8eb60d284f75b6248e8ff66bc6925069ad150c2bf715f89cc30357e2
def batt(task_id, S, I, C, log_path):
    s = []
    o = []
    t1 = numcolors(I)
    t2 = hupscale(I, t1)
    t3 = objects(I, T, T, T)
    t4 = sizefilter(t3, ONE)
    t5 = merge(t4)
    t6 = fill(I, NINE, t5)
    o.append((2, False, 'solve_widen_by_colours', t2))
    o.append((6, False, 'solve_mark_specks', t6))
    return o, s
