//! Bytes as files.

use batt_lang::battery::file;
use batt_lang::canonical::Canonical;
use batt_lang::program::Definition;
use batt_lang::text;
use batt_run::tasks::{Dataset, load_text};

/// Any bytes as a program file: reading them does not panic, and what was read is printed as text that is
/// read without a problem and printed alike.
pub fn parse(bytes: &[u8]) {
    for definition in text::parse_bytes(bytes).definitions {
        match definition {
            Definition::Program(program) => {
                let printed = text::print(&program);
                let again = text::parse(&printed);
                assert!(again.problems.is_empty(), "{printed}\n{:?}", again.problems);
                let [Definition::Program(again)] = &again.definitions[..] else {
                    panic!("no single program\n{printed}");
                };
                assert_eq!(text::print(again), printed);
            }
            Definition::Generated(generated) => {
                let printed = text::print_generated(&generated);
                let again = text::parse(&printed);
                assert!(again.problems.is_empty(), "{printed}\n{:?}", again.problems);
            }
        }
    }
}

/// Any bytes as a battery file, once with its own header and once under a right one: what is read is
/// written as a file that is read again.
pub fn battery_file(bytes: &[u8]) {
    let read = file::read(bytes);
    let functions = text::parse_bytes(bytes).definitions.into_iter().filter_map(|one| match one {
        Definition::Generated(generated) => Some(generated),
        Definition::Program(_) => None,
    });
    for generated in read.into_iter().chain(functions) {
        let written = file::write(&generated);
        assert!(file::is_battery(written.as_bytes()));
        let again =
            file::read(written.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{written}"));
        assert_eq!(file::write(&again), written);
    }
}

/// Any bytes as the text of one program: its canonical text is its own canonical text.
pub fn canonical(bytes: &[u8]) {
    let Ok(source) = std::str::from_utf8(bytes) else { return };
    let Some(program) = Canonical::read(source) else { return };
    let again = Canonical::read(program.text());
    let again = again.unwrap_or_else(|| panic!("it is not read again\n{}", program.text()));
    assert_eq!(again.text(), program.text());
    assert_eq!(again.hash(), program.hash());
}

/// Any bytes as a file of tasks: what is read has grids that are grids, and the hash of its content does
/// not depend on how the file is written.
pub fn tasks(bytes: &[u8]) {
    let Ok(source) = std::str::from_utf8(bytes) else { return };
    // The name is in a folder that is not there, so that no file of solutions lies beside it.
    let read = || -> Option<Dataset> { load_text("no-such-folder/tasks.json", source).ok() };
    let Some(data) = read() else { return };
    for task in data.tasks() {
        for example in task.demos.iter().chain(&task.tests) {
            for grid in [Some(&example.input), example.output.as_ref()].into_iter().flatten() {
                assert!(grid.to_value().grid_rows().is_some(), "{}: no grid", task.id);
            }
        }
    }
    assert_eq!(read().map(|again| again.hash.to_string()), Some(data.hash.to_string()));
}
