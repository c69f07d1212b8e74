//! The search: operations applied to known values, the cheapest first.

use batt_lang::program::NodeId;

use super::bank::{Bank, How, ValueId};
use super::formula::{Formula, HOLES};
use super::rows::Rows;
use crate::store::Store;

/// Bytes in a unit of the arena.
const UNIT_BYTES: usize = 4 * batt_core::arena::UNIT;

/// Where a search ends. What is dear comes last, so it is what has no room.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// As many rows are evaluated.
    pub rows: u64,
    /// Values take so many bytes, what is known of them included.
    pub bytes: usize,
    /// No expression costs more,
    pub cost: u16,
    /// and none so much more than one that is right on all demos.
    pub after: u16,
}

/// What a search did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Operations applied to values on all samples.
    pub candidates: u64,
    /// Those whose values were new.
    pub new: u64,
    /// Rows that were evaluated.
    pub rows: u64,
    /// Whether memory ended it.
    pub full: bool,
}

/// An enumeration under way.
pub struct Search<'a, 'm> {
    /// The operations.
    pub formulas: &'a [Formula],
    /// What computes.
    pub rows: Rows<'m>,
    /// What is known.
    pub bank: Bank,
    /// What was done.
    pub tally: Tally,
    limits: Limits,
    /// What the first one that is right on all demos costs.
    answer: Option<u16>,
}

impl<'a, 'm> Search<'a, 'm> {
    /// A search that begins with what is in the bank.
    pub fn new(
        formulas: &'a [Formula],
        rows: Rows<'m>,
        bank: Bank,
        limits: Limits,
    ) -> Search<'a, 'm> {
        Search { formulas, rows, bank, tally: Tally::default(), limits, answer: None }
    }

    /// Has a search go on after what is right on all demos.
    pub fn go_on(&mut self) {
        self.limits.after = u16::MAX - self.limits.cost;
    }

    /// The bytes that values take.
    pub fn bytes(&self) -> usize {
        self.rows.cx.taken() as usize * UNIT_BYTES + self.bank.bytes()
    }

    /// Applies all operations, what is cheap before what is dear.
    pub fn run(&mut self) {
        for cost in 1..=self.limits.cost {
            if self.answer.is_some_and(|answer| cost > answer + self.limits.after) {
                return;
            }
            for (at, formula) in self.formulas.iter().enumerate() {
                let Some(left) = cost.checked_sub(formula.cost) else { continue };
                if !self.apply(at, left) {
                    return;
                }
            }
        }
    }

    /// Applies an operation to all values that cost so much together; whether there is room for more.
    fn apply(&mut self, at: usize, left: u16) -> bool {
        let formula = &self.formulas[at];
        match formula.params[..] {
            [] => left > 0 || self.candidate(at, &[]),
            [a] => {
                // What an operation adds costs more than what it is applied to now, so these lists stay.
                let count = self.bank.of_cost(a, left).len();
                (0..count).all(|k| {
                    let a = self.bank.of_cost(a, left)[k];
                    self.candidate(at, &[a])
                })
            }
            [a, b] => (0..=left).all(|cost| {
                let (n, m) =
                    (self.bank.of_cost(a, cost).len(), self.bank.of_cost(b, left - cost).len());
                (0..n).all(|k| {
                    let first = self.bank.of_cost(a, cost)[k];
                    (0..m).all(|l| {
                        let second = self.bank.of_cost(b, left - cost)[l];
                        if formula.commutes && second <= first {
                            return true;
                        }
                        self.candidate(at, &[first, second])
                    })
                })
            }),
            [a, b, c] => (0..=left).all(|cost| {
                (0..=left - cost).all(|more| {
                    let rest = left - cost - more;
                    let (n, m, o) = (
                        self.bank.of_cost(a, cost).len(),
                        self.bank.of_cost(b, more).len(),
                        self.bank.of_cost(c, rest).len(),
                    );
                    (0..n).all(|k| {
                        let first = self.bank.of_cost(a, cost)[k];
                        (0..m).all(|l| {
                            let second = self.bank.of_cost(b, more)[l];
                            (0..o).all(|p| {
                                let third = self.bank.of_cost(c, rest)[p];
                                self.candidate(at, &[first, second, third])
                            })
                        })
                    })
                })
            }),
            _ => true,
        }
    }

    /// Applies an operation to values; whether there is room for more.
    #[inline]
    fn candidate(&mut self, at: usize, ids: &[ValueId]) -> bool {
        if self.tally.rows >= self.limits.rows || self.tally.full {
            return false;
        }
        let formula = &self.formulas[at];
        let mut args: [&[batt_core::Val]; 3] = [&[]; 3];
        let mut cost = formula.cost;
        for (arg, id) in args.iter_mut().zip(ids) {
            *arg = self.bank.vals(*id);
            cost += self.bank.held(*id).cost;
        }
        let cx = self.rows.cx;
        let before = cx.taken();
        let given = self.rows.run(formula, &args[..ids.len()]);
        self.tally.candidates += 1;
        let mut parents = [ValueId(0); 3];
        for (parent, id) in parents.iter_mut().zip(ids) {
            *parent = *id;
        }
        let how = How::Made(at as u16, parents);
        let bank = &mut self.bank;
        let added = given.and_then(|vals| bank.add(cx, vals, formula.result, cost, how));
        self.tally.rows += self.rows.take_counted();
        match added {
            Some(id) => {
                self.tally.new += 1;
                if self.answer.is_none() && self.bank.is_right(id) {
                    self.answer = Some(cost);
                }
                self.tally.full = self.bytes() > self.limits.bytes;
            }
            None => cx.release(before),
        }
        true
    }
}

/// Writes the expression of a value into a store.
pub fn write(store: &mut Store, formulas: &[Formula], bank: &Bank, id: ValueId) -> NodeId {
    match bank.held(id).how {
        How::Given(node) => node,
        How::Made(at, parents) => {
            let formula = &formulas[usize::from(at)];
            let count = formula.params.len();
            let args: Vec<NodeId> = parents[..count]
                .iter()
                .map(|parent| write(store, formulas, bank, *parent))
                .collect();
            store.fill_in(&formula.body, formula.root, &|input| {
                let at = HOLES.iter().position(|hole| *hole == input);
                at.and_then(|at| args.get(at)).copied()
            })
        }
    }
}
