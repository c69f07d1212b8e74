//! Long work: it runs on a thread of its own while Python goes on, sees Ctrl-C, and tells how far it is.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use batt::run::stop::Stop;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Enough for the deepest nesting that the limits let a value or a program have.
const STACK: usize = 256 << 20;
/// How often Ctrl-C is looked for and progress is told.
const TICK: Duration = Duration::from_millis(50);

/// How far some work is.
#[derive(Default)]
pub struct Progress {
    label: Mutex<&'static str>,
    total: AtomicU64,
    done: AtomicU64,
}

impl Progress {
    /// A part begins, of so many results.
    pub fn start(&self, label: &'static str, total: u64) {
        if let Ok(mut now) = self.label.lock() {
            *now = label;
        }
        self.done.store(0, Ordering::Relaxed);
        self.total.store(total, Ordering::Relaxed);
    }

    /// So many more results are there.
    pub fn more(&self, results: u64) {
        self.done.fetch_add(results, Ordering::Relaxed);
    }

    /// Tells a Python function `progress(label, done, total)`.
    fn tell(&self, to: &Bound<'_, PyAny>) -> PyResult<()> {
        let label = self.label.lock().map(|label| *label).unwrap_or_default();
        let counts = (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed));
        to.call1((label, counts.0, counts.1)).map(drop)
    }
}

impl batt::run::run::Watch for Progress {
    fn begin(&self, what: &'static str, results: u64) {
        self.start(what, results);
    }

    fn add(&self, results: u64) {
        self.more(results);
    }
}

/// What tells Python of events, and waits until it has heard of them.
pub struct Teller<E> {
    events: Mutex<(Sender<E>, Receiver<()>)>,
}

impl<E> Teller<E> {
    /// Tells of an event; comes back once Python has dealt with it.
    pub fn tell(&self, event: E) {
        if let Ok(events) = self.events.lock()
            && events.0.send(event).is_ok()
        {
            // Nobody answers once the work was told to stop.
            let _ = events.1.recv();
        }
    }
}

/// Runs `work` on a thread of its own. Python's other threads go on meanwhile; an exception of a signal,
/// of `progress` or of `heard` tells the work to stop, and is raised once it has.
pub fn run<T: Send, E: Send>(
    py: Python<'_>,
    progress: Option<(&Progress, &Bound<'_, PyAny>)>,
    mut heard: impl FnMut(E) -> PyResult<()>,
    work: impl FnOnce(&Stop, &Teller<E>) -> T + Send,
) -> PyResult<T> {
    let stop = Stop::new();
    let (tell, events) = channel::<E>();
    let (answer, answers) = channel::<()>();
    let teller = Teller { events: Mutex::new((tell, answers)) };
    let mut failed: Option<PyErr> = None;
    let result = std::thread::scope(|scope| {
        let (stop, worker_stop) = (&stop, &stop);
        let spawned =
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                let done = work(worker_stop, &teller);
                drop(teller);
                done
            });
        let thread = spawned
            .map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
        let events = Mutex::new(events);
        loop {
            let event = py.detach(|| {
                events
                    .lock()
                    .map_or(Err(RecvTimeoutError::Disconnected), |events| events.recv_timeout(TICK))
            });
            let told = match event {
                Ok(event) => {
                    let told = if failed.is_none() { heard(event) } else { Ok(()) };
                    let _ = answer.send(());
                    told
                }
                Err(RecvTimeoutError::Timeout) => Ok(()),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            let shown = || progress.map_or(Ok(()), |(progress, to)| progress.tell(to));
            if failed.is_none()
                && let Err(error) = told.and_then(|()| py.check_signals()).and_then(|()| shown())
            {
                failed = Some(error);
                stop.fire();
            }
        }
        py.detach(|| thread.join())
            .map_err(|_| PyRuntimeError::new_err("the work ended in a panic; please report it"))
    })?;
    if let (None, Some((progress, to))) = (&failed, progress) {
        progress.tell(to)?;
    }
    match failed {
        Some(error) => Err(error),
        None => Ok(result),
    }
}

/// Events of work that tells of none.
pub enum Silent {}

/// [`run`] for work that tells of no events.
pub fn quiet<T: Send>(
    py: Python<'_>,
    progress: Option<(&Progress, &Bound<'_, PyAny>)>,
    work: impl FnOnce(&Stop) -> T + Send,
) -> PyResult<T> {
    run(py, progress, |silent: Silent| match silent {}, |stop, _| work(stop))
}
