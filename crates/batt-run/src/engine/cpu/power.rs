//! `power`: a block that runs again and again.

use batt_core::{Fault, Val};
use batt_cpu::Operand;
use batt_lang::graph::SlotId;
use batt_lang::limits::MAX_POWER;

use super::plan::Plan;
use super::rowwise::first_bad;
use super::step::{RepeatStep, Via};
use super::worker::{Worker, past_limit};

/// A `power` on its way.
struct Rounds {
    /// What each row has now, where that is not in the column of the current value.
    vals: Vec<Val>,
    /// How many rounds are left for each row.
    left: Vec<i32>,
    /// How many bodies each row ran.
    bodies: Vec<u64>,
}

impl Worker {
    /// Runs a `power` for every row of its parent.
    #[inline(never)]
    pub fn repeat(&mut self, plan: &Plan, step: &RepeatStep) {
        let rows = self.frames[step.parent.index()].len;
        let vals = self.columns.fresh(step.out, rows);
        let mut bodies = std::mem::take(&mut self.bodies[step.out.index()]);
        bodies.clear();
        bodies.resize(rows, 0);
        let mut rounds = Rounds { vals, left: Vec::with_capacity(rows), bodies };
        self.begin(step, rows, &mut rounds);
        self.forget(&step.inner, 0);
        if let Some(current) = step.current {
            self.together(plan, step, current, &mut rounds);
        }
        // The values of a round live in the result's column, where a collection finds them.
        self.columns.put(step.out, std::mem::take(&mut rounds.vals));
        loop {
            let left = |row: &u32| rounds.left[*row as usize] > 0;
            let active: Vec<u32> = (0..rows as u32).filter(left).collect();
            if active.is_empty() {
                break;
            }
            self.round(plan, step, active, &mut rounds);
        }
        let vals = self.columns.take(step.out);
        self.finish(step.out, vals);
        self.bodies[step.out.index()] = rounds.bodies;
    }

    /// What each row begins with, and how often it runs.
    fn begin(&self, step: &RepeatStep, rows: usize, rounds: &mut Rounds) {
        let guards = self.operands(&step.guards, step.parent);
        let both = [step.times, step.start].map(|seen| self.operand(seen, step.parent));
        if let (true, [Operand::One(times), Operand::Same(start)]) = (guards.is_empty(), both)
            && let Some(times @ 1..=MAX_POWER) = times.as_int()
        {
            rounds.vals.extend(start.iter().map(|val| val.began_at(step.out.0)));
            rounds.left.extend(start.iter().map(|val| if val.is_bad() { 0 } else { times }));
            return;
        }
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
            rounds.vals.push(val.began_at(step.out.0));
            rounds.left.push(n);
        }
    }

    /// Runs rounds as long as all rows take part: what the bodies give is then the next round's column
    /// as it is.
    fn together(&mut self, plan: &Plan, step: &RepeatStep, current: SlotId, rounds: &mut Rounds) {
        let rows = rounds.left.len();
        let Some(times) = rounds.left.first().copied() else { return };
        let own = step.body.via == Via::Same && step.body.slot != current;
        if times == 0 || !own || !step.nested.is_empty() || rounds.left.iter().any(|n| *n != times)
        {
            return;
        }
        self.begin_round(plan, step, 0..rows as u32);
        self.columns.free(current);
        self.columns.put(current, std::mem::take(&mut rounds.vals));
        let (mut ran, mut good) = (0, true);
        while good && ran < times {
            self.run(plan, &step.block);
            self.columns.free(current);
            let vals = self.columns.take(step.body.slot);
            good = !vals.iter().fold(false, |bad, val| bad | val.is_bad());
            self.columns.put(current, vals);
            ran += 1;
        }
        rounds.vals = self.columns.take(current);
        rounds.bodies.fill(u64::from(ran.unsigned_abs()));
        for (left, val) in rounds.left.iter_mut().zip(&rounds.vals) {
            *left = if val.is_bad() { 0 } else { times - ran };
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
            rounds.bodies[row] += 1 + inner;
            vals[row] = match past_limit(rounds.bodies[row], step.nested.is_empty()) {
                Some(bad) => bad,
                None => self.val(step.body, step.frame, at),
            };
            rounds.left[row] = if vals[row].is_bad() { 0 } else { rounds.left[row] - 1 };
        }
        self.columns.put(step.out, vals);
    }
}
