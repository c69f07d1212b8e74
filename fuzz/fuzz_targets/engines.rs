//! Programs of any choices, on the fast engine and on the reference engine.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| batt_fuzz::random::engines(bytes));
