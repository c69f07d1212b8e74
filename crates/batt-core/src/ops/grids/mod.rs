//! Grids.

mod any;
pub(super) mod board;
mod cells;
mod cut;
mod join;
mod paint;
pub(super) mod read;
pub(super) mod rows;
mod scale;
mod strokes;
mod turn;

pub use cut::*;
pub use join::*;
pub use paint::*;
pub use scale::*;
pub use turn::*;

pub(super) use cut::{slice, uniform};
pub(super) use join::of_value;
