//! Which program runs on which task, and the batteries that this makes.

use std::collections::{BTreeMap, HashMap};

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

/// A battery to run: some programs, each on every one of some tasks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Job {
    /// The programs' places.
    pub programs: Vec<usize>,
    /// The tasks' places.
    pub tasks: Vec<usize>,
    /// The places of the job's pairs, program by program.
    pub pairs: Vec<usize>,
}

impl Job {
    /// The pair of the job's programs and tasks, each by its place in the job.
    pub fn pair(&self, program: usize, task: usize) -> usize {
        self.pairs[program * self.tasks.len() + task]
    }
}

/// What to run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The pairs, program by program.
    pub pairs: Vec<Pair>,
    /// The batteries that cover the pairs, in the order of tasks.
    pub jobs: Vec<Job>,
    /// The programs that name no task of the data set.
    pub stray: Vec<usize>,
}

impl Plan {
    /// Every program on the task it names: a battery for every task that is named.
    pub fn named(entries: &[Entry], tasks: &[Task]) -> Plan {
        let places: HashMap<&str, usize> =
            tasks.iter().enumerate().map(|(at, task)| (task.id.as_str(), at)).collect();
        let mut plan = Plan::default();
        let mut jobs: BTreeMap<usize, Job> = BTreeMap::new();
        for (program, entry) in entries.iter().enumerate() {
            let Some(task) = entry.task.as_deref().and_then(|id| places.get(id)) else {
                plan.stray.push(program);
                continue;
            };
            let job = jobs.entry(*task).or_default();
            job.tasks = vec![*task];
            job.programs.push(program);
            job.pairs.push(plan.pairs.len());
            plan.pairs.push(Pair { program, task: *task });
        }
        plan.jobs = jobs.into_values().collect();
        plan
    }

    /// Every program on every task: one battery.
    pub fn cross(entries: &[Entry], tasks: &[Task]) -> Plan {
        let pairs: Vec<Pair> = (0..entries.len())
            .flat_map(|program| (0..tasks.len()).map(move |task| Pair { program, task }))
            .collect();
        let job = Job {
            programs: (0..entries.len()).collect(),
            tasks: (0..tasks.len()).collect(),
            pairs: (0..pairs.len()).collect(),
        };
        Plan { pairs, jobs: vec![job], stray: Vec::new() }
    }
}
