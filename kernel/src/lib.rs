//! batt-core for NVIDIA GPUs: one small kernel for every instruction of a battery.
//!
//! A kernel computes a column: it walks over the rows that its grid has no threads for, so any number
//! of blocks is right. Where values are masks, grids or containers a warp takes a row, lane = row of
//! the grid; where they are only looked at, a thread does.
//!
//! batt-core's modules are compiled into this crate: what they keep out of line must be in the same
//! PTX as the kernels. `kernel/build.sh` builds it.
//!
//! Safety: every address in the parameters comes from the host, which gives each launch columns with
//! a place for every row; indices are rows of the columns they lead to.

#![no_std]
#![feature(abi_ptx, asm_experimental_arch, stdarch_nvptx, link_llvm_intrinsics)]
#![feature(stmt_expr_attributes)]
#![allow(internal_features, unsafe_op_in_unsafe_fn, unused_qualifications)]
#![allow(dead_code, reason = "batt-core has more than kernels need")]

macro_rules! core_modules {
    ($($name:ident $path:literal;)*) => { $(#[path = $path] pub mod $name;)* };
}
core_modules! {
    apart "../../crates/batt-core/src/apart/mod.rs";
    arena "../../crates/batt-core/src/arena.rs";
    chunk "../../crates/batt-core/src/chunk.rs";
    close "../../crates/batt-core/src/close.rs";
    columns "../../crates/batt-core/src/columns.rs";
    counts "../../crates/batt-core/src/counts/mod.rs";
    forms "../../crates/batt-core/src/forms/mod.rs";
    function "../../crates/batt-core/src/function.rs";
    gather "../../crates/batt-core/src/gather/mod.rs";
    global "../../crates/batt-core/src/global.rs";
    grid "../../crates/batt-core/src/grid.rs";
    keys "../../crates/batt-core/src/keys.rs";
    lanes "../../crates/batt-core/src/lanes/mod.rs";
    mask "../../crates/batt-core/src/mask.rs";
    ops "../../crates/batt-core/src/ops/mod.rs";
    order "../../crates/batt-core/src/order.rs";
    patch "../../crates/batt-core/src/patch.rs";
    seq "../../crates/batt-core/src/seq.rs";
    sort "../../crates/batt-core/src/sort/mod.rs";
    unknown "../../crates/batt-core/src/unknown.rs";
    val "../../crates/batt-core/src/val.rs";
    wide "../../crates/batt-core/src/wide/mod.rs";
}
#[path = "../../crates/batt-lang/src/ops/table.rs"]
#[macro_use]
mod table;

mod alone;
mod answers;
mod batches;
mod calls;
mod classes;
mod closes;
mod counted;
mod frames;
mod pieces;
mod power;
mod ready;
mod rows;

pub use arena::Cx;
pub use lanes::Lanes;
pub use val::{Fault, Tag, Val};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    // SAFETY: ends the kernel. Nothing here panics; the linker would miss a symbol if it did.
    unsafe { core::arch::nvptx::trap() }
}
