//! Every primitive as a function of one row.
//!
//! Arguments are never bad: whoever runs a primitive has passed errors and hand-backs on before.
//! Each function gives what the reference engine gives, or [`crate::Val::BACK`].

pub mod alone;
mod colors;
mod containers;
mod functions;
mod grids;
mod lines;
mod numbers;
mod objects;
mod patches;
mod ranks;
mod regions;
mod restore;
mod samples;

pub use colors::*;
pub use containers::*;
pub use functions::*;
pub use grids::*;
pub use lines::*;
pub use numbers::*;
pub use objects::*;
pub use patches::*;
pub use ranks::*;
pub use regions::*;
pub use restore::*;
pub use samples::*;
