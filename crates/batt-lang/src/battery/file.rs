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
//!
//! A file has both header lines, as they were written, or neither. Either of them, wherever it stands,
//! makes a file a battery file, so that damage to one cannot turn the check off.

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
    /// It has neither header line: it is no battery file.
    NoHeader,
    /// It does not begin with both header lines as they are written.
    Header,
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
            FileError::Header | FileError::Changed => {
                "a battery file is read only byte for byte as it was written; if the change is meant, \
                 remove the two lines that begin with `# batt` and `# blake3`: the rest is a generated \
                 function and is read as one"
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
            FileError::Header => {
                f.write_str("a header line of a battery file is missing, damaged or out of place")
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

/// Whether bytes are meant to be a battery file: a header line stands somewhere in them.
pub fn is_battery(bytes: &[u8]) -> bool {
    let begins = |line: &[u8]| {
        // What editors put before a line hides nothing.
        let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii_start();
        line.starts_with(MAGIC.trim_ascii_end().as_bytes()) || line.starts_with(HASH.as_bytes())
    };
    bytes.split(|byte| matches!(byte, b'\n' | b'\r')).any(begins)
}

/// Reads a battery file.
pub fn read(bytes: &[u8]) -> Result<Generated, FileError> {
    check(bytes)?;
    let module = text::parse_bytes(bytes);
    if !module.problems.is_empty() {
        return Err(FileError::Text(module.problems));
    }
    match <[Definition; 1]>::try_from(module.definitions) {
        Ok([Definition::Generated(generated)]) => Ok(generated),
        _ => Err(FileError::NotOneFunction),
    }
}

/// Checks both header lines and the hash. The bytes must be those that were written: another line
/// end, a byte order mark or a blank too much is a change like any other.
pub fn check(bytes: &[u8]) -> Result<(), FileError> {
    if !is_battery(bytes) {
        return Err(FileError::NoHeader);
    }
    let (first, rest) = first_line(bytes);
    let version = first.strip_prefix(MAGIC.as_bytes()).ok_or(FileError::Header)?;
    let version = String::from_utf8_lossy(version);
    let named = version.trim_end();
    if named != VERSION.to_string() && named.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(FileError::Version(named.to_string()));
    }
    let (second, content) = first_line(rest);
    let hash = second.strip_prefix(HASH.as_bytes()).ok_or(FileError::Header)?;
    if version != VERSION.to_string() {
        return Err(FileError::Header);
    }
    let found = blake3::hash(content).to_hex();
    if hash == found.as_bytes() { Ok(()) } else { Err(FileError::Changed) }
}

/// The first line without its end, and what follows.
fn first_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    match bytes.iter().position(|byte| *byte == b'\n') {
        Some(at) => (&bytes[..at], &bytes[at + 1..]),
        None => (bytes, &[]),
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
        let read = read(text.as_bytes()).unwrap();
        assert_eq!(write(&read), text);
        // Merging what was read changes nothing either.
        let mut again = Merge::default();
        again.add_generated(&read);
        assert_eq!(write(&again.finish()), text);
    }

    #[test]
    fn names_tasks_marks_and_scores_survive() {
        let mut card = Card::new(Options::default());
        card.add_generated(&read(write(&merged()).as_bytes()).unwrap());
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
    fn only_what_was_written_is_read() {
        let text = write(&merged());
        let (header, content) = text.split_at(text.match_indices('\n').nth(1).unwrap().0 + 1);
        let (magic, hash) = header.split_once('\n').unwrap();
        let other = blake3::hash(b"other").to_hex();
        let cases: [(&str, String, FileError); 17] = [
            ("a changed body", text.replace("vmirror", "dmirror"), FileError::Changed),
            ("lines after it", format!("{text}\n"), FileError::Changed),
            ("less of it", text[..text.len() - 1].to_string(), FileError::Changed),
            ("another hash", format!("{magic}\n{HASH}{other}\n{content}"), FileError::Changed),
            ("half a hash", format!("{magic}\n{}\n{content}", &hash[..40]), FileError::Changed),
            ("no first line", format!("{hash}{content}"), FileError::Header),
            ("no second line", format!("{magic}\n{content}"), FileError::Header),
            ("only the first line", magic.to_string(), FileError::Header),
            ("a damaged first line", text.replacen("batt", "bat", 1), FileError::Header),
            ("a damaged second line", text.replacen("blake3", "blake2", 1), FileError::Header),
            ("the lines exchanged", format!("{hash}{magic}\n{content}"), FileError::Header),
            ("something above", format!("\n{text}"), FileError::Header),
            ("a mark of byte order", format!("\u{feff}{text}"), FileError::Header),
            ("a blank after the version", text.replacen("1\n", "1 \n", 1), FileError::Header),
            ("other line ends", text.replace('\n', "\r\n"), FileError::Header),
            ("line ends of one byte", text.replace('\n', "\r"), FileError::Header),
            ("a newer version", text.replacen("y 1", "y 2", 1), FileError::Version("2".into())),
        ];
        for (what, damaged, why) in cases {
            assert!(is_battery(damaged.as_bytes()), "{what}");
            assert_eq!(read(damaged.as_bytes()), Err(why), "{what}");
        }
        // Without both lines it is plain generated code.
        for plain in [content, "def batt(I):\n", ""] {
            assert!(!is_battery(plain.as_bytes()));
            assert_eq!(read(plain.as_bytes()), Err(FileError::NoHeader));
        }
    }

    #[test]
    fn a_change_of_any_byte_is_found() {
        let text = write(&merged());
        let lengths: Vec<usize> = text.lines().map(str::len).collect();
        for at in 0..text.len() {
            let mut damaged = text.clone().into_bytes();
            damaged[at] ^= 1;
            assert!(read(&damaged).is_err(), "byte {at} of {lengths:?}");
        }
    }
}
