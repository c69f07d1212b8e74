//! The reference engine for batteries: the instructions, one sample at a time, as plainly as the
//! interpreter runs programs.

mod eval;
mod loops;
mod store;

use std::sync::OnceLock;

use batt_lang::Value;
use batt_lang::battery::{Battery, Instr, Pass};
use batt_lang::graph::{Def, FrameId, Root, SlotId};
use batt_lang::program::Input;

use super::{Cell, Counters, Engine, Loaded, Phase, Row, Sample};
use crate::reference::Machine;
use store::Store;

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

    fn load<'a>(
        &'a self,
        battery: &'a Battery,
        phase: Phase,
        tasks: &'a [Value],
    ) -> Box<dyn Loaded + 'a> {
        let pass = phase.pass(battery);
        let mut run = Run::new(battery, Root::Constant, [None, None]);
        for at in (0..battery.slot_count() as u32).map(SlotId) {
            if let Def::Value(value) = battery.def(at) {
                run.store.set(at, vec![Cell::Value(value.clone())]);
            }
        }
        run.all(pass.instrs(Root::Constant));
        let by_task = tasks.iter().map(|_| OnceLock::new()).collect();
        Box::new(Ready {
            battery,
            pass,
            roots: phase.roots(battery),
            tasks,
            constants: run.store,
            by_task,
        })
    }
}

/// A pass that is ready to run.
struct Ready<'a> {
    battery: &'a Battery,
    pass: &'a Pass,
    roots: Vec<SlotId>,
    tasks: &'a [Value],
    constants: Store,
    /// What each task's samples share, computed when the first of them comes.
    by_task: Vec<OnceLock<Store>>,
}

impl Ready<'_> {
    fn sample(&self, sample: &Sample) -> (Row, u64) {
        let mut rows = 0;
        let shared = self.by_task[sample.task].get_or_init(|| {
            let mut run = Run::new(self.battery, Root::Task, [Some(&self.constants), None]);
            run.input(Input::S, &self.tasks[sample.task]);
            run.all(self.pass.instrs(Root::Task));
            rows += run.rows;
            run.store
        });
        let mut run = Run::new(self.battery, Root::Sample, [Some(&self.constants), Some(shared)]);
        run.input(Input::I, &sample.input);
        if let Some(compared) = &sample.compared {
            run.input(Input::C, compared);
        }
        run.all(self.pass.instrs(Root::Sample));
        let row =
            self.roots.iter().map(|root| run.get(*root, FrameId::SAMPLE, 0).clone()).collect();
        (row, rows + run.rows)
    }
}

impl Loaded for Ready<'_> {
    fn run(&self, samples: &[Sample]) -> (Vec<Row>, Counters) {
        let mut counters = Counters::default();
        let rows = samples.iter().map(|sample| {
            let (row, evaluated) = self.sample(sample);
            counters.rows += evaluated;
            row
        });
        (rows.collect(), counters)
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
    /// How many rows were evaluated.
    rows: u64,
}

impl<'a> Run<'a> {
    fn new(battery: &'a Battery, root: Root, outer: [Option<&'a Store>; 2]) -> Run<'a> {
        let store = Store::new(battery.slot_count(), battery.frames().len());
        Run { battery, root, outer, store, machine: Machine::default(), rows: 0 }
    }

    fn input(&mut self, input: Input, value: &Value) {
        if let Some(slot) = self.battery.input(input) {
            self.store.set(slot, vec![Cell::Value(value.clone())]);
        }
    }

    fn all(&mut self, instrs: &[Instr]) {
        for instr in instrs {
            match instr {
                Instr::Open(frame) => self.open(*frame),
                Instr::Eval(slot) => self.eval(*slot),
                Instr::Repeat(slot, block) => self.repeat(*slot, block),
                Instr::Drop(slot) => self.store.clear(*slot),
            }
        }
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

    fn find(&self, slot: SlotId, mut frame: FrameId, mut row: usize) -> (&Store, usize) {
        let frames = self.battery.frames();
        let home = self.battery.slot(slot).frame;
        match frames.get(home).root {
            Root::Constant if self.root != Root::Constant => {
                (self.outer[0].unwrap_or(&self.store), 0)
            }
            Root::Task if self.root != Root::Task => (self.outer[1].unwrap_or(&self.store), 0),
            _ => {
                while frame != home && frames.get(frame).depth > 0 {
                    row = self.store.parent_row(frame, row);
                    frame = frames.get(frame).parent;
                }
                (&self.store, row)
            }
        }
    }

    /// How many rows a frame has.
    fn row_count(&self, frame: FrameId) -> usize {
        if self.battery.frames().get(frame).depth == 0 { 1 } else { self.store.rows(frame) }
    }
}
