//! Opening frames, closing them, and `power`.

use batt_lang::battery::Instr;
use batt_lang::graph::{Def, Frame, FrameId, FrameKind, Loop, SlotId};
use batt_lang::limits::{MAX_BODIES, MAX_POWER};
use batt_lang::{Fault, FaultKind, Op, Prim, Value};

use super::Run;
use super::eval::{Held, hold, within_limit};
use super::store::Rows;
use crate::engine::Cell;
use crate::reference::{close, within_limits};

/// The most rows that a frame may have over one sample; what needs more is handed back.
const MAX_ROWS: usize = MAX_BODIES as usize;

impl Run<'_> {
    /// Opens an element frame: the rows, and the columns of their items.
    pub fn open(&mut self, id: FrameId) {
        let frame = self.battery.frames().get(id);
        let mut rows = Rows::default();
        let mut columns: [Vec<Cell>; 2] = [Vec::new(), Vec::new()];
        for parent_row in 0..self.row_count(frame.parent) {
            let items = self.items_of(&frame.kind, frame.parent, parent_row);
            let room = MAX_ROWS - rows.parent.len();
            let base = self.base_span(frame, parent_row);
            let count = count(&frame.kind, &items).filter(|n| *n <= room);
            let (Some(count), Some(base)) = (count, base) else {
                // The loop around this one has run too many bodies already, or nearly always will
                // have: running the others first would only be lost work.
                let parents = self.row_count(frame.parent);
                rows = Rows { spans: vec![None; parents], ..Rows::default() };
                columns = [Vec::new(), Vec::new()];
                break;
            };
            let start = rows.parent.len() as u32;
            if frame.part {
                let Some(places) = self.places(id, &items[0], parent_row) else {
                    rows.spans.push(None);
                    continue;
                };
                rows.base.extend(places.into_iter().map(|k| (base + k) as u32));
            } else if frame.base.is_some() {
                rows.base.extend((0..count as u32).map(|k| base as u32 + k));
            }
            if frame.base.is_some() {
                rows.parent.extend(std::iter::repeat_n(parent_row as u32, count));
                rows.spans.push(Some((start, rows.parent.len() as u32)));
                continue;
            }
            for k in 0..count {
                rows.parent.push(parent_row as u32);
                let pick = match frame.kind {
                    // The first container varies fastest.
                    FrameKind::Product(_) => [k % items[0].len(), k / items[0].len()],
                    _ => [k, k],
                };
                for (which, items) in items.iter().enumerate() {
                    columns[which].push(Cell::Value(items[pick[which]].clone()));
                }
            }
            rows.spans.push(Some((start, rows.parent.len() as u32)));
        }
        let based = frame.base.is_some();
        self.store.set_rows(id, rows);
        if based {
            return;
        }
        for (which, column) in (0u8..).zip(columns) {
            if let Some(slot) = self.battery.element(id, which) {
                self.store.set(slot, column);
            }
        }
    }

    /// Where the rows of a frame's base start that belong to a row of its parent; 0 without a base,
    /// none where the base's rows are too many.
    fn base_span(&self, frame: &Frame, parent_row: usize) -> Option<usize> {
        let Some(base) = frame.base else { return Some(0) };
        let outer = self.battery.frames().get(base).parent;
        let (start, _) = self.store.span(base, self.row_in(outer, frame.parent, parent_row))?;
        Some(start)
    }

    /// Where a part's items are among those of the whole; none if one is not there.
    fn places(&self, id: FrameId, items: &[Value], parent_row: usize) -> Option<Vec<usize>> {
        let frames = self.battery.frames();
        let whole = FrameKind::Each([frames.whole(id)?]);
        let whole = self.items_of(&whole, frames.get(id).parent, parent_row);
        let mut rest = whole.iter().flatten().enumerate();
        items.iter().map(|item| rest.find(|(_, one)| *one == item).map(|(at, _)| at)).collect()
    }

    /// The items of the containers; none where one of them is not a container.
    fn items_of(&self, kind: &FrameKind, frame: FrameId, row: usize) -> Vec<Vec<Value>> {
        let items = |slot: &SlotId| {
            let value = self.value(*slot, frame, row).ok();
            value.and_then(|v| v.elements_of().map(|items| items.to_vec())).unwrap_or_default()
        };
        kind.containers().iter().map(items).collect()
    }

    /// Closes a loop for one row of its parent; gives the result and how many bodies it took.
    pub fn close(
        &self,
        slot: SlotId,
        prim: Prim,
        container: SlotId,
        extra: Option<SlotId>,
        run: &Loop,
        row: usize,
    ) -> (Held<Value>, u64) {
        let frames = self.battery.frames();
        let frame = frames.get(run.frame);
        let result = || -> Held<(Value, u64)> {
            self.check(&run.guards, frame.parent, row)?;
            self.check(frame.kind.containers(), frame.parent, row)?;
            for over in frame.kind.containers() {
                if self.value(*over, frame.parent, row)?.elements_of().is_none() {
                    return Err(Cell::Error(Fault::wrong_kind("a container is needed"), slot));
                }
            }
            let container = self.value(container, frame.parent, row)?;
            let Some((start, end)) = self.store.span(run.frame, row) else {
                return Err(match frame.kind {
                    FrameKind::Product(_) if frame.depth == 1 => {
                        Cell::Error(Fault::size("too many bodies run"), slot)
                    }
                    _ => Cell::HandBack,
                });
            };
            // The value for an empty container matters only there; a rank always does.
            let extra = match (prim.op, extra) {
                (Op::Valmax | Op::Valmin, Some(_)) if start < end => None,
                (_, Some(extra)) => Some(self.value(extra, frame.parent, row)?),
                _ => None,
            };
            let mut ended = None;
            let mut results = (start..end).map(|at| match self.get(run.body, run.frame, at) {
                Cell::Value(value) => Ok(value.clone()),
                Cell::Error(fault, origin) => {
                    ended = Some(Cell::Error(*fault, *origin));
                    Err(*fault)
                }
                Cell::HandBack | Cell::Stopped | Cell::Verdict(_) => {
                    ended = Some(Cell::HandBack);
                    Err(Fault::size("handed back"))
                }
            });
            let closed = close::close(prim.op, &container, &mut results, extra.as_ref())
                .and_then(within_limits);
            let nested = self.nested(run, start..end);
            let ran = (end - start) as u64 + nested;
            match closed {
                Ok(value) => {
                    within_limit(ran, nested > 0, slot)?;
                    Ok((value, ran))
                }
                Err(fault) => Err(match ended {
                    Some(Cell::Error(_, origin)) => Cell::Error(fault, origin),
                    Some(cell) => cell,
                    None => Cell::Error(fault, slot),
                }),
            }
        };
        match result() {
            Ok((value, ran)) => (Ok(value), ran),
            Err(cell) => (Err(cell), 0),
        }
    }

    /// How many bodies the loops nested in some rows ran.
    fn nested(&self, run: &Loop, rows: std::ops::Range<usize>) -> u64 {
        rows.map(|row| run.nested.iter().map(|n| self.bodies(*n, run.frame, row)).sum::<u64>())
            .sum()
    }

    /// Runs a `power` for every row of its parent; gives how many rows that has.
    pub fn repeat(&mut self, slot: SlotId, block: &[Instr]) -> usize {
        let Def::Repeat { start, times, run } = self.battery.def(slot).clone() else { return 0 };
        let parent = self.battery.frames().get(run.frame).parent;
        let rows = self.row_count(parent);
        let mut cells: Vec<Cell> = Vec::with_capacity(rows);
        let mut left: Vec<i32> = Vec::with_capacity(rows);
        for row in 0..rows {
            let (cell, n) = match self.begin(slot, start, times, &run, parent, row) {
                Ok((value, n)) => (Cell::Value(value), n),
                Err(cell) => (cell, 0),
            };
            cells.push(cell);
            left.push(n);
        }
        let mut bodies = vec![0u64; rows];
        loop {
            let active: Vec<usize> = (0..rows).filter(|r| left[*r] > 0).collect();
            if active.is_empty() || self.stop.fired() {
                break;
            }
            let parents = active.iter().map(|r| *r as u32).collect();
            self.store.set_rows(run.frame, Rows { parent: parents, ..Rows::default() });
            if let Some(current) = self.battery.element(run.frame, 0) {
                self.store.set(current, active.iter().map(|r| cells[*r].clone()).collect());
            }
            self.all(block);
            for (at, row) in active.into_iter().enumerate() {
                bodies[row] += 1 + self.nested(&run, at..at + 1);
                cells[row] = match self.get(run.body, run.frame, at) {
                    Cell::Value(value) => hold(value.clone()),
                    other => other.clone(),
                };
                if let Err(cell) = within_limit(bodies[row], !run.nested.is_empty(), slot) {
                    cells[row] = cell;
                }
                left[row] = if matches!(cells[row], Cell::Value(_)) { left[row] - 1 } else { 0 };
            }
        }
        self.store.set(slot, cells);
        self.store.set_bodies(slot, bodies);
        rows
    }

    fn begin(
        &self,
        slot: SlotId,
        start: SlotId,
        times: SlotId,
        run: &Loop,
        parent: FrameId,
        row: usize,
    ) -> Held<(Value, i32)> {
        self.check(&run.guards, parent, row)?;
        let times = self.value(times, parent, row)?;
        let start = self.value(start, parent, row)?;
        let error = |fault| Err(Cell::Error(fault, slot));
        match times.as_int() {
            None => error(Fault::wrong_kind("an int is needed")),
            Some(..1) => {
                error(Fault::new(FaultKind::RecursionError, "power needs a count of at least 1"))
            }
            Some(n) if n > MAX_POWER => error(Fault::size("power runs too often")),
            Some(n) => Ok((start, n)),
        }
    }
}

/// How many rows the items make; `None` past the limit.
fn count(kind: &FrameKind, items: &[Vec<Value>]) -> Option<usize> {
    let [first, rest @ ..] = items else { return Some(0) };
    let count = match (kind, rest) {
        (FrameKind::Product(_), [second]) => first.len() * second.len(),
        (_, [second]) => first.len().min(second.len()),
        _ => first.len(),
    };
    (count <= MAX_BODIES as usize).then_some(count)
}
