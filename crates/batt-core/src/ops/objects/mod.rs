//! From grids to objects and locations.

mod connected;
mod labels;
mod occurrences;
mod parts;
mod runs;
mod wide;

pub use connected::*;
pub use occurrences::*;
pub use parts::*;
