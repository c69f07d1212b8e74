//! What is damaged or lost is found, told by name, and never resumed; what is not an archive of this
//! version is never touched.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use batt_evolve::archive::{Archive, ArchiveError};
use common::{DOWNGRADE, FOUND, Place, everywhere, generation, run, tests_of};
use rusqlite::Connection;
use rusqlite::types::Value;

const STATE: [u8; 64] = [0xa5; 64];

/// A small archive with something in every table.
fn fill(archive: &mut Archive) {
    let tests = tests_of(&FOUND[..6]);
    for seed in [1, 2] {
        let id = archive.begin(&run(seed)).unwrap();
        for number in 1..=2 {
            let mut next = generation(&id, number, &FOUND[..3 * number as usize]);
            next.tests = &tests;
            next.state = &STATE;
            archive.commit(&next).unwrap();
        }
    }
}

fn small(folder: &Path) -> PathBuf {
    let path = folder.join("a.db");
    fill(&mut Archive::open(path.to_str().unwrap()).unwrap());
    path
}

fn problems(path: &Path) -> Vec<String> {
    match Archive::open_to_read(path.to_str().unwrap()) {
        Ok(mut archive) => archive.check(None).unwrap().problems,
        Err(error) => vec![error.to_string()],
    }
}

fn export(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    Archive::open_to_read(path.to_str().unwrap()).ok()?.export(&mut bytes).ok()?;
    String::from_utf8(bytes).ok()
}

/// Another value of the same kind.
fn changed(value: Value) -> Value {
    match value {
        Value::Integer(n) => Value::Integer(n ^ 1),
        Value::Text(text) => {
            let mut chars: Vec<char> = text.chars().collect();
            match chars.last_mut() {
                Some(last) => *last = if *last == '1' { '0' } else { '1' },
                None => chars.push('1'),
            }
            Value::Text(chars.into_iter().collect())
        }
        Value::Blob(mut bytes) => {
            bytes[0] ^= 4;
            Value::Blob(bytes)
        }
        other => panic!("{other:?}"),
    }
}

fn unguarded(path: &Path) -> Connection {
    let connection = Connection::open(path).unwrap();
    let off = "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON";
    connection.execute_batch(off).unwrap();
    connection
}

fn strings(connection: &Connection, sql: &str) -> Vec<String> {
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

#[test]
fn a_change_of_any_column_of_any_table_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = small(folder.path());
    assert_eq!(problems(&path), Vec::<String>::new());
    let copy = folder.path().join("copy.db");
    let tables = "SELECT name FROM sqlite_master WHERE type = 'table'";
    let mut changes = 0;
    for table in strings(&Connection::open(&path).unwrap(), tables) {
        let columns = format!("SELECT name FROM pragma_table_info('{table}')");
        for column in strings(&Connection::open(&path).unwrap(), &columns) {
            for row in ["MIN(rowid)", "MAX(rowid)"] {
                fs::copy(&path, &copy).unwrap();
                let connection = unguarded(&copy);
                let at = format!("rowid = (SELECT {row} FROM {table})");
                let one = |what: &str| {
                    let sql = format!("SELECT {what} FROM {table} WHERE {at}");
                    connection.query_row(&sql, [], |row| row.get::<_, Value>(0)).unwrap()
                };
                let key = match one(&strings(&connection, &columns)[0]) {
                    Value::Text(text) => text,
                    _ => table.replace("batt_schema", "version"),
                };
                let new = changed(one(&column));
                let sql = format!("UPDATE {table} SET {column} = ?1 WHERE {at}");
                connection.execute(&sql, [&new]).unwrap();
                let key = if column == strings(&connection, &columns)[0] {
                    // What it is called now.
                    match new {
                        Value::Text(text) => text,
                        _ => key,
                    }
                } else {
                    key
                };
                drop(connection);
                let told = problems(&copy);
                let named = told.iter().any(|problem| problem.contains(&key));
                assert!(named, "{table}.{column}, {row}: {key} is not in {told:?}");
                changes += 1;
            }
        }
    }
    assert!(changes > 80, "{changes}");
}

#[test]
fn a_row_that_is_lost_is_missed() {
    let folder = tempfile::tempdir().unwrap();
    let path = small(folder.path());
    let copy = folder.path().join("copy.db");
    let tables = "SELECT name FROM sqlite_master WHERE type = 'table'";
    for table in strings(&Connection::open(&path).unwrap(), tables) {
        for which in [format!("rowid = (SELECT MAX(rowid) FROM {table})"), "TRUE".to_string()] {
            fs::copy(&path, &copy).unwrap();
            unguarded(&copy).execute(&format!("DELETE FROM {table} WHERE {which}"), []).unwrap();
            let told = problems(&copy).join("\n");
            let words = match table.as_str() {
                "batt_schema" => "version",
                "ledger" => "ledger is gone",
                table => table,
            };
            let empty = told.contains("there is no archive");
            assert!(told.contains(words) || empty, "{table} {which}: {told}");
        }
    }
    // All that is left is consistent in itself, and still too little.
    fs::copy(&path, &copy).unwrap();
    let all = "DELETE FROM tests; DELETE FROM results; DELETE FROM finds; DELETE FROM programs; \
               DELETE FROM tasks; DELETE FROM checkpoints; DELETE FROM runs";
    unguarded(&copy).execute_batch(all).unwrap();
    let told = problems(&copy).join("\n");
    assert!(told.contains("table programs: 2 rows were stored, and 0 are there"), "{told}");
}

#[test]
fn no_byte_of_a_checkpoint_is_changed_unseen_and_none_such_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let path = small(folder.path());
    let copy = folder.path().join("copy.db");
    let name = copy.to_str().unwrap();
    let id = run(1).id();
    for at in 0..STATE.len() + 2 {
        fs::copy(&path, &copy).unwrap();
        let mut state = STATE.to_vec();
        match at {
            64 => state.truncate(63),
            65 => state.push(0),
            at => state[at] ^= 1 << (at % 8),
        }
        let sql = "UPDATE checkpoints SET state = ?1 WHERE run = ?2";
        unguarded(&copy).execute(sql, (&state, id.as_str())).unwrap();
        let told = problems(&copy);
        assert!(told.iter().any(|p| p.contains(&format!("checkpoints {id}"))), "{told:?}");
        let error = Archive::open_existing(name).unwrap().resume(&id).unwrap_err();
        assert!(error.to_string().contains(&format!("checkpoints {id}")), "{error}");
        assert!(error.hint().is_some());
    }
    for change in [
        "DELETE FROM checkpoints",
        "UPDATE checkpoints SET generation = 1",
        "UPDATE checkpoints SET seal = seal + 1",
        "UPDATE ledger SET totals = replace(totals, ':', ':0')",
    ] {
        fs::copy(&path, &copy).unwrap();
        unguarded(&copy).execute_batch(change).unwrap();
        let resumed = Archive::open_existing(name).and_then(|mut archive| archive.resume(&id));
        assert!(matches!(resumed, Err(ArchiveError::Damaged(_))), "{change}: {resumed:?}");
    }
}

/// The next number of `SplitMix64`.
fn throw(dice: &mut u64) -> u64 {
    *dice = dice.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*dice ^ (*dice >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z ^ (z >> 27)
}

#[test]
fn a_byte_of_the_file_that_matters_is_missed() {
    let folder = tempfile::tempdir().unwrap();
    let path = small(folder.path());
    let (whole, bytes) = (export(&path), fs::read(&path).unwrap());
    let mut dice = std::env::var("SEED").map_or(1, |seed| seed.parse().unwrap());
    let tries = std::env::var("N").map_or(120, |n| n.parse::<u32>().unwrap());
    let copy = folder.path().join("copy.db");
    let mut found = 0;
    for _ in 0..tries {
        let (at, bit) = (throw(&mut dice) as usize % bytes.len(), throw(&mut dice) % 8);
        let mut changed = bytes.clone();
        changed[at] ^= 1 << bit;
        fs::write(&copy, changed).unwrap();
        let told = problems(&copy);
        found += u32::from(!told.is_empty());
        if told.is_empty() {
            assert_eq!(export(&copy), whole, "bit {bit} of byte {at}");
            let id = run(1).id();
            let at = Archive::open_to_read(copy.to_str().unwrap()).unwrap().resume(&id).unwrap();
            assert_eq!(at.unwrap().state, STATE);
        }
    }
    assert!(found > 0);
    eprintln!("{found} of {tries} changed bits matter");
}

/// Copies what is there of an archive while somebody has it open.
fn copy(path: &Path, to: &Path, endings: &[&str]) -> PathBuf {
    fs::create_dir_all(to).unwrap();
    for end in endings {
        let name = format!("a.db{end}");
        let _ = fs::copy(path.with_file_name(&name), to.join(&name));
    }
    to.join("a.db")
}

#[test]
fn a_lost_log_is_told_and_nothing_is_written_over_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut archive = Archive::open(path.to_str().unwrap()).unwrap();
    fill(&mut archive);
    let whole = export(&path);
    // All files together are all of it, also while somebody writes.
    let all = copy(&path, &folder.path().join("all"), &["", "-wal", "-promise"]);
    assert_eq!(problems(&all), Vec::<String>::new());
    assert_eq!(export(&all), whole);
    for (name, endings) in [("alone", &[""][..]), ("log", &["", "-promise"])] {
        let lost = copy(&path, &folder.path().join(name), endings);
        let before = fs::read(&lost).unwrap();
        let told = problems(&lost);
        assert!(told.iter().any(|p| p.contains("lost") && p.contains("-promise")), "{told:?}");
        for open in [Archive::open, Archive::open_existing] {
            let error = open(lost.to_str().unwrap()).unwrap_err();
            assert!(matches!(error, ArchiveError::Lost(_)), "{error}");
            assert!(error.hint().unwrap().contains("export"));
        }
        assert_eq!(problems(&lost), told);
        assert_eq!(fs::read(&lost).unwrap(), before);
        // What is left can be had.
        assert!(export(&lost).is_some());
    }
    // A log that ends early or is damaged: whatever is missing is told.
    let log = fs::read(path.with_file_name("a.db-wal")).unwrap();
    for n in 1..=12 {
        let damaged = copy(&path, &folder.path().join(format!("log{n}")), &["", "-promise"]);
        let at = log.len() * n / 13;
        let mut bytes = log.clone();
        if n % 2 == 0 {
            bytes.truncate(at);
        } else {
            bytes[at] ^= 16;
        }
        fs::write(damaged.with_file_name("a.db-wal"), bytes).unwrap();
        let told = problems(&damaged);
        assert!(!told.is_empty() || export(&damaged) == whole, "{at} of {}", log.len());
        assert!(n > 6 || told.iter().any(|p| p.contains("are lost")), "{at}: {told:?}");
    }
    drop(archive);
    // At rest the file is all of it, and an older one in the place of a later one is told.
    assert_eq!(
        fs::read_dir(folder.path())
            .unwrap()
            .filter(|e| e.as_ref().unwrap().path().is_file())
            .count(),
        1
    );
    let old = fs::read(&path).unwrap();
    let mut archive = Archive::open(path.to_str().unwrap()).unwrap();
    archive.begin(&run(3)).unwrap();
    let newer = copy(&path, &folder.path().join("newer"), &["", "-wal", "-promise"]);
    fs::write(&newer, old).unwrap();
    fs::remove_file(newer.with_file_name("a.db-wal")).unwrap();
    let told = problems(&newer);
    assert!(told.iter().any(|p| p.contains("commits 7 to 7 are lost")), "{told:?}");
}

/// Everything in a folder: names, bytes and times.
fn seen(folder: &Path) -> Vec<(PathBuf, Vec<u8>, SystemTime)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut seen: Vec<_> = entries
        .map(|path| {
            let time = fs::metadata(&path).unwrap().modified().unwrap();
            (path.clone(), fs::read(&path).unwrap(), time)
        })
        .collect();
    seen.sort();
    seen
}

#[test]
fn what_is_foreign_or_newer_is_not_touched() {
    type Make = fn(&Path);
    let makes: [(&str, Make); 6] = [
        ("something else", |path| {
            Connection::open(path).unwrap().execute_batch("CREATE TABLE mine (x)").unwrap();
        }),
        ("something else", |path| {
            let connection = Connection::open(path).unwrap();
            connection.pragma_update(None, "journal_mode", "WAL").unwrap();
            connection.execute_batch("CREATE TABLE mine (x)").unwrap();
        }),
        ("version 99", |path| {
            drop(Archive::open(path.to_str().unwrap()).unwrap());
            let newer = "INSERT INTO batt_schema (version) VALUES (99)";
            Connection::open(path).unwrap().execute_batch(newer).unwrap();
        }),
        ("version 99", |path| {
            let connection = Connection::open(path).unwrap();
            connection.pragma_update(None, "journal_mode", "WAL").unwrap();
            let newer = "CREATE TABLE batt_schema (version BIGINT); \
                         INSERT INTO batt_schema VALUES (99)";
            connection.execute_batch(newer).unwrap();
        }),
        ("not a database", |path| fs::write(path, "a text of some length\n".repeat(99)).unwrap()),
        ("it is no file", |path| fs::create_dir(path.with_file_name("a")).unwrap()),
    ];
    for (words, make) in makes {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        make(&path);
        if !path.exists() {
            for open in [Archive::open, Archive::open_existing, Archive::open_to_read] {
                let error = open(path.with_file_name("a").to_str().unwrap()).unwrap_err();
                assert!(error.to_string().contains(words), "{error}");
            }
            continue;
        }
        let before = seen(folder.path());
        for open in [Archive::open, Archive::open_existing, Archive::open_to_read] {
            let error = open(path.to_str().unwrap()).unwrap_err();
            assert!(error.to_string().contains(words), "{error}");
            assert!(seen(folder.path()) == before, "{words}");
        }
    }
}

#[test]
fn reading_changes_nothing_and_makes_no_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = small(folder.path());
    let name = path.to_str().unwrap();
    let link = tempfile::tempdir().unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&path, link.path().join("b.db")).unwrap();
    let before = seen(folder.path());
    assert_eq!(before.len(), 1);
    let mut archive = Archive::open_to_read(name).unwrap();
    assert_eq!(archive.check(None).unwrap().count, 0);
    assert_eq!(archive.stats().unwrap().programs, 2);
    assert!(archive.begin(&run(9)).is_err());
    drop(archive);
    assert!(seen(folder.path()) == before);
    // Where it may not be written it is read all the same.
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    assert_eq!(Archive::open_to_read(name).unwrap().runs().unwrap().len(), 2);
    // Beside a link there is nothing either.
    #[cfg(unix)]
    {
        let name = link.path().join("b.db").display().to_string();
        assert_eq!(Archive::open_to_read(&name).unwrap().runs().unwrap().len(), 2);
        assert_eq!(fs::read_dir(link.path()).unwrap().count(), 1);
    }
}

#[test]
fn what_is_not_there_is_not_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none.db");
    let name = path.to_str().unwrap();
    for open in [Archive::open_existing, Archive::open_to_read] {
        assert!(matches!(open(name), Err(ArchiveError::Missing(_))));
        assert!(!path.exists());
        // An empty file is none either, and stays empty.
        fs::write(&path, "").unwrap();
        assert!(matches!(open(name), Err(ArchiveError::Missing(_))));
        assert_eq!(fs::metadata(&path).unwrap().len(), 0);
        fs::remove_file(&path).unwrap();
    }
    fs::write(&path, "").unwrap();
    fill(&mut Archive::open(name).unwrap());
    assert_eq!(problems(&path), Vec::<String>::new());
    // What lies beside an empty file is not taken for nothing.
    fs::write(&path, "").unwrap();
    fs::write(folder.path().join("none.db-wal"), "x").unwrap();
    assert!(matches!(Archive::open(name), Err(ArchiveError::Lost(_))));
}

/// Runs SQL on either database.
fn batch(place: &Place, sql: &str) {
    if place.url.starts_with("postgres") {
        postgres::Client::connect(&place.url, postgres::NoTls).unwrap().batch_execute(sql).unwrap();
    } else {
        let connection = Connection::open(&place.url).unwrap();
        connection.execute_batch(sql).unwrap();
        // As version 1 left its files.
        connection.pragma_update(None, "journal_mode", "WAL").unwrap();
    }
}

fn text(archive: &mut Archive) -> String {
    let mut bytes = Vec::new();
    archive.export(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn an_archive_of_version_1_is_read_as_it_is_and_brought_up_to_date_to_write() {
    everywhere(|place| {
        let mut archive = place.open();
        fill(&mut archive);
        let whole = text(&mut archive);
        drop(archive);
        batch(place, DOWNGRADE);
        let mut archive = Archive::open_to_read(&place.url).unwrap();
        assert_eq!(archive.check(None).unwrap().problems, Vec::<String>::new());
        assert_eq!(text(&mut archive), whole);
        assert_eq!(archive.resume(&run(1).id()).unwrap().unwrap().state, STATE);
        drop(archive);
        let mut archive = place.open();
        assert_eq!(archive.check(None).unwrap().problems, Vec::<String>::new());
        assert_eq!(text(&mut archive), whole);
        let id = run(1).id();
        assert_eq!(archive.resume(&id).unwrap().unwrap().state, STATE);
        archive.commit(&generation(&id, 3, &FOUND)).unwrap();
        archive.prune(1).unwrap();
        assert_eq!(archive.check(None).unwrap().problems, Vec::<String>::new());
        drop(archive);
        // From now on it is sealed.
        batch(place, "UPDATE results SET behaviour = 'x'");
        let told = Archive::open_to_read(&place.url).unwrap().check(None).unwrap().problems;
        assert!(told.iter().any(|p| p.starts_with("results ")), "{told:?}");
    });
}
