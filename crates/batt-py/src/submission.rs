//! Submissions: attempts at every test, read, written and scored.

use std::collections::BTreeMap;

use batt::evolve::submission::choose::{choose, fill};
use batt::evolve::submission::score::score as score_of;
use batt::evolve::submission::{MOST, Solutions, Submission, file};
use batt::lang::Program as Source;
use batt::run::tasks::{Grid, Task as Given};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::program::Program;
use crate::task::Tasks;
use crate::{device, errors, grid, work};

/// Attempts as Python has them: by task, by test.
type Shown<'py> = BTreeMap<String, Vec<Vec<Bound<'py, PyAny>>>>;

fn read(shown: &Shown<'_>) -> PyResult<Submission> {
    let tests = |(id, tests): (&String, &Vec<Vec<Bound<'_, PyAny>>>)| {
        let grids = |attempts: &Vec<Bound<'_, PyAny>>| -> PyResult<Vec<Grid>> {
            if attempts.len() > MOST {
                return Err(PyValueError::new_err(format!(
                    "task {id}: at most {MOST} attempts at a test are possible"
                )));
            }
            attempts.iter().map(grid::grid).collect()
        };
        Ok((id.clone(), tests.iter().map(grids).collect::<PyResult<_>>()?))
    };
    shown.iter().map(tests).collect()
}

fn show<'py>(py: Python<'py>, submission: &Submission) -> Shown<'py> {
    let test =
        |attempts: &Vec<Grid>| attempts.iter().map(|one| grid::array(py, one).into_any()).collect();
    submission.iter().map(|(id, tests)| (id.clone(), tests.iter().map(test).collect())).collect()
}

/// Reads a submission's text: ARC Prize's JSON or the older CSV.
#[pyfunction]
pub fn read_submission<'py>(py: Python<'py>, text: &str) -> PyResult<Shown<'py>> {
    let read = file::read(text)
        .map_err(|error| errors::plain(py, "DataError", &error.to_string(), None))?;
    Ok(show(py, &read))
}

/// The text of a submission, as ARC Prize takes it.
#[pyfunction]
pub fn write_submission(submission: Shown<'_>) -> PyResult<String> {
    Ok(file::write(&read(&submission)?))
}

/// The known outputs of tasks.
fn solutions(tasks: &[Given]) -> Solutions {
    let outputs = |task: &Given| task.tests.iter().map(|test| test.output.clone()).collect();
    tasks.iter().map(|task| (task.id.clone(), outputs(task))).collect()
}

/// What a submission is worth on tasks whose outputs are known, as JSON.
#[pyfunction]
pub fn score(py: Python<'_>, submission: Shown<'_>, tasks: &Tasks) -> PyResult<String> {
    let submission = read(&submission)?;
    let scored = score_of(&submission, &solutions(tasks.get().tasks())).map_err(|why| {
        errors::plain(py, "DataError", &why, Some("score it with the tasks it is for".to_string()))
    })?;
    serde_json::to_string(&scored).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

/// The submission that programs make, the best of each task first, or that is filled up from grids that are
/// there: `attempts` at every test of every task.
#[pyfunction]
#[pyo3(signature = (tasks, *, programs, grids, attempts, device))]
pub fn submission_of<'py>(
    py: Python<'py>,
    tasks: &Tasks,
    programs: BTreeMap<String, Vec<Py<Program>>>,
    grids: Shown<'py>,
    attempts: usize,
    device: &str,
) -> PyResult<Shown<'py>> {
    let engine = device::open(py, device)?;
    let grids = read(&grids)?;
    let programs: BTreeMap<String, Vec<Source>> = programs
        .into_iter()
        .map(|(id, all)| (id, all.iter().map(|program| program.get().get().clone()).collect()))
        .collect();
    let asked: Vec<&Given> =
        tasks.get().tasks().iter().filter(|task| !task.tests.is_empty()).collect();
    let of = |task: &&Given| {
        let none = Vec::new();
        let given = grids.get(&task.id);
        let chosen = match given {
            Some(tests) => {
                let test = |(at, input): (usize, &Grid)| {
                    let outputs = tests.get(at).unwrap_or(&none).iter().cloned();
                    fill(outputs, input, attempts)
                };
                task.tests.iter().map(|test| &test.input).enumerate().map(test).collect()
            }
            None => choose(
                task,
                programs.get(&task.id).map_or(&[][..], Vec::as_slice),
                &*engine,
                attempts,
            ),
        };
        (task.id.clone(), chosen.into_iter().map(|chosen| chosen.attempts).collect())
    };
    let made: Submission = work::quiet(py, None, |_| {
        let pool = rayon::ThreadPoolBuilder::new()
            .stack_size(256 << 20)
            .build()
            .map_err(|error| error.to_string())?;
        Ok(pool.install(|| asked.par_iter().map(of).collect()))
    })?
    .map_err(|error: String| PyRuntimeError::new_err(error))?;
    Ok(show(py, &made))
}
