//! Evaluating one slot for every row of its frame.

use batt_lang::graph::{Bodies, Def, FrameId, SlotId};
use batt_lang::limits::{MAX_BODIES, MAX_WORK};
use batt_lang::{Fault, Value};

use super::{MAX_HELD_DEPTH, Run};
use crate::engine::Cell;
use crate::reference::{Out, gather_items};

/// Ends a row early with an error or a hand-back.
pub type Held<T> = Result<T, Cell>;

impl Run<'_> {
    /// Evaluates a slot; gives how many rows it has.
    pub fn eval(&mut self, slot: SlotId) -> usize {
        let battery = self.battery;
        let here = battery.slot(slot);
        let rows = self.row_count(here.frame);
        let mut column = Vec::with_capacity(rows);
        let mut bodies = Vec::new();
        for row in 0..rows {
            if self.stop.fired() {
                break;
            }
            let before = self.run_at_run_time();
            let (result, ran) = self.row(slot, &here.def, here.frame, row);
            let ran = ran + self.run_at_run_time() - before;
            column.push(match result {
                Ok(value) => hold(value),
                Err(cell) => cell,
            });
            if ran > 0 {
                bodies.resize(row, 0);
                bodies.push(ran);
            }
        }
        self.store.set(slot, column);
        self.store.set_bodies(slot, bodies);
        rows
    }

    /// How many bodies functions ran that are only known at run time; what takes as much as some bodies
    /// may counts as them.
    fn run_at_run_time(&self) -> u64 {
        self.machine.bodies_run() + self.machine.work_done() / (MAX_WORK / u64::from(MAX_BODIES))
    }

    /// One row's value, and how many bodies it took.
    fn row(&mut self, slot: SlotId, def: &Def, frame: FrameId, row: usize) -> (Held<Value>, u64) {
        let origin = |out: Out| out.map_err(|fault| Cell::Error(fault, slot));
        let plain = match def {
            Def::Call { prim, args } => self
                .values(args, frame, row)
                .and_then(|args| origin(self.machine.prim(*prim, &args))),
            Def::Invoke { function, args } => {
                self.value(*function, frame, row).and_then(|function| {
                    let args = self.values(args, frame, row)?;
                    origin(self.machine.call(&function, &args))
                })
            }
            Def::Select { condition, then, other, guards } => self
                .check(guards, frame, row)
                .and_then(|()| self.value(*condition, frame, row))
                .and_then(|c| self.value(if c.truth() { *then } else { *other }, frame, row)),
            Def::OrElse { value, default } => match self.get(*value, frame, row) {
                Cell::Error(..) => Ok(default.clone()),
                _ => self.value(*value, frame, row),
            },
            Def::Collect { set, items, guards, nested } => {
                let nested: u64 = nested.iter().map(|n| self.bodies(*n, frame, row)).sum();
                let ran = items.len() as u64 + nested;
                let collected = self.check(guards, frame, row).and_then(|()| {
                    let items = self.values(items, frame, row)?;
                    within_limit(ran, nested > 0, slot)?;
                    self.within_budget(slot, Bodies { own: items.len() as u64, inner: nested }, 0)?;
                    origin(gather_items(*set, items))
                });
                return (collected, ran);
            }
            Def::Close { prim, container, extra, run } => {
                return self.close(slot, *prim, *container, *extra, run, row);
            }
            Def::Fail(fault) => Err(Cell::Error(fault.0, slot)),
            // Inputs, constants and elements are there already; `power` has its own instruction.
            Def::Input(_) | Def::Value(_) | Def::Element { .. } | Def::Repeat { .. } => {
                self.value(slot, frame, row)
            }
        };
        (plain, 0)
    }

    /// A slot's value, or what ends the row.
    pub fn value(&self, slot: SlotId, frame: FrameId, row: usize) -> Held<Value> {
        match self.get(slot, frame, row) {
            Cell::Value(value) => Ok(value.clone()),
            other => Err(other.clone()),
        }
    }

    /// All values, or the first error, or a hand-back if there is one anywhere.
    fn values(&self, slots: &[SlotId], frame: FrameId, row: usize) -> Held<Vec<Value>> {
        self.check(slots, frame, row)?;
        slots.iter().map(|slot| self.value(*slot, frame, row)).collect()
    }

    /// Refuses a row where one of the slots is an error or was handed back.
    pub fn check(&self, slots: &[SlotId], frame: FrameId, row: usize) -> Held<()> {
        let cells = || slots.iter().map(|slot| self.get(*slot, frame, row));
        if cells().any(|cell| *cell == Cell::HandBack) {
            return Err(Cell::HandBack);
        }
        match cells().find(|cell| matches!(cell, Cell::Error(..))) {
            Some(error) => Err(error.clone()),
            None => Ok(()),
        }
    }
}

/// Refuses a loop that ran too many bodies. Where loops nest, the count is an upper bound (a body
/// that was not chosen counts too), so only the interpreter can tell.
pub fn within_limit(bodies: u64, nested: bool, slot: SlotId) -> Held<()> {
    if bodies <= u64::from(MAX_BODIES) {
        Ok(())
    } else if nested {
        Err(Cell::HandBack)
    } else {
        Err(Cell::Error(Fault::size("too many bodies run"), slot))
    }
}

/// A value as a cell, unless it nests deeper than this engine holds.
pub fn hold(value: Value) -> Cell {
    if value.depth() > MAX_HELD_DEPTH { Cell::HandBack } else { Cell::Value(value) }
}
