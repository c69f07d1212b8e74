//! batt's kernels for NVIDIA GPUs, and what an engine asks of a device.
//!
//! - [`PTX`]: the kernels, as `kernel/build.sh` built them
//! - [`parts`]: the kernels cut into parts, which a driver compiles side by side
//! - [`reduce`]: the kernels with what newer devices do in one instruction
//! - [`device`]: what a device can do, as a trait: a real one, one that is emulated, one that fails
//! - [`driver`]: devices behind NVIDIA's driver, which is looked for at run time
//!
//! Nothing here needs CUDA to build, and nothing here panics where there is none.
//!
//! ```
//! match batt_cuda::driver::devices() {
//!     Ok(found) => println!("{} devices", found.len()),
//!     Err(why) => println!("no device: {why}"),
//! }
//! ```

#[path = "../../../kernel/src/classes.rs"]
mod classes;
pub mod device;
pub mod driver;
mod params;
pub mod parts;
pub mod reduce;

pub use classes::by_thread;
pub use device::{Arriving, Device, Failure, Kernel, Staged, Start};
pub use params::{Params, bytes, bytes_mut};

/// The kernels, for Turing and newer. A driver compiles them for its device. A `const` would be in a program as
/// often as it is named.
pub static PTX: &str = include_str!("../../../kernel/batt.ptx");

/// The hash of the sources that the kernels were built from.
pub fn sources() -> &'static str {
    PTX.lines().find_map(|line| line.strip_prefix("// sources: ")).unwrap_or_default()
}
