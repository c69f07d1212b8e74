//! What people read: help, pictures, explanations, and how commands end.

mod common;

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};

use common::{batt, batt_in};

#[test]
fn help() {
    insta::assert_snapshot!("help", batt(&["--help"]).out);
    for command in ["run", "show", "ops", "conform", "data", "solve"] {
        let said = batt(&[command, "--help"]);
        assert_eq!(said.code, Some(0));
        insta::assert_snapshot!(format!("help_{command}"), said.out);
    }
}

#[test]
fn pictures() {
    let said = batt(&["show", "tent", "--sample", "0"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    insta::assert_snapshot!("show_task", said.out);
    let said = batt(&["show", "tent", "--trace", "--sample", "test0"]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    insta::assert_snapshot!("show_trace", said.out);
}

#[test]
fn differences_are_marked() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tent.py"), "def solve(I):\n    return I\n").unwrap();
    let said = batt_in(folder.path(), &["show", "tent.py", "--sample", "0"]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.out.contains('!') && said.out.contains("cells differ"), "{}", said.out);
}

#[test]
fn explanations() {
    insta::assert_snapshot!("ops_objects", batt(&["ops", "objects"]).out);
    insta::assert_snapshot!("ops_size_f", batt(&["ops", "size_f"]).out);
    insta::assert_snapshot!("ops_half", batt(&["ops", "half"]).out);
}

#[test]
fn every_primitive_is_explained() {
    let list: serde_json::Value = serde_json::from_str(&batt(&["ops", "--json"]).out).unwrap();
    assert_eq!(list["schema"], 1);
    let ops = list["ops"].as_array().unwrap();
    assert_eq!(ops.len(), 200);
    assert!(ops.iter().all(|op| op["doc"].as_str().is_some_and(|doc| !doc.is_empty())));
}

#[test]
fn conformance_failures_are_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let records = concat!(
        r#"{"op":"add","args":[1,2],"out":3}"#,
        "\n",
        r#"{"id":"same","source":"def solve(I):\n    return I\n","input":[[1,2],[3,4]],"out":[[1,2],[3,5]]}"#,
        "\n",
        r#"{"op":"fist","args":[],"out":3}"#,
        "\n",
    );
    fs::write(folder.path().join("r.jsonl"), records).unwrap();
    let said = batt_in(folder.path(), &["conform", "r.jsonl"]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    insta::assert_snapshot!("conform", said.out);
    let said = batt_in(folder.path(), &["conform", "r.jsonl", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    for (key, count) in [("checked", 2), ("passed", 1), ("failed", 1), ("skipped", 1)] {
        assert_eq!(report[key], count, "{key}");
    }
    let failure = &report["failures"][0];
    assert_eq!((&failure["file"], &failure["line"]), (&"r.jsonl".into(), &2.into()));
    assert_eq!((&failure["id"], &failure["reason"]), (&"same".into(), &"another value".into()));
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_batt"))
        .args(["ops", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // More than a pipe holds is still to come when the reader goes away.
    drop(child.stdout.take());
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(said, "");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn colours_follow_the_terminal() {
    let drawn = |color_term: &str, term: &str| {
        let said = Command::new(env!("CARGO_BIN_EXE_batt"))
            .args(["show", "tent", "--sample", "0", "--color", "always"])
            .env("COLORTERM", color_term)
            .env("TERM", term)
            .output()
            .unwrap();
        String::from_utf8(said.stdout).unwrap()
    };
    assert!(drawn("truecolor", "xterm").contains("\x1b[48;2;"));
    assert!(drawn("", "xterm-256color").contains("\x1b[48;5;"));
    let sixteen = drawn("", "linux");
    assert!(sixteen.contains("\x1b[4") && !sixteen.contains("\x1b[48;"));
    assert!(!batt(&["show", "tent"]).out.contains('\x1b'));
}

#[test]
fn completions_know_the_commands() {
    for shell in ["bash", "zsh", "fish"] {
        let said = batt(&["completions", shell]);
        assert_eq!(said.code, Some(0));
        assert!(said.out.contains("conform"), "{shell}");
    }
}

#[test]
fn the_readme_shows_what_is_drawn() {
    let readme = include_str!("../../../README.md");
    let drawn = batt(&["show", "tent", "--sample", "demo0"]).out;
    assert!(readme.contains(drawn.trim_end()), "{drawn}");
}

#[test]
fn a_bare_batt_says_what_to_type() {
    let said = batt(&[]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.contains("batt run") && said.out.lines().count() < 12, "{}", said.out);
    assert_eq!(batt(&["help", "run"]).code, Some(0));
    let said = batt(&["ops", "hmiror"]);
    assert!(said.err.contains("did you mean `hmirror`?"), "{}", said.err);
    let said = batt(&["ops", "colorfilter_t"]);
    assert!(said.out.contains("a tuple of those of objs whose color is value"), "{}", said.out);
}
