//! Steps that compute a column row by row: primitives, choices, containers of results.

use batt_core::seq::{List, truth};
use batt_core::{Array, Tag, Val};
use batt_cpu::{Operand, Task};
use batt_lang::graph::{FrameId, SlotId};

use super::plan::Plan;
use super::step::{CallStep, CollectStep, SelectStep};
use super::worker::{Worker, past_limit};
use crate::engine::seen::Seen;

impl Worker {
    /// A primitive over a column.
    #[inline]
    pub fn call(&mut self, step: &CallStep) {
        let (out, args) = (step.out, step.args());
        let rows = self.frames[step.frame.index()].len;
        let cx = self.cx();
        let mut column = self.columns.fresh(out, rows);
        let mut operands = [Operand::One(Val::BACK); 4];
        for (operand, seen) in operands.iter_mut().zip(args) {
            *operand = self.operand(*seen, step.frame);
        }
        let task = Task { cx, operands: &operands[..args.len().min(4)], rows, slot: out.0 };
        #[allow(unsafe_code)]
        // SAFETY: kernels are chosen for the instructions that this machine has.
        unsafe {
            (step.kernel)(task, &mut column);
        }
        self.finish(out, column);
        if step.last != 0 {
            self.free_last(step);
        }
    }

    /// Frees the arguments that a call is the last to read.
    #[inline]
    pub fn free_last(&mut self, step: &CallStep) {
        for (at, seen) in step.args().iter().enumerate() {
            if step.last >> at & 1 != 0 {
                self.columns.free(seen.slot);
            }
        }
    }

    /// The chosen one of two results.
    #[inline(never)]
    pub fn select(&mut self, step: &SelectStep) {
        let frame = step.frame;
        let rows = self.frames[frame.index()].len;
        let mut column = self.columns.fresh(step.out, rows);
        let guards = self.operands(&step.guards, frame);
        let condition = self.operand(step.condition, frame);
        let (then, other) = (self.operand(step.then, frame), self.operand(step.other, frame));
        column.extend((0..rows).map(|row| {
            if let Some(bad) = first_bad(&guards, row) {
                return bad;
            }
            let chosen = condition.get(row);
            match chosen {
                _ if chosen.is_bad() => chosen,
                _ if truth(chosen) => then.get(row),
                _ => other.get(row),
            }
        }));
        self.finish(step.out, column);
    }

    /// Results as a container.
    #[inline(never)]
    pub fn collect(&mut self, plan: &Plan, step: &CollectStep) {
        let frame = step.frame;
        let rows = self.frames[frame.index()].len;
        let cx = self.cx();
        let mut column = self.columns.fresh(step.out, rows);
        let (guards, items) =
            (self.operands(&step.guards, frame), self.operands(&step.items, frame));
        let mut bodies = Vec::new();
        column.extend((0..rows).map(|row| {
            let inner: u64 = step.nested.iter().map(|n| self.body_count(*n, frame, row)).sum();
            let ran = items.len() as u64 + inner;
            bodies.push(ran);
            if let Some(bad) = first_bad(&guards, row) {
                return bad;
            }
            let Some(mut list) = List::new(cx, items.len() as u32) else {
                return Val::BACK;
            };
            for item in &items {
                list.push(cx, item.get(row));
            }
            match past_limit(ran, inner == 0) {
                Some(bad) => bad,
                None if step.set => list.set::<Array>(cx),
                None => list.tuple(cx),
            }
        }));
        self.finish(step.out, column);
        self.note_bodies(plan, step.out, bodies);
    }

    /// A default for errors.
    #[inline(never)]
    pub fn or_else(&mut self, out: SlotId, frame: FrameId, value: Seen) {
        let rows = self.frames[frame.index()].len;
        let default = self.defaults[out.index()];
        let mut column = self.columns.fresh(out, rows);
        let value = self.operand(value, frame);
        column.extend((0..rows).map(|row| {
            let val = value.get(row);
            if val.is(Tag::Error) { default } else { val }
        }));
        self.finish(out, column);
    }

    /// An error, or what is handed back, in every row.
    #[inline(never)]
    pub fn fill(&mut self, out: SlotId, frame: FrameId, bad: Val) {
        let rows = self.frames[frame.index()].len;
        let mut column = self.columns.fresh(out, rows);
        column.resize(rows, bad.began_at(out.0));
        self.finish(out, column);
    }
}

/// The first bad value among those that a row sees, an error before a hand-back.
#[inline]
pub fn first_bad(operands: &[Operand<'_>], row: usize) -> Option<Val> {
    bad_among(operands.iter().map(|operand| operand.get(row)))
}

/// The first bad one of some values, an error before a hand-back: whatever that would be, what needs all of
/// them is an error.
#[inline]
pub fn bad_among(vals: impl Iterator<Item = Val>) -> Option<Val> {
    let mut bad: Option<Val> = None;
    for val in vals {
        if val.is(Tag::Error) {
            return Some(val);
        }
        if bad.is_none() && val.is(Tag::Back) {
            bad = Some(val);
        }
    }
    bad
}
