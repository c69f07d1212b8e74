//! A `power` of a few plain calls is those calls.
//!
//! Law: `power(f, n)(x)` is f(f(…f(x))), n times. Every primitive fails where an argument does, so a call
//! that fails fails all that follow, as it ends a loop. Written out there is no loop, the calls share
//! slots with all others, and what they give of an item alone can be computed further out.
//!
//! Only the count of bodies is left: n for the `power`, and those of every `power` inside f n times.

use super::Rule;
use crate::card::{Card, Expansion, Term};
use crate::graph::{Def, FnArg, FnId, FnTerm, SlotId};
use crate::ops::{Op, Role};
use crate::value::Value;

/// The most runs that are written out,
const MOST_RUNS: i32 = 4;
/// and the most calls that they make together.
const MOST_CALLS: u32 = 64;

pub(in crate::card) fn rewrite(
    card: &mut Card,
    f: FnId,
    times: SlotId,
    start: &Term,
) -> Option<Term> {
    // What is written out must not be why all of it is left to run time.
    if !card.options.fuse || card.expansion.calls > Expansion::MAX_CALLS / 4 {
        return None;
    }
    let runs = calls_of_power(card, f, times)?.0;
    card.bodies.push(Vec::new());
    let mut result = start.clone();
    for _ in 0..runs {
        result = card.call_fn(f, &[result]);
    }
    let nested = card.bodies.pop().unwrap_or_default();
    let bodies = count(card, runs, nested.into());
    card.ran(bodies);
    if let Term::Slot(slot) = result {
        card.fused(Rule::Powers, slot);
    }
    Some(result)
}

/// What stands for so many bodies that are not run as such, and those of loops within them.
pub(super) fn count(card: &mut Card, bodies: u32, nested: Box<[SlotId]>) -> SlotId {
    let zero = card.constant(Value::Int(0));
    let items = vec![zero; bodies as usize].into();
    card.graph.intern(Def::Collect { set: false, items, guards: [].into(), nested })
}

/// How many bodies such a slot stands for.
pub(super) fn bodies(card: &Card, slot: SlotId) -> Option<u64> {
    let Def::Collect { items, nested, .. } = &card.graph.slot(slot).def else { return None };
    let inner = nested.iter().map(|one| bodies(card, *one)).sum::<Option<u64>>()?;
    Some(items.len() as u64 + inner)
}

/// How often a `power` runs its function, and how many calls that makes, where it can be written out.
fn calls_of_power(card: &Card, f: FnId, times: SlotId) -> Option<(u32, u32)> {
    let runs = card.graph.constant(times)?.as_int().filter(|n| (2..=MOST_RUNS).contains(n))?;
    let calls = calls_of(card, f)?.checked_mul(runs.unsigned_abs())?;
    (calls <= MOST_CALLS).then_some((runs.unsigned_abs(), calls))
}

/// How many calls of primitives a function makes, if it runs no loops and makes no functions.
pub(super) fn calls_of(card: &Card, f: FnId) -> Option<u32> {
    match &card.functions.get(f).term {
        FnTerm::Prim(prim) => (prim.info().role == Role::Pure).then_some(1),
        FnTerm::Choice { then, other, .. } => {
            calls_of(card, *then)?.checked_add(calls_of(card, *other)?)
        }
        FnTerm::Made { maker: Op::Power, args } => match args[..] {
            [FnArg::Fn(f), FnArg::Slot(times)] => Some(calls_of_power(card, f, times)?.1),
            _ => None,
        },
        FnTerm::Made { maker, args } => {
            // What is called comes first; what is bound, or compared with, is the last one.
            let called = match maker {
                Op::Rbind | Op::Lbind | Op::Matcher => &args[..1],
                _ => &args[..],
            };
            called.iter().try_fold(0u32, |sum, arg| match arg {
                FnArg::Fn(f) => sum.checked_add(calls_of(card, *f)?),
                FnArg::Slot(_) => None,
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::card::tests::card_of;
    use crate::card::{Card, Options, Rule};
    use crate::graph::Def;
    use crate::ops::Op;

    fn deal(text: &str, fuse: bool) -> Card {
        card_of(text, Options { fuse, ..Options::default() })
    }

    fn count(card: &Card, is: impl Fn(&Def) -> bool) -> usize {
        card.graph.slots().iter().filter(|slot| is(&slot.def)).count()
    }

    fn repeats(card: &Card) -> usize {
        count(card, |def| matches!(def, Def::Repeat { .. }))
    }

    const COLUMNS: &str = "
def solve_columns(I):
    x1 = product(I, I)
    x2 = power(first, TWO)
    x3 = compose(first, first)
    x4 = fork(equality, x2, x3)
    x5 = sfilter(x1, x4)
    O = merge(x5)
    return O
";

    #[test]
    fn a_small_power_is_its_calls_and_shares_them() {
        let firsts = |card: &Card| {
            count(card, |def| matches!(def, Def::Call { prim, .. } if prim.op == Op::First))
        };
        let card = deal(COLUMNS, true);
        assert_eq!((repeats(&card), firsts(&card)), (0, 2));
        assert_eq!(card.fusions().iter().filter(|f| f.rule == Rule::Powers).count(), 1);
        let card = deal(COLUMNS, false);
        assert_eq!((repeats(&card), firsts(&card)), (1, 3));
    }

    #[test]
    fn its_bodies_count_towards_the_loop_around_it() {
        let text = COLUMNS.replace("power(first, TWO)", "power(power(first, TWO), TWO)");
        let card = deal(&text, true);
        assert_eq!(repeats(&card), 0);
        let nested = card.graph.slots().iter().find_map(|slot| match &slot.def {
            Def::Close { run, .. } => Some(run.nested.clone()),
            _ => None,
        });
        // Two, each of which runs two.
        let Def::Collect { items, nested, .. } = &card.graph.slot(nested.unwrap()[0]).def else {
            panic!("a count of bodies");
        };
        assert_eq!((items.len(), nested.len()), (2, 2));
    }

    #[test]
    fn a_power_that_is_long_or_runs_loops_is_left_alone() {
        for (function, times) in [("first", "SEVEN"), ("lbind(apply, first)", "TWO")] {
            let power = format!("power({function}, {times})");
            let card = deal(&COLUMNS.replace("power(first, TWO)", &power), true);
            assert_eq!(repeats(&card), 1, "{power}");
        }
    }
}
