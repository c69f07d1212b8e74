//! Pieces of one large allocation.

use std::collections::BTreeMap;

/// Pieces begin at multiples of this.
const ALIGN: u64 = 256;

/// A range of device memory, handed out in pieces.
#[derive(Debug, Default)]
pub struct Pool {
    /// What is free: where, and how much.
    free: BTreeMap<u64, u64>,
    /// What is taken: where, and how much.
    taken: BTreeMap<u64, u64>,
    in_use: u64,
    peak: u64,
}

impl Pool {
    /// All of a range.
    pub fn new(at: u64, size: u64) -> Pool {
        Pool { free: BTreeMap::from([(at, size)]), ..Pool::default() }
    }

    /// A piece of so many bytes; `None` if none is large enough.
    pub fn take(&mut self, size: u64) -> Option<u64> {
        let size = size.max(1).next_multiple_of(ALIGN);
        // The smallest that is large enough keeps the large ones whole.
        let (&at, &room) =
            self.free.iter().filter(|(_, room)| **room >= size).min_by_key(|(_, room)| **room)?;
        self.free.remove(&at);
        if room > size {
            self.free.insert(at + size, room - size);
        }
        self.taken.insert(at, size);
        self.in_use += size;
        self.peak = self.peak.max(self.in_use);
        Some(at)
    }

    /// Gives a piece back, joined to what is free beside it.
    pub fn give(&mut self, at: u64) {
        let Some(size) = self.taken.remove(&at) else { return };
        self.in_use -= size;
        let (mut at, mut size) = (at, size);
        if let Some((&before, &room)) = self.free.range(..at).next_back()
            && before + room == at
        {
            self.free.remove(&before);
            (at, size) = (before, size + room);
        }
        if let Some(room) = self.free.remove(&(at + size)) {
            size += room;
        }
        self.free.insert(at, size);
    }

    /// The most bytes that were taken at a time, since it was last asked.
    pub fn peak(&mut self) -> u64 {
        std::mem::replace(&mut self.peak, self.in_use)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_back_is_whole_again() {
        let mut pool = Pool::new(1024, 4096);
        let pieces: Vec<u64> = (0..4).map(|_| pool.take(1000).unwrap()).collect();
        assert_eq!(pieces, [1024, 2048, 3072, 4096]);
        assert_eq!(pool.take(1), None);
        for at in [pieces[1], pieces[3], pieces[0], pieces[2]] {
            pool.give(at);
        }
        assert_eq!(pool.peak(), 4096);
        assert_eq!(pool.peak(), 0);
        assert_eq!(pool.take(4096), Some(1024));
        pool.give(7);
        assert_eq!(pool.take(1), None, "only pieces can be given back");
    }
}
