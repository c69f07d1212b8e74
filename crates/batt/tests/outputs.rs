//! What commands write: regular files whole or not at all, other things as they are, nothing before it
//! is known that all of it can be written.

#![cfg(unix)]

mod common;

use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use common::{Said, batt_in};

/// A program that solves its task, and an archive that holds it.
fn stage() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let program = "def solve_flip_largest(I):\n    return I\n";
    fs::write(folder.path().join("p.py"), program).unwrap();
    let args = ["evolve", "p.py", "--task", "flip_largest", "--generations", "0", "--random", "0"];
    let said = batt_in(folder.path(), &args);
    assert!(matches!(said.code, Some(0 | 1)), "{}", said.err);
    folder
}

/// Every command that writes, with the option that names what it writes. Each is quick.
const WRITERS: [(&[&str], &str); 9] = [
    (&["run", "p.py", "--task", "flip_largest"], "--records"),
    (&["card", "p.py"], "-o"),
    (&["card", "p.py"], "--svg"),
    (&["card", "p.py"], "--dot"),
    (&["profile", "p.py", "--task", "flip_largest", "--first", "1"], "--svg"),
    (&["archive", "export"], "-o"),
    (&["submit", "--task", "flip_largest"], "-o"),
    (
        &["evolve", "p.py", "--task", "flip_largest", "--generations", "0", "--archive", "e.db"],
        "--plot",
    ),
    (
        &["evolve", "p.py", "--task", "flip_largest", "--generations", "0", "--archive", "e.db"],
        "--metrics",
    ),
];

fn write(folder: &Path, (args, option): (&[&str], &str), to: &str) -> Said {
    // A run of the same key may be there from another test of the same stage.
    for end in ["", "-wal", "-shm"] {
        let _ = fs::remove_file(folder.join(format!("e.db{end}")));
    }
    batt_in(folder, &[args, &[option, to]].concat())
}

fn good(said: &Said, what: &str) {
    assert!(matches!(said.code, Some(0 | 1)), "{what}: {:?} {}", said.code, said.err);
}

#[test]
fn links_are_followed_and_permissions_kept() {
    let folder = stage();
    let at = |name: &str| folder.path().join(name);
    for writer in WRITERS {
        let _ = fs::remove_file(at("link"));
        fs::create_dir_all(at("elsewhere")).unwrap();
        fs::write(at("elsewhere/file"), "before").unwrap();
        fs::set_permissions(at("elsewhere/file"), fs::Permissions::from_mode(0o640)).unwrap();
        symlink("elsewhere/file", at("link")).unwrap();
        good(&write(folder.path(), writer, "link"), writer.1);
        assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink(), "{writer:?}");
        assert_ne!(fs::read_to_string(at("elsewhere/file")).unwrap(), "before", "{writer:?}");
        let mode = fs::metadata(at("elsewhere/file")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640, "{writer:?}");
        assert_eq!(fs::read_dir(at("elsewhere")).unwrap().count(), 1, "{writer:?}");
    }
}

#[test]
fn fifos_are_written_to() {
    let folder = stage();
    let fifo = folder.path().join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    for writer in WRITERS {
        let reader = std::thread::spawn({
            let fifo = fifo.clone();
            move || fs::read_to_string(fifo).unwrap()
        });
        let said = write(folder.path(), writer, "fifo");
        // Before the reader is waited for: nobody may have opened what it reads.
        good(&said, writer.1);
        assert!(fs::symlink_metadata(&fifo).unwrap().file_type().is_fifo(), "{writer:?}");
        let through = reader.join().unwrap();
        let plain = write(folder.path(), writer, "plain");
        good(&plain, writer.1);
        let plain = fs::read_to_string(folder.path().join("plain")).unwrap();
        // Times differ.
        if !matches!(writer.1, "--plot" | "--metrics") && writer.0[0] != "profile" {
            assert_eq!(through, plain, "{writer:?}");
        }
        assert_eq!(through.is_empty(), plain.is_empty(), "{writer:?}");
    }
}

#[test]
fn a_device_stays_a_device() {
    let folder = stage();
    let node = folder.path().join("node");
    // As the null device, made here: what this test could break is only this one.
    let made = Command::new("mknod").arg(&node).args(["c", "1", "3"]).status();
    if !made.is_ok_and(|made| made.success())
        || fs::OpenOptions::new().write(true).open(&node).is_err()
    {
        eprintln!("skipped: no device node can be made and used here");
        return;
    }
    for writer in WRITERS {
        let before = fs::symlink_metadata(&node).unwrap();
        good(&write(folder.path(), writer, "node"), writer.1);
        let after = fs::symlink_metadata(&node).unwrap();
        assert!(after.file_type().is_char_device(), "{writer:?}");
        assert_eq!((before.ino(), before.rdev()), (after.ino(), after.rdev()), "{writer:?}");
    }
}

#[test]
fn a_dash_is_standard_output_and_nothing_else_is_written_to_it() {
    let folder = stage();
    for writer in WRITERS {
        let plain = write(folder.path(), writer, "plain");
        good(&plain, writer.1);
        let file = fs::read_to_string(folder.path().join("plain")).unwrap();
        let said = write(folder.path(), writer, "-");
        assert_eq!(said.code, plain.code, "{writer:?}: {}", said.err);
        assert!(!folder.path().join("-").exists(), "{writer:?}");
        match writer {
            (["evolve" | "profile", ..], _) => {
                // Times differ, but not what it is.
                let head = |text: &str| text.get(..10).map(str::to_string);
                assert_eq!(head(&said.out), head(&file), "{writer:?}");
                assert_eq!(said.out.lines().count(), file.lines().count(), "{writer:?}");
            }
            _ => assert_eq!(said.out, file, "{writer:?}"),
        }
        // A report in JSON cannot be there, too.
        if writer.0[0] != "archive" {
            let both = batt_in(folder.path(), &[writer.0, &[writer.1, "-", "--json"]].concat());
            assert_eq!((both.code, both.out.as_str()), (Some(2), ""), "{writer:?}");
            assert!(both.err.contains("both write to standard output"), "{}", both.err);
            assert!(both.err.contains("\nhint: "), "{}", both.err);
        }
    }
}

#[test]
fn standard_output_by_another_name_is_standard_output() {
    let folder = stage();
    let log = folder.path().join("log");
    fs::write(&log, "kept\n").unwrap();
    let out = fs::OpenOptions::new().append(true).open(&log).unwrap();
    let ended = Command::new(env!("CARGO_BIN_EXE_batt"))
        .args(["card", "p.py", "-o", "/dev/stdout"])
        .current_dir(folder.path())
        .stdout(out)
        .status()
        .unwrap();
    assert_eq!(ended.code(), Some(0));
    let text = fs::read_to_string(&log).unwrap();
    assert!(text.starts_with("kept\n# batt battery 1\n"), "{text}");
    assert!(text.ends_with("return o, s\n"), "{text}");
}

/// What is in a folder, by name.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn what_cannot_be_written_is_told_before_any_work() {
    let folder = stage();
    fs::create_dir(folder.path().join("sub")).unwrap();
    let before = names(folder.path());
    let more: [(&[&str], &str); 2] = [
        (&["verify", "p.py", "--merged-against-alone"], "--write"),
        (&["bench", "scaling", "p.py"], "--plots"),
    ];
    for (args, option) in WRITERS.into_iter().chain(more) {
        for to in ["none/out", "sub", "sub/", "p.py/out", "p.py", "batt.db"] {
            let archive = matches!(args[0], "archive" | "submit");
            // A folder is made; and not every command reads both.
            let fine = match to {
                "none/out" | "sub" | "sub/" => option == "--plots",
                "p.py" => archive,
                "batt.db" => !archive && option != "--plots",
                _ => false,
            };
            if fine {
                continue;
            }
            let said = batt_in(folder.path(), &[args, &[option, to]].concat());
            assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{args:?} {option} {to}");
            assert!(said.err.starts_with("error: "), "{args:?} {option} {to}: {}", said.err);
            assert!(said.err.contains("\nhint: "), "{args:?} {option} {to}: {}", said.err);
            assert_eq!(names(folder.path()), before, "{args:?} {option} {to}");
        }
    }
}

#[test]
fn outputs_do_not_meet_each_other_or_an_input() {
    let folder = stage();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("sub")).unwrap();
    fs::copy(at("p.py"), at("sub/p.py")).unwrap();
    fs::write(at("there"), "there").unwrap();
    fs::hard_link(at("there"), at("again")).unwrap();
    symlink("new", at("link")).unwrap();
    symlink("p.py", at("program")).unwrap();
    let both = "would both write to standard output";
    let cases: [(&[&str], &str); 13] = [
        (&["card", "-o", "new", "--svg", "new"], "--output and --svg are the same file"),
        (&["card", "-o", "new", "--dot", "./sub/../new"], "--output and --dot are the same file"),
        (&["card", "--svg", "link", "--dot", "new"], "--svg and --dot are the same file"),
        (&["card", "--svg", "there", "--dot", "again"], "--svg and --dot are the same file"),
        (&["card", "-o", "-", "--svg", "-"], both),
        (&["card", "-o", "-", "--dis"], both),
        (&["card", "p.py", "-o", "p.py"], "is also read"),
        (&["card", "--from", "p.py", "-o", "program"], "is also read"),
        (&["card", "sub", "-o", "sub/battery.py"], "is in the folder sub"),
        (&["run", "--differs", "p.py", "--records", "p.py"], "is also read"),
        (&["archive", "export", "-o", "batt.db-wal"], "is also read"),
        (&["evolve", "--generations", "0", "--plot", "batt.db"], "is also read"),
        (&["evolve", "--generations", "0", "--plot", "x", "--metrics", "x"], "are the same file"),
    ];
    let before = names(folder.path());
    for (args, words) in cases {
        let said = batt_in(folder.path(), args);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{args:?}");
        assert!(said.err.contains(words), "{args:?}: {}", said.err);
        assert!(said.err.contains("\nhint: "), "{args:?}: {}", said.err);
        assert_eq!(names(folder.path()), before, "{args:?}");
    }
    assert_eq!(fs::read_to_string(at("there")).unwrap(), "there");
}

#[test]
fn a_report_that_nobody_reads_changes_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_batt"))
        .args(["evolve", "--scratch", "--random", "1", "--population", "4", "--generations", "1"])
        .args(["--task", "four_corners", "--archive", "a.db", "--plot", "p.svg"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(fs::read_to_string(folder.path().join("p.svg")).unwrap().starts_with("<svg"));
}
