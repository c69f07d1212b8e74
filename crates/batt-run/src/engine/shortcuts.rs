//! What is found in a shorter way than it is written ([`Shortcut`]): sets of which only the size is asked
//! for, and whole loops.

use std::borrow::Cow;

use super::Setup;
use super::drawn::Drawn;
use super::readers::Readers;
use super::unknown;
use batt_core::Shortcut;
use batt_lang::battery::{Battery, Pass};
use batt_lang::graph::{Def, FrameId, FrameKind, SlotId};
use batt_lang::ops::{Guard, Op, Role};
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

/// How a slot is computed, and from what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Short {
    /// What is computed,
    pub what: Shortcut,
    /// from which slots.
    pub reads: Vec<SlotId>,
}

/// What the items of a set are instead of what they would be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Items {
    /// Cells for objects of one cell.
    Specks,
    /// Colours in a set for colours in a tuple.
    Colors,
    /// What they are.
    Same,
}

/// The slots of a pass that are computed in a short way.
pub struct Shortcuts {
    by_slot: HashMap<SlotId, Short>,
    /// By slot: whether it is an error wherever it is computed.
    fails: Vec<bool>,
    /// Loops whose results are only looked at one by one and merged.
    heaps: HashSet<SlotId>,
}

impl Shortcuts {
    /// Looks at every call of a pass, given the lines of which little need be made.
    pub fn new(battery: &Battery, pass: &Pass, drawn: &Drawn) -> Shortcuts {
        let mut seen = Seen {
            battery,
            drawn,
            items: HashMap::default(),
            readers: Readers::new(battery, pass),
        };
        let slots = || (0..battery.slot_count() as u32).map(SlotId).filter(|s| pass.needs(*s));
        seen.items = slots().filter_map(|slot| Some((slot, seen.could_be(slot)?))).collect();
        // A set may only be another one if that is so of all sets that it is compared with.
        loop {
            let wrong = |slot: &SlotId| !seen.is_only_counted(*slot);
            let wrong: Vec<SlotId> = seen.items.keys().copied().filter(wrong).collect();
            if wrong.is_empty() {
                break;
            }
            for slot in wrong {
                seen.items.remove(&slot);
            }
        }
        let by_slot: HashMap<SlotId, Short> =
            slots().filter_map(|slot| Some((slot, seen.short(slot)?))).collect();
        let fails = fails(battery, slots());
        let heaps = slots().filter(|slot| seen.is_heap(*slot)).collect();
        Shortcuts { by_slot, fails, heaps }
    }

    /// How a slot is computed, if that is not as it is written.
    pub fn of(&self, slot: SlotId) -> Option<&Short> {
        self.by_slot.get(&slot)
    }

    /// Whether the results of a loop are only looked at one by one and merged, so that their order does not
    /// matter, nor how often each is there.
    pub fn is_heap(&self, slot: SlotId) -> bool {
        self.heaps.contains(&slot)
    }

    /// Whether a slot is an error wherever it is computed.
    pub fn fails(&self, slot: SlotId) -> bool {
        self.fails[slot.index()]
    }
}

/// Which slots are errors wherever they are computed: what is computed from such an error is one, and so is
/// a loop over one.
fn fails(battery: &Battery, slots: impl Iterator<Item = SlotId>) -> Vec<bool> {
    let mut fails = vec![false; battery.slot_count()];
    for slot in slots {
        fails[slot.index()] = match battery.def(slot) {
            Def::Fail(_) => true,
            Def::Call { prim, args } if prim.info().role != Role::Runs => {
                prim.guard == Guard::None && args.iter().any(|arg| fails[arg.index()])
            }
            Def::Close { prim, container, .. } => {
                prim.guard == Guard::None && fails[container.index()]
            }
            _ => false,
        };
    }
    fails
}

/// What is reported of a battery.
#[derive(Clone, Debug)]
pub struct Roots {
    /// The slots.
    pub slots: Vec<SlotId>,
    /// Which of them are scores, and not pairs of a score and its detail.
    pub alone: Vec<bool>,
}

impl Roots {
    /// What a setup asks for. Details of scores are not computed where nobody asks for them.
    pub fn of(setup: &Setup<'_>) -> Roots {
        let mut slots = setup.phase.roots(setup.battery);
        let mut alone = vec![false; slots.len()];
        if setup.only_scores() {
            for (slot, alone) in slots.iter_mut().zip(&mut alone) {
                if let Some(score) = score_alone(setup.battery, *slot) {
                    (*slot, *alone) = (score, true);
                }
            }
        }
        Roots { slots, alone }
    }

    /// The outputs of a battery's programs.
    #[cfg(test)]
    pub fn outputs(battery: &Battery) -> Roots {
        let slots = super::Phase::Outputs.roots(battery);
        Roots { alone: vec![false; slots.len()], slots }
    }

    /// Some of them.
    pub fn some(&self, places: &[usize]) -> Roots {
        Roots {
            slots: places.iter().map(|at| self.slots[*at]).collect(),
            alone: places.iter().map(|at| self.alone[*at]).collect(),
        }
    }

    /// The instructions that all of them need.
    pub fn pass<'a>(&self, setup: &Setup<'a>) -> Cow<'a, Pass> {
        if self.alone.contains(&true) {
            Cow::Owned(setup.battery.pass(&self.slots))
        } else {
            Cow::Borrowed(setup.phase.pass(setup.battery))
        }
    }
}

/// The score of a differ's result, a pair, where that is a slot of its own, and an error wherever the
/// pair is one: then the detail need not be computed.
fn score_alone(battery: &Battery, result: SlotId) -> Option<SlotId> {
    let [score, detail] = call(battery, result, Op::Astuple)?[..] else { return None };
    needs(battery, score, detail).then_some(score)
}

/// Whether a slot is an error wherever another one is: it is computed from that by calls alone.
fn needs(battery: &Battery, slot: SlotId, other: SlotId) -> bool {
    let (mut open, mut seen) = (vec![slot], HashSet::default());
    while let Some(slot) = open.pop() {
        if slot == other {
            return true;
        }
        match battery.def(slot) {
            Def::Call { prim, args } if prim.info().role == Role::Pure && seen.insert(slot) => {
                open.extend(args);
            }
            _ => {}
        }
    }
    false
}

/// The arguments of a call of a primitive.
fn call(battery: &Battery, slot: SlotId, op: Op) -> Option<&[SlotId]> {
    match battery.def(slot) {
        Def::Call { prim, args } if prim.op == op && prim.guard == Guard::None => Some(args),
        _ => None,
    }
}

/// What is known so far.
struct Seen<'a> {
    battery: &'a Battery,
    drawn: &'a Drawn,
    items: HashMap<SlotId, Items>,
    readers: Readers,
}

impl Seen<'_> {
    fn items(&self, slot: SlotId) -> Items {
        self.items.get(&slot).copied().unwrap_or(Items::Same)
    }

    /// What a set could be, if only its size matters.
    fn could_be(&self, slot: SlotId) -> Option<Items> {
        if call(self.battery, slot, Op::PG).is_some() {
            return Some(Items::Colors);
        }
        self.specks(slot).map(|_| Items::Specks)
    }

    /// A grid and how cells are joined, where a slot is the objects of one cell.
    fn specks(&self, slot: SlotId) -> Option<&[SlotId]> {
        let [objects, one] = call(self.battery, slot, Op::Sizefilter)?[..] else { return None };
        let Def::Value(one) = self.battery.def(one) else { return None };
        call(self.battery, objects, Op::Objects).filter(|_| one.as_int() == Some(1))
    }

    /// Two sets of which a slot is what they share (`true`), or do not share, if only its size matters.
    fn compared(&self, slot: SlotId) -> Option<([SlotId; 2], bool)> {
        let among = |op| call(self.battery, slot, op).and_then(|args| args.try_into().ok());
        let found = among(Op::Intersection)
            .map(|both| (both, true))
            .or_else(|| among(Op::Difference).map(|both| (both, false)));
        let found = found.or_else(|| {
            let both: [SlotId; 2] = among(Op::DifferenceTuple)?;
            both.iter().all(|slot| self.items(*slot) == Items::Colors).then_some((both, false))
        });
        let counts = |reader: &SlotId| call(self.battery, *reader, Op::Size).is_some();
        found.filter(|(both, _)| {
            self.readers.of(slot).iter().all(|r| *r != slot && counts(r))
                && self.items(both[0]) == self.items(both[1])
        })
    }

    /// Whether all that is done with a set is to count it, and what it shares with others or not.
    fn is_only_counted(&self, slot: SlotId) -> bool {
        self.readers.of(slot).iter().all(|reader| {
            let counted = call(self.battery, *reader, Op::Size).is_some();
            *reader != slot && (counted || self.compared(*reader).is_some())
        })
    }

    /// Whether all that is asked of a set is whether it has items.
    fn is_asked(&self, slot: SlotId) -> bool {
        self.readers.of(slot).iter().all(|reader| {
            let chosen = call(self.battery, *reader, Op::Branch);
            *reader != slot
                && matches!(chosen, Some([condition, ends @ ..])
                    if *condition == slot && !ends.contains(&slot))
        })
    }

    /// Whether all that is done with what an `apply` gives is `mfilter`, in an outermost loop that runs no
    /// others: then no limit tells how often an item is there.
    fn is_heap(&self, slot: SlotId) -> bool {
        let battery = self.battery;
        let Def::Close { prim, .. } = battery.def(slot) else { return false };
        let merges = |reader: &SlotId| match battery.def(*reader) {
            Def::Element { frame, .. } => {
                let frame = battery.frames().get(*frame);
                frame.kind == FrameKind::Each([slot]) && frame.base.is_none()
            }
            Def::Close { prim, container, run, .. } => {
                let frame = battery.frames().get(run.frame);
                *reader != slot
                    && (prim.op, prim.guard) == (Op::Mfilter, Guard::None)
                    && *container == slot
                    && run.body != slot
                    && run.nested.is_empty()
                    && !run.guards.contains(&slot)
                    && frame.kind == FrameKind::Each([slot])
                    && frame.base.is_none()
                    && frame.depth == 1
            }
            _ => false,
        };
        let readers = self.readers.of(slot);
        matches!(prim.op, Op::Apply | Op::Prapply)
            && prim.guard == Guard::None
            && !readers.is_empty()
            && readers.iter().all(merges)
    }

    /// Two containers of rows of which an outermost loop gives the larger items: it runs over the pairs of
    /// their rows, and within it a loop over the pairs of those. No limit on bodies is passed: there are no
    /// more than items that a value may hold.
    fn larger(&self, slot: SlotId) -> Option<[SlotId; 2]> {
        let battery = self.battery;
        let (rows, frame, row) = self.mapped(slot)?;
        let (items, inner, item) = self.mapped(row)?;
        let [pair] = call(battery, item, Op::Maximum)?[..] else { return None };
        let nested = battery.element(frame, 0) == Some(items)
            && battery.element(inner, 0) == Some(pair)
            && battery.frames().get(frame).depth == 1;
        let Def::Close { prim, run, .. } = battery.def(rows) else { return None };
        let FrameKind::Zip(both) = battery.frames().get(run.frame).kind else { return None };
        let [a, b] = call(battery, run.body, Op::Pair)?[..] else { return None };
        let zipped = [a, b].map(Some) == [0, 1].map(|at| battery.element(run.frame, at));
        let plain = (prim.op, prim.guard) == (Op::Papply, Guard::None) && run.guards.is_empty();
        (nested && zipped && plain).then_some(both)
    }

    /// The container, the frame and the body of a plain `apply` whose body only it reads.
    fn mapped(&self, slot: SlotId) -> Option<(SlotId, FrameId, SlotId)> {
        let Def::Close { prim, container, run, .. } = self.battery.def(slot) else { return None };
        let frame = self.battery.frames().get(run.frame);
        let plain = (prim.op, prim.guard) == (Op::Apply, Guard::None)
            && run.guards.is_empty()
            && frame.base.is_none()
            && frame.kind == FrameKind::Each([*container])
            && self.battery.slot(run.body).frame == run.frame
            && self.readers.of(run.body).iter().all(|reader| *reader == slot);
        plain.then_some((*container, run.frame, run.body))
    }

    fn short(&self, slot: SlotId) -> Option<Short> {
        let short = |what, reads: &[SlotId]| Some(Short { what, reads: reads.to_vec() });
        match self.items(slot) {
            Items::Specks => return short(Shortcut::Specks, self.specks(slot)?),
            Items::Colors => return short(Shortcut::Colors, call(self.battery, slot, Op::PG)?),
            Items::Same => {}
        }
        if let Some(both) = call(self.battery, slot, Op::Product).filter(|_| self.is_asked(slot)) {
            return short(Shortcut::Pairs, both);
        }
        if let (Some([start, direction]), Some(grid)) =
            (call(self.battery, slot, Op::Shoot), self.drawn.on(slot))
        {
            return short(Shortcut::Shot, &[*start, *direction, grid]);
        }
        if let Some(both) = self.larger(slot) {
            return short(Shortcut::Larger, &both);
        }
        if let Some(call) = unknown::call(self.battery, slot) {
            return Some(call);
        }
        let [set] = call(self.battery, slot, Op::Size)?[..] else { return None };
        let cells = |slot: SlotId| call(self.battery, slot, Op::Asobject)?.first().copied();
        if let Some(grid) = cells(set) {
            return short(Shortcut::Area, &[grid]);
        }
        let (both, keep) = self.compared(set)?;
        match (both.map(cells), keep) {
            ([Some(a), Some(b)], true) => short(Shortcut::Alike, &[a, b]),
            (_, true) => short(Shortcut::Shared, &both),
            (_, false) => short(Shortcut::Apart, &both),
        }
    }
}

#[cfg(test)]
mod tests {
    use batt_lang::card::{Card, Options};
    use batt_lang::program::Definition;
    use batt_lang::text;

    use super::*;
    use crate::engine::check::Refused;
    use crate::engine::rewrites::{How, Rewrites};

    /// What is computed in a short way, and how many calls that saves.
    fn found(lines: &str) -> (Vec<Shortcut>, usize) {
        let source = format!("def solve_a(I):\n{lines}    return O\n");
        let mut card = Card::new(Options::default());
        for definition in text::parse(&source).definitions {
            if let Definition::Program(program) = definition {
                card.add(&program);
            }
        }
        let battery = card.deal();
        let (pass, drawn, refused) = (battery.outputs(), Drawn::nothing(), Refused::default());
        let rewrites = Rewrites::new(&battery, pass, &drawn, true, &refused);
        let slots = (0..battery.slot_count() as u32).map(SlotId);
        let needed: Vec<SlotId> = slots.filter(|slot| battery.outputs().needs(*slot)).collect();
        let short = |slot: &SlotId| match rewrites.how(*slot) {
            How::Short(short) => Some(short.what),
            _ => None,
        };
        let idle = needed.iter().filter(|slot| rewrites.is_idle(**slot)).count();
        (needed.iter().filter_map(short).collect(), idle)
    }

    #[test]
    fn what_is_only_counted_is_not_made() {
        let sets = "    x1 = ofcolor(I, ONE)\n    x2 = ofcolor(I, TWO)\n    \
                    x3 = difference(x1, x2)\n    O = size(x3)\n";
        assert_eq!(found(sets), (vec![Shortcut::Apart], 1));
        let read_twice = sets.replace("O = size(x3)", "x4 = size(x3)\n    O = astuple(x3, x4)");
        assert_eq!(found(&read_twice), (vec![], 0));
        let cells = "    x1 = asobject(I)\n    x2 = asobject(rot90(I))\n    \
                     x3 = intersection(x1, x2)\n    O = astuple(size(x3), size(x1))\n";
        assert_eq!(found(cells), (vec![Shortcut::Alike, Shortcut::Area], 3));
    }

    #[test]
    fn pairs_that_only_decide_are_counted() {
        let pairs = "    x1 = ofcolor(I, ONE)\n    x2 = product(x1, x1)\n    \
                     x3 = branch(x2, I, x1)\n    O = x3\n";
        assert_eq!(found(pairs), (vec![Shortcut::Pairs], 0));
        let chosen = pairs.replace("I, x1)", "x2, I)");
        assert_eq!(found(&chosen), (vec![], 0));
    }

    #[test]
    fn specks_are_cells_if_they_are_compared_with_specks() {
        let specks = "    x1 = sizefilter(objects(I, T, F, T), ONE)\n    \
                      x2 = sizefilter(objects(rot90(I), T, F, T), ONE)\n    \
                      O = size(difference(x1, x2))\n";
        let all = vec![Shortcut::Specks, Shortcut::Specks, Shortcut::Apart];
        assert_eq!(found(specks), (all, 3));
        let others = specks.replace("difference(x1, x2)", "difference(x1, objects(I, T, F, T))");
        assert_eq!(found(&others).0, [Shortcut::Apart]);
        let two = specks.replace("ONE)", "TWO)");
        assert_eq!(found(&two).0, [Shortcut::Apart]);
    }
}
