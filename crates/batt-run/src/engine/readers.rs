//! What reads each slot of a pass.

use batt_lang::battery::{Battery, Pass};
use batt_lang::graph::SlotId;

/// The readers of every slot of a pass, one slot's after another's: a search loads thousands of passes a
/// second, each of thousands of slots, so there is no list for each.
pub struct Readers {
    /// Where each slot's readers begin, and where the last one's end.
    starts: Vec<u32>,
    all: Vec<SlotId>,
}

impl Readers {
    /// Finds them; roots are read by themselves.
    pub fn new(battery: &Battery, pass: &Pass) -> Readers {
        let needed =
            || (0..battery.slot_count() as u32).map(SlotId).filter(|slot| pass.needs(*slot));
        let each = |see: &mut dyn FnMut(SlotId, SlotId)| {
            for slot in needed() {
                battery.def(slot).for_each_arg(battery.frames(), |arg| see(arg, slot));
            }
            pass.roots().iter().for_each(|root| see(*root, *root));
        };
        let mut starts = vec![0_u32; battery.slot_count() + 2];
        each(&mut |arg, _| starts[arg.index() + 2] += 1);
        for at in 2..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut all = vec![SlotId(0); starts.last().map_or(0, |end| *end as usize)];
        // Each slot's start is one place further on, and moves there as its readers are put in.
        each(&mut |arg, reader| {
            let next = &mut starts[arg.index() + 1];
            all[*next as usize] = reader;
            *next += 1;
        });
        Readers { starts, all }
    }

    /// The readers of a slot, in their order.
    pub fn of(&self, slot: SlotId) -> &[SlotId] {
        let [start, end] = [0, 1].map(|next| self.starts[slot.index() + next] as usize);
        &self.all[start..end]
    }
}

#[cfg(test)]
mod tests {
    use batt_lang::card::Card;
    use batt_lang::program::Definition;
    use batt_lang::text;

    use super::*;

    #[test]
    fn readers_are_listed_in_their_order() {
        let mut card = Card::default();
        let source = "def first(S, I):\n    x1 = hmirror(I)\n    O = hconcat(x1, x1)\n    return O\n\n\
             def second(S, I):\n    x1 = hmirror(I)\n    O = vconcat(x1, I)\n    return O\n";
        for definition in text::parse(source).definitions {
            if let Definition::Program(program) = definition {
                card.add(&program);
            }
        }
        let battery = card.deal();
        let pass = battery.outputs();
        let readers = Readers::new(&battery, pass);
        let mut expected: Vec<Vec<SlotId>> = vec![Vec::new(); battery.slot_count()];
        for slot in (0..battery.slot_count() as u32).map(SlotId) {
            battery
                .def(slot)
                .for_each_arg(battery.frames(), |arg| expected[arg.index()].push(slot));
        }
        pass.roots().iter().for_each(|root| expected[root.index()].push(*root));
        for (at, expected) in expected.iter().enumerate() {
            assert_eq!(readers.of(SlotId(at as u32)), expected);
        }
        assert!(expected.iter().any(|list| list.len() > 2), "{expected:?}");
    }
}
