//! Any bytes as a program file.

#![no_main]

use batt_lang::program::Definition;
use batt_lang::text;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for definition in text::parse_bytes(bytes).definitions {
        if let Definition::Program(program) = definition {
            let printed = text::print(&program);
            let again = text::parse(&printed);
            assert!(again.problems.is_empty(), "{printed}");
        }
    }
});
