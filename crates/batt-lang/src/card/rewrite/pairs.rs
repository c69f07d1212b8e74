//! `first` and `last` of a pair that was just made are what it was made of.
//!
//! Law: `first(astuple(a, b))` is a and `last(astuple(a, b))` is b, unless the pair cannot be made:
//! where the other one is an error, or where both together hold too many elements for one value. So
//! the other must be something that is never an error, and of both it must be known that they are
//! small enough. Then what needs only one of them no longer waits for the other, and may be computed
//! further out.

use super::Rule;
use crate::card::Card;
use crate::graph::{Def, Graph, SlotId};
use crate::limits::MAX_ELEMENTS;
use crate::ops::{Guard, Op, Prim};
use crate::program::Input;

/// Cells of the largest grid that a task may have.
const GRID: u32 = 900;

pub(crate) fn rewrite(card: &mut Card, prim: Prim, args: &[SlotId]) -> Option<SlotId> {
    if prim.guard != Guard::None || !matches!(prim.op, Op::First | Op::Last) {
        return None;
    }
    let Def::Call { prim: maker, args: parts } = &card.graph.slot(args[0]).def else { return None };
    let ([a, b], Op::Astuple) = (&parts[..], maker.op) else { return None };
    let (kept, other) = if prim.op == Op::First { (*a, *b) } else { (*b, *a) };
    let most = most_elements(&card.graph, *a)? + most_elements(&card.graph, *b)?;
    if card.can_fail(other) || most > MAX_ELEMENTS {
        return None;
    }
    card.fused(Rule::Pairs, kept);
    Some(kept)
}

/// The most elements that a slot's values hold, if that is known to be few.
fn most_elements(graph: &Graph, slot: SlotId) -> Option<u32> {
    match &graph.slot(slot).def {
        Def::Value(value) => Some(value.elements()),
        Def::Input(Input::I) => Some(GRID),
        // An item holds no more than its container does.
        Def::Element { frame, which } => {
            let containers = graph.frames.get(*frame).kind.containers();
            most_elements(graph, *containers.get(usize::from(*which))?)
        }
        Def::Call { prim, args } => match prim.op {
            Op::Objects | Op::Partition | Op::Fgpartition | Op::Asindices | Op::Ofcolor => {
                most_elements(graph, args[0])
            }
            Op::Remove => most_elements(graph, args[1]),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::card::Options;
    use crate::card::tests::card_of;
    use crate::graph::Def;
    use crate::ops::Op;

    /// How many calls of a primitive a program has when it is dealt.
    fn calls(op: Op, text: &str) -> usize {
        let card = card_of(text, Options::default());
        let battery = card.deal();
        let needed = (0..battery.slot_count() as u32).map(crate::graph::SlotId).filter(|slot| {
            matches!(battery.def(*slot), Def::Call { prim, .. } if prim.op == op)
                && battery.outputs().needs(*slot)
        });
        needed.count()
    }

    #[test]
    fn a_pair_of_items_is_not_made() {
        let text = "
def solve_pair(I):
    x1 = objects(I, T, F, T)
    x2 = lbind(astuple, ONE)
    x3 = compose(last, x2)
    x4 = compose(color, x3)
    x5 = apply(x4, x1)
    O = canvas(first(x5), UNITY)
    return O
";
        assert_eq!(calls(Op::Astuple, text), 0);
        assert_eq!(calls(Op::Color, text), 1);
    }

    #[test]
    fn what_may_fail_is_still_waited_for() {
        let text = "
def solve_pair(I):
    x1 = height(trim(I))
    x2 = astuple(I, x1)
    O = first(x2)
    return O
";
        assert_eq!(calls(Op::Astuple, text), 1);
    }
}
