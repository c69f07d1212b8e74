//! Every stored input through its target, without a fuzzer.

use std::fs;
use std::path::{Path, PathBuf};

use batt_fuzz::TARGETS;
use batt_fuzz::random::Subject;
use batt_lang::text;
use batt_run::verify::STACK;

/// Larger ones make the repository grow; a fuzzer's `-merge=1` leaves small ones.
const LARGEST: u64 = 8 << 10;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds")
}

fn stored(target: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder().join(target)).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Runs on a stack that takes the deepest nesting that the limits let a value have.
fn deep(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(run).unwrap();
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn stored_inputs_find_nothing() {
    deep(|| {
        for (name, target) in TARGETS {
            let files = stored(name);
            assert!(files.len() >= 12, "{name} has {} stored inputs", files.len());
            for path in files {
                let bytes = fs::read(&path).unwrap();
                assert!(bytes.len() as u64 <= LARGEST, "{} is too large", path.display());
                // A panic says what is wrong; this says with which file.
                println!("{}", path.display());
                target(&bytes);
            }
        }
    });
}

#[test]
fn every_folder_is_a_target() {
    for entry in fs::read_dir(folder()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(TARGETS.iter().any(|(target, _)| *target == name), "{name}");
    }
}

/// The stored inputs are worth running: their programs differ and most of them have several lines.
#[test]
fn stored_inputs_choose_different_programs() {
    deep(|| {
        for target in ["battery", "engines"] {
            let files = stored(target);
            let mut texts: Vec<String> = files
                .iter()
                .flat_map(|path| Subject::of(&fs::read(path).unwrap()).programs)
                .map(|program| text::print(&program))
                .collect();
            let all = texts.len();
            texts.sort();
            texts.dedup();
            assert!(texts.len() >= files.len(), "{} of {all} {target} programs", texts.len());
        }
    });
}

/// Changed bytes in one program's part leave the programs before it as they are.
#[test]
fn changed_bytes_change_one_program() {
    let mut bytes: Vec<u8> = (0..2001_u32).map(|n| (n * n * 29 % 251) as u8).collect();
    bytes[0] = 3;
    let before = Subject::of(&bytes);
    assert_eq!(before.programs.len(), 4);
    // The third part of 2,000 bytes less a quarter.
    for byte in &mut bytes[1 + 500 + 2 * 375..][..20] {
        *byte ^= 0x3c;
    }
    let after = Subject::of(&bytes);
    assert_eq!(before.programs[..2], after.programs[..2]);
    assert_ne!(before.programs[2], after.programs[2]);
    assert_eq!(before.task, after.task);
}
