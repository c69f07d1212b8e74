# batt battery 1
# blake3:ae5afe7e95b8eed0d5c48f636b3fe61cd31ad56b9955c3ca6bbbba2d5995e242
def batt(task_id, S, I, C, log_path):
    s = []
    o = []
    t1 = dmirror(I)
    t2 = rbind(order, positive)
    t3 = apply(t2, t1)
    t4 = dmirror(t3)
    o.append((4, False, 'solve_drop_down', t4))
    return o, s
