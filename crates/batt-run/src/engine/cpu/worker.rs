//! A worker: an arena and columns, and the steps that fill them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use batt_core::{Cx, Fault, Val};
use batt_cpu::{Operand, Set};
use batt_lang::Value;
use batt_lang::battery::Battery;
use batt_lang::graph::{Def, FrameId, SlotId};
use batt_lang::limits::MAX_BODIES;

use super::collect::{Mark, Space};
use super::columns::Columns;
use super::convert::to_val;
use super::loops::PIECE;
use super::packed::Kept;
use super::plan::{Plan, constants};
use super::step::Step;
use crate::engine::seen::{Seen, Via};
use crate::engine::{SlotCount, Slowest};
use crate::stop::Stop;

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
    /// Its number.
    id: u64,
    /// What it works in; none while it waits.
    space: Option<Box<Space>>,
    /// The grids of the last samples.
    pub kept: Kept,
    /// Whether the constants found no room.
    cramped: bool,
    /// The most bytes that another worker held which ran samples alone beside this one.
    pub beside: usize,
    /// How many rows of a loop run at a time, where they can.
    pub piece: usize,
    pub set: Set,
    /// Whether time is measured by slot.
    pub timed: bool,
    /// Says when to leave the rest of a block.
    pub stop: Stop,
    /// How much of the arena constants take.
    constant_units: u32,
    /// Which slots are constants.
    constant_slots: Vec<bool>,
    pub columns: Columns,
    /// How many bodies loops ran, for loops that run inside others.
    pub bodies: Vec<Vec<u64>>,
    pub frames: Vec<Rows>,
    /// Some rows of a column, before they are added to the others.
    pub scratch: Vec<Val>,
    /// The defaults of the safe policy, by slot.
    pub defaults: Vec<Val>,
    /// What each slot took.
    pub counts: Vec<SlotCount>,
    /// The slots of answers that a block could not hold.
    pub handed_back: Vec<SlotId>,
    /// The slowest step of each slot; none where time is not measured.
    pub slowest: Vec<Slowest>,
}

impl Worker {
    /// A worker that has nothing to work in yet.
    pub fn new(battery: &Battery, set: Set, timed: bool, stop: &Stop) -> Worker {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let mut worker = Worker {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            space: None,
            kept: Kept::default(),
            cramped: false,
            piece: PIECE,
            beside: 0,
            set,
            timed,
            stop: stop.clone(),
            constant_units: 0,
            constant_slots: vec![false; battery.slot_count()],
            columns: Columns::new(battery.slot_count()),
            bodies: vec![Vec::new(); battery.slot_count()],
            frames: Vec::new(),
            scratch: Vec::new(),
            defaults: vec![Val::BACK; battery.slot_count()],
            counts: vec![SlotCount::default(); battery.slot_count()],
            handed_back: Vec::new(),
            slowest: vec![Slowest::default(); if timed { battery.slot_count() } else { 0 }],
        };
        worker.frames.resize_with(battery.frames().len(), Rows::default);
        worker.frames[FrameId::CONSTANT.index()].len = 1;
        worker.frames[FrameId::TASK.index()].len = 1;
        worker
    }

    /// Whether it was the last one to work in a space.
    pub fn owns(&self, space: &Space) -> bool {
        space.owner == self.id
    }

    /// Starts to work in a space, where the constants still are if nobody else was there since.
    pub fn enter(&mut self, battery: &Battery, plan: &Plan, mut space: Box<Space>) {
        let own = self.owns(&space);
        space.owner = self.id;
        self.space = Some(space);
        if own {
            return;
        }
        self.constant_slots.fill(false);
        self.columns.free_except(&self.constant_slots);
        self.space().clear();
        let cx = self.cx();
        for (slot, value) in constants(battery) {
            let val = to_val(cx, value);
            self.defaults[slot.index()] = val;
            // A default's slot has rows of its own, which must not outlive their block.
            if matches!(battery.def(slot), Def::Value(_)) {
                self.columns.put(slot, vec![val]);
            }
        }
        self.run(plan, &plan.steps[0]);
        self.cramped = self.space().ran_out();
        self.constant_units = self.cx().taken();
        self.constant_slots.clear();
        self.constant_slots.extend(self.columns.iter_mut().map(|c| !c.is_empty()));
    }

    /// Leaves the space to whoever comes next.
    pub fn leave(&mut self) -> Option<Box<Space>> {
        self.space.take()
    }

    /// What it works in.
    #[inline]
    pub fn space(&mut self) -> &mut Space {
        match &mut self.space {
            Some(space) => space,
            none => none.insert(Box::default()),
        }
    }

    /// What each slot took since this was last asked, and the slowest steps.
    pub fn take_counts(&mut self) -> (Vec<SlotCount>, Vec<Slowest>) {
        let counts = vec![SlotCount::default(); self.counts.len()];
        let slowest = vec![Slowest::default(); self.slowest.len()];
        (std::mem::replace(&mut self.counts, counts), std::mem::replace(&mut self.slowest, slowest))
    }

    /// Counts the answers that a block could not hold, if it is not run again.
    pub fn count_handed_back(&mut self, count: bool) {
        for slot in self.handed_back.drain(..) {
            self.counts[slot.index()].handed_back += u64::from(count);
        }
    }

    /// Whether something found no room since this was last asked, or the constants did.
    pub fn ran_out(&mut self) -> bool {
        self.space().ran_out() | self.cramped
    }

    /// A handle on the arena.
    #[inline]
    pub fn cx(&mut self) -> Cx {
        self.space().cx()
    }

    /// Forgets everything but the constants. What is left of the last block must go: its columns
    /// name places in the arena where other values will be.
    pub fn reset(&mut self) {
        self.columns.free_except(&self.constant_slots);
        let keep = self.constant_units;
        self.space().reset(keep);
    }

    /// Fills an input's column, if there is one.
    pub fn input<'v>(
        &mut self,
        slot: Option<SlotId>,
        values: impl Iterator<Item = Option<&'v Value>>,
    ) {
        let Some(slot) = slot else { return };
        let mut column = self.columns.fresh(slot, 0);
        column.extend(values.map(|value| value.map_or(Val::BACK, |value| self.given(value))));
        self.columns.put(slot, column);
    }

    /// What a sample has or expects, in the arena.
    pub fn given(&mut self, value: &Value) -> Val {
        let cx = self.cx();
        self.kept.val(cx, value)
    }

    /// Runs some steps, until it is said to stop: then what they fill is not there, or not whole.
    pub fn run(&mut self, plan: &Plan, steps: &[Step]) {
        for step in steps {
            if self.stop.fired() {
                return;
            }
            self.collect_if_full();
            if self.timed {
                self.timed_step(plan, step);
            } else {
                self.step(plan, step);
            }
        }
    }

    /// Gives memory back where much was taken. Before a step, and not behind one: what it gave may be read
    /// and dropped by then.
    #[inline]
    pub fn collect_if_full(&mut self) {
        let space = self.space.get_or_insert_default();
        if space.is_full() {
            space.collect(&mut self.columns);
        }
    }

    /// Gives memory back where some was taken: little has to be moved, for a program has just ended.
    pub fn collect_if_used(&mut self) {
        let space = self.space.get_or_insert_default();
        if space.is_used() {
            space.collect(&mut self.columns);
        }
    }

    /// Gives memory back where much was taken since then: of that, only what some slots hold from a row on
    /// is kept.
    pub fn collect_since(&mut self, mark: Mark, slots: &[SlotId], row: usize) {
        let space = self.space.get_or_insert_default();
        if space.much_since(mark) {
            space.collect_since(mark, &mut self.columns, slots, row);
        }
    }

    fn timed_step(&mut self, plan: &Plan, step: &Step) {
        let slot = step.slot();
        let before = slot.map_or(0, |slot| self.counts[slot.index()].rows);
        let started = Instant::now();
        self.step(plan, step);
        let Some(slot) = slot else { return };
        // What opens a frame counts no rows: they are those of its items.
        let rows = match step {
            Step::Open(_) => self.columns.get(slot).len() as u64,
            _ => self.counts[slot.index()].rows - before,
        };
        self.note_time(slot, started, rows);
    }

    /// Notes what some rows of a slot took.
    pub fn note_time(&mut self, slot: SlotId, started: Instant, rows: u64) {
        let nanos = started.elapsed().as_nanos() as u64;
        self.counts[slot.index()].nanos += nanos;
        self.slowest[slot.index()].see(nanos, rows);
    }

    /// The most bytes that were held at a time since the worker was made.
    pub fn bytes(&self) -> usize {
        let rows: usize = self.frames.iter().map(Rows::bytes).sum();
        let bodies: usize = self.bodies.iter().map(|b| b.capacity() * size_of::<u64>()).sum();
        let space = self.space.as_ref().map_or(0, |space| space.bytes());
        space + self.columns.bytes() + self.kept.bytes() + rows + bodies + self.beside
    }

    #[inline]
    fn step(&mut self, plan: &Plan, step: &Step) {
        match step {
            Step::Drop(slot) => self.columns.free(*slot),
            Step::Open(open) => self.open(plan, open, 0, usize::MAX),
            Step::Region(region) => self.region(plan, region),
            Step::Close(close) => self.close(plan, close),
            Step::Repeat(repeat) => self.repeat(plan, repeat),
            Step::Call(call) => self.call(call),
            Step::Chain(chain) => self.chain(chain),
            Step::Select(select) => self.select(select),
            Step::Collect(collect) => self.collect(plan, collect),
            Step::OrElse { out, frame, value } => self.or_else(*out, *frame, *value),
            Step::Fail { out, frame } => self.fill(*out, *frame, Val::error(Fault::Type)),
            Step::HandBack { out, frame } => self.fill(*out, *frame, Val::BACK),
        }
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

    /// Some columns as the rows of a frame see them.
    pub fn operands(&self, seen: &[Seen], frame: FrameId) -> Vec<Operand<'_>> {
        seen.iter().map(|one| self.operand(*one, frame)).collect()
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
}

/// What a loop becomes that ran too many bodies. Where the count is an upper bound, only the
/// reference engine can tell.
pub fn past_limit(bodies: u64, exact: bool) -> Option<Val> {
    let over = bodies > u64::from(MAX_BODIES);
    over.then(|| if exact { Val::error(Fault::Size) } else { Val::BACK })
}

#[cfg(test)]
mod tests {
    use batt_lang::card::{Options, Policy};

    use super::super::plan::tests::dealt;
    use super::*;
    use crate::engine::Phase;
    use crate::engine::check::Refused;
    use crate::stop::NEVER;

    #[test]
    fn rows_with_a_default_do_not_outlive_their_block() {
        let source = "def f(S, I):\n    O = crop(I, ORIGIN, TWO_BY_TWO)\n    return O\n";
        let battery = dealt(source, Options { policy: Policy::Safe, ..Options::default() });
        let plan =
            Plan::new(&battery, Phase::Outputs.pass(&battery), Set::Portable, &Refused::default());
        let mut worker = Worker::new(&battery, Set::Portable, false, &NEVER);
        worker.enter(&battery, &plan, Box::new(Space::new(1 << 10)));
        let slots = || (0..battery.slot_count() as u32).map(SlotId);
        let own: Vec<SlotId> =
            slots().filter(|slot| matches!(battery.def(*slot), Def::OrElse { .. })).collect();
        assert!(!own.is_empty());
        for slot in &own {
            worker.columns.put(*slot, vec![Val::NULL; 3]);
        }
        worker.reset();
        // What is left of a block would name places in the arena where other values are.
        assert!(own.iter().all(|slot| worker.columns.get(*slot).is_empty()));
        // Constants stay.
        let constant = |slot: &SlotId| matches!(battery.def(*slot), Def::Value(_));
        assert!(slots().filter(constant).all(|slot| worker.columns.get(slot).len() == 1));
    }
}
