//! Work that is told to stop ends inside of a batch, and what was not done is neither an answer nor an
//! error.

use std::fmt::Write;
use std::sync::Arc;
use std::time::{Duration, Instant};

use batt_lang::Value;
use batt_lang::card::{Card, Options, Policy};
use batt_lang::program::Definition;
use batt_ptx::Emulator;
use batt_run::engine::cpu::Cpu;
use batt_run::engine::cuda::{Cuda, Room};
use batt_run::engine::reference::Reference;
use batt_run::engine::{Cell, Engine, Phase, Sample, Setup};
use batt_run::reference::eval::{self, Inputs};
use batt_run::stop::{NEVER, Stop, Watcher};

/// How many programs there are, each of which turns a large grid around again and again.
const PROGRAMS: usize = 300;
/// A time that is no measure, but shows that something ended.
const SOON: Duration = Duration::from_secs(60);

fn source() -> String {
    let mut source = String::from("def solve_quick(I):\n    O = hmirror(I)\n    return O\n\n");
    for k in 0..PROGRAMS {
        let (height, width) = (200 + k % 20, 200 + k / 20);
        let _ = write!(
            source,
            "def solve_{k}(I):\n    x1 = index(I, ORIGIN)\n    x2 = astuple({height}, {width})\n    \
             x3 = canvas(x1, x2)\n    x4 = compose(dmirror, vmirror)\n    x5 = power(x4, 99)\n    \
             x6 = x5(x3)\n    O = crop(x6, ORIGIN, TWO_BY_TWO)\n    return O\n\n"
        );
    }
    source
}

/// Runs all programs on some samples until a time has come; gives the cells.
fn run(engine: &dyn Engine, samples: usize, stop: &Stop) -> Vec<Cell> {
    let mut card = Card::new(Options::default());
    for definition in batt_lang::text::parse(&source()).definitions {
        if let Definition::Program(program) = definition {
            card.add(&program);
        }
    }
    let battery = card.deal();
    let tasks = [Value::empty_tuple()];
    let input = Value::grid(&[[1, 2], [3, 4]]);
    let sample = Sample { task: 0, input, compared: None, expected: None };
    let setup = Setup {
        battery: &battery,
        phase: Phase::Outputs,
        tasks: &tasks,
        timed: false,
        verdicts: false,
        stop,
    };
    let (rows, _) = engine.load(setup).run(&vec![sample; samples]);
    assert_eq!(rows.len(), samples);
    rows.concat()
}

fn ends_inside(engine: &dyn Engine) {
    let started = Instant::now();
    let watcher = Watcher::new(None, Some(started + Duration::from_millis(300)));
    // As many as one block has.
    let cells = run(engine, 16, watcher.stop());
    assert!(watcher.stop().fired(), "{:?} were not enough", started.elapsed());
    assert!(started.elapsed() < SOON, "{:?}", started.elapsed());
    let stopped = cells.iter().filter(|cell| **cell == Cell::Stopped).count();
    println!("{}: {stopped} of {} stopped, {:?}", engine.name(), cells.len(), started.elapsed());
    assert!(stopped > PROGRAMS, "{stopped}");
    // What is there is right: colours of a grid of one colour, and the quick program's output.
    let right = [Value::grid(&[[3, 4], [1, 2]]), Value::grid(&[[1, 1], [1, 1]])];
    for cell in cells {
        match cell {
            Cell::Stopped => {}
            Cell::Value(value) => assert!(right.contains(&value), "{value}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn the_cpu_engine_ends_inside_a_block() {
    ends_inside(&Cpu::default());
}

#[test]
fn the_reference_engine_ends_inside_a_sample() {
    ends_inside(&Reference);
}

#[test]
fn a_device_ends_between_kernels() {
    let device = Emulator::new(256 << 20).unwrap();
    let cuda = Cuda::new(vec![Arc::new(device)], Room::Bytes(64 << 20));
    ends_inside(&cuda);
    assert_eq!((cuda.failures(), cuda.left_out()), (vec![], vec![]), "it works as before");
}

#[test]
fn nothing_begins_after_a_stop() {
    let stop = Stop::new();
    stop.fire();
    let device = Arc::new(Emulator::new(64 << 20).unwrap());
    let cuda = Cuda::new(vec![device], Room::Bytes(16 << 20));
    for engine in [&Cpu::default() as &dyn Engine, &Reference, &cuda] {
        let cells = run(engine, 2, &stop);
        assert!(cells.iter().all(|cell| *cell == Cell::Stopped), "{}", engine.name());
    }
}

#[test]
fn the_interpreter_gives_nothing_after_a_stop() {
    let parsed = batt_lang::text::parse(&source()).definitions.into_iter().nth(1);
    let Some(Definition::Program(program)) = parsed else { panic!("a program") };
    let (s, i) = (Value::empty_tuple(), Value::grid(&[[1, 2], [3, 4]]));
    let inputs = Inputs { s: &s, i: &i, c: None };
    let alone = eval::run_until(&program, &inputs, Policy::Strict, &NEVER);
    assert_eq!(alone, Some(eval::run(&program, &inputs, Policy::Strict)));
    let stop = Stop::new();
    stop.fire();
    assert_eq!(eval::run_until(&program, &inputs, Policy::Strict, &stop), None);
}
