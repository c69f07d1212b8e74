//! Runs programs on an emulated device and on the reference engine.

use std::sync::Arc;

use batt_lang::Value;
use batt_lang::battery::Battery;
use batt_lang::card::{Card, Options};
use batt_lang::program::Definition;
use batt_ptx::Emulator;
use batt_run::engine::cuda::{Cuda, Room};
use batt_run::engine::reference::Reference;
use batt_run::engine::{Cell, Counters, Engine, Phase, Row, Sample, Setup};
use batt_run::stop::NEVER;

/// A battery of some programs.
pub fn battery(source: &str) -> Battery {
    let mut card = Card::new(Options::default());
    for definition in batt_lang::text::parse(source).definitions {
        if let Definition::Program(program) = definition {
            card.add(&program);
        }
    }
    card.deal()
}

/// A grid of a side, with four colours.
pub fn sample(side: i32) -> Sample {
    let row = |i: i32| (0..side).map(|j| Value::Int((i * 7 + j * j) % 4)).collect();
    let input = Value::tuple((0..side).map(|i| Value::tuple(row(i))).collect());
    Sample { task: 0, input, compared: None, expected: None }
}

/// Runs a battery on samples.
pub fn run(engine: &dyn Engine, battery: &Battery, samples: &[Sample]) -> (Vec<Row>, Counters) {
    let tasks = [Value::empty_tuple()];
    let setup = Setup {
        battery,
        phase: Phase::Outputs,
        tasks: &tasks,
        timed: false,
        verdicts: false,
        stop: &NEVER,
    };
    engine.load(setup).run(samples)
}

/// A device.
pub fn device() -> Arc<Emulator> {
    // `PTX=FILE` tries kernels that are not checked in yet.
    let device = match std::env::var_os("PTX") {
        Some(file) => Emulator::of(&std::fs::read_to_string(file).unwrap(), 128 << 20),
        None => Emulator::new(128 << 20),
    };
    Arc::new(device.unwrap())
}

/// Compares both engines; how many kernels ran, and how many cells are values.
pub fn compare(source: &str, sides: &[i32]) -> (u64, usize) {
    let cuda = Cuda::new(vec![device()], Room::Bytes(96 << 20));
    let battery = battery(source);
    let samples: Vec<Sample> = sides.iter().map(|side| sample(*side)).collect();
    let (rows, counters) = run(&cuda, &battery, &samples);
    assert_eq!(cuda.failures(), []);
    let back: u64 = counters.slots.iter().map(|slot| slot.handed_back).sum();
    assert_eq!(back, 0, "{source}");
    let (expected, _) = run(&Reference, &battery, &samples);
    for (row, expected) in rows.iter().zip(&expected) {
        for ((cell, expected), program) in row.iter().zip(expected).zip(battery.programs()) {
            match (cell, expected) {
                (Cell::Error(a, _), Cell::Error(b, _)) => {
                    assert_eq!(a.kind, b.kind, "{}", program.name);
                }
                _ => assert!(cell == expected, "{}: {cell:?}", program.name),
            }
        }
    }
    let values = rows.iter().flatten().filter(|cell| matches!(cell, Cell::Value(_))).count();
    (counters.device.kernels, values)
}
