//! Programs and tasks on their way to other machines.
//!
//! A program's text names neither the lines that it was read from nor an id that is no name, and reports
//! have both. A task is a few hundred bytes; as arrays it would be several thousand, and slow to make.

use batt::evolve::bytes::{In, Out};
use batt::lang::program::{Callee, Definition, Expr};
use batt::lang::{Program as Source, text};
use batt::run::tasks::{Example, Grid, Task as Given};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::program::Program;
use crate::task::Task;

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

/// Tasks as bytes, each with its numbers of demos and of tests.
#[pyfunction]
pub fn ship_tasks(py: Python<'_>, tasks: Vec<Py<Task>>) -> Vec<(Bound<'_, PyBytes>, usize, usize)> {
    let one = |task: &Py<Task>| {
        let Given { id, demos, tests } = task.get().get();
        let mut out = Out::default();
        out.bytes(id.as_bytes());
        for examples in [demos, tests] {
            out.count(examples.len());
            for Example { input, output } in examples {
                write_grid(Some(input), &mut out);
                write_grid(output.as_ref(), &mut out);
            }
        }
        (PyBytes::new(py, &out.0), demos.len(), tests.len())
    };
    tasks.iter().map(one).collect()
}

/// The tasks that were shipped.
#[pyfunction]
pub fn unship_tasks(tasks: Vec<Bound<'_, PyBytes>>) -> PyResult<Vec<Task>> {
    let one = |task: &Bound<'_, PyBytes>| read_task(&mut In(task.as_bytes())).map(Task::of);
    let all: Option<Vec<Task>> = tasks.iter().map(one).collect();
    all.ok_or_else(|| PyValueError::new_err("this is no task that was shipped"))
}

fn write_grid(grid: Option<&Grid>, out: &mut Out) {
    out.count(grid.map_or(0, Grid::height));
    if let Some(grid) = grid {
        grid.rows().for_each(|row| out.bytes(row));
    }
}

/// A grid of so many rows.
fn read_grid(bytes: &mut In, height: usize) -> Option<Grid> {
    let rows: Option<Vec<&[u8]>> = (0..height).map(|_| bytes.bytes()).collect();
    Grid::from_rows(&rows?)
}

fn read_example(bytes: &mut In) -> Option<Example> {
    let height = bytes.count()?;
    let input = read_grid(bytes, height)?;
    let output = match bytes.count()? {
        0 => None,
        height => Some(read_grid(bytes, height)?),
    };
    Some(Example { input, output })
}

fn read_task(bytes: &mut In) -> Option<Given> {
    let id = String::from_utf8(bytes.bytes()?.to_vec()).ok()?;
    let mut examples =
        || -> Option<Vec<Example>> { (0..bytes.count()?).map(|_| read_example(bytes)).collect() };
    let (demos, tests) = (examples()?, examples()?);
    bytes.0.is_empty().then_some(Given { id, demos, tests })
}
