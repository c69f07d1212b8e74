//! The CPU, with a count of what it did.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::engine::cpu::Cpu;
use crate::engine::mark::Mark;
use crate::engine::spent::Spent;
use crate::engine::{Counters, Engine, Loaded, Row, Sample, Setup};

/// The CPU engine, with a count of what it did: a device's share is of everything.
#[derive(Default)]
pub struct Counted {
    cpu: Cpu,
    used: AtomicBool,
    spent: Mutex<Spent>,
}

impl Counted {
    /// Whether it was used.
    pub fn used(&self) -> bool {
        self.used.load(Ordering::Relaxed)
    }

    /// What it did so far.
    pub fn spent(&self) -> Spent {
        *self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine for Counted {
    fn name(&self) -> &'static str {
        "cpu"
    }

    fn load<'a>(&'a self, setup: Setup<'a>) -> Box<dyn Loaded + 'a> {
        self.used.store(true, Ordering::Relaxed);
        let roots = setup.phase.roots(setup.battery).len();
        Box::new(CountedPass { engine: self, inner: self.cpu.load(setup), roots })
    }
}

struct CountedPass<'a> {
    engine: &'a Counted,
    inner: Box<dyn Loaded + 'a>,
    roots: usize,
}

impl CountedPass<'_> {
    fn count(&self, counters: &Counters, samples: usize) {
        let spent = &self.engine.spent;
        spent.lock().unwrap_or_else(PoisonError::into_inner).add(counters, samples * self.roots);
    }
}

impl Loaded for CountedPass<'_> {
    fn run(&self, samples: &[Sample]) -> (Vec<Row>, Counters) {
        let (rows, counters) = self.inner.run(samples);
        self.count(&counters, samples.len());
        (rows, counters)
    }

    fn marks(&self, samples: &[Sample]) -> (Vec<Vec<Option<Mark>>>, Counters) {
        let (marks, counters) = self.inner.marks(samples);
        self.count(&counters, samples.len());
        (marks, counters)
    }
}
