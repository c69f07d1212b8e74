//! `batt run`: what it reports, and how it ends.

mod common;

use std::fs;

use common::{batt, batt_in};
use serde_json::Value as Json;

const MIXED: &str = "\
def solve_tent(I):
    return I

def solve_add_frame(I):
    return fist(I)

def solve_drop_down(I):
    x1 = width(I)
    return first(x1)

def solve_nothing_of_ours(I):
    return I

def solve_checkers(S, I, C):
    return C
";

#[test]
fn the_built_in_programs_solve_the_built_in_tasks() {
    let said = batt(&["run", "--json"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let report: Json = serde_json::from_str(&said.out).unwrap();
    assert_eq!(report["schema"], 1);
    assert_eq!(report["engine"], "cpu");
    assert_eq!(report["data"]["name"], "embedded");
    assert_eq!(report["data"]["hash"].as_str().map(str::len), Some(64));
    let totals = &report["totals"];
    assert!(totals["tasks"].as_u64() >= Some(24));
    assert_eq!(totals["tasks"], totals["tasks_solved"]);
    assert_eq!(totals["samples"], totals["samples_solved"]);
    assert_eq!(totals["errors"], 0);
    assert_eq!(totals["fallback"], 0);
    let bytes = report["work"]["worker_bytes"].as_u64().unwrap();
    assert!((1..=64 << 20).contains(&bytes), "{bytes}");
}

#[test]
fn a_bad_function_does_not_hide_the_others() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("p.py"), MIXED).unwrap();
    let said = batt_in(folder.path(), &["run", "p.py", "--no-timing"]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    // The rest of the line changes whenever a task is added.
    let (table, data) = said.out.split_once("  data     embedded (").unwrap();
    assert!(data.lines().count() == 1 && data.contains(" tasks, "), "{data}");
    insta::assert_snapshot!("mixed_table", table);
    insta::assert_snapshot!("mixed_problems", said.err);

    let said = batt_in(folder.path(), &["run", "p.py", "--json"]);
    let report: Json = serde_json::from_str(&said.out).unwrap();
    let row = |n: usize| &report["programs"][n];
    assert_eq!(row(0)["error"], Json::Null);
    assert_eq!(row(1)["id"], "solve_drop_down");
    assert_eq!(row(1)["error"]["kind"], "TypeError");
    assert_eq!(row(1)["error"]["line"], 9);
    assert_eq!(row(2)["error"]["kind"], "NoTask");
    assert_eq!(report["totals"]["errors"], 5);
    assert_eq!(report["problems"][0]["line"], 5);
}

#[test]
fn stable_reports_are_the_same_for_any_number_of_threads() {
    for form in ["--json", "--jsonl", "--cross"] {
        let run = |threads: &str| batt(&["run", "--no-timing", form, "--threads", threads]);
        let (one, four) = (run("1"), run("4"));
        assert_eq!(one.out, four.out);
        assert!(!one.out.contains("reference") && !one.out.contains("fallback"), "{}", one.out);
    }
}

#[test]
fn a_bare_solve_takes_its_task_from_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let text = "def solve(S, I, C):\n    return I\n";
    fs::create_dir(folder.path().join("below")).unwrap();
    for name in ["tent.py", "below/solve_checkers.py"] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let said = batt_in(folder.path(), &["run", ".", "--json"]);
    let report: Json = serde_json::from_str(&said.out).unwrap();
    let tasks: Vec<_> = (0..2).map(|n| report["programs"][n]["task"].as_str()).collect();
    assert_eq!(tasks, [Some("checkers"), Some("tent")]);
}

#[test]
fn a_cross_run_lists_what_solves_something_and_counts_everything() {
    let said = batt(&["run", "--cross", "--json", "--task", "tent", "--task", "checkers"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let report: Json = serde_json::from_str(&said.out).unwrap();
    let (totals, rows) = (&report["totals"], report["programs"].as_array().unwrap());
    assert_eq!(totals["tasks"], 2);
    assert_eq!(totals["tasks_solved"], 2);
    // Every program ran on the eight samples of the two tasks.
    assert_eq!(totals["samples"].as_u64(), totals["programs"].as_u64().map(|n| n * 8));
    let solves = |row: &Json| row["demos"]["solved"] != 0 || row["tests"]["solved"] != 0;
    assert!(rows.len() >= 2 && rows.iter().all(solves));
}

#[test]
fn json_lines_end_with_the_totals() {
    let said = batt(&["run", "--jsonl", "--task", "tent"]);
    let lines: Vec<Json> = said.out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(lines[0]["id"], "solve_tent");
    assert_eq!(lines[0]["type"], "program");
    assert_eq!(lines[1]["totals"]["tasks_solved"], 1);
    assert!(lines.iter().all(|line| line["schema"] == 1));
}

#[test]
fn the_clock_stops_a_run_and_says_so() {
    let said = batt(&["run", "--max-seconds", "0"]);
    assert_eq!(said.code, Some(1));
    assert!(said.err.contains("the time was up"), "{}", said.err);
}

#[test]
fn safe_errors_become_defaults() {
    let folder = tempfile::tempdir().unwrap();
    let text = "def solve_tent(I):\n    x1 = first(ONE)\n    return combine(I, x1)\n";
    fs::write(folder.path().join("p.py"), text).unwrap();
    let errors = |policy: &str| {
        let said = batt_in(folder.path(), &["run", "p.py", "--json", "--on-error", policy]);
        serde_json::from_str::<Json>(&said.out).unwrap()["totals"]["errors"].clone()
    };
    assert_eq!(errors("strict"), 4);
    assert_eq!(errors("safe"), 0);
}

#[test]
fn tasks_are_chosen_in_several_ways() {
    let all = ["tent", "four_corners"];
    let lines = |args: &[&str]| {
        let said = batt(args);
        assert!(said.err.is_empty(), "{}", said.err);
        all.iter().filter(|task| said.out.contains(**task)).count()
    };
    assert_eq!(lines(&["run", "--task", "tent", "four_corners"]), 2);
    assert_eq!(lines(&["run", "--task", "tent"]), 1);
    let said = batt(&["run", "--task", "train0..train2", "--jsonl"]);
    assert_eq!(said.out.lines().filter(|line| line.contains("\"program\"")).count(), 3);
    let said = batt(&["run", "--first-tasks", "2", "--jsonl"]);
    assert_eq!(said.out.lines().filter(|line| line.contains("\"program\"")).count(), 2);
}

#[test]
fn a_bad_file_in_a_folder_of_tasks_is_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let tasks = folder.path().join("tasks");
    fs::create_dir(&tasks).unwrap();
    let good =
        r#"{"train":[{"input":[[1]],"output":[[1]]}],"test":[{"input":[[2]],"output":[[2]]}]}"#;
    fs::write(tasks.join("a.json"), good).unwrap();
    fs::write(tasks.join("b.json"), "{\"train\": [").unwrap();
    fs::write(folder.path().join("same.py"), "def solve_a(I):\n    return I\n").unwrap();
    let said = batt_in(folder.path(), &["run", "same.py", "--tasks", "tasks"]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.err.contains("left out") && said.err.contains("hint:"), "{}", said.err);
    assert!(said.out.contains("1 of 1 tasks solved"), "{}", said.out);
}

#[test]
fn programs_for_no_built_in_task_are_told_what_to_add() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("p.py"), "def solve_zzzz(I):\n    return I\n").unwrap();
    let said = batt_in(folder.path(), &["run", "p.py"]);
    assert_eq!(said.code, Some(2), "{}", said.out);
    assert!(said.err.contains("hint:") && said.err.contains("--tasks"), "{}", said.err);
}

#[test]
fn generated_code_that_keeps_errors_off_is_run_with_defaults() {
    let folder = tempfile::tempdir().unwrap();
    let text = "def batt(task_id, S, I, C, log_path):\n    s = []\n    o = []\n    try:\n        t1 = first(p_g(C))\n    \
                except TypeError:\n        t1 = ()\n    t2 = replace(I, 9, size(t1))\n    o.append((2, False, 'tent', t2))\n    \
                return o, s\n";
    fs::write(folder.path().join("batt.py"), text).unwrap();
    let said = batt_in(folder.path(), &["run", "batt.py"]);
    assert!(said.err.contains("--on-error strict") && said.err.contains("reads C"), "{}", said.err);
    assert!(said.out.contains("safe errors"), "{}", said.out);
    let said = batt_in(folder.path(), &["run", "batt.py", "--on-error", "strict"]);
    assert!(said.out.contains("strict errors") && !said.err.contains("--on-error"), "{}", said.err);
    let said = batt_in(folder.path(), &["card", "--from", "batt.py"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
}
