//! Runs the Python side in a process of its own.

use std::io::Write;
use std::path::PathBuf;
use std::process::Command;

use serde::Deserialize;
use serde_json::json;

use super::{Pair, PythonError};
use crate::tasks::{Example, Grid};

const SCRIPT: &str = include_str!("time.py");

/// What to run Python on.
#[derive(Clone, Debug)]
pub struct Child {
    /// The interpreter.
    pub python: PathBuf,
    /// The folder with `dsl.py` and `solvers.py`.
    pub folder: PathBuf,
}

/// What Python reports.
#[derive(Clone, Debug, Deserialize)]
pub struct Theirs {
    /// Its version.
    pub version: String,
    /// By program, in the order they were asked for.
    pub programs: Vec<TheirProgram>,
}

/// What one program took in Python.
#[derive(Clone, Debug, Deserialize)]
pub struct TheirProgram {
    /// CPU time.
    pub nanos: u64,
    /// Wrong results, errors among them.
    pub wrong: u64,
}

impl Child {
    /// The file of solvers, if the folder has what is needed.
    pub fn solvers(&self) -> Result<PathBuf, PythonError> {
        for file in ["dsl.py", "solvers.py"] {
            let path = self.folder.join(file);
            if !path.is_file() {
                return Err(PythonError::Missing(path));
            }
        }
        Ok(self.folder.join("solvers.py"))
    }
}

/// Runs the programs in Python.
pub fn python(child: &Child, pairs: &[Pair]) -> Result<Theirs, PythonError> {
    child.solvers()?;
    let rows = |grid: &Grid| grid.rows().map(<[u8]>::to_vec).collect::<Vec<_>>();
    let example = |e: &Example| json!([rows(&e.input), e.output.as_ref().map(rows)]);
    let program = |pair: &Pair| {
        let examples: Vec<_> = pair.examples().map(example).collect();
        json!({"name": pair.program.name, "examples": examples})
    };
    let asked = json!({"programs": pairs.iter().map(program).collect::<Vec<_>>()});
    let mut file = tempfile::NamedTempFile::new()?;
    file.write_all(asked.to_string().as_bytes())?;
    file.flush()?;
    // Isolated, and leaving no compiled files behind in the user's folder.
    let ran = Command::new(&child.python)
        .args(["-I", "-B", "-c", SCRIPT])
        .arg(&child.folder)
        .arg(file.path())
        .output()
        .map_err(|source| PythonError::NoPython { python: child.python.clone(), source })?;
    let said = String::from_utf8_lossy(&ran.stderr);
    // The last line of a traceback says what went wrong.
    let last = said.trim().lines().last().unwrap_or("it said nothing").to_string();
    if !ran.status.success() {
        return Err(PythonError::Failed(last));
    }
    let theirs: Theirs = serde_json::from_slice(&ran.stdout)
        .map_err(|error| PythonError::Failed(error.to_string()))?;
    if theirs.programs.len() == pairs.len() {
        Ok(theirs)
    } else {
        Err(PythonError::Failed("it did not report every program".to_string()))
    }
}
