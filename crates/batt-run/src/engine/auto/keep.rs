//! Calibrations in the cache folder. One that cannot be read is measured anew, so nothing here is an
//! error.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::model::{Calibration, Key};

/// The version of the form; a file of another one is as good as none.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct File {
    version: u32,
    calibration: Calibration,
}

/// Where the calibration of a device is kept.
pub fn place(folder: &Path, key: &Key) -> PathBuf {
    let text = format!("{key:?}");
    let name = blake3::hash(text.as_bytes()).to_hex();
    folder.join("calibration").join(format!("{}.json", &name[..16]))
}

/// What is kept for a device, if it can be used.
pub fn load(folder: &Path, key: &Key) -> Option<Calibration> {
    let text = fs::read(place(folder, key)).ok()?;
    let File { version, calibration } = serde_json::from_slice(&text).ok()?;
    (version == VERSION && calibration.key == *key && calibration.is_sound()).then_some(calibration)
}

impl Calibration {
    /// Keeps it in a cache folder. That it could not be kept costs time at the next start and nothing
    /// else.
    pub fn save(&self, folder: &Path) {
        save(folder, self);
    }
}

fn save(folder: &Path, calibration: &Calibration) {
    let path = place(folder, &calibration.key);
    let file = File { version: VERSION, calibration: calibration.clone() };
    let (Some(parent), Ok(text)) = (path.parent(), serde_json::to_vec_pretty(&file)) else {
        return;
    };
    let unfinished = path.with_extension(format!("{}.part", std::process::id()));
    let _ = fs::create_dir_all(parent)
        .and_then(|()| fs::write(&unfinished, text))
        .and_then(|()| fs::rename(&unfinished, path));
}

#[cfg(test)]
mod tests {
    use super::super::model::tests::fake;
    use super::*;

    #[test]
    fn what_is_kept_comes_back_and_nothing_else_does() {
        let folder = tempfile::tempdir().unwrap();
        let mut calibration = fake();
        // Numbers that are the same after they were written and read.
        for cost in calibration.cpu.iter_mut().chain(&mut calibration.device) {
            (cost.fixed, cost.per_sample) = (0.5, 0.25);
        }
        let key = &calibration.key;
        assert_eq!(load(folder.path(), key), None);
        save(folder.path(), &calibration);
        assert_eq!(load(folder.path(), key).as_ref(), Some(&calibration));
        for other in [
            Key { device: "another".into(), ..key.clone() },
            Key { driver: 2, ..key.clone() },
            Key { cores: 5, ..key.clone() },
            Key { batt: "0.0.1".into(), ..key.clone() },
            Key { kernels: "other".into(), ..key.clone() },
        ] {
            assert_eq!(load(folder.path(), &other), None, "{other:?}");
            // Not even where it lies in the place of another.
            fs::copy(place(folder.path(), key), place(folder.path(), &other)).unwrap();
            assert_eq!(load(folder.path(), &other), None, "{other:?}");
        }
    }

    #[test]
    fn a_file_that_makes_no_sense_is_as_good_as_none() {
        let folder = tempfile::tempdir().unwrap();
        let mut calibration = fake();
        save(folder.path(), &calibration);
        let path = place(folder.path(), &calibration.key);
        let good = fs::read_to_string(&path).unwrap();
        let old = good.replacen("\"version\": 1", "\"version\": 0", 1);
        assert_ne!(old, good);
        for text in ["", "{", "[1, 2]", "\u{0}", &good[..good.len() / 2], &old] {
            fs::write(&path, text).unwrap();
            assert_eq!(load(folder.path(), &calibration.key), None, "{text}");
        }
        calibration.cpu.clear();
        save(folder.path(), &calibration);
        assert_eq!(load(folder.path(), &calibration.key), None, "unsound");
        // A folder that cannot be made.
        save(&path, &calibration);
    }
}
