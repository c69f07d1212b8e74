//! Which program runs on which task.

use std::collections::HashMap;

use super::library::Entry;
use crate::tasks::Task;

/// A program and a task, by their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// The program's place.
    pub program: usize,
    /// The task's place.
    pub task: usize,
}

/// What to run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The pairs, program by program.
    pub pairs: Vec<Pair>,
    /// The programs that name no task of the data set.
    pub stray: Vec<usize>,
}

impl Plan {
    /// Every program on the task it names.
    pub fn named(entries: &[Entry], tasks: &[Task]) -> Plan {
        let places: HashMap<&str, usize> =
            tasks.iter().enumerate().map(|(at, task)| (task.id.as_str(), at)).collect();
        let mut plan = Plan::default();
        for (program, entry) in entries.iter().enumerate() {
            match entry.task.as_deref().and_then(|id| places.get(id)) {
                Some(task) => plan.pairs.push(Pair { program, task: *task }),
                None => plan.stray.push(program),
            }
        }
        plan
    }

    /// Every program on every task.
    pub fn cross(entries: &[Entry], tasks: &[Task]) -> Plan {
        let pairs = (0..entries.len())
            .flat_map(|program| (0..tasks.len()).map(move |task| Pair { program, task }))
            .collect();
        Plan { pairs, stray: Vec::new() }
    }
}
