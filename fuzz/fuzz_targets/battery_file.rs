//! Any bytes as a battery file.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| batt_fuzz::files::battery_file(bytes));
