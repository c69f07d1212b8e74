//! The CUDA engine gives what the reference engine gives: the checked-in PTX itself, run on this CPU
//! by `batt-ptx`, which stops at what a GPU leaves undefined.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use batt_lang::card::Policy;
use batt_lang::text;
use batt_ptx::Emulator;
use batt_run::conform::{OnEngine, check_files};
use batt_run::engine::cuda::{Cuda, Room};
use batt_run::engine::reference::Reference;
use batt_run::random;
use batt_run::run::plan::{Pair, Plan};
use batt_run::verify::{Check, Report, STACK, Side, Work, compare};

/// `PTX=FILE` tries kernels that are not checked in yet, without building all of this anew.
fn engine(room: usize) -> Cuda {
    let device = match std::env::var_os("PTX") {
        Some(file) => Emulator::of(&std::fs::read_to_string(file).unwrap(), 256 << 20),
        None => Emulator::new(256 << 20),
    };
    let device = device.expect("the kernels can be read");
    Cuda::new(vec![Arc::new(device)], Room::Bytes(room))
}

/// How many programs make a battery: enough that they share much.
const PROGRAMS: usize = 12;

fn battery(seed: u64, cuda: &Cuda) -> Report {
    let mut rng = random::rng(seed);
    let programs = random::programs(&mut rng, PROGRAMS, &random::Options::default());
    let tasks = [random::task(&mut rng), random::task(&mut rng)];
    let pair = |program, task| Pair { program, task };
    let pairs = (0..tasks.len()).flat_map(|task| (0..PROGRAMS).map(move |p| pair(p, task)));
    let plan = Plan { pairs: pairs.collect(), ..Plan::default() };
    let work = Work { programs: &programs, differs: &[], tasks: &tasks, plan: &plan };
    let side = |engine| Side::Merged { engine, fuse: seed % 4 < 2 };
    let policy = if seed.is_multiple_of(2) { Policy::Strict } else { Policy::Safe };
    let check = Check { left: side(&Reference), right: side(cuda), policy };
    let report = compare(&check, &work, &|| {});
    assert_eq!(cuda.failures(), [], "seed {seed}");
    if let Some(first) = &report.first {
        let program = first.program.map(|at| text::print(&programs[at]));
        panic!("seed {seed}, {policy:?}: {first:?}\n{}", program.unwrap_or_default());
    }
    report
}

#[test]
fn random_programs_agree() {
    let count = std::env::var("N").ok().and_then(|n| n.parse().ok()).unwrap_or(20);
    let first: u64 = std::env::var("SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(0);
    let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK).build().unwrap();
    let all = pool.install(|| {
        let cuda = engine(32 << 20);
        let mut all = Report::default();
        for seed in first..first + count {
            all.add(battery(seed, &cuda));
        }
        all
    });
    println!(
        "{} pairs compared, {} values, {} handed back",
        all.compared, all.values, all.handed_back
    );
    assert!(all.values * 2 > all.compared, "{all:?}");
    assert!(all.handed_back * 2 < all.compared, "{all:?}");
}

#[test]
fn records_agree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
    let cuda = engine(1 << 20);
    let subject = OnEngine::new(&cuda);
    let every = std::env::var("EVERY").ok().and_then(|n| n.parse().ok()).unwrap_or(4);
    let seen = AtomicUsize::new(0);
    let report = check_files(&[&folder], &subject, |_| {
        seen.fetch_add(1, Ordering::Relaxed).is_multiple_of(every)
    });
    let report = report.expect("the records can be read");
    println!("{} checked, {} handed back", report.checked, subject.handed_back());
    for failure in report.failures.iter().take(40) {
        println!("{failure}");
    }
    assert_eq!(cuda.failures(), []);
    assert_eq!(report.failed, 0);
    // Functions that are only known at run time, and little else.
    assert!(subject.handed_back() * 4 < report.checked);
}
