//! What is said about files that hold no good tasks. `INSTA_UPDATE=always cargo test` rewrites the snapshot.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use batt_run::tasks::{DataError, load_path};

const GOOD: &str = r#"{"train":[{"input":[[1]],"output":[[2]]}],"test":[{"input":[[3]]}]}"#;

/// A task whose second demo has this output.
fn output(grid: &str) -> String {
    format!(
        r#"{{"train":[{{"input":[[1]],"output":[[2]]}},{{"input":[[1]],"output":{grid}}}],"test":[]}}"#
    )
}

fn tell(root: &Path, result: Result<impl Sized, DataError>) -> String {
    let Err(error) = result else { return "no error".to_owned() };
    let hint = error.hint().map_or(String::new(), |h| format!("\n  hint: {h}"));
    format!("{error}{hint}").replace(&format!("{}/", root.display()), "").replace('\n', "\n  ")
}

#[test]
fn every_bad_file_is_told_precisely() {
    let rows = |n: usize, row: &str| format!("[{}]", vec![row; n].join(","));
    let wide = rows(1, &format!("[{}]", vec!["0"; 31].join(",")));
    let bad: Vec<(&str, Vec<u8>)> = vec![
        ("empty", b"".into()),
        ("spaces", b" \n\t".into()),
        ("binary", vec![0x1f, 0x8b, 8, 0, 0, 255]),
        ("nul", b"{\"train\": \0}".into()),
        ("truncated", GOOD.as_bytes()[..40].into()),
        ("not_json", b"{'train': []}".into()),
        ("two_documents", format!("{GOOD}\n{GOOD}").into()),
        ("nested", "[".repeat(200_000).into()),
        ("nested_task", output(&"[".repeat(100_000)).into()),
        ("long_line", format!("\"{}\"", "x".repeat(10 << 20)).into()),
        ("long_number", "1".repeat(10 << 20).into()),
        ("list", b"[[1, 2]]".into()),
        ("nothing", b"{}".into()),
        ("other", br#"{"name": "batt"}"#.into()),
        ("solutions", br#"{"aaaaaaaa": [[[1]]]}"#.into()),
        ("no_test", br#"{"train": []}"#.into()),
        ("no_train", br#"{"test": []}"#.into()),
        ("no_demos", br#"{"train": [], "test": []}"#.into()),
        ("train_text", br#"{"train": "x", "test": []}"#.into()),
        ("demo_list", br#"{"train": [[1]], "test": []}"#.into()),
        ("no_input", br#"{"train": [{"output": [[1]]}], "test": []}"#.into()),
        ("no_output", br#"{"train": [{"input": [[1]]}], "test": []}"#.into()),
        ("null_output", output("null").into()),
        ("twice_train", br#"{"train": [], "train": [], "test": []}"#.into()),
        ("twice_input", br#"{"train": [{"input": 1, "input": 2}], "test": []}"#.into()),
        ("no_rows", output("[]").into()),
        ("no_cells", output("[[]]").into()),
        ("flat", output("[1, 2]").into()),
        ("ragged", output("[[1,2],[1,2],[1]]").into()),
        ("tall", output(&rows(31, "[0]")).into()),
        ("wide", output(&wide).into()),
        ("colour_10", output("[[1,2],[3,10]]").into()),
        ("colour_minus_1", output("[[-1]]").into()),
        ("float", output("[[1.0]]").into()),
        ("huge", output("[[99999999999999999999]]").into()),
        ("bool", output("[[0, true]]").into()),
        ("text", output(r#"[["1"]]"#).into()),
        ("twice_id", format!(r#"{{"a": {GOOD}, "a": {GOOD}}}"#).into()),
        ("bad_id", format!(r#"{{"a\u001b[2J": {GOOD}}}"#).into()),
        ("split_clash", {
            let other = GOOD.replace("[[1]]", "[[9]]");
            format!(r#"{{"train": {{"a": {GOOD}}}, "eval": {{"a": {other}}}}}"#).into()
        }),
    ];
    let root = tempfile::tempdir().unwrap();
    let mut told = String::new();
    for (name, bytes) in bad {
        let path = root.path().join(format!("{name}.json"));
        fs::write(&path, bytes).unwrap();
        writeln!(told, "{}\n", tell(root.path(), load_path(&path))).unwrap();
    }
    let gone = root.path().join("gone.json");
    writeln!(told, "{}", tell(root.path(), load_path(&gone))).unwrap();
    insta::assert_snapshot!(told);
}

#[test]
fn every_bad_folder_is_told_precisely() {
    let set = format!(r#"{{"train": {{"a": {GOOD}}}}}"#);
    let challenges = format!(r#"{{"a": {GOOD}, "b": {GOOD}}}"#);
    let many: Vec<(String, String)> =
        (0..13).map(|n| (format!("t{n:02}.json"), output("[[10]]"))).collect();
    let many: Vec<(&str, &str)> = many.iter().map(|(n, t)| (n.as_str(), t.as_str())).collect();
    let red = output("[[10]]");
    let kaggle = |solutions| {
        vec![("x_challenges.json", challenges.as_str()), ("x_solutions.json", solutions)]
    };
    let folders: Vec<(&str, Vec<(&str, &str)>)> = vec![
        ("empty", vec![]),
        ("no_json", vec![("a.txt", GOOD)]),
        ("hidden", vec![(".a.json", GOOD)]),
        ("several", vec![("arc1.json", &set), ("arc2.json", &set)]),
        ("one_bad", vec![("a.json", GOOD), ("b.json", &red)]),
        ("many_bad", many),
        ("kaggle_count", kaggle(r#"{"a": [[[1]], [[2]]]}"#)),
        ("kaggle_stray", kaggle(r#"{"c": [[[1]]]}"#)),
        ("kaggle_colour", kaggle(r#"{"a": [[[1]]], "b": [[[11]]]}"#)),
        ("kaggle_list", kaggle("[]")),
    ];
    let root = tempfile::tempdir().unwrap();
    let mut told = String::new();
    for (name, files) in folders {
        let folder = root.path().join(name);
        fs::create_dir(&folder).unwrap();
        for (file, text) in files {
            fs::write(folder.join(file), text).unwrap();
        }
        let result = load_path(&folder);
        if let Ok(data) = &result {
            let prefix = format!("{}/", root.path().display());
            let left_out = data.left_out.join("\n").replace(&prefix, "").replace('\n', "\n  ");
            writeln!(told, "left out: {left_out}\n").unwrap();
        } else {
            writeln!(told, "{}\n", tell(root.path(), result)).unwrap();
        }
    }
    insta::assert_snapshot!(told);
}
