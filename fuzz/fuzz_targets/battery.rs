//! Programs of any choices, merged and alone.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| batt_fuzz::random::battery(bytes));
