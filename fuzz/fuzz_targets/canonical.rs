//! Any bytes as the text of a program in canonical form.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| batt_fuzz::files::canonical(bytes));
