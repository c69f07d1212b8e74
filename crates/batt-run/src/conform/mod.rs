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
//! `compared` (C), `policy` (`safe`; strict if it is not there) and `with`, programs that are merged
//! with it. An engine must also mark the output as its value is marked; `target` is what the mark
//! compares with (the output itself if it is not there), and `unlike` a value whose digest it must not
//! have.

mod battery;
pub mod check;
pub mod codec;
pub mod records;

use batt_lang::{Prim, Program, Value};

use crate::engine::mark::Mark;
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
    fn program(&self, asked: &Asked) -> Given;
}

/// A program to run, and what its record says of it.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The program.
    pub program: &'a Program,
    /// Programs that are merged with it.
    pub with: &'a [Program],
    /// What it reads.
    pub inputs: Inputs<'a>,
    /// What an error does.
    pub policy: Policy,
    /// What the mark of its output compares with.
    pub target: Option<&'a Value>,
}

/// What a program gave.
#[derive(Clone, Debug)]
pub struct Given {
    /// The value, or the error.
    pub out: Out,
    /// How it was marked; `None` where nothing marks it.
    pub mark: Option<Mark>,
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

    fn program(&self, asked: &Asked) -> Given {
        let out = eval::run(asked.program, &asked.inputs, asked.policy);
        let out = out.map_err(|trouble| trouble.fault);
        let mark = Some(Mark::of_out(out.as_ref().ok(), asked.target));
        Given { out, mark }
    }
}
