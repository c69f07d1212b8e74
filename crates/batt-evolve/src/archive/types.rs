//! What goes into an archive.

use std::fmt;

use batt_lang::canonical::{Canonical, ProgramHash};
use serde::{Deserialize, Serialize};

use crate::judge::{Judged, Tested};

/// The version of the language and of the judge. It changes when a program may be worth something
/// else than before.
pub const LANGUAGE: &str = "2";

/// A run's key: the hash of what decides its course.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RunId(pub(crate) String);

impl RunId {
    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A run: what decides its course, and where it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The seed.
    pub seed: u64,
    /// Everything else that decides its course, as JSON in one fixed order of fields.
    pub configuration: String,
    /// The version of the language and of the judge: [`LANGUAGE`].
    pub language: String,
    /// The hash of the data set.
    pub data: String,
    /// What ran it (engine, device); not part of the key or of an export.
    pub device: String,
    /// Where it ran; not part of the key or of an export.
    pub host: String,
    /// When it began, in seconds since 1970; not part of the key or of an export.
    pub started: u64,
}

impl Run {
    /// The key: a hash of seed, configuration, language and data.
    pub fn id(&self) -> RunId {
        let mut hasher = blake3::Hasher::new();
        for part in [&self.seed.to_string(), &self.configuration, &self.language, &self.data] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        RunId(hasher.finalize().to_hex()[..16].to_string())
    }
}

/// How a run came to a program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    /// The operator that made it.
    pub operator: String,
    /// What it was made from.
    pub parents: Vec<ProgramHash>,
    /// The island where it was found.
    pub island: u32,
}

/// A program that a generation found to be worth something on a task.
#[derive(Clone, Debug)]
pub struct Found {
    /// The program.
    pub program: Canonical,
    /// The task.
    pub task: String,
    /// The hash of the task's demos ([`crate::judge::Judge::demos`]).
    pub demos: String,
    /// What it is worth there.
    pub judged: Judged,
    /// How the run came to it.
    pub origin: Origin,
}

/// What a program gave on a task's tests.
#[derive(Clone, Debug)]
pub struct TestFound {
    /// The program; one that is not stored leaves nothing behind.
    pub program: ProgramHash,
    /// The task.
    pub task: String,
    /// What it gave.
    pub tested: Tested,
}

/// One generation of a run: all of it is stored, or nothing.
#[derive(Clone, Copy, Debug)]
pub struct Generation<'a> {
    /// The run.
    pub run: &'a RunId,
    /// Which one; the next after the run's last.
    pub number: u32,
    /// What it found. What is worth nothing is left out.
    pub found: &'a [Found],
    /// What came of the tests.
    pub tests: &'a [TestFound],
    /// What the run needs to go on from here.
    pub state: &'a [u8],
    /// How many programs to keep per task, of those tasks that `found` names.
    pub keep: Option<u32>,
}

/// What a commit changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stored {
    /// Programs that were new.
    pub programs: u64,
    /// Results that were new.
    pub results: u64,
    /// Results that are not kept because there are better ones.
    pub pruned: u64,
}

/// Where a run stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The last whole generation.
    pub generation: u32,
    /// The state that it left.
    pub state: Vec<u8>,
}
