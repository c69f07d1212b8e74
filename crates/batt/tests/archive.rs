//! `batt archive`, `batt submit` and `batt score`, from a small archive to a score.

mod common;

use std::fs;
use std::path::Path;

use batt::evolve::archive::{Archive, Found, Generation, LANGUAGE, Origin, Run, TestFound};
use batt::evolve::judge::Judge;
use batt::lang::canonical::Canonical;
use batt::run::run::library::Library;
use batt::run::{programs, tasks};
use common::{batt, batt_in};
use serde_json::Value;

/// An archive of some embedded programs, each on its own task and on `tent`.
fn archive(folder: &Path) {
    let data = tasks::embedded();
    let mut library = Library::default();
    for (file, text) in programs::embedded() {
        library.add(file, text.as_bytes(), false);
    }
    let mut archive = Archive::open(folder.join("batt.db").to_str().unwrap()).unwrap();
    let run = Run {
        seed: 7,
        configuration: "{}".to_string(),
        language: LANGUAGE.to_string(),
        data: data.hash.to_string(),
        device: "cpu".to_string(),
        host: "h".to_string(),
        started: 5,
    };
    let id = archive.begin(&run).unwrap();
    let (mut found, mut tests) = (Vec::new(), Vec::new());
    for entry in &library.entries[..4] {
        let program = Canonical::of(&entry.program);
        for task in [entry.task.as_deref().unwrap(), "tent"] {
            let judge = Judge::new(data.get(task).unwrap());
            let judged = judge.judge(program.program());
            let tested = judge.test(program.program());
            let (task, demos) = (task.to_string(), judge.demos().to_string());
            tests.push(TestFound { program: program.hash(), task: task.clone(), tested });
            let origin = Origin { operator: "seed".to_string(), parents: vec![], island: 0 };
            found.push(Found { program: program.clone(), task, demos, judged, origin });
        }
    }
    let generation =
        Generation { run: &id, number: 1, found: &found, tests: &tests, state: b"", keep: None };
    archive.commit(&generation).unwrap();
}

fn stage() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    archive(folder.path());
    folder
}

#[test]
fn what_is_there_is_listed_and_shown() {
    let folder = stage();
    let said = |args: &[&str]| {
        let said = batt_in(folder.path(), args);
        assert_eq!(said.code, Some(0), "{}", said.err);
        said.out
    };
    let list = said(&["archive", "ls"]);
    insta::assert_snapshot!("archive_ls", list);
    insta::assert_snapshot!("archive_ls_task", said(&["archive", "ls", "--task", "tent"]));
    let best = list.lines().nth(1).unwrap().split_whitespace().last().unwrap();
    insta::assert_snapshot!("archive_show", said(&["archive", "show", best]));
    let stats: Value = serde_json::from_str(&said(&["archive", "stats", "--json"])).unwrap();
    assert_eq!((&stats["programs"], &stats["solved"]), (&4.into(), &4.into()));
    assert_eq!(stats["run_list"][0]["seed"], 7);
    assert!(said(&["archive", "stats"]).contains("with all demos solved"));
    for line in said(&["archive", "ls", "--json"]).lines() {
        assert!(serde_json::from_str::<Value>(line).unwrap()["program"].is_string());
    }
}

#[test]
fn exports_come_back_and_are_checked() {
    let folder = stage();
    let run = |args: &[&str]| batt_in(folder.path(), args);
    let text = run(&["archive", "export"]).out;
    assert_eq!(run(&["archive", "export", "-o", "a.jsonl"]).code, Some(0));
    assert_eq!(fs::read_to_string(folder.path().join("a.jsonl")).unwrap(), text);
    let said = run(&["archive", "import", "a.jsonl", "--archive", "b.db"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.starts_with("a.jsonl: 4 new programs"), "{}", said.out);
    assert_eq!(run(&["archive", "export", "--archive", "sqlite:b.db"]).out, text);
    let said = run(&["archive", "check", "--rerun", "--archive", "b.db"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.contains("nothing is wrong"), "{}", said.out);
    let said = run(&["archive", "prune", "--keep", "1"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.ends_with("5 left\n"), "{}", said.out);
    // What was changed is found.
    fs::write(folder.path().join("bad.jsonl"), text.replace("\"exact\":3", "\"exact\":2")).unwrap();
    let said = run(&["archive", "import", "bad.jsonl", "--archive", "b.db"]);
    assert_eq!(said.code, Some(2));
    assert!(
        said.err.starts_with("error: bad.jsonl:") && said.err.contains("hint: "),
        "{}",
        said.err
    );
}

#[test]
fn a_rerun_without_its_tasks_is_not_good() {
    let folder = stage();
    let run = |args: &[&str]| batt_in(folder.path(), args);
    // The tasks are the built-in ones, and nobody need say so.
    let said = run(&["archive", "check", "--rerun"]);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    assert!(!said.out.contains(", 0 made anew") && said.err.is_empty(), "{}{}", said.out, said.err);
    // Of the same name, but with other demos, is another task.
    let text = run(&["archive", "export"]).out;
    let demos = "\"demos\":\"";
    let changed: String = text
        .lines()
        .map(|line| match line.find(demos) {
            Some(at) if line.starts_with("{\"task\"") => {
                let hash = at + demos.len();
                format!("{}{}{}\n", &line[..hash], "0".repeat(64), &line[hash + 64..])
            }
            _ if line.starts_with("{\"end\"") => String::new(),
            _ => format!("{line}\n"),
        })
        .collect();
    let (lines, hash) = (changed.lines().count(), blake3::hash(changed.as_bytes()).to_hex());
    let end = format!("{{\"end\":{{\"lines\":{lines},\"blake3\":\"{hash}\"}}}}\n");
    fs::write(folder.path().join("other.jsonl"), changed + &end).unwrap();
    let said = run(&["archive", "import", "other.jsonl", "--archive", "o.db", "--trust"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert_eq!(run(&["archive", "check", "--archive", "o.db"]).code, Some(0));
    let said = run(&["archive", "check", "--rerun", "--archive", "o.db"]);
    assert_eq!(said.code, Some(1), "{}", said.out);
    assert!(
        said.out.contains(", 0 made anew: nothing else is wrong, but nothing was"),
        "{}",
        said.out
    );
    assert!(said.err.contains("no data set here has their tasks\nhint:"), "{}", said.err);
}

#[test]
fn what_is_damaged_is_told_by_name() {
    let folder = stage();
    let path = folder.path().join("batt.db");
    let sql = "UPDATE finds SET parents = (SELECT MAX(hash) FROM programs) WHERE program = \
               (SELECT MIN(hash) FROM programs)";
    rusqlite::Connection::open(&path).unwrap().execute(sql, []).unwrap();
    let said = batt_in(folder.path(), &["archive", "check"]);
    assert_eq!(said.code, Some(1), "{}", said.out);
    assert!(
        said.out.starts_with("finds ") && said.out.contains("not what was stored"),
        "{}",
        said.out
    );
}

#[test]
fn a_submission_is_written_and_scored() {
    let folder = stage();
    let run = |args: &[&str]| batt_in(folder.path(), args);
    let said = run(&["submit"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    insta::assert_snapshot!("submit", said.out);
    let text = fs::read_to_string(folder.path().join("submission.json")).unwrap();
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json.as_object().unwrap().len(), tasks::embedded().tasks().len());
    assert!(json["tent"][0]["attempt_1"].is_array() && json["tent"][0]["attempt_2"].is_array());
    let said = run(&["score", "submission.json"]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    insta::assert_snapshot!("score", said.out);
    // The embedded programs solve everything, on every engine and any number of threads.
    for (file, text) in programs::embedded() {
        fs::write(folder.path().join(Path::new(file).file_name().unwrap()), text).unwrap();
    }
    let submit = |more: &[&str]| {
        let mut args = vec!["submit", "--programs", "over_demos.py", "solvers.py", "-o", "-"];
        args.extend(more);
        run(&args).out
    };
    let whole = submit(&["--threads", "1", "--engine", "reference"]);
    assert_eq!(submit(&["--threads", "2"]), whole);
    fs::write(folder.path().join("whole.json"), whole).unwrap();
    let scored: Value = serde_json::from_str(&run(&["score", "whole.json", "--json"]).out).unwrap();
    let all = tasks::embedded().tasks().len();
    assert_eq!(scored["tasks"]["top1"]["right"], all);
    assert_eq!(scored["outputs"]["top2"]["right"], scored["outputs"]["top2"]["total"]);
}

#[test]
fn solutions_and_the_older_form_are_read() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.json"), "{\"a\": [[[1,2]]], \"b\": [[[3]], [[4]]]}").unwrap();
    let csv = "output_id,output\na_0,|0| |12|\nb_0,|3| \nb_1,|5| |6| |4|\n";
    fs::write(folder.path().join("old.csv"), csv).unwrap();
    let said = batt_in(folder.path(), &["score", "old.csv", "--solutions", "s.json", "--all"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    insta::assert_snapshot!("score_old", said.out);
}

#[test]
fn bad_input_is_told() {
    let folder = stage();
    fs::write(folder.path().join("bad.json"), "{\"a\": [\n{\"attempt_1\": [[11]]}]}").unwrap();
    fs::write(folder.path().join("text.db"), "no database ".repeat(200)).unwrap();
    fs::write(folder.path().join("other.json"), "{\"a\": [{\"attempt_1\": [[1]]}]}").unwrap();
    let cases: [(&[&str], &str); 9] = [
        (
            &["archive", "ls", "--archive", "none.db"],
            "error: there is no archive at none.db\nhint:",
        ),
        (&["archive", "stats", "--archive", "text.db"], "error: cannot open the archive text.db"),
        (&["archive", "show", "zz"], "error: the archive has no program zz\nhint:"),
        (&["archive", "show", ""], "error: 4 programs begin with \nhint:"),
        (&["archive", "import", "none.jsonl"], "error: none.jsonl: No such file"),
        (&["archive", "check", "--tasks", "embedded"], "error: tasks are only needed with --rerun"),
        (&["submit", "--archive", "none.db"], "error: there is no archive at none.db"),
        (&["score", "bad.json"], "error: bad.json:2: this is no grid"),
        (&["score", "none.json"], "error: none.json: No such file"),
    ];
    for (args, words) in cases {
        let said = batt_in(folder.path(), args);
        assert_eq!(said.code, Some(2), "{args:?}: {}", said.out);
        assert!(said.err.starts_with(words), "{args:?}: {}", said.err);
    }
    assert!(!folder.path().join("none.db").exists());
    let said = batt_in(folder.path(), &["score", "other.json"]);
    assert!(said.err.contains("have no attempt") && said.err.contains("no known solution"));
}

#[test]
fn help() {
    for words in [&["archive"][..], &["archive", "check"], &["submit"], &["score"]] {
        let said = batt(&[words, &["--help"]].concat());
        assert_eq!(said.code, Some(0));
        insta::assert_snapshot!(format!("help_{}", words.join("_")), said.out);
    }
}
