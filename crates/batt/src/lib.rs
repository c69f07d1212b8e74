//! The batt library: everything under one roof.
//!
//! - [`lang`]: the language as data: primitives, values, programs and their text
//! - [`run`]: tasks, the reference interpreter, runs and conformance
pub use batt_lang as lang;
pub use batt_run as run;
