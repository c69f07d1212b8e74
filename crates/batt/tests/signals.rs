//! What ends a command from outside: signals, readers that leave, limits on files.

#![cfg(unix)]

mod common;

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::batt_in;
use serde_json::Value as Json;

const BATT: &str = env!("CARGO_BIN_EXE_batt");

/// A shell command around `batt`, which it finds as `$BATT`.
fn shell(folder: &Path, command: &str) -> Command {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", command])
        .current_dir(folder)
        .env("BATT", BATT)
        .env("NO_COLOR", "1")
        .env_remove("BATT_ARCHIVE")
        .env("BATT_CACHE", folder.join("no-cache"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    shell
}

/// Breeding that only a signal ends.
const ENDLESS: &str = "exec $BATT evolve --scratch --random 8 --population 8 --task four_corners \
                       --minutes 60 --threads 1 --metrics m.jsonl --json";

/// Waits until a run is under way.
fn under_way(folder: &Path, child: &mut Child) {
    let started = Instant::now();
    while fs::metadata(folder.join("m.jsonl")).map_or(0, |file| file.len()) == 0 {
        assert!(child.try_wait().unwrap().is_none(), "it ended");
        assert!(started.elapsed() < Duration::from_secs(60), "it does not begin");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Waits until a process takes SIGINT, where the system tells.
fn until_watched(child: &Child) {
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(20));
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        if caught.is_some_and(|mask| mask & 0b10 != 0) {
            return;
        }
    }
}

fn send(signal: &str, child: &Child) {
    let kill = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
}

/// How many generations are in the archive of the one run.
fn generations(folder: &Path) -> Json {
    let said = batt_in(folder, &["archive", "stats", "--json"]);
    let stats: Json = serde_json::from_str(&said.out).unwrap();
    stats["run_list"][0]["generation"].clone()
}

#[test]
fn every_request_to_end_keeps_the_work() {
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let folder = tempfile::tempdir().unwrap();
        let mut child = shell(folder.path(), ENDLESS).spawn().unwrap();
        under_way(folder.path(), &mut child);
        send(signal, &child);
        if signal != "-INT" {
            // As `timeout` and terminals do: the process, then its group.
            send(signal, &child);
        }
        let output = child.wait_with_output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{signal}: {err}");
        assert!(err.contains("interrupted: everything so far is in the archive"), "{err}");
        let report: Json = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(generations(folder.path()), report["generation"], "{signal}");
        let check = batt_in(folder.path(), &["archive", "check", "--rerun"]);
        assert_eq!(check.code, Some(0), "{}", check.out);
    }
}

#[test]
fn sigterm_ends_a_run_with_its_records() {
    let folder = tempfile::tempdir().unwrap();
    let one = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../programs/solvers.py");
    let one = fs::read_to_string(one).unwrap();
    for n in 0..40 {
        fs::write(folder.path().join(format!("p{n}.py")), &one).unwrap();
    }
    // A FIFO tells when the run is under way.
    let fifo = folder.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let command = "exec $BATT run . --cross --engine reference --batch-size 1 --threads 1 \
                   --no-timing --jsonl --records fifo";
    let child = shell(folder.path(), command).spawn().unwrap();
    let mut records = BufReader::new(fs::File::open(&fifo).unwrap());
    let mut lines = String::new();
    records.read_line(&mut lines).unwrap();
    send("-TERM", &child);
    records.read_to_string(&mut lines).unwrap();
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(143), "{err}");
    assert!(err.contains("not run on all samples"), "{err}");
    assert!(lines.ends_with('\n'));
    assert!(lines.lines().all(|line| serde_json::from_str::<Json>(line).is_ok()));
    let totals = String::from_utf8(output.stdout).unwrap();
    let totals: Json = serde_json::from_str(totals.lines().last().unwrap()).unwrap();
    let judged = lines.matches("\"match\":true").count() + lines.matches("\"match\":false").count();
    assert_eq!(totals["totals"]["samples"], judged);
}

#[test]
fn a_second_interrupt_does_not_wait() {
    let folder = tempfile::tempdir().unwrap();
    assert!(Command::new("mkfifo").arg(folder.path().join("fifo")).status().unwrap().success());
    // What it waits for never comes: a reader.
    let command = "exec $BATT run --records fifo";
    let mut child = shell(folder.path(), command).spawn().unwrap();
    let mut err = BufReader::new(child.stderr.take().unwrap());
    until_watched(&child);
    send("-INT", &child);
    let mut line = String::new();
    err.read_line(&mut line).unwrap();
    assert_eq!(line, "interrupted: finishing the batches that run; once more to stop at once\n");
    assert!(child.try_wait().unwrap().is_none());
    send("-INT", &child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn a_hangup_that_was_ignored_stays_ignored() {
    if !Path::new("/proc/self/status").exists() {
        eprintln!("skipped: this system does not tell what is ignored");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // What `nohup` does.
    let mut child = shell(folder.path(), &format!("trap '' HUP; {ENDLESS}")).spawn().unwrap();
    under_way(folder.path(), &mut child);
    send("-HUP", &child);
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "it must go on");
    send("-TERM", &child);
    assert_eq!(child.wait().unwrap().code(), Some(143));
}

#[test]
fn a_closed_standard_error_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let evolve = "evolve --scratch --random 8 --population 8 --generations 3 --task tent --json";
    let bad = "def solve_a(I):\n    return nothing\n";
    fs::write(folder.path().join("bad.py"), bad.repeat(30)).unwrap();
    for (args, codes) in [(evolve, [0, 1]), ("run bad.py --json", [2, 2]), ("run --json", [0, 0])] {
        let mut child = shell(folder.path(), &format!("exec $BATT {args}")).spawn().unwrap();
        // Nobody reads it any more, before anything is written.
        drop(child.stderr.take());
        let mut out = String::new();
        child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        let code = child.wait().unwrap().code();
        assert!(codes.map(Some).contains(&code), "{args}: {code:?}");
        if code != Some(2) {
            let report: Json = serde_json::from_str(&out).unwrap();
            assert_eq!(report["schema"], 1, "{args}");
        }
    }
    assert_eq!(generations(folder.path()), 3);
}

#[test]
fn a_limit_on_file_sizes_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("before"), "before").unwrap();
    // 8 blocks of 512 bytes.
    for args in [
        "run --records before",
        "card --differs builtin --output before",
        "card --svg before",
        "run --cross --matrix --json > out",
        "evolve --scratch --generations 100 --archive e.db --task tent",
    ] {
        let output =
            shell(folder.path(), &format!("ulimit -f 8; exec $BATT {args}")).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args}: {:?} {err}", output.status);
        assert!(err.contains("error: "), "{args}: {err}");
        assert!(!err.contains("panicked"), "{args}: {err}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("before")).unwrap(), "before");
    let left = fs::read_dir(folder.path()).unwrap().flatten();
    let names: Vec<_> = left.map(|file| file.file_name().into_string().unwrap()).collect();
    assert!(!names.iter().any(|name| name.starts_with(".tmp")), "{names:?}");
}

#[test]
fn an_archive_that_cannot_grow_keeps_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    // 600 blocks of 512 bytes: enough to begin.
    let command = "ulimit -f 600; exec $BATT evolve --scratch --generations 100000 --task tent \
                   --task four_corners --checkpoint-seconds 0 --metrics m.jsonl";
    let output = shell(folder.path(), command).output().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{err}");
    let last = "hint: what was committed is in the archive; --resume goes on with it\n";
    assert!(err.contains("error: the archive cannot be used: ") && err.ends_with(last), "{err}");
    let check = batt_in(folder.path(), &["archive", "check", "--rerun"]);
    assert_eq!(check.code, Some(0), "{}", check.out);
    let kept = generations(folder.path()).as_u64().unwrap();
    let metrics = fs::read_to_string(folder.path().join("m.jsonl")).unwrap();
    // A line for each generation from 0; those after the last commit are not in the archive.
    assert!(kept >= 1 && kept < metrics.lines().count() as u64, "{kept}");
    assert!(metrics.lines().all(|line| serde_json::from_str::<Json>(line).is_ok()));
    let more = (kept + 1).to_string();
    let args = ["evolve", "--scratch", "--task", "tent", "--task", "four_corners", "--resume"];
    let said = batt_in(folder.path(), &[&args[..], &["--generations", &more]].concat());
    assert!(matches!(said.code, Some(0 | 1)), "{}", said.err);
}

/// A program, and so many functions that cannot be read.
fn bad(count: usize) -> String {
    let mut text = "def solve_tent(I):\n    return I\n".to_string();
    for n in 0..count {
        let _ = write!(text, "\ndef solve_bad{n}(I):\n    return missing_{n}(I)\n");
    }
    text
}

#[test]
fn messages_are_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("many.py", &bad(3000));
    write("bad.py", &bad(300));
    write("none.py", &bad(300).replace("solve_tent", "solve_no("));
    write("differs.py", &bad(300).replace("solve_", "differ_").replace("(I):", "(S, I, C):"));
    for args in [
        &["run", "many.py"][..],
        &["run", "--differs", "differs.py"],
        &["run", "none.py", "--json"],
        &["card", "bad.py"],
        &["card", "--differs", "differs.py"],
        &["show", "bad.py"],
        &["verify", "bad.py", "--merged-against-alone"],
        &["profile", "bad.py"],
        &["bench", "card", "bad.py"],
        &["evolve", "bad.py", "--task", "tent", "--generations", "0"],
        &["submit", "--programs", "bad.py", "--task", "tent"],
    ] {
        let said = batt_in(folder.path(), args);
        let shown = said.err.matches("error: unknown name `missing_").count();
        assert!((19..=20).contains(&shown), "{args:?}: {shown}");
        assert!(said.err.lines().count() < 130, "{args:?}: {}", said.err);
        let rest = said.err.lines().filter(|line| line.contains("--verbose writes all of them"));
        let rest: Vec<&str> = rest.collect();
        let more = if args.contains(&"many.py") { "and 2980 more" } else { "and 28" };
        assert!(rest.len() == 1 && rest[0].starts_with(more), "{args:?}: {rest:?}");
    }
    let said = batt_in(folder.path(), &["run", "many.py", "-v"]);
    assert!((0..3000).all(|n| said.err.contains(&format!("`missing_{n}`"))), "all are there");
    assert!(!said.err.contains("writes all of them"));
}
