//! Files that are whole or absent.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file that gets its name when it is complete. Until then its content has no name at all where
/// the system can do that, so that a process that is killed leaves nothing behind.
#[derive(Debug)]
pub struct Unfinished {
    path: PathBuf,
    content: BufWriter<File>,
}

impl Unfinished {
    /// Begins a file; nothing shows at `path` yet.
    pub fn begin(path: &Path) -> io::Result<Unfinished> {
        let content = BufWriter::new(tempfile::tempfile_in(folder(path))?);
        Ok(Unfinished { path: path.to_owned(), content })
    }

    /// Puts the file in its place, replacing what was there.
    pub fn finish(self) -> io::Result<()> {
        let mut content = self.content.into_inner().map_err(io::IntoInnerError::into_error)?;
        content.rewind()?;
        let mut named = NamedTempFile::new_in(folder(&self.path))?;
        io::copy(&mut content, &mut named)?;
        named.as_file().sync_all()?;
        readable(named.as_file())?;
        named.persist(&self.path).map_err(|error| error.error)?;
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

fn folder(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Temporary files are for their owner only; a result is an ordinary file.
#[cfg(unix)]
fn readable(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn readable(_: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_shows_until_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.jsonl");
        let mut file = Unfinished::begin(&path).unwrap();
        file.write_all(b"one\n").unwrap();
        assert!(!path.exists());
        file.finish().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"one\n");
        drop(Unfinished::begin(&path).unwrap());
        assert_eq!(std::fs::read(&path).unwrap(), b"one\n");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
