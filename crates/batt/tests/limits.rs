//! Programs within every limit of values that would take gigabytes and minutes: they end in an error, soon
//! and in little memory, on every engine.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value as Json, json};

const BATT: &str = env!("CARGO_BIN_EXE_batt");

/// Runs a shell command around `batt`, which it finds as `$BATT`, with as much memory as two gigabytes of
/// addresses are. Threads reserve large stacks, so there is one.
fn within(folder: &Path, command: &str) -> Output {
    Command::new("sh")
        .args(["-c", &format!("ulimit -v 2000000 && {command}")])
        .current_dir(folder)
        .env("BATT", BATT)
        .env("NO_COLOR", "1")
        .env("RAYON_NUM_THREADS", "1")
        .env_remove("BATT_ARCHIVE")
        .env("BATT_CACHE", folder.join("no-cache"))
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// A task with one pair, which none of these programs solves.
fn task() -> String {
    let pair = json!({"input": [[1, 2], [3, 4]], "output": [[4, 3], [2, 1]]});
    json!({"train": [pair], "test": [{"input": [[1]], "output": [[2]]}]}).to_string()
}

/// Every cell of a large grid, moved to every place of it.
fn everywhere(side: u32) -> String {
    format!(
        "def solve_t(I):\n    x1 = canvas(ZERO, astuple({side}, {side}))\n    \
         x2 = mapply(lbind(shift, asobject(x1)), asindices(x1))\n    \
         O = fill(x1, ONE, x2)\n    return O\n"
    )
}

const POWER_OF_POWER: &str = "def solve_t(I):\n    x1 = canvas(ZERO, astuple(256, 256))\n    \
                              x2 = power(power(vmirror, 511), 512)\n    O = x2(x1)\n    return O\n";

/// Large grids made one after the other.
const GRIDS: &str = "def solve_t(I):\n    x1 = rbind(canvas, astuple(256, 256))\n    \
                     x2 = apply(chain(size, asobject, x1), interval(0, 65536, 1))\n    \
                     O = canvas(size(x2), UNITY)\n    return O\n";

#[test]
fn work_and_memory_are_bounded() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("t.json"), task()).unwrap();
    let programs =
        [everywhere(100), everywhere(127), everywhere(181), POWER_OF_POWER.into(), GRIDS.into()];
    for (at, program) in programs.iter().enumerate() {
        fs::write(folder.path().join("p.py"), program).unwrap();
        for engine in ["reference", "cpu"] {
            let run = format!("$BATT run p.py --tasks t.json --engine {engine} --threads 1 --json");
            let output = within(folder.path(), &run);
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(1), "{at} {engine}: {told}");
            let report: Json = serde_json::from_slice(&output.stdout).unwrap();
            assert_eq!(report["totals"]["errors"], 2, "{at} {engine}: {report}");
            assert_eq!(report["programs"][0]["error"]["kind"], "Size", "{at} {engine}: {report}");
        }
    }
}

#[test]
fn breeding_from_such_programs_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("t.json"), task()).unwrap();
    fs::write(folder.path().join("p.py"), everywhere(127)).unwrap();
    let evolve = "$BATT evolve p.py --tasks t.json --archive a.db --random 8 --population 8 \
                  --generations 3 --threads 1 --seed 5 --json";
    let output = within(folder.path(), evolve);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{told}");
}
