//! The steps of a plan as kernels that are started one after the other.

use std::time::Duration;

use batt_core::columns::{
    Above, Call, Close, FORM, MOST_LISTED, Open, Operand, PART, Power, Rowwise,
};
use batt_core::{Fault, Val};
use batt_cuda::Failure;
use batt_lang::battery::Battery;
use batt_lang::graph::{FrameId, SlotId};

use super::pieces;
use super::plan::Plan;
use super::session::{By, FEW, ROWS, Rows, Session};
use super::step::{Base, CallStep, CloseStep, OpenStep, RepeatStep, Step};
use crate::engine::seen::Seen;
use crate::stop::Stop;

/// The most rows that a frame may have over a chunk.
const MOST_ROWS: u32 = 1 << 30;

/// After so many steps a `power` goes on only for many rows: a step waits for the device several times,
/// however few rows there are. The CPU engine finishes the others meanwhile.
const PATIENCE: u32 = 16;
/// One row in so many is many.
const MANY: u32 = 16;
/// The most steps of a `power` between two looks at which rows go on.
const BLIND: u32 = 16;

/// Runs steps of a plan.
pub struct Runner<'a, 'd> {
    pub session: &'a mut Session<'d>,
    pub battery: &'a Battery,
    /// Says when to start no more kernels.
    pub stop: &'a Stop,
    pub plan: &'a Plan,
    /// The defaults of the safe policy, by slot.
    pub defaults: &'a [Val],
    /// Where time is measured, what kernels took as far as it was noted.
    pub noted: Option<Duration>,
}

impl Runner<'_, '_> {
    /// Runs steps in order.
    pub fn run(&mut self, steps: &[Step]) -> Result<(), Failure> {
        for step in steps {
            if self.stop.fired() {
                return Err(Failure::Stopped);
            }
            self.step(step).inspect_err(|_| self.session.failed_at(self.battery, step))?;
            if let (Some(noted), Some(slot)) = (self.noted, step.slot()) {
                self.session.device.wait()?;
                let now = self.session.device.kernel_time();
                self.session.slots[slot.index()].nanos +=
                    now.saturating_sub(noted).as_nanos() as u64;
                self.noted = Some(now);
            }
        }
        Ok(())
    }

    fn step(&mut self, step: &Step) -> Result<(), Failure> {
        match step {
            Step::Drop(slot) => {
                let column = self.session.columns[slot.index()].take();
                self.session.give(column);
                let bodies = self.session.bodies[slot.index()].take();
                self.session.give(bodies);
                Ok(())
            }
            Step::Leave(frame) => {
                self.session.leave(*frame);
                Ok(())
            }
            Step::Opens(opens) => self.opens(opens),
            Step::Close(close) => self.close(close),
            Step::Repeat(repeat) => self.repeat(repeat),
            Step::Calls(calls) => self.calls(calls),
            Step::Choose { out, frame, list, guards } => {
                let mut r = self.rowwise(*out, *frame, list)?;
                r.guards = *guards;
                let kernel = self.session.kernels.choose;
                self.session.launch(kernel, r.rows, By::Thread, &r)
            }
            Step::Collect { out, frame, set, list, counts } => {
                let [items, guards, nested] = *counts;
                let (values, loops) = list.split_at((items + guards) as usize);
                let mut r = self.rowwise(*out, *frame, values)?;
                for (to, seen) in r.list[values.len()..].iter_mut().zip(loops) {
                    *to = self.session.body_operand(*seen, *frame)?;
                }
                (r.first, r.guards, r.nested, r.set) = (items, guards, nested, u32::from(*set));
                r.bodies =
                    self.session.body_column(self.plan.counted[out.index()], *out, r.rows)?;
                let kernel = self.session.kernels.collect;
                self.session.launch(kernel, r.rows, By::Warp, &r)
            }
            Step::OrElse { out, frame, value } => {
                let mut r = self.rowwise(*out, *frame, &[*value])?;
                r.value = self.defaults[out.index()].two_words().into();
                let kernel = self.session.kernels.or_else;
                self.session.launch(kernel, r.rows, By::Thread, &r)
            }
            Step::Fill { out, frame, fails } => {
                let mut r = self.rowwise(*out, *frame, &[])?;
                let value = if *fails { Val::error(Fault::Type) } else { Val::BACK };
                r.value = value.began_at(out.0).two_words().into();
                let kernel = self.session.kernels.fill;
                self.session.launch(kernel, r.rows, By::Thread, &r)
            }
        }
    }

    fn rowwise(&mut self, out: SlotId, frame: FrameId, list: &[Seen]) -> Result<Rowwise, Failure> {
        let rows = self.session.rows(frame);
        let mut r =
            Rowwise { memory: self.session.memory(), rows, slot: out.0, ..Rowwise::default() };
        for (to, seen) in r.list.iter_mut().zip(list) {
            *to = self.session.operand(*seen, frame)?;
        }
        r.out = self.session.column(out, rows)?;
        Ok(r)
    }

    /// Computes columns of one primitive.
    fn calls(&mut self, steps: &[CallStep]) -> Result<(), Failure> {
        let s = &mut *self.session;
        let mut calls = Vec::with_capacity(steps.len());
        for step in steps {
            let rows = s.rows(step.frame);
            let (suffix, suffixed) = (step.suffix, step.suffixed);
            let mut call = Call { rows, slot: step.out.0, suffix, suffixed, ..Call::default() };
            for (to, seen) in call.args.iter_mut().zip(&step.args) {
                *to = s.operand(*seen, step.frame)?;
            }
            call.out = s.column(step.out, rows)?;
            calls.push(call);
        }
        match steps {
            [] => Ok(()),
            [one, ..] => s.launch_calls(one.kernel, one.by, calls),
        }
    }

    /// Opens element frames: counts their rows, waits for the counts, and fills them.
    fn opens(&mut self, steps: &[OpenStep]) -> Result<(), Failure> {
        // The count, and all lengths or-ed together.
        const SIZE: u64 = 16;
        let many = steps.len() as u32;
        let counts_at = self.session.take(many, SIZE)?;
        self.session.device.clear(counts_at, steps.len() * SIZE as usize)?;
        let mut opens = Vec::with_capacity(steps.len());
        for (at, step) in (0..).zip(steps) {
            opens.push(self.count(step, counts_at + at * SIZE)?);
        }
        let mut counts = vec![[0u64; 2]; steps.len()];
        let waits = |(step, open): (&OpenStep, &Open)| !step.bare && open.rows > 0;
        if steps.iter().zip(&opens).any(waits) {
            self.session.download(counts_at, counts.as_flattened_mut())?;
        }
        self.session.give(Some(counts_at));
        for ((step, open), count) in steps.iter().zip(opens).zip(counts) {
            self.open(step, open, count)?;
        }
        Ok(())
    }

    /// Starts counting the rows of an element frame.
    fn count(&mut self, step: &OpenStep, count: u64) -> Result<Open, Failure> {
        let s = &mut *self.session;
        s.leave(step.frame);
        let parents = s.rows(step.parent);
        let mut open = Open {
            memory: s.memory(),
            spans: s.take(parents, 8)?,
            count,
            rows: parents,
            containers: step.over.len() as u32,
            product: u32::from(step.product),
            room: if step.bare { 0 } else { MOST_ROWS },
            most: step.most,
            ..Open::default()
        };
        for (to, seen) in open.over.iter_mut().zip(&step.over) {
            *to = s.operand(*seen, step.parent)?;
        }
        if step.over.len() == 1 {
            open.over[1] = open.over[0];
        }
        if let Some(Base { frame: base, level, .. }) = step.base {
            let missing = || Failure::Launch("a base is not open".into());
            let outer = s.frames[step.parent.index()].up.get(usize::from(level) - 1);
            open.outer = outer.copied().flatten().ok_or_else(missing)?;
            open.base = s.frames[base.index()].spans.ok_or_else(missing)?;
        }
        if let Some(whole) = step.whole {
            open.over[1] = s.operand(whole, step.parent)?;
            open.kinds |= PART;
        }
        s.frames_around(step, &mut open);
        s.launch(s.kernels.open_count, parents, By::Thread, &open)?;
        Ok(open)
    }

    /// Opens an element frame whose rows are counted.
    fn open(&mut self, step: &OpenStep, mut open: Open, count: [u64; 2]) -> Result<(), Failure> {
        let s = &mut *self.session;
        if step.bare {
            let rows = Rows { spans: Some(open.spans), ..Rows::default() };
            s.frames[step.frame.index()] = rows;
            return Ok(());
        }
        let len = u32::try_from(count[0]).ok().filter(|n| *n <= MOST_ROWS);
        let len = len.ok_or(Failure::OutOfMemory)?;
        open.parents = s.take(len, 4)?;
        let again = if step.base.is_some() { Some(s.take(len, 4)?) } else { None };
        open.again = again.unwrap_or(0);
        for (to, slot) in open.items.iter_mut().zip(step.elements) {
            if let Some(slot) = slot {
                *to = s.column(slot, len)?;
            }
        }
        if len > 0 {
            // Items of arrays are shared out among the lanes, those of several parents at once.
            let simple = open.base != 0 || (open.containers == 1 && open.product == 0);
            let by = if simple { By::Either(2 * FEW) } else { By::Warp };
            s.launch(s.kernels.open_fill, open.rows, by, &open)?;
        }
        let longest = count[1] as u32;
        let rows = Rows { len, longest, up: vec![Some(open.parents)], spans: Some(open.spans) };
        self.ancestors(step.frame, step.parent, rows)?;
        if let Some(again) = again {
            // After the parents, the task and the bases of the parents.
            let level = self.plan.seen[step.frame.index()];
            let up = &mut self.session.frames[step.frame.index()].up;
            up.resize(level, None);
            up.push(Some(again));
        }
        Ok(())
    }

    /// Finds each row's ancestors further out, as far as they are asked for.
    fn ancestors(
        &mut self,
        frame: FrameId,
        parent: FrameId,
        mut rows: Rows,
    ) -> Result<(), Failure> {
        let s = &mut *self.session;
        let wanted = self.plan.above[frame.index()];
        let parents = rows.up[0].unwrap_or(0);
        for level in 1..64 {
            if wanted >> level == 0 {
                break;
            }
            let above = s.frames[parent.index()].up.get(level - 1).copied().flatten();
            rows.up.push(None);
            if let (true, Some(above)) = (wanted >> level & 1 != 0, above) {
                let out = s.take(rows.len, 4)?;
                let params = Above { parents, above, out, rows: rows.len, unused: 0 };
                s.launch(s.kernels.above, rows.len, By::Thread, &params)?;
                rows.up[level] = Some(out);
            }
        }
        s.frames[frame.index()] = rows;
        Ok(())
    }

    fn close(&mut self, step: &CloseStep) -> Result<(), Failure> {
        let s = &mut *self.session;
        let rows = s.rows(step.parent);
        let spans = s.frames[step.frame.index()].spans;
        let [guards, over, nested] = step.counts;
        let form = step.flags & FORM != 0;
        let mut close = Close {
            memory: s.memory(),
            spans: spans.ok_or_else(|| Failure::Launch("a frame is not open".into()))?,
            items: step.element.and_then(|slot| s.columns[slot.index()]).unwrap_or(0),
            results: if form { Operand::default() } else { s.operand(step.body, step.frame)? },
            body: step.body.slot.0,
            container: s.operand(step.container, step.parent)?,
            rows,
            slot: step.out.0,
            suffix: step.suffix,
            flags: step.flags,
            most: step.most,
            own: step.costs[0],
            inner: step.costs[1],
            guards,
            over,
            nested,
            ..Close::default()
        };
        if let Some(extra) = step.extra {
            close.extra = s.operand(extra, step.parent)?;
        }
        if let Some(onto) = step.onto {
            close.onto = s.operand(onto, step.parent)?;
        }
        let (outside, inside) = step.list.split_at((guards + over) as usize);
        for (to, seen) in close.list.iter_mut().zip(outside) {
            *to = s.operand(*seen, step.parent)?;
        }
        for (to, seen) in close.list[outside.len()..].iter_mut().zip(inside) {
            *to = s.body_operand(*seen, step.frame)?;
        }
        close.out = s.column(step.out, rows)?;
        close.bodies = s.body_column(self.plan.counted[step.out.index()], step.out, rows)?;
        let cut = match &step.pieces {
            Some(by) => pieces::close(s, step.frame, *by, &mut close)?,
            None => None,
        };
        s.launch(step.kernel, rows, step.by, &close)?;
        if let Some(cut) = cut {
            cut.give(s);
        }
        Ok(())
    }

    /// Runs a `power`: as often as some row needs it, on the rows that need it.
    fn repeat(&mut self, step: &RepeatStep) -> Result<(), Failure> {
        let s = &mut *self.session;
        let rows = s.rows(step.parent);
        let mut power = Power {
            count: s.count_at(ROWS),
            left: s.take(rows, 4)?,
            rows,
            slot: step.out.0,
            guards: (step.list.len() - 2) as u32,
            nested: step.nested.len() as u32,
            most: step.most,
            ..Power::default()
        };
        for (to, seen) in power.list.iter_mut().zip(&step.list) {
            *to = s.operand(*seen, step.parent)?;
        }
        power.values = s.column(step.out, rows)?;
        power.bodies = s.body_column(true, step.out, rows)?;
        s.launch(s.kernels.power_begin, rows, By::Thread, &power)?;
        let mut taken = 0;
        loop {
            let s = &mut *self.session;
            s.leave(step.frame);
            power.active = s.take(rows, 4)?;
            power.rows = rows;
            // How many rows run, and how far the fewest times that one runs are from the most.
            let mut state = [0u32; 2];
            if rows > 0 {
                s.device.clear(power.count, 8)?;
                s.launch(s.kernels.power_active, rows, By::Thread, &power)?;
                s.download(power.count, &mut state)?;
            }
            let [len, from_most] = state;
            if len == 0 {
                s.give(Some(power.active));
                break;
            }
            if taken >= PATIENCE && len < rows / MANY {
                let body = s.nothing();
                let list = [Operand::default(); MOST_LISTED];
                let back = Power { rows: len, nested: 0, body, list, ..power };
                s.launch(s.kernels.power_step, len, By::Thread, &back)?;
                s.give(Some(power.active));
                continue;
            }
            let found = Rows { len, up: vec![Some(power.active)], ..Rows::default() };
            self.ancestors(step.frame, step.parent, found)?;
            // So often all of them run; only rows that fail meanwhile are done before.
            let times = (i32::MAX as u32).saturating_sub(from_most).clamp(1, BLIND);
            for _ in 0..times {
                self.take_step(step, &power, len)?;
            }
            taken += times;
        }
        self.session.give(Some(power.left));
        Ok(())
    }

    fn take_step(&mut self, step: &RepeatStep, power: &Power, len: u32) -> Result<(), Failure> {
        if let Some(current) = step.current {
            let s = &mut *self.session;
            let values =
                Operand { column: power.values, index: power.active, ..Operand::default() };
            let mut copy = Rowwise { rows: len, ..Rowwise::default() };
            copy.list[0] = values;
            copy.out = s.column(current, len)?;
            s.launch(s.kernels.copy, len, By::Thread, &copy)?;
        }
        self.run(&step.block)?;
        let s = &mut *self.session;
        let mut power = Power {
            rows: len,
            body: s.operand(step.body, step.frame)?,
            list: [Operand::default(); MOST_LISTED],
            ..*power
        };
        for (to, seen) in power.list.iter_mut().zip(&step.nested) {
            *to = s.body_operand(*seen, step.frame)?;
        }
        s.launch(s.kernels.power_step, len, By::Thread, &power)
    }
}
