# batt battery 1
# blake3:05b894f6e32daa1f56da556d797ba7e8333ab04c5062fd452651c950c3bc952c
def batt(task_id, S, I, C, log_path):
    s = []
    o = []
    t1 = objects(I, T, T, T)
    t2 = sizefilter(t1, ONE)
    t3 = merge(t2)
    t4 = fill(I, NINE, t3)
    o.append((4, False, 'solve_mark_specks', t4))
    return o, s
