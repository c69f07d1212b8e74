//! The promise: a small file beside an archive that says how many commits the archive has.
//!
//! It is there while somebody writes, and after somebody died who did. Every commit is durable before
//! the promise says so, so an archive that has fewer has lost some: its write-ahead log is gone or
//! damaged, or an older copy took its place. While the promise is there the ledger of the archive says
//! that it must be, so that an archive which was copied without the files beside it is told as well.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// How far an archive has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stand {
    /// Which archive.
    pub archive: String,
    /// How many commits it has.
    pub commits: i64,
    /// The hash of what it holds then.
    pub digest: String,
}

/// What stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// There is no file.
    Nothing,
    /// The file is no promise.
    Unreadable,
    /// So far the archive had come.
    Stand(Stand),
}

/// The file beside an archive.
#[derive(Clone, Debug)]
pub struct Promise {
    path: PathBuf,
}

/// The first word.
const HEAD: &str = "batt";

impl Promise {
    /// The one of this archive.
    pub fn of(archive: &Path) -> Promise {
        Promise { path: beside(archive, "-promise") }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What it says.
    pub fn read(&self) -> Said {
        let mut text = String::new();
        let read =
            File::open(&self.path).and_then(|file| file.take(1 << 12).read_to_string(&mut text));
        match read {
            Ok(_) => parse(&text).map_or(Said::Unreadable, Said::Stand),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Said::Nothing,
            Err(_) => Said::Unreadable,
        }
    }

    /// Makes it, durably: whoever finds an archive that somebody writes to finds this as well.
    pub fn make(&self, stand: &Stand) -> io::Result<()> {
        let mut file =
            OpenOptions::new().write(true).create(true).truncate(false).open(&self.path)?;
        let line = line(stand);
        file.write_all(line.as_bytes())?;
        file.set_len(line.len() as u64)?;
        file.sync_all()?;
        self.folder().and_then(|folder| File::open(folder)?.sync_all())
    }

    /// Says that the archive has come so far. It is no less durable without this: an older promise is
    /// kept too. So nobody waits for the disk here, and nobody minds if it cannot be written.
    pub fn keep(&self, stand: &Stand) {
        if let Said::Stand(said) = self.read()
            && said.archive == stand.archive
            && said.commits >= stand.commits
        {
            return;
        }
        let file = OpenOptions::new().write(true).open(&self.path);
        // One write of one length: whoever is killed leaves the old line or the new one.
        let _ = file.and_then(|mut file| file.write_all(line(stand).as_bytes()));
    }

    /// Takes it away.
    pub fn remove(&self) {
        let _ = fs::remove_file(&self.path);
    }

    fn folder(&self) -> io::Result<&Path> {
        let folder = self.path.parent().ok_or(io::ErrorKind::NotFound)?;
        Ok(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })
    }
}

/// A file beside an archive.
pub fn beside(archive: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(archive);
    name.push(ending);
    PathBuf::from(name)
}

/// `batt ARCHIVE COMMITS DIGEST SUM`, always of one length.
fn line(stand: &Stand) -> String {
    let words = format!("{HEAD} {} {:020} {}", stand.archive, stand.commits, stand.digest);
    format!("{words} {}\n", sum(&words))
}

fn parse(text: &str) -> Option<Stand> {
    let (words, end) = text.strip_suffix('\n')?.rsplit_once(' ')?;
    if sum(words) != end {
        return None;
    }
    let mut parts = words.split(' ');
    let mut next = || parts.next();
    (next()? == HEAD).then_some(())?;
    let (archive, commits, digest) = (next()?, next()?.parse().ok()?, next()?);
    Some(Stand { archive: archive.to_string(), commits, digest: digest.to_string() })
}

fn sum(words: &str) -> String {
    blake3::hash(words.as_bytes()).to_hex()[..16].to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stand(commits: i64) -> Stand {
        Stand { archive: "a1".to_string(), commits, digest: "d2".to_string() }
    }

    #[test]
    fn a_promise_is_kept_and_only_grows() {
        let folder = tempfile::tempdir().unwrap();
        let promise = Promise::of(&folder.path().join("a.db"));
        assert_eq!(promise.read(), Said::Nothing);
        // There is nothing to keep before it is made.
        promise.keep(&stand(1));
        assert_eq!(promise.read(), Said::Nothing);
        promise.make(&stand(3)).unwrap();
        assert_eq!(promise.read(), Said::Stand(stand(3)));
        promise.keep(&stand(700_000));
        promise.keep(&stand(5));
        assert_eq!(promise.read(), Said::Stand(stand(700_000)));
        let text = fs::read_to_string(promise.path()).unwrap();
        fs::write(promise.path(), text.replace('7', "8")).unwrap();
        assert_eq!(promise.read(), Said::Unreadable);
        promise.remove();
        assert_eq!(promise.read(), Said::Nothing);
    }
}
