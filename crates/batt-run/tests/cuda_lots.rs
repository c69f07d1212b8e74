//! Programs in lots on several streams give what they give in one battery on one stream.

use std::sync::Arc;

use batt_cuda::device::Device;
use batt_lang::Value;
use batt_lang::battery::Battery;
use batt_lang::card::{Card, Options};
use batt_lang::program::Definition;
use batt_ptx::Emulator;
use batt_run::engine::cpu::Cpu;
use batt_run::engine::cuda::{Cuda, Room};
use batt_run::engine::{Cell, Counters, Engine, Phase, Row, Sample, Setup};
use batt_run::programs;
use batt_run::stop::NEVER;
use batt_run::tasks;

const ROOM: Room = Room::Bytes(16 << 20);

/// The built-in programs in one battery.
fn battery() -> Battery {
    let mut card = Card::new(Options::default());
    for (_, source) in programs::embedded() {
        for definition in batt_lang::text::parse(source).definitions {
            if let Definition::Program(program) = definition {
                card.add(&program);
            }
        }
    }
    card.deal()
}

/// Some samples, the first of each task.
fn samples() -> (Vec<Value>, Vec<Sample>) {
    let data = tasks::embedded();
    let tasks: Vec<_> = data.tasks().iter().step_by(4).collect();
    let sample = |(task, t): (usize, &&tasks::Task)| Sample {
        task,
        input: t.demos[0].input.to_value(),
        compared: None,
        expected: None,
    };
    let samples = tasks.iter().enumerate().map(sample).collect();
    (tasks.iter().map(|task| task.pairs()).collect(), samples)
}

/// Streams of one device: what one of them brings there the others read.
fn streams(count: usize) -> Vec<Arc<dyn Device>> {
    let device: Arc<dyn Device> = Arc::new(Emulator::new(96 << 20).unwrap());
    vec![device; count]
}

fn run(engine: &dyn Engine, battery: &Battery) -> (Vec<Row>, Counters) {
    let (tasks, samples) = samples();
    let phase = Phase::Outputs;
    engine
        .load(Setup { battery, phase, tasks: &tasks, timed: false, verdicts: false, stop: &NEVER })
        .run(&samples)
}

#[test]
fn lots_on_streams_give_the_same() {
    let battery = battery();
    let (expected, _) = run(&Cpu::default(), &battery);
    assert!(expected.iter().flatten().all(|cell| *cell != Cell::HandBack));
    let (one, alone) = run(&Cuda::new(streams(1), ROOM), &battery);
    assert_eq!(one, expected);
    for (many, lots) in [(1, 3), (2, 2), (3, 5)] {
        let cuda = Cuda::with_streams(vec![streams(many)], ROOM).with_lots(lots);
        let (rows, counters) = run(&cuda, &battery);
        assert_eq!(rows, expected, "{lots} lots on {many} streams");
        assert_eq!(cuda.starts().len(), 1, "streams are no devices");
        assert_eq!(counters.device.rows, counters.rows());
        // What two lots need is computed twice, and no more than that.
        assert!(counters.rows() >= alone.rows() && counters.rows() < 2 * alone.rows());
        let again = run(&cuda, &battery);
        assert_eq!((again.0, again.1.rows()), (rows, counters.rows()));
    }
}

#[test]
fn lots_that_take_long_are_shared_out() {
    let battery = battery();
    let (tasks, samples) = samples();
    let (expected, _) = run(&Cpu::default(), &battery);
    let cuda = Cuda::with_streams(vec![streams(3)], ROOM).with_lots(2).with_shares(1);
    let phase = Phase::Outputs;
    let setup = Setup {
        battery: &battery,
        phase,
        tasks: &tasks,
        timed: false,
        verdicts: false,
        stop: &NEVER,
    };
    let ready = cuda.load(setup);
    let (first, whole) = ready.run(&samples);
    // Now it is known how long each lot takes.
    let (second, shared) = ready.run(&samples);
    assert_eq!([&first, &second], [&expected, &expected]);
    assert_eq!(shared.rows(), whole.rows());
    assert!(shared.device.kernels > whole.device.kernels, "{:?} {:?}", shared.device, whole.device);
}

#[test]
fn two_devices_share_the_lots() {
    let battery = battery();
    let (expected, _) = run(&Cpu::default(), &battery);
    let cuda = Cuda::with_streams(vec![streams(2), streams(1)], ROOM).with_lots(4);
    assert_eq!(run(&cuda, &battery).0, expected);
    assert_eq!(cuda.starts().len(), 2);
    assert_eq!(cuda.failures(), []);
}

/// Turns the grid as often as it has ones.
const LONG: &str = "def solve_long(I):
    x1 = colorcount(I, ONE)
    x2 = power(rot90, x1)
    O = x2(I)
    return O
";

#[test]
fn the_rest_of_a_long_power_runs_on_the_cpu() {
    let mut card = Card::new(Options::default());
    for definition in batt_lang::text::parse(LONG).definitions {
        if let Definition::Program(program) = definition {
            card.add(&program);
        }
    }
    let battery = card.deal();
    let few = Value::grid(&[[1, 2], [3, 4]]);
    let many = Value::grid(&[[1; 6]; 5]);
    let sample = |at: usize| Sample {
        task: 0,
        input: if at == 33 { many.clone() } else { few.clone() },
        compared: None,
        expected: None,
    };
    let samples: Vec<Sample> = (0..40).map(sample).collect();
    let tasks = [Value::empty_tuple()];
    let run = |engine: &dyn Engine, samples: &[Sample]| {
        let (battery, phase) = (&battery, Phase::Outputs);
        let setup =
            Setup { battery, phase, tasks: &tasks, timed: false, verdicts: false, stop: &NEVER };
        engine.load(setup).run(samples)
    };
    let cuda = Cuda::new(streams(1), ROOM);
    let (rows, counters) = run(&cuda, &samples);
    assert_eq!(rows, run(&Cpu::default(), &samples).0);
    assert_eq!(counters.again, [(33, 0)], "one sample has 30 steps");
    // Alone it is not few rows among many.
    assert_eq!(run(&cuda, &samples[33..34]).1.again, []);
}

#[test]
fn cores_that_take_part_change_no_answer() {
    let battery = battery();
    let (tasks, samples) = samples();
    let (expected, _) = run(&Cpu::default(), &battery);
    for (many, lots, cores) in [(1, 3, 1), (2, 4, 2), (2, 7, 5)] {
        let streams = vec![streams(many)];
        let cuda = Cuda::with_streams(streams, ROOM).with_lots(lots).with_cores(cores);
        let (battery, phase) = (&battery, Phase::Outputs);
        let setup =
            Setup { battery, phase, tasks: &tasks, timed: false, verdicts: false, stop: &NEVER };
        let ready = cuda.load(setup);
        // What each side takes is not known, then it is.
        for _ in 0..3 {
            let (rows, counters) = ready.run(&samples);
            assert_eq!(rows, expected, "{lots} lots on {many} streams and {cores} cores");
            let device = counters.device;
            assert!(device.core_pairs <= (samples.len() * battery.programs().len()) as u64);
            assert!(device.core_pairs > 0, "an emulator is slow, so cores come in time");
        }
        let report = cuda.device_report().unwrap();
        assert!(report.core_share > 0.0 && report.core_share <= 1.0, "{report:?}");
    }
}

#[test]
fn marks_are_the_same_with_cores_beside_a_device() {
    let battery = battery();
    let (tasks, mut samples) = samples();
    let data = tasks::embedded();
    for sample in &mut samples {
        let task = data.tasks().iter().step_by(4).nth(sample.task).unwrap();
        sample.expected = task.demos[0].output.as_ref().map(tasks::Grid::to_value);
    }
    let marks = |engine: &dyn Engine| {
        let (battery, phase) = (&battery, Phase::Outputs);
        let setup =
            Setup { battery, phase, tasks: &tasks, timed: false, verdicts: false, stop: &NEVER };
        engine.load(setup).marks(&samples).0
    };
    let expected = marks(&Cpu::default());
    // What a device hands back has no mark.
    let agree = |engine: &dyn Engine| {
        let found = marks(engine);
        let both = found.iter().flatten().zip(expected.iter().flatten());
        let marked = both.filter(|(found, _)| found.is_some());
        assert!(marked.clone().all(|(found, expected)| found == expected));
        (found.len(), marked.count())
    };
    let cuda = Cuda::with_streams(vec![streams(2)], ROOM).with_lots(5);
    let (samples, alone) = agree(&cuda);
    let (_, beside) = agree(&cuda.with_cores(2));
    assert!(alone > 9 * samples * battery.programs().len() / 10, "{alone}");
    assert!(beside >= alone, "cores hand nothing back: {beside} and {alone}");
}

#[test]
fn inputs_go_up_once_for_all_lots() {
    let battery = battery();
    let up = |lots| {
        let cuda = Cuda::with_streams(vec![streams(2)], ROOM).with_lots(lots);
        run(&cuda, &battery).1.device.bytes_up
    };
    let (one, many) = (up(1), up(6));
    assert!(one > 0 && many < one + one / 4, "{one} and {many}");
}
