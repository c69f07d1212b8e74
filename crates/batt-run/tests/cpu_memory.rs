//! A worker of the fast engine holds a bounded amount of memory, whatever loops it runs.

mod common;

use std::fmt::Write;

use batt_lang::card::{Card, Options};
use batt_lang::program::Definition;
use batt_lang::text;
use batt_run::engine::cpu::Cpu;
use batt_run::engine::{Cell, Engine, Phase, Sample, Setup};
use batt_run::stop::NEVER;
use batt_run::tasks::{Example, Grid, Task};
use common::whole::{compare, parsed};

/// What a worker may hold. The aim is 64 MiB, which ordinary programs keep; these are made to be heavier.
const MOST: u64 = 128 << 20;

/// Loops over every pair of cells and of objects, with several results alive at a time, results that
/// are large, and loops in loops.
const HEAVY: &str = r"
def pairs(S, I):
    x1 = ofcolor(I, ONE)
    x2 = prapply(connect, x1, x1)
    O = merge(x2)
    return O

def many_alive(S, I):
    x1 = ofcolor(I, ONE)
    x2 = prapply(astuple, x1, x1)
    x3 = fork(add, first, last)
    x4 = fork(subtract, first, last)
    x5 = fork(multiply, x3, x4)
    x6 = fork(astuple, x5, x3)
    x7 = fork(astuple, x6, x4)
    x8 = apply(x7, x2)
    O = size(x8)
    return O

def objects_in_objects(S, I):
    x1 = objects(I, T, F, F)
    x2 = rbind(apply, x1)
    x3 = lbind(lbind, manhattan)
    x4 = compose(x2, x3)
    x5 = apply(x4, x1)
    O = size(x5)
    return O

def large_results(S, I):
    x1 = asindices(I)
    x2 = lbind(shift, x1)
    x3 = apply(x2, x1)
    x4 = mapply(x2, x1)
    x5 = size(x3)
    x6 = size(x4)
    O = add(x5, x6)
    return O
";

/// A grid of the largest usual size, in which a few hundred cells are 1.
fn input(sample: usize) -> Grid {
    let cell = |i: usize, j: usize| u8::from((i * i * 7 + j * 5 + i * j + sample) % 5 < 2);
    let rows: Vec<Vec<u8>> = (0..30).map(|i| (0..30).map(|j| cell(i, j)).collect()).collect();
    Grid::from_rows(&rows).unwrap()
}

#[test]
fn heavy_loops_take_bounded_memory() {
    let mut card = Card::new(Options::default());
    for definition in text::parse(HEAVY).definitions {
        let Definition::Program(program) = definition else { panic!("a program") };
        card.add(&program);
    }
    let battery = card.deal();
    let sample =
        |at| Sample { task: 0, input: input(at).to_value(), compared: None, expected: None };
    let samples: Vec<Sample> = (0..16).map(sample).collect();
    let cpu = Cpu::default();
    let tasks = [batt_lang::Value::empty_tuple()];
    let setup = Setup {
        battery: &battery,
        phase: Phase::Outputs,
        tasks: &tasks,
        timed: false,
        verdicts: false,
        stop: &NEVER,
    };
    let (rows, counters) = cpu.load(setup).run(&samples);
    let values = rows.iter().flatten().filter(|cell| matches!(cell, Cell::Value(_))).count();
    println!("{} rows, {} bytes, {values} values", counters.rows(), counters.worker_bytes);
    for (row, cell) in rows[0].iter().enumerate() {
        println!("{row}: {}", format!("{cell:?}").chars().take(60).collect::<String>());
    }
    assert!(counters.rows() > 1_000_000, "the loops are heavy");
    assert!(values > samples.len(), "{values}");
    assert!(counters.worker_bytes <= MOST, "{}", counters.worker_bytes);
    // Not much less than it took: a count of nothing would pass.
    assert!(counters.worker_bytes > 1 << 20, "{}", counters.worker_bytes);
}

/// What programs that need little make of two samples beside others.
const SMALL: &str = "
def solve_line(I):
    x1 = shoot(DOWN, DOWN)
    O = fill(I, SIX, x1)
    return O

def solve_part(I):
    x1 = hfrontier(RIGHT)
    x2 = underfill(I, TWO, x1)
    O = crop(x2, DOWN, THREE_BY_THREE)
    return O
";

/// How many answers of some programs on two samples are what the interpreter gives, and how many of those
/// were handed back.
fn answers(source: &str) -> (usize, usize) {
    let task = Task { id: String::new(), demos: Vec::new(), tests: vec![example(0), example(1)] };
    compare(&Cpu::default(), &parsed(source), &[task], Options::default())
}

/// Programs that share more values than the arenas hold together run in parts.
#[test]
fn what_finds_no_room_together_finds_it_in_parts() {
    let mut source = String::new();
    // Each value is there from the one program that reads it to the other.
    for end in ["maximum", "minimum"] {
        for k in 0..120 {
            let many = "x1 = multiply(THOUSAND, multiply(TEN, SIX))";
            let more =
                format!("x2 = add(x1, add({k}, height(I)))\n    x3 = interval(ZERO, x2, ONE)");
            writeln!(
                source,
                "def solve_{end}{k}(I):\n    {many}\n    {more}\n    O = {end}(x3)\n    return O"
            )
            .unwrap();
        }
    }
    assert_eq!(answers(&(source + SMALL)), (484, 0));
}

/// A result is dropped when it was read, so that there is room for any number of them.
#[test]
fn answers_take_no_room_once_they_are_read() {
    let mut source = String::new();
    for k in 0..120 {
        let more = format!("x2 = add(x1, add({k}, height(I)))\n    O = interval(ZERO, x2, ONE)");
        let many = "x1 = multiply(THOUSAND, multiply(TEN, SIX))";
        writeln!(source, "def solve_large{k}(I):\n    {many}\n    {more}\n    return O").unwrap();
    }
    let mut card = Card::new(Options::default());
    for program in parsed(&source) {
        card.add(&program);
    }
    let battery = card.deal();
    let sample = Sample { task: 0, input: input(0).to_value(), compared: None, expected: None };
    let tasks = [batt_lang::Value::empty_tuple()];
    let (phase, timed, verdicts) = (Phase::Outputs, false, false);
    let setup = Setup { battery: &battery, phase, tasks: &tasks, timed, verdicts, stop: &NEVER };
    let (rows, counters) = Cpu::default().load(setup).run(&[sample]);
    assert!(rows[0].iter().all(|cell| matches!(cell, Cell::Value(_))));
    // All of them together are more than a hundred.
    assert!(counters.worker_bytes < 48 << 20, "{}", counters.worker_bytes);
}

/// A program whose values are more than the arenas hold is handed back, and nothing beside it.
#[test]
fn only_what_finds_no_room_at_all_is_handed_back() {
    let mut source = String::from("def solve_large(I):\n");
    for k in 0..120 {
        writeln!(source, "    x{k} = interval(ZERO, add(60000, add({k}, height(I))), ONE)")
            .unwrap();
    }
    // All of them are there until the first and the last one were compared.
    writeln!(source, "    y0 = equality(x0, x119)").unwrap();
    for k in 1..120 {
        let other = 119 - k;
        writeln!(source, "    y{k} = both(y{}, equality(x{k}, x{other}))", k - 1).unwrap();
    }
    source += "    return y119\n";
    assert_eq!(answers(&(source + SMALL)), (6, 2));
}

fn example(sample: usize) -> Example {
    Example { input: input(sample), output: None }
}
