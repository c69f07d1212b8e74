//! Merged equals alone: every program of a battery gives what it gives by itself.

use batt_lang::card::{Card, Options, Policy};
use batt_lang::program::{Definition, Program};
use batt_lang::{Value, text};
use batt_run::engine::{Cell, Engine, Phase, Sample, Setup, reference::Reference};
use batt_run::reference::eval::{self, Inputs};

fn programs(source: &str) -> Vec<Program> {
    let module = text::parse(source);
    assert!(module.problems.is_empty(), "{:?}", module.problems);
    module
        .definitions
        .into_iter()
        .filter_map(|d| match d {
            Definition::Program(p) => Some(p),
            Definition::Generated(_) => None,
        })
        .collect()
}

/// Compares a battery of `programs` with each program alone; gives how many pairs were compared
/// and how many the engine handed back.
fn compare(
    programs: &[Program],
    tasks: &[(Value, Vec<Value>)],
    options: Options,
) -> (usize, usize) {
    let mut card = Card::new(options);
    for program in programs {
        card.add(program);
    }
    let battery = card.deal();
    let pairs: Vec<Value> = tasks.iter().map(|(s, _)| s.clone()).collect();
    let loaded = Reference.load(Setup {
        battery: &battery,
        phase: Phase::Outputs,
        tasks: &pairs,
        timed: false,
    });
    let (mut compared, mut handed_back) = (0, 0);
    for (task, (s, inputs)) in tasks.iter().enumerate() {
        for input in inputs {
            let sample = Sample { task, input: input.clone(), compared: None };
            let (rows, _) = loaded.run(&[sample]);
            for (program, cell) in programs.iter().zip(&rows[0]) {
                compared += 1;
                if *cell == Cell::HandBack {
                    handed_back += 1;
                    continue;
                }
                let alone = eval::run(program, &Inputs { s, i: input, c: None }, options.policy);
                match (&alone, cell) {
                    (Ok(a), Cell::Value(b)) if a == b => {}
                    (Err(_), Cell::Error(..)) => {}
                    _ => panic!(
                        "{}: alone {alone:?}, merged {cell:?}\n{}\n{}",
                        program.name,
                        text::print(program),
                        battery.disassemble()
                    ),
                }
            }
        }
    }
    (compared, handed_back)
}

#[test]
fn public_programs_merge() {
    let (Ok(dir), Ok(data)) = (std::env::var("BATT_ARC_DSL"), std::env::var("BATT_ARC_DATA"))
    else {
        println!("BATT_ARC_DSL and BATT_ARC_DATA are not set: not checked");
        return;
    };
    let source = std::fs::read_to_string(format!("{dir}/solvers.py")).unwrap();
    let programs = programs(&source);
    let json: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(data).unwrap()).unwrap();
    let grid = |v: &serde_json::Value| -> Value {
        let rows: Vec<Vec<i32>> = serde_json::from_value(v.clone()).unwrap();
        Value::grid(&rows)
    };
    let mut tasks = Vec::new();
    for (_, task) in json["train"].as_object().unwrap() {
        let demos = task["train"].as_array().unwrap();
        let tests = task["test"].as_array().unwrap();
        let s = Value::tuple(
            demos
                .iter()
                .map(|d| Value::tuple(vec![grid(&d["input"]), grid(&d["output"])]))
                .collect(),
        );
        tasks.push((s, demos.iter().chain(tests).map(|e| grid(&e["input"])).collect::<Vec<_>>()));
    }
    let t = std::time::Instant::now();
    let mut card = Card::new(Options::default());
    for p in &programs {
        card.add(p);
    }
    let battery = card.deal();
    println!("dealt in {:?}", t.elapsed());
    let stats = battery.stats();
    println!(
        "{} lines, {} expressions, {} slots, {} dynamic, {} hoisted, {} folded, {} fused",
        card.census().lines(),
        card.census().expressions(),
        stats.slots,
        stats.dynamic,
        stats.hoisted,
        stats.folded,
        stats.fused
    );
    for (name, program) in battery.programs().iter().map(|e| (e.name.clone(), e)).take(0) {
        println!("{name} {program:?}");
    }
    let limit = std::env::var("N").ok().and_then(|n| n.parse().ok()).unwrap_or(3);
    let t = std::time::Instant::now();
    let some: Vec<Program> =
        programs.iter().filter(|p| p.name != "solve_a64e4611").cloned().collect();
    for policy in [Policy::Strict, Policy::Safe] {
        for fuse in [true, false] {
            println!(
                "{policy:?} {fuse} {:?} {:?}",
                compare(&some, &tasks[..limit], Options { policy, fuse }),
                t.elapsed()
            );
        }
    }
}

/// A count known at run time only, good and bad, called and not called.
#[test]
fn powers_with_a_computed_count_merge() {
    let source = "
def solve_called(I):
    x1 = first(first(I))
    O = power(trim, x1)(I)
    return O
def solve_not_called(I):
    x1 = first(first(I))
    O = apply(power(trim, x1), sfilter(I, compose(flip, size)))
    return O
def solve_in_a_loop(I):
    O = apply(power(increment, first(last(I))), first(I))
    return O
";
    let programs = programs(source);
    let grid = |n: i32| Value::grid(&[[n, 1, 2, 3, 4], [0; 5], [5; 5], [6; 5], [n, 2, 3, 4, 5]]);
    let inputs: Vec<Value> = [-1, 0, 1, 2, 3, 1000].map(grid).to_vec();
    for policy in [Policy::Strict, Policy::Safe] {
        for fuse in [true, false] {
            let tasks = [(Value::empty_tuple(), inputs.clone())];
            assert_eq!(compare(&programs, &tasks, Options { policy, fuse }), (18, 0));
        }
    }
}
