//! Runs that are bred elsewhere: the same as in one process, whatever becomes of the workers.

use std::path::Path;
use std::time::Duration;

use batt_evolve::archive::Archive;
use batt_evolve::run::{
    Config, Evolution, Progress, Seed, Totals, Until, Watch, Worker, seeds, worker::Lot,
};
use batt_run::engine::engine;
use batt_run::stop::{NEVER, Stop};
use batt_run::tasks::{self, Dataset};

struct Quiet;

impl Watch for Quiet {
    fn generation(&mut self, _: &Progress) {}
}

const TASKS: &str = "tent,flip_largest,turn_like_demos";
const LAST: u32 = 7;

fn config() -> Config {
    let checkpoint = Duration::ZERO;
    Config { seed: 5, population: 16, children: 48, checkpoint, ..Config::default() }
}

fn data() -> Dataset {
    tasks::embedded().select(TASKS).unwrap()
}

fn start() -> Vec<Seed> {
    let mut all = vec![seeds::input()];
    all.extend(seeds::random(5, 12));
    all
}

fn worker() -> Worker {
    let cpu = engine("cpu").unwrap();
    Worker::new(config(), cpu.into(), data().tasks(), start(), Some(1)).unwrap()
}

fn export(place: &Path) -> String {
    let mut out = Vec::new();
    Archive::open_existing(place.to_str().unwrap()).unwrap().export(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn state(place: &Path, id: &batt_evolve::archive::RunId) -> Vec<u8> {
    let mut archive = Archive::open_existing(place.to_str().unwrap()).unwrap();
    archive.resume(id).unwrap().unwrap().state
}

/// What a run leaves: export, last state and totals.
type Left = (String, Vec<u8>, Totals);

fn alone(place: &Path) -> Left {
    let cpu = engine("cpu").unwrap();
    let mut evolution = Evolution::new(config(), &*cpu, &data(), start(), Some(2)).unwrap();
    let mut archive = Archive::open(place.to_str().unwrap()).unwrap();
    let id = evolution.open(&mut archive, false).unwrap();
    let until = Until { generations: Some(LAST), ..Until::default() };
    evolution.run(&mut archive, &id, until, &NEVER, &mut Quiet).unwrap();
    (export(place), state(place, &id), evolution.progress().totals.clone())
}

/// A generation on workers, each unit by its turn. `loses` says which workers forget everything before.
fn generation(evolution: &mut Evolution, workers: &mut [Worker], turn: usize, loses: &[usize]) {
    let outline = evolution.outline();
    for at in loses {
        workers[*at] = worker();
    }
    for worker in workers.iter_mut() {
        worker.listen(&outline).unwrap();
    }
    for at in 0..evolution.count() {
        assert_eq!(evolution.finish(), Some(false), "not all units are there");
        let many = workers.len();
        let to = &mut workers[(at + turn) % many];
        let mut lot = to.step(vec![(at, None)], &NEVER).unwrap();
        if !lot.missing.is_empty() {
            assert_eq!(lot.missing, [at]);
            assert_eq!(evolution.take(&lot.given), Some(vec![]));
            let unit = evolution.unit(at).unwrap();
            lot = to.step(vec![(at, Some(unit))], &NEVER).unwrap();
        }
        assert_eq!(evolution.take(&lot.given), Some(vec![at]));
        // What comes twice counts once.
        assert_eq!(evolution.take(&lot.given), Some(vec![at]));
        assert_eq!(evolution.take(&lot.given[..lot.given.len() - 1]), None);
    }
    assert_eq!(evolution.finish(), Some(true));
}

/// By generation, how far units move and who forgets everything.
type Way = fn(u32) -> (usize, Vec<usize>);

#[test]
fn workers_that_forget_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("alone");
    let wanted = alone(&place);
    assert!(wanted.0.lines().count() > 6, "{}", wanted.0);
    // Nobody moves, everybody moves, somebody forgets.
    let ways: [(&str, Way); 3] = [
        ("steady", |_| (0, vec![])),
        ("moving", |generation| (generation as usize, vec![])),
        ("losing", |generation| (generation as usize / 2, vec![generation as usize % 3])),
    ];
    for (name, way) in ways {
        let place = folder.path().join(name);
        let cpu = engine("cpu").unwrap();
        let mut evolution = Evolution::new(config(), &*cpu, &data(), start(), Some(2)).unwrap();
        let mut archive = Archive::open(place.to_str().unwrap()).unwrap();
        let id = evolution.open(&mut archive, false).unwrap();
        let mut workers: Vec<Worker> = (0..3).map(|_| worker()).collect();
        assert_eq!(workers[0].configuration(), evolution.configuration());
        let until = Until { generations: Some(LAST), ..Until::default() };
        while !evolution.is_done(until) {
            let (turn, loses) = way(evolution.next());
            generation(&mut evolution, &mut workers, turn, &loses);
            evolution.commit(&mut archive, &id).unwrap();
        }
        let totals = evolution.progress().totals.clone();
        assert!(wanted == (export(&place), state(&place, &id), totals), "{name}");
    }
}

#[test]
fn what_is_stopped_or_of_another_run_gives_nothing() {
    let cpu = engine("cpu").unwrap();
    let mut evolution = Evolution::new(config(), &*cpu, &data(), start(), Some(1)).unwrap();
    let mut worker = worker();
    worker.listen(&evolution.outline()).unwrap();
    let unit = evolution.unit(0).unwrap();
    let stop = Stop::new();
    stop.fire();
    let Lot { given, missing, .. } = worker.step(vec![(0, Some(unit.clone()))], &stop).unwrap();
    assert!(given.is_empty() && missing.is_empty());
    assert_eq!(worker.step(vec![(0, None)], &NEVER).unwrap().missing, [0]);
    assert!(worker.step(vec![(0, Some(vec![1, 2, 3]))], &NEVER).is_none());
    assert!(worker.step(vec![(99, Some(unit))], &NEVER).is_none());
    assert!(worker.listen(b"").is_none());
    assert_eq!(evolution.unit(99), None);
    assert_eq!(evolution.take(b"\x09\x00\x00"), Some(vec![]));
    assert_eq!(evolution.take(b"none"), None);
}
