//! The inputs of samples, packed: they go up once for a batch and a device, and all streams read that copy.
//!
//! Columns are read where they lie. What they hold is found in a stream's own arena, so its units are copied
//! there, on the device. Where a device has no room for the copy, every chunk takes its own.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use batt_core::Val;
use batt_cuda::{Device, Failure, Params, bytes};
use batt_lang::Value;
use batt_lang::graph::SlotId;
use batt_lang::program::Input;
use rayon::prelude::*;

use super::arena::Arena;
use super::session::{Session, TAKEN_BYTES, UNIT_BYTES, VALUE_BYTES};
use super::slot::{Common, Placed, Slot};
use super::{Constants, Ready, hold};
use crate::engine::cpu::packed::Packed;
use crate::engine::{Phase, Sample};

/// Columns begin at multiples of this.
const ALIGN: usize = 256;
/// The most units that a grid takes.
const GRID: u32 = 64;

/// Values, one after the other.
#[derive(Clone, Copy, Debug, Default)]
struct Column {
    /// Where they begin.
    at: usize,
    count: usize,
}

/// The inputs of some samples, and the constants.
pub struct Inputs<'d> {
    /// The arena's units, then the columns.
    packed: Vec<u8>,
    /// How many units there are.
    units: u32,
    /// How many units are taken, as a stream is told.
    taken: Column,
    constants: Column,
    /// S by task, I and C by sample, where they are read.
    read: [(Option<SlotId>, Column); 3],
    /// What samples expect, where that is compared.
    expected: Column,
    /// Whether some sample does not say what it expects.
    open: bool,
    /// For each sample, the row of its task,
    tasks: Vec<u32>,
    /// and where those are.
    rows: Column,
    /// The copy on each device.
    copies: Mutex<Vec<Copied<'d>>>,
}

/// What is known of the copy on a device.
#[derive(Clone, Default)]
enum Copied<'d> {
    /// Nobody asked for it.
    #[default]
    No,
    /// There is no room for it.
    NoRoom,
    There(Arc<Placed<'d>>),
}

/// Where a stream finds inputs.
pub enum Source<'i, 'd> {
    /// On the device,
    There(Arc<Placed<'d>>),
    /// or here, from where it copies them.
    Here(&'i [u8]),
}

/// The inputs of a chunk, as a stream has them.
pub struct Chunk {
    /// How many tasks there are.
    pub tasks: u32,
    /// For each sample, the row of its task.
    pub rows: u64,
    /// What samples expect.
    pub expected: u64,
}

impl<'d> Inputs<'d> {
    /// The units they take.
    pub fn units(&self) -> u32 {
        self.units
    }

    /// Whether samples say what they expect; whether all of them do.
    pub fn compared(&self) -> (bool, bool) {
        (self.expected.count > 0, self.expected.count > 0 && !self.open)
    }

    /// Where a stream finds them: the first stream of a device brings them there for all.
    pub fn source(&self, slot: &'d Slot) -> Result<(Source<'_, 'd>, u64), Failure> {
        let mut copies = self.copies.lock().unwrap_or_else(PoisonError::into_inner);
        let machine = slot.machine;
        if copies.len() <= machine {
            copies.resize(machine + 1, Copied::No);
        }
        let mut up = 0;
        if matches!(copies[machine], Copied::No) {
            copies[machine] = match place(&slot.common, &*slot.device, &self.packed)? {
                Some(there) => {
                    up = self.packed.len() as u64;
                    Copied::There(there)
                }
                None => Copied::NoRoom,
            };
        }
        let source = match &copies[machine] {
            Copied::There(there) => Source::There(Arc::clone(there)),
            Copied::No | Copied::NoRoom => Source::Here(&self.packed),
        };
        Ok((source, up))
    }

    /// Readies a stream for some of the samples: the arena, constants and inputs.
    pub fn begin(
        &self,
        session: &mut Session<'_>,
        source: &Source<'_, '_>,
        constants: &Constants,
        samples: Range<usize>,
    ) -> Result<Chunk, Failure> {
        let units = 0..self.units as usize * UNIT_BYTES as usize;
        let taken = self.taken.at;
        match source {
            Source::There(placed) => {
                session.copy_arena(self.units, placed.at, placed.at + taken as u64)?;
            }
            Source::Here(packed) => {
                session.fill_arena(
                    self.units,
                    &packed[units],
                    &packed[taken..taken + TAKEN_BYTES],
                )?;
            }
        }
        let mut column = |of: Column, part: Range<usize>, size: usize| {
            let part = of.at + part.start * size..of.at + part.end * size;
            match source {
                Source::There(placed) => Ok(placed.at + part.start as u64),
                Source::Here(packed) => session.put_bytes(&packed[part]),
            }
        };
        let size = VALUE_BYTES as usize;
        let mut columns = Vec::new();
        let at = column(self.constants, 0..self.constants.count, size)?;
        for (k, (slot, _)) in constants.values.iter().enumerate() {
            columns.push((*slot, at + k as u64 * VALUE_BYTES));
        }
        // Tasks are in the order of the samples.
        let of_samples = &self.tasks[samples.clone()];
        let first = of_samples.iter().copied().min().unwrap_or(0);
        let last = of_samples.iter().copied().max().map_or(first, |last| last + 1);
        let [s, i, c] = self.read;
        // Without any tasks there is none.
        let last = last.min(s.1.count as u32);
        // Where nothing is asked of tasks, it does not matter which rows they are.
        let first = if s.0.is_some() { first } else { 0 };
        if let Some(slot) = s.0 {
            columns.push((slot, column(s.1, first as usize..last as usize, size)?));
        }
        for (slot, of) in [i, c] {
            if let Some(slot) = slot {
                columns.push((slot, column(of, samples.clone(), size)?));
            }
        }
        let expected = if self.expected.count == 0 {
            0
        } else {
            column(self.expected, samples.clone(), size)?
        };
        let rows = if first == 0 { Some(column(self.rows, samples, 4)?) } else { None };
        let rows = if let Some(rows) = rows {
            rows
        } else {
            let own: Vec<u32> = of_samples.iter().map(|row| row - first).collect();
            session.put(&own)?
        };
        for (slot, at) in columns {
            session.columns[slot.index()] = Some(at);
        }
        Ok(Chunk { tasks: last - first, rows, expected })
    }
}

/// Copies bytes to a device; `None` where it has no room.
fn place<'d>(
    common: &'d Common,
    device: &'d dyn Device,
    packed: &[u8],
) -> Result<Option<Arc<Placed<'d>>>, Failure> {
    let placed = match common.take(packed.len()) {
        Ok(placed) => placed,
        Err(Failure::OutOfMemory) => return Ok(None),
        Err(other) => return Err(other),
    };
    let staged = device.stage(packed)?;
    // What is staged must be kept until then, and other streams do not wait for this one.
    let sent = device.send(placed.at, &*staged);
    device.wait()?;
    sent.map(|()| Some(Arc::new(placed)))
}

/// Bytes that are packed.
#[derive(Default)]
struct Packing(Vec<u8>);

impl Packing {
    fn add<T: Params>(&mut self, values: &[T]) -> Column {
        self.0.resize(self.0.len().next_multiple_of(ALIGN), 0);
        let at = self.0.len();
        self.0.extend_from_slice(bytes(values));
        Column { at, count: values.len() }
    }
}

impl Ready<'_> {
    /// The inputs of samples, in the units after the constants'.
    pub(super) fn inputs<'d>(&self, samples: &[Sample]) -> Inputs<'d> {
        let battery = self.setup.battery;
        let constants = &self.constants;
        let first = constants.arena.taken().next_multiple_of(4);
        let mut arena = Arena::new(first + samples.len() as u32 * 32 + 64, first);
        let mut rows_of = vec![None; self.setup.tasks.len()];
        let (mut s, mut tasks) = (Vec::new(), Vec::with_capacity(samples.len()));
        for sample in samples {
            let known = rows_of.get_mut(sample.task);
            let row = known.map_or(0, |row| {
                *row.get_or_insert_with(|| {
                    let wanted = battery.input(Input::S).is_some();
                    let value = self.setup.tasks.get(sample.task).filter(|_| wanted);
                    s.push(hold(&mut arena, value));
                    s.len() as u32 - 1
                })
            });
            tasks.push(row);
        }
        let mut column = |wanted: bool, of: fn(&Sample) -> Option<&Value>| {
            if !wanted {
                return Vec::new();
            }
            // Reading grids takes long, and needs no arena.
            let grids: Vec<Option<Packed>> =
                samples.par_iter().map(|sample| of(sample).and_then(Packed::of_value)).collect();
            let vals = samples.iter().zip(grids).map(|(sample, grid)| match grid {
                Some(grid) => {
                    arena.reserve(GRID);
                    grid.val(arena.cx())
                }
                None => hold(&mut arena, of(sample)),
            });
            vals.collect::<Vec<Val>>()
        };
        let i = column(battery.input(Input::I).is_some(), |sample| Some(&sample.input));
        let c = column(battery.input(Input::C).is_some(), |sample| sample.compared.as_ref());
        let judged = self.setup.verdicts && self.setup.phase == Phase::Outputs;
        let expected = column(judged, |sample| sample.expected.as_ref());
        let open = expected.iter().any(|val| val.is(batt_core::Tag::Back));
        let units = arena.taken().max(first);
        let mut packing = Packing(constants.arena.bytes(0, constants.arena.taken()).to_vec());
        packing.0.resize(first as usize * UNIT_BYTES as usize, 0);
        packing.0.extend_from_slice(arena.bytes(first, units));
        let values: Vec<Val> = constants.values.iter().map(|(_, val)| *val).collect();
        let inputs = [(Input::S, &s), (Input::I, &i), (Input::C, &c)];
        Inputs {
            units,
            // Chunks of the arena begin with whole lines.
            taken: packing.add(&[units.next_multiple_of(4)]),
            constants: packing.add(&values),
            read: inputs.map(|(input, values)| (battery.input(input), packing.add(values))),
            expected: packing.add(&expected),
            open,
            rows: packing.add(&tasks),
            tasks,
            packed: packing.0,
            copies: Mutex::default(),
        }
    }
}
