//! Fuzz targets as functions of bytes: each panics where something is wrong, and does nothing otherwise.
//!
//! The folder `fuzz/` hands them to a fuzzer; the test `seeds` of this crate gives each of them the files
//! that are stored in `fuzz/seeds/`, so that what a fuzzer once found stays found without one.
//!
//! - [`files`]: whatever people have in files: programs, batteries, canonical programs, tasks
//! - [`random`]: bytes as the choices of a random program: merged against alone, one engine against
//!   another, any primitive on any values

pub mod files;
pub mod random;

/// A target: its name, and what it does with bytes.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: [Target; 7] = [
    ("parse", files::parse),
    ("battery_file", files::battery_file),
    ("canonical", files::canonical),
    ("tasks", files::tasks),
    ("primitives", random::primitives),
    ("battery", random::battery),
    ("engines", random::engines),
];
