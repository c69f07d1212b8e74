//! The reference engine for batteries: the instructions, one sample at a time, as plainly as the
//! interpreter runs programs.

mod eval;
mod loops;
mod store;

use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

use batt_lang::Value;
use batt_lang::battery::{Battery, Instr, Pass};
use batt_lang::graph::{Def, FrameId, Root, SlotId};
use batt_lang::program::Input;

use super::{Cell, Counters, Engine, Loaded, Row, Sample, Setup, SlotCount};
use crate::reference::Machine;
use crate::stop::Stop;
use store::{Layout, Store};

/// Values that nest deeper are handed back: only the interpreter counts how deep functions that
/// capture them would nest.
const MAX_HELD_DEPTH: u32 = 32;

/// The reference engine.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reference;

impl Engine for Reference {
    fn name(&self) -> &'static str {
        "reference"
    }

    fn load<'a>(&'a self, setup: Setup<'a>) -> Box<dyn Loaded + 'a> {
        let Setup { battery, phase, tasks, timed, stop, .. } = setup;
        let pass = phase.pass(battery);
        let layout = Arc::new(Layout::of(battery));
        let mut run = Run::new(battery, &layout, Root::Constant, [None, None], timed, stop);
        for at in (0..battery.slot_count() as u32).map(SlotId) {
            if let Def::Value(value) = battery.def(at) {
                run.store.set(at, vec![Cell::Value(value.clone())]);
            }
        }
        run.all(pass.instrs(Root::Constant));
        let by_task = tasks.iter().map(|_| OnceLock::new()).collect();
        let unclaimed = Mutex::new(run.counters);
        Box::new(Ready {
            setup,
            pass,
            roots: phase.roots(battery),
            layout,
            constants: run.store,
            by_task,
            unclaimed,
        })
    }
}

/// A pass that is ready to run.
struct Ready<'a> {
    setup: Setup<'a>,
    pass: &'a Pass,
    roots: Vec<SlotId>,
    layout: Arc<Layout>,
    constants: Store,
    /// What each task's samples share, computed when the first of them comes.
    by_task: Vec<OnceLock<Store>>,
    /// What loading took, until the first run reports it.
    unclaimed: Mutex<Counters>,
}

impl Ready<'_> {
    fn start<'a>(&'a self, root: Root, task: Option<&'a Store>) -> Run<'a> {
        let outer = [Some(&self.constants), task];
        Run::new(self.setup.battery, &self.layout, root, outer, self.setup.timed, self.setup.stop)
    }

    fn sample(&self, sample: &Sample, counters: &mut Counters) -> Row {
        let shared = self.by_task[sample.task].get_or_init(|| {
            let mut run = self.start(Root::Task, None);
            run.input(Input::S, &self.setup.tasks[sample.task]);
            run.all(self.pass.instrs(Root::Task));
            counters.add(&run.counters);
            run.store
        });
        let mut run = self.start(Root::Sample, Some(shared));
        run.input(Input::I, &sample.input);
        if let Some(compared) = &sample.compared {
            run.input(Input::C, compared);
        }
        run.all(self.pass.instrs(Root::Sample));
        counters.add(&run.counters);
        if self.setup.stop.fired() {
            return vec![Cell::Stopped; self.roots.len()];
        }
        self.roots.iter().map(|root| run.get(*root, FrameId::SAMPLE, 0).clone()).collect()
    }
}

impl Loaded for Ready<'_> {
    fn run(&self, samples: &[Sample]) -> (Vec<Row>, Counters) {
        let mut counters = match self.unclaimed.lock() {
            Ok(mut unclaimed) => std::mem::take(&mut *unclaimed),
            Err(_) => Counters::default(),
        };
        let rows = samples.iter().map(|sample| self.sample(sample, &mut counters)).collect();
        (rows, counters)
    }
}

/// The instructions of one root being run: once per battery, for one task, or for one sample.
struct Run<'a> {
    battery: &'a Battery,
    root: Root,
    /// What was computed once per battery, and once for this task.
    outer: [Option<&'a Store>; 2],
    store: Store,
    machine: Machine,
    counters: Counters,
    /// Whether time is measured by slot.
    timed: bool,
    /// Says when to leave the rest.
    stop: &'a Stop,
}

impl<'a> Run<'a> {
    fn new(
        battery: &'a Battery,
        layout: &Arc<Layout>,
        root: Root,
        outer: [Option<&'a Store>; 2],
        timed: bool,
        stop: &'a Stop,
    ) -> Run<'a> {
        let store = Store::new(layout, root);
        let slots = vec![SlotCount::default(); battery.slot_count()];
        let counters = Counters { slots, ..Counters::default() };
        Run { battery, root, outer, store, machine: Machine::until(stop), counters, timed, stop }
    }

    fn input(&mut self, input: Input, value: &Value) {
        if let Some(slot) = self.battery.input(input) {
            self.store.set(slot, vec![Cell::Value(value.clone())]);
        }
    }

    fn all(&mut self, instrs: &[Instr]) {
        for instr in instrs {
            if self.stop.fired() {
                return;
            }
            match instr {
                Instr::Open(frame) => self.open(*frame),
                Instr::Eval(slot) => self.timed(*slot, |run| run.eval(*slot)),
                Instr::Repeat(slot, block) => self.timed(*slot, |run| run.repeat(*slot, block)),
                Instr::Drop(slot) => self.store.clear(*slot),
            }
        }
    }

    /// Counts a slot's rows and, where asked for, its time. A `power` counts the time of its block.
    fn timed(&mut self, slot: SlotId, compute: impl FnOnce(&mut Self) -> usize) {
        let started = self.timed.then(Instant::now);
        let rows = compute(self);
        let count = &mut self.counters.slots[slot.index()];
        count.rows += rows as u64;
        count.nanos += started.map_or(0, |at| at.elapsed().as_nanos() as u64);
    }

    /// A slot's cell as a row of some frame sees it: the row's ancestor in the slot's own frame.
    fn get(&self, slot: SlotId, frame: FrameId, row: usize) -> &Cell {
        let (store, row) = self.find(slot, frame, row);
        store.cell(slot, row)
    }

    /// How many bodies a loop ran, as a row of some frame sees it.
    fn bodies(&self, slot: SlotId, frame: FrameId, row: usize) -> u64 {
        let (store, row) = self.find(slot, frame, row);
        store.bodies(slot, row)
    }

    fn find(&self, slot: SlotId, frame: FrameId, row: usize) -> (&Store, usize) {
        let frames = self.battery.frames();
        let home = self.battery.slot(slot).frame;
        match frames.get(home).root {
            Root::Constant if self.root != Root::Constant => {
                (self.outer[0].unwrap_or(&self.store), 0)
            }
            Root::Task if self.root != Root::Task => (self.outer[1].unwrap_or(&self.store), 0),
            _ => (&self.store, self.row_in(home, frame, row)),
        }
    }

    /// The row of another frame that a frame's row belongs to.
    fn row_in(&self, home: FrameId, mut frame: FrameId, mut row: usize) -> usize {
        let frames = self.battery.frames();
        while frame != home && frames.get(frame).depth > 0 {
            let here = frames.get(frame);
            match here.base {
                Some(base) if frames.sees(base, home) => {
                    row = self.store.base_row(frame, row);
                    frame = base;
                }
                _ => {
                    row = self.store.parent_row(frame, row);
                    frame = here.parent;
                }
            }
        }
        row
    }

    /// How many rows a frame has.
    fn row_count(&self, frame: FrameId) -> usize {
        if self.battery.frames().get(frame).depth == 0 { 1 } else { self.store.rows(frame) }
    }
}
