//! The public programs on the public tasks, where both are on this machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use batt::run::tasks;

/// `$ARC_DSL`, or a checkout beside the project.
fn checkout() -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../arc-dsl");
    std::env::var_os("ARC_DSL").map_or(beside, PathBuf::from)
}

#[test]
fn all_400_programs_solve_all_1718_examples() {
    let solvers = checkout().join("solvers.py");
    if !solvers.is_file() {
        println!("skipped: no checkout of arc-dsl beside the project");
        return;
    }
    if let Err(error) = tasks::load("arc1:train") {
        println!("skipped: {error}");
        return;
    }
    let said = Command::new(env!("CARGO_BIN_EXE_batt"))
        .args(["run", "--json", "--tasks", "arc1:train"])
        .arg(&solvers)
        .output()
        .unwrap();
    let report: serde_json::Value = serde_json::from_slice(&said.stdout).unwrap();
    assert_eq!(said.status.code(), Some(0), "{}", report["totals"]);
    assert_eq!(report["totals"]["tasks_solved"], 400);
    assert_eq!(report["totals"]["samples_solved"], 1718);
}

#[test]
fn fetched_data_sets_are_what_they_should_be() {
    let Ok(set) = tasks::load("arc1:train") else {
        println!("skipped: no ARC data here; `batt data get` fetches it");
        return;
    };
    assert_eq!((set.tasks().len(), set.examples()), (400, 1718));
}
