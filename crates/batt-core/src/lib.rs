//! Bit-parallel values and primitives: one source for CPU SIMD and GPUs.
//!
//! An ARC grid has at most 30 rows of at most 30 cells, so a set of cells is 32 rows of 32 bits:
//! two AVX-512 registers, four AVX2 registers, or one warp of a GPU, lane = row, bit = column.
//! Everything here is written once over the [`Lanes`] trait.
//!
//! - [`lanes`]: 32 rows of 32 bits, and what can be done with them at once
//! - [`val`]: a value in 16 bytes; what is larger lives in the [`arena`]
//! - [`mask`], [`grid`], [`wide`], [`patch`]: sets of locations, grids, objects
//! - [`seq`], [`order`]: containers of values, their canonical order, equality
//! - [`gather`], [`keys`]: building containers from values, comparing keys
//! - [`ops`]: every primitive as a function of one row
//! - [`function`]: functions as values, which can be held but not called
//! - [`unknown`]: what is known of calls of such functions
//! - [`counts`]: sets of which only the size is asked for
//! - [`close`]: what a higher-order primitive makes of the results of its bodies
//!
//! No standard library, no allocation outside the arena, no panics, and control flow only on
//! values that are the same in all lanes: that is what lets the same functions run on a GPU.
//!
//! A primitive gives a value, an error, or [`Val::BACK`]: "this engine cannot hold it", for kinds
//! that real programs hardly ever make. Whoever runs it then asks the reference engine, so a
//! function here may always decline and must never guess.

#![no_std]
#![cfg_attr(target_arch = "nvptx64", feature(link_llvm_intrinsics), allow(internal_features))]
// Primitives must be compiled inside the caller, which says what instructions there are.
#![allow(clippy::inline_always)]
// Every function here is a value of its arguments; nobody drops one by mistake.
#![allow(clippy::must_use_candidate, clippy::return_self_not_must_use)]
// `ilog2` may panic; a count of zeros may not, and nothing that may panic can run on a GPU.
#![allow(clippy::manual_ilog2)]

pub mod apart;
pub mod arena;
#[cfg(target_arch = "nvptx64")]
pub mod chunk;
pub mod close;
pub mod columns;
pub mod counts;
pub mod forms;
pub mod function;
pub mod gather;
#[cfg(target_arch = "nvptx64")]
pub mod global;
pub mod grid;
pub mod keys;
pub mod lanes;
pub mod mask;
pub mod ops;
pub mod order;
pub mod patch;
pub mod seq;
pub mod shortcut;
mod sort;
pub mod unknown;
pub mod val;
pub mod wide;

pub use arena::Cx;
pub use lanes::Lanes;
pub use lanes::array::Array;
pub use shortcut::Shortcut;
pub use val::{Fault, Tag, Val};
