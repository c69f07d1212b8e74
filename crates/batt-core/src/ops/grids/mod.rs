//! Grids.

mod cut;
mod join;
mod paint;
pub(super) mod read;
mod scale;
mod turn;
pub(super) mod wide;

pub use cut::*;
pub use join::*;
pub use paint::*;
pub use scale::*;
pub use turn::*;

pub(super) use cut::uniform;
pub(super) use join::of_value;
pub(super) use paint::is_wide;
