//! A map of a numeric function over a pair of ints is that function of the pair.
//!
//! Law: `add` and its kin do to a pair what they do to each of its halves, an int meets both, and where
//! they fail for one half they fail for the pair. So `apply(f, p)` is f(p) where f is made of them and of
//! constant ints alone, and p is known to be a pair of ints or an error. Only the count of the two bodies
//! is left.

use super::{Rule, powers};
use crate::card::{Card, Term};
use crate::graph::{Def, FnArg, FnId, FnTerm, SlotId};
use crate::ops::{Guard, Op, Prim};
use crate::value::Value;

/// How far it is looked for what makes a value a pair.
const MOST_STEPS: u32 = 8;

pub(in crate::card) fn rewrite(card: &mut Card, f: FnId, over: &Term) -> Option<Term> {
    let Term::Slot(pair) = over else { return None };
    if !card.options.fuse || !is_pair(card, *pair, MOST_STEPS) || !is_numeric(card, f, 1) {
        return None;
    }
    let result = card.call_fn(f, std::slice::from_ref(over));
    let bodies = powers::count(card, 2, [].into());
    card.ran(bodies);
    if let Term::Slot(slot) = result {
        card.fused(Rule::Numbers, slot);
    }
    Some(result)
}

/// Whether a slot's values are pairs of ints or errors.
fn is_pair(card: &Card, slot: SlotId, steps: u32) -> bool {
    match &card.graph.slot(slot).def {
        Def::Value(value) => matches!(value, Value::Pair(..)),
        Def::Call { prim: Prim { op, guard: Guard::None }, args } => match op {
            Op::Shape
            | Op::Ulcorner
            | Op::Urcorner
            | Op::Llcorner
            | Op::Lrcorner
            | Op::Center
            | Op::Toivec
            | Op::Tojvec => true,
            op if maps(*op) => steps > 0 && args.iter().any(|arg| is_pair(card, *arg, steps - 1)),
            _ => false,
        },
        _ => false,
    }
}

/// Whether a primitive does to a pair what it does to each half.
fn maps(op: Op) -> bool {
    matches!(
        op,
        Op::Add
            | Op::Subtract
            | Op::Multiply
            | Op::Divide
            | Op::Invert
            | Op::Double
            | Op::Halve
            | Op::Increment
            | Op::Decrement
            | Op::Crement
            | Op::Sign
    )
}

/// Whether a function of so many arguments is made of such primitives and of constant ints alone.
fn is_numeric(card: &Card, f: FnId, arity: usize) -> bool {
    let info = card.functions.get(f);
    let part = |arg: &FnArg, arity: usize| match arg {
        FnArg::Fn(f) => is_numeric(card, *f, arity),
        FnArg::Slot(_) => false,
    };
    let int = |arg: &FnArg| match arg {
        FnArg::Slot(slot) => matches!(card.graph.constant(*slot), Some(Value::Int(_))),
        FnArg::Fn(_) => false,
    };
    info.arity == arity
        && match &info.term {
            FnTerm::Prim(Prim { op, guard: Guard::None }) => maps(*op) || *op == Op::Identity,
            FnTerm::Made { maker, args } => match (maker, &args[..]) {
                (Op::Compose | Op::Chain, parts) => parts.iter().all(|one| part(one, 1)),
                (Op::Fork, [outer, a, b]) => part(outer, 2) && part(a, 1) && part(b, 1),
                (Op::Rbind | Op::Lbind, [f, fixed]) => part(f, 2) && int(fixed),
                _ => false,
            },
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use crate::card::tests::card_of;
    use crate::card::{Card, Options, Rule};

    fn deal(body: &str, fuse: bool) -> Card {
        let text = format!("def solve_near(I):\n    x1 = fork(multiply, sign, identity)\n{body}");
        card_of(&text, Options { fuse, ..Options::default() })
    }

    fn numbers(card: &Card) -> usize {
        card.fusions().iter().filter(|fusion| fusion.rule == Rule::Numbers).count()
    }

    #[test]
    fn a_pair_is_mapped_without_a_loop() {
        let body = "    x2 = subtract(shape(I), TEN)
    x3 = apply(x1, x2)
    O = canvas(ONE, x3)
    return O
";
        let card = deal(body, true);
        assert_eq!(numbers(&card), 1);
        assert!(!card.deal().disassemble().contains("open"), "{}", card.deal().disassemble());
        assert_eq!(numbers(&deal(body, false)), 0);
        // Another function, or what may be no pair.
        for (from, to) in [("apply(x1,", "apply(even,"), ("subtract(shape(I), TEN)", "first(I)")] {
            assert_eq!(numbers(&deal(&body.replace(from, to), true)), 0, "{to}");
        }
    }

    #[test]
    fn its_bodies_count_in_a_loop_around_it() {
        let card = deal(
            "    x2 = compose(lbind(apply, x1), ulcorner)
    x3 = apply(x2, objects(I, T, F, T))
    O = canvas(ONE, first(x3))
    return O
",
            true,
        );
        assert_eq!(numbers(&card), 1);
        let nested = card.graph.slots().iter().find_map(|slot| match &slot.def {
            crate::graph::Def::Close { run, .. } => Some(run.nested.len()),
            _ => None,
        });
        assert_eq!(nested, Some(1));
    }
}
