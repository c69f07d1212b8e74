# batt battery 1
# blake3:a114a09a42b2a260e5915e6334db3c27fd4de8a3e61daa89da0c59fd3d14df05
def batt(task_id, S, I, C, log_path):
    s = []
    o = []
    t1 = ofcolor(I, EIGHT)
    t2 = vmirror(I)
    t3 = toobject(t1, t2)
    t4 = paint(I, t3)
    t5 = asindices(I)
    t6 = ofcolor(I, ZERO)
    t7 = difference(t5, t6)
    t8 = subgrid(t7, I)
    t9 = upscale(t8, TWO)
    o.append((4, False, 'solve_restore_symmetry', t4))
    o.append((9, False, 'solve_crop_and_double', t9))
    return o, s
