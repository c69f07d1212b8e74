//! Random programs, merged and alone.

#![no_main]

use batt_lang::card::Policy;
use batt_run::engine::reference::Reference;
use batt_run::random;
use batt_run::run::plan::{Pair, Plan};
use batt_run::verify::{Check, Side, Work, compare};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|seed: u64| {
    let mut rng = random::rng(seed);
    let programs = random::programs(&mut rng, 10, &random::Options::default());
    let tasks = [random::task(&mut rng)];
    let pairs = (0..programs.len()).map(|program| Pair { program, task: 0 }).collect();
    let plan = Plan { pairs, ..Plan::default() };
    let work = Work { programs: &programs, differs: &[], tasks: &tasks, plan: &plan };
    for policy in [Policy::Strict, Policy::Safe] {
        for fuse in [true, false] {
            let right = Side::Merged { engine: &Reference, fuse };
            let report = compare(&Check { left: Side::Alone, right, policy }, &work, &|| {});
            assert_eq!(report.mismatches, 0, "seed {seed}: {:?}", report.first);
        }
    }
});
