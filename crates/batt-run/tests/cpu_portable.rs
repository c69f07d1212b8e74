//! The fast engine without wide instructions. What is compiled once runs with them as soon as anything in
//! the process has looked for them, so these tests have a process of their own, in which nothing does.

mod common;

use batt_cpu::Set;
use batt_lang::card::Options;
use batt_run::engine::cpu::Cpu;
use batt_run::random;
use common::whole::{ALGEBRA, FORMS, HOISTS, PARTS, SHAPES, compare, parsed};

#[test]
fn loops_and_shapes_agree() {
    let data = [random::task(&mut random::rng(5)), random::task(&mut random::rng(6))];
    for source in [ALGEBRA, HOISTS, PARTS, FORMS, SHAPES] {
        let programs = parsed(source);
        let (compared, back) =
            compare(&Cpu::with(Set::Portable), &programs, &data, Options::default());
        assert!(compared > 10 && back * 4 < compared, "{back} of {compared}");
    }
}
