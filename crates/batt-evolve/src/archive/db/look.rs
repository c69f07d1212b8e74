//! A look at a file before it is opened: nothing of it is changed, not even what lies beside it.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::promise::beside;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// There is no file.
    Missing,
    /// A file without a byte.
    Empty,
    /// A database without tables, at least outside its log.
    Bare,
    /// A database that cannot be read without what lies beside it: somebody died while it was written.
    Torn,
    /// A database of something else.
    Foreign,
    /// An archive.
    Archive {
        /// The version of its tables.
        version: i64,
        /// Whether the file alone is the whole archive.
        rests: bool,
    },
}

/// Looks at a file; an error says why it is no database.
pub fn look(path: &Path) -> Result<Look, String> {
    let known = match fs::metadata(path) {
        Ok(known) => known,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Look::Missing),
        Err(error) => return Err(error.to_string()),
    };
    if !known.is_file() {
        return Err("it is no file".to_string());
    }
    if known.len() == 0 {
        return Ok(Look::Empty);
    }
    // Somebody may write at this moment: what one look finds torn, the next one finds whole.
    let mut tries = 0..5;
    loop {
        match inside(path) {
            Ok(look) => return Ok(look),
            Err(_) if tries.next().is_some() => std::thread::sleep(super::sqlite::MOMENT),
            Err(_) if is_beside(path, "-wal") || is_beside(path, "-journal") => {
                return Ok(Look::Torn);
            }
            Err(error) => return Err(error.to_string()),
        }
    }
}

/// Whether a file with something in it lies beside another.
pub fn is_beside(path: &Path, ending: &str) -> bool {
    fs::metadata(beside(path, ending)).is_ok_and(|file| file.len() > 0)
}

fn inside(path: &Path) -> rusqlite::Result<Look> {
    let connection = open_unchanging(path)?;
    let count = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
    let named = |name: &str| {
        count(&format!("SELECT COUNT(*) FROM sqlite_master WHERE name = '{name}'")).map(|n| n > 0)
    };
    if !named("batt_schema")? {
        let all = count("SELECT COUNT(*) FROM sqlite_master")?;
        return Ok(if all == 0 { Look::Bare } else { Look::Foreign });
    }
    let version = count("SELECT COALESCE(MAX(version), 0) FROM batt_schema")?;
    let rests = named("ledger")? && count("SELECT COALESCE(MAX(writing), 1) FROM ledger")? == 0;
    Ok(Look::Archive { version, rests })
}

/// Opens a file as if it were on a disk that cannot be written: without locks, without its log, and
/// without making files beside it.
pub fn open_unchanging(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(format!("file:{}?immutable=1", escaped(path)), flags)
}

/// A path as it stands in the address of a file.
fn escaped(path: &Path) -> String {
    let mut text = String::new();
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'%' | b'?' | b'#' | 0..=32 | 127.. => {
                let _ = write!(text, "%{byte:02X}");
            }
            plain => text.push(char::from(*plain)),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_odd_characters_are_looked_at() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a b.db", "100%.db", "what?x=1#y.db", "größer.db"] {
            let path = folder.path().join(name);
            assert_eq!(look(&path), Ok(Look::Missing));
            Connection::open(&path).unwrap().execute_batch("CREATE TABLE mine (x)").unwrap();
            assert_eq!(look(&path), Ok(Look::Foreign), "{name}");
        }
        assert!(look(folder.path()).is_err());
    }
}
