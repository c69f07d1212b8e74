//! `o_g`, `o_g_t` and `objects_t` become `objects`, so that every mode of a grid is found once.
//!
//! Laws: `o_g(g, R)` is `objects(g, u, d, w)` with the flags that R's bits 4, 2 and 1 say, for a
//! constant R in 0..7; `o_g_t` and `objects_t` are the same as a tuple, which is `totuple`.

use super::Rule;
use crate::card::Card;
use crate::graph::{Def, SlotId};
use crate::ops::{Op, Prim};
use crate::value::Value;

pub(crate) fn rewrite(card: &mut Card, prim: Prim, args: &[SlotId]) -> Option<SlotId> {
    let objects = match prim.op {
        Op::OG | Op::OGT => {
            let mode =
                card.graph.constant(args[1])?.as_int().filter(|mode| (0..8).contains(mode))?;
            let flag = |card: &mut Card, bit: i32| card.constant(Value::Bool(mode & bit != 0));
            let flags = [flag(card, 4), flag(card, 2), flag(card, 1)];
            call(card, Op::Objects, &[args[0], flags[0], flags[1], flags[2]])
        }
        Op::ObjectsT => call(card, Op::Objects, args),
        _ => return None,
    };
    let slot = match prim.op {
        Op::OG => objects,
        _ => call(card, Op::Totuple, &[objects]),
    };
    card.fused(Rule::Modes, slot);
    Some(slot)
}

fn call(card: &mut Card, op: Op, args: &[SlotId]) -> SlotId {
    card.graph.intern(Def::Call { prim: op.into(), args: args.into() })
}

#[cfg(test)]
mod tests {
    use crate::card::{Card, Options};
    use crate::graph::Def;
    use crate::ops::Op;
    use crate::program::Definition;
    use crate::text::parse;

    #[test]
    fn three_names_of_one_mode_are_found_once() {
        let text = "
def solve_modes(I):
    x1 = o_g(I, R5)
    x2 = objects(I, T, F, T)
    x3 = o_g_t(I, R5)
    x4 = combine(x1, x2)
    x5 = combine(x3, x4)
    O = paint(I, merge(x5))
    return O
";
        for (fuse, expected) in [(true, 1), (false, 3)] {
            let mut card = Card::new(Options { fuse, ..Options::default() });
            for definition in parse(text).definitions {
                if let Definition::Program(program) = definition {
                    card.add(&program);
                }
            }
            let searches = card.graph.slots().iter().filter(|s| {
                matches!(&s.def, Def::Call { prim, .. } if [Op::Objects, Op::OG, Op::OGT].contains(&prim.op))
            });
            assert_eq!(searches.count(), expected);
        }
    }
}
