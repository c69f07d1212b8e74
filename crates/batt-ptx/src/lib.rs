//! Runs PTX on a CPU: GPU kernels tested where no GPU is.
//!
//! It knows the PTX that rustc writes for batt's kernels, and refuses the rest while reading. The 32
//! lanes of a warp run in lockstep. What a GPU leaves undefined is an error here: a shuffle or a vote
//! that some lanes do not come to, an access outside of every allocation, one that is not aligned.
//!
//! - [`module`]: a program that was read
//! - [`memory`]: what kernels may read and write
//! - [`warp`]: 32 lanes, how they part and meet
//!
//! ```
//! use batt_ptx::{Grid, Memory, Module};
//!
//! let ptx = "
//! .visible .entry lanes(.param .b64 lanes_param_0)
//! {
//!     .reg .b32 %r<2>;
//!     .reg .b64 %rd<4>;
//!     ld.param.b64 %rd1, [lanes_param_0];
//!     mov.u32 %r1, %tid.x;
//!     mul.wide.u32 %rd2, %r1, 4;
//!     add.s64 %rd3, %rd1, %rd2;
//!     st.b32 [%rd3], %r1;
//!     ret;
//! }";
//! let mut memory = Memory::default();
//! let module = Module::read(ptx, &mut memory)?;
//! let words = memory.alloc(4 * 32);
//! module.launch("lanes", Grid { blocks: 1, threads: 32 }, &words.to_le_bytes(), &mut memory)?;
//! assert_eq!(memory.read(words + 4 * 7, 4)?, 7_u32.to_le_bytes());
//! # Ok::<(), batt_ptx::Error>(())
//! ```

mod emulator;
mod meet;
pub mod memory;
pub mod module;
mod operation;
mod read;
mod run;
pub mod warp;

pub use emulator::Emulator;
pub use memory::Memory;
pub use module::Module;
pub use warp::Grid;

/// What went wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Error(pub String);

impl Error {
    /// An error that says this.
    pub fn new(what: impl Into<String>) -> Error {
        Error(what.into())
    }
}
