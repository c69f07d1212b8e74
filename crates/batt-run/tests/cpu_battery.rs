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
    assert_eq!(compare(&parsed(source), &[task], Options::default()), (6, 0));
}

/// A loop within a loop over items from further out, in a body that needs both, and over its own items.
#[test]
fn hoisted_loops_agree() {
    let source = "
def solve_near(I):
    x1 = objects(I, T, F, T)
    x2 = asindices(I)
    x3 = lbind(sfilter, x2)
    x4 = compose(decrement, first)
    x5 = lbind(lbind, greater)
    x6 = compose(x5, size)
    x7 = rbind(compose, x4)
    x8 = chain(x3, x7, x6)
    O = mapply(x8, x1)
    return O

def solve_pairs(I):
    x1 = objects(I, T, F, T)
    x2 = lbind(lbind, manhattan)
    x3 = lbind(rbind, apply)
    x4 = x3(x1)
    x5 = compose(x4, x2)
    O = apply(x5, x1)
    return O
";
    let data = tasks::embedded();
    let (compared, back) = compare(&parsed(source), data.tasks(), Options::default());
    assert!(compared > 100 && back == 0, "{back} of {compared}");
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
