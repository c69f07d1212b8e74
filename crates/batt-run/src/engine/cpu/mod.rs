//! The fast engine on a CPU: bit-parallel primitives, a column at a time.
//!
//! A worker takes a block of samples of one task, fills the columns of every slot in the order of
//! the battery's instructions, and reads the outputs. Nothing is shared between workers but the
//! battery, so there are no locks while a block runs.
//!
//! - `plan`, `step`, `nests`, `regions`: a pass made ready, with every argument's place resolved
//! - `worker`, `rowwise`, `loops`, `power`, `parts`, `tally`, `closing`, `leasts`: columns, frames, and the
//!   steps that fill them
//! - `columns`, `collect`, `moved`, `memory`: buffers that are used again, and the arena
//! - `convert`, `packed`: between values and the arena

mod chain;
mod closing;
mod collect;
mod columns;
mod convert;
mod leasts;
mod loops;
mod memory;
mod moved;
pub(in crate::engine) mod nests;
mod packed;
mod parts;
mod plan;
mod power;
mod regions;
mod rowwise;
mod step;
mod tally;
mod worker;

use std::sync::{Mutex, OnceLock};

use batt_core::order::equal;
use batt_core::seq::{bounded, score};
use batt_core::{Array, Tag, Val};
pub use batt_cpu::{Set, call};
use batt_lang::battery::Battery;
use batt_lang::graph::SlotId;
use batt_lang::program::Input;
use batt_lang::{Fault, FaultKind};

use super::counts::Roots;
use super::mark::{Bits, Mark};
use super::{Cell, Counters, Engine, Loaded, Row, Sample, Setup};
use collect::Space;
pub use convert::{to_val, to_value};
use loops::SMALL_PIECE;
pub use memory::Memory;
use plan::Plan;
pub(super) use plan::constants;
use worker::Worker;

/// Units of 32 bytes in each of a worker's two arenas: 20 MiB, of which only what is touched costs
/// anything.
const UNITS: u32 = 20 << 15;
/// As many for the few samples that find no room there, as long as they run.
const MORE_UNITS: u32 = 96 << 15;
/// Of so many parts of a battery each may be handed back where it finds no room.
const PARTS: usize = 64;
/// Samples in a block: few enough that their columns stay in a core's cache,
const BLOCK: usize = 16;
/// and no more than these elements of their inputs, for large grids make many objects.
const BLOCK_ELEMENTS: u32 = 900;
/// A battery of no more slots than these runs on blocks of any elements.
const FEW_SLOTS: usize = 256;

/// The fast engine on a CPU.
pub struct Cpu {
    set: Set,
    /// What workers that wait have worked in, for whoever comes next: pages that were touched once
    /// are fast, and those touched last are in the cache.
    spare: Mutex<Vec<Space>>,
}

impl Default for Cpu {
    fn default() -> Cpu {
        Cpu::with(Set::detect())
    }
}

impl Cpu {
    /// The engine with an instruction set that this machine has.
    pub fn with(set: Set) -> Cpu {
        Cpu { set, spare: Mutex::default() }
    }
}

impl Engine for Cpu {
    fn name(&self) -> &'static str {
        "cpu"
    }

    fn load<'a>(&'a self, setup: Setup<'a>) -> Box<dyn Loaded + 'a> {
        let roots = Roots::of(&setup);
        let plan = Plan::new(setup.battery, &roots.pass(&setup), self.set);
        let few = roots.slots.len() / PARTS;
        Box::new(Ready::new(self, setup, plan, roots, few))
    }
}

/// A pass that is ready to run.
struct Ready<'a> {
    engine: &'a Cpu,
    setup: Setup<'a>,
    plan: Plan,
    roots: Roots,
    /// Workers that wait for their next batch.
    idle: Mutex<Vec<Worker>>,
    /// The same for each half of the roots, once all of them found no room for a sample.
    halves: OnceLock<[Box<Ready<'a>>; 2]>,
    /// As few roots are handed back together.
    few: usize,
}

impl Loaded for Ready<'_> {
    fn run(&self, samples: &[Sample]) -> (Vec<Row>, Counters) {
        self.blocks(samples, Self::answer, &Cell::HandBack)
    }

    fn marks(&self, samples: &[Sample]) -> (Vec<Vec<Option<Mark>>>, Counters) {
        self.blocks(samples, Self::mark, &None)
    }
}

impl<'a> Ready<'a> {
    fn new(engine: &'a Cpu, setup: Setup<'a>, plan: Plan, roots: Roots, few: usize) -> Ready<'a> {
        let (idle, halves) = (Mutex::new(Vec::new()), OnceLock::new());
        Ready { engine, setup, plan, roots, idle, halves, few }
    }

    /// Runs samples block by block; `read` takes from a worker what one of them gave, by root, and
    /// `back` is what is handed back.
    fn blocks<T: Clone>(
        &self,
        samples: &[Sample],
        read: impl Fn(&Self, &mut Worker, &Sample, usize) -> Vec<T>,
        back: &T,
    ) -> (Vec<Vec<T>>, Counters) {
        let mut worker = self.hire();
        let mut rows = Vec::with_capacity(samples.len());
        // Only where a program looks at its task's examples must a block be of one task.
        let any_task = self.setup.battery.input(Input::S).is_none();
        for run in samples.chunk_by(|a, b| any_task || a.task == b.task) {
            for block in cut(run, self.block_elements()) {
                self.block(&mut worker, block);
                if worker.ran_out() {
                    rows.extend(self.alone(&mut worker, block, &read, back));
                    continue;
                }
                for (at, sample) in block.iter().enumerate() {
                    rows.push(read(self, &mut worker, sample, at));
                }
            }
        }
        let (slots, slowest) = worker.take_counts();
        let worker_bytes = worker.bytes() as u64;
        self.rest(worker);
        (rows, Counters { slots, slowest, worker_bytes, ..Counters::default() })
    }

    /// The most elements of the inputs of a block.
    fn block_elements(&self) -> u32 {
        if self.setup.battery.slot_count() > FEW_SLOTS { BLOCK_ELEMENTS } else { u32::MAX }
    }

    /// Runs the samples of a block that found no room one by one, little at a time, with more room
    /// that is given back at once. The interpreter would take longer and more memory. Where a value could
    /// not be made, nothing that was computed after it is sure to be right: what finds no room then is run
    /// once more for each half of the roots, and so on. What finds none for a small part of them is handed
    /// back.
    fn alone<T: Clone, R>(
        &self,
        worker: &mut Worker,
        block: &[Sample],
        read: &R,
        back: &T,
    ) -> Vec<Vec<T>>
    where
        R: Fn(&Self, &mut Worker, &Sample, usize) -> Vec<T>,
    {
        let battery = self.setup.battery;
        let mut alone = Worker::new(battery, self.engine.set, self.setup.timed);
        alone.enter(battery, &self.plan, Space::new(MORE_UNITS));
        alone.piece = SMALL_PIECE;
        let run = |sample: &Sample| {
            self.block(&mut alone, std::slice::from_ref(sample));
            (!alone.ran_out()).then(|| read(self, &mut alone, sample, 0))
        };
        let rows: Vec<Option<Vec<T>>> = block.iter().map(run).collect();
        for (count, more) in worker.counts.iter_mut().zip(&alone.counts) {
            count.rows += more.rows;
            count.nanos += more.nanos;
            count.handed_back += more.handed_back;
        }
        for (slowest, more) in worker.slowest.iter_mut().zip(&alone.slowest) {
            slowest.add(more);
        }
        worker.beside = worker.beside.max(alone.bytes());
        // The halves need the room.
        drop(alone);
        let rows = rows.into_iter().zip(block);
        rows.map(|(row, sample)| row.unwrap_or_else(|| self.apart(worker, sample, read, back)))
            .collect()
    }

    /// Runs a sample for each half of the roots.
    fn apart<T: Clone, R>(&self, worker: &mut Worker, sample: &Sample, read: &R, back: &T) -> Vec<T>
    where
        R: Fn(&Self, &mut Worker, &Sample, usize) -> Vec<T>,
    {
        let roots = &self.roots.slots;
        if roots.len() <= self.few.max(1) {
            for root in roots {
                worker.counts[root.index()].handed_back += 1;
            }
            return vec![back.clone(); roots.len()];
        }
        let halves = self.halves.get_or_init(|| {
            let all: Vec<usize> = (0..roots.len()).collect();
            let (first, second) = all.split_at(all.len() / 2);
            [first, second].map(|places| {
                let (setup, roots) = (self.setup, self.roots.some(places));
                let pass = setup.battery.pass(&roots.slots);
                let plan = Plan::new(setup.battery, &pass, self.engine.set);
                Box::new(Ready::new(self.engine, setup, plan, roots, self.few))
            })
        });
        let one = std::slice::from_ref(sample);
        halves.iter().flat_map(|half| half.alone(worker, one, read, back)).flatten().collect()
    }

    /// Lets a worker wait for its next batch. Its space goes to whoever comes next, which is most
    /// often the same worker.
    fn rest(&self, mut worker: Worker) {
        if let Ok(mut spare) = self.engine.spare.lock() {
            spare.push(worker.leave());
        }
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(worker);
        }
    }

    /// A worker with a space to work in: its own, if that is there.
    fn hire(&self) -> Worker {
        let idle = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        let (set, timed) = (self.engine.set, self.setup.timed);
        let mut worker = idle.unwrap_or_else(|| Worker::new(self.setup.battery, set, timed));
        let spare = self.engine.spare.lock().ok().and_then(|mut spare| {
            let own = spare.iter().rposition(|space| worker.owns(space));
            own.map(|at| spare.swap_remove(at)).or_else(|| spare.pop())
        });
        let space = spare.unwrap_or_else(|| Space::new(UNITS));
        worker.enter(self.setup.battery, &self.plan, space);
        worker
    }

    /// Runs a block of samples: of one task, where the battery looks at its examples.
    fn block(&self, worker: &mut Worker, samples: &[Sample]) {
        let Some(first) = samples.first() else { return };
        let battery: &Battery = self.setup.battery;
        worker.reset();
        worker.input(battery, Input::S, std::iter::once(self.setup.tasks.get(first.task)));
        worker.run(&self.plan, &self.plan.steps[1]);
        worker.frames[batt_lang::graph::FrameId::SAMPLE.index()].len = samples.len();
        worker.input(battery, Input::I, samples.iter().map(|s| Some(&s.input)));
        worker.input(battery, Input::C, samples.iter().map(|s| s.compared.as_ref()));
        worker.run(&self.plan, &self.plan.steps[2]);
    }

    /// How each output of a sample resembles what is expected.
    fn mark(&self, worker: &mut Worker, sample: &Sample, at: usize) -> Vec<Option<Mark>> {
        let cx = worker.cx();
        let columns = &worker.columns;
        let target = sample.expected.as_ref().and_then(Bits::of);
        let mark = |root: &SlotId| {
            let column = columns.get(*root);
            let val = column.get(at).or(column.first()).copied().unwrap_or(Val::BACK);
            Mark::of_val(cx, val, target.as_ref(), sample.expected.as_ref())
        };
        self.roots.slots.iter().map(mark).collect()
    }

    fn answer(&self, worker: &mut Worker, sample: &Sample, at: usize) -> Row {
        let (verdicts, scores) = (self.setup.verdicts, self.setup.only_scores());
        let cx = worker.cx();
        let expected = sample.expected.as_ref().filter(|_| verdicts && !scores);
        // Most outputs are grids, which are compared with the expected one where it is kept.
        let grid = expected.and_then(|value| worker.kept.packed(value));
        let mut wanted = match (expected, grid) {
            (Some(value), None) => to_val(cx, value),
            _ => Val::BACK,
        };
        let counts = &mut worker.counts;
        let columns = &worker.columns;
        let cell = |(root, alone): (&SlotId, &bool)| {
            let column = columns.get(*root);
            // An output that needs no sample has one row for all of them.
            let val = column.get(at).or(column.first()).copied().unwrap_or(Val::BACK);
            match val.tag() {
                Tag::Back => {
                    let slot = val.origin_slot().unwrap_or(root.0) as usize;
                    if let Some(count) = counts.get_mut(slot) {
                        count.handed_back += 1;
                    }
                    Cell::HandBack
                }
                Tag::Error => Cell::Error(fault(val), SlotId(val.origin_slot().unwrap_or(root.0))),
                _ if scores && *alone => Cell::score(bounded(val)),
                _ if scores => Cell::score(score(cx, val)),
                _ => {
                    let same = grid.and_then(|grid| grid.is(cx, val));
                    if let (None, Some(grid), Tag::Back) = (same, grid, wanted.tag()) {
                        wanted = grid.val(cx);
                    }
                    match same {
                        Some(same) => Cell::Verdict(same),
                        None if wanted.is(Tag::Back) => {
                            to_value(cx, val).map_or(Cell::HandBack, Cell::Value)
                        }
                        None => {
                            equal::<Array>(cx, val, wanted).map_or(Cell::HandBack, Cell::Verdict)
                        }
                    }
                }
            }
        };
        self.roots.slots.iter().zip(&self.roots.alone).map(cell).collect()
    }
}

/// Cuts samples into blocks of no more than so many elements.
fn cut(samples: &[Sample], most: u32) -> impl Iterator<Item = &[Sample]> {
    let mut left = samples;
    std::iter::from_fn(move || {
        let mut elements = 0;
        let fits = |sample: &&Sample| {
            elements += sample.input.elements();
            elements <= most
        };
        let many = left.iter().take(BLOCK).take_while(fits).count().max(1);
        let (block, rest) = left.split_at_checked(many)?;
        left = rest;
        Some(block)
    })
}

fn fault(val: Val) -> Fault {
    fault_of(val.extra())
}

/// The fault of a number.
pub(super) fn fault_of(number: u32) -> Fault {
    const KINDS: [FaultKind; 11] = [
        FaultKind::ValueError,
        FaultKind::StopIteration,
        FaultKind::RuntimeError,
        FaultKind::IndexError,
        FaultKind::ZeroDivisionError,
        FaultKind::TypeError,
        FaultKind::AttributeError,
        FaultKind::KeyError,
        FaultKind::RecursionError,
        FaultKind::Overflow,
        FaultKind::Size,
    ];
    let kind = KINDS.get(number as usize).copied().unwrap_or(FaultKind::TypeError);
    Fault::new(kind, "found by the fast engine")
}
