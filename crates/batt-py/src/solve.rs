//! Solving: answers for tasks that nobody wrote a program for.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use batt::run::stop::Stop;
use batt::run::tasks::Task as Given;
use batt::solve::enumerate::costs::Costs;
use batt::solve::{Answer, Attempt, Config, Part, Prepared, Solver};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::program::Program;
use crate::run::at_most;
use crate::task::Tasks;
use crate::work::{self, Progress};
use crate::{device, errors, grid};

/// Enough for the deepest nesting that the limits let a value have.
const STACK: usize = 256 << 20;

/// The parts of these names.
fn parts(py: Python<'_>, names: Vec<String>) -> PyResult<Vec<Part>> {
    let read = |name: String| {
        name.parse()
            .map_err(|why: String| errors::option(py, &why, "parts=[\"cells\", \"enumeration\"]"))
    };
    names.into_iter().map(read).collect()
}

/// What the last search prepared, and the costs that it had: it takes as long as a task of a small budget.
static PREPARED: Mutex<Option<(Option<String>, Arc<Prepared>)>> = Mutex::new(None);

/// What all tasks share, for a table of costs.
fn prepared(text: Option<&str>, costs: Option<&Costs>) -> Result<Arc<Prepared>, String> {
    let mut known = PREPARED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((its, prepared)) = &*known
        && its.as_deref() == text
    {
        return Ok(prepared.clone());
    }
    let mut prepared = Prepared::new()?;
    if let Some(costs) = costs {
        prepared.set_costs(costs)?;
    }
    let prepared = Arc::new(prepared);
    *known = Some((text.map(str::to_string), prepared.clone()));
    Ok(prepared)
}

/// Answers tasks: for each that was begun, its id and its attempts.
#[pyfunction]
#[pyo3(signature = (tasks, *, attempts, parts, budget, seed, costs, device, threads, max_seconds, progress, heard))]
#[expect(clippy::too_many_arguments, reason = "each is an option by its own name")]
pub fn solve<'py>(
    py: Python<'py>,
    tasks: &Tasks,
    attempts: usize,
    parts: Option<Vec<String>>,
    budget: Option<u64>,
    seed: u64,
    costs: Option<&str>,
    device: &str,
    threads: Option<usize>,
    max_seconds: Option<f64>,
    progress: Option<&Bound<'py, PyAny>>,
    heard: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyList>> {
    let parts = parts.map_or(Ok(Part::ALL.to_vec()), |names| self::parts(py, names))?;
    let defaults = Config::default();
    let config =
        Config { attempts, parts, budget: budget.unwrap_or(defaults.budget), seed, ..defaults };
    let table = costs.map(|text| {
        let hint = "`batt solve --learn-costs FILE` writes such a table";
        Costs::read(text).map_err(|why| errors::option(py, &why, hint))
    });
    let table = table.transpose()?;
    let engine = device::open(py, device)?;
    let asked: Vec<&Given> =
        tasks.get().tasks().iter().filter(|task| !task.tests.is_empty()).collect();
    let told = Progress::default();
    told.start("solve", asked.len() as u64);
    let tell = |(id, attempts): (String, usize)| match heard {
        Some(to) => to.call1((id, attempts)).map(drop),
        None => Ok(()),
    };
    let is_heard = heard.is_some();
    let found = work::run(
        py,
        progress.map(|to| (&told, to)),
        tell,
        |stop, teller| -> Result<Vec<(usize, Answer)>, String> {
            let prepared = prepared(costs, table.as_ref())?;
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads.unwrap_or(0))
                .stack_size(STACK)
                .build();
            let pool = pool.map_err(|error| error.to_string())?;
            let solver = Solver::new(&prepared, &*engine, stop);
            // A task that is begun is finished: half an answer would depend on the clock. Ctrl-C wants none.
            let late = Stop::new();
            let next = AtomicUsize::new(0);
            let solved = at_most(max_seconds, &late, || {
                pool.broadcast(|_| {
                    let mut solved = Vec::new();
                    while !stop.fired() && !late.fired() {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(task) = asked.get(at) else { break };
                        let answer = solver.solve(task, &config);
                        told.more(1);
                        if is_heard {
                            teller.tell((task.id.clone(), answer.attempts.len()));
                        }
                        solved.push((at, answer));
                    }
                    solved
                })
            });
            let mut all: Vec<(usize, Answer)> = solved.into_iter().flatten().collect();
            all.sort_by_key(|(at, _)| *at);
            Ok(all)
        },
    )?;
    let answers = found.map_err(PyRuntimeError::new_err)?;
    let listed = PyList::empty(py);
    for (at, answer) in answers {
        let one = PyDict::new(py);
        one.set_item("task", &asked[at].id)?;
        one.set_item("candidates", answer.candidates)?;
        let tried: Vec<_> = answer
            .tried
            .iter()
            .map(|tried| (tried.part.name(), tried.candidates, tried.rows))
            .collect();
        one.set_item("tried", tried)?;
        let attempts: Vec<_> =
            answer.attempts.into_iter().map(|one| attempt(py, one)).collect::<PyResult<_>>()?;
        one.set_item("attempts", attempts)?;
        listed.append(one)?;
    }
    Ok(listed)
}

fn attempt(py: Python<'_>, attempt: Attempt) -> PyResult<Bound<'_, PyDict>> {
    let Attempt { part, program, outputs, how, trust } = attempt;
    let one = PyDict::new(py);
    one.set_item("part", part.name())?;
    one.set_item("program", Program::of(program))?;
    one.set_item(
        "outputs",
        outputs.iter().map(|output| grid::array(py, output)).collect::<Vec<_>>(),
    )?;
    one.set_item("how", how)?;
    one.set_item("trust", trust)?;
    Ok(one)
}
