//! Programs shared out into lots, which run side by side on the streams of a device.
//!
//! A step takes as long as its slowest row, and a stream runs one step after the other. Programs need
//! nothing of each other, so while one waits for a slow row, those of other lots go on. What two lots
//! need is computed in both, so programs that share much go together. A lot's values are given back
//! when it is done, so that more samples fit at a time.

use batt_lang::battery::Battery;
use batt_lang::graph::{FrameKind, SlotId};

/// How large lots are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// Large enough to be worth a stream of their own.
    Small,
    /// As large as their values may be, where batches, and not lots, keep streams busy: fewer lots are fewer
    /// launches, and less is computed twice.
    Large,
}

/// Slots in a small lot.
const SLOTS: u64 = 64;
/// What a large lot costs, see [`costs`].
const COST: u64 = 512;

/// The places of the roots of each lot, dearest lots first; at most so many lots.
pub fn share_out(battery: &Battery, roots: &[SlotId], most: usize, size: Size) -> Vec<Vec<usize>> {
    if most <= 1 {
        return vec![(0..roots.len()).collect()];
    }
    let needs: Vec<Vec<SlotId>> = roots.iter().map(|root| battery.slots_of(*root)).collect();
    let mut needed = vec![false; battery.slot_count()];
    needs.iter().flatten().for_each(|slot| needed[slot.index()] = true);
    let costs = costs(battery);
    let needed = || needed.iter().zip(&costs).filter(|(needed, _)| **needed);
    let many = match size {
        Size::Small => needed().count() as u64 / SLOTS,
        Size::Large => needed().map(|(_, cost)| *cost).sum::<u64>() / COST,
    };
    let many = (many as usize).clamp(1, most).min(roots.len().max(1));
    if many == 1 {
        return vec![(0..roots.len()).collect()];
    }
    let cost = |slot: &SlotId| costs[slot.index()];
    let mut order: Vec<usize> = (0..roots.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(needs[*at].iter().map(cost).sum::<u64>()));
    let mut lots = vec![Lot { places: Vec::new(), has: vec![false; costs.len()], cost: 0 }; many];
    for at in order {
        let with = |lot: &Lot| lot.cost + lot.lacks(&needs[at]).map(cost).sum::<u64>();
        let best = (0..many).min_by_key(|lot| with(&lots[*lot])).unwrap_or(0);
        let lot = &mut lots[best];
        lot.cost = with(lot);
        lot.places.push(at);
        needs[at].iter().for_each(|slot| lot.has[slot.index()] = true);
    }
    lots.sort_by_key(|lot| std::cmp::Reverse(lot.cost));
    lots.into_iter().map(|lot| lot.places).collect()
}

#[derive(Clone)]
struct Lot {
    places: Vec<usize>,
    has: Vec<bool>,
    cost: u64,
}

impl Lot {
    fn lacks<'s>(&'s self, slots: &'s [SlotId]) -> impl Iterator<Item = &'s SlotId> {
        slots.iter().filter(|slot| !self.has[slot.index()])
    }
}

/// About what each slot costs: more in loops, and much more in what is done again and again.
fn costs(battery: &Battery) -> Vec<u64> {
    let frames = battery.frames();
    let cost = |at: usize| {
        let mut frame = battery.slot(SlotId(at as u32)).frame;
        let mut cost = 1u64;
        while frames.get(frame).depth > 0 {
            let found = frames.get(frame);
            cost = (cost * if found.kind == FrameKind::Step { 16 } else { 3 }).min(1 << 20);
            frame = found.parent;
        }
        cost
    };
    (0..battery.slot_count()).map(cost).collect()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use batt_lang::card::{Card, Options};
    use batt_lang::program::Definition;

    use super::*;
    use crate::engine::Phase;

    /// Programs of sixteen lines each; those of one base share half of them.
    fn battery(programs: usize, bases: usize) -> Battery {
        let mut source = String::new();
        for at in 0..programs {
            writeln!(source, "def solve_p{at}(I):\n    x1 = upscale(I, {})", 2 + at % bases)
                .unwrap();
            for line in 2..16 {
                let times = if line < 9 { 1 } else { 2 + at / bases };
                let before = line - 1;
                writeln!(source, "    x{line} = switch(x{before}, {line}, {times})").unwrap();
            }
            source += "    O = rot90(x15)\n    return O\n";
        }
        let mut card = Card::new(Options::default());
        for definition in batt_lang::text::parse(&source).definitions {
            if let Definition::Program(program) = definition {
                card.add(&program);
            }
        }
        card.deal()
    }

    #[test]
    fn every_program_is_in_one_lot_with_those_that_share() {
        let battery = battery(48, 4);
        let roots = Phase::Outputs.roots(&battery);
        let lots = share_out(&battery, &roots, 4, Size::Small);
        assert_eq!(lots.len(), 4);
        let mut all: Vec<usize> = lots.concat();
        all.sort_unstable();
        assert_eq!(all, (0..48).collect::<Vec<_>>());
        assert!(lots.iter().all(|lot| lot.len() == 12), "{lots:?}");
    }

    #[test]
    fn little_work_is_one_lot() {
        let battery = battery(2, 1);
        assert_eq!(share_out(&battery, &Phase::Outputs.roots(&battery), 8, Size::Small), [[0, 1]]);
        assert_eq!(share_out(&battery, &[], 8, Size::Small), [[0usize; 0]]);
        assert_eq!(share_out(&battery, &[], 1, Size::Small), [[0usize; 0]]);
    }
}
