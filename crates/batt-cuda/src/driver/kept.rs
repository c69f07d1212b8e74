//! The cache of compiled kernels: one file with all modules of a device.

use std::fs;
use std::path::{Path, PathBuf};

use crate::reduce::WAY;

/// What such a file begins with.
const MAGIC: u64 = u64::from_le_bytes(*b"battcub2");

/// Where the compiled kernels are kept: by their sources, how they are changed, the device and the driver.
pub fn place(folder: &Path, (major, minor): (i32, i32), driver: i32) -> Option<PathBuf> {
    let sources = crate::sources().get(..16)?;
    let name = format!("{sources}-{WAY}-sm{major}{minor}-{driver}.cubins");
    Some(folder.join("kernels").join(name))
}

/// What was kept; `None` if there is nothing, or it is not what was written.
pub fn read(place: &Path) -> Option<Vec<Vec<u8>>> {
    unpack(&fs::read(place).ok()?)
}

/// Keeps modules. That they could not be kept costs time at the next start and nothing else.
pub fn keep(place: &Path, modules: &[Vec<u8>]) {
    let Some(folder) = place.parent() else { return };
    let unfinished = place.with_extension(format!("{}.part", std::process::id()));
    let _ = fs::create_dir_all(folder)
        .and_then(|()| fs::write(&unfinished, pack(modules)))
        .and_then(|()| fs::rename(&unfinished, place));
}

/// Words: the magic, a sum over all that follows, the number of modules and their lengths; then the
/// modules.
fn pack(modules: &[Vec<u8>]) -> Vec<u8> {
    let lengths = modules.iter().map(|module| module.len() as u64);
    let mut after: Vec<u8> =
        [modules.len() as u64].into_iter().chain(lengths).flat_map(u64::to_le_bytes).collect();
    after.extend(modules.iter().flatten());
    let mut all = [MAGIC, sum(&after)].map(u64::to_le_bytes).concat();
    all.append(&mut after);
    all
}

fn unpack(bytes: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut rest = bytes;
    if word(&mut rest)? != MAGIC || word(&mut rest)? != sum(rest) {
        return None;
    }
    let count = word(&mut rest)?;
    let lengths: Vec<u64> = (0..count).map(|_| word(&mut rest)).collect::<Option<_>>()?;
    lengths
        .into_iter()
        .map(|length| {
            let (module, after) = rest.split_at_checked(usize::try_from(length).ok()?)?;
            rest = after;
            Some(module.to_vec())
        })
        .collect()
}

fn word(bytes: &mut &[u8]) -> Option<u64> {
    let (word, after) = bytes.split_first_chunk()?;
    *bytes = after;
    Some(u64::from_le_bytes(*word))
}

/// A sum that changes with every bit: FNV-1a, over words.
fn sum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks();
    let add = |sum: u64, word: u64| (sum ^ word).wrapping_mul(0x0100_0000_01b3);
    let sum = words.iter().fold(0xcbf2_9ce4_8422_2325, |sum, w| add(sum, u64::from_le_bytes(*w)));
    rest.iter().fold(sum, |sum, byte| add(sum, u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("batt-kept-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    fn modules() -> Vec<Vec<u8>> {
        vec![vec![1, 2, 3], Vec::new(), (0..=255).collect()]
    }

    #[test]
    fn what_is_kept_is_read_again() {
        let folder = folder("again");
        let place = place(&folder, (9, 0), 13000).unwrap();
        assert_eq!(read(&place), None);
        keep(&place, &modules());
        assert_eq!(read(&place), Some(modules()));
        // Nothing unfinished is left.
        assert_eq!(fs::read_dir(place.parent().unwrap()).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn devices_and_drivers_have_places_of_their_own() {
        let of = |capability, driver| place(Path::new("cache"), capability, driver).unwrap();
        assert_ne!(of((9, 0), 13000), of((8, 9), 13000));
        assert_ne!(of((9, 0), 13000), of((9, 0), 12080));
        assert!(of((9, 0), 13000).to_string_lossy().contains(&crate::sources()[..16]));
    }

    #[test]
    fn a_broken_file_is_ignored_and_replaced() {
        let folder = folder("broken");
        let place = place(&folder, (9, 0), 13000).unwrap();
        let whole = pack(&modules());
        for end in 0..whole.len() {
            assert_eq!(unpack(&whole[..end]), None, "{end}");
        }
        for at in 0..whole.len() {
            let mut wrong = whole.clone();
            wrong[at] ^= 16;
            assert_eq!(unpack(&wrong), None, "{at}");
        }
        keep(&place, &modules());
        fs::write(&place, &whole[..40]).unwrap();
        assert_eq!(read(&place), None);
        keep(&place, &modules());
        assert_eq!(read(&place), Some(modules()));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn lengths_that_lie_are_refused() {
        let mut after: Vec<u8> = [2, 8, u64::MAX].into_iter().flat_map(u64::to_le_bytes).collect();
        after.extend([0; 16]);
        let mut lie = [MAGIC, sum(&after)].map(u64::to_le_bytes).concat();
        lie.extend(after);
        assert_eq!(unpack(&lie), None);
    }
}
