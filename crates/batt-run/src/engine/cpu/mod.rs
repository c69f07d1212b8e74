//! The fast engine on a CPU: bit-parallel primitives, a column at a time.

mod call;
mod convert;
mod memory;

pub use call::call;
pub use convert::{to_val, to_value};
pub use memory::Memory;
