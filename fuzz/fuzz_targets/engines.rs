#![no_main]
//! Random programs give the same on the fast engine as on the reference engine.

use std::sync::OnceLock;

use batt_lang::card::Policy;
use batt_run::engine::cpu::Cpu;
use batt_run::engine::reference::Reference;
use batt_run::random;
use batt_run::run::plan::{Pair, Plan};
use batt_run::verify::{Check, Side, Work, compare};
use libfuzzer_sys::fuzz_target;

/// One engine for all runs, so that they share its memory.
static CPU: OnceLock<Cpu> = OnceLock::new();

fuzz_target!(|seed: u64| {
    let cpu = CPU.get_or_init(Cpu::default);
    let mut rng = random::rng(seed);
    let programs = random::programs(&mut rng, 20, &random::Options::default());
    let tasks = [random::task(&mut rng)];
    let pairs = (0..programs.len()).map(|program| Pair { program, task: 0 }).collect();
    let plan = Plan { pairs, ..Plan::default() };
    let work = Work { programs: &programs, differs: &[], tasks: &tasks, plan: &plan };
    for policy in [Policy::Strict, Policy::Safe] {
        let side = |engine| Side::Merged { engine, fuse: true };
        let check = Check { left: side(&Reference), right: side(cpu), policy };
        let report = compare(&check, &work, &|| {});
        assert_eq!(report.mismatches, 0, "seed {seed}: {:?}", report.first);
    }
});
