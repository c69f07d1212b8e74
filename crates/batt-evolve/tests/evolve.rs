//! Runs: the same whatever carries them, and nothing in the archive that should not be there.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use batt_evolve::archive::{Archive, Run};
use batt_evolve::bench::repair;
use batt_evolve::breed::TaskContext;
use batt_evolve::judge::Judges;
use batt_evolve::operators::Operator;
use batt_evolve::run::{
    Config, Evolution, EvolveError, Progress, Seed, Totals, Until, Watch, seeds,
};
use batt_run::engine::{Engine, Loaded, Setup, engine};
use batt_run::stop::{NEVER, Stop};
use batt_run::tasks::{self, Dataset};

struct Quiet;

impl Watch for Quiet {
    fn generation(&mut self, _: &Progress) {}
}

fn config(seed: u64) -> Config {
    let checkpoint = Duration::ZERO;
    Config { seed, population: 16, children: 48, checkpoint, ..Config::default() }
}

fn data(ids: &str) -> Dataset {
    tasks::embedded().select(ids).unwrap()
}

fn start(seed: u64) -> Vec<Seed> {
    let mut all = vec![seeds::input()];
    all.extend(seeds::random(seed, 12));
    all
}

/// Breeds up to a generation, in an archive that may hold the run's beginning.
fn breed(place: &Path, ids: &str, name: &str, threads: usize, config: Config, last: u32) -> Totals {
    let engine = engine(name).unwrap();
    let start = start(config.seed);
    let mut evolution = Evolution::new(config, &*engine, &data(ids), start, Some(threads)).unwrap();
    let mut archive = Archive::open(place.to_str().unwrap()).unwrap();
    let resume = !archive.runs().unwrap().is_empty();
    let id = evolution.open(&mut archive, resume).unwrap();
    let until = Until { generations: Some(last), ..Until::default() };
    evolution.run(&mut archive, &id, until, &NEVER, &mut Quiet).unwrap();
    evolution.progress().totals.clone()
}

fn export(place: &Path) -> String {
    let mut out = Vec::new();
    Archive::open_existing(place.to_str().unwrap()).unwrap().export(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

const TASKS: &str = "tent,flip_largest,turn_like_demos";

#[test]
fn threads_engines_and_interruptions_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let plain = breed(&place("plain"), TASKS, "cpu", 1, config(5), 8);
    let wanted = export(&place("plain"));
    assert!(wanted.lines().count() > 8, "{wanted}");

    let rare = Config { checkpoint: Duration::from_secs(3600), ..config(5) };
    breed(&place("threads"), TASKS, "cpu", 2, rare, 8);
    assert_eq!(export(&place("threads")), wanted);

    let by_reference = breed(&place("reference"), TASKS, "reference", 2, config(5), 8);
    assert_eq!(export(&place("reference")), wanted);
    assert_eq!(
        Totals { handed_back: 0, ..by_reference },
        Totals { handed_back: 0, ..plain.clone() }
    );

    for last in [2, 5, 8] {
        let resumed =
            breed(&place("resumed"), TASKS, "cpu", 1 + last as usize % 2, config(5), last);
        if last == 8 {
            let resumed = Totals { handed_back: 0, ..resumed };
            assert_eq!(resumed, Totals { handed_back: 0, ..plain.clone() });
        }
    }
    assert_eq!(export(&place("resumed")), wanted);

    breed(&place("other"), TASKS, "cpu", 1, config(6), 8);
    assert_ne!(export(&place("other")), wanted);
}

#[test]
fn a_begun_run_goes_on_only_when_asked() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("a.db");
    breed(&place, "tent", "cpu", 1, config(1), 1);
    let engine = engine("cpu").unwrap();
    let mut again = Evolution::new(config(1), &*engine, &data("tent"), start(1), Some(1)).unwrap();
    let mut archive = Archive::open(place.to_str().unwrap()).unwrap();
    let refused = again.open(&mut archive, false).unwrap_err().to_string();
    assert!(refused.contains("was begun before and stands at generation 1"), "{refused}");
}

#[test]
fn what_is_not_there_is_not_resumed_and_not_begun() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("a.db");
    breed(&place, "tent", "cpu", 1, config(1), 1);
    let engine = engine("cpu").unwrap();
    let open = |archive: &mut Archive, seed| {
        let (config, data) = (config(seed), data("tent"));
        let start = start(config.seed);
        Evolution::new(config, &*engine, &data, start, Some(1)).unwrap().open(archive, true)
    };
    let mut archive = Archive::open(place.to_str().unwrap()).unwrap();
    let refused = open(&mut archive, 2).unwrap_err();
    assert!(matches!(refused, EvolveError::NothingToResume(_)), "{refused}");
    assert_eq!(archive.runs().unwrap().len(), 1);
    // The state of a run that was imported stayed where it ran.
    let text = export(&place);
    let other = folder.path().join("b.db");
    let mut copy = Archive::open(other.to_str().unwrap()).unwrap();
    copy.import("x", &mut text.as_bytes(), None).unwrap();
    let refused = open(&mut copy, 1).unwrap_err();
    assert!(matches!(refused, EvolveError::NothingToResume(_)), "{refused}");
    assert_eq!(export(&other), text);
}

#[test]
fn a_damaged_checkpoint_is_not_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("a.db");
    breed(&place, "tent", "cpu", 1, config(1), 3);
    let before = export(&place);
    let engine = engine("cpu").unwrap();
    let changes = [
        "UPDATE checkpoints SET state = CAST(substr(state, 1, 40) || x'00' || substr(state, 42) AS BLOB)",
        "UPDATE checkpoints SET generation = 2",
        "DELETE FROM checkpoints",
    ];
    for change in changes {
        let damaged = folder.path().join("damaged.db");
        std::fs::copy(&place, &damaged).unwrap();
        let changed = rusqlite::Connection::open(&damaged).unwrap().execute(change, []).unwrap();
        assert_eq!(changed, 1);
        let mut archive = Archive::open(damaged.to_str().unwrap()).unwrap();
        let mut again =
            Evolution::new(config(1), &*engine, &data("tent"), start(1), Some(1)).unwrap();
        let refused = again.open(&mut archive, true).unwrap_err().to_string();
        assert!(refused.contains("damaged") && refused.contains("checkpoints"), "{refused}");
        drop(archive);
        assert_eq!(export(&damaged), before, "{change}");
    }
}

/// A run of a version that searched otherwise does not go on, and nothing is begun in its place.
#[test]
fn a_run_of_another_version_is_not_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let open = |name: &str| Archive::open(place(name).to_str().unwrap()).unwrap();
    breed(&place("ours"), "tent", "cpu", 1, config(1), 1);
    let ours = open("ours").runs().unwrap().remove(0);
    let configuration = ours.configuration.replace("\"search\":2", "\"search\":1");
    assert_ne!(configuration, ours.configuration);
    let (device, host) = ("cpu".to_string(), String::new());
    let (language, data_hash) = (ours.language, ours.data);
    let old = Run { seed: 1, configuration, language, data: data_hash, device, host, started: 1 };
    let mut archive = open("old");
    let id = archive.begin(&old).unwrap();

    let engine = engine("cpu").unwrap();
    let again = || Evolution::new(config(1), &*engine, &data("tent"), start(1), Some(1)).unwrap();
    let refused = again().open(&mut archive, true).unwrap_err().to_string();
    assert!(refused.contains(id.as_str()) && refused.contains("another version"), "{refused}");
    assert_eq!(archive.runs().unwrap().len(), 1);
    // A new run may begin beside it, and then goes on.
    let begun = again().open(&mut archive, false).unwrap();
    assert_eq!(again().open(&mut archive, true).unwrap(), begun);
}

/// 60 % of what is proposed fits the kinds, 30 % of that does something new, and every operator is
/// used, over a hundred generations.
#[test]
fn operators_are_accepted_and_all_of_them_fire() {
    let folder = tempfile::tempdir().unwrap();
    let ids = "tent,big_and_small,count_objects,mark_centres";
    let share = |part: u64, of: u64| part as f64 / of as f64;
    let (mut well_typed, mut new) = (0, 0);
    for seed in 1..=4 {
        let config = Config { islands: 1, population: 32, children: 100, ..config(seed) };
        let totals = breed(&folder.path().join(seed.to_string()), ids, "cpu", 2, config, 60);
        for (operator, count) in Operator::ALL.iter().zip(&totals.counts) {
            let all = [count.proposed, count.well_typed, count.new_graph, count.new_behaviour];
            assert!(all.iter().all(|n| *n > 0), "{}: {count:?}", operator.name());
        }
        println!("{:.3} well-typed", share(totals.well_typed, totals.proposals));
        println!("{:.3} of those new", share(totals.new_behaviour, totals.well_typed));
        assert!(share(totals.well_typed, totals.proposals) >= 0.6);
        assert_eq!((totals.refused.disagreements, totals.refused.collisions), (0, 0));
        well_typed += totals.well_typed;
        new += totals.new_behaviour;
    }
    // One seed's share is anything from 0.22 to 0.35, whatever the primitives are; six seeds' was 0.27 with
    // 198 of them and 0.29 with 200.
    assert!(share(new, well_typed) >= 0.25, "{:.3}", share(new, well_typed));
}

#[test]
fn the_archive_holds_only_what_the_interpreter_confirms() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("a.db");
    breed(&place, "tent,checkers,drop_down", "cpu", 2, config(2), 12);
    let judges = Judges::new(tasks::embedded().tasks());
    let mut archive = Archive::open_existing(place.to_str().unwrap()).unwrap();
    // Every hash, every kind and every score is made anew; zero scores cannot be stored.
    let checked = archive.check(Some(&judges)).unwrap();
    assert!(checked.problems.is_empty(), "{:?}", checked.problems);
    let stats = archive.stats().unwrap();
    assert!(stats.programs > 3, "{stats:?}");
}

/// A handful of broken programs; `batt bench repair` breaks and repairs all of them.
#[test]
fn broken_programs_are_repaired() {
    let engine = engine("cpu").unwrap();
    let all = tasks::embedded();
    let mut repaired = 0;
    let ids = ["big_and_small", "flip_largest", "add_frame", "swap_extremes"];
    for id in ids {
        let seed = seeds::embedded().into_iter().find(|(task, _)| task.as_deref() == Some(id));
        let (_, genome) = seed.unwrap();
        let task = TaskContext::new(all.get(id).unwrap());
        let broken = repair::mutilate(&*engine, &task, &genome, 7).unwrap();
        assert!(usize::from(broken.exact) < task.demos.len());
        let config = Config { seed: 1, ..Config::default() };
        let limit = Duration::from_secs(15);
        let done = repair::repair(&*engine, &data(id), &broken, config, 2, limit).unwrap();
        println!("{done:?}");
        repaired += usize::from(done.repaired);
    }
    assert!(repaired >= 3, "{repaired} of {}", ids.len());
}

/// An engine that tells to stop when it is asked for the n-th time.
struct Firing {
    inner: Box<dyn Engine>,
    left: AtomicUsize,
    stop: Stop,
}

impl Engine for Firing {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn load<'a>(&'a self, setup: Setup<'a>) -> Box<dyn Loaded + 'a> {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.stop.fire();
        }
        self.inner.load(setup)
    }
}

#[test]
fn a_generation_that_is_stopped_is_undone() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let config = Config { population: 12, children: 40, ..config(3) };
    let totals = breed(&place("plain"), TASKS, "cpu", 1, config, 5);
    let plain = export(&place("plain"));
    let (data, until) = (data(TASKS), Until { generations: Some(5), ..Until::default() });
    let mut stopped = 0;
    for after in [1, 2, 9, 17, 26, 40, 55] {
        let path = place(&format!("stopped{after}"));
        let stop = Stop::new();
        let (inner, left) = (engine("cpu").unwrap(), AtomicUsize::new(after));
        let firing = Firing { inner, left, stop: stop.clone() };
        let seeds = start(config.seed);
        let mut evolution = Evolution::new(config, &firing, &data, seeds, Some(2)).unwrap();
        let mut archive = Archive::open(path.to_str().unwrap()).unwrap();
        let id = evolution.open(&mut archive, false).unwrap();
        evolution.run(&mut archive, &id, until, &stop, &mut Quiet).unwrap();
        stopped += usize::from(stop.fired());
        // What was done is what it would have been, and it goes on in this process and in another one.
        drop(archive);
        evolution.breed(until, &NEVER, &mut Quiet);
        assert_eq!(evolution.progress().totals, &totals, "stopped after {after}");
        breed(&path, TASKS, "cpu", 1, config, 5);
        assert_eq!(export(&path), plain, "stopped after {after}");
    }
    assert!(stopped >= 5, "{stopped}");
}
