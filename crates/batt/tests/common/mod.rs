//! Runs the real command and catches what it says.

use std::path::Path;
use std::process::{Command, Output};

/// What the command said and how it ended.
pub struct Said {
    pub code: Option<i32>,
    pub out: String,
    pub err: String,
}

/// Runs `batt` in a folder, without colour and with an empty cache.
pub fn batt_in(folder: &Path, args: &[&str]) -> Said {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_batt"))
        .args(args)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env_remove("COLUMNS")
        .env_remove("BATT_ARCHIVE")
        .env("BATT_CACHE", folder.join("no-cache"))
        .output()
        .expect("batt runs");
    let text = |bytes| String::from_utf8(bytes).expect("batt writes UTF-8");
    Said { code: status.code(), out: text(stdout), err: text(stderr) }
}

/// Runs `batt` where it does not matter.
#[allow(dead_code, reason = "not every test file needs it")]
pub fn batt(args: &[&str]) -> Said {
    batt_in(&std::env::temp_dir(), args)
}
