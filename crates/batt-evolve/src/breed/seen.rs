//! What was met before. Memory is bounded: when it is full it begins anew.

use rustc_hash::FxHashSet as HashSet;

use crate::bytes::{In, Out};

/// A set of numbers, of which 32 bits are kept.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    met: HashSet<u32>,
    most: usize,
    /// What was added since a mark was set,
    added: Vec<u32>,
    /// and what was there before it began anew since then.
    before: Option<(HashSet<u32>, Vec<u32>)>,
}

impl Seen {
    /// An empty one that holds up to `most`.
    pub fn new(most: usize) -> Seen {
        Seen { most, ..Seen::default() }
    }

    /// Notes a number; whether it was not met before.
    pub fn add(&mut self, number: u64) -> bool {
        if self.met.len() >= self.most {
            let met = std::mem::take(&mut self.met);
            let added = std::mem::take(&mut self.added);
            self.before.get_or_insert((met, added));
        }
        let new = self.met.insert(short(number));
        if new {
            self.added.push(short(number));
        }
        new
    }

    /// Sets the mark that [`Seen::undo`] goes back to.
    pub fn begin(&mut self) {
        self.added.clear();
        self.before = None;
    }

    /// Forgets what was met since the mark was set.
    pub fn undo(&mut self) {
        if let Some((met, added)) = self.before.take() {
            (self.met, self.added) = (met, added);
        }
        for number in self.added.drain(..) {
            self.met.remove(&number);
        }
    }

    /// Whether a number was met.
    pub fn has(&self, number: u64) -> bool {
        self.met.contains(&short(number))
    }

    /// Writes it.
    pub fn write(&self, out: &mut Out) {
        out.number(self.most as u64);
        write_all(self.met.iter().copied().collect(), out);
    }

    /// Writes what was added since the mark was set.
    pub fn write_change(&self, out: &mut Out) {
        // Where it began anew, all that is there was added since then.
        out.number(u64::from(self.before.is_some()));
        write_all(self.added.clone(), out);
    }

    /// Adds what [`Seen::write_change`] wrote of one that was like this when its mark was set.
    pub fn follow(&mut self, change: Change) {
        if change.anew {
            self.met.clear();
        }
        self.met.extend(change.added);
        self.added.clear();
        self.before = None;
    }

    /// Reads what was written.
    pub fn read(bytes: &mut In) -> Option<Seen> {
        let mut seen = Seen::new(bytes.count()?);
        seen.met.extend(read_all(bytes)?);
        Some(seen)
    }
}

/// What was added to a set.
#[derive(Debug)]
pub struct Change {
    anew: bool,
    added: Vec<u32>,
}

impl Change {
    /// Reads what [`Seen::write_change`] wrote.
    pub fn read(bytes: &mut In) -> Option<Change> {
        Some(Change { anew: bytes.number()? == 1, added: read_all(bytes)? })
    }
}

fn write_all(mut all: Vec<u32>, out: &mut Out) {
    all.sort_unstable();
    out.count(all.len());
    let mut last = 0;
    for number in all {
        out.number(u64::from(number - last));
        last = number;
    }
}

fn read_all(bytes: &mut In) -> Option<Vec<u32>> {
    let mut last = 0_u32;
    let mut next = |bytes: &mut In| {
        last = last.checked_add(u32::try_from(bytes.number()?).ok()?)?;
        Some(last)
    };
    (0..bytes.count()?).map(|_| next(bytes)).collect()
}

fn short(number: u64) -> u32 {
    (number ^ (number >> 32)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_met_since_a_mark_is_forgotten() {
        for most in [4, 7, 100] {
            let mut seen = Seen::new(most);
            (0..6).for_each(|number| _ = seen.add(number));
            let (met, mut bytes) = (seen.met.clone(), Out::default());
            seen.begin();
            // Some of these were met before, and where there is little memory it begins anew, also twice.
            (3..12).for_each(|number| _ = seen.add(number));
            seen.undo();
            assert_eq!(seen.met, met, "{most}");
            seen.write(&mut bytes);
            assert_eq!(Seen::read(&mut In(&bytes.0)).unwrap().met, met);
        }
    }

    #[test]
    fn a_copy_follows_by_what_changed() {
        for most in [4, 7, 100] {
            let mut seen = Seen::new(most);
            (0..6).for_each(|number| _ = seen.add(number));
            let mut copy = seen.clone();
            for from in [3, 5, 20] {
                let mut bytes = Out::default();
                seen.begin();
                (from..from + 9).for_each(|number| _ = seen.add(number));
                seen.write_change(&mut bytes);
                copy.follow(Change::read(&mut In(&bytes.0)).unwrap());
                assert_eq!(copy.met, seen.met, "{most} {from}");
            }
        }
    }
}
