//! Opening frames.

use batt_core::columns::{LOST, NO_ROOM, TOO_MANY};
use batt_core::seq::len;
use batt_core::{Cx, Val};
use batt_cpu::{Operand, Set, lister};
use batt_lang::graph::FrameId;
use batt_lang::limits::MAX_BODIES;

use super::parts::Places;
use super::plan::{Base, OpenStep, Plan, Region};
use super::tally::Tally;
use super::worker::{Rows, Worker};

/// The most rows that a frame may have over one block; what needs more is handed back.
const MAX_ROWS: usize = 4 * MAX_BODIES as usize;
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
            let mark = self.space.mark();
            self.open(plan, &region.open, from, self.piece);
            self.run(plan, &region.body);
            region.inside.iter().for_each(|slot| self.columns.free(*slot));
            if self.space.much_since(mark) {
                self.space.collect_since(mark, &mut self.columns, &region.results, from);
            }
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
        rows.up.resize_with(1 + seen + usize::from(step.base.is_some()), Vec::new);
        let cx = self.cx();
        match &step.base {
            None => self.open_items(step, &mut rows, most),
            Some(base) => self.open_again(cx, step, base, &mut rows, most),
        }
        self.further_out(plan.above[step.frame.index()], step.parent, &mut rows);
        self.frames[step.frame.index()] = rows;
    }

    /// Makes the rows of a frame, and the columns of its items.
    fn open_items(&mut self, step: &OpenStep, rows: &mut Rows, most: usize) {
        let cx = self.cx();
        // Most often there are about as many rows as last time.
        let ahead = rows.len.min(AHEAD);
        let mut columns =
            step.elements.map(|slot| slot.map_or_else(Vec::new, |s| self.columns.fresh(s, ahead)));
        self.make_rows(step, rows, most, |_, over, count| {
            let [a, b] = over.vals;
            if step.product {
                // The first container varies fastest.
                let firsts = columns[0].len();
                push_items(self.set, cx, a, over.lens[0].min(count), &mut columns[0]);
                let mut seconds = Vec::new();
                push_items(self.set, cx, b, over.lens[1].min(count), &mut seconds);
                for (k, second) in seconds.into_iter().enumerate() {
                    if k > 0 {
                        columns[0].extend_from_within(firsts..firsts + over.lens[0]);
                    }
                    columns[1].extend(std::iter::repeat_n(second, over.lens[0]));
                }
            } else {
                push_items(self.set, cx, a, count, &mut columns[0]);
                if step.over.len() == 2 {
                    push_items(self.set, cx, b, count, &mut columns[1]);
                }
            }
            Ok(())
        });
        for (slot, column) in step.elements.iter().zip(columns) {
            if let Some(slot) = slot {
                self.columns.put(*slot, column);
            }
        }
    }

    /// Makes the rows of a frame that has those of another one again, or some of them.
    fn open_again(&self, cx: Cx, step: &OpenStep, base: &Base, rows: &mut Rows, most: usize) {
        let mut again = rows.up.last_mut().map(std::mem::take).unwrap_or_default();
        again.clear();
        let spans = &self.frames[base.frame.index()].spans;
        let outer = self.frames[step.parent.index()].up.get(base.outer);
        let (mut places, first) = (Places::new(self.set), rows.parents.start);
        self.make_rows(step, rows, most, |parent, over, count| {
            let row = outer.and_then(|rows| rows.get(parent)).map_or(0, |row| *row as usize);
            let (start, end) = spans.get(row).copied().unwrap_or((0, NO_ROOM));
            if end >= NO_ROOM {
                // What is lost for the base's loops is lost for those that have its rows.
                return Err(if end == LOST { LOST } else { NO_ROOM });
            }
            match base.whole {
                None if (end - start) as usize == count => again.extend(start..end),
                None => return Err(NO_ROOM),
                Some(whole) => {
                    let whole = self.val(whole, step.parent, parent);
                    let places = places.of(cx, over.vals[0], whole).ok_or(NO_ROOM)?;
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
        mut fill: impl FnMut(usize, &Over, usize) -> Result<(), u32>,
    ) {
        let samples = step.sample.and_then(|at| self.frames[step.parent.index()].up.get(at));
        let mut parents = rows.up.first_mut().map(std::mem::take).unwrap_or_default();
        parents.clear();
        rows.spans.clear();
        let mut tally = Tally::new(self, step.own.as_ref(), &mut rows.opened);
        let containers = self.containers(step);
        for parent in rows.parents.clone() {
            let start = parents.len();
            let over = Over::of(step, &containers, parent);
            let count = over.count(step.product);
            if parent > rows.parents.start && start + count > most && !step.bare {
                rows.parents.end = parent;
                break;
            }
            let sum = match samples.and_then(|samples| samples.get(parent)) {
                Some(sample) => tally.add(*sample as usize, count),
                None => Some(count),
            };
            let Some(sum) = sum else {
                rows.spans.push((start as u32, LOST));
                continue;
            };
            if sum > MAX_BODIES as usize {
                rows.spans.push((start as u32, TOO_MANY));
            } else if step.bare && !step.gaps {
                rows.spans.push((0, count as u32));
            } else if start + count > MAX_ROWS {
                rows.spans.push((start as u32, NO_ROOM));
            } else if let Err(mark) = fill(parent, &over, count) {
                rows.spans.push((start as u32, mark));
            } else if step.gaps {
                rows.spans.push((0, count as u32));
            } else {
                parents.resize(start + count, parent as u32);
                rows.spans.push((start as u32, (start + count) as u32));
            }
        }
        rows.len = parents.len();
        rows.up.first_mut().into_iter().for_each(|up| *up = std::mem::take(&mut parents));
    }

    /// The containers that a frame is opened over, as the rows of its parent see them.
    fn containers(&self, step: &OpenStep) -> [Operand<'_>; 2] {
        [0, 1].map(|k| {
            step.over.get(k).map_or(Operand::One(Val::BACK), |s| self.operand(*s, step.parent))
        })
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

/// The containers of a frame, for one row of its parent.
struct Over {
    vals: [Val; 2],
    lens: [usize; 2],
    both: bool,
}

impl Over {
    #[inline]
    fn of(step: &OpenStep, containers: &[Operand<'_>; 2], parent: usize) -> Over {
        let both = step.over.len() == 2;
        let [first, second] = containers;
        let second = if both { second.get(parent) } else { Val::BACK };
        let vals = [first.get(parent), second];
        let lens = vals.map(|val| len(val).unwrap_or(0) as usize);
        Over { vals, lens, both }
    }

    /// How many rows their items make.
    fn count(&self, product: bool) -> usize {
        match (self.both, product) {
            (true, true) => self.lens[0] * self.lens[1],
            (true, false) => self.lens[0].min(self.lens[1]),
            _ => self.lens[0],
        }
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
