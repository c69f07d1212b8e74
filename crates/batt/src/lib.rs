//! The batt library: everything under one roof.
pub use batt_lang as lang;
pub use batt_run as run;
