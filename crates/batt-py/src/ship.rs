//! Programs on their way to other machines: what they say of errors there is what they say here.
//!
//! A program's text names neither the lines that it was read from nor an id that is no name, and reports
//! have both.

use batt::lang::program::{Callee, Definition, Expr};
use batt::lang::{Program as Source, text};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::program::Program;

/// A program's text, its name, its task, and by line of the text the line that it was read from.
type Shipped = (String, String, Option<String>, Vec<u32>);

/// Programs as plain values.
#[pyfunction]
pub fn ship(programs: Vec<Py<Program>>) -> Vec<Shipped> {
    programs.iter().map(|program| pack(program.get().get())).collect()
}

fn pack(program: &Source) -> Shipped {
    let body = &program.body;
    let mut lines = vec![program.line];
    let mut called: Vec<&Expr> = Vec::new();
    let needed = body.needed(&[program.output]);
    for (node, _) in body.nodes.iter().zip(needed).filter(|(_, needed)| *needed) {
        let Expr::Call { callee, .. } = &node.expr else { continue };
        // What is no call and is called has a line of its own in the text.
        if let Callee::Node(f) = callee
            && let leaf = body.node(*f)
            && !matches!(leaf.expr, Expr::Call { .. })
            && !called.contains(&&leaf.expr)
        {
            called.push(&leaf.expr);
            lines.push(leaf.line);
        }
        lines.push(node.line);
    }
    lines.push(body.node(program.output).line);
    (text::print(program), program.name.clone(), program.task.clone(), lines)
}

/// The programs that were shipped.
#[pyfunction]
pub fn unship(py: Python<'_>, programs: Vec<Shipped>) -> PyResult<Vec<Program>> {
    let all = py.detach(|| programs.into_iter().map(unpack).collect::<Option<Vec<_>>>());
    let all = all.ok_or_else(|| PyValueError::new_err("this is no program that was shipped"))?;
    Ok(all.into_iter().map(Program::of).collect())
}

fn unpack((source, name, task, lines): Shipped) -> Option<Source> {
    let module = text::parse(&source);
    let ([Definition::Program(program)], []) = (&module.definitions[..], &module.problems[..])
    else {
        return None;
    };
    let mut program = Source { name, task, ..program.clone() };
    let line = |line: u32| lines.get(line as usize - 1).copied();
    for node in &mut program.body.nodes {
        node.line = line(node.line)?;
    }
    for binding in &mut program.body.bindings {
        binding.line = line(binding.line)?;
    }
    program.line = line(program.line)?;
    Some(program)
}
