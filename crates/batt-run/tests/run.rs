//! A run of batteries gives what every program gives alone.

use batt_run::engine::reference::Reference;
use batt_run::engine::{Cell, Counters, Engine, Loaded, Row, Sample, Setup};
use batt_run::programs;
use batt_run::reference::eval::Policy;
use batt_run::run::library::Library;
use batt_run::run::outcome::{Outcome, Samples, evaluate};
use batt_run::run::plan::Plan;
use batt_run::run::scores::{Diff, Scored};
use batt_run::run::{self, Finished, Options, Watch};
use batt_run::stop::NEVER;
use batt_run::tasks::{self, Task};

/// An engine that can hold nothing.
struct Helpless;

struct NothingLoaded<'a>(Setup<'a>);

impl Engine for Helpless {
    fn name(&self) -> &'static str {
        "helpless"
    }

    fn load<'a>(&'a self, setup: Setup<'a>) -> Box<dyn Loaded + 'a> {
        Box::new(NothingLoaded(setup))
    }
}

impl Loaded for NothingLoaded<'_> {
    fn run(&self, samples: &[Sample]) -> (Vec<Row>, Counters) {
        let roots = self.0.phase.roots(self.0.battery).len();
        (vec![vec![Cell::HandBack; roots]; samples.len()], Counters::default())
    }
}

struct Unwatched;

impl Watch for Unwatched {
    fn begin(&self, _: &'static str, _: u64) {}
    fn add(&self, _: u64) {}
}

/// The embedded programs, two that fail, and one that reads S.
fn library() -> Library {
    let mut library = Library::default();
    for (file, text) in programs::embedded() {
        library.add(file, text.as_bytes(), false);
    }
    let more = b"def solve_a(I):\n    x1 = width(I)\n    return first(x1)\n\n\
        def solve_b(I):\n    x1 = width(I)\n    x2 = first(x1)\n    return hconcat(I, x2)\n\n\
        def solve_c(S, I):\n    x1 = first(S)\n    return last(x1)\n";
    library.add("more.py", more, false);
    assert!(library.problems.is_empty());
    library
}

fn some_tasks() -> Vec<Task> {
    tasks::embedded().tasks().iter().step_by(6).cloned().collect()
}

fn differs() -> Vec<batt_lang::Program> {
    let mut library = Library::default();
    for (file, text) in programs::differs() {
        library.add_differs(file, text.as_bytes(), false);
    }
    library.entries.into_iter().map(|entry| entry.program).collect()
}

fn cross(engine: &dyn Engine, policy: Policy, batch_size: Option<usize>) -> Finished {
    let (library, tasks, differs) = (library(), some_tasks(), differs());
    let plan = Plan::cross(&library.entries, &tasks);
    let options = Options {
        engine,
        policy,
        fuse: true,
        threads: Some(2),
        batch_size,
        stop: &NEVER,
        differs: &differs,
        diff: Diff::Always,
        explain: |_| true,
    };
    run::run(&library.entries, &tasks, &plan, &options, None, &Unwatched).unwrap()
}

fn alone(policy: Policy) -> Vec<Outcome> {
    let (library, tasks) = (library(), some_tasks());
    let samples: Vec<Samples> = tasks.iter().map(Samples::of).collect();
    let on = |entry: &run::library::Entry| {
        samples.iter().map(|s| evaluate(&entry.program, s, policy)).collect::<Vec<_>>()
    };
    library.entries.iter().flat_map(on).collect()
}

fn sums(scored: Option<Scored>) -> (usize, Vec<run::scores::DifferSums>) {
    scored.map(|s| (s.scores, [s.pairs, s.inputs].concat())).unwrap()
}

#[test]
fn a_battery_gives_what_every_program_gives_alone() {
    for policy in [Policy::Strict, Policy::Safe] {
        let finished = cross(&Reference, policy, None);
        assert!(finished.outcomes == alone(policy), "{policy:?}");
        assert_eq!(finished.fallback, 0);
    }
}

#[test]
fn what_an_engine_hands_back_is_run_alone() {
    let (held, handed) =
        (cross(&Reference, Policy::Strict, Some(3)), cross(&Helpless, Policy::Strict, Some(3)));
    assert!(held.outcomes == handed.outcomes);
    let samples: usize = held.outcomes.iter().map(|o| o.samples().total).sum();
    assert_eq!(handed.fallback, samples);
    assert_eq!(handed.handed.len(), 100);
    assert!(sums(held.scored) == sums(handed.scored));
}

#[test]
fn the_work_adds_up() {
    let work = cross(&Reference, Policy::Strict, None).work;
    assert!(work.rows > 0 && work.saved_by_sharing > 0 && work.saved_by_hoisting > 0);
    assert_eq!(work.rows_alone, work.rows + work.saved_by_sharing + work.saved_by_hoisting);
}
