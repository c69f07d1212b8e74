//! Whatever a device does not do, the work is done: failures at every step, memory that is too small.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use batt_cuda::device::{Device, Failure, Kernel, Start};
use batt_lang::Value;
use batt_lang::battery::Battery;
use batt_lang::card::{Card, Options};
use batt_lang::program::Definition;
use batt_ptx::Emulator;
use batt_run::engine::cpu::Cpu;
use batt_run::engine::cuda::{Cuda, Room};
use batt_run::engine::{Cell, Counters, Engine, Phase, Row, Sample, Setup};
use batt_run::tasks;

const SOURCE: &str = "def solve_a(I):
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, size)
    x3 = apply(toindices, x1)
    x4 = merge(x3)
    x5 = fill(I, TWO, x4)
    O = paint(x5, x2)
    return O

def solve_b(I):
    x1 = power(rot90, TWO)
    O = x1(I)
    return O
";

/// A device that fails at one of the calls.
struct Failing {
    inner: Arc<Emulator>,
    calls: AtomicUsize,
    at: usize,
    failure: Failure,
}

impl Failing {
    fn new(inner: &Arc<Emulator>, at: usize, failure: Failure) -> Arc<Failing> {
        Arc::new(Failing { inner: inner.clone(), calls: AtomicUsize::new(0), at, failure })
    }

    fn count(&self) -> Result<(), Failure> {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        if call == self.at { Err(self.failure.clone()) } else { Ok(()) }
    }
}

impl Device for Failing {
    fn name(&self) -> String {
        "failing".to_string()
    }
    fn start(&self) -> Start {
        self.inner.start()
    }
    fn kernel_time(&self) -> Duration {
        self.inner.kernel_time()
    }
    fn processors(&self) -> u32 {
        2
    }
    fn free_memory(&self) -> Result<usize, Failure> {
        self.count()?;
        self.inner.free_memory()
    }
    fn alloc(&self, size: usize) -> Result<u64, Failure> {
        self.count()?;
        self.inner.alloc(size)
    }
    fn free(&self, at: u64) -> Result<(), Failure> {
        self.inner.free(at)
    }
    fn upload(&self, at: u64, bytes: &[u8]) -> Result<(), Failure> {
        self.count()?;
        self.inner.upload(at, bytes)
    }
    fn download(&self, at: u64, bytes: &mut [u8]) -> Result<(), Failure> {
        self.count()?;
        self.inner.download(at, bytes)
    }
    fn clear(&self, at: u64, size: usize) -> Result<(), Failure> {
        self.count()?;
        self.inner.clear(at, size)
    }
    fn kernel(&self, name: &str) -> Result<Kernel, Failure> {
        self.count()?;
        self.inner.kernel(name)
    }
    fn launch(&self, k: Kernel, blocks: u32, threads: u32, p: &[u8]) -> Result<(), Failure> {
        self.count()?;
        self.inner.launch(k, blocks, threads, p)
    }
    fn wait(&self) -> Result<(), Failure> {
        self.count()?;
        self.inner.wait()
    }
}

fn battery() -> Battery {
    let mut card = Card::new(Options::default());
    for definition in batt_lang::text::parse(SOURCE).definitions {
        if let Definition::Program(program) = definition {
            card.add(&program);
        }
    }
    card.deal()
}

fn samples() -> Vec<Sample> {
    let data = tasks::embedded();
    let inputs = data.tasks().iter().flat_map(|task| task.demos.iter()).take(6);
    let sample = |e: &tasks::Example| Sample {
        task: 0,
        input: e.input.to_value(),
        compared: None,
        expected: None,
    };
    inputs.map(sample).collect()
}

fn run(engine: &dyn Engine, battery: &Battery, samples: &[Sample]) -> (Vec<Row>, Counters) {
    let tasks = [Value::empty_tuple()];
    let setup =
        Setup { battery, phase: Phase::Outputs, tasks: &tasks, timed: false, verdicts: false };
    engine.load(setup).run(samples)
}

fn emulator() -> Arc<Emulator> {
    Arc::new(Emulator::new(64 << 20).unwrap())
}

#[test]
fn a_failure_at_any_step_changes_no_answer() {
    let (battery, samples, inner) = (battery(), samples(), emulator());
    let (expected, _) = run(&Cpu::default(), &battery, &samples);
    let own = inner.allocated();
    let counting = Failing::new(&inner, usize::MAX, Failure::NoDevice);
    let cuda = Cuda::new(vec![counting.clone()], Room::Bytes(4 << 20));
    assert_eq!(run(&cuda, &battery, &samples).0, expected);
    drop(cuda);
    assert_eq!(inner.allocated(), own, "memory is given back");
    let calls = counting.calls.load(Ordering::Relaxed);
    assert!(calls > 60, "{calls}");
    let kinds = [
        Failure::Launch("injected".into()),
        Failure::Lost("injected".into()),
        Failure::Stuck(1),
        Failure::Load("injected".into()),
    ];
    for at in 0..calls {
        let failure = kinds[at % kinds.len()].clone();
        let device = Failing::new(&inner, at, failure.clone());
        let cuda = Cuda::new(vec![device], Room::Bytes(4 << 20));
        let (rows, counters) = run(&cuda, &battery, &samples);
        assert_eq!(rows, expected, "{failure} at call {at}");
        assert_eq!(cuda.failures(), [("failing".to_string(), failure)]);
        assert_eq!(counters.device.rows, 0, "the CPU did the work");
        // Nobody asks a device that failed again.
        assert_eq!(run(&cuda, &battery, &samples).0, expected);
        drop(cuda);
        assert_eq!(inner.allocated(), own, "memory is given back after {at}");
    }
}

#[test]
fn what_does_not_fit_is_split_and_what_does_not_fit_alone_is_handed_back() {
    let (battery, samples, inner) = (battery(), samples(), emulator());
    let (expected, _) = run(&Cpu::default(), &battery, &samples);
    let mut split = 0;
    for room in [1 << 20, 96 << 10, 48 << 10, 24 << 10, 12 << 10] {
        let cuda = Cuda::new(vec![inner.clone()], Room::Bytes(room));
        let (rows, counters) = run(&cuda, &battery, &samples);
        assert_eq!(cuda.failures(), [], "{room}");
        split += counters.device.splits;
        for (row, expected) in rows.iter().zip(&expected) {
            for (cell, expected) in row.iter().zip(expected) {
                assert!(cell == expected || *cell == Cell::HandBack, "{room}: {cell:?}");
            }
        }
        let back = rows.iter().flatten().filter(|cell| **cell == Cell::HandBack).count();
        assert!(room < 1 << 20 || back == 0, "{room}: {back} handed back");
        println!("{room} bytes: {} splits, {back} handed back", counters.device.splits);
    }
    assert!(split > 0);
}

#[test]
fn two_devices_and_any_chunk_give_the_same() {
    let (battery, samples) = (battery(), samples());
    let (expected, _) = run(&Cpu::default(), &battery, &samples);
    let devices: Vec<Arc<dyn Device>> = vec![emulator(), emulator()];
    let cuda = Cuda::new(devices, Room::Bytes(4 << 20));
    let (one, two) = samples.split_at(2);
    let (a, b) = rayon::join(|| run(&cuda, &battery, one).0, || run(&cuda, &battery, two).0);
    assert_eq!([a, b].concat(), expected);
}
