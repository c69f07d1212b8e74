//! Programs: read from text, run on one grid, traced step by step.

use std::path::PathBuf;

use batt::lang::canonical::Canonical;
use batt::lang::program::{Definition, Input};
use batt::lang::{self, Value, text};
use batt::run::programs;
use batt::run::reference::eval::{self, Inputs, Policy};
use batt::run::run::library::{Library, LibraryError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::errors;
use crate::task::Task;
use crate::{value, work};

/// A program of the ARC-DSL.
#[pyclass(frozen, eq, module = "batt")]
#[derive(Clone)]
pub struct Program {
    program: lang::Program,
    canonical: Canonical,
}

impl PartialEq for Program {
    fn eq(&self, other: &Program) -> bool {
        self.program.name == other.program.name && self.canonical.hash() == other.canonical.hash()
    }
}

impl Program {
    /// A program.
    pub fn of(program: lang::Program) -> Program {
        let canonical = Canonical::of(&program);
        Program { program, canonical }
    }

    /// The program.
    pub fn get(&self) -> &lang::Program {
        &self.program
    }
}

/// The policy of this name.
pub fn policy(py: Python<'_>, on_error: &str) -> PyResult<Policy> {
    match on_error {
        "strict" => Ok(Policy::Strict),
        "safe" => Ok(Policy::Safe),
        _ => {
            Err(errors::option(py, &format!("on_error is {on_error}"), "it may be strict or safe"))
        }
    }
}

#[pymethods]
impl Program {
    /// Reads the one function of a text.
    #[new]
    #[pyo3(signature = (source, *, filename="<program>"))]
    fn new(py: Python<'_>, source: &str, filename: &str) -> PyResult<Program> {
        let module = text::parse(source);
        if let Some(problem) = module.problems.first() {
            return Err(errors::problem(py, filename, source, problem));
        }
        match module.definitions.as_slice() {
            [Definition::Program(program)] => Ok(Program::of(program.clone())),
            found => {
                let message = format!("one function is needed here, not {}", found.len());
                Err(errors::plain(
                    py,
                    "ProgramError",
                    &message,
                    Some("batt.programs(text) reads many".to_string()),
                ))
            }
        }
    }

    /// The function's name.
    #[getter]
    fn name(&self) -> &str {
        &self.program.name
    }

    /// The task it is for, if its name says so.
    #[getter]
    fn task(&self) -> Option<&str> {
        self.program.task.as_deref()
    }

    /// Its text.
    #[getter]
    fn source(&self) -> String {
        text::print(&self.program)
    }

    /// The hash of its canonical text: the same for every way to write the same graph.
    #[getter]
    fn hash(&self) -> String {
        self.canonical.hash().hex()
    }

    /// What it reads and what it gives: `I -> Grid`.
    #[getter]
    fn kinds(&self) -> String {
        self.canonical.kinds()
    }

    /// How many expressions it has.
    fn __len__(&self) -> usize {
        self.canonical.program().body.nodes.len()
    }

    /// Runs it on a grid by the reference interpreter. A grid comes back as an array, anything else as a
    /// plain value; `task` is what a program that reads S sees, `compare` what a differ compares with.
    #[pyo3(signature = (grid, task=None, *, compare=None, on_error="strict"))]
    fn run<'py>(
        &self,
        grid: &Bound<'py, PyAny>,
        task: Option<&Bound<'py, Task>>,
        compare: Option<&Bound<'py, PyAny>>,
        on_error: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = grid.py();
        let (policy, given) = (policy(py, on_error)?, Given::read(grid, task, compare)?);
        let out = work::quiet(py, None, |stop| {
            eval::run_until(&self.program, &given.inputs(), policy, stop)
        })?;
        match out {
            Some(Ok(out)) => value::show(py, &out),
            Some(Err(trouble)) => Err(errors::fault(py, trouble.fault, Some(trouble.line))),
            None => Err(PyValueError::new_err("stopped")),
        }
    }

    /// Every named step of a run on a grid, with its value, as a picture.
    #[pyo3(signature = (grid, task=None, *, compare=None, on_error="strict"))]
    fn trace<'py>(
        slf: &Bound<'py, Self>,
        grid: &Bound<'py, PyAny>,
        task: Option<&Bound<'py, Task>>,
        compare: Option<&Bound<'py, PyAny>>,
        on_error: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (grid.py(), slf.get());
        let (policy, given) = (policy(py, on_error)?, Given::read(grid, task, compare)?);
        let steps =
            work::quiet(py, None, |_| batt::steps::steps(&this.program, &given.inputs(), policy))?;
        let one = |step: batt::steps::Step| {
            let (value, error) = match step.outcome {
                Ok(out) => (Some(value::show(py, &out)?), None),
                Err(trouble) => (None, Some(trouble.fault.to_string())),
            };
            (step.name, step.line, step.expression, value, error).into_pyobject(py)
        };
        let steps = PyList::new(py, steps.into_iter().map(one).collect::<PyResult<Vec<_>>>()?)?;
        py.import("batt.pictures")?.getattr("Trace")?.call1((slf, steps))
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("batt.pictures")?.call_method1("program_html", (slf,))
    }

    fn __repr__(&self) -> String {
        let Program { program, canonical } = self;
        format!(
            "<batt.Program {}: {}, {} expressions>",
            program.name,
            canonical.kinds(),
            self.__len__()
        )
    }

    fn __str__(&self) -> String {
        self.source()
    }

    fn __hash__(&self) -> u64 {
        let hash = self.canonical.hash();
        u64::from_le_bytes(std::array::from_fn(|at| hash.bytes()[at]))
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        Ok((slf.get_type().into_any(), (slf.get().source(),).into_pyobject(slf.py())?))
    }
}

/// What a program reads, as values.
struct Given {
    s: Value,
    i: Value,
    c: Option<Value>,
}

impl Given {
    fn read(
        grid: &Bound<'_, PyAny>,
        task: Option<&Bound<'_, Task>>,
        compare: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Given> {
        let s = task.map_or_else(Value::empty_tuple, |task| task.get().get().pairs());
        Ok(Given { s, i: value::read(grid)?, c: compare.map(value::read).transpose()? })
    }

    fn inputs(&self) -> Inputs<'_> {
        Inputs { s: &self.s, i: &self.i, c: self.c.as_ref() }
    }
}

/// Programs and what could not be read, as `(file, line, message, rendered)`.
type Read = (Vec<Program>, Vec<(String, u32, String, String)>);

fn of_library(library: Library) -> Read {
    let program = |entry: batt::run::run::library::Entry| {
        Program::of(lang::Program { name: entry.id, task: entry.task, ..entry.program })
    };
    let bad = library.problems.into_iter();
    let bad =
        bad.map(|bad| (bad.file, bad.problem.line, bad.problem.message, bad.rendered)).collect();
    (library.entries.into_iter().map(program).collect(), bad)
}

/// Reads files and folders, or one text; programs that read C are differs.
#[pyfunction]
#[pyo3(signature = (paths, text=None, differs=false))]
pub fn read_programs(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    text: Option<&str>,
    differs: bool,
) -> PyResult<Read> {
    let read = || -> Result<Library, LibraryError> {
        match (text, differs) {
            (None, false) => Library::read(&paths, false),
            (None, true) => Library::read_differs(&paths, false),
            (Some(text), differs) => {
                let mut library = Library::default();
                let add = if differs { Library::add_differs } else { Library::add };
                add(&mut library, "<text>", text.as_bytes(), false);
                Ok(library)
            }
        }
    };
    let library = py
        .detach(read)
        .map_err(|error| errors::plain(py, "ProgramError", &error.to_string(), None))?;
    Ok(of_library(library))
}

/// The programs that are part of the package.
#[pyfunction]
pub fn builtin_programs() -> Vec<Program> {
    let mut library = Library::default();
    for (file, text) in programs::embedded() {
        library.add(file, text.as_bytes(), false);
    }
    of_library(library).0
}

/// The differs that are part of the package.
#[pyfunction]
pub fn builtin_differs() -> Vec<Program> {
    let mut library = Library::default();
    for (file, text) in programs::differs() {
        library.add_differs(file, text.as_bytes(), false);
    }
    of_library(library).0
}

/// Whether a program reads C, which only a differ may.
pub fn is_differ(program: &lang::Program) -> bool {
    program.reads(Input::C)
}
