//! `batt solve` as a process: what it may look at, what it promises, and what an interruption leaves.

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{Said, batt_in};
use serde_json::{Value as Json, json};

/// Tasks of our own that rules answer, and two that they may not.
const TASKS: [&str; 8] = [
    "plus_lines",
    "tent",
    "rays_up",
    "flood_outside",
    "left_not_right",
    "kaleidoscope",
    "sort_bars",
    "find_tile",
];

/// A folder with these tasks.
fn tasks() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("tasks")).unwrap();
    for id in TASKS {
        let from = format!("{}/../../tasks/{id}.json", env!("CARGO_MANIFEST_DIR"));
        fs::copy(from, folder.path().join(format!("tasks/{id}.json"))).unwrap();
    }
    folder
}

fn solve(folder: &Path, args: &[&str]) -> Said {
    batt_in(folder, &[&["solve", "--tasks", "tasks"], args].concat())
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn what_tests_should_give_is_never_looked_at() {
    let folder = tasks();
    let args = ["-o", "a.json", "--programs", "a.py"];
    let said = solve(folder.path(), &args);
    assert_eq!(said.code, Some(i32::from(!said.out.starts_with("8 of 8"))), "{}", said.err);
    let (submission, programs) = (read(folder.path(), "a.json"), read(folder.path(), "a.py"));
    assert!(programs.contains("def solve_"), "nothing was found: {}", said.out);
    for id in TASKS {
        let path = folder.path().join(format!("tasks/{id}.json"));
        let mut task: Json = serde_json::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
        for test in task["test"].as_array_mut().unwrap() {
            test["output"] = json!([[7, 1, 7], [3, 3, 9]]);
        }
        fs::write(&path, task.to_string()).unwrap();
    }
    solve(folder.path(), &args);
    assert_eq!(submission, read(folder.path(), "a.json"));
    assert_eq!(programs, read(folder.path(), "a.py"));
}

#[test]
fn threads_and_devices_change_nothing() {
    let folder = tasks();
    let mut outputs = Vec::new();
    for (name, more) in [
        ("one", ["--threads", "1", "--device", "cpu"]),
        ("two", ["--threads", "2", "--device", "cpu"]),
        ("reference", ["--threads", "2", "--device", "reference"]),
    ] {
        let (submission, programs) = (format!("{name}.json"), format!("{name}.py"));
        let said = solve(
            folder.path(),
            &[&["-o", &submission, "--programs", &programs][..], &more].concat(),
        );
        assert!(matches!(said.code, Some(0 | 1)), "{}", said.err);
        outputs.push((read(folder.path(), &submission), read(folder.path(), &programs)));
    }
    assert_eq!(outputs[0], outputs[1]);
    assert_eq!(outputs[0], outputs[2]);
}

/// Every attempt is what its program gives when the reference interpreter runs its text.
#[test]
fn attempts_are_what_their_programs_give() {
    let folder = tasks();
    solve(folder.path(), &["-o", "a.json", "--programs", "a.py"]);
    let args = ["run", "a.py", "--tasks", "tasks", "--engine", "reference", "--records", "r.jsonl"];
    let said = batt_in(folder.path(), &args);
    assert!(matches!(said.code, Some(0 | 1)), "{}", said.err);
    let submission: Json = serde_json::from_str(&read(folder.path(), "a.json")).unwrap();
    let mut compared = 0;
    for line in read(folder.path(), "r.jsonl").lines() {
        let record: Json = serde_json::from_str(line).unwrap();
        if record["split"] == "demo" {
            assert_eq!(record["match"], true, "{record}");
        } else if record["split"] == "test" {
            let second = record["program"].as_str().unwrap().ends_with("__2");
            let attempt = if second { "attempt_2" } else { "attempt_1" };
            let (task, at) = (record["task"].as_str().unwrap(), record["index"].as_u64().unwrap());
            let given = &submission[task][at as usize][attempt];
            let other = &submission[task][at as usize]["attempt_1"];
            // Two programs may give the same of one of several tests.
            assert!(*given == record["grid"] || *other == record["grid"], "{record}");
            compared += 1;
        }
    }
    assert!(compared >= 5, "{compared}");
}

#[test]
fn a_killed_run_goes_on_and_ends_where_it_would_have() {
    let folder = tasks();
    let export =
        |archive: &str| batt_in(folder.path(), &["archive", "export", "--archive", archive]);
    let plain = solve(folder.path(), &["--archive", "plain.db", "--programs", "plain.py"]);
    assert!(matches!(plain.code, Some(0 | 1)), "{}", plain.err);

    let mut child = Command::new(env!("CARGO_BIN_EXE_batt"))
        .args(["solve", "--tasks", "tasks", "--archive", "killed.db", "--threads", "1"])
        .args(["--checkpoint-seconds", "0"])
        .current_dir(folder.path())
        .env("BATT_CACHE", folder.path().join("no-cache"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let started = Instant::now();
    let tasks_done = || {
        let said =
            batt_in(folder.path(), &["archive", "stats", "--json", "--archive", "killed.db"]);
        let stats: Json = serde_json::from_str(&said.out).unwrap_or_default();
        stats["run_list"][0]["generation"].as_u64().unwrap_or(0)
    };
    while child.try_wait().unwrap().is_none() && tasks_done() < 2 {
        assert!(started.elapsed() < Duration::from_secs(120), "nothing is committed");
        std::thread::sleep(Duration::from_millis(20));
    }
    let _ = child.kill();
    child.wait().unwrap();

    let again = solve(folder.path(), &["--archive", "killed.db"]);
    assert_eq!(again.code, Some(2), "a run that is there is not begun anew");
    assert!(again.err.contains("--resume"), "{}", again.err);
    let resumed =
        solve(folder.path(), &["--archive", "killed.db", "--resume", "--programs", "resumed.py"]);
    assert_eq!(resumed.code, plain.code, "{}", resumed.err);
    assert_eq!(read(folder.path(), "plain.py"), read(folder.path(), "resumed.py"));
    assert_eq!(export("plain.db").out, export("killed.db").out);
    let check = batt_in(
        folder.path(),
        &["archive", "check", "--rerun", "--tasks", "tasks", "--archive", "killed.db"],
    );
    assert_eq!(check.code, Some(0), "{}{}", check.out, check.err);
}

/// Right on all demos but one: not an attempt, but something to breed from.
#[test]
fn near_misses_are_kept_and_bred_from() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("tasks")).unwrap();
    let demos = json!([{"input": [[1, 0]], "output": [[2, 0]]}, {"input": [[0, 1]], "output": [[0, 2]]},
        {"input": [[1, 0]], "output": [[3, 0]]}]);
    let task = json!({"train": demos, "test": [{"input": [[1, 1]]}]});
    fs::write(folder.path().join("tasks/near.json"), task.to_string()).unwrap();
    let said = solve(folder.path(), &["--archive", "a.db"]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    let listed = batt_in(folder.path(), &["archive", "ls", "--archive", "a.db"]);
    assert!(listed.out.contains("2/3"), "{}{}", listed.out, listed.err);
    let args = ["evolve", "--tasks", "tasks", "--scratch", "--random", "0", "--generations", "0"];
    let more = ["--from", "a.db", "--archive", "b.db"];
    let said = batt_in(folder.path(), &[&args[..], &more].concat());
    assert_eq!(said.code, Some(1), "{}", said.err);
    let bred = batt_in(folder.path(), &["archive", "ls", "--archive", "b.db"]);
    assert!(bred.out.contains("2/3"), "{}{}", bred.out, bred.err);
    let same =
        batt_in(folder.path(), &[&args[..], &["--from", "b.db", "--archive", "b.db"]].concat());
    assert_eq!(same.code, Some(2), "{}", same.err);
}

#[test]
fn bad_requests_are_errors_with_hints() {
    let folder = tasks();
    for (args, says) in [
        (&["--resume"][..], "--archive"),
        (&["--archive", "none.db", "--resume"], "hint:"),
        (&["--explain", "nobody"], "nobody"),
        (&["--parts", "luck"], "cells, objects, enumeration"),
        (&["--memory", "50%"], "bytes such as 2GiB"),
        (&["--budget", "0"], "--budget"),
    ] {
        let said = solve(folder.path(), args);
        assert_eq!(said.code, Some(2), "{args:?}: {}", said.out);
        assert!(said.err.contains(says), "{args:?}: {}", said.err);
    }
    assert!(!folder.path().join("none.db").exists(), "--resume makes no archive");
}

/// Tasks that nothing can be learnt from: no demos, demos that contradict each other, grids as large as
/// there are.
#[test]
fn odd_tasks_get_an_answer_or_a_line() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("tasks")).unwrap();
    let huge = vec![vec![4; 30]; 30];
    let one = json!([[1]]);
    for (id, train, test) in [
        ("no_demos", json!([]), one.clone()),
        (
            "contradictory",
            json!([{"input": one, "output": [[2]]}, {"input": one, "output": [[3]]}]),
            one.clone(),
        ),
        ("huge", json!([{"input": huge, "output": huge}]), json!(huge)),
        ("one_demo", json!([{"input": [[1, 2]], "output": [[2, 1]]}]), json!([[3, 4]])),
    ] {
        let task = json!({"train": train, "test": [{"input": test}]});
        fs::write(folder.path().join(format!("tasks/{id}.json")), task.to_string()).unwrap();
    }
    let said = solve(folder.path(), &["-o", "a.json", "--explain"]);
    assert!(matches!(said.code, Some(0..=2)), "{:?} {}", said.code, said.err);
    assert!(!said.err.contains("panicked"), "{}", said.err);
    if said.code != Some(2) {
        let submission: Json = serde_json::from_str(&read(folder.path(), "a.json")).unwrap();
        assert_eq!(submission["huge"][0]["attempt_1"], json!(huge));
    }
}
