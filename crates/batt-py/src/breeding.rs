//! A run that is bred by other processes: [`Breeding`] is where the archive is, [`Breeder`] where the work is.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use batt::evolve::archive::{Archive, RunId};
use batt::evolve::run::{Evolution, EvolveError, Until, Worker};
use batt::generation::Generations;
use batt::run::engine::reference::Reference;
use batt::run::engine::spent::DeviceReport;
use batt::run::engine::{Engine, Loaded, Setup};
use batt::run::tasks;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::evolve::{Asked, Event, News, failed};
use crate::program::Program;
use crate::task::{Task, Tasks};
use crate::{device, work};

/// Stands where an engine would be: the archive notes which ones the workers have.
struct Elsewhere(&'static str);

impl Engine for Elsewhere {
    fn name(&self) -> &'static str {
        self.0
    }

    fn device_report(&self) -> Option<DeviceReport> {
        None
    }

    fn load<'a>(&'a self, setup: Setup<'a>) -> Box<dyn Loaded + 'a> {
        Reference.load(setup)
    }
}

static CPU: Elsewhere = Elsewhere("cpu");
static CUDA: Elsewhere = Elsewhere("cuda");

/// Where a run stands, with its archive.
struct Open {
    evolution: Evolution<'static>,
    archive: Archive,
    run: RunId,
    news: News,
    committed: Instant,
    took: Duration,
}

/// A run whose generations are bred by others.
#[pyclass(frozen, module = "batt._batt")]
pub struct Breeding {
    open: Mutex<Open>,
    run: String,
    configuration: String,
}

impl Breeding {
    fn with<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut Open) -> T + Send) -> T {
        py.detach(|| {
            let mut open: MutexGuard<'_, Open> =
                self.open.lock().unwrap_or_else(PoisonError::into_inner);
            work(&mut open)
        })
    }
}

/// Tasks that were solved, with the texts of programs that solve them, and the generation as JSON.
type Finished = (Vec<(String, String)>, String);

#[pymethods]
impl Breeding {
    #[new]
    #[pyo3(signature = (programs, tasks, *, archive, resume, asked, device, threads))]
    #[expect(clippy::too_many_arguments, reason = "each is an option by its own name")]
    fn new(
        py: Python<'_>,
        programs: Vec<Py<Program>>,
        tasks: &Tasks,
        archive: &str,
        resume: bool,
        asked: Asked,
        device: &str,
        threads: Option<usize>,
    ) -> PyResult<Breeding> {
        let engine = if device.starts_with("cuda") { &CUDA } else { &CPU };
        let (config, seeds) = (asked.config(), asked.seeds(&programs));
        let made = py.detach(|| -> Result<_, EvolveError> {
            let mut archive =
                if resume { Archive::open_existing(archive)? } else { Archive::open(archive)? };
            let mut evolution = Evolution::new(config, engine, tasks.get(), seeds, threads)?;
            let run = evolution.open(&mut archive, resume)?;
            Ok((evolution, archive, run))
        });
        let (evolution, archive, run) = made.map_err(|error| failed(py, error))?;
        Ok(Breeding {
            run: run.to_string(),
            configuration: evolution.configuration(),
            open: Mutex::new(Open {
                evolution,
                archive,
                run,
                news: News::default(),
                committed: Instant::now(),
                took: Duration::ZERO,
            }),
        })
    }

    /// The run's key.
    #[getter]
    fn run(&self) -> &str {
        &self.run
    }

    /// What decides it but for its seed; workers must have the same.
    #[getter]
    fn configuration(&self) -> &str {
        &self.configuration
    }

    /// The generation that comes next.
    #[getter]
    fn next(&self, py: Python<'_>) -> u32 {
        self.with(py, |open| open.evolution.next())
    }

    /// How many units there are: tasks by islands.
    fn __len__(&self) -> usize {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).evolution.count()
    }

    /// The tasks of the units, by place.
    #[getter]
    fn tasks(&self, py: Python<'_>) -> Vec<String> {
        self.with(py, |open| open.evolution.tasks().iter().map(|task| task.id.clone()).collect())
    }

    /// How many seconds every unit's last generation took.
    #[getter]
    fn took(&self, py: Python<'_>) -> Vec<f64> {
        self.with(py, |open| open.evolution.took().iter().map(Duration::as_secs_f64).collect())
    }

    /// Whether it is time to stop.
    fn is_done(&self, py: Python<'_>, generations: Option<u32>, solved: bool) -> bool {
        self.with(py, |open| open.evolution.is_done(Until { generations, solved }))
    }

    /// What workers must know of the next generation.
    fn outline<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.with(py, |open| open.evolution.outline()))
    }

    /// A unit, for a worker that has not got it.
    fn unit<'py>(&self, py: Python<'py>, at: usize) -> PyResult<Bound<'py, PyBytes>> {
        let unit = self.with(py, |open| open.evolution.unit(at));
        let unit = unit.ok_or_else(|| PyValueError::new_err(format!("there is no unit {at}")))?;
        Ok(PyBytes::new(py, &unit))
    }

    /// Takes what a worker gave; gives the places of its units. What comes twice counts once.
    fn take(&self, py: Python<'_>, given: &[u8]) -> PyResult<Vec<usize>> {
        let taken = self.with(py, |open| open.evolution.take(given));
        taken.ok_or_else(|| PyValueError::new_err("this is nothing that a worker of this run gave"))
    }

    /// Ends the generation if all units are there, and commits where that is due. Gives the tasks that were
    /// solved with the texts of programs that solve them, and the generation as JSON; None if units lack.
    fn finish(&self, py: Python<'_>) -> PyResult<Option<Finished>> {
        let done = self.with(py, |open| -> Result<_, EvolveError> {
            let Some(is_whole) = open.evolution.finish() else { return Ok(None) };
            if !is_whole {
                return Ok(Some(None));
            }
            let events = open.news.of(&open.evolution.progress());
            // As `batt evolve` does: commits cost little against what lies between them.
            if open.committed.elapsed() >= Duration::from_secs(2).max(open.took * 20) {
                open.took = open.evolution.commit(&mut open.archive, &open.run)?;
                open.committed = Instant::now();
            }
            Ok(Some(Some(events)))
        });
        let done = done.map_err(|error| failed(py, error))?;
        let lost = "a worker bred another unit than this run has; resume=True goes on from the last commit";
        let Some(events) = done.ok_or_else(|| PyRuntimeError::new_err(lost))? else {
            return Ok(None);
        };
        let (mut solved, mut generation) = (Vec::new(), String::new());
        for event in events {
            match event {
                Event::Generation(line) => generation = line,
                Event::Solved(task, text) => solved.push((task, text)),
            }
        }
        Ok(Some((solved, generation)))
    }

    /// Commits what is not yet committed.
    fn commit(&self, py: Python<'_>) -> PyResult<()> {
        let done = self.with(py, |open| open.evolution.commit(&mut open.archive, &open.run));
        done.map(drop).map_err(|error| failed(py, error))
    }

    /// How long the archive took so far, in seconds.
    #[getter]
    fn archive_seconds(&self, py: Python<'_>) -> f64 {
        self.with(py, |open| open.evolution.progress().archive_time.as_secs_f64())
    }

    /// The last generation, and its numbers as JSON.
    fn last(&self, py: Python<'_>) -> (u32, String) {
        self.with(py, |open| {
            let progress = open.evolution.progress();
            (progress.generation, Generations::default().line(&progress).to_string())
        })
    }
}

/// Breeds units that it is sent.
#[pyclass(frozen, module = "batt._batt")]
pub struct Breeder {
    worker: Mutex<Worker>,
    configuration: String,
}

/// A unit's place, and its state where it is sent.
type Sent = (usize, Option<Vec<u8>>);

#[pymethods]
impl Breeder {
    #[new]
    #[pyo3(signature = (programs, tasks, *, asked, device, threads))]
    fn new(
        py: Python<'_>,
        programs: Vec<Py<Program>>,
        tasks: Vec<Py<Task>>,
        asked: Asked,
        device: &str,
        threads: Option<usize>,
    ) -> PyResult<Breeder> {
        let engine = device::open(py, device)?;
        let tasks: Vec<tasks::Task> = tasks.iter().map(|task| task.get().get().clone()).collect();
        let (config, seeds) = (asked.config(), asked.seeds(&programs));
        let made = py.detach(|| Worker::new(config, engine, &tasks, seeds, threads));
        let worker = made.map_err(|error| failed(py, error))?;
        Ok(Breeder { configuration: worker.configuration(), worker: Mutex::new(worker) })
    }

    /// What decides the run but for its seed.
    #[getter]
    fn configuration(&self) -> &str {
        &self.configuration
    }

    /// Hears of a generation.
    fn listen(&self, py: Python<'_>, outline: &[u8]) -> PyResult<()> {
        let heard = py
            .detach(|| self.worker.lock().unwrap_or_else(PoisonError::into_inner).listen(outline));
        heard.ok_or_else(|| PyValueError::new_err("this is no generation of this run"))
    }

    /// Breeds some units: gives what came of them, the places of those that it has not got, and how many
    /// programs were evaluated.
    fn step<'py>(
        &self,
        py: Python<'py>,
        lot: Vec<Sent>,
    ) -> PyResult<(Bound<'py, PyBytes>, Vec<usize>, u64)> {
        let done = work::quiet(py, None, |stop| {
            self.worker.lock().unwrap_or_else(PoisonError::into_inner).step(lot, stop)
        })?;
        let lot = done.ok_or_else(|| PyValueError::new_err("this is no unit of this run"))?;
        Ok((PyBytes::new(py, &lot.given), lot.missing, lot.candidates))
    }
}
