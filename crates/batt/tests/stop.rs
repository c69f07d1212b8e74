//! A limit of time and Ctrl-C are seen while programs run, not only between batches of them.

mod common;

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use common::{Said, batt_in};
use serde_json::Value as Json;

/// How many programs there are. Each takes milliseconds; the first sample of all of them is one batch.
const PROGRAMS: usize = 600;
/// A time that is no measure, but shows that something ended.
const SOON: Duration = Duration::from_secs(100);

/// Programs that turn a large grid around again and again.
fn write_slow(folder: &Path) {
    let mut source = String::new();
    for k in 0..PROGRAMS {
        let (height, width) = (200 + k % 25, 200 + k / 25);
        let _ = write!(
            source,
            "def solve_tent_{k}(I):\n    x1 = index(I, ORIGIN)\n    x2 = astuple({height}, {width})\n    \
             x3 = canvas(x1, x2)\n    x4 = compose(dmirror, vmirror)\n    x5 = power(x4, 99)\n    \
             x6 = x5(x3)\n    O = crop(x6, ORIGIN, TWO_BY_TWO)\n    return O\n\n"
        );
    }
    fs::write(folder.join("slow.py"), source).unwrap();
}

const RUN: [&str; 9] =
    ["run", "slow.py", "--cross", "--task", "tent", "--threads", "1", "--no-timing", "--json"];

/// A run ended inside of its first batch, and says so.
fn ended_inside(said: &Said, code: i32, why: &str) {
    assert_eq!(said.code, Some(code), "{}", said.err);
    assert!(said.err.contains(why) && said.err.contains("not run on all samples"), "{}", said.err);
    let report: Json = serde_json::from_str(&said.out).unwrap();
    let totals = &report["totals"];
    assert_eq!(totals["not_run"], PROGRAMS, "{totals}");
    assert_eq!(totals["errors"], 0, "what was not run is no error: {totals}");
    assert!(totals["samples"].as_u64() < Some(PROGRAMS as u64), "{totals}");
}

#[test]
fn a_limit_of_time_ends_a_batch() {
    let folder = tempfile::tempdir().unwrap();
    write_slow(folder.path());
    for on in [["--engine", "cpu"], ["--engine", "reference"], ["--device", "emulator"]] {
        let started = Instant::now();
        let said = batt_in(folder.path(), &[&RUN[..], &on, &["--max-seconds", "1"]].concat());
        assert!(started.elapsed() < SOON, "{on:?}: {:?}", started.elapsed());
        ended_inside(&said, 1, "the time was up");
    }
}

#[test]
fn a_limit_of_time_leaves_a_generation() {
    let folder = tempfile::tempdir().unwrap();
    write_slow(folder.path());
    let started = Instant::now();
    let args = ["evolve", "slow.py", "--task", "tent", "--archive", "a.db", "--minutes", "0.01"];
    let said = batt_in(folder.path(), &args);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(started.elapsed() < SOON, "{:?}", started.elapsed());
    let said = batt_in(folder.path(), &["archive", "check", "--archive", "a.db"]);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_batch() {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    write_slow(folder.path());
    for engine in ["cpu", "reference"] {
        let child = Command::new(env!("CARGO_BIN_EXE_batt"))
            .args(RUN)
            .args(["--engine", engine])
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(500));
        let sent = Instant::now();
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(sent.elapsed() < SOON, "{engine}: {:?}", sent.elapsed());
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let (code, out, err) = (output.status.code(), text(output.stdout), text(output.stderr));
        ended_inside(&Said { code, out, err }, 130, "interrupted; ");
    }
}
