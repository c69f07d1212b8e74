//! Patches: where they are and how they relate.

mod build;
mod moving;
mod outlines;
mod periods;
mod relations;
mod sides;
mod view;

pub(in crate::ops) use build::{around, filled, line, narrow_box};
pub(in crate::ops) use view::{
    Read, View, bounds, extent, fault, given, good, locations, pair_of, view,
};

pub use moving::*;
pub use outlines::*;
pub use periods::*;
pub use relations::*;
pub use sides::*;
