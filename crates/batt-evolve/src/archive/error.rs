//! What can go wrong with an archive.

use thiserror::Error;

/// Why an archive could not be opened, read or written.
#[derive(Debug, Error)]
pub enum ArchiveError {
    /// There is none at that place.
    #[error("there is no archive at {0}")]
    Missing(String),
    /// The place cannot be opened.
    #[error("cannot open the archive {place}: {why}")]
    Open {
        /// Where.
        place: String,
        /// Why.
        why: String,
    },
    /// It is a database of something else.
    #[error("this database holds something else than an archive")]
    Foreign,
    /// A newer batt wrote it.
    #[error("the archive has version {0}; this batt knows versions up to {1}")]
    Newer(i64, i64),
    /// SQLite says no.
    #[error("the archive cannot be used: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// PostgreSQL says no.
    #[error("the archive cannot be used: {}", postgres_words(.0))]
    Postgres(#[from] postgres::Error),
    /// A row is not what it should be.
    #[error("the archive is damaged: {0}")]
    Damaged(String),
    /// Commits that were promised are not there.
    #[error("the archive is not whole: {0}")]
    Lost(String),
    /// It was opened to read.
    #[error("the archive was opened to read, and cannot be written")]
    ReadOnly,
    /// Another task of this name is in the archive.
    #[error("the archive has results of another task called {0}: its demos differ")]
    OtherTask(String),
    /// A generation that does not follow the last one.
    #[error("run {run} stands at generation {at}; generation {number} cannot follow")]
    OutOfOrder {
        /// The run.
        run: String,
        /// Where it stands.
        at: i64,
        /// What was to be stored.
        number: u32,
    },
    /// A line of an export that cannot be taken.
    #[error("{file}:{line}: {why}")]
    Import {
        /// The export.
        file: String,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// Threads cannot be started.
    #[error("cannot start threads: {0}")]
    Threads(String),
    /// A run that was not begun.
    #[error("the archive has no run {0}")]
    NoRun(String),
}

impl ArchiveError {
    /// What helps.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            ArchiveError::Missing(_) | ArchiveError::Foreign => {
                Some("an archive is a file, `sqlite:PATH` or `postgres://user@host/database`")
            }
            ArchiveError::Newer(..) => Some("use the batt that wrote it, or a newer one"),
            ArchiveError::Damaged(_) => Some("`batt archive check` says what is wrong"),
            ArchiveError::Lost(_) => Some(
                "bring back the files that were beside it; or save what is left with `batt archive \
                 export`, and import it into a new archive",
            ),
            ArchiveError::OtherTask(_) => Some("keep another archive for other data"),
            ArchiveError::Import { .. } => {
                Some("nothing was imported; `batt archive export` writes exports")
            }
            _ => None,
        }
    }
}

/// The server's own words, which the short form leaves out.
fn postgres_words(error: &postgres::Error) -> String {
    match error.as_db_error() {
        Some(said) => said.to_string(),
        None => error.to_string(),
    }
}
