# batt battery 1
# blake3:7c142012ed1fb512044f006fadfa7bc793b46853465fc29f68849b0479150b1d
def batt(task_id, S, I, C, log_path):
    s = []
    o = []
    t1 = downscale(I, THREE)
    o.append((1, False, 'solve_shrink_thirds', t1))
    return o, s
