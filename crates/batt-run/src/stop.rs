//! Telling work that is under way to end.
//!
//! Engines and the interpreter ask a [`Stop`] between their steps, and leave the rest once it has fired:
//! what was not done then is neither an answer nor an error.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use thiserror::Error;

/// The work was stopped before a result was there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("stopped")]
pub struct Stopped;

/// How long a flag may be set before it is seen.
const TICK: Duration = Duration::from_millis(20);

/// Says when to end. Copies of it are told together; one that has fired stays so.
#[derive(Clone, Debug, Default)]
pub struct Stop(Option<Arc<AtomicBool>>);

/// What never says so.
pub static NEVER: Stop = Stop(None);

impl Stop {
    /// One that can be told.
    pub fn new() -> Stop {
        Stop(Some(Arc::default()))
    }

    /// Tells all that ask.
    pub fn fire(&self) {
        if let Some(fired) = &self.0 {
            fired.store(true, Ordering::Relaxed);
        }
    }

    /// Whether to end.
    #[inline]
    pub fn fired(&self) -> bool {
        self.0.as_ref().is_some_and(|fired| fired.load(Ordering::Relaxed))
    }
}

/// Tells a [`Stop`] when a flag is set or a time has come, for as long as it is there. What asks need not
/// look at a clock, which would take longer than many steps.
#[derive(Debug)]
pub struct Watcher {
    stop: Stop,
    ended: Arc<(Mutex<bool>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

impl Watcher {
    /// Watches a flag, a clock, or both; where no thread can be started, what was set or late before is
    /// all that is seen.
    pub fn new(flag: Option<&'static AtomicBool>, deadline: Option<Instant>) -> Watcher {
        let due = move || {
            flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
                || deadline.is_some_and(|deadline| Instant::now() >= deadline)
        };
        let (stop, ended) = (Stop::new(), Arc::<(Mutex<bool>, Condvar)>::default());
        if due() {
            stop.fire();
        }
        let (told, end) = (stop.clone(), Arc::clone(&ended));
        let watch = move || {
            let (ended, changed) = &*end;
            let mut is_over = ended.lock().unwrap_or_else(PoisonError::into_inner);
            while !*is_over && !told.fired() {
                if due() {
                    told.fire();
                    break;
                }
                let left = deadline.map(|at| at.saturating_duration_since(Instant::now()));
                let wait = match (flag, left) {
                    (None, Some(left)) => left,
                    (_, left) => left.unwrap_or(TICK).min(TICK),
                };
                let waited = changed.wait_timeout(is_over, wait);
                is_over = waited.map_or_else(|e| e.into_inner().0, |(is_over, _)| is_over);
            }
        };
        let thread = match (flag, deadline) {
            (None, None) => None,
            _ => std::thread::Builder::new().name("stop".to_string()).spawn(watch).ok(),
        };
        Watcher { stop, ended, thread }
    }

    /// What is told.
    pub fn stop(&self) -> &Stop {
        &self.stop
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        *self.ended.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.ended.1.notify_all();
        if let Some(thread) = self.thread.take() {
            // It only waits and looks at a clock.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_stays_fired() {
        let stop = Stop::new();
        let other = stop.clone();
        assert!(!stop.fired());
        other.fire();
        assert!(stop.fired() && other.fired());
        NEVER.fire();
        assert!(!NEVER.fired());
    }

    #[test]
    fn a_time_that_has_come_is_seen() {
        let now = Instant::now();
        assert!(Watcher::new(None, Some(now)).stop().fired());
        let watcher = Watcher::new(None, Some(now + Duration::from_millis(30)));
        while !watcher.stop().fired() {
            assert!(now.elapsed() < Duration::from_secs(20));
            std::thread::sleep(Duration::from_millis(1));
        }
        assert!(now.elapsed() >= Duration::from_millis(30));
        let far = Watcher::new(None, Some(now + Duration::from_secs(3600)));
        assert!(!far.stop().fired());
        drop(far);
        assert!(now.elapsed() < Duration::from_secs(20), "nothing waits for what is not wanted");
    }

    #[test]
    fn a_flag_is_seen() {
        static FLAG: AtomicBool = AtomicBool::new(false);
        let watcher = Watcher::new(Some(&FLAG), None);
        assert!(!watcher.stop().fired());
        FLAG.store(true, Ordering::Relaxed);
        let started = Instant::now();
        while !watcher.stop().fired() {
            assert!(started.elapsed() < Duration::from_secs(20));
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
