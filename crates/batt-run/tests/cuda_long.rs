//! Rows with many items are closed in pieces on a device, and give what the reference engine gives.

#[path = "common/device.rs"]
mod device;

use batt_run::engine::cuda::{Cuda, Room};
use device::{battery, compare, run, sample};

/// Sets of lines: as bits, longer than a window, both, and more cells than a value may hold.
const LINES: &str = "def solve_bits(I):
    x1 = asindices(I)
    O = prapply(connect, x1, x1)
    return O

def solve_mixed(I):
    x1 = asindices(I)
    x2 = rbind(multiply, FOUR)
    x3 = apply(x2, x1)
    O = prapply(connect, x3, x3)
    return O

def solve_product(I):
    x1 = asindices(I)
    x2 = rbind(multiply, SEVEN)
    x3 = apply(x2, x1)
    x4 = product(x3, x1)
    x5 = fork(connect, first, last)
    O = apply(x5, x4)
    return O

def solve_cells(I):
    x1 = asindices(I)
    x2 = product(x1, x1)
    x3 = fork(connect, first, last)
    x4 = lbind(recolor, THREE)
    x5 = compose(x4, x3)
    O = apply(x5, x2)
    return O
";

/// As above: the lines of all places of a large grid hold more than a value may.
const TOO_LARGE: &str = "def solve_large(I):
    x1 = asindices(I)
    x2 = rbind(multiply, TEN)
    x3 = apply(x2, x1)
    O = prapply(connect, x3, x3)
    return O
";

/// Unions, plain items, and an error in between.
const UNIONS: &str = "def solve_masks(I):
    x1 = asindices(I)
    O = mapply(neighbors, x1)
    return O

def solve_objects(I):
    x1 = asindices(I)
    x2 = asobject(I)
    x3 = lbind(shift, x2)
    O = mapply(x3, x1)
    return O

def solve_ints(I):
    x1 = interval(ZERO, 40, ONE)
    O = prapply(multiply, x1, x1)
    return O

def solve_pairs(I):
    x1 = interval(ZERO, 40, ONE)
    O = prapply(astuple, x1, x1)
    return O

def solve_error(I):
    x1 = interval(ZERO, 40, ONE)
    x2 = interval(NEG_TEN, 30, ONE)
    O = prapply(divide, x1, x2)
    return O

def solve_tuples(I):
    x1 = interval(ZERO, 40, ONE)
    x2 = prapply(astuple, x1, x1)
    x3 = rbind(repeat, THREE)
    O = apply(x3, x2)
    return O
";

/// Long arrays in primitives: cells and objects past a window, painted, and taken from a tuple.
const ARRAYS: &str = "def solve_asobject(I):
    x1 = upscale(I, THREE)
    O = asobject(x1)
    return O

def solve_ofcolor(I):
    x1 = upscale(I, THREE)
    O = ofcolor(x1, TWO)
    return O

def solve_paint(I):
    x1 = asindices(I)
    x2 = asobject(I)
    x3 = lbind(shift, x2)
    x4 = mapply(x3, x1)
    O = paint(I, x4)
    return O

def solve_underpaint(I):
    x1 = asindices(I)
    x2 = asobject(I)
    x3 = lbind(shift, x2)
    x4 = mapply(x3, x1)
    x5 = shift(x4, UNITY)
    O = underpaint(I, x5)
    return O

def solve_remove(I):
    x1 = objects(I, T, F, F)
    x2 = totuple(x1)
    x3 = last(x2)
    O = remove(x3, x2)
    return O

def solve_mixed(I):
    x1 = upscale(I, THREE)
    O = objects(x1, F, F, T)
    return O

def solve_diagonal(I):
    x1 = upscale(I, THREE)
    O = objects(x1, T, T, T)
    return O

def solve_all(I):
    x1 = upscale(I, THREE)
    O = objects(x1, T, F, F)
    return O

def solve_mixed_diagonal(I):
    x1 = upscale(I, FOUR)
    O = objects(x1, F, T, T)
    return O

def solve_remove_int(I):
    x1 = interval(ZERO, 40, ONE)
    O = remove(FIVE, x1)
    return O
";

/// Rows that one warp would take long for, item by item: 7,225 cells, 8,000 lines, 7,225 cells of a grid.
const SLOW: &str = "def solve_paint(I):
    x1 = upscale(I, FIVE)
    x2 = asobject(x1)
    O = paint(I, x2)
    return O

def solve_fill(I):
    x1 = upscale(I, FIVE)
    x2 = ofcolor(x1, TWO)
    O = fill(I, ONE, x2)
    return O

def solve_lines(I):
    x1 = asindices(I)
    O = prapply(connect, x1, x1)
    return O

def solve_objects(I):
    x1 = upscale(I, FIVE)
    x2 = objects(x1, T, F, T)
    O = size(x2)
    return O
";

#[test]
fn no_warp_takes_long_for_long_rows() {
    let device = device::device();
    let cuda = Cuda::new(vec![device.clone()], Room::Bytes(96 << 20));
    run(&cuda, &battery(SLOW), &[sample(17)]);
    let most = |kernel: &str| {
        let ran = device.longest().find(|(name, _)| *name == kernel).map(|(_, longest)| longest);
        ran.unwrap_or_else(|| panic!("{kernel} did not run"))
    };
    for (kernel, bound) in
        [("Paint", 25_000), ("Fill", 6_000), ("close_lines", 225_000), ("Objects", 500_000)]
    {
        println!("{kernel} {}", most(kernel));
        assert!(most(kernel) < bound, "{kernel} ran {} instructions", most(kernel));
    }
}

#[test]
fn sets_of_lines_are_the_same_in_pieces() {
    let (few, _) = compare(LINES, &[2]);
    let (kernels, values) = compare(LINES, &[9, 2, 7]);
    assert_eq!(values, 12);
    assert!(kernels > few, "{kernels} kernels, {few} without pieces");
}

#[test]
fn what_is_too_large_is_an_error_in_pieces() {
    assert_eq!(compare(TOO_LARGE, &[3, 12]).1, 1);
}

#[test]
fn unions_and_plain_items_are_the_same_in_pieces() {
    assert_eq!(compare(UNIONS, &[17, 5]).1, 10);
}

#[test]
fn long_arrays_are_the_same_in_primitives() {
    assert_eq!(compare(ARRAYS, &[17, 12]).1, 20);
}
