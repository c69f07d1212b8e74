//! batt-core's primitives compiled for the instruction sets of CPUs.
//!
//! A crate of its own because it holds a copy of every primitive for every instruction set: it is
//! large to compile and hardly ever changes.

// What is not inlined into a function for an instruction set cannot use it.
#![allow(clippy::inline_always)]

mod closing;
mod items;
mod kernels;
mod masks;
mod plain;
mod quick;
#[cfg(target_arch = "x86_64")]
mod vector;
#[cfg(not(target_arch = "x86_64"))]
#[path = "no_vector.rs"]
mod vector;
#[cfg(target_arch = "x86_64")]
mod words;

pub use closing::{Closing, Form, closer};
pub use items::{Lister, Opener, Opening, lister, opener};
pub use kernels::{Kernel, Operand, Set, Task, bad_of, call, call_rows, counter, kernel};
