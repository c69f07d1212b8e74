//! A loop over all pairs of two sets is a loop over one within a loop over the other.
//!
//! Laws, for sets A and B: `mapply(f, product(A, B))` is
//! `mapply(a -> mapply(b -> f((a, b)), B), A)`, and over `sfilter(product(A, B), c)` the inner loop runs
//! over `sfilter(B, b -> c((a, b)))`. So what a body computes from one half of a pair is computed once for
//! each item of A or of B, not once for each pair, and no pair is made or taken apart (`Term::Pair`).
//! `apply` is left alone: what the inner loops gave would be sorted once more, on a GPU by one warp for each
//! sample (measured: a battery with one such program took 14 % longer there, and 3 % less on a CPU).
//!
//! The pairs still have to be few enough to be one value, else both loops are an error: A is looked at
//! only where their product could be made. Such a product has at most as many pairs as a value has
//! elements, so bodies that run few others cannot be too many, and the outer loop's own need not be told
//! from those that were written. Inside of other bodies they would count, so there nothing is changed.

use super::{Rule, powers};
use crate::card::{Card, LoopKey, Term};
use crate::graph::{Def, FnArg, FnId, FnTerm, FrameId, FrameKind, Loop, Shape, SlotId, Work};
use crate::limits::{MAX_BODIES, MAX_ELEMENTS, MAX_WORK};
use crate::ops::{Guard, Op, Prim};

/// The most bodies that one body may run, so that with the outer loop's there are never too many.
const MOST_BODIES: u64 = (MAX_BODIES / MAX_ELEMENTS - 2) as u64;

/// The most that a condition may take for one pair, so that for all pairs of a value it is never too much.
const MOST_WORK: u64 = MAX_WORK / MAX_ELEMENTS as u64;

pub(in crate::card) fn rewrite(card: &mut Card, key: &LoopKey) -> Option<SlotId> {
    let LoopKey { prim, function, over, extra: None, given: None } = key else { return None };
    let runs = prim.op == Op::Mapply && prim.guard == Guard::None;
    if !runs || !card.options.fuse || !card.bodies.is_empty() {
        return None;
    }
    let (pairs, mut functions) = pairs_of(card, *over.first()?)?;
    functions.push((prim.op, *function));
    let plain = |f: &FnId| powers::calls_of(card, *f).is_some();
    let apart = |f: &FnId| takes_apart(card, *f);
    let bodies = || functions.iter().map(|(_, f)| f);
    if !bodies().all(plain) || !bodies().any(apart) {
        return None;
    }
    let Def::Call { args, .. } = &card.graph.slot(pairs).def else { return None };
    let [a, b] = args[..] else { return None };
    let captured = bodies().flat_map(|f| card.functions.get(*f).captures.to_vec()).collect();
    let guards = card.unsure(captured);
    let parent = card.graph.join(guards.iter().chain([&pairs]));
    if card.graph.frames.get(parent).depth > 0 {
        return None;
    }
    // A, or an error where the pairs are one.
    let firsts = card.plain_call(Op::Branch.into(), &[pairs, a, a]);
    let (outer, _) = card.frame(parent, FrameKind::Each([firsts]));
    let (mut inner, mut works) = (b, Vec::new());
    for (op, f) in functions {
        let work;
        (inner, work) = card.within(outer, |card| run_inside(card, outer, op, f, inner))?;
        // What the conditions take is not counted with what the loop takes.
        if op != Op::Mapply && work.most(1, |_| u64::from(MAX_ELEMENTS)) > MOST_WORK {
            return None;
        }
        works.push(work);
    }
    let run = Loop { frame: outer, body: inner, guards, nested: [inner].into() };
    let (prim, extra) = (Op::Mapply.into(), None);
    let slot = card.graph.intern(Def::Close { prim, container: firsts, extra, run });
    for work in works {
        card.takes(slot, work);
    }
    card.fused(Rule::Products, slot);
    Some(slot)
}

/// The product whose pairs a container has, and the conditions by which it has only some of them.
fn pairs_of(card: &Card, over: SlotId) -> Option<(SlotId, Vec<(Op, FnId)>)> {
    if let Some((whole, condition)) = card.filtered.get(&over) {
        let (pairs, mut conditions) = pairs_of(card, *whole)?;
        conditions.push((Op::Sfilter, *condition));
        return Some((pairs, conditions));
    }
    let Def::Call { prim: Prim { op: Op::Product, guard: Guard::None }, args } =
        &card.graph.slot(over).def
    else {
        return None;
    };
    let sets = args.iter().all(|slot| card.graph.slot(*slot).shape.within(Shape::SET));
    sets.then(|| (over, Vec::new()))
}

/// The loop inside, over what the pairs that begin with the outer loop's item end with.
fn run_inside(
    card: &mut Card,
    outer: FrameId,
    op: Op,
    f: FnId,
    over: SlotId,
) -> Option<(SlotId, Work)> {
    let (frame, _) = card.frame(outer, FrameKind::Each([over]));
    let (Some(Term::Slot(first)), Some(Term::Slot(last))) =
        (card.elements(outer).pop(), card.elements(frame).pop())
    else {
        return None;
    };
    let pair = Term::Pair(first, last);
    let (body, nested, work) = card.within(frame, |card| card.body(f, &[pair], None));
    let bodies = nested.iter().map(|one| powers::bodies(card, *one)).sum::<Option<u64>>()?;
    if bodies > MOST_BODIES {
        return None;
    }
    let run = Loop { frame, body, guards: [].into(), nested };
    let slot = card.graph.intern(Def::Close { prim: op.into(), container: over, extra: None, run });
    card.takes(slot, work.clone());
    Some((slot, work))
}

/// Whether a function looks at one half of what it is given.
fn takes_apart(card: &Card, f: FnId) -> bool {
    let part = |arg: &FnArg| matches!(arg, FnArg::Fn(f) if takes_apart(card, *f));
    match &card.functions.get(f).term {
        FnTerm::Prim(prim) => {
            matches!(prim.op, Op::First | Op::Last | Op::Color) && prim.guard == Guard::None
        }
        FnTerm::Choice { then, other, .. } => takes_apart(card, *then) || takes_apart(card, *other),
        FnTerm::Made { maker, args } => match maker {
            Op::Compose | Op::Chain => args.last().is_some_and(part),
            Op::Fork => args[1..].iter().any(part),
            Op::Matcher | Op::Power => args.first().is_some_and(part),
            _ => false,
        },
    }
}

#[cfg(test)]
mod tests {
    use crate::card::tests::card_of;
    use crate::card::{Card, Options, Rule};
    use crate::graph::Def;
    use crate::ops::Op;

    fn deal(text: &str) -> Card {
        card_of(text, Options::default())
    }

    fn products(card: &Card) -> usize {
        card.fusions().iter().filter(|fusion| fusion.rule == Rule::Products).count()
    }

    /// In how many element frames the calls of a primitive are that the battery needs.
    fn depths(card: &Card, op: Op) -> Vec<u32> {
        let battery = card.deal();
        let slots = (0..battery.slot_count() as u32).map(crate::graph::SlotId);
        let calls = slots.filter(|slot| {
            matches!(battery.def(*slot), Def::Call { prim, .. } if prim.op == op)
                && battery.outputs().needs(*slot)
        });
        calls.map(|slot| battery.frames().get(battery.slot(slot).frame).depth).collect()
    }

    const ROWS: &str = "
def solve_rows(I):
    x1 = asobject(I)
    x2 = asindices(I)
    x3 = product(x1, x2)
    x4 = compose(last, first)
    x5 = fork(equality, compose(first, x4), compose(first, last))
    x6 = sfilter(x3, x5)
    x7 = fork(connect, x4, last)
    O = underfill(I, ONE, mapply(x7, x6))
    return O
";

    #[test]
    fn what_one_half_gives_is_computed_once_for_each_item() {
        let card = deal(ROWS);
        assert_eq!(products(&card), 1);
        // last(first(pair)) of each cell, first of it and of each location.
        assert_eq!(depths(&card, Op::Last), [1]);
        assert_eq!(depths(&card, Op::First), [1, 1]);
        assert_eq!(depths(&card, Op::Equality), [2]);
        assert_eq!(depths(&card, Op::Connect), [2]);
        assert!(depths(&card, Op::Astuple).is_empty());
        // The pairs are made, since they must be few enough, but no loop runs over them.
        assert_eq!(depths(&card, Op::Product), [0]);
    }

    #[test]
    fn the_colour_of_a_pair_of_cells_is_that_of_the_first() {
        let colored = "fork(recolor, color, fork(connect, x4, last))";
        let card = deal(&ROWS.replace("fork(connect, x4, last)", colored));
        assert_eq!(products(&card), 1);
        assert!(depths(&card, Op::Astuple).is_empty() && depths(&card, Op::Color).is_empty());
    }

    #[test]
    fn pairs_that_are_needed_whole_are_made() {
        let card = deal(&ROWS.replace("fork(connect, x4, last)", "fork(insert, last, initset)"));
        assert_eq!(products(&card), 1);
        assert_eq!(depths(&card, Op::Astuple), [2]);
    }

    #[test]
    fn other_loops_are_left_alone() {
        for (from, to) in [
            // Bodies would count.
            ("mapply(x7, x6)", "merge(rapply(initset(lbind(mapply, x7)), x6))"),
            // The results would be sorted twice.
            ("mapply(x7, x6)", "merge(apply(x7, x6))"),
            // A tuple may hold an item twice.
            ("asindices(I)", "totuple(asindices(I))"),
            // Nothing is taken apart.
            ("fork(equality, compose(first, x4), compose(first, last))", "lbind(equality, x1)"),
        ] {
            let text = ROWS.replace(from, to).replace("fork(connect, x4, last)", "initset");
            assert_eq!(products(&deal(&text)), 0, "{to}");
        }
    }
}
