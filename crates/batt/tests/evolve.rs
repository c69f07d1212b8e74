//! `batt evolve` as a process: killed, interrupted, refused.

mod common;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use batt::evolve::archive::Archive;

const BATT: &str = env!("CARGO_BIN_EXE_batt");
const GENERATIONS: &str = "30";

/// A run that commits every generation.
fn evolve(archive: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(BATT);
    command
        .args(["evolve", "--scratch", "--random", "8", "--seed", "11", "--population", "8"])
        .args(["--task", "tent", "--task", "flip_largest", "--task", "turn_like_demos"])
        .args(["--islands", "2", "--threads", "2", "--checkpoint-seconds", "0"])
        .arg("--archive")
        .arg(archive)
        .args(more)
        .env_remove("BATT_ARCHIVE")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn batt(args: &[&str], archive: &Path) -> (bool, String) {
    let output =
        Command::new(BATT).args(args).arg("--archive").arg(archive).output().expect("batt starts");
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&text).into_owned())
}

fn export(archive: &Path) -> String {
    let (good, text) = batt(&["archive", "export"], archive);
    assert!(good, "{text}");
    text
}

fn remove(archive: &Path) {
    for end in ["", "-wal", "-shm", "-journal", "-promise"] {
        let _ = std::fs::remove_file(format!("{}{end}", archive.display()));
    }
}

/// The run, from where it stands or from its beginning.
fn going_on(archive: &Path, generations: &str) -> Command {
    let begun = Archive::open_to_read(archive.to_str().unwrap())
        .is_ok_and(|mut archive| !archive.runs().unwrap().is_empty());
    let more = ["--generations", generations, "--resume"];
    evolve(archive, if begun { &more } else { &more[..2] })
}

fn ended(child: &mut Child) -> bool {
    matches!(child.try_wait(), Ok(Some(_)))
}

/// Killed at fifty moments, each a little later in the life of a process than the one before, the run
/// ends where it ends undisturbed. Every time the archive is whole.
#[test]
fn a_run_survives_being_killed() {
    let folder = tempfile::tempdir().unwrap();
    let (plain, killed) = (folder.path().join("plain.db"), folder.path().join("killed.db"));
    let started = Instant::now();
    let status = evolve(&plain, &["--generations", GENERATIONS]).status().unwrap();
    assert!(matches!(status.code(), Some(0 | 1)), "{status}");
    let undisturbed = started.elapsed();

    let mut kills = 0_u32;
    // Scattered by the golden ratio: no two moments are alike, and the test has no chance in it.
    for n in 1..=400_u32 {
        let share = (f64::from(n) * 0.618_033_988_75).fract();
        let moment = undisturbed.mul_f64(0.02 + 0.25 * share).max(Duration::from_millis(5));
        let mut child = going_on(&killed, GENERATIONS).spawn().unwrap();
        std::thread::sleep(moment);
        let alive = !ended(&mut child);
        // SIGKILL on Unix.
        let _ = child.kill();
        let _ = child.wait();
        if alive {
            kills += 1;
        } else {
            // It got to its end between two kills: the next ones find another run.
            assert_eq!(export(&killed), export(&plain), "after {kills} kills");
            remove(&killed);
        }
        if kills.is_multiple_of(10) && killed.exists() {
            let (good, text) = batt(&["archive", "check"], &killed);
            assert!(good, "after {kills} kills: {text}");
        }
        if kills == 50 {
            break;
        }
    }
    assert_eq!(kills, 50);
    let status = evolve(&killed, &["--generations", GENERATIONS, "--resume"]).status().unwrap();
    assert!(matches!(status.code(), Some(0 | 1)), "{status}");
    let (good, text) = batt(&["archive", "check", "--rerun"], &killed);
    assert!(good, "{text}");
    assert_eq!(export(&killed), export(&plain));
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_generation_and_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let (plain, stopped) = (folder.path().join("plain.db"), folder.path().join("stopped.db"));
    evolve(&plain, &["--generations", "12"]).status().unwrap();
    let mut codes = Vec::new();
    for _ in 0..2 {
        let mut child = going_on(&stopped, "12").spawn().unwrap();
        std::thread::sleep(Duration::from_millis(60));
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        codes.push(child.wait().unwrap().code());
    }
    // 130 where it came in time; a process that has not got so far dies by the signal.
    assert!(codes.iter().all(|code| matches!(code, Some(0 | 1 | 130) | None)), "{codes:?}");
    going_on(&stopped, "12").status().unwrap();
    assert_eq!(export(&stopped), export(&plain));
}

/// How many of a task's demos the best program of an archive solves.
fn best(archive: &Path, task: &str) -> Option<u32> {
    let mut archive = Archive::open_existing(archive.to_str().unwrap()).unwrap();
    Some(archive.best(task, 1).unwrap().first()?.exact)
}

/// Report and exit code say what the archive holds, where programs that read S are bred and refused,
/// and where grids once shared their digests.
#[test]
fn solved_is_what_the_archive_holds() {
    let folder = tempfile::tempdir().unwrap();
    for (task, demos, seed, generations) in
        [("dot_in_box", 3, "7", "12"), ("four_corners", 3, "1", "20")]
    {
        let place = folder.path().join(task);
        let args = ["evolve", "--scratch", "--task", task, "--until-solved", "--seed", seed];
        let more = ["--generations", generations, "--population", "64", "--json", "--archive"];
        let args = [&args[..], &more[..], &[place.to_str().unwrap()]].concat();
        let said = common::batt(&args);
        let report: serde_json::Value = serde_json::from_str(&said.out).unwrap();
        let solved = best(&place, task) == Some(demos);
        assert_eq!(report["solved"], u32::from(solved), "{task}: {report}");
        assert_eq!(said.code, Some(i32::from(!solved)), "{task}: {report}");
        assert_eq!(report["unsolved"].as_array().map(Vec::len), Some(usize::from(!solved)));
        assert_eq!(report["total"]["refused"]["disagreements"], 0, "{task}: {report}");
        assert_eq!(report["total"]["refused"]["collisions"], 0, "{task}: {report}");
        assert_eq!(report["cases"], serde_json::Value::Null);
        assert!(!folder.path().join(format!("{task}.cases")).exists());
    }
}

#[test]
fn metrics_and_a_plot_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (metrics, plot) = (path("m.jsonl"), path("p.svg"));
    let output = evolve(&path("a.db"), &["--generations", "4", "--json"])
        .arg("--metrics")
        .arg(&metrics)
        .arg("--plot")
        .arg(&plot)
        .stdout(Stdio::piped())
        .output()
        .unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["generation"], 4);
    assert_eq!(report["tasks"], 3);
    assert_eq!(report["operators"].as_array().map(Vec::len), Some(9));
    let lines = std::fs::read_to_string(&metrics).unwrap();
    let lines: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 5);
    assert!(lines.iter().zip(0..).all(|(line, n)| line["generation"] == n));
    assert!(lines[0]["best"]["tent"]["demos"] == 3);
    let last = lines.last().unwrap();
    assert_eq!(last["well_typed"], report["total"]["well_typed"]);
    assert!(std::fs::read_to_string(&plot).unwrap().starts_with("<svg"));
}

#[test]
fn what_cannot_be_done_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("a.db");
    let said = |more: &[&str]| {
        let output = evolve(&place, more).stderr(Stdio::piped()).output().unwrap();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, text) = said(&[]);
    assert_eq!(code, Some(2));
    assert!(text.contains("it is not said when to stop") && text.contains("hint:"), "{text}");
    assert!(matches!(said(&["--generations", "1"]).0, Some(0 | 1)));
    let (code, text) = said(&["--generations", "2"]);
    assert_eq!(code, Some(2));
    assert!(text.contains("was begun before") && text.contains("--resume"), "{text}");
}

#[test]
fn what_is_not_there_is_not_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let at = |args: &[&str]| common::batt_in(folder.path(), args);
    let run = ["evolve", "--scratch", "--task", "tent", "--generations", "1", "--population", "8"];
    let resume = [&run[..], &["--resume"]].concat();
    let said = at(&resume);
    assert_eq!(said.code, Some(2));
    let words = "error: there is no archive at batt.db\nhint: there is nothing to resume";
    assert!(said.err.starts_with(words), "{}", said.err);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    assert!(matches!(at(&run).code, Some(0 | 1)));
    let said = at(&[&resume[..], &["--seed", "5"]].concat());
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("has nothing of run") && said.err.contains("hint:"), "{}", said.err);
    assert!(matches!(at(&resume).code, Some(0 | 1)));
    // Nothing lies beside an archive at rest.
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn help_says_how() {
    for (name, args) in [
        ("help_evolve", &["evolve", "--help"][..]),
        ("help_bench_repair", &["bench", "repair", "--help"]),
        ("help_bench_evolve", &["bench", "evolve", "--help"]),
        ("help_bench_enumerate", &["bench", "enumerate", "--help"]),
        ("help_bench_solve", &["bench", "solve", "--help"]),
    ] {
        let said = common::batt(args);
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
        insta::assert_snapshot!(name, said.out);
    }
}
