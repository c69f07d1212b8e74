//! Any primitive on any values.

#![no_main]

use batt_lang::Op;
use batt_run::random;
use batt_run::reference::Machine;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, u64)| {
    let op = Op::ALL[usize::from(input.0) % Op::ALL.len()];
    let mut rng = random::rng(input.1);
    let args: Vec<_> = (0..op.arity()).map(|_| random::value(&mut rng)).collect();
    let _ = Machine::default().prim(op.into(), &args);
});
