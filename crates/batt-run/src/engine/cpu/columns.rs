//! The columns of a worker, and buffers that columns which are not read any more leave behind.

use batt_core::Val;
use batt_lang::graph::SlotId;

/// Rows for which the smallest buffers have room; others have room for twice as many, and so on, so
/// that a buffer fits when it is used again.
const LEAST: usize = 8;
/// How many such sizes there are.
const SIZES: usize = 10;
/// The largest of them; longer columns have buffers of their own length.
const LONG: usize = LEAST << (SIZES - 1);
/// Rows from which on buffers that wait are counted.
const SHORT: usize = 64;
/// A battery of so few slots keeps a short buffer for each: to share them would take as long as a step.
const FEW_SLOTS: usize = 256;
/// The most rows that buffers which are not short may have room for while they wait, 4 MiB together;
/// more are given back to the system.
const IDLE: usize = 1 << 18;

/// A column for every slot.
pub struct Columns {
    rows: Vec<Vec<Val>>,
    /// The slots whose rows were set since a collection saw all of them,
    new: Vec<SlotId>,
    /// and which those are.
    is_new: Vec<bool>,
    /// Buffers that wait to be used again, by size; the last one used is still in the cache.
    wait: [Vec<Vec<Val>>; SIZES],
    long: Vec<Vec<Val>>,
    /// How many values those that are not short have room for.
    idle: usize,
    /// How many values all buffers have room for that are in a column, or wait.
    room: usize,
    /// The most values that all buffers had room for when one was given back to the system.
    most: usize,
}

impl Columns {
    /// An empty column for every slot.
    pub fn new(slots: usize) -> Columns {
        let wait = std::array::from_fn(|_| Vec::new());
        Columns {
            rows: vec![Vec::new(); slots],
            new: Vec::new(),
            is_new: vec![false; slots],
            wait,
            long: Vec::new(),
            idle: 0,
            room: 0,
            most: 0,
        }
    }

    /// The rows of a slot.
    #[inline]
    pub fn get(&self, slot: SlotId) -> &[Val] {
        &self.rows[slot.index()]
    }

    /// An empty buffer for the rows of a slot, which the caller fills and puts back.
    #[inline]
    pub fn fresh(&mut self, slot: SlotId, rows: usize) -> Vec<Val> {
        let mut column = self.take(slot);
        if column.capacity() >= rows.max(1) {
            column.clear();
            return column;
        }
        self.give_back(column);
        self.buffer(rows)
    }

    /// An empty buffer that has room for so many rows.
    fn buffer(&mut self, rows: usize) -> Vec<Val> {
        // Most columns have a row for each sample of a block.
        if rows <= LEAST
            && let Some(found) = self.wait[0].pop()
        {
            self.room -= found.capacity();
            return found;
        }
        let size = rows.max(LEAST).next_power_of_two();
        let found = match self.wait.get_mut(place(size)) {
            Some(wait) => wait.pop(),
            None => self.long.pop(),
        };
        if let Some(found) = &found {
            self.room -= found.capacity();
            if found.capacity() >= SHORT {
                self.idle -= found.capacity();
            }
        }
        match found {
            Some(found) if found.capacity() >= rows => found,
            _ if rows <= LONG => Vec::with_capacity(size),
            // Not twice as much.
            _ => Vec::with_capacity(rows),
        }
    }

    /// Takes the rows of a slot away, to change them.
    #[inline]
    pub fn take(&mut self, slot: SlotId) -> Vec<Val> {
        let column = std::mem::take(&mut self.rows[slot.index()]);
        self.room -= column.capacity();
        column
    }

    /// Sets the rows of a slot.
    #[inline]
    pub fn put(&mut self, slot: SlotId, column: Vec<Val>) {
        let place = &mut self.rows[slot.index()];
        self.room = self.room + column.capacity() - place.capacity();
        *place = column;
        if !std::mem::replace(&mut self.is_new[slot.index()], true) {
            self.new.push(slot);
        }
    }

    /// Frees the rows of a slot.
    #[inline]
    pub fn free(&mut self, slot: SlotId) {
        let few = self.rows.len() <= FEW_SLOTS;
        let column = &mut self.rows[slot.index()];
        if few && column.capacity() < SHORT {
            column.clear();
        } else if column.capacity() > 0 {
            let column = self.take(slot);
            self.give_back(column);
        }
    }

    /// Lets a buffer wait for its next use, or gives it back to the system.
    #[inline]
    fn give_back(&mut self, mut column: Vec<Val>) {
        let room = column.capacity();
        if room < LEAST {
            return;
        }
        column.clear();
        // The largest size for which there is room.
        let size = if room > LONG { SIZES } else { place(1 << room.ilog2()) };
        if room >= SHORT {
            if self.idle + room > IDLE {
                self.most = self.most.max(self.room + room);
                return;
            }
            self.idle += room;
        }
        let wait = match self.wait.get_mut(size) {
            Some(wait) if room < SHORT && wait.len() >= self.rows.len() => return,
            Some(wait) => wait,
            None => &mut self.long,
        };
        wait.push(column);
        self.room += room;
    }

    /// The most bytes that all buffers have had room for.
    pub fn bytes(&self) -> usize {
        self.most.max(self.room) * size_of::<Val>()
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

    /// The columns that were set since a collection saw all of them.
    pub fn for_each_new(&mut self, mut see: impl FnMut(&mut Vec<Val>)) {
        for slot in &self.new {
            see(&mut self.rows[slot.index()]);
        }
    }

    /// A collection saw all of them.
    pub fn all_seen(&mut self) {
        for slot in self.new.drain(..) {
            self.is_new[slot.index()] = false;
        }
    }

    /// Every column.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Vec<Val>> {
        self.rows.iter_mut()
    }
}

/// Where buffers of a size, a power of two, are found.
#[inline]
fn place(size: usize) -> usize {
    (size / LEAST).trailing_zeros() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_that_waits_fits() {
        let mut columns = Columns::new(FEW_SLOTS + 1);
        for rows in [3, 8, 9, 63, 64, 100, 4096, 5000, 70_000] {
            let column = columns.fresh(SlotId(0), rows);
            assert!(column.is_empty() && column.capacity() >= rows);
            let (at, room) = (column.as_ptr(), column.capacity());
            columns.put(SlotId(0), column);
            columns.free(SlotId(0));
            let again = columns.fresh(SlotId(0), rows);
            assert_eq!((again.as_ptr(), again.capacity()), (at, room), "{rows} rows");
        }
        assert_eq!(columns.idle, 0);
    }

    #[test]
    fn few_slots_keep_their_short_buffers() {
        let mut columns = Columns::new(2);
        for rows in [3, 31, 5000] {
            let mut column = columns.fresh(SlotId(0), rows);
            column.resize(rows, Val::NULL);
            let at = column.as_ptr();
            columns.put(SlotId(0), column);
            columns.free(SlotId(0));
            assert_eq!(columns.get(SlotId(0)), []);
            // Another slot gets it only if it is long.
            let other = columns.fresh(SlotId(1), rows);
            assert_eq!(other.as_ptr() == at, rows >= SHORT, "{rows} rows");
        }
    }

    #[test]
    fn buffers_that_wait_are_bounded() {
        let slots = FEW_SLOTS + 1;
        let mut columns = Columns::new(slots);
        for _ in 0..2 * slots {
            columns.put(SlotId(0), vec![Val::NULL; 50_000]);
            columns.free(SlotId(0));
            columns.put(SlotId(1), vec![Val::NULL; 10]);
            columns.free(SlotId(1));
        }
        assert!(columns.idle <= IDLE && columns.room <= IDLE + slots * 10, "{}", columns.room);
        assert_eq!(columns.wait[0].len(), slots);
        // The most counts what was given back, while it was still there.
        assert_eq!(columns.bytes(), (columns.room + 50_000) * size_of::<Val>());
        let again = columns.fresh(SlotId(0), 50_000);
        assert!(again.is_empty() && again.capacity() >= 50_000);
        let wait = columns.wait.iter().flatten().chain(&columns.long).map(Vec::capacity);
        assert_eq!(columns.idle, wait.clone().filter(|room| *room >= SHORT).sum::<usize>());
        assert_eq!(columns.room, wait.sum::<usize>());
    }
}
