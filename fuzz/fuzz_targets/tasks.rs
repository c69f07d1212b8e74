//! Any bytes as a file of tasks.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| batt_fuzz::files::tasks(bytes));
