//! The fast engine gives what the reference engine gives, for whole batteries.

mod common;

use batt_cpu::Set;
use batt_lang::card::{Options, Policy};
use batt_lang::program::Program;
use batt_run::engine::cpu::Cpu;
use batt_run::{programs, random, tasks};
use common::whole::{ALL, compare, parsed};

/// Compares on the fast engine, with the usual options.
fn cpu(source: &str, data: &[tasks::Task]) -> (usize, usize) {
    compare(&Cpu::default(), &parsed(source), data, Options::default())
}

#[test]
fn embedded_programs_agree() {
    let sources = programs::embedded();
    let programs: Vec<Program> = sources.iter().flat_map(|(_, source)| parsed(source)).collect();
    let data = tasks::embedded();
    for policy in [Policy::Strict, Policy::Safe] {
        compare(&Cpu::default(), &programs, data.tasks(), Options { policy, fuse: true });
    }
}

#[test]
fn large_products_run_a_few_samples_at_a_time() {
    let source = "def solve_x(I):\n    x1 = asindices(I)\n    x2 = prapply(equality, x1, x1)\n    \
                  O = size(x2)\n    return O\n";
    // 234,256 bodies for every sample: within the limit, but too many at once for eight samples.
    let grid = tasks::Grid::from_rows(&[[0u8; 22]; 22]).unwrap();
    let example = tasks::Example { input: grid.clone(), output: Some(grid) };
    let demos = vec![example.clone(); 7];
    let task = tasks::Task { id: "x".to_string(), demos, tests: vec![example] };
    assert_eq!(cpu(source, &[task]), (8, 0));
}

/// Calls of a loop take turns, 256 rows at a time, and a block has samples of several tasks: loops of fewer
/// rows, of as many and of more, with columns that are read again later, and rows that are errors.
#[test]
fn calls_of_long_loops_take_turns() {
    let source = "
def solve_distances(I):
    x1 = asindices(I)
    x2 = rbind(subtract, THREE_BY_THREE)
    x3 = fork(multiply, sign, identity)
    x4 = compose(x3, x2)
    x5 = fork(add, compose(first, x4), compose(last, x4))
    x6 = fork(astuple, x5, compose(even, x5))
    O = apply(x6, x1)
    return O

def solve_errors(I):
    x1 = asindices(I)
    x2 = compose(decrement, first)
    x3 = fork(subtract, x2, last)
    x4 = compose(rbind(divide, ONE), x3)
    x5 = fork(divide, x4, x3)
    O = apply(x5, sfilter(x1, compose(positive, x3)))
    return O

def solve_all_errors(I):
    x1 = asindices(I)
    x2 = fork(subtract, first, last)
    x3 = fork(divide, increment, identity)
    O = apply(compose(x3, x2), x1)
    return O

def solve_pairs(I):
    x1 = ofcolor(I, ONE)
    x2 = fork(add, first, last)
    x3 = compose(double, x2)
    x5 = fork(equality, compose(x3, first), compose(x3, last))
    O = size(sfilter(product(x1, x1), x5))
    return O
";
    let task = |side: usize| {
        let cell = |i: usize, j: usize| u8::from((i * 7 + j * 5 + i * j) % 5 < 2);
        let row = |i| (0..side).map(|j| cell(i, j)).collect::<Vec<u8>>();
        let grid = tasks::Grid::from_rows(&(0..side).map(row).collect::<Vec<_>>()).unwrap();
        let example = tasks::Example { input: grid.clone(), output: Some(grid) };
        let demos = vec![example.clone()];
        tasks::Task { id: side.to_string(), demos, tests: vec![example] }
    };
    let data = [3, 15, 16, 17, 30].map(task);
    let (compared, back) = cpu(source, &data);
    assert_eq!((compared, back), (40, 0));
}

/// A row of two is a pair, which is one element: 34,000 rows of two are a value, and 136,000 are none.
#[test]
fn rows_of_two_count_as_one_element() {
    let source = "
def solve_fits(I):
    thousand = multiply(TEN, multiply(TEN, TEN))
    O = vupscale(vupscale(I, TWO), thousand)
    return O

def solve_too_large(I):
    thousand = multiply(TEN, multiply(TEN, TEN))
    O = vupscale(vupscale(I, EIGHT), thousand)
    return O

def solve_canvas(I):
    O = canvas(ONE, astuple(multiply(multiply(TEN, TEN), multiply(TEN, FIVE)), TWO))
    return O
";
    let grid = tasks::Grid::from_rows(&[[0u8; 2]; 17]).unwrap();
    let example = tasks::Example { input: grid.clone(), output: Some(grid) };
    let task =
        tasks::Task { id: "x".to_string(), demos: vec![example.clone()], tests: vec![example] };
    assert_eq!(cpu(source, &[task]), (6, 0));
}

/// With the demo pairs as a colour, a grid without its object is too large, and with it is not.
#[test]
fn what_lies_in_between_may_be_too_large() {
    let source = "
def solve_x(S, I, C):
    x1 = switch(I, S, ZERO)
    x2 = asobject(I)
    O = move(x1, x2, ZERO_BY_TWO)
    return O
";
    let data = tasks::embedded();
    let (compared, back) = cpu(source, data.tasks());
    assert!(compared > 100 && back > 0 && back * 4 < compared, "{back} of {compared}");
}

#[test]
fn loops_and_shapes_agree() {
    let data = tasks::embedded();
    for source in ALL {
        let (compared, back) = cpu(source, data.tasks());
        assert!(compared > 100 && back == 0, "{back} of {compared}");
    }
}

#[test]
fn every_instruction_set_agrees() {
    let data = [random::task(&mut random::rng(5)), random::task(&mut random::rng(6))];
    for (set, source) in Set::all().iter().flat_map(|set| ALL.map(|source| (*set, source))) {
        compare(&Cpu::with(set), &parsed(source), &data, Options::default());
    }
}

#[test]
fn public_programs_agree() {
    let (Ok(dir), Ok(data)) = (std::env::var("BATT_ARC_DSL"), std::env::var("BATT_ARC_DATA"))
    else {
        println!("BATT_ARC_DSL and BATT_ARC_DATA are not set: not checked");
        return;
    };
    let source = std::fs::read_to_string(format!("{dir}/solvers.py")).unwrap();
    let programs: Vec<Program> =
        parsed(&source).into_iter().filter(|p| p.name != "solve_a64e4611").collect();
    let data = tasks::load(&data).unwrap();
    let count = std::env::var("N").ok().and_then(|n| n.parse().ok()).unwrap_or(4);
    compare(&Cpu::default(), &programs, &data.tasks()[..count], Options::default());
}
