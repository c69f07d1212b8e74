//! What was met before. Memory is bounded: when it is full it begins anew.

use rustc_hash::FxHashSet as HashSet;

use crate::bytes::{In, Out};

/// A set of numbers, of which 32 bits are kept.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    met: HashSet<u32>,
    most: usize,
}

impl Seen {
    /// An empty one that holds up to `most`.
    pub fn new(most: usize) -> Seen {
        Seen { met: HashSet::default(), most }
    }

    /// Notes a number; whether it was not met before.
    pub fn add(&mut self, number: u64) -> bool {
        if self.met.len() >= self.most {
            self.met.clear();
        }
        self.met.insert(short(number))
    }

    /// Whether a number was met.
    pub fn has(&self, number: u64) -> bool {
        self.met.contains(&short(number))
    }

    /// Writes it.
    pub fn write(&self, out: &mut Out) {
        let mut all: Vec<u32> = self.met.iter().copied().collect();
        all.sort_unstable();
        out.numbers([self.most as u64, all.len() as u64]);
        let mut last = 0;
        for number in all {
            out.number(u64::from(number - last));
            last = number;
        }
    }

    /// Reads what was written.
    pub fn read(bytes: &mut In) -> Option<Seen> {
        let mut seen = Seen::new(bytes.count()?);
        let mut last = 0_u32;
        for _ in 0..bytes.count()? {
            last = last.checked_add(u32::try_from(bytes.number()?).ok()?)?;
            seen.met.insert(last);
        }
        Some(seen)
    }
}

fn short(number: u64) -> u32 {
    (number ^ (number >> 32)) as u32
}
