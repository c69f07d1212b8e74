//! Bad input ends in a clear error and the right exit code, never in a panic.

mod common;

use std::fs;

use common::{Said, batt_in};

/// Runs `batt` on one file with this content.
fn on(name: &str, content: &[u8], args: &[&str]) -> Said {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(name), content).unwrap();
    let said = batt_in(folder.path(), args);
    assert!(!said.err.contains("panicked"), "{}", said.err);
    assert!(said.err.len() < 10_000, "an error of {} bytes", said.err.len());
    said
}

fn refused(said: &Said, words: &str) {
    assert!(said.err.contains(words), "no `{words}` in: {}", said.err);
    assert_eq!(said.code, Some(2), "{}", said.err);
    assert_eq!(said.out, "");
}

fn program(content: &[u8], words: &str) {
    let said = on("p.py", content, &["run", "p.py"]);
    refused(&said, words);
    assert!(said.err.contains("hint: "), "{}", said.err);
}

fn tasks(content: &str, words: &str) {
    refused(&on("t.json", content.as_bytes(), &["run", "--tasks", "t.json"]), words);
}

fn records(content: &str, words: &str) {
    let said = on("r.jsonl", content.as_bytes(), &["conform", "r.jsonl"]);
    refused(&said, words);
    assert!(said.err.contains("hint: "), "{}", said.err);
}

fn task_of(input: &str) -> String {
    format!(r#"{{"train":[{{"input":{input},"output":[[1]]}}],"test":[]}}"#)
}

fn square(side: usize) -> String {
    let row = vec!["0"; side].join(",");
    format!("[{}]", vec![format!("[{row}]"); side].join(","))
}

#[test]
fn empty_files() {
    program(b"", "no functions in this file");
    tasks("", "the file is empty");
    records("", "no records");
}

#[test]
fn binary_files() {
    let noise: Vec<u8> = (0..=255).cycle().take(10_000).collect();
    program(&noise, "binary");
    refused(&on("t.json", &noise, &["run", "--tasks", "t.json"]), "not a text file");
    refused(&on("r.jsonl", &noise, &["conform", "r.jsonl"]), "r.jsonl:1");
    refused(&on("r.jsonl.gz", &noise, &["conform", "r.jsonl.gz"]), "r.jsonl.gz");
}

#[test]
fn truncated_json() {
    tasks(&task_of("[[1,2],[3")[..28], "ends in the middle");
    records(r#"{"op":"add","args":[1"#, "r.jsonl:1");
}

#[test]
fn a_line_of_ten_megabytes() {
    let long = "x".repeat(10_000_000);
    program(format!("def solve_a(I):\n    return {long}\n").as_bytes(), "unknown name");
    program(long.as_bytes(), "only functions");
    tasks(&"[".repeat(10_000_000), "nested");
    records(&long, "r.jsonl:1");
}

#[test]
fn grids_that_are_none() {
    tasks(&task_of(&square(31)), "31 rows");
    tasks(&task_of("[[10]]"), "colour 10");
    tasks(&task_of("[[1,2],[3]]"), "row 1");
    tasks(&task_of("[]"), "empty");
}

#[test]
fn duplicate_ids() {
    let task = task_of("[[1]]");
    tasks(&format!(r#"{{"a":{task},"a":{task}}}"#), "same id");
}

#[test]
fn calls_nested_ten_thousand_deep() {
    let deep = format!("{}I{}", "hmirror(".repeat(10_000), ")".repeat(10_000));
    program(format!("def solve_a(I):\n    return {deep}\n").as_bytes(), "brackets inside");
    let deep = format!("{}{}", r#"{"t":["#.repeat(10_000), "]}".repeat(10_000));
    records(&format!(r#"{{"op":"size","args":[{deep}],"out":1}}"#), "r.jsonl:1");
}

#[test]
fn values_and_functions_that_nest_line_by_line() {
    for (first, next) in [("initset(I)", "initset(x)"), ("identity", "compose(x, x)")] {
        let steps = format!("    x = {next}\n").repeat(10_000);
        let text = format!("def solve_tent(I):\n    x = {first}\n{steps}    return x\n");
        let said = on("p.py", text.as_bytes(), &["run", "p.py"]);
        assert_eq!(said.code, Some(1), "{}", said.err);
        assert!(said.out.contains("Size at line"), "{}", said.out);
    }
}

#[test]
fn what_does_not_exist() {
    let folder = tempfile::tempdir().unwrap();
    for args in [
        &["run", "no.py"][..],
        &["run", "."],
        &["run", "--tasks", "no-such-set"],
        &["run", "--tasks", "arc1"],
        &["run", "--task", "no-such-task"],
        &["show", "no-such-task"],
        &["show", "tent", "--sample", "demo99"],
        &["ops", "no such word"],
        &["conform", "no.jsonl"],
        &["run", "--device", "no-such-device"],
        &["conform", "--engine", "cpu", "no.jsonl"],
    ] {
        let said = batt_in(folder.path(), args);
        assert_eq!(said.code, Some(2), "{args:?}: {}", said.err);
        assert!(said.err.starts_with("error: "), "{args:?}: {}", said.err);
        assert!(said.err.contains("\nhint: "), "{args:?}: {}", said.err);
    }
}

#[test]
fn a_gpu_that_is_not_there_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let on_cpu = batt_in(folder.path(), &["run", "--device", "cpu", "--no-timing"]);
    let on_gpu = batt_in(folder.path(), &["run", "--device", "cuda", "--no-timing"]);
    assert_eq!(on_gpu.code, on_cpu.code, "{}", on_gpu.err);
    assert!(on_gpu.err.is_empty() || on_gpu.err.starts_with("warning: "), "{}", on_gpu.err);
}
