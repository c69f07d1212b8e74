//! Where devices come from: this machine, or a test.

use std::path::Path;
use std::time::Instant;

use batt_cuda::driver;

use super::keep;
use super::measure::{Sizes, measure};
use super::model::{Calibration, Key};
use crate::engine::cpu::Cpu;
use crate::engine::cuda::{self, Cuda, Room, Which};

/// Where devices come from.
pub trait Source: Send + Sync {
    /// What the devices are, before they are opened; an error says why there are none.
    fn key(&self) -> Result<Key, String>;
    /// Opens them.
    fn open(&self) -> Result<Cuda, String>;
}

/// All GPUs of this machine.
#[derive(Clone, Copy, Debug)]
pub struct ThisMachine {
    /// How much of them may be used.
    pub room: Room,
    /// Whether the cores take part of what they do.
    pub cores: bool,
}

impl Default for ThisMachine {
    fn default() -> Self {
        ThisMachine { room: Room::default(), cores: true }
    }
}

impl Source for ThisMachine {
    fn key(&self) -> Result<Key, String> {
        let found = driver::devices().map_err(|why| why.to_string())?;
        let first = found.first().ok_or_else(|| cuda::Failure::NoDevice.to_string())?;
        if let Some(old) = found.iter().find(|info| info.capability < driver::LEAST) {
            return Err(format!("{} is too old for the kernels", old.name));
        }
        let name = match found.len() {
            1 => first.name.clone(),
            many => format!("{many} x {}", first.name),
        };
        Ok(Key::new(&name, driver::version().map_err(|why| why.to_string())?))
    }

    fn open(&self) -> Result<Cuda, String> {
        let cuda = cuda::open(&Which::All, self.room).map_err(|why| why.to_string())?;
        Ok(if self.cores { cuda } else { cuda.with_cores(0) })
    }
}

/// A device that this CPU plays.
#[derive(Clone, Copy, Debug)]
pub struct Emulated;

impl Source for Emulated {
    fn key(&self) -> Result<Key, String> {
        Ok(Key::new("emulator", 0))
    }

    fn open(&self) -> Result<Cuda, String> {
        cuda::emulated(Room::default()).map_err(|why| why.to_string())
    }
}

/// Opens a source's devices, measures them, and keeps what was measured.
pub(super) fn measured(
    source: &dyn Source,
    key: Key,
    cache: Option<&Path>,
    sizes: &Sizes<'_>,
) -> Result<(Cuda, Calibration), String> {
    let started = Instant::now();
    let cuda = source.open()?;
    // Compiling is paid once on a machine and does not count; everything else comes again.
    let compiled = cuda.starts().into_iter().filter(|start| start.compiled);
    let compiling: f64 = compiled.map(|start| start.ready_seconds).sum();
    let open = (started.elapsed().as_secs_f64() - compiling).max(0.0);
    let calibration = measure(&Cpu::default(), &cuda, key, sizes, open);
    if let Some((name, why)) = cuda.failures().first() {
        return Err(format!("{name}: {why}"));
    }
    if let Some(folder) = cache {
        calibration.save(folder);
    }
    Ok((cuda, calibration))
}

/// Measures a source's devices anew, and keeps what was measured.
pub fn calibrate(source: &dyn Source, cache: Option<&Path>) -> Result<Calibration, String> {
    calibrate_with(source, cache, &Sizes::default())
}

/// The same with other sizes to measure.
pub fn calibrate_with(
    source: &dyn Source,
    cache: Option<&Path>,
    sizes: &Sizes<'_>,
) -> Result<Calibration, String> {
    let key = source.key()?;
    measured(source, key, cache, sizes).map(|(_, calibration)| calibration)
}

/// What was measured before, if it still holds.
pub fn kept(source: &dyn Source, cache: Option<&Path>) -> Option<Calibration> {
    keep::load(cache?, &source.key().ok()?)
}
