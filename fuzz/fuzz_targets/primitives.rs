//! Any primitive on any values.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| batt_fuzz::random::primitives(bytes));
