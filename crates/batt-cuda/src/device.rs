//! What a device can do.

use std::time::Duration;

use thiserror::Error;

/// A kernel of a device, by its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kernel(pub u32);

/// Why a device did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Failure {
    /// NVIDIA's driver is not installed.
    #[error("there is no NVIDIA driver (libcuda was not found)")]
    NoLibrary,
    /// There is a driver and no device.
    #[error("the NVIDIA driver finds no device")]
    NoDevice,
    /// There is no device of that number.
    #[error("there is no device {0}")]
    NoSuchDevice(usize),
    /// The kernels could not be compiled or loaded.
    #[error("the kernels could not be loaded: {0}")]
    Load(String),
    /// No memory is left on the device.
    #[error("the device has no memory left")]
    OutOfMemory,
    /// A kernel could not be started.
    #[error("a kernel could not be started: {0}")]
    Launch(String),
    /// A kernel took longer than anything should.
    #[error("a kernel did not end in {0} s")]
    Stuck(u64),
    /// It was told to stop, and works.
    #[error("the device was told to stop")]
    Stopped,
    /// The device failed, or is gone.
    #[error("the device failed: {0}")]
    Lost(String),
}

/// How a device's kernels were made ready.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Start {
    /// Whether they had to be compiled; else they came from the cache.
    pub compiled: bool,
    /// How long that took.
    pub time: Duration,
}

/// Bytes that are ready to be sent to any device.
pub trait Staged: Send + Sync {
    /// The bytes.
    fn bytes(&self) -> &[u8];
}

/// Bytes on their way from a device.
pub trait Arriving: Send {
    /// Waits for them, by any thread, and puts them into `bytes`, which has room for them.
    fn take(self: Box<Self>, bytes: &mut [u8]) -> Result<(), Failure>;
}

/// A device with the kernels loaded. What is asked of it happens in the order it was asked; only
/// [`Device::download`] and [`Device::wait`] wait for it. [`Device::stage`] and [`Device::fetch`] let a
/// copy's part on the host overlap with what the device does for others.
pub trait Device: Send + Sync {
    /// What it calls itself.
    fn name(&self) -> String;
    /// How its kernels were made ready.
    fn start(&self) -> Start;
    /// How long kernels have run so far.
    fn kernel_time(&self) -> Duration;
    /// How many units compute side by side.
    fn processors(&self) -> u32;
    /// Bytes that are free.
    fn free_memory(&self) -> Result<usize, Failure>;
    /// Allocates bytes.
    fn alloc(&self, size: usize) -> Result<u64, Failure>;
    /// Frees what was allocated.
    fn free(&self, at: u64) -> Result<(), Failure>;
    /// Copies bytes to the device; they may be changed as soon as this is back.
    fn upload(&self, at: u64, bytes: &[u8]) -> Result<(), Failure>;
    /// Copies bytes from one place of the device to another, in its order.
    fn copy(&self, from: u64, to: u64, size: usize) -> Result<(), Failure> {
        let mut bytes = vec![0; size];
        self.download(from, &mut bytes)?;
        self.upload(to, &bytes)
    }
    /// Copies bytes from the device, after everything that was asked before.
    fn download(&self, at: u64, bytes: &mut [u8]) -> Result<(), Failure>;
    /// Readies bytes to be sent, without asking anything of the device.
    fn stage<'d>(&'d self, bytes: &[u8]) -> Result<Box<dyn Staged + 'd>, Failure>;
    /// Begins to copy bytes that are ready. They must be kept until this device has been waited for.
    fn send(&self, at: u64, bytes: &dyn Staged) -> Result<(), Failure> {
        self.upload(at, bytes.bytes())
    }
    /// Begins to copy bytes from the device, after everything that was asked before and before
    /// everything that is asked later.
    fn fetch(&self, at: u64, size: usize) -> Result<Box<dyn Arriving + '_>, Failure>;
    /// Sets bytes to zero.
    fn clear(&self, at: u64, size: usize) -> Result<(), Failure>;
    /// The kernel of a name.
    fn kernel(&self, name: &str) -> Result<Kernel, Failure>;
    /// Starts a kernel of so many blocks of threads.
    fn launch(
        &self,
        kernel: Kernel,
        blocks: u32,
        threads: u32,
        params: &[u8],
    ) -> Result<(), Failure>;
    /// Waits until everything is done.
    fn wait(&self) -> Result<(), Failure>;
}

/// Bytes of a device that copies at once: ready to be sent, or there.
pub struct Plain(Vec<u8>);

impl Plain {
    /// Bytes to be sent.
    pub fn stage(bytes: &[u8]) -> Plain {
        Plain(bytes.to_vec())
    }

    /// Bytes from a device.
    pub fn fetch<D: Device + ?Sized>(device: &D, at: u64, size: usize) -> Result<Plain, Failure> {
        let mut bytes = vec![0; size];
        device.download(at, &mut bytes)?;
        Ok(Plain(bytes))
    }
}

impl Staged for Plain {
    fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl Arriving for Plain {
    fn take(self: Box<Self>, bytes: &mut [u8]) -> Result<(), Failure> {
        let size = self.0.len().min(bytes.len());
        bytes[..size].copy_from_slice(&self.0[..size]);
        Ok(())
    }
}
