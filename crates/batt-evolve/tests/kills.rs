//! A writer that is killed at any moment: while it opens, between its commits, in them and while it
//! closes. What it said was committed is there.
//!
//! `N=…` says how many deaths there are. The writer is this test program itself, started again.
#![cfg(unix)]

mod common;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use batt_evolve::archive::{Archive, ArchiveError};
use common::{FOUND, generation, run};

const PLACE: &str = "BATT_TEST_KILLED_PLACE";

/// A few results, another part each time.
fn found(number: u32) -> &'static [batt_evolve::archive::Found] {
    &FOUND[number as usize * 3 % (FOUND.len() - 6)..][..6]
}

/// Writes until it is killed, and closes and opens the archive after every third commit. A commit is
/// said to be done in one write to a file, which outlives the process.
#[test]
#[ignore = "started by the other test"]
fn writer() {
    let Ok(place) = std::env::var(PLACE) else { return };
    let said = std::fs::OpenOptions::new().append(true).create(true).open(format!("{place}.said"));
    let mut said = said.unwrap();
    loop {
        let mut archive = Archive::open(&place).unwrap();
        let id = archive.begin(&run(1)).unwrap();
        let from = archive.resume(&id).unwrap().map_or(0, |at| at.generation);
        for number in from + 1..=from + 3 {
            let state = number.to_le_bytes();
            let mut next = generation(&id, number, found(number));
            next.state = &state;
            next.keep = Some(4);
            archive.commit(&next).unwrap();
            said.write_all(&number.to_le_bytes()).unwrap();
        }
    }
}

fn look(place: &str, told: &str) -> u32 {
    let said = std::fs::read(format!("{place}.said")).unwrap_or_default();
    let said = said
        .rchunks_exact(4)
        .next()
        .map_or(0, |last| u32::from_le_bytes([last[0], last[1], last[2], last[3]]));
    let mut archive = match Archive::open_to_read(place) {
        Ok(archive) => archive,
        Err(ArchiveError::Missing(_)) if said == 0 => return 0,
        Err(error) => panic!("{told}: {error}"),
    };
    assert_eq!(archive.lost(), None, "{told}");
    assert_eq!(archive.check(None).unwrap().problems, Vec::<String>::new(), "{told}");
    let at = archive.resume(&run(1).id()).unwrap();
    let generation = at.as_ref().map_or(0, |at| at.generation);
    assert!((said..=said + 1).contains(&generation), "{told}: {generation}, {said} said");
    assert!(at.is_none_or(|at| at.state == generation.to_le_bytes()), "{told}");
    generation
}

#[test]
fn killed_at_any_moment_a_writer_loses_nothing_that_it_said() {
    let kills = std::env::var("N").map_or(30, |n| n.parse::<u32>().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let (mut made, mut last) = (0, 0);
    for n in 1..=kills {
        // A new archive now and then: its making is a moment as well.
        let place = folder.path().join(format!("{}.db", n / 10)).display().to_string();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "writer", "--ignored"])
            .env(PLACE, &place)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // Scattered by the golden ratio, from the start of the process or from its first write on.
        let share = (f64::from(n) * 0.618_033_988_75).fract();
        if n % 4 != 0 {
            let begun = last.max(1);
            for _ in 0..4000 {
                let said = std::fs::metadata(format!("{place}.said")).map_or(0, |said| said.len());
                if said / 4 > u64::from(begun) || (n % 2 == 0 && Path::new(&place).exists()) {
                    break;
                }
                std::thread::sleep(Duration::from_micros(500));
            }
        }
        std::thread::sleep(Duration::from_secs_f64(0.06 * share));
        child.kill().unwrap();
        child.wait().unwrap();
        let at = look(&place, &format!("kill {n} of {kills}"));
        made += at.saturating_sub(if n % 10 == 0 { 0 } else { last });
        last = if n % 10 == 9 { 0 } else { at };
    }
    eprintln!("{kills} kills, {made} commits between them");
    assert!(made > kills, "{made}");
}
