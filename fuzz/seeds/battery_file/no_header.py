def batt(task_id, S, I, C, log_path):
    s = []
    o = []
    t1 = downscale(I, THREE)
    o.append((1, False, 'solve_shrink_thirds', t1))
    return o, s
