//! Any bytes as a program file.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| batt_fuzz::files::parse(bytes));
