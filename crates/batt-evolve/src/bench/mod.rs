//! What breeding is measured by.
//!
//! - [`repair`]: broken programs, and how many of them evolution repairs
//! - [`rate`]: how many new programs a core makes and evaluates per second, the archive included

pub mod rate;
pub mod repair;
