//! The fast engine gives what the reference engine gives, for whole batteries.

use std::collections::BTreeMap;

use batt_lang::battery::Battery;
use batt_lang::card::{Card, Options, Policy};
use batt_lang::program::{Definition, Program};
use batt_lang::{Value, text};
use batt_run::engine::cpu::Cpu;
use batt_run::engine::{Cell, Counters, Engine, Phase, Row, Sample, Setup, reference::Reference};
use batt_run::{programs, tasks};

fn parsed(source: &str) -> Vec<Program> {
    let program = |d| match d {
        Definition::Program(p) => Some(p),
        Definition::Generated(_) => None,
    };
    text::parse(source).definitions.into_iter().filter_map(program).collect()
}

fn run(
    engine: &dyn Engine,
    battery: &Battery,
    tasks: &[Value],
    samples: &[Sample],
) -> (Vec<Row>, Counters) {
    let setup = Setup { battery, phase: Phase::Outputs, tasks, timed: false, verdicts: false };
    engine.load(setup).run(samples)
}

/// Compares both engines; gives how many cells were compared and handed back, and by what.
fn compare(programs: &[Program], data: &[tasks::Task], options: Options) -> (usize, usize) {
    let mut card = Card::new(options);
    for program in programs {
        card.add(program);
    }
    let battery = card.deal();
    let pairs: Vec<Value> = data.iter().map(tasks::Task::pairs).collect();
    let mut samples = Vec::new();
    for (task, t) in data.iter().enumerate() {
        for e in t.demos.iter().chain(&t.tests) {
            samples.push(Sample {
                task,
                input: e.input.to_value(),
                compared: None,
                expected: None,
            });
        }
    }
    let started = std::time::Instant::now();
    let (fast, counters) = run(&Cpu::default(), &battery, &pairs, &samples);
    let fast_time = started.elapsed();
    let (slow, _) = run(&Reference, &battery, &pairs, &samples);
    let slow_time = started.elapsed().saturating_sub(fast_time);
    println!("cpu {fast_time:?}, reference {slow_time:?}");
    let mut causes: BTreeMap<String, u64> = BTreeMap::new();
    for (at, count) in counters.slots.iter().enumerate().filter(|(_, c)| c.handed_back > 0) {
        let text = battery.expression(batt_lang::graph::SlotId(at as u32));
        let name = text.split(['(', ' ']).next().unwrap_or("").to_string();
        *causes.entry(name).or_default() += count.handed_back;
    }
    let mut causes: Vec<_> = causes.into_iter().collect();
    causes.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    println!("handed back by {:?}", &causes[..causes.len().min(25)]);
    let (mut compared, mut back) = (0, 0);
    for (sample, (f, s)) in fast.iter().zip(&slow).enumerate() {
        for (program, (a, b)) in programs.iter().zip(f.iter().zip(s)) {
            compared += 1;
            match (a, b) {
                (Cell::HandBack, _) => back += 1,
                (_, Cell::HandBack) | (Cell::Error(..), Cell::Error(..)) => {}
                (Cell::Value(a), Cell::Value(b)) if a == b => {}
                _ => panic!(
                    "sample {sample}: cpu {a:?}, reference {b:?}\n{}\n{}",
                    text::print(program),
                    samples[sample].input
                ),
            }
        }
    }
    println!("{compared} compared, {back} handed back");
    (compared, back)
}

#[test]
fn embedded_programs_agree() {
    let sources = programs::embedded();
    let programs: Vec<Program> = sources.iter().flat_map(|(_, source)| parsed(source)).collect();
    let data = tasks::embedded();
    for policy in [Policy::Strict, Policy::Safe] {
        compare(&programs, data.tasks(), Options { policy, fuse: true });
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
    assert_eq!(compare(&parsed(source), &[task], Options::default()), (8, 0));
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
    compare(&programs, &data.tasks()[..count], Options::default());
}
