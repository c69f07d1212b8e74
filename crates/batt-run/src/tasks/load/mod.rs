//! Reading data sets.

mod file;
mod folder;
mod json;
mod task;

use std::path::Path;

use super::cache::{self, named};
use super::error::DataError;
use super::{Dataset, Task, embedded};
use file::{BadTasks, TaskFile, stem};

/// Tasks by split.
pub(super) type Parts = Vec<(&'static str, Vec<Task>)>;

/// Loads what a user names: `embedded`, a public data set in the cache (`arc1`), or a path.
///
/// A `:` and a split or some tasks may follow: `arc1:train`, `data.json:eval`, `arc1:train0,007bbfb7`.
/// Without it every split is loaded. A name wins over a path; write `./arc1` for the path.
pub fn load(what: &str) -> Result<Dataset, DataError> {
    if let Some(set) = whole(what)? {
        return Ok(set);
    }
    let not_found = || DataError::NotFound(what.to_owned());
    let (base, part) = what.rsplit_once(':').ok_or_else(not_found)?;
    whole(base)?.ok_or_else(not_found)?.select(part)
}

/// A whole data set, if there is something of that name.
fn whole(what: &str) -> Result<Option<Dataset>, DataError> {
    if what == "embedded" {
        return Ok(Some(embedded()));
    }
    if let Some(set) = named(what) {
        return cache::load(set).map(Some);
    }
    let path = Path::new(what);
    if path.exists() { load_path(path).map(Some) } else { Ok(None) }
}

/// Loads a file or folder, whatever form its tasks have.
pub fn load_path(path: &Path) -> Result<Dataset, DataError> {
    let mut bad = BadTasks::default();
    let parts = if path.is_dir() {
        folder::parts(path, &mut bad)?
    } else {
        TaskFile::read(path)?.parts(&mut bad)?
    };
    let whole = parts.iter().any(|(_, tasks)| !tasks.is_empty());
    let left_out = if whole && bad.by_file {
        bad.left_out()
    } else {
        let skipped = std::mem::take(&mut bad.skipped);
        bad.check()?;
        skipped
    };
    let name = if path.is_dir() {
        let full = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        full.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default()
    } else {
        stem(path)
    };
    let mut data = finish(&name, None, parts, path)?;
    let told = |error: DataError| match error.hint() {
        Some(hint) => format!("{error}\nhint: {hint}"),
        None => error.to_string(),
    };
    data.left_out = left_out.into_iter().map(told).collect();
    Ok(data)
}

/// Loads the text of a file of tasks, whatever form they have; a name stands for the file's.
pub fn load_text(name: &str, text: &str) -> Result<Dataset, DataError> {
    let (mut bad, path) = (BadTasks::default(), Path::new(name));
    let parts = TaskFile::parse(text, path)?.parts(&mut bad)?;
    bad.check()?;
    finish(&stem(path), None, parts, path)
}

/// Loads task files that are part of the binary, as (path, text).
pub(super) fn load_texts(
    name: &str,
    version: &str,
    texts: &[(&str, &str)],
) -> Result<Dataset, DataError> {
    let mut bad = BadTasks::default();
    let mut tasks = Vec::with_capacity(texts.len());
    for (path, text) in texts {
        tasks.extend(TaskFile::parse(text, Path::new(path))?.one(&mut bad));
    }
    bad.check()?;
    finish(name, Some(version), vec![("train", tasks)], Path::new(name))
}

fn finish(
    name: &str,
    version: Option<&str>,
    parts: Parts,
    path: &Path,
) -> Result<Dataset, DataError> {
    if parts.iter().all(|(_, tasks)| tasks.is_empty()) {
        return Err(DataError::NoTasks(path.to_owned()));
    }
    let version = version.map(str::to_owned);
    Dataset::new(name, version, parts).map_err(|id| {
        let mut bad = BadTasks::default();
        bad.note(path, &id, (super::Place::default(), super::Problem::RepeatedId));
        // There is one, so this is the error.
        bad.check().err().unwrap_or_else(|| DataError::NoTasks(path.to_owned()))
    })
}

/// The split that a key, file or folder name stands for; what says nothing is `train`.
fn split_name(name: &str) -> &'static str {
    let has = |word| name.contains(word);
    if has("eval") {
        "eval"
    } else if name == "test" || has("test_challenges") {
        "test"
    } else {
        "train"
    }
}
