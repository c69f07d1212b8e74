//! The least or greatest key of all items of a set but one.
//!
//! Where a loop gives a key to every item of a set, other loops often ask for the extreme key among all
//! items but one, for each of them in turn. Two keys of the whole tell that, so such a loop has no rows:
//! opening it only finds which item is left out.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::ops::Range;

use batt_core::columns::NO_ROOM;
use batt_core::{Tag, Val};
use batt_lang::Prim;
use batt_lang::battery::{Battery, Pass};
use batt_lang::graph::{Def, FrameId, Loop, Shape, SlotId};
use batt_lang::ops::{Guard, Op};

use super::nests::fixed;
use super::step::{Base, CloseStep};
use super::worker::Worker;

/// By frame: whether all that is made of its rows is an extreme key that another frame has.
pub fn leasts(battery: &Battery, pass: &Pass) -> Vec<bool> {
    let frames = battery.frames();
    let mut found = vec![false; frames.len()];
    let slots = (0..battery.slot_count() as u32).map(SlotId);
    let needed = || slots.clone().filter(|slot| pass.needs(*slot));
    for slot in needed() {
        if let Def::Close { prim, run, .. } = battery.def(slot)
            && is_least(battery, *prim, run)
        {
            found[run.frame.index()] = true;
        }
    }
    for slot in needed() {
        match battery.def(slot) {
            Def::Close { prim, run, .. } if !is_least(battery, *prim, run) => {
                found[run.frame.index()] = false;
            }
            _ => {}
        }
        found[battery.slot(slot).frame.index()] = false;
    }
    for id in (0..frames.len() as u32).map(FrameId) {
        let frame = frames.get(id);
        found[frame.parent.index()] = false;
        frame.base.into_iter().for_each(|base| found[base.index()] = false);
    }
    found
}

/// Whether a loop asks for the extreme key of a part of a set, and the whole has the keys.
fn is_least(battery: &Battery, prim: Prim, run: &Loop) -> bool {
    let frames = battery.frames();
    let set = |slot: SlotId| battery.slot(slot).shape.within(Shape::SET);
    let base = frames.get(run.frame).base;
    let has = |slot: &SlotId| base == Some(battery.slot(*slot).frame);
    matches!(prim.op, Op::Valmin | Op::Valmax)
        && prim.guard == Guard::None
        && frames.whole(run.frame).is_some_and(set)
        && has(&run.body)
        && run.nested.iter().all(|one| has(one) || fixed(battery, *one).is_some())
}

/// The rows of a base as a loop over all of its items but one has them.
pub struct Wholes<'a> {
    spans: &'a [(u32, u32)],
    outer: Option<&'a Vec<u32>>,
    gaps: &'a [u32],
    first: usize,
    /// Which rows of the base's parent are asked for.
    range: Range<usize>,
    /// How many bodies the loops inside ran,
    nested: Vec<&'a [u64]>,
    /// and together for all items, where that is known.
    totals: RefCell<Vec<Option<u64>>>,
}

impl<'a> Wholes<'a> {
    pub fn new(worker: &'a Worker, step: &CloseStep, base: Base) -> Self {
        let frame = &worker.frames[step.frame.index()];
        let nested = step.nested.iter().map(|seen| &worker.bodies[seen.slot.index()][..]);
        let spans = &worker.frames[base.frame.index()].spans;
        let outer = worker.frames[step.parent.index()].up.get(base.outer);
        let rows = outer.and_then(|rows| rows.get(frame.parents.clone())).unwrap_or(&[0]);
        let ends = rows.iter().fold((u32::MAX, 0), |(a, b), row| (a.min(*row), b.max(*row)));
        let range = ends.0 as usize..ends.1 as usize + 1;
        Wholes {
            spans,
            outer,
            gaps: frame.up.last().map_or(&[], |gaps| gaps),
            first: frame.parents.start,
            nested: nested.collect(),
            totals: RefCell::new(vec![None; range.len()]),
            range,
        }
    }

    /// For a row of the parent: which one of the range the row of the base's parent is, its rows, and the
    /// place of the one that is left out.
    fn of(&self, row: usize) -> Option<(usize, Range<usize>, u32)> {
        let whole = self.outer.and_then(|rows| rows.get(row)).map_or(0, |row| *row as usize);
        let (start, end) = self.spans.get(whole).copied().filter(|(_, end)| *end < NO_ROOM)?;
        let gap = *self.gaps.get(row.wrapping_sub(self.first))?;
        Some((whole.wrapping_sub(self.range.start), start as usize..end as usize, gap))
    }

    /// How many bodies the loops inside ran for a row of the parent.
    pub fn inner(&self, row: usize) -> u64 {
        if self.nested.is_empty() {
            return 0;
        }
        let Some((whole, span, gap)) = self.of(row) else { return 0 };
        let sum = |span: Range<usize>| -> u64 {
            self.nested.iter().filter_map(|all| all.get(span.clone())).flatten().sum()
        };
        let left_out = span.start + gap as usize..(span.start + gap as usize + 1).min(span.end);
        let mut totals = self.totals.borrow_mut();
        let total = match totals.get_mut(whole) {
            Some(total) => *total.get_or_insert_with(|| sum(span)),
            None => sum(span),
        };
        total.saturating_sub(if left_out.is_empty() { 0 } else { sum(left_out) })
    }
}

/// The place of the first extreme key among some, and the extreme of the others: `None` where they are
/// not all ints.
fn extremes(keys: &[Val], side: Ordering) -> Option<(u32, Val, Val)> {
    let (mut at, mut best, mut second) = (0, Val::NULL, Val::NULL);
    for (k, key) in (0..).zip(keys) {
        let int = key.as_int()?;
        if best.as_int().is_none_or(|best| int.cmp(&best) == side) {
            (at, second, best) = (k, best, *key);
        } else if second.as_int().is_none_or(|second| int.cmp(&second) == side) {
            second = *key;
        }
    }
    Some((at, best, second))
}

impl Worker {
    /// Closes a loop for every row of a column that is null, where two keys of the whole tell it; what they
    /// do not tell `other` does, from the keys of all items but one.
    pub fn close_leasts(
        &self,
        step: &CloseStep,
        wholes: &Wholes<'_>,
        column: &mut [Val],
        mut other: impl FnMut(usize, &[Val], &mut Val),
    ) {
        let keys = self.columns.get(step.body.slot);
        let side = if step.prim.op == Op::Valmin { Ordering::Less } else { Ordering::Greater };
        let (mut known, mut left) = (vec![None; wholes.range.len()], Vec::new());
        for (at, val) in column.iter_mut().enumerate().filter(|(_, val)| val.is(Tag::Null)) {
            let found = wholes.of(wholes.first + at);
            let Some((known, all, gap)) =
                found.and_then(|(at, span, gap)| Some((known.get_mut(at)?, keys.get(span)?, gap)))
            else {
                *val = Val::BACK.began_at(step.out.0);
                continue;
            };
            match *known.get_or_insert_with(|| extremes(all, side)) {
                Some((best, _, second)) if best == gap => *val = second,
                Some((_, best, _)) => *val = best,
                None => {}
            }
            if val.is(Tag::Null) {
                left.clear();
                left.extend((0..).zip(all).filter(|(k, _)| *k != gap).map(|(_, key)| *key));
                other(at, &left, val);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::cpu::plan::tests::sample_steps;
    use crate::engine::cpu::step::Step;

    #[test]
    fn two_keys_are_kept() {
        let keys = |ints: &[i32]| ints.iter().map(|n| Val::int(*n)).collect::<Vec<_>>();
        let found = |ints: &[i32], side| {
            let (at, best, second) = extremes(&keys(ints), side)?;
            Some((at, best.as_int(), second.as_int()))
        };
        assert_eq!(found(&[5, 3, 9, 3, 4], Ordering::Less), Some((1, Some(3), Some(3))));
        assert_eq!(found(&[5, 3, 9, 3, 4], Ordering::Greater), Some((2, Some(9), Some(5))));
        assert_eq!(found(&[2, 7], Ordering::Less), Some((0, Some(2), Some(7))));
        assert_eq!(found(&[7], Ordering::Less), Some((0, Some(7), None)));
        assert_eq!(extremes(&[Val::int(1), Val::pair(1, 2)], Ordering::Less), None);
    }

    fn least(steps: &[Step]) -> usize {
        let inside = |step: &Step| match step {
            Step::Close(close) => usize::from(close.least.is_some()),
            Step::Region(region) => least(&region.body),
            _ => 0,
        };
        steps.iter().map(inside).sum()
    }

    #[test]
    fn all_items_but_one_are_told_from_the_whole() {
        let source = "def solve_x(I):\n    x1 = objects(I, T, F, F)\n    x2 = rbind(remove, x1)\n    \
                      x3 = compose(rbind(valmin, size), x2)\n    O = apply(x3, x1)\n    return O\n";
        assert_eq!(least(&sample_steps(source)), 1);
        let order = source.replace("rbind(valmin, size)", "rbind(order, size)");
        assert_eq!(least(&sample_steps(&order)), 0);
    }
}
