//! A line of JSON for every generation.

use std::path::{Path, PathBuf};

use batt::evolve::run::Progress;
use batt::generation::Generations;

use crate::output::{self, Growing};

/// The option that names the metrics.
pub const METRICS: &str = "--metrics";

/// A stream of metrics.
pub struct Metrics {
    path: PathBuf,
    to: Growing,
    failed: Option<std::io::Error>,
    generations: Generations,
}

impl Metrics {
    /// Begins a file.
    pub fn new(path: &Path) -> anyhow::Result<Metrics> {
        let (path, to) = (path.to_path_buf(), Growing::begin(METRICS, path)?);
        Ok(Metrics { path, to, failed: None, generations: Generations::default() })
    }

    /// Adds a generation.
    pub fn write(&mut self, progress: &Progress) {
        let line = self.generations.line(progress);
        // After a line that could not be written the next would follow a part of one.
        if self.failed.is_none() {
            self.failed = self.to.add(format!("{line}\n").as_bytes()).err();
        }
    }

    /// Makes sure that everything was written.
    pub fn finish(self) -> anyhow::Result<()> {
        match self.failed {
            Some(error) => Err(output::failed(METRICS, &self.path, &error)),
            None => Ok(()),
        }
    }
}
