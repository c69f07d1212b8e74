//! The Python package's engine room: what `batt` offers to Python, as thin as it can be.
//!
//! Everything that people touch in Python is written in Python, in `python/batt`; here is only what needs
//! the engines. Data flows: [`value`] and [`grid`] convert, [`task`], [`program`] and [`battery`] hold, and
//! [`run`], [`evolve`], [`solve`], [`archive`] and [`submission`] do the work, each under [`work`], which
//! lets Python go on and sees Ctrl-C.

// What Python gives comes by value.
#![allow(clippy::needless_pass_by_value)]

mod archive;
mod battery;
mod breeding;
mod column;
mod device;
mod draw;
mod dsl;
mod errors;
mod evolve;
mod grid;
mod program;
mod run;
mod ship;
mod solve;
mod submission;
mod table;
mod task;
mod value;
mod work;

use pyo3::prelude::*;

/// What the Python package is built on.
#[pymodule(gil_used = true)]
mod _batt {
    use super::PyResult;
    use std::ffi::OsString;

    use pyo3::prelude::*;

    #[pymodule_export]
    use super::archive::Archive;
    #[pymodule_export]
    use super::battery::Battery;
    #[pymodule_export]
    use super::breeding::{Breeder, Breeding};
    #[pymodule_export]
    use super::column::Column;
    #[pymodule_export]
    use super::device::devices;
    #[pymodule_export]
    use super::draw::{grids_svg, text_of_grids};
    #[pymodule_export]
    use super::dsl::{Function, constants, primitive, primitives};
    #[pymodule_export]
    use super::evolve::evolve;
    #[pymodule_export]
    use super::program::{Program, builtin_differs, builtin_programs, read_programs};
    #[pymodule_export]
    use super::run::run;
    #[pymodule_export]
    use super::ship::{ship, ship_tasks, unship, unship_tasks};
    #[pymodule_export]
    use super::solve::solve;
    #[pymodule_export]
    use super::submission::{read_submission, score, submission_of, write_submission};
    #[pymodule_export]
    use super::table::stream;
    #[pymodule_export]
    use super::task::{Task, Tasks, load};

    /// Runs the command with these arguments and gives its exit code.
    #[pyfunction]
    fn command(py: Python<'_>, args: Vec<OsString>) -> u8 {
        py.detach(|| batt::command::run(args))
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
