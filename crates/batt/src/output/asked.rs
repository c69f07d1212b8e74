//! What a command is asked to write, looked at before it does anything.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use batt::evolve::archive::Place;
use batt::run::run::save;

use super::{failed, is_stdout};
use crate::cli::{ArchivePlace, TaskArgs};
use crate::failure::Failure;

/// What a command is asked to write and what it reads. What is wrong with that is found before any
/// work is done: a place that cannot be written to, two outputs in one place, an output that is an
/// input.
#[derive(Default)]
pub struct Outputs {
    files: Vec<(&'static str, PathBuf)>,
    /// Options that ask for something else on standard output.
    reports: Vec<&'static str>,
    inputs: Vec<PathBuf>,
    /// Folders of which every file with this extension is read.
    folders: Vec<(PathBuf, &'static str)>,
}

impl Outputs {
    /// An option that names an output.
    pub fn file(mut self, option: &'static str, path: Option<&Path>) -> Outputs {
        self.files.extend(path.map(|path| (option, path.to_owned())));
        self
    }

    /// An option that names a folder for these outputs; it is made if it is not there.
    pub fn folder(
        mut self,
        option: &'static str,
        folder: Option<&Path>,
        names: &[&str],
    ) -> anyhow::Result<Outputs> {
        if let Some(folder) = folder {
            if is_stdout(folder) {
                let message = format!("{option} names a folder, which standard output is not");
                return Err(Failure::error(message, "./- is a folder of that name"));
            }
            fs::create_dir_all(folder).map_err(|error| {
                let message = format!("cannot make the folder {}: {error}", folder.display());
                Failure::error(message, format!("{option} names a folder, which is made"))
            })?;
            self.files.extend(names.iter().map(|name| (option, folder.join(name))));
        }
        Ok(self)
    }

    /// An option that asks for something on standard output.
    pub fn report(mut self, option: &'static str, asked: bool) -> Outputs {
        self.reports.extend(asked.then_some(option));
        self
    }

    /// Files that are read, and folders of which every file with this extension is.
    fn reads(mut self, paths: &[PathBuf], extension: &'static str) -> Outputs {
        for path in paths {
            if path.is_dir() {
                self.folders.push((path.clone(), extension));
            } else {
                self.inputs.push(path.clone());
            }
        }
        self
    }

    /// Programs that are read.
    pub fn reads_programs(self, paths: &[PathBuf]) -> Outputs {
        self.reads(paths, "py")
    }

    /// Tasks that are read.
    pub fn reads_tasks(self, args: &TaskArgs) -> Outputs {
        let Some(what) = &args.tasks else { return self };
        // A part of a data set may be named behind its path.
        let base = what.rsplit_once(':').map(|(base, _)| base);
        let paths = [Some(what.as_str()), base].into_iter().flatten().map(PathBuf::from);
        let there: Vec<PathBuf> = paths.filter(|path| path.exists()).collect();
        self.reads(&there, "json")
    }

    /// An archive that is read or written to, with the files that SQLite keeps beside it.
    pub fn reads_archive(self, place: &ArchivePlace) -> Outputs {
        self.reads_archive_at(&place.archive)
    }

    /// An archive by its address, which is read and written.
    pub fn reads_archive_at(mut self, address: &str) -> Outputs {
        let Some(path) = Place::file(address) else { return self };
        let files = ["", "-wal", "-shm", "-journal", "-promise"]
            .map(|end| PathBuf::from(format!("{path}{end}")));
        self.inputs.extend(files);
        self
    }

    /// Checks all of it. True if an output is standard output, so that no report may be.
    pub fn check(self) -> anyhow::Result<bool> {
        let (out, files): (Vec<_>, Vec<_>) =
            self.files.into_iter().partition(|(_, path)| is_stdout(path));
        let mut out = out.into_iter().map(|(option, path)| format!("{option} {}", path.display()));
        let first = out.next();
        if let Some(first) = &first {
            let more = self.reports.iter().map(|option| (*option).to_string());
            if let Some(second) = out.chain(more).next() {
                let message = format!("{second} and {first} would both write to standard output");
                return Err(Failure::error(message, "give one of them a file, or leave it out"));
            }
        }
        let inputs: Vec<(Id, &PathBuf)> =
            self.inputs.iter().filter_map(|path| Some((Id::of(path)?, path))).collect();
        let mut seen: Vec<(Id, &'static str)> = Vec::new();
        for (option, path) in &files {
            save::check(path).map_err(|error| failed(option, path, &error))?;
            let name = path.display();
            if let Some(folder) = self.folders.iter().find(|(at, end)| is_read(path, at, end)) {
                let message = format!("{option} {name} is in the folder {}", folder.0.display());
                let hint = "every such file in it is read; an output needs another place";
                return Err(Failure::error(message, hint));
            }
            let Some(id) = Id::of(path) else { continue };
            if let Some((_, input)) = inputs.iter().find(|(other, _)| *other == id) {
                let message = format!("{option} {name} is also read, as {}", input.display());
                return Err(Failure::error(message, "an output needs a file of its own"));
            }
            if let Some((_, other)) = seen.iter().find(|(other, _)| *other == id) {
                let message = format!("{other} and {option} are the same file: {name}");
                return Err(Failure::error(message, "each output needs a file of its own"));
            }
            seen.push((id, option));
        }
        Ok(first.is_some())
    }
}

/// Whether an output would be read as one of the files of a folder.
fn is_read(output: &Path, folder: &Path, extension: &str) -> bool {
    let Ok(output) = save::followed(output) else { return false };
    let place = (save::folder(&output).canonicalize(), folder.canonicalize());
    let (Ok(place), Ok(folder)) = place else { return false };
    output.extension().is_some_and(|end| end == extension) && place.starts_with(folder)
}

/// What makes two paths the same file.
#[derive(PartialEq, Eq)]
enum Id {
    /// A file that is there, on its device.
    #[cfg(unix)]
    Number(u64, u64),
    /// A name in a folder.
    Name(PathBuf, OsString),
}

impl Id {
    /// None for a device, which anybody may write to, and where there is no such place.
    fn of(path: &Path) -> Option<Id> {
        #[cfg(unix)]
        if let Ok(there) = fs::metadata(path) {
            use std::os::unix::fs::{FileTypeExt, MetadataExt};
            let kind = there.file_type();
            let device = kind.is_char_device() || kind.is_block_device();
            return (!device).then(|| Id::Number(there.dev(), there.ino()));
        }
        let path = save::followed(path).ok()?;
        Some(Id::Name(save::folder(&path).canonicalize().ok()?, path.file_name()?.to_owned()))
    }
}
