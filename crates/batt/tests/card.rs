//! `batt card`, as people run it.

mod common;

use std::fs;

use common::{Said, batt, batt_in};
use serde_json::Value;

fn json(args: &[&str]) -> Value {
    let said = batt(&[args, &["--json"]].concat());
    assert_eq!(said.code, Some(0), "{}", said.err);
    serde_json::from_str(&said.out).unwrap()
}

#[test]
fn stats_have_the_promised_fields() {
    let stats = json(&["card", "--stats"]);
    for field in ["programs", "lines", "expressions", "slots", "hoisted", "folded", "fused"] {
        assert!(stats[field].is_u64(), "{field}: {stats}");
    }
    assert_eq!(stats["schema"], 1);
    assert!(stats["operations"]["objects"].as_u64().unwrap() > 0);
    assert!(stats["expressions"].as_u64() < stats["lines"].as_u64());
    let unfused = json(&["card", "--no-fuse"]);
    assert_eq!(unfused["fused"], 0);
    assert_eq!(unfused["expressions"], stats["expressions"]);
}

#[test]
fn a_battery_file_is_read_back_and_runs() {
    let folder = tempfile::tempdir().unwrap();
    let here = |args: &[&str]| -> Said { batt_in(folder.path(), args) };
    assert_eq!(here(&["card", "--differs", "builtin", "-o", "a.py"]).code, Some(0));
    assert_eq!(here(&["card", "--from", "a.py", "-o", "b.py"]).code, Some(0));
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("a.py"), read("b.py"));
    let (alone, merged) = (here(&["run", "--no-timing"]), here(&["run", "a.py", "--no-timing"]));
    assert_eq!((merged.code, merged.out), (Some(0), alone.out));
}

#[test]
fn a_changed_battery_file_is_refused_by_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let here = |args: &[&str]| -> Said { batt_in(folder.path(), args) };
    assert_eq!(here(&["card", "--differs", "builtin", "-o", "a.py"]).code, Some(0));
    let whole = fs::read_to_string(folder.path().join("a.py")).unwrap();
    let (first, rest) = whole.split_once('\n').unwrap();
    let damaged = [
        ("body.py", whole.replace("vmirror", "hmirror"), "it was changed"),
        ("first.py", format!("{}\n{rest}", first.replace("batt", "bat")), "a header line"),
        ("no_first.py", rest.replace("vmirror", "hmirror"), "a header line"),
    ];
    for (name, text, words) in damaged {
        fs::write(folder.path().join(name), text).unwrap();
        for args in [
            &["run", name][..],
            &["run", "--differs", name],
            &["card", "--from", name],
            &["card", name],
            &["card", "--differs", name],
            &["show", name],
            &["verify", name, "--merged-against-alone"],
            &["profile", name],
            &["bench", "card", name],
            &["bench", "cross", name],
            &["bench", "evolve", name],
            &["bench", "repair", name],
            &["evolve", name, "--generations", "1"],
            &["submit", "--programs", name],
        ] {
            let said = here(args);
            assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{args:?}: {}", said.err);
            assert!(said.err.starts_with(&format!("error: {name}: {words}")), "{}", said.err);
            assert!(said.err.contains("\nhint: a battery file"), "{args:?}: {}", said.err);
        }
    }
    let mut left: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    assert_eq!(left, ["a.py", "body.py", "first.py", "no_first.py"], "nothing was begun");
}

#[test]
fn a_seed_chooses_and_changes_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let deal = |name: &str, more: &[&str]| -> String {
        let args = [&["card", "-c", "9", "-o", name, "--differs", "builtin"], more].concat();
        let said = batt_in(folder.path(), &args);
        assert_eq!(said.code, Some(0), "{}", said.err);
        fs::read_to_string(folder.path().join(name)).unwrap()
    };
    let plain = deal("a.py", &["--seed", "5"]);
    assert_eq!(plain, deal("b.py", &["--seed", "5"]));
    assert_ne!(plain, deal("c.py", &["--seed", "6"]));
    assert_eq!(plain.matches("o.append").count(), 9);
    let mutate = ["--seed", "5", "--mutate", "0.5"];
    let both = deal("d.py", &mutate);
    assert!(both.contains(", True, '") && both.contains("#mutated"));
    let frozen = deal("e.py", &[&mutate[..], &["--freeze-programs"]].concat());
    assert!(!frozen.contains(", True, '") && frozen.contains("#mutated"));
    let all = deal("f.py", &[&mutate[..], &["--freeze-programs", "--freeze-differs"]].concat());
    assert_eq!(all, plain);
    // A battery that was read can be changed again.
    let again = ["card", "--from", "d.py", "--mutate", "0.5", "-o", "g.py"];
    assert_eq!(batt_in(folder.path(), &again).code, Some(0));
}

#[test]
fn pictures_and_explanations_are_made() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["card", "--task", "tent", "--explain", "--dis", "--svg", "a.svg", "--dot", "a.dot"];
    let said = batt_in(folder.path(), &args);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.out.contains("per sample:") && said.out.contains("o solve_tent tent"));
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(read("a.svg").starts_with("<svg") && read("a.svg").contains("solve_tent"));
    assert!(read("a.dot").starts_with("digraph"));
    let said = batt(&["card", "--explain"]);
    for word in ["shared", "hoisted", "fused", "patterns", "modes", "loops over"] {
        assert!(said.out.contains(word), "{word}: {}", said.out);
    }
}

#[test]
fn what_cannot_be_dealt_ends_in_a_hint() {
    for args in [
        &["card", "--task", "nowhere"][..],
        &["card", "no/such/folder"],
        &["card", "--from", "no-such-file.py"],
        &["card", "-o", "no/such/folder/file.py"],
    ] {
        let said = batt(args);
        assert_eq!(said.code, Some(2), "{args:?}");
        assert!(said.err.contains("hint: "), "{args:?}: {}", said.err);
    }
}
