//! The budget of work: what is known of it before anything runs is never too little, and every engine comes
//! to the same end on both sides of it.

#[path = "common/values.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod values;

use std::fmt::Write;

use batt_cpu::Set;
use batt_lang::card::{Card, Options, Policy};
use batt_lang::limits::{MAX_ELEMENTS, MAX_WORK};
use batt_lang::ops::size::{self, Size};
use batt_lang::ops::{Op, Role};
use batt_lang::program::{Definition, Program};
use batt_lang::{FaultKind, Prim, Value, text};
use batt_run::engine::cpu::Cpu;
use batt_run::engine::reference::Reference;
use batt_run::engine::{Cell, Engine, Phase, Sample, Setup};
use batt_run::reference::Machine;
use batt_run::reference::eval::{self, Inputs};
use batt_run::stop::NEVER;
use values::Random;

#[test]
fn sizes_are_never_too_small() {
    let mut random = Random(11);
    let ops: Vec<Op> = Op::ALL.iter().copied().filter(|op| op.info().role == Role::Pure).collect();
    let mut told = 0;
    for round in 0..120_000 {
        let op = ops[round % ops.len()];
        let first = random.value();
        let args: Vec<Value> = (0..op.info().params.len())
            .map(|at| match (at, random.below(4)) {
                (0, _) => first.clone(),
                (_, 0) => random.int(),
                (_, 1) => random.like(&first),
                (_, 2) => Value::Pair(random.range(-3, 9), random.range(-3, 9)),
                _ => random.value(),
            })
            .collect();
        let Ok(given) = Machine::default().prim(Prim::from(op), &args) else { continue };
        let sizes: Vec<Size> = args.iter().map(Size::of).collect();
        let most = size::result(op, |at| sizes[at], |at| args[at].as_int());
        let real = Size::of(&given);
        let held = real.all <= most.all && real.far <= most.far;
        // A value that is no container has no items.
        let within = real.item <= most.item && real.side <= most.side;
        let items = given.elements_of().is_none() || within;
        assert!(held && items, "{op:?} {args:?}\n{given}\n{real:?} {most:?}");
        told += u32::from(most.elements() < MAX_ELEMENTS);
        if let Some(spread) = size::spread(op) {
            let all: u64 = args.iter().map(|arg| u64::from(arg.elements().max(1))).sum();
            let most = u64::from(spread) * all + size::APART;
            assert!(u64::from(given.elements()) <= most, "{op:?} {args:?}\n{given}");
        }
    }
    assert!(told > 10_000, "too little is known: {told}");
}

fn programs(source: &str) -> Vec<Program> {
    let module = text::parse(source);
    assert!(module.problems.is_empty(), "{:?}", module.problems);
    let programs = module.definitions.into_iter().filter_map(|definition| match definition {
        Definition::Program(program) => Some(program),
        _ => None,
    });
    programs.collect()
}

fn input() -> Value {
    Value::grid(&[[1, 2, 3], [4, 5, 6]])
}

fn engine_rows(engine: &dyn Engine, programs: &[&Program], options: Options) -> Vec<Cell> {
    let mut card = Card::new(options);
    for program in programs {
        card.add(program);
    }
    let battery = card.deal();
    let tasks = [Value::empty_tuple()];
    let sample = Sample { task: 0, input: input(), compared: None, expected: None };
    let setup = Setup {
        battery: &battery,
        phase: Phase::Outputs,
        tasks: &tasks,
        timed: false,
        verdicts: false,
        stop: &NEVER,
    };
    // Two samples, since a block is no single row.
    let (rows, _) = engine.load(setup).run(&[sample.clone(), sample]);
    assert_eq!(rows[0], rows[1]);
    rows.into_iter().next().unwrap()
}

fn alone(program: &Program, policy: Policy) -> eval::Outcome {
    let s = Value::empty_tuple();
    eval::run(program, &Inputs { s: &s, i: &input(), c: None }, policy)
}

/// Compares engines, merged and alone, with the interpreter; gives how many answers were handed back.
fn compare(source: &str) -> usize {
    let programs = programs(source);
    let engines: [&dyn Engine; 3] = [&Reference, &Cpu::default(), &Cpu::with(Set::Portable)];
    let mut back = 0;
    for policy in [Policy::Strict, Policy::Safe] {
        let expected: Vec<_> = programs.iter().map(|program| alone(program, policy)).collect();
        for (engine, fuse) in engines.iter().flat_map(|engine| [(engine, true), (engine, false)]) {
            let options = Options { policy, fuse };
            let together: Vec<&Program> = programs.iter().collect();
            let merged = engine_rows(*engine, &together, options);
            let single = programs.iter().map(|one| engine_rows(*engine, &[one], options).remove(0));
            for (cells, how) in [(merged, "merged"), (single.collect(), "alone")] {
                for ((cell, expected), program) in cells.iter().zip(&expected).zip(&programs) {
                    match (cell, expected) {
                        (Cell::HandBack, _) => {
                            println!(
                                "{} {how} {options:?} hands back {}",
                                engine.name(),
                                program.name
                            );
                            back += 1;
                        }
                        (Cell::Error(..), Err(_)) => {}
                        (Cell::Value(a), Ok(b)) if a == b => {}
                        _ => panic!(
                            "{} {how} {options:?}: {cell:?}, not {expected:?}\n{}",
                            engine.name(),
                            text::print(program)
                        ),
                    }
                }
            }
        }
    }
    back
}

/// What it takes to compare something with the largest grid: two for the call and what it is given, the
/// grid, and two for the body and what it gives.
const EACH: u64 = 4 + MAX_ELEMENTS as u64;
/// So many bodies are within the budget, and one more is not.
const MOST: u64 = MAX_WORK / EACH;

/// Lines that make `f`, which takes [`EACH`].
const LARGE: &str = "    x1 = astuple(256, 256)\n    x2 = canvas(ZERO, x1)\n    \
                     f = rbind(equality, x2)\n";

fn around_the_edge(lines: impl Fn(u64) -> String, edge: u64) {
    let mut source = String::new();
    for n in [edge - 1, edge, edge + 1] {
        let _ = writeln!(source, "def solve_{n}(I):\n{LARGE}{}    return O\n", lines(n));
    }
    let results: Vec<_> =
        programs(&source).iter().map(|program| alone(program, Policy::Strict)).collect();
    assert!(results[0].is_ok() && results[1].is_ok(), "{results:?}\n{source}");
    let kind = results[2].as_ref().map_err(|trouble| trouble.fault.kind);
    assert_eq!(kind, Err(FaultKind::Size), "{source}");
    compare(&source);
}

#[test]
fn loops_end_alike_around_the_edge() {
    around_the_edge(|n| format!("    x3 = interval(0, {n}, 1)\n    O = apply(f, x3)\n"), MOST);
    around_the_edge(|n| format!("    x3 = interval(0, {n}, 1)\n    O = sfilter(x3, f)\n"), MOST);
    around_the_edge(|n| format!("    x3 = interval(0, {n}, 1)\n    O = valmax(x3, f)\n"), MOST);
    // Several loops over one container, each with a budget of its own.
    around_the_edge(
        |n| {
            format!(
                "    x3 = interval(0, {n}, 1)\n    x4 = apply(f, x3)\n    x5 = argmin(x3, f)\n    \
                 x6 = apply(increment, x3)\n    O = astuple(x4, astuple(x5, x6))\n"
            )
        },
        MOST,
    );
}

#[test]
fn nests_end_alike_around_the_edge() {
    // An inner call takes three with what it is given, `size` one, and the outer body two.
    let inner = 2 * EACH + 3 + 1 + 2;
    around_the_edge(
        |n| {
            format!(
                "    x3 = interval(0, {n}, 1)\n    x4 = pair(x3, x3)\n    x5 = lbind(apply, f)\n    \
                 x6 = compose(size, x5)\n    O = apply(x6, x4)\n"
            )
        },
        MAX_WORK / inner,
    );
    around_the_edge(
        |n| {
            format!(
                "    x3 = interval(0, {n}, 1)\n    x4 = rbind(astuple, ONE)\n    \
                 x5 = chain(size, lbind(apply, f), x4)\n    O = apply(x5, x3)\n"
            )
        },
        // `astuple` takes one more.
        MAX_WORK / (inner + 1),
    );
}

#[test]
fn powers_end_alike_around_the_edge() {
    // 33 bodies of `f`, and what the `power` inside gives.
    let inner = 33 * EACH + 2;
    around_the_edge(
        |n| format!("    x3 = power(f, 33)\n    x4 = power(x3, {n})\n    O = x4(ONE)\n"),
        MAX_WORK / inner,
    );
}

#[test]
fn what_ends_early_takes_what_it_took() {
    let first =
        "    x3 = interval(0, 5000, 1)\n    x4 = compose(flip, f)\n    O = extract(x3, x4)\n";
    let source = format!("def solve_first(I):\n{LARGE}{first}    return O\n");
    assert_eq!(alone(&programs(&source)[0], Policy::Strict), Ok(Value::Int(0)));
    compare(&source);
    let last = first.replace("compose(flip, f)", "f");
    let source = format!("def solve_last(I):\n{LARGE}{last}    return O\n");
    let kind = alone(&programs(&source)[0], Policy::Strict).map_err(|trouble| trouble.fault.kind);
    assert_eq!(kind, Err(FaultKind::Size));
    compare(&source);
}

#[test]
fn what_bodies_make_of_little_counts() {
    for line in [
        "    x3 = chain(size, asobject, rbind(canvas, x1))\n    O = apply(x3, interval(0, 3000, 1))\n",
        "    x3 = lbind(shift, asobject(x2))\n    O = mapply(x3, asindices(x2))\n",
        "    x3 = asindices(x2)\n    x4 = lbind(combine, x3)\n    x5 = chain(size, x4, initset)\n    \
         O = apply(x5, x3)\n",
        "    x3 = power(vmirror, 511)\n    x4 = power(x3, 512)\n    O = x4(x2)\n",
    ] {
        let source = format!("def solve_much(I):\n{LARGE}{line}    return O\n");
        let result = alone(&programs(&source)[0], Policy::Strict);
        let kind = result.map_err(|trouble| trouble.fault.kind);
        assert_eq!(kind, Err(FaultKind::Size), "{line}");
        compare(&source);
    }
}

#[test]
fn what_is_far_from_the_budget_is_not_handed_back() {
    let source = format!(
        "def solve_few(I):\n{LARGE}    x3 = interval(0, 400, 1)\n    x4 = apply(f, x3)\n    \
         x5 = asindices(canvas(ZERO, astuple(30, 30)))\n    x6 = mapply(neighbors, x5)\n    \
         x7 = mapply(lbind(shift, initset(ORIGIN)), x6)\n    x8 = rbind(difference, x7)\n    \
         x9 = compose(size, compose(x8, initset))\n    O = astuple(x4, apply(x9, x5))\n    return O\n"
    );
    assert_eq!(compare(&source), 0);
}
