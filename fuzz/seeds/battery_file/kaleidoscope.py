# batt battery 1
# blake3:f80f054ba8743e6f66824dd55419aa0c2b523bb86e148164cf6a0073bb1cd201
def batt(task_id, S, I, C, log_path):
    s = []
    o = []
    t1 = vmirror(I)
    t2 = hconcat(I, t1)
    t3 = hmirror(t2)
    t4 = vconcat(t3, t2)
    t5 = objects(I, T, F, T)
    t6 = compose(flip, portrait)
    t7 = mfilter(t5, t6)
    t8 = cover(I, t7)
    o.append((4, False, 'solve_kaleidoscope', t4))
    o.append((8, False, 'solve_keep_tall', t8))
    return o, s
