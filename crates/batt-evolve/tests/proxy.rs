//! Archives on a PostgreSQL server whose connections are cut.
//!
//! `N` says how many seeds are tried, `SEED` the first of them; without `BATT_TEST_POSTGRES` all is skipped.

mod common;

use std::time::{Duration, Instant};

use batt_evolve::archive::{Archive, ArchiveError};
use batt_evolve::judge::Judges;
use batt_evolve::run::{Config, Evolution, Progress, Until, Watch, seeds};
use batt_run::engine::engine;
use batt_run::stop::NEVER;
use batt_run::tasks;
use common::proxy::Cut;
use common::{FOUND, Place, generation, run, tests_of};

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

fn tries() -> std::ops::Range<u64> {
    let first = number("SEED", 1);
    first..first + number("N", 4)
}

fn export(url: &str) -> String {
    let mut bytes = Vec::new();
    Archive::open_existing(url).unwrap().export(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Two runs that find the same programs in another order, each generation pruned, some stored together.
fn fill(url: &str) {
    let tests = tests_of(&FOUND[..6]);
    let mut archive = Archive::open(url).unwrap();
    for seed in [1, 2] {
        let id = archive.begin(&run(seed)).unwrap();
        let pieces: Vec<_> = FOUND.chunks(4 + seed as usize).collect();
        let states: Vec<[u8; 8]> = (1..=pieces.len() as u64).map(u64::to_le_bytes).collect();
        let all: Vec<_> = (1..)
            .zip(&pieces)
            .zip(&states)
            .map(|((number, piece), state)| {
                let mut next = generation(&id, number, piece);
                (next.keep, next.state, next.tests) = (Some(3), state, &tests);
                next
            })
            .collect();
        let (single, together) = all.split_at(all.len() / 2);
        for next in single {
            archive.commit(next).unwrap();
        }
        for next in together.chunks(3) {
            archive.commit_all(next).unwrap();
        }
        let at = archive.resume(&id).unwrap().unwrap();
        assert_eq!(at.state, u64::from(at.generation).to_le_bytes());
    }
}

fn undisturbed() -> String {
    let place = Place::sqlite();
    fill(&place.url);
    export(&place.url)
}

#[test]
fn cuts_anywhere_lose_nothing() {
    let calm = undisturbed();
    let mut cuts = 0;
    for seed in tries() {
        let Some(place) = Place::cut(Cut::Anywhere { seed }) else { return };
        fill(&place.url);
        assert_eq!(export(&place.url), calm, "seed {seed}");
        let checked = Archive::open(&place.url).unwrap().check(None).unwrap();
        assert_eq!(checked.problems, Vec::<String>::new(), "seed {seed}");
        cuts += place.cuts();
    }
    eprintln!("{cuts} cuts");
    assert!(cuts >= 5, "{cuts} cuts");
}

#[test]
fn a_cut_at_the_commit_neither_loses_nor_repeats() {
    let calm = undisturbed();
    for heard in [false, true] {
        for each in [2, 3] {
            let Some(place) = Place::cut(Cut::Commit { each, heard }) else { return };
            fill(&place.url);
            assert_eq!(export(&place.url), calm, "{heard} {each}");
            assert!(place.cuts() > 5, "{} cuts", place.cuts());
        }
    }
}

#[test]
fn exports_imports_and_checks_get_through() {
    let source = Place::sqlite();
    fill(&source.url);
    let calm = export(&source.url);
    let judges = Judges::new(tasks::embedded().tasks());
    for seed in tries() {
        let Some(place) = Place::cut(Cut::Anywhere { seed }) else { return };
        let mut copy = place.open();
        copy.import("x.jsonl", &mut calm.as_bytes(), None).unwrap();
        assert_eq!(export(&place.url), calm, "seed {seed}");
        let checked = copy.check(Some(&judges)).unwrap();
        assert_eq!(checked.problems, Vec::<String>::new(), "seed {seed}");
        assert_eq!((checked.skipped, checked.results), (0, checked.rerun));
        let stats = copy.stats().unwrap();
        assert_eq!(stats.results, checked.results);
        copy.prune(1).unwrap();
        source.open().prune(1).unwrap();
        assert_eq!(export(&place.url), export(&source.url), "seed {seed}");
        fill(&place.url);
    }
}

struct Quiet;

impl Watch for Quiet {
    fn generation(&mut self, _: &Progress) {}
}

fn breed(url: &str) {
    let engine = engine("cpu").unwrap();
    let config = Config {
        seed: 5,
        population: 8,
        children: 16,
        checkpoint: Duration::ZERO,
        ..Config::default()
    };
    let mut start = vec![seeds::input()];
    start.extend(seeds::random(5, 8));
    let data = tasks::embedded().select("tent,flip_largest").unwrap();
    let mut evolution = Evolution::new(config, &*engine, &data, start, Some(1)).unwrap();
    let mut archive = Archive::open(url).unwrap();
    let id = evolution.open(&mut archive, false).unwrap();
    let until = Until { generations: Some(10), ..Until::default() };
    evolution.run(&mut archive, &id, until, &NEVER, &mut Quiet).unwrap();
}

#[test]
fn a_run_goes_on_through_cuts() {
    let calm = Place::sqlite();
    breed(&calm.url);
    let wanted = export(&calm.url);
    assert!(wanted.lines().count() > 8, "{wanted}");
    for seed in tries() {
        let Some(place) = Place::cut(Cut::Anywhere { seed }) else { return };
        breed(&place.url);
        assert_eq!(export(&place.url), wanted, "seed {seed}");
    }
    let Some(place) = Place::cut(Cut::Commit { each: 2, heard: true }) else { return };
    breed(&place.url);
    assert_eq!(export(&place.url), wanted);
}

#[test]
fn what_waiting_does_not_mend_is_told_at_once() {
    let Some(place) = Place::postgres() else { return };
    let started = Instant::now();
    let (base, _) = place.url.rsplit_once('/').unwrap();
    let error = Archive::open(&format!("{base}/none?password=SECRET")).unwrap_err();
    assert!(matches!(error, ArchiveError::Open { .. }), "{error:?}");
    let told = error.to_string();
    assert!(told.contains("does not exist") && told.contains("/none:"), "{told}");
    let error = Archive::open(&format!("{}?sslmode=require&password=SECRET", place.url));
    let told = format!("{:?} {}", error.as_ref().unwrap_err(), error.as_ref().unwrap_err());
    assert!(told.contains("TLS") && !told.contains("SECRET"), "{told}");
    // Nobody was ever there.
    let error = Archive::open("host=127.0.0.1 port=1 user=me password=SECRET").unwrap_err();
    let told = format!("{error:?} {error}");
    assert!(told.contains("postgres://me@127.0.0.1:1") && !told.contains("SECRET"), "{told}");
    assert!(started.elapsed() < Duration::from_secs(20));
}
