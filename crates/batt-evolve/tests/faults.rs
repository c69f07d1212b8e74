//! Faults at every call that the archive makes to the disk: it fails, a write is torn, the process dies
//! in it, or the machine loses power and what was not flushed.
//!
//! `N=…` says how many faults there are, `SEED=…` begins with another one, and what fails says with
//! which `SEED` (and `N=1`) it fails again.
#![cfg(unix)]

mod common;
#[path = "faults/vfs.rs"]
mod vfs;

use std::path::Path;
use std::sync::Mutex;

use batt_evolve::archive::{Archive, ArchiveError, Found, RunId};
use common::{FOUND, generation, run};
use vfs::Fault;

/// The file system is one for all tests here.
static TURN: Mutex<()> = Mutex::new(());

const GENERATIONS: u32 = 4;
/// Few, so that pruning has something to do.
const KEEP: u32 = 2;

fn found(number: u32) -> &'static [Found] {
    let each = FOUND.len() / GENERATIONS as usize;
    &FOUND[(number as usize - 1) * each..][..each]
}

/// Opens, goes on from where the run stands, commits each generation and closes; says of each commit
/// that it is done.
fn write(path: &str, mut done: impl FnMut(u32)) -> Result<(), ArchiveError> {
    let mut archive = Archive::open(path)?;
    let id = archive.begin(&run(1))?;
    let from = archive.resume(&id)?.map_or(0, |at| at.generation);
    for number in from + 1..=GENERATIONS {
        let state = [number as u8; 5000];
        let mut next = generation(&id, number, found(number));
        next.state = &state;
        next.keep = Some(KEEP);
        archive.commit(&next)?;
        done(number);
    }
    Ok(())
}

fn export(path: &str) -> String {
    let mut bytes = Vec::new();
    Archive::open_to_read(path).unwrap().export(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Every export, by how many generations are there.
fn calm() -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db").display().to_string();
    let mut exports = vec![String::new()];
    let mut archive = Archive::open(&path).unwrap();
    let id: RunId = archive.begin(&run(1)).unwrap();
    for number in 1..=GENERATIONS {
        let mut next = generation(&id, number, found(number));
        next.keep = Some(KEEP);
        archive.commit(&next).unwrap();
        exports.push(export(&path));
    }
    exports
}

/// What is there is whole, and holds at least what was committed.
fn look(path: &str, committed: u32, calm: &[String], told: &str) {
    let mut archive = match Archive::open_to_read(path) {
        Ok(archive) => archive,
        Err(ArchiveError::Missing(_)) if committed == 0 => return,
        Err(error) => panic!("{told}: {error}"),
    };
    assert_eq!(archive.lost(), None, "{told}");
    assert_eq!(archive.check(None).unwrap().problems, Vec::<String>::new(), "{told}");
    let at = archive.resume(&run(1).id()).unwrap();
    let generation = at.as_ref().map_or(0, |at| at.generation);
    // The commit that failed may be there all the same.
    assert!((committed..=committed + 1).contains(&generation), "{told}: {generation}, {committed}");
    if let Some(at) = at {
        assert_eq!(at.state, [generation as u8; 5000], "{told}");
        drop(archive);
        assert_eq!(export(path), calm[generation as usize], "{told}");
    }
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Does something with a new folder under faults, case by case.
fn cases(default: u64, prepare: impl Fn(&Path)) {
    let _turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let calm = calm();
    let calls = {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        prepare(&path);
        vfs::plan(0, None);
        write(&path.display().to_string(), |_| ()).unwrap();
        let calls = vfs::came().0;
        vfs::mend();
        calls
    };
    let kinds = [Fault::PowerCut, Fault::Once, Fault::Death, Fault::Lasting];
    let cases = number("N").unwrap_or(default);
    let mut hit = 0;
    for seed in number("SEED").unwrap_or(0).. {
        let fault = kinds[(seed % 4) as usize];
        // Scattered by the golden ratio: the calls are all met, in no order.
        let share = ((seed / 4) as f64 * 0.618_033_988_75).fract();
        let at = 1 + (share * calls as f64) as u64;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        prepare(&path);
        let name = path.display().to_string();
        vfs::plan(seed, Some((at, fault)));
        let mut committed = 0;
        let ended = write(&name, |number| committed = number);
        let (_, what) = vfs::came();
        vfs::mend();
        hit += u64::from(what.is_some());
        let what = what.unwrap_or_default();
        let told = format!("SEED={seed} N=1: {fault:?} at call {at} of {calls}, {what}, {ended:?}");
        look(&name, committed, &calm, &told);
        if let Err(error) = write(&name, |_| ()) {
            panic!("{told}: it does not go on: {error}");
        }
        look(&name, GENERATIONS, &calm, &told);
        if seed + 1 >= number("SEED").unwrap_or(0) + cases {
            break;
        }
    }
    eprintln!("{hit} faults at {calls} calls");
    assert!(hit * 10 >= cases * 9, "{hit} of {cases}");
}

#[test]
fn no_fault_while_it_is_made_and_written_loses_a_commit() {
    cases(80, |_| ());
}

#[test]
fn no_fault_while_it_is_brought_up_to_date_loses_a_commit() {
    let folder = tempfile::tempdir().unwrap();
    let old = folder.path().join("old.db");
    {
        let _turn = TURN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        drop(Archive::open(&old.display().to_string()).unwrap());
        let connection = rusqlite::Connection::open(&old).unwrap();
        connection.execute_batch(common::DOWNGRADE).unwrap();
        connection.pragma_update(None, "journal_mode", "WAL").unwrap();
    }
    cases(40, |path| {
        std::fs::copy(&old, path).unwrap();
    });
}
