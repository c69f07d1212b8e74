//! The fast engine on a CPU: bit-parallel primitives, a column at a time.
//!
//! A worker takes a block of samples, of one task where a program reads its examples, fills the columns
//! of every slot in the order of the battery's instructions, and reads the outputs. Nothing is shared
//! between workers but the battery, so there are no locks while a block runs.
//!
//! - `plan`, `step`, `nests`, `regions`: a pass made ready, with every argument's place resolved
//! - `answers`, `reading`: outputs taken as soon as they are there
//! - `worker`, `rowwise`, `loops`, `power`, `parts`, `tally`, `closing`, `leasts`: columns, frames, and the
//!   steps that fill them
//! - `columns`, `collect`, `moved`, `memory`: buffers that are used again, and the arena
//! - `convert`, `packed`: between values and the arena

mod answers;
mod chain;
mod closing;
mod collect;
mod columns;
mod convert;
mod functions;
mod leasts;
mod loops;
mod memory;
mod moved;
pub(in crate::engine) mod nests;
pub(in crate::engine) mod packed;
mod parts;
pub(super) mod plan;
mod power;
mod reading;
mod regions;
mod rowwise;
pub(super) mod step;
mod tally;
mod worker;

use std::convert::Infallible;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};

use batt_core::Val;
pub use batt_cpu::{Set, call};
use batt_lang::battery::Pass;
use batt_lang::graph::{FrameId, Root, SlotId};
use batt_lang::program::Input;
use batt_lang::{Fault, FaultKind};

use super::check::{Inconsistent, Refused, settled};
use super::mark::Mark;
use super::shortcuts::Roots;
use super::{Counters, Engine, Loaded, Row, Sample, Setup};
use answers::{Answers, answers};
use collect::Space;
pub use convert::{to_val, to_value};
use loops::SMALL_PIECE;
pub use memory::Memory;
use plan::Plan;
pub(super) use plan::constants;
use reading::{Cells, Marks, Reading};
use worker::Worker;

/// Units of 32 bytes in each of a worker's two arenas: 20 MiB, of which only what is touched costs
/// anything.
const UNITS: u32 = 20 << 15;
/// As many for the few samples that find no room there, as long as they run.
const MORE_UNITS: u32 = 96 << 15;
/// Of so many parts of a battery each may be handed back where it finds no room.
const PARTS: usize = 64;
/// Samples in a block: enough that the code of a step, which is not in the cache when its turn comes, runs
/// for many rows,
const BLOCK: usize = 32;
/// and no more than these elements of their inputs, for large grids make many objects,
const BLOCK_ELEMENTS: u32 = 3600;
/// or these where one found no room a short time ago,
const FEW_ELEMENTS: u32 = 900;
/// which is as many blocks.
const CAUTIOUS: u32 = 64;
/// A battery of no more slots than these runs on blocks of any elements.
const FEW_SLOTS: usize = 256;

/// As many inconsistent plans are named.
const MOST_NOTES: usize = 8;

/// The fast engine on a CPU.
pub struct Cpu {
    set: Set,
    /// What workers that wait have worked in, for whoever comes next: pages that were touched once
    /// are fast, and those touched last are in the cache.
    #[allow(clippy::vec_box, reason = "each moves in and out for every batch")]
    spare: Mutex<Vec<Box<Space>>>,
    /// What was handed back because a plan was inconsistent, the first of each battery.
    notes: Mutex<Vec<String>>,
}

impl Default for Cpu {
    fn default() -> Cpu {
        Cpu::with(Set::detect())
    }
}

impl Cpu {
    /// The engine with an instruction set that this machine has.
    pub fn with(set: Set) -> Cpu {
        Cpu { set, spare: Mutex::default(), notes: Mutex::default() }
    }

    /// Readies some roots of a pass, with the instructions that they need.
    pub(super) fn load_some<'a>(
        &'a self,
        setup: Setup<'a>,
        pass: &Pass,
        roots: Roots,
    ) -> Box<dyn Loaded + 'a> {
        let few = roots.slots.len() / PARTS;
        Box::new(Ready::new(self, setup, pass, roots, few))
    }

    /// Notes what is wrong with a plan.
    fn note(&self, wrong: &[Inconsistent]) {
        let (Some(first), Ok(mut notes)) = (wrong.first(), self.notes.lock()) else { return };
        if notes.len() < MOST_NOTES {
            notes.push(format!("cpu: a plan is inconsistent: {first}"));
        }
    }
}

impl Engine for Cpu {
    fn name(&self) -> &'static str {
        "cpu"
    }

    fn trouble(&self) -> Vec<String> {
        self.notes.lock().map(|notes| notes.clone()).unwrap_or_default()
    }

    fn load<'a>(&'a self, setup: Setup<'a>) -> Box<dyn Loaded + 'a> {
        let roots = Roots::of(&setup);
        let pass = roots.pass(&setup);
        self.load_some(setup, &pass, roots)
    }
}

/// A pass that is ready to run.
struct Ready<'a> {
    engine: &'a Cpu,
    setup: Setup<'a>,
    plan: Plan,
    answers: Answers,
    roots: Roots,
    /// The slots of S, I and C, where they are read.
    inputs: [Option<SlotId>; 3],
    /// Workers that wait for their next batch.
    #[allow(clippy::vec_box, reason = "each moves in and out for every batch")]
    idle: Mutex<Vec<Box<Worker>>>,
    /// The same for each half of the roots, once all of them found no room for a sample.
    halves: OnceLock<[Box<Ready<'a>>; 2]>,
    /// As few roots are handed back together.
    few: usize,
    /// How many blocks are still to be small, because one found no room.
    cautious: AtomicU32,
}

impl Loaded for Ready<'_> {
    fn run(&self, samples: &[Sample]) -> (Vec<Row>, Counters) {
        self.blocks::<Cells>(samples)
    }

    fn marks(&self, samples: &[Sample]) -> (Vec<Vec<Option<Mark>>>, Counters) {
        self.blocks::<Marks>(samples)
    }
}

impl<'a> Ready<'a> {
    fn new(engine: &'a Cpu, setup: Setup<'a>, pass: &Pass, roots: Roots, few: usize) -> Ready<'a> {
        let made = |refused: &Refused| {
            let mut plan = Plan::new(setup.battery, pass, engine.set, refused);
            let answers = answers(&mut plan.steps[Root::Sample as usize], &roots.slots);
            Ok::<_, Infallible>((plan, answers))
        };
        let check =
            |(plan, answers): &(Plan, Answers)| plan.check(setup.battery, answers, &roots.slots);
        let Ok(((plan, answers), wrong)) =
            settled(&roots.slots, &mut Refused::default(), made, check);
        debug_assert_eq!(wrong, [], "a plan is inconsistent");
        engine.note(&wrong);
        let (idle, halves) = (Mutex::new(Vec::new()), OnceLock::new());
        let cautious = AtomicU32::new(0);
        let inputs = [Input::S, Input::I, Input::C].map(|input| setup.battery.input(input));
        Ready { engine, setup, plan, answers, roots, inputs, idle, halves, few, cautious }
    }

    /// Runs samples block by block; gives for each what was read of its answers, by root.
    fn blocks<'s, R: Reading<'s>>(&self, samples: &'s [Sample]) -> (Vec<Vec<R::Read>>, Counters) {
        let mut worker = self.hire();
        let mut rows = Vec::with_capacity(samples.len());
        // Only where a program looks at its task's examples must a block be of one task.
        let any_task = self.inputs[0].is_none();
        for run in samples.chunk_by(|a, b| any_task || a.task == b.task) {
            let mut left = run;
            while !left.is_empty() {
                let (block, rest) = left.split_at(block_len(left, self.block_elements()));
                self.some::<R>(&mut worker, block, &mut rows);
                left = rest;
            }
        }
        let (slots, slowest) = worker.take_counts();
        let worker_bytes = worker.bytes() as u64;
        self.rest(worker);
        (rows, Counters { slots, slowest, worker_bytes, ..Counters::default() })
    }

    /// The most elements of the inputs of the next block.
    fn block_elements(&self) -> u32 {
        if self.setup.battery.slot_count() <= FEW_SLOTS {
            return u32::MAX;
        }
        let less = |left: u32| left.checked_sub(1);
        let cautious = self.cautious.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        if cautious.is_ok() { FEW_ELEMENTS } else { BLOCK_ELEMENTS }
    }

    /// Runs a block of samples. Where it finds no room, each half of it runs once more, and so on; a sample
    /// that finds none alone gets more.
    fn some<'s, R: Reading<'s>>(
        &self,
        worker: &mut Worker,
        samples: &'s [Sample],
        rows: &mut Vec<Vec<R::Read>>,
    ) {
        if self.block::<R>(worker, samples, rows) {
            return;
        }
        self.cautious.store(CAUTIOUS, Ordering::Relaxed);
        match samples {
            [] => {}
            [sample] => rows.push(self.alone::<R>(worker, sample)),
            _ => {
                let (first, second) = samples.split_at(samples.len() / 2);
                self.some::<R>(worker, first, rows);
                self.some::<R>(worker, second, rows);
            }
        }
    }

    /// Runs a sample that found no room, little at a time, with more room that is given back at once. The
    /// interpreter would take longer and more memory. Where a value could not be made, nothing that was
    /// computed after it is sure to be right: what finds no room then is run once more for each half of the
    /// roots, and so on. What finds none for a small part of them is handed back.
    fn alone<'s, R: Reading<'s>>(&self, worker: &mut Worker, sample: &'s Sample) -> Vec<R::Read> {
        let battery = self.setup.battery;
        let (set, Setup { timed, stop, .. }) = (self.engine.set, self.setup);
        let mut alone = Worker::new(battery, set, timed, stop);
        alone.enter(battery, &self.plan, Box::new(Space::new(MORE_UNITS)));
        alone.piece = SMALL_PIECE;
        let mut rows = Vec::new();
        let whole = self.block::<R>(&mut alone, std::slice::from_ref(sample), &mut rows);
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
        match rows.pop() {
            Some(row) if whole => row,
            _ => self.apart::<R>(worker, sample),
        }
    }

    /// Runs a sample for each half of the roots.
    fn apart<'s, R: Reading<'s>>(&self, worker: &mut Worker, sample: &'s Sample) -> Vec<R::Read> {
        let roots = &self.roots.slots;
        if roots.len() <= self.few.max(1) {
            for root in roots {
                worker.counts[root.index()].handed_back += 1;
            }
            return vec![R::BACK; roots.len()];
        }
        let halves = self.halves.get_or_init(|| {
            let all: Vec<usize> = (0..roots.len()).collect();
            let (first, second) = all.split_at(all.len() / 2);
            [first, second].map(|places| {
                let (setup, roots) = (self.setup, self.roots.some(places));
                let pass = setup.battery.pass(&roots.slots);
                Box::new(Ready::new(self.engine, setup, &pass, roots, self.few))
            })
        });
        halves.iter().flat_map(|half| half.alone::<R>(worker, sample)).collect()
    }

    /// Lets a worker wait for its next batch. Its space goes to whoever comes next, which is most
    /// often the same worker.
    fn rest(&self, mut worker: Box<Worker>) {
        if let (Some(space), Ok(mut spare)) = (worker.leave(), self.engine.spare.lock()) {
            spare.push(space);
        }
        if let Ok(mut idle) = self.idle.lock() {
            idle.push(worker);
        }
    }

    /// A worker with a space to work in: its own, if that is there.
    fn hire(&self) -> Box<Worker> {
        let idle = self.idle.lock().ok().and_then(|mut idle| idle.pop());
        let (set, Setup { battery, timed, stop, .. }) = (self.engine.set, self.setup);
        let mut worker = idle.unwrap_or_else(|| Box::new(Worker::new(battery, set, timed, stop)));
        let spare = self.engine.spare.lock().ok().and_then(|mut spare| {
            let own = spare.iter().rposition(|space| worker.owns(space));
            own.map(|at| spare.swap_remove(at)).or_else(|| spare.pop())
        });
        let space = spare.unwrap_or_else(|| Box::new(Space::new(UNITS)));
        worker.enter(self.setup.battery, &self.plan, space);
        worker
    }

    /// Runs a block of samples: of one task, where the battery looks at its examples. Adds for each what
    /// was read of its answers; adds nothing and is false if something found no room. Once it is said to
    /// stop, nothing more is read.
    fn block<'s, R: Reading<'s>>(
        &self,
        worker: &mut Worker,
        samples: &'s [Sample],
        all: &mut Vec<Vec<R::Read>>,
    ) -> bool {
        let Some(first) = samples.first() else { return true };
        let none = || self.roots.slots.iter().map(|_| R::STOPPED).collect();
        if worker.stop.fired() {
            all.extend(samples.iter().map(|_| none()));
            return true;
        }
        let (plan, [s, i, c]) = (&self.plan, self.inputs);
        worker.reset();
        worker.input(s, std::iter::once(self.setup.tasks.get(first.task)));
        worker.run(plan, &plan.steps[Root::Task as usize]);
        worker.frames[FrameId::SAMPLE.index()].len = samples.len();
        worker.input(i, samples.iter().map(|s| Some(&s.input)));
        worker.input(c, samples.iter().map(|s| s.compared.as_ref()));
        let readings: Vec<R> =
            samples.iter().map(|sample| R::new(worker, &self.setup, sample)).collect();
        let before = all.len();
        all.extend(samples.iter().map(|_| none()));
        let rows = &mut all[before..];
        let (steps, mut from, mut whole) = (&plan.steps[Root::Sample as usize], 0, true);
        for stop in &self.answers.stops {
            worker.run(plan, steps.get(from..stop.steps).unwrap_or_default());
            from = stop.steps;
            if worker.stop.fired() {
                break;
            }
            self.read(worker, &stop.places, &readings, rows);
            stop.drop.iter().for_each(|slot| worker.columns.free(*slot));
            worker.collect_if_used();
            if worker.ran_out() {
                whole = false;
                break;
            }
        }
        if worker.stop.fired() {
            // What found no room is not run again.
            worker.ran_out();
            worker.count_handed_back(true);
            return true;
        }
        // What no answer needs is not among the steps.
        self.read(worker, &self.answers.rest, &readings, rows);
        whole &= !worker.ran_out();
        worker.count_handed_back(whole);
        if !whole {
            all.truncate(before);
        }
        whole
    }

    /// Reads some answers of every sample of a block.
    fn read<'s, R: Reading<'s>>(
        &self,
        worker: &mut Worker,
        places: &[usize],
        readings: &[R],
        rows: &mut [Vec<R::Read>],
    ) {
        for place in places {
            let (root, alone) = (self.roots.slots[*place], self.roots.alone[*place]);
            for (at, (reading, row)) in readings.iter().zip(&mut *rows).enumerate() {
                let column = worker.columns.get(root);
                // An output that needs no sample has one row for all of them.
                let val = column.get(at).or(column.first()).copied().unwrap_or(Val::BACK);
                row[*place] = reading.read(worker, val, root, alone);
            }
        }
    }
}

/// How many samples the next block has, of no more than so many elements.
fn block_len(samples: &[Sample], most: u32) -> usize {
    let mut elements = 0;
    let fits = |sample: &&Sample| {
        elements += sample.input.elements();
        elements <= most
    };
    samples.iter().take(BLOCK).take_while(fits).count().max(1)
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
