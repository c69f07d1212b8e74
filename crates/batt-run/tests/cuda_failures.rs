//! Whatever a device does not do, the work is done: failures at every step, memory that is too small.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use batt_cuda::device::{Arriving, Device, Failure, Kernel, Plain, Staged, Start};
use batt_lang::Value;
use batt_lang::battery::Battery;
use batt_lang::card::{Card, Options};
use batt_lang::program::Definition;
use batt_ptx::Emulator;
use batt_run::engine::cpu::Cpu;
use batt_run::engine::cuda::{Cuda, Room};
use batt_run::engine::mark::FULL;
use batt_run::engine::{Cell, Counters, Engine, Phase, Row, Sample, Setup};
use batt_run::stop::NEVER;
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
    x1 = power(rot90, SIX)
    O = x1(I)
    return O
";

/// A device that fails at one of the calls.
struct Failing {
    inner: Arc<Emulator>,
    calls: AtomicUsize,
    at: usize,
    failure: Failure,
    /// A kernel that it never starts.
    refused: Option<Kernel>,
}

impl Failing {
    fn new(inner: &Arc<Emulator>, at: usize, failure: Failure) -> Arc<Failing> {
        let (inner, calls) = (inner.clone(), AtomicUsize::new(0));
        Arc::new(Failing { inner, calls, at, failure, refused: None })
    }

    /// One that never starts a kernel.
    fn refusing(inner: &Arc<Emulator>, kernel: &str) -> Arc<Failing> {
        let refused = Some(inner.kernel(kernel).unwrap());
        let (inner, calls) = (inner.clone(), AtomicUsize::new(0));
        let failure = Failure::NoDevice;
        Arc::new(Failing { inner, calls, at: usize::MAX, failure, refused })
    }

    fn count(&self) -> Result<(), Failure> {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        if call == self.at { Err(self.failure.clone()) } else { Ok(()) }
    }
}

/// Bytes whose arrival may fail, when nobody holds the device any more.
struct OnTheWay<'d> {
    device: &'d Failing,
    bytes: Plain,
}

impl Arriving for OnTheWay<'_> {
    fn take(self: Box<Self>, bytes: &mut [u8]) -> Result<(), Failure> {
        self.device.count()?;
        Box::new(self.bytes).take(bytes)
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
    fn stage<'d>(&'d self, bytes: &[u8]) -> Result<Box<dyn Staged + 'd>, Failure> {
        self.count()?;
        Ok(Box::new(Plain::stage(bytes)))
    }
    fn fetch(&self, at: u64, size: usize) -> Result<Box<dyn Arriving + '_>, Failure> {
        Ok(Box::new(OnTheWay { device: self, bytes: Plain::fetch(self, at, size)? }))
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
        if self.refused == Some(k) {
            return Err(Failure::Launch("too many registers".into()));
        }
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
    let mut refused = 0;
    for at in 0..calls {
        let failure = kinds[at % kinds.len()].clone();
        let device = Failing::new(&inner, at, failure.clone());
        let cuda = Cuda::new(vec![device], Room::Bytes(4 << 20));
        let (rows, counters) = run(&cuda, &battery, &samples);
        assert_eq!(rows, expected, "{failure} at call {at}");
        let left_out = cuda.left_out();
        if left_out.is_empty() {
            assert_eq!(cuda.failures(), [("failing".to_string(), failure)]);
            assert_eq!(counters.device.rows, 0, "the CPU did the work");
        } else {
            // A step that could not be started says nothing of the device.
            assert_eq!((left_out.len(), cuda.failures()), (1, vec![]), "{left_out:?}");
            assert!(matches!(failure, Failure::Launch(_)), "{failure} at call {at}");
            refused += 1;
        }
        // Nobody asks a device that failed again.
        assert_eq!(run(&cuda, &battery, &samples).0, expected);
        drop(cuda);
        assert_eq!(inner.allocated(), own, "memory is given back after {at}");
    }
    assert!(refused > 0);
}

#[test]
fn a_kernel_that_is_never_started_costs_only_the_programs_that_need_it() {
    let (battery, samples, inner) = (battery(), samples(), emulator());
    let (expected, _) = run(&Cpu::default(), &battery, &samples);
    for (kernel, program) in [("Objects", 0), ("close_apply", 0), ("Rot90", 1)] {
        let device = Failing::refusing(&inner, kernel);
        let cuda = Cuda::new(vec![device], Room::Bytes(4 << 20));
        for _ in 0..3 {
            let (rows, counters) = run(&cuda, &battery, &samples);
            assert_eq!(rows, expected, "{kernel}");
            assert!(counters.device.rows > 0, "{kernel}: the other program runs on the device");
            // What was handed back, and done by the CPU engine.
            let mut again: Vec<usize> = counters.again.iter().map(|(_, root)| *root).collect();
            again.dedup();
            again.sort_unstable();
            again.dedup();
            assert_eq!(again, [program], "{kernel}");
        }
        assert!(cuda.works());
        let said = cuda.trouble();
        assert_eq!(said.len(), 1, "it is said once: {said:?}");
        assert!(said[0].contains("could not be started: too many registers, for t"), "{said:?}");
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
fn what_is_handed_back_runs_on_the_cpu_engine() {
    let (battery, inner) = (battery(), emulator());
    let grid = |side: i32| {
        let row = |i: i32| (0..side).map(|j| Value::Int((i + j) % 2)).collect();
        Value::tuple((0..side).map(|i| Value::tuple(row(i))).collect())
    };
    let mut samples: Vec<Sample> = samples().into_iter().take(1).cycle().take(32).collect();
    for sample in &mut samples {
        sample.input = grid(2);
    }
    samples[7].input = grid(30);
    let (expected, _) = run(&Cpu::default(), &battery, &samples);
    let mut helped = 0;
    for room in [256 << 10, 128 << 10, 96 << 10, 64 << 10, 48 << 10] {
        let cuda = Cuda::new(vec![inner.clone()], Room::Bytes(room));
        let (rows, counters) = run(&cuda, &battery, &samples);
        if counters.device.too_large == 1 {
            assert_eq!(rows, expected, "{room}");
            helped += 1;
        }
    }
    assert!(helped > 0);
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

#[test]
fn a_chunk_that_is_split_succeeds_with_the_same_answers() {
    let (battery, inner) = (battery(), emulator());
    // Small grids first: what they take says too little of what comes after them.
    let mut samples = vec![samples().remove(0); 40];
    for sample in samples.iter_mut().take(20) {
        sample.input = Value::grid(&[[1]]);
    }
    let (expected, _) = run(&Cpu::default(), &battery, &samples);
    // From too small for one sample up, so that some room is split and still holds every sample.
    let mut split_and_whole = 0;
    for room in (20..160).map(|n| n * (2 << 10)) {
        if split_and_whole > 0 {
            break;
        }
        let cuda = Cuda::new(vec![inner.clone()], Room::Bytes(room));
        let (rows, counters) = run(&cuda, &battery, &samples);
        assert_eq!(cuda.failures(), []);
        let whole = rows == expected;
        println!("{room}: {:?}, whole {whole}", counters.device);
        if counters.device.too_large > 0 {
            continue;
        }
        split_and_whole += usize::from(counters.device.splits > 0 && whole);
        let report = cuda.device_report().expect("it has a device");
        assert_eq!(report.splits, counters.device.splits);
        assert_eq!(report.pairs as usize, samples.len() * expected[0].len());
        let back = rows.iter().flatten().filter(|cell| **cell == Cell::HandBack).count();
        assert_eq!(report.handed_back as usize, back);
    }
    assert!(split_and_whole > 0);
}

#[test]
fn a_device_that_failed_leaves_its_work_to_the_others() {
    let (battery, samples, inner) = (battery(), samples(), emulator());
    let (expected, _) = run(&Cpu::default(), &battery, &samples);
    let lost = Failing::new(&inner, 3, Failure::Lost("injected".into()));
    let devices: Vec<Arc<dyn Device>> = vec![lost, inner];
    let cuda = Cuda::new(devices, Room::Bytes(4 << 20));
    let first = run(&cuda, &battery, &samples);
    assert_eq!((first.0, first.1.device.rows), (expected.clone(), 0), "the CPU did it");
    assert_eq!(cuda.trouble(), ["failing: the device failed: injected"]);
    let second = run(&cuda, &battery, &samples);
    assert_eq!(second.0, expected);
    assert_eq!(second.1.device.rows, second.1.rows(), "the other device did it");
}

#[test]
fn marks_are_the_same_as_on_the_cpu() {
    let battery = battery();
    let mut samples = samples();
    // Right, nearly right, and unknown.
    let (rows, _) = run(&Cpu::default(), &battery, &samples);
    for (at, sample) in samples.iter_mut().enumerate() {
        sample.expected = match (&rows[at][at % 2], at % 3) {
            (Cell::Value(value), 0) => Some(value.clone()),
            (_, 1) => Some(sample.input.clone()),
            _ => None,
        };
    }
    let marks = |engine: &dyn Engine| {
        let tasks = [Value::empty_tuple()];
        let (phase, timed) = (Phase::Outputs, false);
        let setup =
            Setup { battery: &battery, phase, tasks: &tasks, timed, verdicts: false, stop: &NEVER };
        engine.load(setup).marks(&samples)
    };
    let (expected, _) = marks(&Cpu::default());
    let exact = expected.iter().flatten().flatten().filter(|mark| mark.cells == FULL).count();
    assert!(exact > 0 && exact < expected.len() * 2, "{expected:?}");
    let inner = emulator();
    let cuda = Cuda::new(vec![inner.clone()], Room::Bytes(4 << 20));
    let (found, counters) = marks(&cuda);
    assert_eq!(found, expected);
    assert_eq!(counters.device.rows, counters.rows());
    let failing = Failing::new(&inner, 9, Failure::Stuck(1));
    let cuda = Cuda::new(vec![failing], Room::Bytes(4 << 20));
    let (found, counters) = marks(&cuda);
    assert_eq!(found, expected);
    assert_eq!((counters.device.rows, cuda.failures().len()), (0, 1), "the CPU did it");
    assert!(counters.rows() > 0);
}
