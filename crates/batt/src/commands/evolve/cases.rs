//! Where engines or digests and the interpreter disagree: conformance records, in a folder beside the
//! archive.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use batt::evolve::archive::Place;
use batt::evolve::breed::Disagreement;
use batt::run::engine::Engine;
use serde::Serialize;

/// A run writes no more than these.
const MOST: usize = 100;
/// So many are made as small as they get; the others are written as they are.
const SHRUNK: usize = 10;

/// The records of a run.
pub struct Cases<'a> {
    engine: &'a dyn Engine,
    file: PathBuf,
    known: HashSet<String>,
    failed: Option<io::Error>,
}

/// Where records were written.
#[derive(Clone, Debug, Serialize)]
pub struct Written {
    /// The folder.
    pub folder: String,
    /// How many of this run are there.
    pub records: usize,
}

impl<'a> Cases<'a> {
    /// The records of a run; those that an earlier process wrote stay.
    pub fn new(archive: &str, run: &str, engine: &'a dyn Engine) -> Cases<'a> {
        let file = folder(archive, run).join(format!("{run}.jsonl"));
        let known = fs::read_to_string(&file).unwrap_or_default();
        let known = known.lines().map(str::to_string).collect();
        Cases { engine, file, known, failed: None }
    }

    /// Writes a disagreement down, unless it is known.
    pub fn add(&mut self, found: &Disagreement) {
        let count = self.known.len();
        if count >= MOST || self.failed.is_some() {
            return;
        }
        let found = if count < SHRUNK { found.clone().shrunk(self.engine) } else { found.clone() };
        let record = found.record().to_string();
        if self.known.contains(&record) {
            return;
        }
        match append(&self.file, &record) {
            Ok(()) => {
                self.known.insert(record);
            }
            Err(error) => self.failed = Some(error),
        }
    }

    /// Where they are; `None` if there are none.
    pub fn written(&self) -> Option<Written> {
        let folder = self.file.parent().unwrap_or(Path::new(".")).display().to_string();
        (!self.known.is_empty()).then_some(Written { folder, records: self.known.len() })
    }

    /// Why some could not be written.
    pub fn failure(&self) -> Option<String> {
        let error = self.failed.as_ref()?;
        Some(format!("{}: cannot be written: {error}", self.file.display()))
    }
}

/// The folder of an archive's records: beside its file; where it is no file, in the folder where batt
/// runs.
fn folder(archive: &str, run: &str) -> PathBuf {
    match Place::file(archive) {
        Some(path) => PathBuf::from(format!("{path}.cases")),
        None => PathBuf::from(format!("batt-{run}.cases")),
    }
}

fn append(file: &Path, record: &str) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file: File = OpenOptions::new().create(true).append(true).open(file)?;
    writeln!(file, "{record}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_lie_beside_the_archive() {
        let at = |archive| folder(archive, "7f").display().to_string();
        assert_eq!(at("runs/a.db"), "runs/a.db.cases");
        assert_eq!(at("sqlite:a.db"), "a.db.cases");
        assert_eq!(at("postgres://me:secret@host/db"), "batt-7f.cases");
        assert_eq!(at("PostgreSQL://host/db"), "batt-7f.cases");
        assert_eq!(at("host=host password=secret"), "batt-7f.cases");
    }
}
