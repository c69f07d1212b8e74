//! `batt run`: scores, records, and that nothing about how a run is cut up shows in its results.

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{batt, batt_in};
use serde_json::Value as Json;

/// Two programs that are wrong, so that scores differ, and one that fails.
const WRONG: &str = "\
def solve_tent(I):
    return I

def solve_checkers(I):
    return vmirror(I)

def solve_add_frame(I):
    return first(width(I))
";

fn json_lines(text: &str) -> Vec<Json> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn results_do_not_depend_on_how_the_work_is_cut() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("wrong.py"), WRONG).unwrap();
    let embedded = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs/solvers.py");
    let embedded = embedded.to_str().unwrap();
    for policy in ["strict", "safe"] {
        let all = |more: &[&str]| {
            let mut args = vec!["run", "wrong.py", embedded, "--cross", "--no-timing", "--json"];
            args.extend(["--on-error", policy, "--differs", "builtin", "--matrix"]);
            args.extend(["--records", "out.jsonl"]);
            for task in ["tent", "checkers", "add_frame", "drop_down"] {
                args.extend(["--task", task]);
            }
            args.extend(more);
            let said = batt_in(folder.path(), &args);
            assert!(said.code.is_some_and(|code| code < 2), "{}", said.err);
            (said.out, fs::read_to_string(folder.path().join("out.jsonl")).unwrap())
        };
        let plain = all(&["--threads", "1"]);
        assert!(plain.1.contains(r#""type":"s""#) && plain.1.contains(r#""match":true"#));
        for cut in [
            ["--threads", "2", "--batch-size", "1"].as_slice(),
            &["--threads", "2", "--batch-size", "7"],
            &["--threads", "1", "--batch-size", "1000"],
            &["--threads", "2", "--no-fuse"],
        ] {
            let other = all(cut);
            assert!(plain.0 == other.0, "{policy} {cut:?}: reports differ");
            assert!(plain.1 == other.1, "{policy} {cut:?}: records differ");
        }
    }
}

#[test]
fn records_say_what_every_program_gave() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("wrong.py"), WRONG).unwrap();
    let args = ["run", "wrong.py", "--task", "tent", "--task", "add_frame", "--records", "-"];
    let lines = json_lines(&batt_in(folder.path(), &args).out);
    assert!(lines.iter().all(|line| line["schema"] == 1 && line["type"] == "o"));
    let of = |task: &str| lines.iter().filter(|l| l["task"] == task).collect::<Vec<_>>();
    let tent = of("tent");
    assert_eq!(tent.len(), 4);
    assert_eq!((&tent[0]["split"], &tent[0]["index"]), (&Json::from("demo"), &Json::from(0)));
    assert_eq!(tent[3]["split"], "test");
    assert!(tent.iter().all(|l| l["match"] == false && l["grid"][0].is_array()));
    assert_eq!((&tent[0]["program"], &tent[0]["slot"]), (&"solve_tent".into(), &0.into()));
    assert!(of("add_frame").iter().all(|l| l["grid"].is_null() && l["match"] == false));
}

#[test]
fn differs_score_inputs_and_outputs() {
    let run = |more: &[&str]| {
        let mut args = vec!["run", "--task", "tent", "--differs", "builtin", "--records", "-"];
        args.extend(more);
        json_lines(&batt(&args).out)
    };
    let lines = run(&[]);
    let scores: Vec<&Json> = lines.iter().filter(|l| l["type"] == "s").collect();
    // Four samples, five differs, the input and one program.
    assert_eq!(scores.len(), 4 * 5 * 2);
    let by = |program: Json| {
        let mine = scores
            .iter()
            .filter(move |l| l["differ"] == "differ_cells_match" && l["program"] == program);
        mine.map(|l| l["score"].as_i64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(by("solve_tent".into()), [1000; 4]);
    assert!(by(Json::Null).iter().all(|score| (1..1000).contains(score)));
}

#[test]
fn only_matched_samples_are_scored_unless_asked() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("wrong.py"), WRONG).unwrap();
    let scored = |diff: &str| {
        let args =
            ["run", "wrong.py", "--differs", "builtin", "--diff", diff, "--json", "--matrix"];
        let report: Json = serde_json::from_str(&batt_in(folder.path(), &args).out).unwrap();
        (report["scoring"]["samples"].clone(), report["matrix"].clone())
    };
    assert_eq!(scored("matched").0, 0);
    let (samples, matrix) = scored("always");
    assert!(samples.as_u64() > Some(8));
    let of = |program: &str| {
        let rows = matrix.as_array().unwrap();
        rows.iter().find(|row| row["program"] == program).unwrap()["scores"].clone()
    };
    let tent = of("solve_tent");
    assert!(tent["differs"]["differ_cells_match"].as_f64() < Some(1000.0), "{tent}");
    // An output that is an error has no score.
    assert_eq!(of("solve_add_frame")["demos"], Json::Null);
}

#[test]
fn a_differ_that_gives_no_pair_gives_no_score() {
    let folder = tempfile::tempdir().unwrap();
    let text = "def differ_far(S, I, C):\n    return astuple(multiply(TEN, THOUSAND), ONE)\n\n\
                def differ_no_pair(S, I, C):\n    return height(C)\n";
    fs::write(folder.path().join("d.py"), text).unwrap();
    let args = ["run", "--task", "tent", "--differs", "d.py", "--records", "-"];
    let lines = json_lines(&batt_in(folder.path(), &args).out);
    let of = |name: &str| lines.iter().filter(|l| l["differ"] == name).collect::<Vec<_>>();
    assert!(of("differ_far").iter().all(|l| l["score"] == 1000 && l["detail"] == 1));
    assert!(of("differ_no_pair").iter().all(|l| l["score"].is_null() && l["detail"].is_null()));
    assert_eq!(of("differ_no_pair").len(), 8);
}

/// A run that takes long enough to be stopped in the middle: every program many times.
fn long_run(folder: &Path) -> std::process::Child {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs/solvers.py");
    let one = fs::read_to_string(programs).unwrap();
    for n in 0..40 {
        fs::write(folder.join(format!("p{n}.py")), &one).unwrap();
    }
    Command::new(env!("CARGO_BIN_EXE_batt"))
        .args(["run", ".", "--cross", "--records", "out/records.jsonl", "--batch-size", "1"])
        .args(["--no-timing", "--json", "--differs", "builtin", "--diff", "always"])
        // The slow engine: the fast ones are done before they can be stopped.
        .args(["--engine", "reference"])
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn a_killed_run_leaves_no_output_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("out")).unwrap();
    let mut run = long_run(folder.path());
    std::thread::sleep(Duration::from_millis(700));
    assert!(run.try_wait().unwrap().is_none(), "the run must still be under way");
    run.kill().unwrap();
    run.wait().unwrap();
    let left: Vec<_> = fs::read_dir(folder.path().join("out")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_reports_what_was_done() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("out")).unwrap();
    let run = long_run(folder.path());
    std::thread::sleep(Duration::from_millis(700));
    let sent = Instant::now();
    let kill = Command::new("kill").args(["-INT", &run.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(sent.elapsed() < Duration::from_secs(20));
    let said = String::from_utf8(output.stderr).unwrap();
    let report: Json = serde_json::from_slice(&output.stdout).unwrap();
    // Outputs come first; on a fast machine they are all there, and scores are missing.
    let outputs_cut = report["totals"]["not_run"].as_u64() > Some(0);
    let missing = if outputs_cut { "not run on all samples" } else { "samples were not scored" };
    assert!(said.contains("interrupted; ") && said.contains(missing), "{said}");
    // What was done is there, in whole lines.
    let records = fs::read_to_string(folder.path().join("out/records.jsonl")).unwrap();
    let outputs = json_lines(&records).iter().filter(|line| line["match"].is_boolean()).count();
    assert_eq!(report["totals"]["samples"], outputs);
}
