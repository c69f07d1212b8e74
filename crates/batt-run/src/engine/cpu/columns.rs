//! The columns of a worker, and buffers that columns which are not read any more leave behind.

use batt_core::Val;
use batt_lang::graph::SlotId;

/// Rows from which on a buffer is none for the column of a few samples, which would hold it in vain.
const SHORT: usize = 64;
/// Rows from which on a buffer counts as long.
const LONG: usize = 4096;
/// The most rows that buffers which are not short may have room for while they wait, 4 MiB together;
/// more are given back to the system.
const IDLE: usize = 1 << 18;

/// A column for every slot.
pub struct Columns {
    rows: Vec<Vec<Val>>,
    /// Buffers that wait to be used again; the last one used is still in the cache.
    short: Vec<Vec<Val>>,
    middling: Vec<Vec<Val>>,
    long: Vec<Vec<Val>>,
    /// How many values the middling and the long ones have room for.
    idle: usize,
    /// The most values that all buffers had room for when one was given back to the system.
    most: usize,
}

impl Columns {
    /// An empty column for every slot.
    pub fn new(slots: usize) -> Columns {
        let (short, middling, long) = (Vec::new(), Vec::new(), Vec::new());
        Columns { rows: vec![Vec::new(); slots], short, middling, long, idle: 0, most: 0 }
    }

    /// The rows of a slot.
    pub fn get(&self, slot: SlotId) -> &[Val] {
        &self.rows[slot.index()]
    }

    /// An empty buffer for the rows of a slot, which the caller fills and puts back.
    pub fn fresh(&mut self, slot: SlotId, rows: usize) -> Vec<Val> {
        let mut column = std::mem::take(&mut self.rows[slot.index()]);
        if column.capacity() == 0 {
            let found = match rows {
                LONG.. => self.long.pop().or_else(|| self.middling.pop()),
                SHORT.. => self.middling.pop(),
                _ => None,
            };
            self.idle -= found.as_ref().map_or(0, Vec::capacity);
            column = found.or_else(|| self.short.pop()).unwrap_or_default();
        }
        column.clear();
        // Not twice as much, as growing would take.
        column.reserve_exact(rows);
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
        let room = column.capacity();
        if (1..SHORT).contains(&room) && self.short.len() < self.rows.len() {
            self.short.push(column);
        } else if room >= SHORT && self.idle + room <= IDLE {
            self.idle += room;
            let like = if room < LONG { &mut self.middling } else { &mut self.long };
            like.push(column);
        } else if room >= LONG {
            self.most = self.most.max(self.room() + room);
        }
    }

    /// How many values all buffers have room for.
    fn room(&self) -> usize {
        let all = [&self.rows, &self.short, &self.middling, &self.long].into_iter().flatten();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_that_wait_are_bounded() {
        let mut columns = Columns::new(2);
        for _ in 0..100 {
            columns.put(SlotId(0), vec![Val::NULL; 50_000]);
            columns.free(SlotId(0));
            columns.put(SlotId(1), vec![Val::NULL; 10]);
            columns.free(SlotId(1));
        }
        assert!(columns.idle <= IDLE && columns.room() <= IDLE + 2 * LONG, "{}", columns.room());
        assert_eq!(columns.short.len(), 2);
        // The most counts what was given back, while it was still there.
        assert_eq!(columns.bytes(), (columns.room() + 50_000) * size_of::<Val>());
        let again = columns.fresh(SlotId(0), 50_000);
        assert!(again.is_empty() && again.capacity() >= 50_000);
        let wait = columns.middling.iter().chain(&columns.long);
        assert_eq!(columns.idle, wait.map(Vec::capacity).sum::<usize>());
    }
}
