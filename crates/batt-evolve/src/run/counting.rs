//! An engine that counts the rows that it evaluates, whoever asks.

use std::sync::atomic::{AtomicU64, Ordering};

use batt_run::engine::mark::Mark;
use batt_run::engine::spent::DeviceReport;
use batt_run::engine::{Amount, Counters, Engine, Loaded, Row, Sample, Setup};

/// An engine, and how many rows it evaluated.
pub(super) struct Counting<'a> {
    inner: &'a dyn Engine,
    rows: AtomicU64,
}

impl<'a> Counting<'a> {
    /// Counts what an engine does from now on.
    pub(super) fn new(inner: &'a dyn Engine) -> Counting<'a> {
        Counting { inner, rows: AtomicU64::new(0) }
    }

    /// How many rows were evaluated, on a device or not.
    pub(super) fn rows(&self) -> u64 {
        self.rows.load(Ordering::Relaxed)
    }

    /// Counts rows that were evaluated elsewhere.
    pub(super) fn add(&self, rows: u64) {
        self.rows.fetch_add(rows, Ordering::Relaxed);
    }
}

impl Engine for Counting<'_> {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn trouble(&self) -> Vec<String> {
        self.inner.trouble()
    }

    fn device_report(&self) -> Option<DeviceReport> {
        self.inner.device_report()
    }

    fn pick(&self, work: &Amount<'_>) -> Option<&dyn Engine> {
        self.inner.pick(work)
    }

    fn choices(&self) -> Vec<String> {
        self.inner.choices()
    }

    fn batch_size(&self) -> Option<usize> {
        self.inner.batch_size()
    }

    fn load<'a>(&'a self, setup: Setup<'a>) -> Box<dyn Loaded + 'a> {
        Box::new(Pass { rows: &self.rows, inner: self.inner.load(setup) })
    }
}

struct Pass<'a> {
    rows: &'a AtomicU64,
    inner: Box<dyn Loaded + 'a>,
}

impl Pass<'_> {
    fn count(&self, counters: &Counters) {
        self.rows.fetch_add(counters.rows(), Ordering::Relaxed);
    }
}

impl Loaded for Pass<'_> {
    fn run(&self, samples: &[Sample]) -> (Vec<Row>, Counters) {
        let (rows, counters) = self.inner.run(samples);
        self.count(&counters);
        (rows, counters)
    }

    fn marks(&self, samples: &[Sample]) -> (Vec<Vec<Option<Mark>>>, Counters) {
        let (marks, counters) = self.inner.marks(samples);
        self.count(&counters);
        (marks, counters)
    }
}
