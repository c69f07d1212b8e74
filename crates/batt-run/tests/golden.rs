//! Runs the conformance records on the reference interpreter.

use std::path::{Path, PathBuf};

use batt_run::conform::{Reference, Report, check_files};

fn from_root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn check(folder: &Path) -> Report {
    let report = check_files(&[folder], &Reference, |_| true).expect("the records can be read");
    println!(
        "{}: {} checked, {} passed ({} with another kind of error, {} refused), {} skipped",
        folder.display(),
        report.checked,
        report.passed,
        report.other_kind,
        report.refused,
        report.skipped
    );
    for failure in report.failures.iter().take(40) {
        println!("{failure}");
    }
    report
}

#[test]
fn the_records_of_this_repository_hold() {
    let report = check(&from_root("conformance"));
    assert_eq!(report.failed, 0);
    assert!(report.checked >= 12_152);
}

#[test]
fn the_shared_records_hold() {
    // Beside the repository, or wherever the variable says.
    let folder = std::env::var_os("BATT_RECORDS")
        .map_or_else(|| from_root("../shared/golden"), PathBuf::from);
    if !folder.is_dir() {
        println!("no shared records here");
        return;
    }
    let report = check(&folder);
    assert_eq!(report.failed, 0);
    assert!(report.checked >= 15_028);
}
