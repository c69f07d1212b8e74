//! Processes that die while they write, and processes that write at once.
//!
//! The writers are this test program itself, started again with the name of the ignored test below.

mod common;

use std::collections::BTreeMap;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use batt_evolve::archive::{Archive, Found, Origin};
use batt_evolve::judge::Judge;
use batt_lang::canonical::Canonical;
use batt_run::tasks;
use common::{Place, generation, run};

const GENERATIONS: u32 = 150;
const PER_GENERATION: u32 = 20;
const PLACE: &str = "BATT_TEST_WRITER_PLACE";
const SEED: &str = "BATT_TEST_WRITER_SEED";

/// Program number n: a chain of recolourings.
fn program(n: u32) -> Canonical {
    let [a, b, c, d] = [n % 10, n / 10 % 10, n / 100 % 10, n / 1000 % 10];
    let lines = format!("    x1 = replace(I, {a}, {b})\n    O = replace(x1, {c}, {d})\n");
    Canonical::read(&format!("def solve(I):\n{lines}    return O\n")).unwrap()
}

/// What a generation of a run finds: new programs, and some that other runs find too.
fn found(judge: &Judge, seed: u64, number: u32) -> Vec<Found> {
    let first = number * PER_GENERATION * seed as u32;
    let one = |n: u32| {
        let program = program(n);
        let origin = Origin { operator: "recolour".to_string(), parents: vec![], island: n % 2 };
        let judged = judge.judge(program.program());
        let (task, demos) = (judge.task().to_string(), judge.demos().to_string());
        Found { program, task, demos, judged, origin }
    };
    (first..first + PER_GENERATION).map(one).filter(|f| f.judged.score() > 0).collect()
}

/// Writes generations from where the run stands.
fn write(url: &str, seed: u64, until: u32) {
    let data = tasks::embedded();
    let judge = Judge::new(data.get("tent").unwrap());
    let mut archive = Archive::open(url).unwrap();
    let id = archive.begin(&run(seed)).unwrap();
    let from = archive.resume(&id).unwrap().map_or(0, |at| at.generation);
    for number in from + 1..=until {
        let found = found(&judge, seed, number);
        let state = number.to_le_bytes();
        let mut next = generation(&id, number, &found);
        next.state = &state;
        archive.commit(&next).unwrap();
    }
}

#[test]
#[ignore = "started by the other tests"]
fn writer() {
    let (Ok(url), Ok(seed)) = (std::env::var(PLACE), std::env::var(SEED)) else { return };
    write(&url, seed.parse().unwrap(), GENERATIONS);
}

fn start(url: &str, seed: u64) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "writer", "--ignored"])
        .env(PLACE, url)
        .env(SEED, seed.to_string())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

fn export(url: &str) -> String {
    let mut bytes = Vec::new();
    Archive::open(url).unwrap().export(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

fn undisturbed(seeds: &[u64]) -> String {
    let place = Place::sqlite();
    for seed in seeds {
        write(&place.url, *seed, GENERATIONS);
    }
    export(&place.url)
}

/// Kills a writer again and again until it comes to the end; gives how many deaths it took.
fn disturb(url: &str) -> usize {
    let mut kills = 0;
    for attempt in 0_u64.. {
        let mut child = start(url, 1);
        // Any moment, but a moment later each time, so that it ends.
        let wait = Duration::from_millis(10 + attempt * 7919 % 40 + attempt * 3);
        let until = Instant::now() + wait;
        let ended = loop {
            match child.try_wait().unwrap() {
                Some(status) => break Some(status),
                None if Instant::now() >= until => break None,
                None => std::thread::sleep(Duration::from_millis(1)),
            }
        };
        if let Some(status) = ended {
            assert!(status.success());
            return kills;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        whole(url);
    }
    kills
}

/// Every generation up to the checkpoint is there, and nothing else is.
fn whole(url: &str) {
    let mut archive = Archive::open(url).unwrap();
    assert_eq!(archive.check(None).unwrap().problems, Vec::<String>::new());
    let id = run(1).id();
    let at = archive.resume(&id).unwrap();
    if let Some(at) = &at {
        assert_eq!(at.state, at.generation.to_le_bytes());
    }
    let mut sizes: BTreeMap<u32, usize> = BTreeMap::new();
    for record in archive.find("").unwrap() {
        *sizes.entry(record.finds[0].generation).or_default() += 1;
    }
    let data = tasks::embedded();
    let judge = Judge::new(data.get("tent").unwrap());
    let until = at.map_or(0, |at| at.generation);
    let expected: BTreeMap<u32, usize> =
        (1..=until).map(|number| (number, found(&judge, 1, number).len())).collect();
    assert_eq!(sizes, expected);
}

#[test]
fn killed_at_any_moment_a_writer_leaves_whole_generations_and_goes_on() {
    let calm = undisturbed(&[1]);
    let place = Place::sqlite();
    let kills = disturb(&place.url);
    eprintln!("killed {kills} times");
    assert!(kills >= 5, "killed only {kills} times");
    assert_eq!(export(&place.url), calm);
    if let Some(place) = Place::postgres() {
        disturb(&place.url);
        assert_eq!(export(&place.url), calm);
    }
}

#[test]
fn writers_at_once_lose_nothing() {
    let calm = undisturbed(&[1, 2, 3]);
    let mut places = vec![Place::sqlite()];
    places.extend(Place::postgres());
    for place in places {
        // Nothing is there yet: they also race to make the tables.
        let writers: Vec<Child> = (1..=3).map(|seed| start(&place.url, seed)).collect();
        for mut writer in writers {
            assert!(writer.wait().unwrap().success());
        }
        assert_eq!(export(&place.url), calm);
        assert_eq!(Archive::open(&place.url).unwrap().check(None).unwrap().count, 0);
    }
}
