//! A note of where a collection moved something.

/// Where something went, in one word: its first unit there, how many of its parts were copied, and in
/// which collection that was. Entries of earlier ones count for nothing, so none are ever cleared.
#[derive(Clone, Copy, Default)]
pub struct Moved(u64);

impl Moved {
    const UNIT: u32 = 24;
    const PARTS: u32 = 20;
    /// The last collection that an entry can name.
    pub const LAST: u64 = (1 << (64 - Self::UNIT - Self::PARTS)) - 1;

    /// So many parts went to a unit in a collection.
    pub fn new(unit: u32, parts: u32, collection: u64) -> Moved {
        debug_assert!(unit >> Self::UNIT == 0 && parts >> Self::PARTS == 0);
        let parts = u64::from(parts) << Self::UNIT;
        Moved(u64::from(unit) | parts | collection << (Self::UNIT + Self::PARTS))
    }

    /// The first unit and the number of parts, if it is of a collection.
    pub fn of(self, collection: u64) -> Option<(u32, u32)> {
        let low = |n: u64, bits: u32| (n & ((1 << bits) - 1)) as u32;
        (self.0 >> (Self::UNIT + Self::PARTS) == collection)
            .then(|| (low(self.0, Self::UNIT), low(self.0 >> Self::UNIT, Self::PARTS)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_its_own_collection_knows_a_place() {
        let moved = Moved::new(96 << 15, 65_536, 7);
        assert_eq!(moved.of(7), Some((96 << 15, 65_536)));
        assert_eq!(moved.of(8), None);
        assert_eq!(Moved::default().of(1), None);
        assert_eq!(Moved::new(0, 1, Moved::LAST).of(Moved::LAST), Some((0, 1)));
    }
}
