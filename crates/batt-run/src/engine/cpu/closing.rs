//! Closing loops: what is looked at row by row, and then all rows at once.

use std::ops::Range;

use batt_core::columns::{LOST, NO_ROOM, TOO_MANY};
use batt_core::seq::len;
use batt_core::{Cx, Fault, Tag, Val};
use batt_cpu::{Closing, Operand, closer};
use batt_lang::Op;
use batt_lang::limits::MAX_BODIES;

use super::leasts::Wholes;
use super::loops::push_items;
use super::plan::Plan;
use super::rowwise::bad_among;
use super::step::CloseStep;
use super::worker::{Worker, past_limit};
use crate::engine::seen::{Seen, Via};

impl Worker {
    /// Closes a loop for every row of its parent.
    pub fn close(&mut self, plan: &Plan, step: &CloseStep) {
        let counted = plan.counted[step.out.index()];
        let cx = self.cx();
        let rows = self.frames[step.frame.index()].parents.clone();
        // The rows before these were closed before.
        let mut bodies = Vec::new();
        if counted {
            bodies = std::mem::take(&mut self.bodies[step.out.index()]);
        }
        let mut column = if rows.start == 0 {
            bodies.clear();
            self.columns.fresh(step.out, self.frames[step.parent.index()].len)
        } else {
            self.columns.take(step.out)
        };
        self.counts[step.out.index()].rows += rows.len() as u64;
        let closed = column.len();
        self.close_rows(cx, step, &mut column, counted.then_some(&mut bodies));
        debug_assert_eq!(column.len() - closed, rows.len());
        self.columns.put(step.out, column);
        self.note_bodies(plan, step.out, bodies);
    }

    /// Adds what the open rows of the parent give to a column, and how many bodies each ran.
    #[inline(never)]
    fn close_rows(
        &self,
        cx: Cx,
        step: &CloseStep,
        column: &mut Vec<Val>,
        mut bodies: Option<&mut Vec<u64>>,
    ) {
        let frame = &self.frames[step.frame.index()];
        let (rows, closed) = (frame.parents.clone(), column.len());
        let checks = Checks::new(self, step);
        let plain = checks.is_plain(rows.clone());
        let alone = step.nested.is_empty() && step.fixed == 0;
        // Where there are items, what the loop runs over are containers.
        let some = |(start, end): (u32, u32)| end.wrapping_sub(start).wrapping_sub(1) < MAX_BODIES;
        if plain && alone && bodies.is_none() && frame.spans.iter().all(|span| some(*span)) {
            column.resize(closed + rows.len(), Val::NULL);
        } else {
            column.reserve(rows.len());
            for (row, (start, end)) in rows.clone().zip(frame.spans.iter().copied()) {
                let (bad, ran) = match (plain && some((start, end)), alone) {
                    (true, true) => (None, u64::from(end - start)),
                    (true, false) => checks.ran(row, start, end),
                    _ => checks.row(row),
                };
                if let Some(bodies) = &mut bodies {
                    bodies.push(ran);
                }
                column.push(bad.map_or(Val::NULL, |bad| bad.began_at(step.out.0)));
            }
        }
        let (mut gathered, mut listed) = (Vec::new(), Vec::new());
        let form = step.form.map(|(form, _)| form);
        let extra = match step.form {
            Some((_, from)) => self.operand(from, step.parent),
            None => checks.extra,
        };
        let results = match form {
            None if step.least.is_none() => {
                flat(self.operand(step.body, step.frame), frame.len, &mut gathered)
            }
            _ => &[],
        };
        // A form looks at the container itself.
        let picks = picks_items(step.prim.op) && form.is_none();
        let items = match step.element.filter(|_| picks) {
            Some(seen) => self.operand(seen, step.frame),
            None if picks => {
                self.list_rows(cx, checks.container, frame, &mut listed);
                Operand::Same(&listed)
            }
            None => Operand::Same(&[]),
        };
        let mut closing = Closing {
            cx,
            slot: step.out.0,
            first: rows.start,
            spans: &frame.spans,
            container: checks.container,
            extra,
            onto: step.onto.map_or(Operand::One(Val::NULL), |on| self.operand(on, step.parent)),
            items,
            items_by_place: false,
            heap: step.heap,
            most: step.most,
            results,
            body: step.body.slot.0,
        };
        let closer = closer(self.set, step.prim.op, form);
        let close = |closing: &Closing<'_>, column: &mut [Val]| {
            #[allow(unsafe_code)]
            // SAFETY: the closer is chosen for the instructions that this machine has.
            unsafe {
                closer(closing, column);
            }
        };
        let own = step.over.first().is_some_and(|over| over.slot == step.container.slot);
        let column = &mut column[closed..];
        if let Some(wholes) = &checks.wholes {
            self.close_leasts(step, wholes, column, |at, keys, val| {
                let (first, spans) = (rows.start + at, &[(0, keys.len() as u32)][..]);
                let some = Closing { first, spans, results: keys, ..closing };
                close(&some, std::slice::from_mut(val));
            });
            return;
        }
        if own || !picks {
            if Worker::at_once(&closing, frame.len, form.is_some()) {
                return close(&closing, column);
            }
            let spans = closing.spans;
            for (at, val) in column.chunks_mut(1).enumerate() {
                if self.stop.fired() {
                    return;
                }
                let (first, spans) = (rows.start + at, &spans[at..at + val.len()]);
                close(&Closing { first, spans, ..closing }, val);
            }
            return;
        }
        // The loop runs over something else: items are the container's, by place.
        let (spans, mut picked) = (closing.spans, Vec::new());
        for (at, (val, span)) in column.iter_mut().zip(spans).enumerate() {
            if val.is(Tag::Null) {
                picked.clear();
                let container = closing.container.get(rows.start + at);
                let count = len(container).unwrap_or(0).min(span.1 - span.0);
                push_items(self.set, cx, container, count as usize, &mut picked);
                closing.first = rows.start + at;
                closing.spans = &spans[at..=at];
                let here =
                    Closing { items: Operand::Same(&picked), items_by_place: true, ..closing };
                close(&here, std::slice::from_mut(val));
            }
        }
    }
}

/// Rows that have more items than these together are closed one after the other, so that a stop is seen
/// between them: one row may take long, thirty take thirty times as long.
const AT_ONCE: u32 = 1 << 12;

/// A column as a list with a value for each row; it is gathered where it is none.
fn flat<'a>(column: Operand<'a>, rows: usize, gathered: &'a mut Vec<Val>) -> &'a [Val] {
    match column {
        Operand::Same(column) => column,
        Operand::One(val) => {
            gathered.resize(rows, val);
            gathered
        }
        Operand::Via(column, at) => {
            let val = |row: &u32| column.get(*row as usize).copied().unwrap_or(Val::BACK);
            gathered.extend(at.iter().take(rows).map(val));
            gathered
        }
    }
}

impl Worker {
    /// Whether the rows of a loop are closed together, of whose frame so many rows are there.
    fn at_once(closing: &Closing<'_>, len: usize, form: bool) -> bool {
        if !form && len <= AT_ONCE as usize {
            return true;
        }
        let items = |(start, end): &(u32, u32)| if *end >= NO_ROOM { 0 } else { end - start };
        let all: u64 = closing.spans.iter().map(|span| u64::from(items(span))).sum();
        all <= u64::from(AT_ONCE) || closing.spans.len() == 1
    }
}

/// What is looked at before a loop is closed, as the rows of its parent see it.
struct Checks<'a> {
    worker: &'a Worker,
    step: &'a CloseStep,
    container: Operand<'a>,
    extra: Operand<'a>,
    /// Whether the loop runs over the container,
    own: bool,
    /// and what it runs over; there are at most two of those.
    over: [Option<Operand<'a>>; 2],
    /// Whether it runs over something else.
    others: bool,
    /// What the loop's base has, where that tells the result.
    wholes: Option<Wholes<'a>>,
}

impl<'a> Checks<'a> {
    fn new(worker: &'a Worker, step: &'a CloseStep) -> Checks<'a> {
        let seen = |seen: &Seen| worker.operand(*seen, step.parent);
        let container =
            |over: &Seen| (over.slot, over.via) == (step.container.slot, step.container.via);
        Checks {
            worker,
            step,
            container: seen(&step.container),
            extra: step.extra.as_ref().map_or(Operand::One(Val::NULL), seen),
            own: step.over.iter().any(container),
            over: [step.over.first().map(seen), step.over.get(1).map(seen)],
            others: !step.over.iter().all(container),
            wholes: step.least.map(|base| Wholes::new(worker, step, base)),
        }
    }

    /// What the function captured.
    fn guards(&self) -> impl Iterator<Item = Operand<'a>> {
        let (worker, parent) = (self.worker, self.step.parent);
        self.step.guards.iter().map(move |seen| worker.operand(*seen, parent))
    }

    /// The containers that the loop runs over, as a row sees them.
    fn over(&self, row: usize) -> impl Iterator<Item = Val> {
        self.over.iter().flatten().map(move |over| over.get(row))
    }

    /// Whether some rows are closed wherever there are items: nothing else that would be looked at is
    /// bad.
    fn is_plain(&self, rows: Range<usize>) -> bool {
        let step = self.step;
        let picks = !matches!(step.prim.op, Op::Valmax | Op::Valmin);
        self.own
            && self.guards().all(|guard| all_good(&guard, rows.clone()))
            && (!picks || all_good(&self.extra, rows))
    }

    /// What a row gives that is not closed, and how many bodies it ran.
    #[inline(never)]
    fn row(&self, row: usize) -> (Option<Val>, u64) {
        let step = self.step;
        let container = self.container.get(row);
        let frame = &self.worker.frames[step.frame.index()];
        let at = row.wrapping_sub(frame.parents.start);
        let (start, end) = frame.spans.get(at).copied().unwrap_or((0, TOO_MANY));
        if (self.others || !step.guards.is_empty() || container.is_bad())
            && let Some(bad) = self.first_bad(container, row)
        {
            return (Some(bad), 0);
        }
        let known = (!self.own || len(container).is_some())
            && (!self.others || self.over(row).all(|over| len(over).is_some()));
        if !known {
            return (Some(Val::error(Fault::Type)), 0);
        }
        if end == LOST || (end == TOO_MANY && step.exact) {
            return (Some(Val::error(Fault::Size)), 0);
        }
        if end >= NO_ROOM {
            return (Some(Val::BACK), 0);
        }
        // The value for an empty container matters only there.
        let picks = end == start || !matches!(step.prim.op, Op::Valmax | Op::Valmin);
        if step.extra.is_some() && picks {
            let extra = self.extra.get(row);
            if extra.is_bad() {
                return (Some(extra), 0);
            }
        }
        self.ran(row, start, end)
    }

    /// What a row gives where it ran too many bodies, and how many it ran.
    #[inline]
    fn ran(&self, row: usize, start: u32, end: u32) -> (Option<Val>, u64) {
        let nested = self.step.nested.iter();
        let inner: u64 = match &self.wholes {
            Some(wholes) => wholes.inner(row),
            None => nested.map(|seen| self.inner(*seen, start, end)).sum(),
        };
        let rows = u64::from(end - start);
        let inner = inner + rows * self.step.fixed;
        let ran = rows + inner;
        (past_limit(ran, inner == 0 || self.step.exact), ran)
    }

    /// The first bad value among what was captured and the containers, a hand-back of either before
    /// an error of it.
    fn first_bad(&self, container: Val, row: usize) -> Option<Val> {
        bad_among(self.guards().map(|guard| guard.get(row)))
            .or_else(|| bad_among(self.over(row)))
            .or_else(|| container.is_bad().then_some(container))
    }

    /// How many bodies a nested loop ran for some rows.
    #[inline]
    fn inner(&self, seen: Seen, start: u32, end: u32) -> u64 {
        let worker = self.worker;
        match (seen.via, worker.bodies[seen.slot.index()].get(start as usize..end as usize)) {
            (Via::Same, Some(bodies)) => bodies.iter().sum(),
            _ => (start..end).map(|at| worker.body_count(seen, self.step.frame, at as usize)).sum(),
        }
    }
}

/// Whether nothing that some rows see is bad.
fn all_good(operand: &Operand<'_>, rows: Range<usize>) -> bool {
    let any = |vals: &[Val]| vals.iter().fold(false, |bad, val| bad | val.is_bad());
    match operand {
        Operand::One(val) => !val.is_bad(),
        Operand::Same(column) => column.get(rows).is_some_and(|column| !any(column)),
        Operand::Via(column, _) if column.len() <= rows.len() => !any(column),
        Operand::Via(..) => !rows.into_iter().any(|row| operand.get(row).is_bad()),
    }
}

/// Whether a loop gives items of its container, or looks at them.
fn picks_items(op: Op) -> bool {
    !matches!(
        op,
        Op::Apply
            | Op::Mapply
            | Op::Papply
            | Op::Mpapply
            | Op::Prapply
            | Op::Valmax
            | Op::Valmin
            | Op::GetValRank
    )
}
