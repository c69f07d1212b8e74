//! Tests of the text layer: forms that are read, errors, and properties.

mod errors;
mod forms;
mod properties;

use super::{Module, parse, print, print_generated};
use crate::program::{Definition, Program};

/// Every function of a text that has no problems, printed.
fn printed(source: &str) -> String {
    let module = parse(source);
    assert_eq!(module.problems, [], "in\n{source}");
    print_all(&module)
}

fn print_all(module: &Module) -> String {
    let text = |definition: &Definition| match definition {
        Definition::Program(program) => print(program),
        Definition::Generated(generated) => print_generated(generated),
    };
    module.definitions.iter().map(text).collect()
}

fn program(source: &str) -> Program {
    let mut module = parse(source);
    assert_eq!(module.problems, [], "in\n{source}");
    match module.definitions.pop() {
        Some(Definition::Program(program)) => program,
        other => panic!("not a program: {other:?}"),
    }
}
