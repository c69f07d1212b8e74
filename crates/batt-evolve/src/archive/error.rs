//! What can go wrong with an archive.

use thiserror::Error;

use super::Place;

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
    /// An address that cannot be read; nothing of it is told.
    #[error("the archive's address cannot be read: {0}")]
    Address(String),
    /// Certificates that cannot be read.
    #[error("the certificates of {place} cannot be used: {why}")]
    Certificates {
        /// Where they are.
        place: String,
        /// Why.
        why: String,
    },
    /// A server that did not answer for long.
    #[error("the archive {place} does not answer: {why}")]
    Silent {
        /// Where.
        place: String,
        /// What was said last.
        why: String,
    },
    /// A server did not answer, and nobody wanted to wait for it any more.
    #[error("the archive {place} does not answer, and the wait was interrupted: {why}")]
    Interrupted {
        /// Where.
        place: String,
        /// What was said last.
        why: String,
    },
    /// An export could not be read to its end from one state of the archive.
    #[error("the connection was lost, and the archive has changed since the export began")]
    Changed,
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
    /// The same without what may be a password in the path of a file that could not be opened.
    pub(super) fn shown(self, path: &str) -> ArchiveError {
        let shown = Place::File(path.to_string()).to_string();
        match self {
            ArchiveError::Missing(_) => ArchiveError::Missing(shown),
            ArchiveError::Open { why, .. } => {
                ArchiveError::Open { why: why.replace(path, &shown), place: shown }
            }
            other => other,
        }
    }

    /// What helps.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            ArchiveError::Missing(_) | ArchiveError::Foreign => {
                Some("an archive is a file, `sqlite:PATH` or `postgres://user@host/database`")
            }
            ArchiveError::Address(_) => Some(
                "an address is `postgres://user:password@host:port/database?sslmode=…` or \
                 `host=… dbname=…`; in a password `@` is written %40, `/` %2F, `?` %3F, `%` %25",
            ),
            ArchiveError::Certificates { .. } => Some(
                "`sslrootcert` names a file of certificates in PEM, or is `system` for those that \
                 this system trusts",
            ),
            ArchiveError::Changed => Some("export again"),
            ArchiveError::Silent { .. } | ArchiveError::Interrupted { .. } => {
                Some("what was stored is there; try again when the server answers")
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
