//! Outputs: a regular file is replaced whole or not at all, anything else is written to.
//!
//! Symbolic links are followed: what they point to is replaced, and they stay. Device nodes and FIFOs
//! are opened and written to as they are, never replaced.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};

use tempfile::Builder;

/// How many symbolic links lead to a file at most; the system's own limit.
const MAX_LINKS: usize = 40;

/// An output that gets its place when it is complete. Until then the content of a regular file has no
/// name at all where the system can do that, so that a process that is killed leaves nothing behind.
#[derive(Debug)]
pub struct Unfinished {
    path: PathBuf,
    /// Whether `content` is what the path names, and not yet to be put there.
    in_place: bool,
    content: BufWriter<File>,
}

impl Unfinished {
    /// Begins an output; of a regular file nothing shows at `path` yet. Opening a FIFO waits for its
    /// reader.
    pub fn begin(path: &Path) -> io::Result<Unfinished> {
        let (in_place, content) = match Place::of(path)? {
            Place::File { path, .. } => (false, unnamed(&path)?),
            Place::Node => (true, OpenOptions::new().write(true).open(path)?),
        };
        Ok(Unfinished { path: path.to_owned(), in_place, content: BufWriter::new(content) })
    }

    /// Puts the output in its place. A file that is replaced passes its permissions on.
    pub fn finish(self) -> io::Result<()> {
        let mut content = self.content.into_inner().map_err(io::IntoInnerError::into_error)?;
        if self.in_place {
            return Ok(());
        }
        content.rewind()?;
        // What is there now counts: it may have changed since the output was begun.
        let (path, before) = match Place::of(&self.path)? {
            Place::File { path, before } => (path, before),
            Place::Node => {
                let mut node = OpenOptions::new().write(true).open(&self.path)?;
                return io::copy(&mut content, &mut node).map(drop);
            }
        };
        let mut named = new_file(folder(&path))?;
        io::copy(&mut content, named.as_file_mut())?;
        if let Some(before) = before {
            keep(named.as_file(), &before)?;
        }
        named.as_file().sync_all()?;
        named.persist(&path).map_err(|error| error.error)?;
        // The name, too, survives a power cut; not every file system can be told so.
        let _ = File::open(folder(&path)).and_then(|folder| folder.sync_all());
        Ok(())
    }
}

impl Write for Unfinished {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.content.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.content.flush()
    }
}

/// A file without a name in the folder where a file is to be. Errors do not tell the name that it has for a
/// moment: nobody gave it.
fn unnamed(path: &Path) -> io::Result<File> {
    tempfile::tempfile_in(folder(path)).map_err(|error| error.kind().into())
}

/// Opens an output that others read while it grows: a regular file is emptied, anything else is
/// written to.
pub fn grow(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    match Place::of(path)? {
        Place::File { path, .. } => options.write(true).create(true).truncate(true).open(path),
        Place::Node => options.write(true).open(path),
    }
}

/// Whether an output can be begun and put in its place, as far as that can be told without a trace.
pub fn check(path: &Path) -> io::Result<()> {
    match Place::of(path)? {
        Place::File { path, before } => {
            if before.is_some() {
                // A file that may not be written to is not replaced either.
                OpenOptions::new().write(true).open(&path)?;
            }
            unnamed(&path).map(drop)
        }
        // Opening a FIFO would wait, and opening a device may do something.
        Place::Node => may_write(path),
    }
}

/// The file that a path names, symbolic links followed, whether it is there or not.
pub fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut at = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&at) {
            Ok(to) => at = folder(&at).join(to),
            // No link: a file, or nothing yet.
            Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::NotFound) => {
                return Ok(at);
            }
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// The folder that a file is in.
pub fn folder(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// What an output path names.
enum Place {
    /// A regular file, or nothing yet.
    File {
        /// Links followed.
        path: PathBuf,
        /// What is there.
        before: Option<fs::Metadata>,
    },
    /// A device, a FIFO: what is written to and never replaced.
    Node,
}

impl Place {
    fn of(path: &Path) -> io::Result<Place> {
        match fs::metadata(path) {
            Ok(there) if there.is_dir() => Err(ErrorKind::IsADirectory.into()),
            Ok(there) if there.is_file() => {
                Ok(Place::File { path: followed(path)?, before: Some(there) })
            }
            Ok(_) => Ok(Place::Node),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let ends_as_folder = path
                    .as_os_str()
                    .as_encoded_bytes()
                    .last()
                    .is_some_and(|byte| std::path::is_separator(char::from(*byte)));
                if ends_as_folder || path.file_name().is_none() {
                    return Err(ErrorKind::IsADirectory.into());
                }
                Ok(Place::File { path: followed(path)?, before: None })
            }
            Err(error) => Err(error),
        }
    }
}

/// A new file beside its later place, with the permissions that the user gives new files.
fn new_file(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Gives a file the permissions of the one that it replaces, and its owner where that is allowed.
fn keep(file: &File, before: &fs::Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        // Only root may give files away, and only to owners that the file system knows.
        let _ = fchown(file, Some(before.uid()), Some(before.gid()));
    }
    file.set_permissions(before.permissions())
}

#[cfg(unix)]
fn may_write(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::FileTypeExt;
    if fs::metadata(path)?.file_type().is_socket() {
        return Err(io::Error::other("it is a socket"));
    }
    Ok(rustix::fs::access(path, rustix::fs::Access::WRITE_OK)?)
}

#[cfg(not(unix))]
fn may_write(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &Path, text: &str) -> io::Result<()> {
        check(path)?;
        let mut file = Unfinished::begin(path)?;
        file.write_all(text.as_bytes())?;
        file.finish()
    }

    #[test]
    fn nothing_shows_until_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.jsonl");
        check(&path).unwrap();
        let mut file = Unfinished::begin(&path).unwrap();
        file.write_all(b"one\n").unwrap();
        assert!(!path.exists());
        file.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one\n");
        drop(Unfinished::begin(&path).unwrap());
        check(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_can_hold_no_output_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "").unwrap();
        for path in [at(""), at("new/"), at("none/out"), at("file/out"), at("..")] {
            assert!(check(&path).is_err(), "{}", path.display());
            assert!(Unfinished::begin(&path).is_err(), "{}", path.display());
            assert!(grow(&path).is_err(), "{}", path.display());
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("sub")).unwrap();
        fs::write(at("sub/file"), "before").unwrap();
        fs::set_permissions(at("sub/file"), fs::Permissions::from_mode(0o640)).unwrap();
        symlink("sub/file", at("one")).unwrap();
        symlink("one", at("two")).unwrap();
        write(&at("two"), "after").unwrap();
        assert_eq!(fs::read_to_string(at("sub/file")).unwrap(), "after");
        assert_eq!(fs::read_link(at("one")).unwrap(), Path::new("sub/file"));
        assert_eq!(fs::read_link(at("two")).unwrap(), Path::new("one"));
        assert_eq!(fs::metadata(at("two")).unwrap().permissions().mode() & 0o777, 0o640);
        // A link to nothing makes the file that it points to.
        symlink("sub/new", at("three")).unwrap();
        write(&at("three"), "new").unwrap();
        assert_eq!(fs::read_to_string(at("sub/new")).unwrap(), "new");
        symlink("loop", at("loop")).unwrap();
        assert!(check(&at("loop")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_fifo_is_written_to() {
        use std::os::unix::fs::FileTypeExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fifo");
        let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        check(&path).unwrap();
        let reader = std::thread::spawn({
            let path = path.clone();
            move || fs::read_to_string(path).unwrap()
        });
        write(&path, "through").unwrap();
        assert_eq!(reader.join().unwrap(), "through");
        assert!(fs::metadata(&path).unwrap().file_type().is_fifo());
    }
}
