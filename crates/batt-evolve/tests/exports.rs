//! Exports, imports and checks.

mod common;

use batt_evolve::archive::{Archive, ArchiveError};
use batt_evolve::judge::Judges;
use batt_run::tasks;
use common::{FOUND, Place, everywhere, generation, run, tests_of};

fn export(archive: &mut Archive) -> String {
    let mut bytes = Vec::new();
    archive.export(&mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// An archive with two runs that share programs.
fn fill(archive: &mut Archive, order: [u64; 2]) {
    let tests = tests_of(&FOUND);
    for seed in order {
        let id = archive.begin(&run(seed)).unwrap();
        let mut first = generation(&id, 1, &FOUND[..30]);
        first.tests = &tests;
        archive.commit(&first).unwrap();
        archive.commit(&generation(&id, 2, &FOUND[15 * seed as usize..])).unwrap();
    }
}

fn judges() -> Judges {
    Judges::new(tasks::embedded().tasks())
}

#[test]
fn the_same_content_is_the_same_export_wherever_it_is_kept() {
    let mut exports = Vec::new();
    for order in [[1, 2], [2, 1]] {
        everywhere(|place| fill(&mut place.open(), order));
        let place = Place::sqlite();
        let mut archive = place.open();
        fill(&mut archive, order);
        exports.push(export(&mut archive));
        if let Some(server) = Place::postgres() {
            let mut archive = server.open();
            fill(&mut archive, order);
            exports.push(export(&mut archive));
        }
    }
    assert!(exports[0].lines().count() > 40);
    assert!(exports.windows(2).all(|two| two[0] == two[1]));
    // Nothing of the place or the time is in it.
    assert!(!exports[0].contains("here") && !exports[0].contains("\"cpu\""));
}

#[test]
fn what_is_imported_is_what_was_exported() {
    let source = Place::sqlite();
    let mut archive = source.open();
    fill(&mut archive, [1, 2]);
    let text = export(&mut archive);
    everywhere(|place| {
        let mut copy = place.open();
        let judges = judges();
        let stored = copy.import("x.jsonl", &mut text.as_bytes(), Some(&judges)).unwrap();
        assert!(stored.programs > 20 && stored.results > 40, "{stored:?}");
        assert_eq!(export(&mut copy), text);
        // Once more adds nothing.
        let stored = copy.import("x.jsonl", &mut text.as_bytes(), None).unwrap();
        assert_eq!((stored.programs, stored.results), (0, 0));
        assert_eq!(export(&mut copy), text);
        let checked = copy.check(Some(&judges)).unwrap();
        assert_eq!((checked.problems, checked.skipped), (Vec::<String>::new(), 0));
        assert_eq!(checked.results, checked.rerun);
    });
}

#[test]
fn bad_exports_are_refused_whole_and_say_where() {
    let source = Place::sqlite();
    let mut archive = source.open();
    fill(&mut archive, [1, 2]);
    let text = export(&mut archive);
    let lines: Vec<&str> = text.lines().collect();
    let programs = lines.iter().position(|l| l.contains("{\"program\"")).unwrap();
    let with = |at: usize, line: &str| {
        let mut lines = lines.clone();
        lines[at] = line;
        lines.join("\n") + "\n"
    };
    let score = lines[programs].find("\"score\":").unwrap();
    let raised = format!("{}9{}", &lines[programs][..score + 8], &lines[programs][score + 8..]);
    let samples = |samples: &str| {
        let line = lines[programs];
        let begin = line.find("\"samples\":").unwrap() + 10;
        let end = begin + line[begin..].find("]]").unwrap() + 2;
        format!("{}{samples}{}", &line[..begin], &line[end..])
    };
    let cases = [
        (String::new(), 1, "ends before its last line"),
        ("{}\n".to_string(), 1, "no line of an export"),
        ("text\n".to_string(), 1, "no line of an export"),
        (lines[1].to_string() + "\n", 1, "no export of an archive"),
        (with(0, "{\"batt_archive\":7}"), 1, "version is 7"),
        (lines[..programs].join("\n") + "\n", programs + 1, "ends before its last line"),
        (with(programs, lines[programs + 1]), programs + 2, "not in its place"),
        (with(programs, &lines[programs].replace("solve", "other")), programs + 1, "its hash"),
        (with(programs, &raised), programs + 1, "points, not"),
        (with(programs, &samples("[[1,4294967295,0]]")), programs + 1, "out of range"),
        (with(programs, &samples("[[2,1000,1000]]")), programs + 1, "out of range"),
        (
            with(programs, &lines[programs].replacen("\"tests\":\"", "\"tests\":\"x", 1)),
            programs + 1,
            "on the tests",
        ),
        (
            with(programs, &lines[programs].replace("\"parents\":[\"", "\"parents\":[\"a b")),
            programs + 1,
            "no parent",
        ),
        (with(1, &lines[1].replace("population", "pupils")), 2, "another key"),
        (with(1, lines[2]), programs + 1, "no run"),
    ];
    for (bad, at, words) in cases {
        let place = Place::sqlite();
        let mut archive = place.open();
        let error = archive.import("x.jsonl", &mut bad.as_bytes(), None).unwrap_err();
        let said = error.to_string();
        assert!(said.starts_with("x.jsonl:") && said.contains(words), "{said}");
        let ArchiveError::Import { line, .. } = error else { panic!("{said}") };
        // Where the run's line is missing, any program may be the first to miss it.
        assert!(line == at || words == "no run", "{said}, not {at}");
        assert_eq!(archive.stats().unwrap().programs, 0);
    }
    // A result that the interpreter does not give is refused where the tasks are known.
    let cost = lines[programs].find("\"cost\":").unwrap();
    let dearer = format!("{}9{}", &lines[programs][..cost + 7], &lines[programs][cost + 7..]);
    let place = Place::sqlite();
    let bad = with(programs, &dearer);
    let error = place.open().import("x.jsonl", &mut bad.as_bytes(), Some(&judges())).unwrap_err();
    assert!(error.to_string().contains("run anew it makes"), "{error}");
}

#[test]
fn a_check_finds_what_was_changed_behind_its_back() {
    let changes = [
        ("UPDATE programs SET text = replace(text, 'solve', 'other')", "what its hash says"),
        ("UPDATE programs SET kinds = 'x'", "other kinds"),
        ("UPDATE results SET score = score + 1", "points, not"),
        ("UPDATE results SET cost = cost + 1", "run anew"),
        ("UPDATE results SET behaviour = 'x'", "run anew"),
        ("UPDATE tests SET results = '01'", "the tests give"),
        ("UPDATE tasks SET demos = 'x'", "demos of the task"),
        ("UPDATE results SET samples = 'x'", "are no scores"),
        ("UPDATE finds SET parents = 'x'", "is no parent"),
        ("DELETE FROM finds", "found by no run"),
        ("UPDATE finds SET generation = 9", "after its run's last generation"),
        ("UPDATE runs SET seed = '77'", "another key"),
        ("PRAGMA foreign_keys = OFF; DELETE FROM tasks", "names one that is not"),
        ("DELETE FROM tests; DELETE FROM results", "worth nothing"),
    ];
    for (change, words) in changes {
        let place = Place::sqlite();
        let mut archive = place.open();
        fill(&mut archive, [1, 2]);
        assert_eq!(archive.check(Some(&judges())).unwrap().count, 0);
        rusqlite::Connection::open(&place.url).unwrap().execute_batch(change).unwrap();
        let checked = archive.check(Some(&judges())).unwrap();
        assert!(checked.count > 0, "{change}");
        assert!(checked.problems.iter().any(|p| p.contains(words)), "{:?}", checked.problems);
    }
    let place = Place::sqlite();
    fill(&mut place.open(), [1, 2]);
    let zero = "UPDATE results SET score = 0";
    assert!(rusqlite::Connection::open(&place.url).unwrap().execute_batch(zero).is_err());
}

#[test]
fn a_newer_archive_is_left_alone() {
    let place = Place::sqlite();
    drop(place.open());
    let newer = "INSERT INTO batt_schema (version) VALUES (99)";
    rusqlite::Connection::open(&place.url).unwrap().execute_batch(newer).unwrap();
    assert!(matches!(Archive::open(&place.url), Err(ArchiveError::Newer(99, _))));
}
