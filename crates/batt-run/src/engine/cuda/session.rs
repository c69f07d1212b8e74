//! A device's memory while a chunk of samples runs: columns, frames and the arena.

use batt_core::arena::{ROWS as ROWS_UNITS, UNIT};
use batt_core::columns::{Call, Calls, MOST_CALLS, Memory, NOT_ITSELF, Open, Operand, THREADS};
use batt_cuda::{Device, Failure, Kernel, Params, bytes, bytes_mut};
use batt_lang::battery::Battery;
use batt_lang::graph::{FrameId, SlotId};

use super::pool::Pool;
use super::step::{OpenStep, Step};
use crate::engine::SlotCount;
use crate::engine::check::needing;
use crate::engine::seen::{Seen, Via};

/// Bytes of a unit of the arena.
pub const UNIT_BYTES: u64 = UNIT as u64 * 4;
/// Bytes of a value.
pub const VALUE_BYTES: u64 = 16;
/// Where the arena's count is among the counts.
const TAKEN: u64 = 0;
/// Bytes of that count.
pub const TAKEN_BYTES: usize = 4;
/// Where a frame's count of rows is.
pub const ROWS: u64 = 64;
/// Where a value is whose words stay zero.
const ZERO: u64 = 128;
/// Where the count of brought-out units is.
pub const EXPORTED: u64 = 192;
/// Bytes of all counts.
const COUNTS: usize = 256;
/// Blocks that a processor is given at most; more rows are walked over.
const BLOCKS: u32 = 16;
/// Bytes of what a warp has left of the arena.
const LEFT: u64 = 8;
/// The part of the memory that those may take, and that warps may have left of the arena.
const KEPT: u64 = 64;
/// The most units that a warp takes at once.
const MOST_TAKEN: u32 = 256;

/// What the device did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Kernels started.
    pub kernels: u64,
    /// Bytes copied to the device.
    pub up: u64,
    /// Bytes copied back.
    pub down: u64,
}

/// The kernels that are no primitives.
pub struct Kernels {
    pub choose: Kernel,
    pub or_else: Kernel,
    pub fill: Kernel,
    pub copy: Kernel,
    pub collect: Kernel,
    pub open_count: Kernel,
    pub open_fill: Kernel,
    pub above: Kernel,
    pub power_begin: Kernel,
    pub power_active: Kernel,
    pub power_step: Kernel,
    pub cut: Kernel,
    pub unite: Kernel,
    pub answer: Kernel,
    pub scores: Kernel,
}

impl Kernels {
    fn of(device: &dyn Device) -> Result<Kernels, Failure> {
        Ok(Kernels {
            choose: device.kernel("choose")?,
            or_else: device.kernel("or_else")?,
            fill: device.kernel("fill")?,
            copy: device.kernel("copy")?,
            collect: device.kernel("collect")?,
            open_count: device.kernel("open_count")?,
            open_fill: device.kernel("open_fill")?,
            above: device.kernel("above")?,
            power_begin: device.kernel("power_begin")?,
            power_active: device.kernel("power_active")?,
            power_step: device.kernel("power_step")?,
            cut: device.kernel("cut")?,
            unite: device.kernel("unite")?,
            answer: device.kernel("answer")?,
            scores: device.kernel("scores")?,
        })
    }
}

/// The rows of a frame.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// How many.
    pub len: u32,
    /// No parent has more rows than this; it may be up to twice as many as one has.
    pub longest: u32,
    /// For each row its ancestor's row: in the parent, in the parent's parent, and so on; where they
    /// are asked for.
    pub up: Vec<Option<u64>>,
    /// For each parent row, where its rows start and end.
    pub spans: Option<u64>,
}

/// How many rows a warp has of what its threads can do alone, at least. Threads that have no row cost as much
/// as those that do; but what is left for the warp is done one row after the other.
pub const FEW: u32 = 8;

/// Who computes the rows of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// A warp each.
    Warp,
    /// A thread each where it can, else its warp, with so many rows for each warp.
    Either(u32),
    /// A thread each.
    Thread,
}

impl By {
    /// How many rows a warp has at least, as long as there are so many.
    const fn rows(self) -> u32 {
        match self {
            By::Warp => 1,
            By::Either(rows) => rows,
            By::Thread => 32,
        }
    }
}

/// How many blocks there are rows for.
fn wanted(rows: u32, by: By) -> u32 {
    rows.div_ceil(THREADS / 32 * by.rows())
}

/// How many units each of so many takes at once if it keeps nothing: what it does not use is lost, so it
/// takes no more than its rows may need.
fn grain(rows: u32, takers: u32) -> u32 {
    rows.div_ceil(takers.max(1)).saturating_mul(ROWS_UNITS).clamp(ROWS_UNITS, MOST_TAKEN)
}

/// A device's memory, taken once and kept.
pub struct Session<'d> {
    pub device: &'d dyn Device,
    pub kernels: Kernels,
    counts: u64,
    /// How many warps keep what they have left of the arena, after the counts.
    keepers: u32,
    arena: u64,
    pub units: u32,
    pool_at: u64,
    pool_size: u64,
    pub pool: Pool,
    pub columns: Vec<Option<u64>>,
    pub bodies: Vec<Option<u64>>,
    pub frames: Vec<Rows>,
    pub slots: Vec<SlotCount>,
    pub work: Work,
    /// What a step would have computed that could not be done.
    failed: Vec<SlotId>,
}

impl<'d> Session<'d> {
    /// Uses some bytes of a device: where they are, and how many.
    pub fn open(
        device: &'d dyn Device,
        (slab, size): (u64, usize),
    ) -> Result<Session<'d>, Failure> {
        let kernels = Kernels::of(device)?;
        // Every column of a launch has a block at least.
        let warps = (device.processors() * BLOCKS + MOST_CALLS as u32) * THREADS / 32;
        let keepers = u64::from(warps).min(size as u64 / KEPT / LEFT) as u32;
        let counts = COUNTS as u64 + (u64::from(keepers) * LEFT).next_multiple_of(COUNTS as u64);
        // Values take more room than columns do.
        let units = (size as u64 - counts) * 13 / 20 / UNIT_BYTES;
        let units = units.min(u64::from(u32::MAX / 2)) as u32;
        let arena = slab + counts;
        let pool_at = arena + u64::from(units) * UNIT_BYTES;
        let pool_size = slab + size as u64 - pool_at;
        Ok(Session {
            device,
            kernels,
            counts: slab,
            keepers,
            arena,
            units,
            pool_at,
            pool_size,
            pool: Pool::default(),
            columns: Vec::new(),
            bodies: Vec::new(),
            frames: Vec::new(),
            slots: Vec::new(),
            work: Work::default(),
            failed: Vec::new(),
        })
    }

    /// Notes which step could not be done, the innermost one.
    pub fn failed_at(&mut self, battery: &Battery, step: &Step) {
        if self.failed.is_empty() {
            self.failed = needing(battery, step);
        }
    }

    /// What the step that could not be done would have computed; none where it was no step.
    pub fn take_failed(&mut self) -> Vec<SlotId> {
        std::mem::take(&mut self.failed)
    }

    /// Forgets everything, for a battery of so many slots and frames.
    pub fn reset(&mut self, slots: usize, frames: usize) -> Result<(), Failure> {
        self.pool = Pool::new(self.pool_at, self.pool_size);
        self.columns = vec![None; slots];
        self.bodies = vec![None; slots];
        self.frames = vec![Rows::default(); frames];
        self.slots = vec![SlotCount::default(); slots];
        self.failed.clear();
        self.device.clear(self.counts, COUNTS)?;
        self.forget_left()
    }

    /// Where warps keep what they have left of the arena.
    fn left_at(&self) -> u64 {
        self.counts + COUNTS as u64
    }

    /// Forgets what warps have left of the arena.
    fn forget_left(&self) -> Result<(), Failure> {
        self.device.clear(self.left_at(), self.keepers as usize * LEFT as usize)
    }

    /// Bytes that there are for columns.
    pub fn pool_bytes(&self) -> u64 {
        self.pool_size
    }

    /// A piece of memory for so many things of a size.
    pub fn take(&mut self, count: u32, size: u64) -> Result<u64, Failure> {
        self.pool.take(u64::from(count) * size).ok_or(Failure::OutOfMemory)
    }

    /// Gives a piece back, if there is one.
    pub fn give(&mut self, piece: Option<u64>) {
        if let Some(at) = piece {
            self.pool.give(at);
        }
    }

    /// Copies values to a new piece.
    pub fn put<T: Params>(&mut self, values: &[T]) -> Result<u64, Failure> {
        self.put_bytes(bytes(values))
    }

    /// The same with values that are bytes already.
    pub fn put_bytes(&mut self, bytes: &[u8]) -> Result<u64, Failure> {
        let at = self.take(bytes.len() as u32, 1)?;
        self.upload(at, bytes)?;
        Ok(at)
    }

    /// Copies bytes to the device.
    pub fn upload(&mut self, at: u64, bytes: &[u8]) -> Result<(), Failure> {
        self.work.up += bytes.len() as u64;
        self.device.upload(at, bytes)
    }

    /// Copies values from the device.
    pub fn download<T: Params>(&mut self, at: u64, values: &mut [T]) -> Result<(), Failure> {
        self.work.down += size_of_val(values) as u64;
        self.device.download(at, bytes_mut(values))
    }

    /// Where one of the counts is.
    pub fn count_at(&self, which: u64) -> u64 {
        self.counts + which
    }

    /// Fills the first units of the arena, which then ends as `taken` says.
    pub fn fill_arena(&mut self, count: u32, units: &[u8], taken: &[u8]) -> Result<(), Failure> {
        self.has_room(count)?;
        self.upload(self.arena, units)?;
        self.upload(self.counts + TAKEN, taken)
    }

    /// The same with units that are on the device, and what says how many are taken.
    pub fn copy_arena(&mut self, count: u32, from: u64, taken: u64) -> Result<(), Failure> {
        self.has_room(count)?;
        self.device.copy(from, self.arena, count as usize * UNIT_BYTES as usize)?;
        self.device.copy(taken, self.counts + TAKEN, TAKEN_BYTES)
    }

    fn has_room(&self, units: u32) -> Result<(), Failure> {
        if units > self.units { Err(Failure::OutOfMemory) } else { Ok(()) }
    }

    /// How many units of the arena are taken; an error if that was not enough.
    pub fn taken(&mut self) -> Result<u32, Failure> {
        let mut taken = [0u32];
        self.download(self.counts + TAKEN, &mut taken)?;
        if taken[0] > self.units { Err(Failure::OutOfMemory) } else { Ok(taken[0]) }
    }

    /// The arena.
    pub fn memory(&self) -> Memory {
        // Where memory is small, what all warps have left must be a small part of it.
        let share = u64::from(self.units) / KEPT / u64::from(self.keepers.max(1));
        Memory {
            base: self.arena,
            taken: self.counts + TAKEN,
            units: self.units,
            grain: (share as u32).clamp(ROWS_UNITS, MOST_TAKEN),
            left: self.left_at(),
            keepers: self.keepers,
            unused: 0,
        }
    }

    /// How many units warps may have left at most.
    pub fn left_over(&self) -> u32 {
        self.keepers * self.memory().grain
    }

    /// How many units a warp takes at once of an arena for so many rows alone.
    pub fn grain(&self, rows: u32) -> u32 {
        grain(rows, self.blocks(rows, By::Warp) * THREADS / 32)
    }

    fn blocks(&self, rows: u32, by: By) -> u32 {
        wanted(rows, by).clamp(1, self.most_blocks())
    }

    fn most_blocks(&self) -> u32 {
        self.device.processors() * BLOCKS
    }

    /// Starts a kernel that computes columns, at most [`MOST_CALLS`]; each gets its share of the blocks.
    pub fn launch_calls(
        &mut self,
        kernel: Kernel,
        by: By,
        mut list: Vec<Call>,
    ) -> Result<(), Failure> {
        list.retain(|call| call.rows > 0);
        if list.is_empty() {
            return Ok(());
        }
        let all: u64 = list.iter().map(|call| u64::from(wanted(call.rows, by))).sum();
        let most = u64::from(self.most_blocks()).min(all);
        let mut blocks = 0;
        let mut calls =
            Calls { memory: self.memory(), count: list.len() as u32, ..Calls::default() };
        for (to, call) in calls.list.iter_mut().zip(&list) {
            let own = u64::from(wanted(call.rows, by)) * most / all;
            let own = (own as u32).max(1);
            *to = Call { first: blocks, grain: grain(call.rows, own * THREADS), ..*call };
            blocks += own;
        }
        calls.blocks = blocks;
        self.work.kernels += 1;
        self.device.launch(kernel, blocks, THREADS, bytes(std::slice::from_ref(&calls)))
    }

    /// Starts a kernel over some rows.
    pub fn launch<T: Params>(
        &mut self,
        kernel: Kernel,
        rows: u32,
        by: By,
        params: &T,
    ) -> Result<(), Failure> {
        if rows == 0 {
            return Ok(());
        }
        self.work.kernels += 1;
        let blocks = self.blocks(rows, by);
        self.device.launch(kernel, blocks, THREADS, bytes(std::slice::from_ref(params)))
    }

    /// How many rows a frame has.
    pub fn rows(&self, frame: FrameId) -> u32 {
        self.frames[frame.index()].len
    }

    /// A new column for a slot.
    pub fn column(&mut self, slot: SlotId, rows: u32) -> Result<u64, Failure> {
        let old = self.columns[slot.index()].take();
        self.give(old);
        let at = self.take(rows, VALUE_BYTES)?;
        self.columns[slot.index()] = Some(at);
        self.slots[slot.index()].rows += u64::from(rows);
        Ok(at)
    }

    /// A new column of body counts for a slot; 0 if nobody asks for them.
    pub fn body_column(&mut self, counted: bool, slot: SlotId, rows: u32) -> Result<u64, Failure> {
        if !counted {
            return Ok(0);
        }
        let old = self.bodies[slot.index()].take();
        self.give(old);
        let at = self.take(rows, 4)?;
        self.bodies[slot.index()] = Some(at);
        Ok(at)
    }

    /// A column as the rows of a frame see it.
    pub fn operand(&self, seen: Seen, frame: FrameId) -> Result<Operand, Failure> {
        let column = self.columns[seen.slot.index()];
        // A battery that is run as it was dealt has a column for everything that is read.
        let column = column.ok_or_else(|| Failure::Launch("a column is missing".into()))?;
        self.found(column, seen.via, frame)
    }

    /// The body counts of a slot as the rows of a frame see them.
    pub fn body_operand(&self, seen: Seen, frame: FrameId) -> Result<Operand, Failure> {
        match self.bodies[seen.slot.index()] {
            Some(column) => self.found(column, seen.via, frame),
            None => Ok(self.nothing()),
        }
    }

    /// What every row sees as zero, or as handed back.
    pub fn nothing(&self) -> Operand {
        Operand { column: self.counts + ZERO, ..Operand::default() }
    }

    fn found(&self, column: u64, via: Via, frame: FrameId) -> Result<Operand, Failure> {
        let (index, stride) = match via {
            Via::One => (0, 0),
            Via::Same => (0, 1),
            Via::Up(levels) => {
                let up = &self.frames[frame.index()].up;
                let index = up.get(usize::from(levels) - 1).copied().flatten();
                (index.ok_or_else(|| Failure::Launch("an ancestor is missing".into()))?, 0)
            }
        };
        Ok(Operand { column, index, stride, unused: 0 })
    }

    /// Tells a kernel of the frames around one that it opens, if their containers are all there: some
    /// may not have been computed yet.
    pub fn frames_around(&self, step: &OpenStep, open: &mut Open) {
        for (at, (kind, seen)) in step.around.iter().enumerate() {
            open.kinds |= kind << (2 * at);
            for (to, seen) in open.around[2 * at..].iter_mut().zip(seen) {
                let Ok(operand) = self.operand(*seen, step.parent) else { return };
                *to = operand;
            }
        }
        open.frames = step.around.len() as u32;
        if !step.counts {
            open.kinds |= NOT_ITSELF;
        }
    }

    /// Gives a frame's memory back.
    pub fn leave(&mut self, frame: FrameId) {
        let rows = std::mem::take(&mut self.frames[frame.index()]);
        self.give(rows.spans);
        for up in rows.up {
            self.give(up);
        }
    }
}
