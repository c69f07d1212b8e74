//! Opening frames.

use batt_core::columns::{LOST, NO_ROOM, TOO_MANY};
use batt_core::seq::{elements, len};
use batt_core::{Cx, Val};
use batt_cpu::{Opening, Operand, Set, lister, opener};
use batt_lang::graph::work::FAR;
use batt_lang::graph::{Bodies, FrameId, SlotId};
use batt_lang::limits::{MAX_BODIES, MAX_ELEMENTS, MAX_WORK};

use super::parts::Places;
use super::plan::Plan;
use super::step::{Base, Budget, Cost, OpenStep, Region};
use super::tally::Tally;
use super::worker::{Rows, Worker};
use crate::engine::seen::Seen;

/// The most rows that a frame may have over one block; what needs more is handed back.
const MAX_ROWS: usize = 4 * MOST;
/// The most bodies that a loop may run.
const MOST: usize = MAX_BODIES as usize;
/// As many rows of a loop run at a time, where they can: their columns fit a core's first cache.
pub const PIECE: usize = 1024;
/// The most rows for which a buffer is made before it is known that there are so many.
const AHEAD: usize = 2 * PIECE;
/// As many run where more found no room.
pub const SMALL_PIECE: usize = 32;

impl Worker {
    /// Runs a loop, a few rows of its parent at a time.
    pub fn region(&mut self, plan: &Plan, region: &Region) {
        let parents = self.frames[region.open.parent.index()].len;
        let mut from = 0;
        loop {
            let mark = self.space().mark();
            self.open(plan, &region.open, from, self.piece);
            self.run(plan, &region.body);
            if self.stop.fired() {
                return;
            }
            region.inside.iter().for_each(|slot| self.columns.free(*slot));
            self.collect_since(mark, &region.results, from);
            from = self.frames[region.open.frame.index()].parents.end;
            if from >= parents {
                return;
            }
        }
    }

    /// Opens an element frame: its rows, and the columns of its items. Starts with a row of the
    /// parent and goes on as long as there are no more than `most` rows, at least for one.
    pub fn open(&mut self, plan: &Plan, step: &OpenStep, from: usize, most: usize) {
        let mut rows = std::mem::take(&mut self.frames[step.frame.index()]);
        rows.parents = from..self.frames[step.parent.index()].len;
        if from == 0 {
            self.forget(&step.inner, rows.parents.end);
        }
        // The parent's rows, those of what it sees, and the base's.
        let seen = self.frames[step.parent.index()].up.len();
        let seen = 1 + seen + usize::from(step.base.is_some());
        if rows.up.len() != seen {
            rows.up.resize_with(seen, Vec::new);
        }
        let cx = self.cx();
        match &step.base {
            None => self.open_items(step, &mut rows, most),
            Some(base) => self.open_again(cx, step, base, &mut rows, most),
        }
        let asked = plan.above[step.frame.index()];
        if asked != 0 {
            note_parents(&mut rows);
            self.further_out(asked, step.parent, &mut rows);
        }
        self.frames[step.frame.index()] = rows;
    }

    /// Makes the rows of a frame, and the columns of its items.
    fn open_items(&mut self, step: &OpenStep, rows: &mut Rows, most: usize) {
        let cx = self.cx();
        // Most often there are about as many rows as last time.
        let ahead = rows.len.min(AHEAD);
        let mut fresh =
            |slot: Option<SlotId>| slot.map_or_else(Vec::new, |s| self.columns.fresh(s, ahead));
        let mut columns = [fresh(step.elements[0]), fresh(step.elements[1])];
        if step.product {
            self.make_rows(step, rows, most, |_, over, count| {
                push_pairs(self.set, cx, over, count, &mut columns);
                Ok(())
            });
        } else {
            self.make_rows(step, rows, most, |_, _, _| Ok(()));
            for (over, (slot, column)) in
                step.over.iter().zip(step.elements.iter().zip(&mut columns))
            {
                if slot.is_some() {
                    self.list_rows(cx, self.operand(*over, step.parent), rows, column);
                }
            }
        }
        for (slot, column) in step.elements.iter().zip(columns) {
            if let Some(slot) = slot {
                self.columns.put(*slot, column);
            }
        }
    }

    /// Lists the items of the containers that a frame's rows are of.
    pub fn list_rows(&self, cx: Cx, container: Operand<'_>, rows: &Rows, column: &mut Vec<Val>) {
        let opening = Opening { cx, container, first: rows.parents.start, spans: &rows.spans };
        #[allow(unsafe_code)]
        // SAFETY: the opener is chosen for the instructions that this machine has.
        unsafe {
            opener(self.set)(opening, column);
        }
    }

    /// Makes the rows of a frame that has those of another one again, or some of them.
    fn open_again(&self, cx: Cx, step: &OpenStep, base: &Base, rows: &mut Rows, most: usize) {
        let mut again = rows.up.last_mut().map(std::mem::take).unwrap_or_default();
        again.clear();
        let spans = &self.frames[base.frame.index()].spans;
        let outer = self.frames[step.parent.index()].up.get(base.outer);
        let (mut places, first) = (Places::new(self.set), rows.parents.start);
        let whole = base.whole.map(|whole| self.operand(whole, step.parent));
        self.make_rows(step, rows, most, |parent, over, count| {
            let row = outer.and_then(|rows| rows.get(parent)).map_or(0, |row| *row as usize);
            let (start, end) = spans.get(row).copied().unwrap_or((0, NO_ROOM));
            if end >= NO_ROOM {
                // What is lost for the base's loops is lost for those that have its rows.
                return Err(if end == LOST { LOST } else { NO_ROOM });
            }
            match whole {
                None if (end - start) as usize == count => again.extend(start..end),
                None => return Err(NO_ROOM),
                Some(whole) => {
                    let places = places.of(cx, over[0], whole.get(parent)).ok_or(NO_ROOM)?;
                    if step.gaps {
                        again.resize(parent - first, NO_ROOM);
                        again.push(places.gap);
                    } else {
                        again.extend(places.at.iter().map(|k| start + k));
                    }
                }
            }
            Ok(())
        });
        rows.up.last_mut().into_iter().for_each(|up| *up = std::mem::take(&mut again));
    }

    /// Makes a frame's rows; `fill` is told of the containers of each row of the parent and how many
    /// rows they make, and gives a mark instead of a span where it has none.
    fn make_rows(
        &self,
        step: &OpenStep,
        rows: &mut Rows,
        most: usize,
        mut fill: impl FnMut(usize, [Val; 2], usize) -> Result<(), u32>,
    ) {
        let samples = step.sample.and_then(|at| self.frames[step.parent.index()].up.get(at));
        rows.spans.clear();
        let mut tally = Tally::new(self, step.own.as_ref(), &mut rows.opened);
        let containers = self.containers(step);
        let (first, bare, mut start) = (rows.parents.start, step.bare, 0);
        let many = Many::of(step);
        let allowed =
            step.budgets.iter().map(|(budget, _)| budget.allowed).min().unwrap_or(u32::MAX);
        let allowed = allowed.saturating_mul(FAR);
        for parent in rows.parents.clone() {
            let (vals, count) = many.rows(&containers, parent);
            if start + count > most && parent > first && !bare {
                rows.parents.end = parent;
                break;
            }
            let (root, sum) = match samples.and_then(|samples| samples.get(parent)) {
                Some(sample) => (*sample as usize, tally.add(*sample as usize, count)),
                None => (parent, Some(count)),
            };
            let span = match sum {
                // What would be for nothing is not begun.
                Some(sum @ ..=MOST)
                    if sum > allowed as usize && !self.afford(step, root, sum as u64) =>
                {
                    (start as u32, NO_ROOM)
                }
                Some(..=MOST) if bare && !step.gaps => (0, count as u32),
                Some(..=MOST) if start + count <= MAX_ROWS => match fill(parent, vals, count) {
                    Err(mark) => (start as u32, mark),
                    Ok(()) if bare => (0, count as u32),
                    Ok(()) => (start as u32, (start + count) as u32),
                },
                Some(..=MOST) => (start as u32, NO_ROOM),
                Some(_) => (start as u32, TOO_MANY),
                None => (start as u32, LOST),
            };
            if span.1 < NO_ROOM && !bare {
                start += count;
            }
            rows.spans.push(span);
        }
        rows.len = start;
    }

    /// Whether so many bodies are surely not far past the budget of the outermost loops that run some in a frame.
    #[inline(never)]
    fn afford(&self, step: &OpenStep, row: usize, bodies: u64) -> bool {
        step.budgets.iter().all(|(budget, own)| {
            let cost = if *own { &budget.own } else { &budget.inner };
            self.most_work(budget.root, cost, row, bodies, MAX_ELEMENTS)
                <= u64::from(FAR) * MAX_WORK
        })
    }

    /// Whether so many bodies of an outermost loop are surely within its budget for a row of the frame
    /// around it. The state of a `power` holds so many elements at most.
    pub fn within(&self, budget: &Budget, row: usize, bodies: Bodies, state: u32) -> bool {
        let most = |cost, many| self.most_work(budget.root, cost, row, many, state);
        bodies.all() <= u64::from(budget.allowed)
            || most(&budget.own, bodies.own).saturating_add(most(&budget.inner, bodies.inner))
                <= MAX_WORK
    }

    /// At most how much so many bodies take.
    fn most_work(&self, root: FrameId, cost: &Cost, row: usize, bodies: u64, state: u32) -> u64 {
        let elements = |seen: &Seen| {
            let val = self.val(*seen, root, row);
            // A loop over what is bad runs no bodies.
            u64::from(if val.is_bad() { 0 } else { elements(val) })
        };
        let of = cost.of.iter().map(|(seen, factor)| factor.saturating_mul(elements(seen)));
        let state = cost.state.saturating_mul(u64::from(state));
        let each = of.fold(cost.each.saturating_add(state), u64::saturating_add);
        let items = cost.items.iter().map(|(seen, items)| items.most(bodies, elements(seen)));
        items.fold(bodies.saturating_mul(each), u64::saturating_add)
    }

    /// The containers that a frame is opened over, as the rows of its parent see them.
    fn containers(&self, step: &OpenStep) -> [Operand<'_>; 2] {
        let container = |over: Option<&Seen>| {
            over.map_or(Operand::One(Val::BACK), |over| self.operand(*over, step.parent))
        };
        [container(step.over.first()), container(step.over.get(1))]
    }

    /// Finds the rows of the frames further out that each row belongs to, given its parents, where
    /// something asks for them.
    pub fn further_out(&self, asked: u64, parent: FrameId, rows: &mut Rows) {
        let above = &self.frames[parent.index()].up;
        let [parents, further @ ..] = &mut rows.up[..] else { return };
        for (level, (mine, up)) in further.iter_mut().zip(above).enumerate() {
            mine.clear();
            if asked & 2 << level != 0 {
                mine.extend(parents.iter().map(|p| up.get(*p as usize).copied().unwrap_or(0)));
            }
        }
    }
}

/// How many rows the items of a frame's containers make.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Many {
    One,
    Zip,
    Product,
}

impl Many {
    fn of(step: &OpenStep) -> Many {
        match step.over.len() {
            2 if step.product => Many::Product,
            2 => Many::Zip,
            _ => Many::One,
        }
    }

    /// The containers of a row of the parent, and how many rows they make.
    #[inline]
    fn rows(self, [first, second]: &[Operand<'_>; 2], parent: usize) -> ([Val; 2], usize) {
        let items = |val: Val| len(val).unwrap_or(0) as usize;
        let first = first.get(parent);
        let count = items(first);
        if self == Many::One {
            return ([first, Val::BACK], count);
        }
        let second = second.get(parent);
        let other = items(second);
        ([first, second], if self == Many::Product { count * other } else { count.min(other) })
    }
}

/// Notes for each row the row of the parent that it belongs to.
fn note_parents(rows: &mut Rows) {
    let Some(parents) = rows.up.first_mut() else { return };
    parents.resize(rows.len, 0);
    for (parent, (start, end)) in (rows.parents.start as u32..).zip(&rows.spans) {
        if let Some(own) = parents.get_mut(*start as usize..*end as usize) {
            own.fill(parent);
        }
    }
}

/// Adds all pairs of items of two containers to two columns; the first container varies fastest.
fn push_pairs(set: Set, cx: Cx, over: [Val; 2], count: usize, columns: &mut [Vec<Val>; 2]) {
    if count == 0 {
        return;
    }
    let [a, b] = over.map(|val| len(val).unwrap_or(0) as usize);
    let ([firsts, seconds], mut items) = (columns, Vec::new());
    let start = firsts.len();
    push_items(set, cx, over[0], a.min(count), firsts);
    firsts.resize(start + a, Val::BACK);
    push_items(set, cx, over[1], b.min(count), &mut items);
    items.resize(b, Val::BACK);
    for (k, second) in items.into_iter().enumerate() {
        if k > 0 {
            firsts.extend_from_within(start..start + a);
        }
        seconds.extend(std::iter::repeat_n(second, a));
    }
}

/// Adds the first `count` items of a container to a column.
pub fn push_items(set: Set, cx: Cx, container: Val, count: usize, column: &mut Vec<Val>) {
    #[allow(unsafe_code)]
    // SAFETY: the lister is chosen for the instructions that this machine has.
    unsafe {
        lister(set)(cx, container, count, column);
    }
}
