//! A folder: task files, Kaggle's files, or the subfolders of the public repository.

use std::path::{Path, PathBuf};

use super::file::{BadTasks, Form, TaskFile, stem};
use super::{Parts, split_name};
use crate::tasks::error::DataError;

/// The subfolders that hold a split each.
const SUBFOLDERS: [&str; 5] = ["training", "train", "evaluation", "eval", "test"];

pub(super) fn parts(folder: &Path, bad: &mut BadTasks) -> Result<Parts, DataError> {
    let files = json_files(folder)?;
    let challenges: Vec<&PathBuf> =
        files.iter().filter(|f| stem(f).ends_with("challenges")).collect();
    if !challenges.is_empty() {
        return all(&challenges, |file| TaskFile::read(file)?.parts(bad));
    }
    if !files.is_empty() {
        return from_files(folder, &files, bad);
    }
    let subfolders: Vec<PathBuf> =
        SUBFOLDERS.iter().map(|name| folder.join(name)).filter(|f| f.is_dir()).collect();
    if !subfolders.is_empty() {
        return all(&subfolders, |sub| parts(sub, bad));
    }
    let data = folder.join("data");
    if SUBFOLDERS.iter().any(|name| data.join(name).is_dir()) {
        return parts(&data, bad);
    }
    Err(DataError::NoTasks(folder.to_owned()))
}

/// A folder of task files, or of one file that holds them all.
fn from_files(folder: &Path, files: &[PathBuf], bad: &mut BadTasks) -> Result<Parts, DataError> {
    let mut read = Vec::new();
    for path in files {
        match TaskFile::read(path) {
            Ok(file) => read.push(file),
            // One file that is no task does not hide the others.
            Err(error) => bad.skip(error),
        }
    }
    let files = read;
    if files.is_empty() {
        return Err(bad.skipped.pop().unwrap_or(DataError::NoTasks(folder.to_owned())));
    }
    if let [file] = &files[..]
        && file.form != Form::Task
    {
        return file.parts(bad);
    }
    let sets: Vec<&TaskFile> = files.iter().filter(|f| f.form != Form::Task).collect();
    if !sets.is_empty() {
        let name = |f: &&TaskFile| f.path.file_name().unwrap_or_default().to_string_lossy().into();
        let files = sets.iter().map(name).collect();
        return Err(DataError::Several { path: folder.to_owned(), files });
    }
    bad.by_file = true;
    let tasks = files.iter().filter_map(|f| f.one(bad)).collect();
    // `.` and kin have no name of their own.
    let named = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    Ok(vec![(split_name(&stem(&named)), tasks)])
}

fn all<P, T>(
    paths: &[P],
    mut each: impl FnMut(&P) -> Result<Vec<T>, DataError>,
) -> Result<Vec<T>, DataError> {
    let mut out = Vec::new();
    for path in paths {
        out.extend(each(path)?);
    }
    Ok(out)
}

/// The `.json` files of a folder, by name; hidden ones are not ours.
fn json_files(folder: &Path) -> Result<Vec<PathBuf>, DataError> {
    let io = |e| DataError::io(folder, e);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(io)? {
        let path = entry.map_err(io)?.path();
        let hidden = path.file_name().is_some_and(|n| n.as_encoded_bytes().starts_with(b"."));
        if !hidden && path.extension().is_some_and(|e| e == "json") && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
