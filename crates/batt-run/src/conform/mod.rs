//! Conformance records: facts that every engine must reproduce.
//!
//! - [`codec`]: values as JSON
//! - [`records`]: the lines of `.jsonl` and `.jsonl.gz` files
//! - [`check`]: runs records on a [`Subject`] and reports
//! - [`OnEngine`]: any engine as a subject
//!
//! A record is one of
//!
//! ```text
//! {"op": "add", "args": [1, 2], "out": 3}
//! {"op": "invoke", "args": [FUNCTION, 1], "error": "TypeError"}
//! {"id": "double", "source": "def solve(I): ...", "input": [[1, 2]], "out": [[2, 4]]}
//! ```
//!
//! A program's record may also have `pairs` (S, a list of [input, output]; empty if it is not there),
//! `compared` (C) and `policy` (`safe`; strict if it is not there).

mod battery;
pub mod check;
pub mod codec;
pub mod records;

use batt_lang::{Prim, Program, Value};

use crate::reference::eval::{self, Inputs, Policy};
use crate::reference::{Machine, Out};

pub use battery::OnEngine;
pub use check::{Failure, Report, check_files};

/// An engine under test.
pub trait Subject {
    /// Calls a primitive.
    fn primitive(&self, prim: Prim, args: &[Value]) -> Out;

    /// Calls a function value.
    fn invoke(&self, function: &Value, args: &[Value]) -> Out;

    /// Runs a program on what a record says it may read.
    fn program(&self, program: &Program, inputs: &Inputs, policy: Policy) -> Out;
}

/// The reference interpreter as a subject.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reference;

impl Subject for Reference {
    fn primitive(&self, prim: Prim, args: &[Value]) -> Out {
        Machine::default().prim(prim, args)
    }

    fn invoke(&self, function: &Value, args: &[Value]) -> Out {
        Machine::default().call(function, args)
    }

    fn program(&self, program: &Program, inputs: &Inputs, policy: Policy) -> Out {
        eval::run(program, inputs, policy).map_err(|trouble| trouble.fault)
    }
}
