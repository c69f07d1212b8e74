//! The archive of a solve run: what was found goes in as tasks are done, and a run that ended early goes on
//! from there.
//!
//! Tasks go in in their order, one generation each, so that an archive does not tell how many threads worked.
//! The state of a run is the attempts at all tasks up to there, as text; whoever resumes runs them again.

use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use batt::evolve::archive::{
    Archive, ArchiveError, Found, Generation, LANGUAGE, Origin, Run, RunId, TestFound,
};
use batt::evolve::judge::Judge;
use batt::lang::canonical::Canonical;
use batt::lang::program::Definition;
use batt::lang::{Program, text};
use batt::run::tasks::Task;
use batt::solve::{Answer, Attempt, Config, Part};
use serde::{Deserialize, Serialize};

use crate::failure::{self, Failure};

/// Which run of an archive this is.
pub struct Key<'a> {
    /// The archive.
    pub place: &'a str,
    /// What the run is asked for.
    pub config: &'a Config,
    /// The costs of operations, where they are not the built-in ones.
    pub costs: Option<String>,
    /// The hash of the data set.
    pub data: String,
    /// The tasks, in their order.
    pub tasks: &'a [&'a Task],
    /// What runs it.
    pub device: &'a str,
    /// Commits are at least so far apart.
    pub pause: Duration,
}

/// A solve run and its archive.
pub struct Keeper {
    archive: Archive,
    id: RunId,
    /// What is kept of the tasks up to here.
    state: Vec<Vec<KeptAttempt>>,
    /// Tasks that are done before those in front of them.
    early: BTreeMap<usize, Entry>,
    /// Tasks that are in the state and not in the archive.
    pending: Vec<Entry>,
    pause: Duration,
    committed: Instant,
    took: Duration,
    failed: Option<ArchiveError>,
}

/// An attempt as it is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct KeptAttempt {
    part: String,
    how: String,
    trust: f64,
    program: String,
}

/// What a task leaves in an archive.
pub struct Entry {
    kept: Vec<KeptAttempt>,
    found: Vec<Found>,
    tests: Vec<TestFound>,
}

impl Keeper {
    /// Begins a run, or finds it again with the answers that it has.
    pub fn open(key: &Key, resume: bool) -> anyhow::Result<(Keeper, Vec<Answer>)> {
        let opened =
            if resume { Archive::open_existing(key.place) } else { Archive::open(key.place) };
        let mut archive = opened.map_err(failure::archive)?;
        let run = key.run();
        let id = run.id();
        let checkpoint = archive.resume(&id).map_err(failure::archive)?;
        match (&checkpoint, resume) {
            (None, true) => {
                return Err(Failure::error(
                    format!("{} has no run of these tasks and options to go on with", key.place),
                    "without --resume it begins; `batt archive stats` lists the runs there are",
                ));
            }
            (Some(_), false) => {
                return Err(Failure::error(
                    format!("{} has this run already ({id})", key.place),
                    "--resume goes on with it; another --seed or --archive begins anew",
                ));
            }
            _ => {}
        }
        archive.begin(&run).map_err(failure::archive)?;
        let state: Vec<Vec<KeptAttempt>> = match &checkpoint {
            Some(checkpoint) => serde_json::from_slice(&checkpoint.state).map_err(|_| {
                Failure::error(
                    format!("the state of run {id} cannot be read"),
                    "another --seed begins anew; what is kept stays",
                )
            })?,
            None => Vec::new(),
        };
        let answers: Vec<Answer> =
            key.tasks.iter().zip(&state).map(|(task, kept)| again(task, kept)).collect();
        let keeper = Keeper {
            archive,
            id,
            state,
            early: BTreeMap::new(),
            pending: Vec::new(),
            pause: key.pause,
            committed: Instant::now(),
            took: Duration::ZERO,
            failed: None,
        };
        Ok((keeper, answers))
    }

    /// Takes what was found for a task; commits from time to time.
    pub fn add(&mut self, at: usize, entry: Entry) {
        self.early.insert(at, entry);
        while let Some(entry) = self.early.remove(&self.state.len()) {
            self.state.push(entry.kept.clone());
            self.pending.push(entry);
        }
        // Commits cost little against what lies between them.
        if self.committed.elapsed() >= self.pause.max(self.took * 20) {
            self.commit();
        }
    }

    fn commit(&mut self) {
        if self.pending.is_empty() || self.failed.is_some() {
            return;
        }
        let started = Instant::now();
        let first = self.state.len() - self.pending.len();
        let state = serde_json::to_vec(&self.state).unwrap_or_default();
        let mut generations: Vec<Generation> = Vec::new();
        for (at, entry) in self.pending.iter().enumerate() {
            generations.push(Generation {
                run: &self.id,
                number: (first + at + 1) as u32,
                found: &entry.found,
                tests: &entry.tests,
                // Only the last one's stays.
                state: if at + 1 == self.pending.len() { &state } else { &[] },
                keep: None,
            });
        }
        match self.archive.commit_all(&generations) {
            Ok(_) => self.pending.clear(),
            Err(error) => self.failed = Some(error),
        }
        self.took = started.elapsed();
        self.committed = Instant::now();
    }

    /// Commits what is left; the run's name.
    pub fn finish(mut self) -> anyhow::Result<String> {
        self.commit();
        match self.failed {
            Some(error) => {
                let hint = "what was committed is in the archive; --resume goes on with it";
                Err(Failure::error(error.to_string(), hint))
            }
            None => Ok(self.id.to_string()),
        }
    }
}

impl Entry {
    /// Judges the attempts at a task.
    pub fn new(task: &Task, answer: &Answer) -> Entry {
        let judge = Judge::new(task);
        let (mut found, mut tests, mut kept) = (Vec::new(), Vec::new(), Vec::new());
        let near = answer.near.iter().map(|near| (near, "solve near"));
        let attempts = answer.attempts.iter();
        for (program, operator) in attempts.map(|a| (&a.program, operator(a.part))).chain(near) {
            let canonical = Canonical::of(program);
            let hash = canonical.hash();
            let judged = judge.judge(program);
            tests.push(TestFound {
                program: hash,
                task: task.id.clone(),
                tested: judge.test(program),
            });
            found.push(Found {
                program: canonical,
                task: task.id.clone(),
                demos: judge.demos().to_string(),
                judged,
                origin: Origin { operator: operator.to_string(), parents: Vec::new(), island: 0 },
            });
        }
        for attempt in &answer.attempts {
            kept.push(KeptAttempt {
                part: attempt.part.name().to_string(),
                how: attempt.how.clone(),
                trust: attempt.trust,
                program: text::print(&attempt.program),
            });
        }
        Entry { kept, found, tests }
    }
}

fn operator(part: Part) -> &'static str {
    match part {
        Part::Cells => "solve cells",
        Part::Objects => "solve objects",
        Part::Enumeration => "solve enumeration",
    }
}

/// The answer that kept attempts make when they are run again.
fn again(task: &Task, kept: &[KeptAttempt]) -> Answer {
    let mut answer = Answer::default();
    let s = task.pairs();
    for attempt in kept {
        let Some((program, part)) = read(&attempt.program).zip(attempt.part.parse().ok()) else {
            answer.refused.push(format!("{}: its program cannot be read", attempt.how));
            continue;
        };
        let of = (part, attempt.how.clone(), attempt.trust);
        match Attempt::confirmed(task, &s, program, of) {
            Ok(attempt) => answer.attempts.push(attempt),
            Err(refusal) => answer.refused.push(format!("{}: {refusal}", attempt.how)),
        }
    }
    answer
}

/// The program of a text.
pub fn read(source: &str) -> Option<Program> {
    text::parse(source).definitions.into_iter().find_map(|definition| match definition {
        Definition::Program(program) => Some(program),
        Definition::Generated(_) => None,
    })
}

/// What decides the course of a solve run, besides its seed and its data.
#[derive(Serialize)]
struct Configuration<'a> {
    solve: u32,
    attempts: usize,
    budget: u64,
    memory: usize,
    parts: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    costs: Option<&'a str>,
    tasks: Vec<&'a str>,
}

impl Key<'_> {
    fn run(&self) -> Run {
        let started = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_secs());
        let configuration = Configuration {
            solve: batt::solve::VERSION,
            attempts: self.config.attempts,
            budget: self.config.budget,
            memory: self.config.memory,
            parts: self.config.parts.iter().map(|part| part.name()).collect(),
            costs: self.costs.as_deref(),
            tasks: self.tasks.iter().map(|task| task.id.as_str()).collect(),
        };
        Run {
            seed: self.config.seed,
            configuration: serde_json::to_string(&configuration).unwrap_or_default(),
            language: LANGUAGE.to_string(),
            data: self.data.clone(),
            device: self.device.to_string(),
            host: String::new(),
            started,
        }
    }
}
