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
    let args = ["-o", "a.json", "--programs", "a.py", "--json"];
    let said = solve(folder.path(), &args);
    let report: Json = serde_json::from_str(&said.out).unwrap();
    let all = report["tasks_with_attempts"] == 8;
    assert_eq!(said.code, Some(i32::from(!all)), "{}", said.err);
    let (attempts, right) = told(&report);
    assert_eq!(report["tasks_right"], right);
    assert!(right > 0, "{report}");
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
    let said = solve(folder.path(), &args);
    assert_eq!(submission, read(folder.path(), "a.json"));
    assert_eq!(programs, read(folder.path(), "a.py"));
    let report = serde_json::from_str(&said.out).unwrap();
    assert_eq!(told(&report), (attempts, 0), "what is noise is not right");
}

/// The attempts of a report by task, and how many tasks it calls right.
fn told(report: &Json) -> (Vec<Json>, usize) {
    let answers = report["answers"].as_array().unwrap();
    let attempts = answers.iter().map(|task| task["attempts"].clone()).collect();
    (attempts, answers.iter().filter(|task| task["right"] == true).count())
}

#[test]
fn threads_and_devices_change_nothing() {
    let folder = tasks();
    let mut outputs = Vec::new();
    for (name, more) in [
        ("one", ["--threads", "1", "--device", "cpu"]),
        ("two", ["--threads", "2", "--device", "cpu"]),
        ("reference", ["--threads", "2", "--device", "reference"]),
        ("emulator", ["--threads", "2", "--device", "emulator"]),
    ] {
        let (submission, programs) = (format!("{name}.json"), format!("{name}.py"));
        let said = solve(
            folder.path(),
            &[&["-o", &submission, "--programs", &programs][..], &more].concat(),
        );
        assert!(matches!(said.code, Some(0 | 1)), "{}", said.err);
        outputs.push((read(folder.path(), &submission), read(folder.path(), &programs)));
    }
    for other in &outputs[1..] {
        assert_eq!(outputs[0], *other);
    }
}

/// Every attempt of every part is what its program gives when the reference interpreter runs its text.
#[test]
fn attempts_are_what_their_programs_give() {
    let folder = tasks();
    for parts in ["cells", "objects", "enumeration", "cells,objects,enumeration"] {
        let args = ["--parts", parts, "-o", "a.json", "--programs", "a.py", "--json"];
        let answers: Json = serde_json::from_str(&solve(folder.path(), &args).out).unwrap();
        let attempts = answers["answers"].as_array().unwrap().iter();
        let by: Vec<&Json> = attempts.flat_map(|one| one["attempts"].as_array().unwrap()).collect();
        for part in parts.split(',') {
            assert!(by.iter().any(|one| one["part"] == part), "{parts}: nothing by {part}");
        }
        let compared = compare(folder.path());
        assert!(compared >= by.len(), "{parts}: {compared} of {} attempts", by.len());
    }
}

/// Runs the programs of a.py, and compares what they give with a.json; how many tests were compared.
fn compare(folder: &Path) -> usize {
    let args = ["run", "a.py", "--tasks", "tasks", "--engine", "reference", "--records", "r.jsonl"];
    let said = batt_in(folder, &args);
    let quiet = said.err.lines().all(|line| line.is_empty() || line.starts_with("hint: "));
    assert!(matches!(said.code, Some(0 | 1)) && quiet, "{}", said.err);
    let submission: Json = serde_json::from_str(&read(folder, "a.json")).unwrap();
    let mut compared = 0;
    for line in read(folder, "r.jsonl").lines() {
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
    compared
}

/// A run on the emulated device that Ctrl-C ends is finished on the CPU, and is what it would have been.
#[cfg(unix)]
#[test]
fn an_interrupted_run_on_a_device_goes_on_elsewhere() {
    let folder = tasks();
    let plain = solve(folder.path(), &["--archive", "plain.db", "--programs", "plain.py"]);
    assert!(matches!(plain.code, Some(0 | 1)), "{}", plain.err);
    let mut child = Command::new(env!("CARGO_BIN_EXE_batt"))
        .args(["solve", "--tasks", "tasks", "--archive", "cut.db", "--threads", "1"])
        .args(["--checkpoint-seconds", "0", "--device", "emulator"])
        .current_dir(folder.path())
        .env("BATT_CACHE", folder.path().join("no-cache"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let started = Instant::now();
    while child.try_wait().unwrap().is_none() && tasks_done(folder.path(), "cut.db") < 1 {
        assert!(started.elapsed() < Duration::from_secs(300), "nothing is committed");
        std::thread::sleep(Duration::from_millis(20));
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success(), "the run ended before the interrupt");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(tasks_done(folder.path(), "cut.db") < TASKS.len() as u64, "nothing is left to do");
    let args = ["--archive", "cut.db", "--resume", "--device", "cpu", "--programs", "resumed.py"];
    let resumed = solve(folder.path(), &args);
    assert_eq!(resumed.code, plain.code, "{}", resumed.err);
    assert_eq!(read(folder.path(), "plain.py"), read(folder.path(), "resumed.py"));
    let exported =
        |archive: &str| batt_in(folder.path(), &["archive", "export", "--archive", archive]).out;
    assert_eq!(exported("plain.db"), exported("cut.db"));
}

/// How many tasks an archive's run has.
fn tasks_done(folder: &Path, archive: &str) -> u64 {
    let said = batt_in(folder, &["archive", "stats", "--json", "--archive", archive]);
    let stats: Json = serde_json::from_str(&said.out).unwrap_or_default();
    stats["run_list"][0]["generation"].as_u64().unwrap_or(0)
}

/// A library grows by what is short and right; costs are learnt from it, and searched with.
#[test]
fn a_library_grows_and_costs_are_learnt_from_it() {
    let folder = tasks();
    let said = solve(folder.path(), &["--library", "found.py"]);
    assert!(said.out.contains("found.py: "), "{}{}", said.out, said.err);
    let library = read(folder.path(), "found.py");
    let programs = library.matches("\ndef solve_").count();
    assert!(programs > 1, "{library}");
    let ran = batt_in(folder.path(), &["run", "found.py", "--tasks", "tasks"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    // Nothing new is found, and what was there stays as it was, also for tasks that are not solved now.
    let said = solve(folder.path(), &["--library", "found.py", "--task", "tent"]);
    assert!(said.out.contains("0 programs new or shorter"), "{}", said.out);
    assert_eq!(read(folder.path(), "found.py"), library);

    let learn =
        |args: &[&str]| batt_in(folder.path(), &[&["solve", "--learn-costs"], args].concat());
    let said = learn(&["costs.txt", "--learn-from", "found.py"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.contains(&format!("in {programs} programs")), "{}", said.out);
    let table = read(folder.path(), "costs.txt");
    assert_eq!(learn(&["-", "--learn-from", "found.py"]).out, table);
    assert_eq!(learn(&[]).code, Some(0));
    assert_ne!(read(folder.path(), "costs.txt"), table, "the built-in programs are others");
    fs::write(folder.path().join("costs.txt"), &table).unwrap();

    // A table is part of what a run is: another one does not go on with it.
    let dear: String = table
        .lines()
        .map(|line| match line.split_once(' ') {
            Some((cost, rest)) if cost.parse::<u16>().is_ok() => format!("9 {rest}\n"),
            _ => format!("{line}\n"),
        })
        .collect();
    fs::write(folder.path().join("dear.txt"), dear).unwrap();
    let with = |costs: &str, more: &[&str]| {
        let args =
            ["--task", "tent", "--parts", "enumeration", "--archive", "a.db", "--costs", costs];
        solve(folder.path(), &[&args[..], more].concat())
    };
    assert!(matches!(with("costs.txt", &[]).code, Some(0 | 1)));
    assert!(matches!(with("costs.txt", &["--resume"]).code, Some(0 | 1)));
    let other = with("dear.txt", &["--resume"]);
    assert_eq!(other.code, Some(2), "{}", other.out);
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
    while child.try_wait().unwrap().is_none() && tasks_done(folder.path(), "killed.db") < 2 {
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
        (&["--costs", "none.txt"], "--learn-costs FILE"),
        (&["--costs", "tasks/tent.json"], "line 1"),
        (&["--library", "tasks/tent.json"], "is in the folder tasks"),
        (&["--learn-costs"], "--tasks"),
        (&["--learn-from", "a.py"], "cannot be used with"),
    ] {
        let said = solve(folder.path(), args);
        assert_eq!(said.code, Some(2), "{args:?}: {}", said.out);
        assert!(said.err.contains(says), "{args:?}: {}", said.err);
    }
    assert!(!folder.path().join("none.db").exists(), "--resume makes no archive");
    let args = ["solve", "--learn-costs", "c.txt", "--learn-from", "none.py"];
    let said = batt_in(folder.path(), &args);
    assert!(said.code == Some(2) && said.err.contains("none.py"), "{}", said.err);
    let said = batt_in(folder.path(), &["solve", "--learn-from", "none.py"]);
    assert!(said.code == Some(2) && said.err.contains("--learn-costs"), "{}", said.err);
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
