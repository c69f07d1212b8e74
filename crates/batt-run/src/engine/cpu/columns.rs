//! The columns of a worker, and buffers that columns which are not read any more leave behind.

use batt_core::Val;
use batt_lang::graph::SlotId;

/// Rows from which on a buffer counts as long.
const LONG: usize = 4096;
/// The longest buffers are given back to the system.
const LONGEST: usize = 1 << 20;

/// A column for every slot.
pub struct Columns {
    rows: Vec<Vec<Val>>,
    /// Buffers that wait to be used again; the last one used is still in the cache.
    short: Vec<Vec<Val>>,
    long: Vec<Vec<Val>>,
    /// The most values that all buffers had room for when one was given back to the system.
    most: usize,
}

impl Columns {
    /// An empty column for every slot.
    pub fn new(slots: usize) -> Columns {
        Columns { rows: vec![Vec::new(); slots], short: Vec::new(), long: Vec::new(), most: 0 }
    }

    /// The rows of a slot.
    pub fn get(&self, slot: SlotId) -> &[Val] {
        &self.rows[slot.index()]
    }

    /// An empty buffer for the rows of a slot, which the caller fills and puts back.
    pub fn fresh(&mut self, slot: SlotId, rows: usize) -> Vec<Val> {
        let mut column = std::mem::take(&mut self.rows[slot.index()]);
        if column.capacity() == 0 {
            let idle = if rows >= LONG { &mut self.long } else { &mut self.short };
            column = idle.pop().unwrap_or_default();
        }
        column.clear();
        column
    }

    /// Takes the rows of a slot away, to change them.
    pub fn take(&mut self, slot: SlotId) -> Vec<Val> {
        std::mem::take(&mut self.rows[slot.index()])
    }

    /// Sets the rows of a slot.
    pub fn put(&mut self, slot: SlotId, column: Vec<Val>) {
        self.rows[slot.index()] = column;
    }

    /// Frees the rows of a slot.
    pub fn free(&mut self, slot: SlotId) {
        let column = std::mem::take(&mut self.rows[slot.index()]);
        match column.capacity() {
            0 => {}
            1..LONG => self.short.push(column),
            LONG..LONGEST => self.long.push(column),
            longest => self.most = self.most.max(self.room() + longest),
        }
    }

    /// How many values all buffers have room for.
    fn room(&self) -> usize {
        let all = [&self.rows, &self.short, &self.long].into_iter().flatten();
        all.map(Vec::capacity).sum()
    }

    /// The most bytes that all buffers have had room for.
    pub fn bytes(&self) -> usize {
        self.most.max(self.room()) * size_of::<Val>()
    }

    /// The rows of a slot, to change them.
    pub fn get_mut(&mut self, slot: SlotId) -> &mut [Val] {
        &mut self.rows[slot.index()]
    }

    /// Frees the rows of all slots but some.
    pub fn free_except(&mut self, kept: &[bool]) {
        for (slot, kept) in kept.iter().enumerate() {
            if !kept {
                self.free(SlotId(slot as u32));
            }
        }
    }

    /// Every column.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Vec<Val>> {
        self.rows.iter_mut()
    }
}
