//! The engine that chooses: the CPU, or GPUs where they are expected to be faster.
//!
//! Small work goes to the CPU without a look. For the rest the times of both sides are taken from a
//! calibration that was measured on this machine and is kept in the cache folder. A device is looked
//! for, opened and measured only when work comes that is large enough for it.
//!
//! - `model`, `weight`: what work is expected to take, and the choice
//! - `measure`: a short measurement of both sides
//! - `keep`: calibrations as files
//! - `source`: where devices come from
//! - `counted`: the CPU, with a count of what it did

mod counted;
mod keep;
mod measure;
mod model;
mod source;
mod weight;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use batt_lang::battery::Battery;
use batt_lang::graph::SlotId;

use super::cuda::Cuda;
use super::mark::Mark;
use super::spent::DeviceReport;
use super::{Amount, Counters, Engine, Loaded, Phase, Row, Sample, Setup};
use counted::Counted;
pub use measure::{Sizes, measure, some_programs};
pub use model::{Calibration, Choice, Cost, Key, Size};
pub use source::{Emulated, Source, ThisMachine, calibrate, calibrate_with, kept};
pub use weight::Weights;

/// Slots times samples under which no device is looked for: the CPU is done before one is open.
const SMALL: usize = 1 << 20;
/// Slots times samples from which a device is measured, if it never was: as long as that takes, the
/// CPU would be busy.
const LARGE: usize = 1 << 25;
/// How many choices are told.
const TOLD: usize = 4;

/// The slots that a phase of a battery evaluates.
pub fn slots_of(battery: &Battery, phase: Phase) -> usize {
    let pass = phase.pass(battery);
    (0..battery.slot_count()).filter(|at| pass.needs(SlotId(*at as u32))).count()
}

/// The engine that chooses.
pub struct Auto {
    cpu: Counted,
    source: Box<dyn Source>,
    cache: Option<PathBuf>,
    sizes: Sizes<'static>,
    /// What is known of the device before it is opened: its key, and its calibration.
    known: OnceLock<Result<(Key, Option<Calibration>), String>>,
    opened: OnceLock<Result<(Cuda, Calibration), String>>,
    used: AtomicBool,
    told: Mutex<Vec<String>>,
    told_small: AtomicBool,
}

impl Auto {
    /// Chooses between the CPU and what a source has; calibrations are kept in a folder, if given.
    pub fn new(source: Box<dyn Source>, cache: Option<PathBuf>) -> Auto {
        Auto {
            cpu: Counted::default(),
            source,
            cache,
            sizes: Sizes::default(),
            known: OnceLock::new(),
            opened: OnceLock::new(),
            used: AtomicBool::new(false),
            told: Mutex::default(),
            told_small: AtomicBool::new(false),
        }
    }

    /// The same with other sizes to measure.
    #[must_use]
    pub fn with_sizes(mut self, sizes: Sizes<'static>) -> Auto {
        self.sizes = sizes;
        self
    }

    fn known(&self) -> Result<&(Key, Option<Calibration>), String> {
        let known = self.known.get_or_init(|| {
            let key = self.source.key()?;
            let kept = self.cache.as_deref().and_then(|folder| keep::load(folder, &key));
            Ok((key, kept))
        });
        known.as_ref().map_err(Clone::clone)
    }

    /// The device, opened, and measured if that was never done.
    pub fn open(&self) -> Result<(&Cuda, &Calibration), String> {
        let opened = self.opened.get_or_init(|| {
            let (key, kept) = self.known()?;
            match kept {
                Some(calibration) => Ok((self.source.open()?, calibration.clone())),
                None => {
                    source::measured(&*self.source, key.clone(), self.cache.as_deref(), &self.sizes)
                }
            }
        });
        opened.as_ref().map(|(cuda, calibration)| (cuda, calibration)).map_err(Clone::clone)
    }

    fn is_open(&self) -> bool {
        matches!(self.opened.get(), Some(Ok(_)))
    }

    /// Whether no device is looked for.
    fn small(&self, size: Size<'_>) -> bool {
        !self.is_open() && size.slots.saturating_mul(size.samples) < SMALL
    }

    /// The faster side for some work, and why.
    pub fn choose(&self, size: Size<'_>) -> (Option<&Cuda>, String) {
        let much = size.slots.saturating_mul(size.samples);
        let is_open = self.is_open();
        if self.small(size) {
            return (None, "too little work for a GPU".to_string());
        }
        let calibration = match self.known() {
            Err(why) => return (None, why),
            Ok((_, None)) if !is_open && much < LARGE => {
                let why = "this GPU was not measured yet; `batt devices --calibrate` does";
                return (None, why.to_string());
            }
            Ok((_, kept)) => kept,
        };
        // What is known may already say that opening the device is not worth it.
        if let (false, Some(calibration)) = (is_open, calibration) {
            let choice = calibration.choose(size, false);
            if !choice.device {
                return (None, choice.words(&calibration.key.device));
            }
        }
        match self.open() {
            Err(why) => (None, why),
            Ok((cuda, calibration)) => {
                let choice = calibration.choose(size, true);
                let device = (choice.device && cuda.works()).then_some(cuda);
                (device, choice.words(&calibration.key.device))
            }
        }
    }

    fn tell(&self, side: &str, why: &str) {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let line = format!("{side}: {why}");
        if told.len() < TOLD && !told.contains(&line) {
            told.push(line);
        }
    }

    /// The engine for some work.
    fn side(&self, size: Size<'_>) -> &dyn Engine {
        // Evolution asks this thousands of times a second.
        if self.small(size) && self.told_small.swap(true, Ordering::Relaxed) {
            return &self.cpu;
        }
        let (device, why) = self.choose(size);
        self.tell(if device.is_some() { "cuda" } else { "cpu" }, &why);
        match device {
            Some(cuda) => {
                self.used.store(true, Ordering::Relaxed);
                cuda
            }
            None => &self.cpu,
        }
    }
}

impl Choice {
    /// What was expected.
    fn words(&self, device: &str) -> String {
        let Choice { cpu_seconds, device_seconds, .. } = self;
        format!("{cpu_seconds:.3} s expected on the CPU, {device_seconds:.3} s on {device}")
    }
}

impl Engine for Auto {
    fn name(&self) -> &'static str {
        let cpu = self.cpu.used();
        match (self.used.load(Ordering::Relaxed), cpu) {
            (false, _) => "cpu",
            (true, false) => "cuda",
            (true, true) => "cpu and cuda",
        }
    }

    fn trouble(&self) -> Vec<String> {
        match self.opened.get() {
            Some(Ok((cuda, _))) => cuda.trouble(),
            _ => Vec::new(),
        }
    }

    fn device_report(&self) -> Option<DeviceReport> {
        let Some(Ok((cuda, _))) = self.opened.get() else { return None };
        if !self.used.load(Ordering::Relaxed) {
            return None;
        }
        Some(cuda.spent().with(self.cpu.spent()).report(cuda.starts()))
    }

    fn choices(&self) -> Vec<String> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn pick(&self, work: &Amount<'_>) -> Option<&dyn Engine> {
        let Amount { battery, phase, samples, threads } = *work;
        let slots = slots_of(battery, phase);
        Some(self.side(Size { slots, of: Some((battery, phase)), samples, threads }))
    }

    fn load<'a>(&'a self, setup: Setup<'a>) -> Box<dyn Loaded + 'a> {
        let slots = slots_of(setup.battery, setup.phase);
        Box::new(Later { auto: self, setup, slots, sides: [OnceLock::new(), OnceLock::new()] })
    }
}

/// A pass whose side is chosen with every batch, by who did not ask before. Each batch is one thread's.
struct Later<'a> {
    auto: &'a Auto,
    setup: Setup<'a>,
    slots: usize,
    sides: [OnceLock<Box<dyn Loaded + 'a>>; 2],
}

impl<'a> Later<'a> {
    fn side(&self, samples: usize) -> &dyn Loaded {
        let of = Some((self.setup.battery, self.setup.phase));
        let size = Size { slots: self.slots, of, samples, threads: 1 };
        let engine: &'a dyn Engine = self.auto.side(size);
        let device = usize::from(engine.batch_size().is_some());
        &**self.sides[device].get_or_init(|| engine.load(self.setup))
    }
}

impl Loaded for Later<'_> {
    fn run(&self, samples: &[Sample]) -> (Vec<Row>, Counters) {
        self.side(samples.len()).run(samples)
    }

    fn marks(&self, samples: &[Sample]) -> (Vec<Vec<Option<Mark>>>, Counters) {
        self.side(samples.len()).marks(samples)
    }
}

/// The engine that chooses between this machine's CPU and its GPUs, with the cores beside them or without.
pub fn here(room: super::cuda::Room, cores: bool) -> Auto {
    // What is kept was measured with them.
    let cache = crate::tasks::cache_folder().ok().filter(|_| cores);
    Auto::new(Box::new(ThisMachine { room, cores }), cache)
}
