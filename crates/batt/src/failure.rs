//! Errors as people see them: what went wrong, and a hint where one helps.

use std::fmt;
use std::io;

use batt::evolve::archive::ArchiveError;
use batt::run::run::library::LibraryError;
use batt::run::tasks::DataError;

use crate::tell::tell;

/// An error with a hint.
#[derive(Debug)]
pub struct Failure {
    message: String,
    hint: String,
}

impl Failure {
    /// An error with a hint, ready to be returned.
    pub fn error(message: impl Into<String>, hint: impl Into<String>) -> anyhow::Error {
        anyhow::Error::new(Failure { message: message.into(), hint: hint.into() })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Failure {}

/// Prints an error to standard error.
pub fn print(error: &anyhow::Error, color: bool) {
    let paint = |code: &str, word: &str| {
        if color { format!("\x1b[1;{code}m{word}\x1b[0m") } else { word.to_string() }
    };
    tell!("{}: {error:#}", paint("31", "error"));
    if let Some(hint) = hint(error) {
        tell!("{}: {hint}", paint("36", "hint"));
    }
}

fn hint(error: &anyhow::Error) -> Option<String> {
    error.chain().find_map(|cause| cause.downcast_ref::<Failure>().map(|f| f.hint.clone()))
}

/// An error of an archive, with its hint.
pub fn archive(error: ArchiveError) -> anyhow::Error {
    match error.hint() {
        Some(hint) => Failure::error(error.to_string(), hint),
        None => error.into(),
    }
}

/// An error of a data set, with its hint.
pub fn data(error: DataError) -> anyhow::Error {
    let hint = error.hint().or_else(|| match &error {
        DataError::NoTask { .. } => {
            Some("`batt show` lists the tasks; --tasks chooses another data set".to_string())
        }
        _ => None,
    });
    match hint {
        Some(hint) => Failure::error(error.to_string(), hint),
        None => error.into(),
    }
}

/// An error of reading programs, with a hint.
pub fn library(error: LibraryError) -> anyhow::Error {
    let hint = match &error {
        LibraryError::Io { source, .. } if source.kind() == io::ErrorKind::NotFound => {
            "give files of programs or folders of *.py; without any, the built-in programs run"
        }
        LibraryError::NoFiles(_) => "programs are read from files that end in .py",
        LibraryError::TooLarge(_) => "split it into several files",
        LibraryError::Battery { error, .. } => error.hint(),
        LibraryError::Io { .. } => return error.into(),
    };
    Failure::error(error.to_string(), hint)
}
