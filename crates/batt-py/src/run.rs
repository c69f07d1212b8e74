//! Runs: programs on the tasks that they name, or on all, with the command's report.

use std::time::{Duration, Instant};

use batt::run::reference::eval::Policy;
use batt::run::run::library::Entry;
use batt::run::run::plan::Plan;
use batt::run::run::report::{self, Data, Report, SCHEMA, Scoring, Shape};
use batt::run::run::scores::Diff;
use batt::run::run::{self as runs, Options};
use batt::run::stop::Stop;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::program::{Program, policy};
use crate::task::Tasks;
use crate::work::Progress;
use crate::{device, work};

/// A program as runs have it.
pub fn entry(program: &Program) -> Entry {
    let program = program.get();
    Entry {
        id: program.name.clone(),
        task: program.task.clone(),
        file: "<python>".to_string(),
        tries: false,
        program: program.clone(),
    }
}

/// Fires a stop once a time is up, until what it guards is done.
pub fn at_most<T>(seconds: Option<f64>, stop: &Stop, work: impl FnOnce() -> T) -> T {
    let deadline = seconds
        .and_then(|s| Duration::try_from_secs_f64(s).ok())
        .and_then(|s| Instant::now().checked_add(s));
    let Some(deadline) = deadline else { return work() };
    let (done, is_done) = std::sync::mpsc::channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let left = deadline.saturating_duration_since(Instant::now());
            if is_done.recv_timeout(left) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                stop.fire();
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// Runs programs and gives the report as JSON.
#[pyfunction]
#[pyo3(signature = (programs, tasks, *, cross, differs, diff, fuse, on_error, device, threads, max_seconds, progress))]
#[expect(clippy::too_many_arguments, reason = "each is an option by its own name")]
pub fn run(
    py: Python<'_>,
    programs: Vec<Py<Program>>,
    tasks: &Tasks,
    cross: bool,
    differs: Vec<Py<Program>>,
    diff: &str,
    fuse: bool,
    on_error: &str,
    device: &str,
    threads: Option<usize>,
    max_seconds: Option<f64>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let started = Instant::now();
    let engine = device::open(py, device)?;
    let policy = policy(py, on_error)?;
    let entries: Vec<Entry> = programs.iter().map(|program| entry(program.get())).collect();
    let differs: Vec<_> = differs.iter().map(|differ| differ.get().get().clone()).collect();
    let data = tasks.get();
    let all = data.tasks();
    let plan = if cross { Plan::cross(&entries, all) } else { Plan::named(&entries, all) };
    let diff = if diff == "always" { Diff::Always } else { Diff::Matched };
    let told = Progress::default();
    let finished = work::quiet(py, progress.map(|to| (&told, to)), |stop| {
        let options = Options {
            engine: &*engine,
            policy,
            fuse,
            threads,
            batch_size: None,
            stop,
            differs: &differs,
            diff,
            explain: if cross { |outcome| outcome.samples().solved > 0 } else { |_| true },
        };
        at_most(max_seconds, stop, || runs::run(&entries, all, &plan, &options, None, &told))
    })?;
    let finished = finished.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    let names: Vec<String> = differs.into_iter().map(|differ| differ.name).collect();
    let shape = Shape { cross, stable: false };
    let (rows, totals) = report::rows(&entries, all, &plan, &finished, &names, shape);
    let report = Report {
        schema: SCHEMA,
        totals,
        programs: rows,
        problems: Vec::new(),
        data: Data {
            name: data.name.clone(),
            version: data.version.clone(),
            hash: data.hash.to_string(),
            tasks: all.len(),
        },
        policy: if policy == Policy::Safe { "safe" } else { "strict" },
        engine: Some(engine.name().to_string()),
        device: None,
        seconds: Some(started.elapsed().as_secs_f64()),
        timing: Some(finished.timing),
        work: Some(finished.work),
        fallbacks: Vec::new(),
        scoring: finished.scored.as_ref().map(|scored| Scoring {
            differs: names,
            diff,
            samples: scored.samples,
            scores: scored.scores,
            not_scored: Some(scored.wanted - scored.samples).filter(|n| *n > 0),
        }),
        matrix: None,
    };
    serde_json::to_string(&report).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}
