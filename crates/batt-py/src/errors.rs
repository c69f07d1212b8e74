//! Errors as Python has them: the classes of `batt.errors`, with the command's messages and hints.

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// An error of a class of `batt.errors`; those take what is known of it by name.
fn error(py: Python<'_>, class: &str, message: &str, known: &[(&str, Py<PyAny>)]) -> PyErr {
    let make = || -> PyResult<PyErr> {
        let known_by_name = PyDict::new(py);
        for (name, value) in known {
            known_by_name.set_item(name, value)?;
        }
        let class = py.import("batt.errors")?.getattr(class)?;
        Ok(PyErr::from_value(class.call((message,), Some(&known_by_name))?))
    };
    make().unwrap_or_else(|error| error)
}

fn hinted(py: Python<'_>, hint: Option<String>) -> PyResult<Py<PyAny>> {
    Ok(hint.into_pyobject(py)?.into_any().unbind())
}

/// An error of a class that has no more than a message and a hint.
pub fn plain(py: Python<'_>, class: &str, message: &str, hint: Option<String>) -> PyErr {
    match hinted(py, hint) {
        Ok(hint) => error(py, class, message, &[("hint", hint)]),
        Err(error) => error,
    }
}

/// A data set that cannot be read.
pub fn data(py: Python<'_>, error: &batt::run::tasks::DataError) -> PyErr {
    plain(py, "DataError", &error.to_string(), error.hint())
}

/// An archive that says no.
pub fn archive(py: Python<'_>, error: &batt::evolve::archive::ArchiveError) -> PyErr {
    plain(py, "ArchiveError", &error.to_string(), error.hint().map(str::to_string))
}

/// An option that cannot be.
pub fn option(py: Python<'_>, message: &str, hint: &str) -> PyErr {
    plain(py, "OptionError", message, Some(hint.to_string()))
}

/// A device that is not there.
pub fn device(py: Python<'_>, error: &batt::run::engine::NoEngine) -> PyErr {
    let hint = "batt.devices() lists what there is; device=\"auto\" takes what is there";
    plain(py, "DeviceError", &error.to_string(), Some(hint.to_string()))
}

/// A program that fails on a sample.
pub fn fault(py: Python<'_>, fault: batt::lang::Fault, line: Option<u32>) -> PyErr {
    let place = line.map(|line| format!(" (line {line})")).unwrap_or_default();
    let make = || -> PyResult<PyErr> {
        let known = [
            ("kind", fault.kind.name().into_pyobject(py)?.into_any().unbind()),
            ("line", line.into_pyobject(py)?.into_any().unbind()),
        ];
        Ok(error(py, "EvaluationError", &format!("{fault}{place}"), &known))
    };
    make().unwrap_or_else(|error| error)
}

/// A text that is no program.
pub fn problem(
    py: Python<'_>,
    file: &str,
    text: &str,
    problem: &batt::lang::text::Problem,
) -> PyErr {
    let line = text.lines().nth(problem.line as usize - 1).unwrap_or_default();
    let make = || -> PyResult<PyErr> {
        let known = [
            ("filename", file.into_pyobject(py)?.into_any().unbind()),
            ("lineno", problem.line.into_pyobject(py)?.into_any().unbind()),
            ("offset", problem.column.into_pyobject(py)?.into_any().unbind()),
            ("text", line.into_pyobject(py)?.into_any().unbind()),
            ("hint", hinted(py, problem.hint.clone())?),
        ];
        Ok(error(py, "ProgramError", &problem.message, &known))
    };
    make().unwrap_or_else(|error| error)
}
