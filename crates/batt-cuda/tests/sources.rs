//! The checked-in PTX was built from the sources that are here.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn the_kernels_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    rust_files(&root.join("kernel/src"), &mut files);
    rust_files(&root.join("crates/batt-core/src"), &mut files);
    // As the script sorts them: by their bytes, the folder's name included.
    files.sort_by_key(|path| path.strip_prefix(&root).unwrap().to_string_lossy().into_owned());
    files.push(root.join("kernel/build.sh"));
    files.push(root.join("crates/batt-lang/src/ops/table.rs"));
    let mut hash = Sha256::new();
    for file in files {
        hash.update(std::fs::read(file).unwrap());
    }
    let noted = batt_cuda::PTX.lines().find_map(|line| line.strip_prefix("// sources: "));
    let byte = |at: usize| u8::from_str_radix(noted?.get(2 * at..2 * at + 2)?, 16).ok();
    let noted: Option<Vec<u8>> = (0..32).map(byte).collect();
    assert_eq!(
        noted.as_deref(),
        Some(&hash.finalize()[..]),
        "run kernel/build.sh and commit kernel/batt.ptx"
    );
}
