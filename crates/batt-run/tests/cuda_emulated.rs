//! The CUDA engine gives what the reference engine gives: the checked-in PTX itself, run on this CPU
//! by `batt-ptx`, which stops at what a GPU leaves undefined.

mod common;

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use batt_cuda::reduce::with_reductions;
use batt_lang::card::Options;
use batt_ptx::Emulator;
use batt_run::conform::{OnEngine, check_files};
use batt_run::engine::cuda::{Cuda, Room};
use batt_run::random;
use common::whole::{ALL, VALUES, compare, parsed};
use common::{Batteries, number};

/// `PTX=FILE` tries kernels that are not checked in yet, without building all of this anew.
fn kernels() -> Cow<'static, str> {
    match std::env::var_os("PTX") {
        Some(file) => std::fs::read_to_string(file).unwrap().into(),
        None => batt_cuda::PTX.into(),
    }
}

fn engine_of(kernels: &str, room: usize) -> Cuda {
    let device = Emulator::of(kernels, 256 << 20).expect("the kernels can be read");
    Cuda::new(vec![Arc::new(device)], Room::Bytes(room))
}

fn engine(room: usize) -> Cuda {
    engine_of(&kernels(), room)
}

/// The kernels as devices since Ampere run them.
#[test]
fn random_programs_agree_with_reductions() {
    let (first, count) = (number("SEED", 5000), number("N", 10));
    let cuda = engine_of(&with_reductions(&kernels()), 32 << 20);
    let batteries = Batteries { seeds: first..first + count, programs: 12 };
    batteries.compare(&cuda, |seed| assert_eq!(cuda.failures(), [], "seed {seed}"));
}

#[test]
fn random_programs_agree() {
    let (first, count) = (number("SEED", 0), number("N", 20));
    let cuda = engine(32 << 20);
    let batteries = Batteries { seeds: first..first + count, programs: 12 };
    batteries.compare(&cuda, |seed| assert_eq!(cuda.failures(), [], "seed {seed}"));
}

#[test]
fn loops_and_shapes_agree() {
    let cuda = engine(64 << 20);
    let data = [random::task(&mut random::rng(3)), random::task(&mut random::rng(4))];
    for source in ALL {
        let (compared, back) = compare(&cuda, &parsed(source), &data, Options::default());
        assert_eq!(cuda.failures(), []);
        assert!(compared > 10 && back * 4 < compared, "{back} of {compared}");
    }
}

#[test]
fn odd_values_are_held() {
    let cuda = engine(64 << 20);
    let data = [random::task(&mut random::rng(3)), random::task(&mut random::rng(4))];
    let (compared, back) = compare(&cuda, &parsed(VALUES), &data, Options::default());
    assert!(compared > 100 && back == 0, "{back} of {compared}");
}

/// The container of such a loop is not computed either, so the loop must not be opened.
#[test]
fn loops_that_only_a_sure_error_needs_do_not_run() {
    let source = "
def solve_x(I):
    x1 = order(last(I), increment)
    x2 = prapply(connect, asindices(I), FIVE)
    O = fill(I, first(x1), x2)
    return O

def solve_y(I):
    x1 = power(dmirror, SEVEN)
    x2 = mapply(x1, partition(I))
    x3 = prapply(connect, asindices(I), FIVE)
    O = fill(subgrid(x2, I), ONE, x3)
    return O

def solve_z(I):
    x1 = compose(first, lbind(greater, height(I)))
    x2 = fork(shoot, identity, chain(invert, toivec, x1))
    x3 = mapply(x2, ofcolor(I, ONE))
    O = fill(I, TWO, x3)
    return O
";
    let cuda = engine(32 << 20);
    let data = [random::task(&mut random::rng(3))];
    for program in parsed(source) {
        let (_, back) = compare(&cuda, &[program], &data, Options::default());
        assert_eq!((back, cuda.failures()), (0, vec![]));
    }
}

#[test]
fn records_agree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance");
    let cuda = engine(1 << 20);
    let subject = OnEngine::new(&cuda);
    let every = number("EVERY", 4) as usize;
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
