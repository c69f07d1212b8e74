//! Reading record files, plain or compressed.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use serde_json::Value as Json;

/// A record file that cannot be read.
#[derive(Debug)]
pub struct RecordError {
    /// The file.
    pub file: PathBuf,
    /// The line, counted from 1; 0 where the file itself is the trouble.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.display();
        match self.line {
            0 => write!(f, "{file}: {}", self.what),
            line => write!(f, "{file}:{line}: {}", self.what),
        }
    }
}

impl std::error::Error for RecordError {}

/// One line of a record file.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its line, counted from 1.
    pub line: usize,
    /// What it says.
    pub json: Json,
}

/// The records of a file, one at a time; blank lines are passed over.
pub fn read(file: &Path) -> Result<impl Iterator<Item = Result<Record, RecordError>>, RecordError> {
    let error = {
        let file = file.to_path_buf();
        move |line: usize, what: String| RecordError { file: file.clone(), line, what }
    };
    let lines = open(file).map_err(|e| error(0, e.to_string()))?.lines();
    Ok(lines.zip(1..).filter_map(move |(text, line)| {
        let text = match text {
            Ok(text) if text.trim().is_empty() => return None,
            Ok(text) => text,
            Err(e) => return Some(Err(error(line, e.to_string()))),
        };
        let parsed = serde_json::from_str(&text);
        Some(parsed.map(|json| Record { line, json }).map_err(|e| error(line, e.to_string())))
    }))
}

fn open(file: &Path) -> io::Result<Box<dyn BufRead>> {
    let plain = File::open(file)?;
    Ok(if file.extension().is_some_and(|ext| ext == "gz") {
        Box::new(BufReader::new(MultiGzDecoder::new(plain)))
    } else {
        Box::new(BufReader::new(plain))
    })
}

/// The record files of a folder, sorted by name; a file stands for itself.
pub fn files(path: &Path) -> Result<Vec<PathBuf>, RecordError> {
    let error =
        |e: io::Error| RecordError { file: path.to_path_buf(), line: 0, what: e.to_string() };
    if !path.is_dir() {
        return Ok(vec![path.to_path_buf()]);
    }
    let mut files = Vec::new();
    for entry in path.read_dir().map_err(error)? {
        let file = entry.map_err(error)?.path();
        let name = file.to_string_lossy();
        if name.ends_with(".jsonl") || name.ends_with(".jsonl.gz") {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}
