//! `batt solve --library`: a file of short programs that grows with what is found.
//!
//! A program belongs there if it is short, right on all demos and all known tests of its task, and if its like was
//! found again, and right, with each demo left out. A task has one, the shortest.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use batt::lang::program::Expr;
use batt::lang::{Program, text};
use batt::run::tasks::Task;
use batt::solve::Attempt;

use super::keep;
use super::report::Solved;
use crate::failure::Failure;

/// A program with more calls is not short.
const MAX_CALLS: usize = 8;

/// A program of a library.
struct Entry {
    calls: usize,
    /// Its lines, with what is said of it.
    text: String,
}

/// A library: a program for each of some tasks.
#[derive(Default)]
pub struct Library(BTreeMap<String, Entry>);

impl Library {
    /// Reads the library that is there; an empty one where there is no such file.
    pub fn read(path: &Path) -> anyhow::Result<Library> {
        let hint = "--library names a file that `batt solve --library` made, or a new one";
        let failed = |what: String| Failure::error(format!("{}: {what}", path.display()), hint);
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Library::default()),
            Err(error) => return Err(failed(format!("cannot be read: {error}"))),
        };
        let mut library = Library::default();
        for block in text.split("\n\n").map(str::trim).filter(|block| block.contains("def ")) {
            let first = block.lines().next().unwrap_or_default();
            let program =
                keep::read(block).ok_or_else(|| failed(format!("no program: {first}")))?;
            let task = program.task.clone();
            let task = task.ok_or_else(|| failed(format!("a program of no task: {first}")))?;
            library.0.insert(task, Entry { calls: calls(&program), text: block.to_string() });
        }
        Ok(library)
    }

    /// Adds what was found for tasks; how many programs are new or shorter than those that were there.
    pub fn grow(&mut self, solved: &Solved) -> usize {
        let mut grown = 0;
        for (task, attempts) in solved.each() {
            let good = attempts.iter().filter(|attempt| is_general(task, attempt));
            let Some(attempt) = good.min_by_key(|attempt| calls(&attempt.program)) else {
                continue;
            };
            let calls = calls(&attempt.program);
            let known = self.0.get(&task.id).map_or(MAX_CALLS + 1, |entry| entry.calls);
            if calls < known {
                let program = text::print(&attempt.program);
                let text = format!("# {}\n{}", attempt.how, program.trim_end());
                self.0.insert(task.id.clone(), Entry { calls, text });
                grown += 1;
            }
        }
        grown
    }

    /// How many programs there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The library as text.
    pub fn text(&self, tasks: &str) -> String {
        let mut text = format!(
            "\"\"\"Short programs that `batt solve` found and nobody wrote.\n\n\
             Made by `batt solve{tasks} --library FILE`: of at most {MAX_CALLS} calls, right on all demos and tests,\n\
             and found again, and right, with each demo left out. A comment says how one was found.\n\"\"\"\n"
        );
        for entry in self.0.values() {
            let _ = write!(text, "\n\n{}\n", entry.text);
        }
        text
    }
}

/// Whether an attempt is right on tests that are known, and trusted on all demos, of which there are several.
fn is_general(task: &Task, attempt: &Attempt) -> bool {
    let mut tests = task.tests.iter().zip(&attempt.outputs);
    task.demos.len() > 1
        && attempt.trust >= 1.0
        && tests.all(|(test, output)| test.output.as_ref() == Some(output))
}

fn calls(program: &Program) -> usize {
    let nodes = program.body.nodes.iter().zip(program.body.needed(&[program.output]));
    nodes.filter(|(node, needed)| *needed && matches!(node.expr, Expr::Call { .. })).count()
}
