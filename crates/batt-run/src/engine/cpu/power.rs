//! `power`: a block that runs again and again.

use batt_core::seq::elements;
use batt_core::{Fault, Val};
use batt_cpu::Operand;
use batt_lang::graph::{Bodies, SlotId};
use batt_lang::limits::MAX_POWER;

use super::plan::Plan;
use super::rowwise::first_bad;
use super::step::RepeatStep;
use super::worker::{Worker, past_limit};
use crate::engine::seen::Via;

/// A `power` on its way.
struct Rounds {
    /// What each row has now.
    vals: Vec<Val>,
    /// How many rounds are left for each row; none where it has no more.
    left: Vec<i32>,
    /// How many bodies each row ran.
    bodies: Vec<Bodies>,
    /// At most how many elements the values had that they were given, where that is asked for.
    largest: Vec<u32>,
}

impl Rounds {
    /// What all rows have after some of their rounds.
    fn after(vals: Vec<Val>, ran: i32, times: i32) -> Rounds {
        let left = |val: &Val| if val.is_bad() { 0 } else { times - ran };
        let left = vals.iter().map(left).collect();
        let bodies = Bodies { own: u64::from(ran.unsigned_abs()), inner: 0 };
        let bodies = vec![bodies; vals.len()];
        Rounds { vals, left, bodies, largest: Vec::new() }
    }
}

impl Worker {
    /// Runs a `power` for every row of its parent.
    #[inline(never)]
    pub fn repeat(&mut self, plan: &Plan, step: &RepeatStep) {
        let rows = self.frames[step.parent.index()].len;
        self.forget(&step.inner, 0);
        let vals = self.columns.fresh(step.out, rows);
        let mut rounds = match self.begin_together(step, rows, vals) {
            Ok((times, current, vals)) => {
                let (vals, ran) = self.together(plan, step, current, times, vals);
                if ran == times {
                    let bodies = || vec![u64::from(ran.unsigned_abs()); rows];
                    let counted = plan.counted[step.out.index()];
                    self.note_bodies(plan, step.out, if counted { bodies() } else { Vec::new() });
                    self.finish(step.out, vals);
                    return;
                }
                Rounds::after(vals, ran, times)
            }
            Err(vals) => self.begin(step, rows, vals),
        };
        // The values of a round live in the result's column, where a collection finds them.
        self.columns.put(step.out, std::mem::take(&mut rounds.vals));
        // What was stopped may have left rows without a value.
        while !self.stop.fired() {
            let left = |row: &u32| rounds.left[*row as usize] > 0;
            let active: Vec<u32> = (0..rows as u32).filter(left).collect();
            if active.is_empty() {
                break;
            }
            self.round(plan, step, active, &mut rounds);
        }
        let vals = self.columns.take(step.out);
        self.finish(step.out, vals);
        self.note_bodies(plan, step.out, rounds.bodies.into_iter().map(Bodies::all).collect());
    }

    /// What each row begins with, and how often it runs.
    fn begin(&self, step: &RepeatStep, rows: usize, mut vals: Vec<Val>) -> Rounds {
        let guards = self.operands(&step.guards, step.parent);
        let both = [step.times, step.start].map(|seen| self.operand(seen, step.parent));
        let mut left = Vec::with_capacity(rows);
        for row in 0..rows {
            let [times, start] = both.map(|operand| operand.get(row));
            let (val, n) = match first_bad(&guards, row).or_else(|| first_bad(&both, row)) {
                Some(bad) => (bad, 0),
                None => match times.as_int() {
                    None => (Val::error(Fault::Type), 0),
                    Some(..1) => (Val::error(Fault::Recursion), 0),
                    Some(n) if n > MAX_POWER => (Val::error(Fault::Size), 0),
                    Some(n) => (start, n),
                },
            };
            vals.push(val.began_at(step.out.0));
            left.push(n);
        }
        let asked = if step.budget.is_some() { rows } else { 0 };
        Rounds { vals, left, bodies: vec![Bodies::default(); rows], largest: vec![0; asked] }
    }

    /// How often all rows run, the slot of the current value and what each row begins with, where they
    /// can run together: nothing is bad, and what the bodies give is the next round's column as it is.
    fn begin_together(
        &self,
        step: &RepeatStep,
        rows: usize,
        mut vals: Vec<Val>,
    ) -> Result<(i32, SlotId, Vec<Val>), Vec<Val>> {
        let [times, start] = [step.times, step.start].map(|seen| self.operand(seen, step.parent));
        let guards = self.operands(&step.guards, step.parent);
        let first = times.get(0);
        let (Some(n @ 1..=MAX_POWER), Some(current)) = (first.as_int(), step.current) else {
            return Err(vals);
        };
        if step.budget.as_ref().is_some_and(|budget| n.unsigned_abs() > budget.allowed) {
            return Err(vals);
        }
        let own = step.body.via == Via::Same && step.body.slot != current;
        let alike = |row: usize| times.get(row) == first && first_bad(&guards, row).is_none();
        let same = matches!(times, Operand::One(_)) && guards.is_empty() || (0..rows).all(alike);
        if rows == 0 || !own || !step.nested.is_empty() || !same {
            return Err(vals);
        }
        match start {
            Operand::Same(start) => vals.extend_from_slice(start),
            start => vals.extend((0..rows).map(|row| start.get(row))),
        }
        if vals.len() == rows && are_good(&vals) {
            return Ok((n, current, vals));
        }
        vals.clear();
        Err(vals)
    }

    /// Runs all rounds, as long as nothing is bad; gives what came of it, and how many rounds ran.
    fn together(
        &mut self,
        plan: &Plan,
        step: &RepeatStep,
        current: SlotId,
        times: i32,
        vals: Vec<Val>,
    ) -> (Vec<Val>, i32) {
        self.begin_round(plan, step, 0..vals.len() as u32);
        self.columns.free(current);
        self.columns.put(current, vals);
        let mut ran = 0;
        loop {
            self.run(plan, &step.block);
            self.columns.free(current);
            let vals = self.columns.take(step.body.slot);
            ran += 1;
            if ran == times || !are_good(&vals) || self.stop.fired() {
                return (vals, ran);
            }
            self.columns.put(current, vals);
        }
    }

    /// Opens the frame of the current value for some rows of its parent.
    fn begin_round(
        &mut self,
        plan: &Plan,
        step: &RepeatStep,
        rows: impl ExactSizeIterator<Item = u32>,
    ) {
        let mut frame = std::mem::take(&mut self.frames[step.frame.index()]);
        frame.len = rows.len();
        frame.up.resize_with(1 + self.frames[step.parent.index()].up.len(), Vec::new);
        frame.up[0].clear();
        frame.up[0].extend(rows);
        self.further_out(plan.above[step.frame.index()], step.parent, &mut frame);
        self.frames[step.frame.index()] = frame;
    }

    /// Runs a round for some rows.
    fn round(&mut self, plan: &Plan, step: &RepeatStep, active: Vec<u32>, rounds: &mut Rounds) {
        self.begin_round(plan, step, active.iter().copied());
        if let Some(current) = step.current {
            let mut column = self.columns.fresh(current, active.len());
            let vals = self.columns.get(step.out);
            column.extend(active.iter().map(|r| vals[*r as usize]));
            self.columns.put(current, column);
        }
        self.run(plan, &step.block);
        let mut vals = self.columns.take(step.out);
        for (at, row) in active.into_iter().enumerate() {
            let row = row as usize;
            let inner: u64 = step.nested.iter().map(|s| self.body_count(*s, step.frame, at)).sum();
            rounds.bodies[row].own += 1;
            rounds.bodies[row].inner += inner;
            let ran = rounds.bodies[row];
            let mut too_much = false;
            if let (Some(budget), Some(largest)) = (&step.budget, rounds.largest.get_mut(row)) {
                *largest = (*largest).max(elements(vals[row]));
                too_much = !self.within(budget, row, ran, *largest);
            }
            vals[row] = match past_limit(ran.all(), step.nested.is_empty()) {
                Some(bad) => bad,
                None if too_much => Val::BACK,
                None => self.val(step.body, step.frame, at),
            };
            rounds.left[row] = if vals[row].is_bad() { 0 } else { rounds.left[row] - 1 };
        }
        self.columns.put(step.out, vals);
    }
}

/// Whether none of some values is bad.
fn are_good(vals: &[Val]) -> bool {
    !vals.iter().fold(false, |bad, val| bad | val.is_bad())
}
