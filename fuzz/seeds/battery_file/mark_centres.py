# batt battery 1
# blake3:90ee27c1e3e09d959ca7945cae0164f54c54803b32b259c266d8bc8644dbae50
def batt(task_id, S, I, C, log_path):
    s = []
    o = []
    t1 = objects(I, T, F, T)
    t2 = apply(center, t1)
    t3 = fill(I, TWO, t2)
    t4 = dmirror(I)
    t5 = rbind(order, positive)
    t6 = apply(t5, t4)
    t7 = dmirror(t6)
    o.append((3, False, 'solve_mark_centres', t3))
    o.append((7, False, 'solve_drop_down', t7))
    return o, s
