//! A worker: an arena and columns, and the steps that fill them.

use batt_core::seq::{List, truth};
use batt_core::{Array, Cx, Fault, Tag, Val};
use std::time::Instant;

use batt_cpu::{Operand, Set, Task};
use batt_lang::Value;
use batt_lang::battery::Battery;
use batt_lang::graph::{FrameId, SlotId};
use batt_lang::limits::MAX_BODIES;
use batt_lang::ops::Guard;
use batt_lang::program::Input;

use super::collect::Space;
use super::columns::Columns;
use super::convert::to_val;
use super::loops::PIECE;
use super::plan::{Plan, Seen, Step, Via, constants};
use crate::engine::{SlotCount, Slowest};

/// The rows of a frame.
#[derive(Default)]
pub struct Rows {
    /// How many.
    pub len: usize,
    /// For each row the row that it belongs to in each of the frames that it sees, where something
    /// asks for it.
    pub up: Vec<Vec<u32>>,
    /// For each parent row, where its rows start and end; a mark stands for the end where there are
    /// too many to open.
    pub spans: Vec<(u32, u32)>,
    /// Which rows of the parent are open: all, or a few at a time.
    pub parents: std::ops::Range<usize>,
    /// For each sample, how many rows a nested frame has had since its outermost loop began.
    pub opened: Vec<u32>,
}

impl Rows {
    /// The bytes that the buffers hold.
    fn bytes(&self) -> usize {
        let up: usize = self.up.iter().map(|up| up.capacity() * size_of::<u32>()).sum();
        let spans = self.spans.capacity() * size_of::<(u32, u32)>();
        up + spans + self.opened.capacity() * size_of::<u32>()
    }
}

/// What one thread computes with.
pub struct Worker {
    pub space: Space,
    /// The most bytes that another worker held which ran samples alone beside this one.
    pub beside: usize,
    /// How many rows of a loop run at a time, where they can.
    pub piece: usize,
    pub set: Set,
    /// Whether time is measured by slot.
    timed: bool,
    /// How much of the arena constants take.
    constant_units: u32,
    /// Which slots are constants.
    constant_slots: Vec<bool>,
    pub columns: Columns,
    /// How many bodies loops ran, for loops that run inside others.
    pub bodies: Vec<Vec<u64>>,
    pub frames: Vec<Rows>,
    /// The defaults of the safe policy, by slot.
    defaults: Vec<Val>,
    /// What each slot took.
    pub counts: Vec<SlotCount>,
    /// The slowest step of each slot; none where time is not measured.
    pub slowest: Vec<Slowest>,
}

impl Worker {
    /// A worker with its constants computed.
    pub fn new(battery: &Battery, plan: &Plan, set: Set, timed: bool, space: Space) -> Worker {
        let mut worker = Worker {
            space,
            piece: PIECE,
            beside: 0,
            set,
            timed,
            constant_units: 0,
            constant_slots: Vec::new(),
            columns: Columns::new(battery.slot_count()),
            bodies: vec![Vec::new(); battery.slot_count()],
            frames: Vec::new(),
            defaults: vec![Val::BACK; battery.slot_count()],
            counts: vec![SlotCount::default(); battery.slot_count()],
            slowest: vec![Slowest::default(); if timed { battery.slot_count() } else { 0 }],
        };
        worker.frames.resize_with(battery.frames().len(), Rows::default);
        worker.frames[FrameId::CONSTANT.index()].len = 1;
        worker.frames[FrameId::TASK.index()].len = 1;
        worker.space.clear();
        let cx = worker.cx();
        for (slot, value) in constants(battery) {
            let val = to_val(cx, value);
            worker.defaults[slot.index()] = val;
            worker.columns.put(slot, vec![val]);
        }
        worker.run(plan, &plan.steps[0]);
        worker.constant_units = worker.cx().taken();
        worker.constant_slots = worker.columns.iter_mut().map(|c| !c.is_empty()).collect();
        worker
    }

    /// Ends the worker; its memory may serve another.
    pub fn into_space(self) -> Space {
        self.space
    }

    /// A handle on the arena.
    pub fn cx(&mut self) -> Cx {
        self.space.cx()
    }

    /// Forgets everything but the constants. What is left of the last block must go: its columns
    /// name places in the arena where other values will be.
    pub fn reset(&mut self) {
        self.columns.free_except(&self.constant_slots);
        self.space.reset(self.constant_units);
    }

    /// Fills an input's column, if the battery reads it.
    pub fn input<'v>(
        &mut self,
        battery: &Battery,
        input: Input,
        values: impl Iterator<Item = Option<&'v Value>>,
    ) {
        let Some(slot) = battery.input(input) else { return };
        let cx = self.cx();
        let column = values.map(|value| value.map_or(Val::BACK, |v| to_val(cx, v))).collect();
        self.columns.put(slot, column);
    }

    /// Runs the steps of a block.
    pub fn run(&mut self, plan: &Plan, steps: &[Step]) {
        for step in steps {
            if self.timed {
                self.timed_step(plan, step);
            } else {
                self.step(plan, step);
            }
            if self.space.is_full() {
                self.space.collect(self.columns.iter_mut());
            }
        }
    }

    fn timed_step(&mut self, plan: &Plan, step: &Step) {
        let slot = step.slot();
        let before = slot.map_or(0, |slot| self.counts[slot.index()].rows);
        let started = Instant::now();
        self.step(plan, step);
        let nanos = started.elapsed().as_nanos() as u64;
        let Some(slot) = slot else { return };
        let count = &mut self.counts[slot.index()];
        count.nanos += nanos;
        // What opens a frame counts no rows: they are those of its items.
        let rows = match step {
            Step::Open(_) => self.columns.get(slot).len() as u64,
            _ => count.rows - before,
        };
        self.slowest[slot.index()].see(nanos, rows);
    }

    /// The most bytes that were held at a time since the worker was made.
    pub fn bytes(&self) -> usize {
        let rows: usize = self.frames.iter().map(Rows::bytes).sum();
        let bodies: usize = self.bodies.iter().map(|b| b.capacity() * size_of::<u64>()).sum();
        self.space.bytes() + self.columns.bytes() + rows + bodies + self.beside
    }

    fn step(&mut self, plan: &Plan, step: &Step) {
        match step {
            Step::Drop(slot) => self.columns.free(*slot),
            Step::Open(open) => self.open(plan, open, 0, usize::MAX),
            Step::Region(region) => self.region(plan, region),
            Step::Close(close) => self.close(plan, close),
            Step::Repeat(repeat) => self.repeat(plan, repeat),
            Step::Call { out, frame, kernel, args, guarded } => {
                let rows = self.frames[frame.index()].len;
                let cx = self.cx();
                let mut column = self.columns.fresh(*out, rows);
                let mut operands = [Operand::One(Val::BACK); 4];
                for (operand, seen) in operands.iter_mut().zip(args) {
                    *operand = self.operand(*seen, *frame);
                }
                let task = Task { cx, operands: &operands[..args.len().min(4)], rows, slot: out.0 };
                #[allow(unsafe_code)]
                // SAFETY: kernels are chosen for the instructions that this machine has.
                unsafe {
                    kernel(task, &mut column);
                }
                if let Some((guard, at)) = guarded {
                    for (row, val) in column.iter_mut().enumerate() {
                        for i in at {
                            check_guard(cx, *guard, operands[*i].get(row), val, out.0);
                        }
                    }
                }
                self.finish(*out, column);
            }
            Step::Select { out, frame, condition, then, other, guards } => {
                self.rowwise(*out, *frame, |worker, row| {
                    if let Some(bad) = worker.first_bad(guards, *frame, row) {
                        return bad;
                    }
                    let chosen = worker.val(*condition, *frame, row);
                    if chosen.is_bad() {
                        return chosen;
                    }
                    worker.val(if truth(chosen) { *then } else { *other }, *frame, row)
                });
            }
            Step::Collect { out, frame, set, items, guards, nested } => {
                let cx = self.cx();
                let mut bodies = Vec::new();
                self.rowwise(*out, *frame, |worker, row| {
                    let inner: u64 =
                        nested.iter().map(|n| worker.body_count(*n, *frame, row)).sum();
                    let ran = items.len() as u64 + inner;
                    bodies.push(ran);
                    if let Some(bad) = worker.first_bad(guards, *frame, row) {
                        return bad;
                    }
                    let Some(mut list) = List::new(cx, items.len() as u32) else {
                        return Val::BACK;
                    };
                    for item in items {
                        list.push(cx, worker.val(*item, *frame, row));
                    }
                    match past_limit(ran, inner == 0) {
                        Some(bad) => bad,
                        None if *set => list.set::<Array>(cx),
                        None => list.tuple(cx),
                    }
                });
                self.note_bodies(plan, *out, bodies);
            }
            Step::OrElse { out, frame, value } => {
                let default = self.defaults[out.index()];
                self.rowwise(*out, *frame, |worker, row| {
                    let val = worker.val(*value, *frame, row);
                    if val.is(Tag::Error) { default } else { val }
                });
            }
            Step::Fail { out, frame } => {
                self.rowwise(*out, *frame, |_, _| Val::error(Fault::Type).began_at(out.0));
            }
            Step::HandBack { out, frame } => {
                self.rowwise(*out, *frame, |_, _| Val::BACK.began_at(out.0));
            }
        }
    }

    /// Computes a column row by row.
    pub fn rowwise(
        &mut self,
        out: SlotId,
        frame: FrameId,
        mut f: impl FnMut(&Worker, usize) -> Val,
    ) {
        let rows = self.frames[frame.index()].len;
        let mut column = self.columns.fresh(out, rows);
        for row in 0..rows {
            let val = f(self, row);
            column.push(val);
        }
        self.finish(out, column);
    }

    pub fn finish(&mut self, out: SlotId, column: Vec<Val>) {
        self.counts[out.index()].rows += column.len() as u64;
        self.columns.put(out, column);
    }

    pub fn note_bodies(&mut self, plan: &Plan, out: SlotId, bodies: Vec<u64>) {
        if plan.counted[out.index()] {
            self.bodies[out.index()] = bodies;
        }
    }

    /// A column as the rows of a frame see it.
    pub fn operand(&self, seen: Seen, frame: FrameId) -> Operand<'_> {
        let column = self.columns.get(seen.slot);
        match seen.via {
            Via::One => Operand::One(column.first().copied().unwrap_or(Val::BACK)),
            Via::Same => Operand::Same(column),
            Via::Up(levels) => match self.frames[frame.index()].up.get(usize::from(levels) - 1) {
                Some(rows) => Operand::Via(column, rows),
                None => Operand::One(Val::BACK),
            },
        }
    }

    /// A value as a row of a frame sees it.
    pub fn val(&self, seen: Seen, frame: FrameId, row: usize) -> Val {
        self.operand(seen, frame).get(row)
    }

    /// How many bodies a loop ran, as a row of a frame sees it.
    pub fn body_count(&self, seen: Seen, frame: FrameId, row: usize) -> u64 {
        let at = match seen.via {
            Via::One => 0,
            Via::Same => row,
            Via::Up(levels) => {
                let up = self.frames[frame.index()].up.get(usize::from(levels) - 1);
                up.and_then(|rows| rows.get(row)).map_or(0, |r| *r as usize)
            }
        };
        self.bodies[seen.slot.index()].get(at).copied().unwrap_or(0)
    }

    /// The first bad value among some, a hand-back before an error.
    pub fn first_bad(&self, seen: &[Seen], frame: FrameId, row: usize) -> Option<Val> {
        let mut bad: Option<Val> = None;
        for one in seen {
            let val = self.val(*one, frame, row);
            if val.is(Tag::Back) {
                return Some(val);
            }
            if bad.is_none() && val.is(Tag::Error) {
                bad = Some(val);
            }
        }
        bad
    }
}

/// What a loop becomes that ran too many bodies. Where the count is an upper bound, only the
/// reference engine can tell.
pub fn past_limit(bodies: u64, exact: bool) -> Option<Val> {
    let over = bodies > u64::from(MAX_BODIES);
    over.then(|| if exact { Val::error(Fault::Size) } else { Val::BACK })
}

/// Makes a result an error where an argument is not what the suffix asks for.
fn check_guard(cx: Cx, guard: Guard, arg: Val, out: &mut Val, slot: u32) {
    if arg.is_bad() {
        return;
    }
    if !suffix_fits(cx, guard, arg) {
        *out = Val::error(Fault::Type).began_at(slot);
    }
}

/// Whether a value is of the kind that a suffix asks for.
pub fn suffix_fits(cx: Cx, guard: Guard, v: Val) -> bool {
    let all = |form: Tag, tag: Tag| {
        v.is(form)
            || v.is_empty_set()
            || (v.is(Tag::Set) && (0..v.x()).all(|k| cx.val(v.a(), k).is(tag)))
    };
    match guard {
        Guard::None => true,
        Guard::Tuple => v.is_tuple(),
        Guard::Set => v.is_set(),
        Guard::Indices => all(Tag::Mask, Tag::Pair),
        Guard::Object => all(Tag::Object, Tag::Cell),
    }
}
