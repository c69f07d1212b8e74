//! Archives: programs, results and lineage, opened by address.

use std::fs::File;
use std::io::BufWriter;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use batt::evolve::archive::{self, ArchiveError, Kept};
use batt::lang::text;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::errors;
use crate::program::Program;

/// An archive that is open until it is closed. Threads may share it; processes open their own.
#[pyclass(frozen, module = "batt")]
pub struct Archive {
    open: Mutex<Option<archive::Archive>>,
    address: String,
    mode: String,
    process: u32,
}

impl Archive {
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut archive::Archive) -> Result<T, ArchiveError> + Send,
    ) -> PyResult<T> {
        let shown = archive::Place::shown(&self.address);
        if self.process != std::process::id() {
            let hint = "open it again in every process: SQLite and PostgreSQL connections do not survive a fork";
            return Err(errors::plain(
                py,
                "ArchiveError",
                &format!("{shown} was opened by another process"),
                Some(hint.to_string()),
            ));
        }
        let done = py.detach(|| {
            let mut archive: MutexGuard<'_, _> =
                self.open.lock().unwrap_or_else(PoisonError::into_inner);
            archive.as_mut().map(work)
        });
        match done {
            Some(done) => done.map_err(|error| errors::archive(py, &error)),
            None => Err(errors::plain(py, "ArchiveError", &format!("{shown} is closed"), None)),
        }
    }
}

/// What a program is worth on a task.
fn kept(py: Python<'_>, kept: Kept) -> PyResult<Bound<'_, PyDict>> {
    let mut program =
        kept.canonical().map_err(|error| errors::archive(py, &error))?.program().clone();
    program.name = format!("solve_{}", kept.task);
    program.task = Some(kept.task.clone());
    let one = PyDict::new(py);
    one.set_item("program", Program::of(program))?;
    one.set_item("hash", kept.program.hex())?;
    one.set_item("task", kept.task)?;
    one.set_item("exact", kept.exact)?;
    one.set_item("demos", kept.samples.len())?;
    one.set_item("score", kept.score)?;
    one.set_item("cost", kept.cost)?;
    one.set_item("behaviour", kept.behaviour)?;
    Ok(one)
}

#[pymethods]
impl Archive {
    /// Opens `batt.db` or `postgres://…`; `mode` is `r` to read, `a` to write to one that is there, `w` to
    /// write to one that is made if it is not.
    #[new]
    #[pyo3(signature = (address="batt.db", mode="r"))]
    fn new(py: Python<'_>, address: &str, mode: &str) -> PyResult<Archive> {
        let open = match mode {
            "r" => archive::Archive::open_to_read,
            "a" => archive::Archive::open_existing,
            "w" => archive::Archive::open,
            _ => return Err(errors::option(py, &format!("mode is {mode}"), "it may be r, a or w")),
        };
        let opened = py.detach(|| open(address)).map_err(|error| errors::archive(py, &error))?;
        Ok(Archive {
            open: Mutex::new(Some(opened)),
            address: address.to_string(),
            mode: mode.to_string(),
            process: std::process::id(),
        })
    }

    /// Where it is; no password is in it.
    #[getter]
    fn address(&self) -> String {
        archive::Place::shown(&self.address)
    }

    /// Closes it; what is done with it afterwards is an error.
    fn close(&self, py: Python<'_>) {
        py.detach(|| drop(self.open.lock().unwrap_or_else(PoisonError::into_inner).take()));
    }

    /// The best programs of a task, by exact demos, score, cost and hash.
    #[pyo3(signature = (task, limit=1))]
    fn best<'py>(
        &self,
        py: Python<'py>,
        task: &str,
        limit: u32,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let best = self.with(py, |archive| archive.best(task, limit))?;
        best.into_iter().map(|one| kept(py, one)).collect()
    }

    /// The tasks that have results.
    #[getter]
    fn tasks(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        Ok(self.with(py, archive::Archive::tasks)?.into_iter().map(|(id, _)| id).collect())
    }

    /// Counts and the best program of every task, as JSON.
    fn summary(&self, py: Python<'_>) -> PyResult<(String, String)> {
        let (stats, rows) =
            self.with(py, |archive| Ok((archive.stats()?, archive.task_rows()?)))?;
        let json = |error: serde_json::Error| PyRuntimeError::new_err(error.to_string());
        Ok((
            serde_json::to_string(&stats).map_err(json)?,
            serde_json::to_string(&rows).map_err(json)?,
        ))
    }

    /// All that is known of the programs whose hash begins so, as JSON.
    fn records(&self, py: Python<'_>, prefix: &str) -> PyResult<String> {
        let found = self.with(py, |archive| archive.find(prefix))?;
        serde_json::to_string(&found).map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }

    /// Writes everything as JSON lines, in an order that does not depend on when it was found.
    fn export(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let file = File::create(&path)?;
        let written = self.with(py, |archive| Ok(archive.export(&mut BufWriter::new(file))))?;
        written.map_err(|error| errors::plain(py, "ArchiveError", &error.to_string(), None))
    }

    /// The solving programs of all tasks as a file of `solve_<id>` functions.
    fn programs_text(&self, py: Python<'_>) -> PyResult<String> {
        let tasks = self.tasks(py)?;
        let mut all = String::new();
        for task in tasks {
            for one in self.with(py, |archive| archive.best(&task, 1))? {
                if one.exact as usize == one.samples.len() {
                    let mut program = one
                        .canonical()
                        .map_err(|error| errors::archive(py, &error))?
                        .program()
                        .clone();
                    program.name = format!("solve_{task}");
                    all.push_str(&text::print(&program));
                    all.push('\n');
                }
            }
        }
        Ok(all)
    }

    fn __enter__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&self, py: Python<'_>, _error: &Bound<'_, PyTuple>) {
        self.close(py);
    }

    fn __repr__(&self) -> String {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        format!("<batt.Archive {}{}>", self.address(), if open { "" } else { ", closed" })
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let this = slf.get();
        // What reads another's archive must not make one, and what was there when it was made still is.
        let mode = if this.mode == "w" { "a" } else { &this.mode };
        Ok((slf.get_type().into_any(), (&this.address, mode).into_pyobject(slf.py())?))
    }
}
