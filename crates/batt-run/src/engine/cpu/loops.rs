//! Opening frames, and `power`.

use batt_core::patch::mono;
use batt_core::seq::{Items, len};
use batt_core::{Array, Cx, Fault, Tag, Val};
use batt_lang::graph::{FrameId, SlotId};
use batt_lang::limits::{MAX_BODIES, MAX_POWER};

use super::nests::{Inner, Size};
use super::plan::{OpenStep, Plan, Region, RepeatStep};
use super::worker::{Rows, Worker, past_limit};

/// The most rows that a frame may have over one block; what needs more is handed back.
const MAX_ROWS: usize = 4 * MAX_BODIES as usize;
/// As many rows of a loop run at a time, where they can: their columns fit a core's first cache.
pub const PIECE: usize = 1024;
/// As many run where more found no room.
pub const SMALL_PIECE: usize = 32;
/// Marks a parent row whose items are too many to open.
pub const TOO_MANY: u32 = u32::MAX;
/// Marks a parent row whose items found no room beside those of the block's other rows.
pub const NO_ROOM: u32 = u32::MAX - 1;

impl Worker {
    /// Runs a loop, a few rows of its parent at a time.
    pub fn region(&mut self, plan: &Plan, region: &Region) {
        let parents = self.frames[region.open.parent.index()].len;
        let mut from = 0;
        loop {
            let mark = self.space.mark();
            self.open(&region.open, from, self.piece);
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
    pub fn open(&mut self, step: &OpenStep, from: usize, most: usize) {
        let cx = self.cx();
        let mut rows = std::mem::take(&mut self.frames[step.frame.index()]);
        rows.spans.clear();
        let mut columns =
            step.elements.map(|slot| slot.map_or_else(Vec::new, |s| self.columns.fresh(s, 0)));
        if from == 0 {
            self.forget(&step.inner, self.frames[step.parent.index()].len);
        }
        let nested = self.frames[step.parent.index()].up.last();
        let mut parents = rows.up.first_mut().map(std::mem::take).unwrap_or_default();
        parents.clear();
        let end = self.frames[step.parent.index()].len;
        rows.parents = from..end;
        for parent in from..end {
            let start = parents.len();
            let over = |k: usize| {
                step.over.get(k).map_or(Val::BACK, |s| self.val(*s, step.parent, parent))
            };
            let (a, b) = (over(0), over(1));
            let lens = (len(a).unwrap_or(0) as usize, len(b).unwrap_or(0) as usize);
            let count = match (step.over.len(), step.product) {
                (2, true) => lens.0 * lens.1,
                (2, false) => lens.0.min(lens.1),
                _ => lens.0,
            };
            if parent > from && start + count > most {
                rows.parents.end = parent;
                break;
            }
            let sum = match nested.and_then(|samples| samples.get(parent)) {
                Some(sample) => opened(&mut rows.opened, *sample as usize, count),
                None => count,
            };
            if sum > MAX_BODIES as usize || start + count > MAX_ROWS {
                let why = if sum > MAX_BODIES as usize { TOO_MANY } else { NO_ROOM };
                rows.spans.push((start as u32, why));
                continue;
            }
            parents.resize(start + count, parent as u32);
            if step.product {
                // The first container varies fastest.
                let firsts = columns[0].len();
                push_items(cx, a, lens.0.min(count), &mut columns[0]);
                let mut seconds = Vec::new();
                push_items(cx, b, lens.1.min(count), &mut seconds);
                for (k, second) in seconds.into_iter().enumerate() {
                    if k > 0 {
                        columns[0].extend_from_within(firsts..firsts + lens.0);
                    }
                    columns[1].extend(std::iter::repeat_n(second, lens.0));
                }
            } else {
                push_items(cx, a, count, &mut columns[0]);
                if step.over.len() == 2 {
                    push_items(cx, b, count, &mut columns[1]);
                }
            }
            rows.spans.push((start as u32, (start + count) as u32));
        }
        rows.len = parents.len();
        self.ancestors(&mut rows, parents, step.parent);
        self.frames[step.frame.index()] = rows;
        for (slot, column) in step.elements.iter().zip(columns) {
            if let Some(slot) = slot {
                self.columns.put(*slot, column);
            }
        }
    }

    /// Starts to count the rows of nested frames anew, where an outermost loop begins. Where there
    /// will be too many rows, none are opened.
    fn forget(&mut self, inner: &[Inner], rows: usize) {
        for Inner { frame, sizes } in inner {
            let mut opened = std::mem::take(&mut self.frames[frame.index()].opened);
            opened.clear();
            if let Some(sizes) = sizes {
                opened.extend((0..rows).map(|row| {
                    let many = sizes.iter().map(|size| self.size(*size, row)).product::<u64>();
                    if many > u64::from(MAX_BODIES) { u32::MAX } else { 0 }
                }));
            }
            self.frames[frame.index()].opened = opened;
        }
    }

    /// How many rows a frame has for one sample.
    fn size(&self, size: Size, row: usize) -> u64 {
        let len = |slot: SlotId| {
            let column = self.columns.get(slot);
            let val = column.get(row).copied().unwrap_or(Val::BACK);
            u64::from(len(val).unwrap_or(0))
        };
        match size {
            Size::Each(a) => len(a),
            Size::Zip(a, b) => len(a).min(len(b)),
            Size::Product(a, b) => len(a) * len(b),
        }
    }

    /// Finds each row's ancestors further out, given its parents.
    fn ancestors(&self, rows: &mut Rows, parents: Vec<u32>, parent: FrameId) {
        let above = &self.frames[parent.index()].up;
        rows.up.resize_with(above.len() + 1, Vec::new);
        rows.up.truncate(above.len() + 1);
        for (level, up) in above.iter().enumerate() {
            let mine = &mut rows.up[level + 1];
            mine.clear();
            mine.extend(parents.iter().map(|p| up.get(*p as usize).copied().unwrap_or(0)));
        }
        rows.up[0] = parents;
    }

    /// Runs a `power` for every row of its parent.
    pub fn repeat(&mut self, plan: &Plan, step: &RepeatStep) {
        let rows = self.frames[step.parent.index()].len;
        // The values of a round live in the result's column, where a collection finds them.
        let mut vals = self.columns.fresh(step.out, rows);
        let mut left = Vec::with_capacity(rows);
        for row in 0..rows {
            let (val, n) = self.begin(step, row);
            vals.push(val.began_at(step.out.0));
            left.push(n);
        }
        self.columns.put(step.out, vals);
        self.forget(&step.inner, 0);
        let mut bodies = vec![0u64; rows];
        loop {
            let active: Vec<u32> = (0..rows as u32).filter(|r| left[*r as usize] > 0).collect();
            if active.is_empty() {
                break;
            }
            let mut frame = std::mem::take(&mut self.frames[step.frame.index()]);
            frame.len = active.len();
            self.ancestors(&mut frame, active.clone(), step.parent);
            self.frames[step.frame.index()] = frame;
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
                let inner: u64 =
                    step.nested.iter().map(|s| self.body_count(*s, step.frame, at)).sum();
                bodies[row] += 1 + inner;
                vals[row] = match past_limit(bodies[row], step.nested.is_empty()) {
                    Some(bad) => bad,
                    None => self.val(step.body, step.frame, at),
                };
                left[row] = if vals[row].is_bad() { 0 } else { left[row] - 1 };
            }
            self.columns.put(step.out, vals);
        }
        let vals = self.columns.take(step.out);
        self.finish(step.out, vals);
        self.note_bodies(plan, step.out, bodies);
    }

    fn begin(&self, step: &RepeatStep, row: usize) -> (Val, i32) {
        if let Some(bad) = self.first_bad(&step.guards, step.parent, row) {
            return (bad, 0);
        }
        if let Some(bad) = self.first_bad(&[step.times, step.start], step.parent, row) {
            return (bad, 0);
        }
        match self.val(step.times, step.parent, row).as_int() {
            None => (Val::error(Fault::Type), 0),
            Some(..1) => (Val::error(Fault::Recursion), 0),
            Some(n) if n > MAX_POWER => (Val::error(Fault::Size), 0),
            Some(n) => (self.val(step.start, step.parent, row), n),
        }
    }
}

/// Counts rows of a nested frame for a sample: how many there were so far.
fn opened(opened: &mut Vec<u32>, sample: usize, count: usize) -> usize {
    if opened.len() <= sample {
        opened.resize(sample + 1, 0);
    }
    let sum = (opened[sample] as usize).saturating_add(count);
    opened[sample] = sum.min(u32::MAX as usize) as u32;
    sum
}

/// Adds the first `count` items of a container to a column.
pub fn push_items(cx: Cx, container: Val, count: usize, column: &mut Vec<Val>) {
    if matches!(container.tag(), Tag::Tuple | Tag::Set) {
        column.extend((0..count as u32).map(|k| cx.val(container.a(), k)));
        return;
    }
    let color = mono(container);
    if container.is(Tag::Mask) || color.is_some() {
        let at = |i, j| color.map_or(Val::pair(i, j), |c| Val::cell(c as i32, i, j));
        push_bits(cx, container, count, at, column);
        return;
    }
    let Some(mut items) = Items::<Array>::of(cx, container) else { return };
    column.extend((0..count).map(|_| items.next(cx).unwrap_or(Val::BACK)));
}

/// Adds the first `count` places of a patch to a column, row by row.
fn push_bits(
    cx: Cx,
    patch: Val,
    count: usize,
    at: impl Fn(i32, i32) -> Val,
    column: &mut Vec<Val>,
) {
    let (oi, oj) = patch.origin();
    let mut left = count;
    for (i, word) in (oi..).zip(cx.load::<Array>(patch.a()).0) {
        let mut bits = word;
        while bits != 0 && left > 0 {
            column.push(at(i, oj + bits.trailing_zeros() as i32));
            bits &= bits - 1;
            left -= 1;
        }
    }
}
