//! The bank: every distinct value of an enumeration once, with the cheapest expression that gives it.

use batt_core::{Cx, Val};
use batt_lang::program::NodeId;
use rustc_hash::FxHashMap as HashMap;

use super::digest::{Digest, digest};
use super::sort::Sort;

/// A value's place in the bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ValueId(pub u32);

impl ValueId {
    /// It as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How a value is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// By an expression that was there before.
    Given(NodeId),
    /// By the operation with this number, of values.
    Made(u16, [ValueId; 3]),
}

/// A value: one for every demo and test.
#[derive(Clone, Copy, Debug)]
pub struct Held {
    /// What it is.
    pub sort: Sort,
    /// What its expression costs.
    pub cost: u16,
    /// How it is made.
    pub how: How,
    /// The demos on which it is the output, as bits.
    pub right: u64,
}

/// All values, in the order in which they were found.
pub struct Bank {
    samples: usize,
    /// What they are on the samples, one value after the other.
    vals: Vec<Val>,
    held: Vec<Held>,
    known: HashMap<u128, ValueId>,
    /// By sort and cost.
    by_cost: [Vec<Vec<ValueId>>; Sort::ALL.len()],
    /// What the demos should become.
    targets: Vec<Digest>,
}

impl Bank {
    /// An empty bank for so many samples.
    pub fn new(cx: Cx, samples: usize, targets: &[Val]) -> Bank {
        Bank {
            samples,
            vals: Vec::new(),
            held: Vec::new(),
            known: HashMap::default(),
            by_cost: Default::default(),
            targets: targets.iter().map(|target| digest(cx, *target)).collect(),
        }
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.held.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// Adds a value, if it is one of its sort and new.
    #[inline]
    pub fn add(
        &mut self,
        cx: Cx,
        vals: &[Val],
        sort: Sort,
        cost: u16,
        how: How,
    ) -> Option<ValueId> {
        if !vals.iter().all(|val| sort.holds(*val)) || vals.iter().all(|val| val.is_empty_set()) {
            return None;
        }
        let mut whole = Digest::new(sort as u64);
        let mut right = 0;
        for (sample, val) in vals.iter().enumerate() {
            let one = digest(cx, *val);
            right |= u64::from(self.targets.get(sample) == Some(&one)) << (sample & 63);
            whole.join(one);
        }
        let id = ValueId(self.held.len() as u32);
        match self.known.entry(whole.bits()) {
            std::collections::hash_map::Entry::Occupied(_) => return None,
            std::collections::hash_map::Entry::Vacant(place) => place.insert(id),
        };
        self.vals.extend_from_slice(vals);
        self.held.push(Held { sort, cost, how, right });
        let costs = &mut self.by_cost[sort as usize];
        let cost = usize::from(cost);
        if costs.len() <= cost {
            costs.resize_with(cost + 1, Vec::new);
        }
        costs[cost].push(id);
        Some(id)
    }

    /// A value on all samples.
    #[inline]
    pub fn vals(&self, id: ValueId) -> &[Val] {
        &self.vals[id.index() * self.samples..][..self.samples]
    }

    /// What is known of a value.
    #[inline]
    pub fn held(&self, id: ValueId) -> Held {
        self.held[id.index()]
    }

    /// Whether a value is the output of every demo.
    pub fn is_right(&self, id: ValueId) -> bool {
        self.held[id.index()].right.count_ones() as usize == self.targets.len()
    }

    /// All values of a sort, in the order in which they were found.
    pub fn of_sort(&self, sort: Sort) -> impl Iterator<Item = ValueId> + '_ {
        let ids = (0..self.held.len() as u32).map(ValueId);
        ids.filter(move |id| self.held[id.index()].sort == sort)
    }

    /// The values of a sort that cost so much.
    #[inline]
    pub fn of_cost(&self, sort: Sort, cost: u16) -> &[ValueId] {
        self.by_cost[sort as usize].get(usize::from(cost)).map_or(&[], |ids| ids)
    }

    /// The bytes that it takes besides the arena.
    pub fn bytes(&self) -> usize {
        self.vals.capacity() * size_of::<Val>()
            + self.held.capacity() * (size_of::<Held>() + 4)
            + self.known.capacity() * (size_of::<(u128, ValueId)>() + 1)
    }
}
