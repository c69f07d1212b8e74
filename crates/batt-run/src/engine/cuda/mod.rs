//! The engine on NVIDIA GPUs: the whole battery on the device, kernels for columns.
//!
//! Inputs go up once for a chunk of samples, a kernel computes columns of one primitive over all rows
//! of their frames, and only verdicts or the values that were asked for come down. Values name units of the
//! arena by number, so what the host writes means the same on the device.
//!
//! - `plan`, `step`: a pass made ready, with the kernel and the columns of every step
//! - `waves`: steps put together that need nothing of each other
//! - `session`, `pool`: the device's memory, its columns and frames
//! - `steps`, `pieces`: plans run as kernels that are started one after the other
//! - `slot`: a stream of a device, its memory, and whether it still works
//! - `lots`, `deal`, `batch`: programs and samples shared out among streams, and cores beside them
//! - `bring`, `inputs`, `chunk`, `rows`, `marks`: inputs up, steps, results down
//! - `arena`: the arena on the host's side
//! - `again`: what the device handed back, on the CPU engine
//! - `refuse`: plans of lots, without the steps that a device did not start
//! - `open`, `room`: which devices are used, and how much of them
//!
//! What the device cannot hold is handed back by program and sample. What does not fit into its memory
//! is split. If the device fails, the CPU engine does the work, and the counters say so.

mod again;
mod arena;
mod batch;
mod bring;
mod chunk;
mod deal;
mod inputs;
mod lots;
mod marks;
mod open;
mod pieces;
pub(super) mod plan;
mod pool;
mod refuse;
mod room;
mod rows;
mod session;
mod slot;
pub(super) mod step;
mod steps;
mod waves;

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use batt_core::Val;
use batt_core::seq::depth;
use batt_core::val::MAX_HELD_DEPTH;
pub use batt_cuda::driver::ask_for_queues;
pub use batt_cuda::{Device, Failure};
use batt_lang::Value;
use batt_lang::battery::{Battery, Pass};
use batt_lang::graph::{Def, SlotId};

use super::cpu::{Cpu, to_val};
use super::mark::Mark;
use super::shortcuts::Roots;
use super::spent::{DeviceReport, DeviceStart, Spent};
use super::{Counters, Engine, Loaded, Row, Sample, Setup};
use arena::Arena;
use batch::Batches;
use deal::Times;
pub use open::{NoList, Which, emulated, open};
use refuse::Plans;
pub use room::{NoRoom, Room};
use session::Session;
use slot::Slot;

/// The most samples that are run at a time, so that the host's part overlaps with the device's.
const CHUNK: usize = 8_192;
/// How deep values may nest on a device.
const DEEPEST: u32 = if MAX_HELD_DEPTH < 8 { MAX_HELD_DEPTH } else { 8 };

/// Lots for each stream: more of them balance better, and compute more of the same twice.
const LOTS: usize = 4;
/// Samples in a share of a lot, at least: a step takes as long as its slowest row, however few there are.
const FEWEST: usize = 256;

/// As many steps that were left out are named.
const MOST_NOTES: usize = 8;

/// The engine on one device or several.
pub struct Cuda {
    /// The streams of all devices.
    streams: Vec<Slot>,
    machines: usize,
    /// Whose turn it is.
    next: AtomicUsize,
    cpu: Cpu,
    chunk: usize,
    /// The most lots that programs are shared out into.
    lots: usize,
    /// The fewest samples in a share of a lot.
    fewest: usize,
    /// How many cores take part beside the devices,
    cores: usize,
    /// and how many of them do now.
    lent: AtomicUsize,
    spent: Mutex<Spent>,
    /// Which steps were left out, and why.
    notes: Mutex<Vec<String>>,
}

impl Cuda {
    /// The engine on some devices, a stream of each.
    pub fn new(devices: Vec<Arc<dyn Device>>, room: Room) -> Cuda {
        Cuda::with_streams(devices.into_iter().map(|device| vec![device]).collect(), room)
    }

    /// The engine on some devices, several streams of each, which may use so much memory each.
    pub fn with_streams(machines: Vec<Vec<Arc<dyn Device>>>, room: Room) -> Cuda {
        let most = machines.iter().map(Vec::len).max().unwrap_or(1);
        let count = machines.len();
        let machines = machines.into_iter().enumerate();
        let streams = machines.flat_map(|(at, streams)| Slot::of(streams, at, room)).collect();
        Cuda {
            streams,
            machines: count,
            next: AtomicUsize::new(0),
            cpu: Cpu::default(),
            chunk: CHUNK,
            lots: if most > 1 { most * LOTS } else { 1 },
            fewest: FEWEST,
            cores: 0,
            lent: AtomicUsize::new(0),
            spent: Mutex::default(),
            notes: Mutex::default(),
        }
    }

    /// The same with programs in so many lots, at most.
    #[must_use]
    pub fn with_lots(mut self, lots: usize) -> Cuda {
        self.lots = lots.max(1);
        self
    }

    /// The same with lots shared out until so few samples are left in a share.
    #[must_use]
    pub fn with_shares(mut self, fewest: usize) -> Cuda {
        self.fewest = fewest.max(1);
        self
    }

    /// The same with so many samples at a time, at most.
    #[must_use]
    pub fn with_chunk(mut self, samples: usize) -> Cuda {
        self.chunk = samples.max(1);
        self
    }

    /// The same with so many cores that take part of every batch; else they only do what devices hand back.
    #[must_use]
    pub fn with_cores(mut self, cores: usize) -> Cuda {
        self.cores = cores;
        self
    }

    /// The cores that take part in one of so many batches.
    fn lend(&self, many: usize) -> Lent<'_> {
        let wanted = if many == 0 { 0 } else { self.cores.div_ceil(many) };
        let with = |lent: usize| Some(lent + wanted.min(self.cores.saturating_sub(lent)));
        let (order, again) = (Ordering::Relaxed, Ordering::Relaxed);
        let before = self.lent.fetch_update(order, again, with).unwrap_or_default();
        Lent { lent: &self.lent, cores: wanted.min(self.cores.saturating_sub(before)) }
    }

    /// What was done so far.
    pub fn spent(&self) -> Spent {
        *self.spent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One stream of every device.
    fn machines(&self) -> impl Iterator<Item = &Slot> {
        (0..self.machines).filter_map(|at| self.streams.iter().find(|slot| slot.machine == at))
    }

    /// Its devices, and how their kernels were made ready.
    pub fn starts(&self) -> Vec<DeviceStart> {
        self.machines().map(|slot| DeviceStart::of(&*slot.device)).collect()
    }

    /// Whether a device still works.
    pub fn works(&self) -> bool {
        self.streams.iter().any(Slot::works)
    }

    /// The working stream that has the fewest lots; it has one more now.
    fn assign(&self) -> Option<&Slot> {
        // Where several have as few, each in its turn.
        let turn = self.next.fetch_add(1, Ordering::Relaxed);
        let many = self.streams.len().max(1);
        let working = (0..self.streams.len()).filter(|at| self.streams[*at].works());
        let load = |at: &usize| self.streams[*at].assigned.load(Ordering::Relaxed);
        let found = working.min_by_key(|at| (load(at), (at + many - turn % many) % many))?;
        self.streams[found].assigned.fetch_add(1, Ordering::Relaxed);
        Some(&self.streams[found])
    }

    fn count(&self, counters: &Counters, pairs: usize) {
        self.spent.lock().unwrap_or_else(PoisonError::into_inner).add(counters, pairs);
    }

    /// Notes what a device was not asked for, each thing once.
    fn note(&self, slot: &Slot, what: &str) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        let note = format!("{}: {what}", slot.device.name());
        if !notes.contains(&note) && notes.len() < MOST_NOTES {
            notes.push(note);
        }
    }

    /// Which steps were not done on a device that works, and why.
    pub fn left_out(&self) -> Vec<String> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Why devices failed, if any did.
    pub fn failures(&self) -> Vec<(String, Failure)> {
        let mut found: Vec<Option<(String, Failure)>> = vec![None; self.machines];
        for slot in &self.streams {
            let state = slot.state.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(why) = &state.failure {
                found[slot.machine].get_or_insert_with(|| (slot.device.name(), why.clone()));
            }
        }
        found.into_iter().flatten().collect()
    }
}

/// Cores that take part in a batch.
struct Lent<'e> {
    lent: &'e AtomicUsize,
    cores: usize,
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        self.lent.fetch_sub(self.cores, Ordering::Relaxed);
    }
}

impl Engine for Cuda {
    fn name(&self) -> &'static str {
        "cuda"
    }

    fn trouble(&self) -> Vec<String> {
        let failed = self.failures().into_iter().map(|(name, why)| format!("{name}: {why}"));
        failed.chain(self.left_out()).collect()
    }

    fn device_report(&self) -> Option<DeviceReport> {
        Some(self.spent().report(self.starts()))
    }

    fn batch_size(&self) -> Option<usize> {
        Some(self.chunk)
    }

    fn load<'a>(&'a self, setup: Setup<'a>) -> Box<dyn Loaded + 'a> {
        let roots = Roots::of(&setup);
        // Times of steps mean something only where nothing runs beside them.
        let most = if setup.timed { 1 } else { self.lots };
        let shared_out = |size: lots::Size| {
            let lots = lots::share_out(setup.battery, &roots.slots, most, size);
            let whole = lots.len() == 1;
            lots.into_iter().map(|places| self.lot(&setup, &roots, places, whole)).collect()
        };
        Box::new(Ready {
            engine: self,
            setup,
            constants: Constants::of(setup.battery),
            lots: shared_out(lots::Size::Small),
            few: shared_out(lots::Size::Large),
            batches: Batches::default(),
            roots: roots.slots,
        })
    }
}

impl Cuda {
    /// Programs that run together, by the places of their roots; `whole` if they are all there are.
    fn lot<'a>(
        &self,
        setup: &Setup<'a>,
        roots: &Roots,
        places: Vec<usize>,
        whole: bool,
    ) -> Lot<'a> {
        let roots = roots.some(&places);
        let pass =
            if whole { roots.pass(setup) } else { Cow::Owned(setup.battery.pass(&roots.slots)) };
        let per_sample = Mutex::new(PerSample::guess(setup.battery));
        let plans = Plans::of(self.machines);
        let (times, cores) = (Mutex::default(), OnceLock::new());
        Lot { places, roots, pass, per_sample, times, plans, cores }
    }
}

/// What a battery's constants are, ready for any device.
struct Constants {
    arena: Arena,
    /// Each constant with its slot.
    values: Vec<(SlotId, Val)>,
    /// The defaults of the safe policy, by slot.
    defaults: Vec<Val>,
}

impl Constants {
    fn of(battery: &Battery) -> Constants {
        let mut arena = Arena::new(64, 0);
        let mut defaults = vec![Val::BACK; battery.slot_count()];
        let mut values = Vec::new();
        for (slot, value) in super::cpu::constants(battery) {
            let val = hold(&mut arena, Some(value));
            defaults[slot.index()] = val;
            if matches!(battery.def(slot), Def::Value(_)) {
                values.push((slot, val));
            }
        }
        Constants { arena, values, defaults }
    }
}

/// A value in an arena; `BACK` if a device cannot hold it.
fn hold(arena: &mut Arena, value: Option<&Value>) -> Val {
    let Some(value) = value else { return Val::BACK };
    arena.reserve(value.elements().saturating_mul(8).saturating_add(64));
    let val = to_val(arena.cx(), value);
    if depth(val) > DEEPEST { Val::BACK } else { val }
}

/// How much memory a sample takes.
#[derive(Clone, Copy, Debug)]
struct PerSample {
    units: f64,
    bytes: f64,
}

impl PerSample {
    /// Before anything was measured.
    fn guess(battery: &Battery) -> PerSample {
        let slots = battery.slot_count() as f64;
        PerSample { units: 8.0 * slots + 64.0, bytes: 64.0 * slots + 1024.0 }
    }

    /// How many samples fit.
    fn fit(self, session: &Session<'_>) -> usize {
        let by_units = f64::from(session.units) * 0.9 / self.units;
        let by_bytes = session.pool_bytes() as f64 * 0.9 / self.bytes;
        (by_units.min(by_bytes) as usize).max(1)
    }
}

/// A pass that is ready to run.
struct Ready<'a> {
    engine: &'a Cuda,
    setup: Setup<'a>,
    roots: Vec<SlotId>,
    constants: Constants,
    /// Programs shared out,
    lots: Vec<Lot<'a>>,
    /// and into fewer lots, for many batches that run side by side.
    few: Vec<Lot<'a>>,
    batches: Batches,
}

/// Programs that run together.
struct Lot<'a> {
    /// Their places among all roots.
    places: Vec<usize>,
    roots: Roots,
    pass: Cow<'a, Pass>,
    per_sample: Mutex<PerSample>,
    /// How long it took before.
    times: Mutex<Times>,
    plans: Mutex<Plans>,
    /// The same programs ready for cores, once one runs them.
    cores: OnceLock<Box<dyn Loaded + 'a>>,
}

impl Lot<'_> {
    fn times(&self) -> Times {
        *self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn learn(&self, learn: impl FnOnce(&mut Times)) {
        learn(&mut self.times.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Loaded for Ready<'_> {
    fn run(&self, samples: &[Sample]) -> (Vec<Row>, Counters) {
        let run = |loaded: &dyn Loaded, samples: &[Sample]| loaded.run(samples);
        let (mut found, mut counters) = self.bring(samples, true, run);
        found.again.sort_by_key(|(at, root, _)| (*at, *root));
        let mut rows = self.rows(samples, found.shared_out, found.lots, &mut counters);
        for (at, root, cell) in found.again {
            rows[at][root] = cell;
            counters.again.push((at, root));
        }
        self.engine.count(&counters, samples.len() * self.roots.len());
        (rows, counters)
    }

    fn marks(&self, samples: &[Sample]) -> (Vec<Vec<Option<Mark>>>, Counters) {
        let marks = |loaded: &dyn Loaded, samples: &[Sample]| loaded.marks(samples);
        let (found, mut counters) = self.bring(samples, false, marks);
        let marks = self.all_marks(samples, found.shared_out, found.lots, &mut counters);
        self.engine.count(&counters, samples.len() * self.roots.len());
        (marks, counters)
    }
}
