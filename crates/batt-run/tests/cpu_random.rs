//! The fast engine gives what the reference engine gives, on random programs.
//!
//! The same check for as long as you like: `batt verify --engines reference,cpu --random 1000`.

mod common;

use batt_run::engine::cpu::Cpu;
use common::{Batteries, number};

#[test]
fn thousands_of_random_programs_agree() {
    let (first, count) = (number("SEED", 0), number("N", 100));
    let batteries = Batteries { seeds: first..first + count, programs: 30 };
    let report = batteries.compare(&Cpu::default(), |_| {});
    assert!(report.compared > 200 * count, "{report:?}");
}
