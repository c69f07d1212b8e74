//! `batt verify`, `batt profile`, `batt bench`: what they report, and how they end.

mod common;

use common::{batt, batt_in};
use serde_json::Value as Json;

fn json(args: &[&str]) -> Json {
    let said = batt(args);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let report: Json = serde_json::from_str(&said.out).unwrap();
    assert_eq!(report["schema"], 1);
    report
}

#[test]
fn the_built_in_programs_agree_merged_and_alone() {
    for policy in ["strict", "safe"] {
        let args = ["verify", "--merged-against-alone", "--on-error", policy, "--json"];
        let report = json(&[&args[..], &["--task", "tent,checkers"]].concat());
        // Two programs on eight samples: an output and five scores each, and five for each input.
        assert_eq!(report["compared"], 88);
        assert_eq!(report["mismatches"], 0);
        assert_eq!(report["first"], Json::Null);
    }
}

#[test]
fn random_programs_agree_fused_and_unfused() {
    let run = |seed| {
        let args = ["verify", "--fused-against-unfused", "--random", "12", "--json", "--no-scores"];
        json(&[&args[..], &["--seed", seed]].concat())
    };
    assert!(run("1")["compared"].as_u64() > Some(300));
    assert_eq!(run("1"), run("1"));
    assert_ne!(run("1")["compared"], run("2")["compared"]);
}

#[test]
fn the_engines_agree() {
    let report = json(&["verify", "--engines", "reference,cpu", "--json", "--task", "tent"]);
    assert_eq!((&report["compared"], &report["mismatches"]), (&44.into(), &0.into()));
    let args = ["verify", "--engines", "cpu,reference", "--random", "20", "--seed", "3", "--json"];
    let report = json(&args);
    assert!(report["compared"].as_u64() > Some(500), "{report}");
    assert_eq!(report["mismatches"], 0, "{report}");
}

/// Outputs of everything that is bred, and how they are marked.
#[test]
fn the_engines_agree_on_bred_programs() {
    let run = |more: &[&str]| {
        let args = ["verify", "--evolved", "4000", "--no-scores", "--json"];
        json(&[&args[..], more].concat())
    };
    let report = run(&["--engines", "reference,cpu", "--seed", "1"]);
    let compared = report["compared"].as_u64().unwrap();
    assert!(compared >= 4000 && report["marks"].as_u64() > Some(compared), "{report}");
    assert_eq!(report["mismatches"], 0, "{report}");
    assert!(report["bred"]["programs"].as_u64() > Some(300), "{report}");
    // The same programs are bred for any engines and threads.
    let again = run(&["--fused-against-unfused", "--seed", "1", "--threads", "1"]);
    assert_eq!(again["bred"], report["bred"]);
    let args = ["verify", "--evolved", "200", "--engines", "cpu,reference", "--json"];
    assert!(json(&args)["compared"].as_u64() > json(&args)["marks"].as_u64());
    let random = ["verify", "--evolved", "10", "--random", "10", "--engines", "cpu,reference"];
    assert_eq!(batt(&random).code, Some(2));
}

#[test]
fn what_cannot_be_compared_is_an_error_with_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.py"), "def solve_elsewhere(I):\n    return I\n").unwrap();
    let stray = ["verify", "p.py", "--merged-against-alone"];
    for (args, hint) in [
        (&stray[..], "--cross"),
        (&["verify", "--engines", "reference,cuda"], "hint:"),
        (&["verify", "--engines", "reference"], "--engines reference,cpu"),
        (&["verify"], "--merged-against-alone"),
    ] {
        let said = batt_in(folder.path(), args);
        assert_eq!(said.code, Some(2), "{args:?}: {}", said.out);
        assert!(said.err.contains(hint), "{}", said.err);
    }
    let said = batt_in(folder.path(), &[&stray[..], &["--cross", "--task", "tent"]].concat());
    assert_eq!(said.code, Some(0), "{}", said.err);
}

#[test]
fn a_profile_counts_rows_and_draws() {
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("p.svg");
    let svg = picture.to_str().unwrap();
    let args = ["profile", "--task", "tent", "--top", "3", "--json", "--svg", svg];
    let report = json(&args);
    assert_eq!(report["samples"], 4);
    assert_eq!(report["primitives"].as_array().map(Vec::len), Some(3));
    assert!(report["slots"][0]["rows"].as_u64() > Some(0));
    assert!(report["nanos"].as_u64() > Some(0));
    let drawn = std::fs::read_to_string(picture).unwrap();
    assert!(drawn.starts_with("<svg") && drawn.contains(">sample<"), "{drawn}");
}

/// A folder that stands in for the public DSL: two functions and three programs of our own.
fn python_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write(
        "dsl.py",
        "def vmirror(g):\n    return tuple(row[::-1] for row in g)\n\n\n\
         def hmirror(g):\n    return g[::-1]\n",
    );
    let solver =
        |task: &str, op: &str| format!("def solve_{task}(I):\n    O = {op}(I)\n    return O\n\n\n");
    let solvers = [solver("aa", "vmirror"), solver("bb", "hmirror"), solver("cc", "vmirror")];
    write("solvers.py", &format!("from dsl import *\n\n\n{}", solvers.concat()));
    std::fs::create_dir(folder.path().join("tasks")).unwrap();
    let pair = r#"{"input": [[1, 2], [3, 4]], "output": [[2, 1], [4, 3]]}"#;
    let task = format!(r#"{{"train": [{pair}, {pair}], "test": [{pair}]}}"#);
    for name in ["tasks/aa.json", "tasks/bb.json", "tasks/dd.json"] {
        write(name, &task);
    }
    folder
}

#[test]
fn python_is_measured_over_the_same_examples() {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        println!("there is no python3: not checked");
        return;
    }
    let folder = python_folder();
    let args = ["bench", "python", "--arc-dsl", ".", "--tasks", "tasks", "--repeats", "2"];
    let said = batt_in(folder.path(), &[&args[..], &["--json"]].concat());
    assert_eq!(said.code, Some(0), "{}", said.err);
    let report: Json = serde_json::from_str(&said.out).unwrap();
    assert_eq!(report["schema"], 1);
    // Two programs name a task; one of them is wrong on all three examples, on both sides.
    assert_eq!((&report["samples"], &report["program_count"]), (&6.into(), &2.into()));
    assert_eq!((&report["python_wrong"], &report["batt_wrong"]), (&3.into(), &3.into()));
    for field in ["python_cpu_s", "batt_cpu_s", "ratio", "ratio_without_slowest"] {
        assert!(report[field].as_f64() > Some(0.0), "{field}: {report}");
    }
    assert!(["aa", "bb"].contains(&report["slowest"].as_str().unwrap()), "{report}");
    let said = batt_in(folder.path(), &args);
    assert!(said.out.contains("faster than Python"), "{}", said.out);
    assert!(!folder.path().join("__pycache__").exists());
}

#[test]
fn without_python_or_its_files_there_is_a_hint() {
    let folder = python_folder();
    let bench = |dir: &str, python: &str| {
        let args = ["bench", "python", "--arc-dsl", dir, "--tasks", "tasks", "--python", python];
        let said = batt_in(folder.path(), &args);
        assert_eq!(said.code, Some(2), "{}", said.out);
        said.err
    };
    let said = bench("tasks", "python3");
    assert!(said.contains("dsl.py") && said.contains("hint: --arc-dsl"), "{said}");
    let said = bench(".", "no-such-python");
    assert!(said.contains("no-such-python") && said.contains("hint: install Python"), "{said}");
}

#[test]
fn a_profile_names_its_engine() {
    for (engine, name) in [("cpu", "cpu"), ("reference", "reference"), ("auto", "cpu")] {
        let args = ["profile", "--task", "tent", "--engine", engine, "--json"];
        let report = json(&args);
        assert_eq!(report["engine"], name);
        assert!(report["handed_back"].is_object() && report["nanos"].as_u64() > Some(0));
    }
}

#[test]
fn benches_compare_and_say_how_to_repeat_them() {
    for what in ["feasibility", "card", "scaling"] {
        let mut args = vec!["bench", what, "--task", "tent,checkers", "--repeats", "1", "--json"];
        if what != "scaling" {
            args.extend(["--samples", "4"]);
        }
        let report = json(&args);
        let found = report["rows"].as_array().unwrap();
        assert!(found.len() >= 3, "{report}");
        assert!(found.iter().all(|row| row["speedup"].as_f64() > Some(0.0)), "{report}");
        assert!(report["command"].as_str().unwrap().starts_with(&format!("batt bench {what}")));
        assert!(report["machine"]["cores"].as_u64() > Some(0));
    }
}

#[test]
fn scaling_measures_growth_and_the_slowest_rows_and_draws() {
    let folder = tempfile::tempdir().unwrap();
    let plots = folder.path().join("plots");
    let plots = plots.to_str().unwrap();
    let parts = ["--only", "samples,expressions,rows", "--top", "3", "--plots", plots];
    let mut args = vec!["bench", "scaling", "--samples", "12", "--repeats", "1", "--json"];
    args.extend(parts);
    let report = json(&args);
    for growth in ["by_samples", "by_expressions"] {
        let points = report[growth]["points"].as_array().unwrap();
        let sizes: Vec<f64> = points.iter().map(|p| p["size"].as_f64().unwrap()).collect();
        assert!(sizes.len() >= 3 && sizes.is_sorted(), "{sizes:?}");
        assert!(report[growth]["exponent"].as_f64().is_some());
    }
    assert_eq!(report["slowest"]["samples"], 12);
    for listed in ["steps", "rows"] {
        let steps = report["slowest"][listed].as_array().unwrap();
        assert_eq!(steps.len(), 3);
        assert!(steps.iter().all(|step| step["millis"].as_f64() > Some(0.0)), "{steps:?}");
        assert!(steps[0]["program"].as_str().is_some_and(|name| !name.is_empty()));
    }
    assert_eq!(report["rows"].as_array().map(Vec::len), Some(0));
    for name in ["samples.svg", "expressions.svg"] {
        let picture = std::fs::read_to_string(folder.path().join("plots").join(name)).unwrap();
        assert!(picture.contains("<circle"), "{picture}");
    }
}
