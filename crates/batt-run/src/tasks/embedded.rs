//! The tasks that are part of the binary.

use super::Dataset;
use super::load::load_texts;

macro_rules! texts {
    ($($id:literal)*) => {
        &[$((
            concat!($id, ".json"),
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tasks/", $id, ".json")),
        )),*]
    };
}

/// Every file of the folder `tasks/`; a test compares the two.
const TEXTS: &[(&str, &str)] = texts! {};

/// Our own small tasks.
pub fn embedded() -> Dataset {
    load_texts("embedded", env!("CARGO_PKG_VERSION"), TEXTS)
        .expect("the embedded tasks are right; a test loads them")
}
