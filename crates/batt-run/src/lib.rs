//! Tasks, engines, runs and scores.
//!
//! - [`reference`]: the reference interpreter, which is the specification
//! - [`engine`]: what evaluates batteries
//! - [`tasks`]: tasks, data sets, and the embedded ones
//! - [`programs`]: the programs and differs that are part of the binary
//! - [`random`]: random programs, grids and tasks
//! - [`verify`]: two ways to run the same programs, compared
//! - [`profile`]: where a battery's time goes
//! - [`bench`]: the same work in several ways, side by side
//! - [`conform`]: conformance records, which every engine runs

pub mod bench;
pub mod conform;
pub mod engine;
pub mod profile;
pub mod programs;
pub mod random;
pub mod reference;
pub mod run;
pub mod stop;
pub mod tasks;
pub mod verify;
