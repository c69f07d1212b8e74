//! Whole batteries on an engine and on the reference engine.

use std::collections::BTreeMap;

use batt_lang::battery::Battery;
use batt_lang::card::{Card, Options};
use batt_lang::program::{Definition, Program};
use batt_lang::{Value, text};
use batt_run::engine::{Cell, Counters, Engine, Phase, Row, Sample, Setup, reference::Reference};
use batt_run::stop::NEVER;
use batt_run::tasks;

/// Loops within loops over the same items.
const HOISTS: &str = include_str!("../programs/hoists.py");
/// Loops over all items of a container but one.
const PARTS: &str = include_str!("../programs/parts.py");
/// Loops that are dealt as something else.
const ALGEBRA: &str = include_str!("../programs/algebra.py");
/// Loops whose result is found without running their bodies.
const FORMS: &str = include_str!("../programs/forms.py");
/// Rows that repeat, and shapes that no window holds.
const SHAPES: &str = include_str!("../programs/shapes.py");
/// Sets of which only the size is asked for.
const COUNTS: &str = include_str!("../programs/counts.py");
/// What is found in a shorter way than it is written.
const SHORTCUTS: &str = include_str!("../programs/shortcuts.py");
/// Functions that are not called, and values that are not what they are wanted to be.
pub const VALUES: &str = include_str!("../programs/values.py");
/// What one thread of a GPU tells alone, and what many sets are drawn into.
const ALONE: &str = include_str!("../programs/alone.py");
/// All of these.
pub const ALL: [&str; 9] =
    [HOISTS, PARTS, ALGEBRA, FORMS, SHAPES, COUNTS, SHORTCUTS, VALUES, ALONE];

/// The programs of a text.
pub fn parsed(source: &str) -> Vec<Program> {
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
    let setup = Setup {
        battery,
        phase: Phase::Outputs,
        tasks,
        timed: false,
        verdicts: false,
        stop: &NEVER,
    };
    engine.load(setup).run(samples)
}

/// Compares an engine with the reference engine; gives how many cells were compared and handed back, and by what.
pub fn compare(
    engine: &dyn Engine,
    programs: &[Program],
    data: &[tasks::Task],
    options: Options,
) -> (usize, usize) {
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
    let (fast, counters) = run(engine, &battery, &pairs, &samples);
    let fast_time = started.elapsed();
    let (slow, _) = run(&Reference, &battery, &pairs, &samples);
    let slow_time = started.elapsed().saturating_sub(fast_time);
    println!("{} {fast_time:?}, reference {slow_time:?}", engine.name());
    let mut causes: BTreeMap<String, u64> = BTreeMap::new();
    for (at, count) in counters.slots.iter().enumerate().filter(|(_, c)| c.handed_back > 0) {
        let text = battery.expression(batt_lang::graph::SlotId(at as u32));
        let name = text.split(['(', ' ']).next().unwrap_or("").to_string();
        *causes.entry(name).or_default() += count.handed_back;
    }
    let mut causes: Vec<_> = causes.into_iter().collect();
    causes.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    println!("handed back by {:?}", &causes[..causes.len().min(25)]);
    // What a device could not hold, the CPU engine answered.
    let (mut compared, mut back) = (0, counters.again.len());
    for (sample, (f, s)) in fast.iter().zip(&slow).enumerate() {
        for (program, (a, b)) in programs.iter().zip(f.iter().zip(s)) {
            compared += 1;
            match (a, b) {
                (Cell::HandBack, _) => back += 1,
                (_, Cell::HandBack) | (Cell::Error(..), Cell::Error(..)) => {}
                (Cell::Value(a), Cell::Value(b)) if a == b => {}
                _ => panic!(
                    "sample {sample}: {a:?}, reference {b:?}\n{}\n{}",
                    text::print(program),
                    samples[sample].input
                ),
            }
        }
    }
    println!("{compared} compared, {back} handed back");
    (compared, back)
}
