//! Tasks: demo pairs and test inputs, one at a time or as a data set.
//!
//! - [`load()`] reads a data set: a path in any of the forms ARC comes in, a name, or `embedded`
//! - [`Dataset`] holds the tasks in a stable order, with their splits and a hash of their content
//! - [`get()`] fetches the public data sets into the user's cache folder
//! - [`embedded()`] is our own data set, part of the binary

mod cache;
mod dataset;
mod embedded;
mod error;
mod get;
mod grid;
pub(super) mod load;
mod task;

pub use cache::{NAMED, Named, cache_folder, named};
pub use dataset::{ContentHash, Dataset, Split};
pub use embedded::embedded;
pub use error::{BadTask, DataError, Part, Place, Problem, Side};
pub use get::{GetError, Got, GotSet, get};
pub use grid::Grid;
pub use load::{load, load_path, load_text};
pub use task::{Example, Task};
