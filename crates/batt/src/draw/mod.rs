//! Grids and values drawn for a terminal: blocks of text that stand side by side.
//!
//! A cell is two characters wide, so that it looks square. Without colour it is its digit. What
//! differs from what was expected is marked with a character as well as by its place.

mod block;
mod palette;
mod picture;
mod value;

pub use block::{Block, beside};
pub use palette::{Depth, RGB, Style};
pub use picture::{compared, difference, grid};
pub use value::{shorten, value};
