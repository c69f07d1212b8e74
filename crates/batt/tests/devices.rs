//! Devices on the command line: which, how much of them, and what reports say. The emulator runs the
//! kernels of a GPU, so none is needed.

mod common;

use common::batt;
use serde_json::Value as Json;

const FEW: [&str; 4] = ["--task", "tent", "--task", "checkers"];

fn run(args: &[&str]) -> common::Said {
    batt(&[&["run"], &FEW[..], args].concat())
}

fn json(text: &str) -> Json {
    serde_json::from_str(text).expect("one JSON object")
}

#[test]
fn stable_reports_are_the_same_on_a_device() {
    for form in [&["--json"][..], &["--jsonl"], &[], &["--cross", "--json"]] {
        let on = |device| run(&[&["--no-timing", "--device", device], form].concat());
        let (cpu, device) = (on("cpu"), on("emulator"));
        assert_eq!(cpu.out, device.out, "{form:?}");
        assert_eq!((cpu.code, device.code), (Some(0), Some(0)), "{}", device.err);
        assert!(!device.out.contains("kernels"), "{}", device.out);
    }
}

#[test]
fn records_and_scores_are_the_same_on_a_device() {
    let args = ["--differs", "builtin", "--records", "-", "--no-timing", "--jsonl"];
    let on = |device| run(&[&args[..], &["--device", device]].concat()).out;
    let cpu = on("cpu");
    assert!(cpu.contains("\"type\":\"s\""), "{cpu}");
    assert_eq!(cpu, on("emulator"));
}

#[test]
fn a_report_proves_that_the_device_ran() {
    let said = run(&["--device", "emulator", "--json", "--gpu-memory", "64MiB"]);
    let report = json(&said.out);
    assert_eq!(report["engine"], "cuda");
    let work = &report["device"]["work"];
    assert_eq!(work["devices"][0]["name"], "emulator");
    assert_eq!(work["devices"][0]["compiled"], true);
    for positive in ["kernels", "rows", "bytes_up", "bytes_down", "kernel_seconds", "pairs"] {
        assert!(work[positive].as_f64() > Some(0.0), "{positive}: {work}");
    }
    assert_eq!(work["row_share"], 1.0);
    assert_eq!(work["pairs"], report["totals"]["samples"]);
    assert_eq!(work["handed_back"], report["totals"]["fallback"]);
    assert_eq!(report["device"]["trouble"], Json::Null);
    let text = run(&["--device", "emulator"]).out;
    for word in
        ["  device   emulator, kernels compiled in", "  kernels  ", "  rows     100.00 % of"]
    {
        assert!(text.contains(word), "{text}");
    }
}

#[test]
fn what_does_not_fit_is_listed_by_program_and_sample() {
    // A megabyte does not hold all pairs of cells, so the interpreter must.
    let folder = tempfile::tempdir().unwrap();
    let pairs = "def solve_tent(I):\n    x1 = upscale(I, TWO)\n    x2 = asindices(x1)\n    \
                 x3 = product(x2, x2)\n    return size(x3)\n";
    std::fs::write(folder.path().join("p.py"), pairs).unwrap();
    let args = ["run", "p.py", "--json", "--verbose", "--gpu-memory", "1MiB", "--device"];
    let on = |device| common::batt_in(folder.path(), &[&args[..], &[device]].concat());
    let (cpu, device) = (on("cpu"), on("emulator"));
    let report = json(&device.out);
    assert_eq!(report["programs"], json(&cpu.out)["programs"]);
    let back = report["device"]["work"]["handed_back"].as_u64().unwrap_or(0);
    assert!(back > 0, "{report}");
    assert_eq!(report["device"]["work"]["too_large"].as_u64(), Some(back));
    assert_eq!(report["fallbacks"].as_array().map(Vec::len), Some(back as usize));
    assert_eq!(device.err.matches("fallback: solve_tent on tent ").count(), back as usize);
}

#[test]
fn other_commands_report_it_too() {
    let args = ["verify", "--engines", "cpu,emulator", "--task", "tent", "--json"];
    let said = batt(&args);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let report = json(&said.out);
    assert_eq!(report["engines"], serde_json::json!(["cpu", "cuda"]));
    assert!(report["devices"][1]["work"]["kernels"].as_u64() > Some(0), "{report}");
    assert_eq!(report["devices"][0]["work"], Json::Null);

    let args = ["bench", "cross", "--task", "tent", "--samples", "4", "--device", "emulator"];
    let said = batt(&[&args[..], &["--json"]].concat());
    let report = json(&said.out);
    assert!(report["device"]["work"]["kernels"].as_u64() > Some(0), "{report}");

    let args = ["bench", "throughput", "--task", "tent", "--samples", "4", "--repeats", "1"];
    let said = batt(&[&args[..], &["--device", "emulator", "--json"]].concat());
    let measured = &json(&said.out)["rows"][0]["measured"];
    assert_eq!(measured["rows"], measured["device_rows"]);
    assert!(measured["kernel_seconds"].as_f64() > Some(0.0), "{measured}");
}

#[test]
fn auto_says_what_it_chose_and_why() {
    let report = json(&run(&["--device", "auto", "--json"]).out);
    assert_eq!(report["engine"], "cpu");
    assert_eq!(report["device"]["choices"][0], "cpu: too little work for a GPU");
    assert!(run(&[]).out.contains("  chosen   cpu: too little work for a GPU"));
}

#[test]
fn auto_is_measured_over_a_grid() {
    let sizes = ["--batteries", "2,4", "--samples", "2,5", "--repeats", "1"];
    let said = batt(&[&["bench", "auto", "--emulator", "--json"], &sizes[..]].concat());
    assert_eq!(said.code, Some(0), "{}", said.err);
    let report = json(&said.out);
    let sizes = report["sizes"].as_array().unwrap();
    assert_eq!(sizes.len(), 4);
    // An emulated device is never the faster side.
    assert!(sizes.iter().all(|size| size["picks_device"] == false), "{report}");
    assert_eq!(report["right"], 4);
    assert_eq!(report["worst_loss"], 0.0);
}

#[test]
fn devices_are_listed_and_calibrated_or_it_says_why_not() {
    let report = json(&batt(&["devices", "--json"]).out);
    if report["why_none"].is_null() {
        return;
    }
    assert_eq!(report["auto"], Json::Null);
    let said = batt(&["devices", "--calibrate"]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("no GPU can be measured: "), "{}", said.err);
    assert!(said.err.contains("hint: "), "{}", said.err);
}

#[test]
fn what_is_no_device_or_no_memory_is_told() {
    for (args, words) in [
        (&["--device", "gpu"][..], "there is no engine called gpu"),
        (&["--device", "cuda:x"], "cuda:x names no devices"),
        (&["--gpu-memory", "much"], "a share such as 50% or bytes such as 8GiB are needed"),
        (&["--gpu-memory", "120%"], "a share is more than 0% and at most 100%"),
        (&["--gpu-memory", "10KiB"], "at least 1MiB is needed"),
        (&["--engine", "cpu", "--device", "cpu"], "cannot be used with"),
    ] {
        let said = run(args);
        assert_eq!(said.code, Some(2), "{args:?}");
        assert!(said.err.contains(words), "{args:?}: {}", said.err);
    }
}
