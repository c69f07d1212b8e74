//! Programs from files and folders, each with the task it is written for.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use batt_lang::battery::file::{self, FileError};
use batt_lang::program::{Definition, Input, Program};
use batt_lang::text::{self, Problem, Span};
use thiserror::Error;

/// A program, where it was read, and the task it is for.
#[derive(Clone, Debug)]
pub struct Entry {
    /// What reports call it: the function's name, or the file's for a bare `solve`.
    pub id: String,
    /// The task it is written for, if it names one.
    pub task: Option<String>,
    /// Where it was read.
    pub file: String,
    /// Whether its text wraps lines in `try:`.
    pub tries: bool,
    /// The program.
    pub program: Program,
}

/// Programs, and what could not be read.
#[derive(Clone, Debug, Default)]
pub struct Library {
    /// The programs, in the order they were read.
    pub entries: Vec<Entry>,
    /// What could not be read or is refused.
    pub problems: Vec<Bad>,
    /// What is no problem and should be known.
    pub notes: Vec<String>,
}

/// A function that could not be read or is refused.
#[derive(Clone, Debug)]
pub struct Bad {
    /// The file.
    pub file: String,
    /// What is wrong with it.
    pub problem: Problem,
    /// The problem as people read it.
    pub rendered: String,
}

/// The largest file of programs that is read; some people's hold many thousand functions.
const LARGEST: u64 = 256 << 20;

/// Why no programs could be read.
#[derive(Debug, Error)]
pub enum LibraryError {
    /// The file system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file is larger than any file of programs.
    #[error("{}: the file is larger than {LARGEST} bytes", .0.display())]
    TooLarge(PathBuf),
    /// A folder without programs.
    #[error("{}: no *.py files in this folder", .0.display())]
    NoFiles(PathBuf),
    /// A battery file that is not what was written.
    #[error("{file}: {error}")]
    Battery {
        /// The file.
        file: String,
        /// What is wrong with it.
        error: FileError,
    },
}

impl Library {
    /// Whether all programs come from functions that wrap lines in `try:`: there, errors are meant to become
    /// defaults.
    pub fn tries(&self) -> bool {
        !self.entries.is_empty() && self.entries.iter().all(|entry| entry.tries)
    }

    /// Reads files, and every `*.py` below folders. `color` says how problems are rendered.
    pub fn read<P: AsRef<Path>>(paths: &[P], color: bool) -> Result<Library, LibraryError> {
        Library::read_with(paths, |library, file, bytes| library.add(file, bytes, color))
    }

    /// Reads differs, which may read C, in the same way.
    pub fn read_differs<P: AsRef<Path>>(paths: &[P], color: bool) -> Result<Library, LibraryError> {
        Library::read_with(paths, |library, file, bytes| library.add_differs(file, bytes, color))
    }

    fn read_with<P: AsRef<Path>>(
        paths: &[P],
        add: impl Fn(&mut Library, &str, &[u8]),
    ) -> Result<Library, LibraryError> {
        let mut library = Library::default();
        for path in files(paths)? {
            let bytes = read_file(&path)?;
            let file = path.display().to_string();
            if let Err(error) = whole(&bytes) {
                return Err(LibraryError::Battery { file, error });
            }
            add(&mut library, &file, &bytes);
        }
        Ok(library)
    }

    /// Adds the differs of one text. As in [`Library::add`], none of a changed battery file.
    pub fn add_differs(&mut self, file: &str, bytes: &[u8], color: bool) {
        self.add_all(file, bytes, color, |_| false);
    }

    /// Adds the programs of one text; none of a battery file that is not what was written, which is
    /// a problem of its own.
    pub fn add(&mut self, file: &str, bytes: &[u8], color: bool) {
        self.add_all(file, bytes, color, |program| program.reads(Input::C));
    }

    fn add_all(
        &mut self,
        file: &str,
        bytes: &[u8],
        color: bool,
        refused: impl Fn(&Program) -> bool,
    ) {
        let source = String::from_utf8_lossy(bytes);
        let mut tries = false;
        let (definitions, mut bad) = match whole(bytes) {
            Ok(()) => {
                let module = text::parse_bytes(bytes);
                tries = module.tries;
                let notes = module.notes.iter();
                self.notes.extend(notes.map(|n| format!("{file}:{}: {}", n.line, n.message)));
                (module.definitions, module.problems)
            }
            Err(error) => {
                (Vec::new(), vec![problem(&source, None, 1, error.to_string(), error.hint())])
            }
        };
        for definition in definitions {
            let programs = match definition {
                Definition::Program(program) => vec![program],
                Definition::Generated(generated) => generated.programs(),
            };
            for program in programs {
                if refused(&program) {
                    let message = format!("`{}` reads C and is no program", program.name);
                    let hint = "C is for differs; a program may read S and I";
                    let name = Some(program.name.as_str());
                    bad.push(problem(&source, name, program.line, message, hint));
                } else {
                    self.entries.push(Entry { tries, ..entry(file, program) });
                }
            }
        }
        self.problems.extend(bad.into_iter().map(|problem| Bad {
            file: file.to_string(),
            rendered: problem.render(file, &source, color),
            problem,
        }));
    }
}

/// Whether bytes are a battery file as it was written, or none at all.
fn whole(bytes: &[u8]) -> Result<(), FileError> {
    if file::is_battery(bytes) { file::check(bytes) } else { Ok(()) }
}

/// A problem with a whole line.
fn problem(source: &str, name: Option<&str>, line: u32, message: String, hint: &str) -> Problem {
    let start: usize = source.split_inclusive('\n').take(line as usize - 1).map(str::len).sum();
    let end = source[start..].find('\n').map_or(source.len(), |at| start + at);
    Problem {
        function: name.map(str::to_string),
        span: Span { start, end },
        line,
        column: 1,
        message,
        hint: Some(hint.to_string()),
    }
}

fn entry(file: &str, mut program: Program) -> Entry {
    if let Some(task) = program.task.as_deref().and_then(numbered) {
        program.task = Some(task.to_string());
    }
    let stem = Path::new(file).file_stem().map(|s| s.to_string_lossy().into_owned());
    match (stem, program.task.clone()) {
        (Some(stem), None) if program.name == "solve" => {
            let task = ["solve_", "verify_"].iter().find_map(|p| stem.strip_prefix(p));
            let task = Some(task.unwrap_or(&stem).to_string());
            Entry { id: stem, task, file: file.to_string(), tries: false, program }
        }
        (_, task) => {
            Entry { id: program.name.clone(), task, file: file.to_string(), tries: false, program }
        }
    }
}

/// The task of `<task>__2`: a file may hold several programs for one task, numbered after the first.
fn numbered(name: &str) -> Option<&str> {
    let (task, number) = name.rsplit_once("__")?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && !task.is_empty()).then_some(task)
}

fn read_file(file: &Path) -> Result<Vec<u8>, LibraryError> {
    let mut bytes = Vec::new();
    // The limit is on what is read, not on what the file system says: a device has no size.
    let mut start = File::open(file).map_err(io_at(file))?.take(LARGEST + 1);
    start.read_to_end(&mut bytes).map_err(io_at(file))?;
    if bytes.len() as u64 > LARGEST {
        return Err(LibraryError::TooLarge(file.to_owned()));
    }
    Ok(bytes)
}

/// The files that paths name, those of folders in order.
fn files<P: AsRef<Path>>(paths: &[P]) -> Result<Vec<PathBuf>, LibraryError> {
    let mut all = Vec::new();
    for path in paths {
        let path = path.as_ref();
        if !path.is_dir() {
            all.push(path.to_owned());
            continue;
        }
        let mut files = Vec::new();
        collect(path, &mut files)?;
        if files.is_empty() {
            return Err(LibraryError::NoFiles(path.to_owned()));
        }
        files.sort();
        all.append(&mut files);
    }
    Ok(all)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), LibraryError> {
    for item in fs::read_dir(folder).map_err(io_at(folder))? {
        let item = item.map_err(io_at(folder))?;
        let path = item.path();
        // The entry's own type: a link to a folder is not followed, so no loop can occur.
        if item.file_type().is_ok_and(|t| t.is_dir()) {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "py") && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

fn io_at(path: &Path) -> impl FnOnce(io::Error) -> LibraryError {
    let path = path.to_owned();
    move |source| LibraryError::Io { path, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(file: &str, text: &str) -> Library {
        let mut library = Library::default();
        library.add(file, text.as_bytes(), false);
        library
    }

    #[test]
    fn several_programs_for_one_task_are_numbered() {
        let mut library = Library::default();
        let text = "def solve_a(I):\n    return I\n\ndef solve_a__2(I):\n    return hmirror(I)\n\n\
                    def solve_b__x(I):\n    return I\n\ndef solve___3(I):\n    return I\n";
        library.add("some.py", text.as_bytes(), false);
        let read: Vec<(&str, Option<&str>)> =
            library.entries.iter().map(|one| (one.id.as_str(), one.task.as_deref())).collect();
        let both = [("solve_a", Some("a")), ("solve_a__2", Some("a"))];
        assert_eq!(read[..2], both);
        assert_eq!(read[2..], [("solve_b__x", Some("b__x")), ("solve___3", Some("__3"))]);
    }

    #[test]
    fn a_bare_solve_is_named_after_its_file() {
        let bare = "def solve(S, I, C):\n    return I\n";
        for (file, id) in
            [("x/a1.py", "a1"), ("solve_a1.py", "solve_a1"), ("verify_a1.py", "verify_a1")]
        {
            let library = read(file, bare);
            assert_eq!(library.entries[0].id, id);
            assert_eq!(library.entries[0].task.as_deref(), Some("a1"));
        }
        let named = read("b2.py", "def solve_a1(I):\n    return I\n");
        assert_eq!(named.entries[0].task.as_deref(), Some("a1"));
    }

    #[test]
    fn a_program_that_reads_c_is_refused() {
        let library = read(
            "a.py",
            "def solve_a(S, I, C):\n    return C\n\ndef solve_b(S, I, C):\n    t1 = C\n    return I\n",
        );
        assert_eq!(library.entries.len(), 1, "an unused C does not matter");
        assert_eq!(library.problems.len(), 1);
        assert!(library.problems[0].rendered.contains("hint"));
    }

    #[test]
    fn nothing_of_a_changed_battery_file_is_read() {
        let text = "\
# batt battery 1
# blake3:00
def batt(task_id, S, I, C, log_path):
    s = []
    o = []
    o.append((1, False, 'a1', I))
    return o, s
";
        let library = read("batt.py", text);
        assert_eq!((library.entries.len(), library.problems.len()), (0, 1));
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("batt.py"), text).unwrap();
        for read in [Library::read, Library::read_differs] {
            let error = read(&[folder.path().to_owned()], false).unwrap_err();
            assert!(matches!(error, LibraryError::Battery { .. }), "{error}");
        }
        let (_, plain) = text.split_once("00\n").unwrap();
        assert_eq!(read("batt.py", plain).entries.len(), 1);
    }

    #[test]
    fn an_output_of_a_generated_function_takes_only_what_it_needs() {
        let text = "\
def batt(task_id, S, I, C, log_path):
    s = []
    o = []
    t1 = identity(p_g)
    t2 = hmirror(I)
    t3 = vmirror(t2)
    t4 = size(C)
    o.append((2, False, 'a1', t2))
    o.append((3, False, 'b2', t3))
    return o, s
";
        let library = read("batt.py", text);
        assert!(library.problems.is_empty(), "{}", library.problems[0].rendered);
        let [a, b] = &library.entries[..] else { panic!("two programs") };
        assert_eq!((a.id.as_str(), b.task.as_deref()), ("a1", Some("b2")));
        assert_eq!((a.program.body.nodes.len(), b.program.body.nodes.len()), (2, 3));
        assert_eq!(b.program.body.bindings.last().map(|b| b.name.as_str()), Some("t3"));
        assert_eq!(b.program.output, batt_lang::NodeId(2));
    }
}
