# batt battery 1
# blake3:24f2cb696e2da7e5252c6b90b01b6355c12b85ff8ec02980698166cd7da5a66f
def batt(task_id, S, I, C, log_path):
    s = []
    o = []
    t1 = mostcolor(I)
    t2 = leastcolor(I)
    t3 = switch(I, t1, t2)
    o.append((3, False, 'solve_swap_extremes', t3))
    return o, s
