//! A data set: tasks in a stable order, their splits, and a hash of what they say.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

use super::cache;
use super::error::DataError;
use super::{Example, Grid, Task};

/// The names of splits, in their order.
const SPLITS: [&str; 3] = ["train", "eval", "test"];

/// A named part of a data set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// `train`, `eval` or `test`.
    pub name: &'static str,
    tasks: Vec<usize>,
}

/// A hash of what the tasks say: the same for every file format, spacing, order and split.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ContentHash([u8; 32]);

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|b| write!(f, "{b:02x}"))
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Tasks, in the order train, eval, test, each by id.
#[derive(Clone, Debug)]
pub struct Dataset {
    /// What it is called: a data set's name, or that of its file or folder.
    pub name: String,
    /// Which version it is, where that is known.
    pub version: Option<String>,
    /// The hash of its content.
    pub hash: ContentHash,
    /// What a folder holds that could not be read, and a hint for each.
    pub left_out: Vec<String>,
    tasks: Vec<Task>,
    splits: Vec<Split>,
    by_id: HashMap<String, usize>,
}

impl Dataset {
    /// A data set of tasks by split.
    ///
    /// The same task may be in several splits (Kaggle's test file repeats public tasks without their
    /// outputs). The error is an id that two different tasks have, or that one split has twice.
    pub fn new(
        name: &str,
        version: Option<String>,
        parts: Vec<(&'static str, Vec<Task>)>,
    ) -> Result<Dataset, String> {
        let mut set = Dataset {
            name: name.to_owned(),
            version,
            hash: ContentHash([0; 32]),
            left_out: Vec::new(),
            tasks: Vec::new(),
            splits: Vec::new(),
            by_id: HashMap::new(),
        };
        let mut parts = parts;
        for name in SPLITS {
            let here = parts.iter_mut().filter(|(n, _)| *n == name);
            let mut tasks: Vec<Task> = here.flat_map(|(_, tasks)| std::mem::take(tasks)).collect();
            tasks.sort_by(|a, b| a.id.cmp(&b.id));
            if let Some(pair) = tasks.windows(2).find(|pair| pair[0].id == pair[1].id) {
                return Err(pair[0].id.clone());
            }
            let tasks = tasks.into_iter().map(|t| set.add(t)).collect::<Result<Vec<_>, _>>()?;
            if !tasks.is_empty() {
                set.splits.push(Split { name, tasks });
            }
        }
        set.hash = hash(&set.tasks);
        if set.version.is_none() {
            set.version = cache::recognise(set.hash);
        }
        Ok(set)
    }

    fn add(&mut self, task: Task) -> Result<usize, String> {
        let next = self.tasks.len();
        match self.by_id.entry(task.id.clone()) {
            Entry::Vacant(free) => {
                free.insert(next);
                self.tasks.push(task);
                Ok(next)
            }
            Entry::Occupied(taken) => {
                let old = &mut self.tasks[*taken.get()];
                if !old.agrees(&task) {
                    return Err(task.id);
                }
                for (test, again) in old.tests.iter_mut().zip(task.tests) {
                    test.output = test.output.take().or(again.output);
                }
                Ok(*taken.get())
            }
        }
    }

    /// All tasks.
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }

    /// The splits, in order; none is empty.
    pub fn splits(&self) -> &[Split] {
        &self.splits
    }

    /// The tasks of a split.
    pub fn split(&self, name: &str) -> Option<impl ExactSizeIterator<Item = &Task>> {
        let split = self.splits.iter().find(|s| s.name == name)?;
        Some(split.tasks.iter().map(|&n| &self.tasks[n]))
    }

    /// The task with an id.
    pub fn get(&self, id: &str) -> Option<&Task> {
        self.by_id.get(id).map(|&n| &self.tasks[n])
    }

    /// The task with an id, or at a place in a split: `train0`, `eval14`.
    pub fn find(&self, what: &str) -> Result<&Task, DataError> {
        if let Some(task) = self.get(what) {
            return Ok(task);
        }
        let at = self.splits.iter().find_map(|split| {
            let digits = what.strip_prefix(split.name)?;
            let plain = digits.bytes().all(|b| b.is_ascii_digit());
            let n: usize = plain.then(|| digits.parse().ok())??;
            split.tasks.get(n)
        });
        at.map(|&n| &self.tasks[n]).ok_or_else(|| DataError::NoTask {
            set: self.name.clone(),
            task: what.to_owned(),
            near: self.near(what),
        })
    }

    /// A part of the data set: a split's name, or tasks with commas between them.
    pub fn select(&self, part: &str) -> Result<Dataset, DataError> {
        let split = match part {
            "training" => "train",
            "evaluation" => "eval",
            part => part,
        };
        let chosen: Vec<usize> = if SPLITS.contains(&split) {
            let found = self.splits.iter().find(|s| s.name == split);
            found.map(|s| s.tasks.clone()).ok_or_else(|| self.no_split(part))?
        } else {
            let mut chosen = Vec::new();
            for id in part.split(',') {
                chosen.extend(self.places(id.trim())?);
            }
            chosen
        };
        let parts = self.splits.iter().filter(|s| s.name == split || !SPLITS.contains(&split));
        let of = |s: &Split| {
            s.tasks.iter().filter(|n| chosen.contains(n)).map(|&n| self.tasks[n].clone()).collect()
        };
        let parts = parts.map(|s| (s.name, of(s))).collect();
        let name = format!("{}:{part}", self.name);
        // A part of a good data set is one; the error cannot occur.
        Dataset::new(&name, self.version.clone(), parts).map_err(|task| DataError::NoTask {
            set: name,
            task,
            near: None,
        })
    }

    /// The places of one task, or of those from one to another: `train0..train9` are ten.
    fn places(&self, what: &str) -> Result<Vec<usize>, DataError> {
        let place = |id: &str| Ok::<usize, DataError>(self.by_id[&self.find(id)?.id]);
        let Some((from, to)) = what.split_once("..").filter(|_| self.get(what).is_none()) else {
            return Ok(vec![place(what)?]);
        };
        let (first, last) = (place(from)?, place(to)?);
        let split = self.splits.iter().find(|split| split.tasks.contains(&first));
        let tasks = split.map_or(&[][..], |split| &split.tasks);
        let at = |task: usize| tasks.iter().position(|n| *n == task);
        match (at(first), at(last)) {
            (Some(first), Some(last)) if first <= last => Ok(tasks[first..=last].to_vec()),
            _ => {
                Err(DataError::NoTask { set: self.name.clone(), task: what.to_owned(), near: None })
            }
        }
    }

    /// The first so many tasks.
    #[must_use]
    pub fn first(&self, count: usize) -> Dataset {
        let names: Vec<String> =
            self.tasks.iter().take(count).map(|task| task.id.clone()).collect();
        self.select(&names.join(",")).unwrap_or_else(|_| self.clone())
    }

    fn no_split(&self, split: &str) -> DataError {
        let has = self.splits.iter().map(|s| s.name.to_owned()).collect();
        DataError::NoSplit { set: self.name.clone(), split: split.to_owned(), has }
    }

    /// How many examples there are, demos and tests.
    pub fn examples(&self) -> usize {
        self.tasks.iter().map(|t| t.demos.len() + t.tests.len()).sum()
    }

    /// An id or a split's name that shares all but one or two characters.
    fn near(&self, what: &str) -> Option<String> {
        let distance = |id: &str| {
            let differing = id.chars().zip(what.chars()).filter(|(a, b)| a != b).count();
            differing + id.chars().count().abs_diff(what.chars().count())
        };
        let splits = self.splits.iter().map(|split| split.name);
        let names = self.tasks.iter().map(|task| task.id.as_str()).chain(splits);
        let best = names.map(|name| (distance(name), name)).min()?;
        (best.0 <= 2).then(|| best.1.to_string())
    }
}

/// The hash of what tasks say, by id.
fn hash(tasks: &[Task]) -> ContentHash {
    let mut sorted: Vec<&Task> = tasks.iter().collect();
    sorted.sort_by(|a, b| a.id.cmp(&b.id));
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"batt tasks 1\n");
    for task in sorted {
        // Every part says how long it is, so no two different sets give the same bytes.
        hasher.update(&(task.id.len() as u64).to_le_bytes()).update(task.id.as_bytes());
        for examples in [&task.demos, &task.tests] {
            hasher.update(&(examples.len() as u64).to_le_bytes());
            for Example { input, output } in examples {
                hash_grid(&mut hasher, Some(input));
                hash_grid(&mut hasher, output.as_ref());
            }
        }
    }
    ContentHash(hasher.finalize().into())
}

fn hash_grid(hasher: &mut blake3::Hasher, grid: Option<&Grid>) {
    let size = grid.map_or([0, 0], |g| [g.height() as u8, g.width() as u8]);
    hasher.update(&size);
    for row in grid.iter().flat_map(|g| g.rows()) {
        hasher.update(row);
    }
}
