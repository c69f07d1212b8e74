//! Battery files: the merged program as text, with a version and the hash of its content.
//!
//! ```text
//! # batt battery 1
//! # blake3:<hash of everything after this line>
//! def batt(task_id, S, I, C, log_path):
//!     s = []
//!     o = []
//!     t1 = …
//! ```
//!
//! Below its two header lines a battery file is a generated function like any other, so whatever
//! reads those reads battery files too.

use std::fmt;

use crate::program::{Definition, Generated};
use crate::text::{self, Problem};

const MAGIC: &str = "# batt battery ";
const HASH: &str = "# blake3:";

/// The version of the form that is written, and the only one that is read.
pub const VERSION: u32 = 1;

/// Why a text is no battery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileError {
    /// It does not begin as a battery file does.
    NoHeader,
    /// It has another version.
    Version(String),
    /// Its content is not what it was when it was written.
    Changed,
    /// It holds no generated function, or more than one definition.
    NotOneFunction,
    /// Its function cannot be read.
    Text(Vec<Problem>),
}

impl FileError {
    /// What helps.
    pub fn hint(&self) -> &'static str {
        match self {
            FileError::NoHeader | FileError::NotOneFunction => {
                "`batt card … -o FILE` writes battery files"
            }
            FileError::Version(_) => {
                "deal the programs again, or read it with the batt that wrote it"
            }
            FileError::Changed => {
                "if the change is meant, remove the two lines that begin with `# batt` and \
                 `# blake3`: the rest is a generated function and is read as one"
            }
            FileError::Text(_) => {
                "the function must be of the form `def batt(task_id, S, I, C, …)`"
            }
        }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::NoHeader => write!(f, "it does not begin with `{MAGIC}{VERSION}`"),
            FileError::Version(found) => {
                write!(f, "its version is {found}; this batt reads version {VERSION}")
            }
            FileError::Changed => f.write_str("it was changed after it was written"),
            FileError::NotOneFunction => f.write_str("it does not hold one generated function"),
            FileError::Text(problems) => {
                let first = problems.first().map_or("", |p| p.message.as_str());
                write!(f, "it cannot be read: {first}")
            }
        }
    }
}

impl std::error::Error for FileError {}

/// A battery file's text.
pub fn write(generated: &Generated) -> String {
    let content = text::print_generated(generated);
    format!("{MAGIC}{VERSION}\n{HASH}{}\n{content}", blake3::hash(content.as_bytes()).to_hex())
}

/// Whether a text begins as a battery file does.
pub fn is_battery(text: &str) -> bool {
    text.starts_with(MAGIC)
}

/// Reads a battery file's text.
pub fn read(text: &str) -> Result<Generated, FileError> {
    check(text)?;
    let module = text::parse(text);
    if !module.problems.is_empty() {
        return Err(FileError::Text(module.problems));
    }
    match <[Definition; 1]>::try_from(module.definitions) {
        Ok([Definition::Generated(generated)]) => Ok(generated),
        _ => Err(FileError::NotOneFunction),
    }
}

/// Checks the version and the hash.
pub fn check(text: &str) -> Result<(), FileError> {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let version = first.strip_prefix(MAGIC).ok_or(FileError::NoHeader)?.trim_end();
    if version != VERSION.to_string() {
        return Err(FileError::Version(version.to_string()));
    }
    let (second, content) = rest.split_once('\n').unwrap_or((rest, ""));
    let found = blake3::hash(content.as_bytes()).to_hex();
    match second.trim_end().strip_prefix(HASH) {
        Some(hash) if hash == found.as_str() => Ok(()),
        _ => Err(FileError::Changed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::card::{Card, Merge, Options};
    use crate::program::Program;

    const ONE: &str = "
def solve_a(I):
    x1 = vmirror(I)
    O = hconcat(I, x1)
    return O
";
    const AGAIN: &str = "
def solve_a(I):
    x1 = vmirror(I)
    x2 = hmirror(x1)
    x3 = rot90(I)
    O = hconcat(x1, x2)
    return O
def helper(I):
    return I
";
    const DIFFER: &str = "
def differ_size(S, I, C):
    t1 = size(I)
    t2 = size(C)
    t3 = subtract(t1, t2)
    t4 = astuple(t3, t1)
    return t4
";

    fn programs(text: &str) -> Vec<Program> {
        let definitions = text::parse(text).definitions;
        let program = |d| match d {
            Definition::Program(p) => Some(p),
            Definition::Generated(_) => None,
        };
        definitions.into_iter().filter_map(program).collect()
    }

    fn merged() -> Generated {
        let mut merge = Merge::default();
        let differ = &programs(DIFFER)[0];
        merge.add_score(differ, None);
        for (at, program) in [ONE, AGAIN].iter().flat_map(|t| programs(t)).enumerate() {
            let place = merge.add(&program, at == 1);
            merge.add_score(differ, Some(place));
        }
        merge.finish()
    }

    #[test]
    fn a_battery_file_reads_as_it_was_written() {
        let text = write(&merged());
        insta::assert_snapshot!(text);
        let read = read(&text).unwrap();
        assert_eq!(write(&read), text);
        // Merging what was read changes nothing either.
        let mut again = Merge::default();
        again.add_generated(&read);
        assert_eq!(write(&again.finish()), text);
    }

    #[test]
    fn names_tasks_marks_and_scores_survive() {
        let mut card = Card::new(Options::default());
        card.add_generated(&read(&write(&merged())).unwrap());
        let battery = card.deal();
        let of = |p: &crate::battery::Entry| (p.name.clone(), p.task.clone(), p.mutated);
        let task = Some("a".to_string());
        assert_eq!(
            battery.programs().iter().map(of).collect::<Vec<_>>(),
            [
                ("solve_a".to_string(), task.clone(), false),
                ("solve_a#2".to_string(), task, true),
                ("helper".to_string(), None, false),
            ]
        );
        let scored: Vec<_> = battery.scores().iter().map(|s| s.program.map(|p| p.0)).collect();
        assert_eq!(scored, [None, Some(0), Some(1), Some(2)]);
    }

    #[test]
    fn a_changed_file_and_another_version_are_refused() {
        let text = write(&merged());
        assert_eq!(read(&text.replace("vmirror", "dmirror")), Err(FileError::Changed));
        let newer = text.replacen("battery 1", "battery 2", 1);
        assert_eq!(read(&newer), Err(FileError::Version("2".to_string())));
        assert_eq!(read("def batt(I):\n"), Err(FileError::NoHeader));
        assert_eq!(read(""), Err(FileError::NoHeader));
        assert_eq!(read("# batt battery 1"), Err(FileError::Changed));
    }
}
