//! What a body computes from an item alone is computed once per item.
//!
//! Law: a loop inside another loop's body, over a container from further out, meets the same items
//! each time that body runs. What its own body computes from an item and from values further out is
//! the same each time, too. So the items live in a frame where the container does, and the loop's own
//! frame has that frame's rows again for every run of the outer body
//! ([`crate::graph::Frame::base`]). What depends on the outer body as well is computed there.
//!
//! Likewise for a loop over a part of such a container, `remove(x, c)` where x is of the outer body
//! and what the loop's own body needs is not: each item of the part is one of c, so what the body gives
//! for it was computed by a loop over c, once for all x. Such a loop's own frame only says which of
//! that loop's rows it has ([`crate::graph::Frame::part`]). c must be a set, of which `remove` leaves
//! all but one item. What the body gives for that one, an error too, is not looked at.
//!
//! The pairs of a `prapply` are left where they are: there are too many of them to keep.

use crate::graph::{Def, FrameId, FrameKind, Graph, Shape, SlotId};
use crate::ops::{Guard, Op, Prim};

/// Where the items of a frame nested in `parent` can live, if that is further out.
pub(crate) fn outer(graph: &Graph, parent: FrameId, kind: &FrameKind) -> Option<FrameId> {
    if !matches!(kind, FrameKind::Each(_) | FrameKind::Zip(_)) {
        return None;
    }
    let homes = kind.containers().iter().map(|slot| graph.frame_of(*slot));
    let outer = graph.frames.innermost(homes)?;
    let same_root = graph.frames.get(outer).root == graph.frames.get(parent).root;
    (same_root && outer != parent && graph.frames.sees(parent, outer)).then_some(outer)
}

/// The container that a loop's container is a part of, and the frame in which a loop over all of it
/// has what the bodies need, if that is further out than the loop over the part.
pub(crate) fn part(
    graph: &Graph,
    parent: FrameId,
    part: SlotId,
    guards: &[SlotId],
) -> Option<(FrameId, SlotId)> {
    let Def::Call { prim: Prim { op: Op::Remove, guard: Guard::None }, args } =
        &graph.slot(part).def
    else {
        return None;
    };
    let whole = args[1];
    let homes = guards.iter().chain([&whole]).map(|slot| graph.frame_of(*slot));
    let outer = graph.frames.innermost(homes)?;
    let same_root = graph.frames.get(outer).root == graph.frames.get(parent).root;
    let further_out = same_root && outer != parent && graph.frames.sees(parent, outer);
    (further_out && graph.slot(whole).shape.within(Shape::SET)).then_some((outer, whole))
}

#[cfg(test)]
mod tests {
    use crate::card::tests::card_of;
    use crate::card::{Card, Options, Rule};
    use crate::graph::{Def, FrameId, FrameKind};
    use crate::ops::Op;

    fn deal(text: &str) -> Card {
        card_of(text, Options::default())
    }

    /// How many element frames the only call of a primitive is in.
    fn depth(card: &Card, op: Op) -> u32 {
        let mut calls = card
            .graph
            .slots()
            .iter()
            .filter(|slot| matches!(&slot.def, Def::Call { prim, .. } if prim.op == op));
        let depth = calls.next().map(|slot| card.graph.frames.get(slot.frame).depth);
        assert!(calls.next().is_none(), "{op:?} is computed twice");
        depth.unwrap_or_default()
    }

    #[test]
    fn what_an_inner_item_gives_is_computed_once() {
        let card = deal(
            "
def solve_near(I):
    x1 = objects(I, T, F, T)
    x2 = asindices(I)
    x3 = lbind(sfilter, x2)
    x4 = compose(decrement, first)
    x5 = lbind(lbind, greater)
    x6 = compose(x5, size)
    x7 = rbind(compose, x4)
    x8 = chain(x3, x7, x6)
    O = mapply(x8, x1)
    return O
",
        );
        // greater(size(object), decrement(first(cell)))
        assert_eq!(depth(&card, Op::Decrement), 1);
        assert_eq!(depth(&card, Op::Size), 1);
        assert_eq!(depth(&card, Op::Greater), 2);
        assert_eq!(card.fusions().iter().filter(|f| f.rule == Rule::Hoists).count(), 1);
    }

    #[test]
    fn a_loop_within_a_loop_over_one_container_keeps_its_items_apart() {
        let card = deal(
            "
def solve_pairs(I):
    x1 = objects(I, T, F, T)
    x2 = lbind(apply, identity)
    x3 = lbind(lbind, manhattan)
    x4 = lbind(rbind, apply)
    x5 = x4(x1)
    x6 = compose(x5, x3)
    O = apply(x6, x1)
    return O
",
        );
        assert_eq!(depth(&card, Op::Manhattan), 2);
        let both = card.graph.slots().iter().find_map(|slot| match &slot.def {
            Def::Call { prim, args } if prim.op == Op::Manhattan => Some([args[0], args[1]]),
            _ => None,
        });
        let [a, b] = both.expect("manhattan is called");
        assert_ne!(a, b);
        let each = (0..card.graph.frames.len() as u32)
            .filter(|id| matches!(card.graph.frames.get(FrameId(*id)).kind, FrameKind::Each(_)));
        // The outer loop's, the inner items', and the inner loop's.
        assert_eq!(each.count(), 3);
    }

    /// The frames that have some of another one's rows, as their bases' parents and their own.
    fn parts(card: &Card) -> Vec<[FrameId; 2]> {
        let frames = &card.graph.frames;
        let all = (0..frames.len() as u32).map(|id| frames.get(FrameId(id)));
        let parts = all.filter(|frame| frame.part);
        parts.map(|part| [frames.get(part.base.unwrap()).parent, part.parent]).collect()
    }

    #[test]
    fn a_loop_over_a_part_has_the_bodies_of_the_whole() {
        let card = deal(
            "
def solve_rest(I):
    x1 = objects(I, T, F, T)
    x2 = rbind(remove, x1)
    x3 = rbind(argmax, height)
    x4 = compose(x3, x2)
    O = mapply(x4, x1)
    return O
def solve_whole(I):
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, height)
    O = paint(I, x2)
    return O
",
        );
        // In the loop over all objects, which are the ones that are left out in turn, too.
        assert_eq!(depth(&card, Op::Height), 1);
        let [[outer, parent]] = parts(&card)[..] else { panic!("there is one part") };
        assert_eq!(outer, FrameId::SAMPLE);
        assert_eq!(card.graph.frames.get(parent).depth, 1);
        assert_eq!(card.fusions().iter().filter(|f| f.rule == Rule::Hoists).count(), 1);
        let text = card.deal().disassemble();
        assert!(text.contains("open f4 over t5 of f3"), "{text}");
    }

    #[test]
    fn a_body_that_needs_what_is_left_out_stays_where_it_is() {
        let card = deal(
            "
def solve_near(I):
    x1 = objects(I, T, F, T)
    x2 = rbind(remove, x1)
    x3 = lbind(lbind, manhattan)
    x4 = fork(apply, x3, x2)
    O = apply(x4, x1)
    return O
",
        );
        assert!(parts(&card).is_empty());
        assert_eq!(depth(&card, Op::Manhattan), 2);
    }

    #[test]
    fn a_body_that_ignores_the_outer_item_is_found() {
        // last(astuple(cell, object)) is the object, but whoever calls it was given the cell.
        let card = deal(
            "
def solve_ignored(I):
    x1 = objects(I, T, F, T)
    x2 = asindices(I)
    x3 = rbind(remove, x1)
    x4 = lbind(lbind, astuple)
    x5 = lbind(compose, compose(height, last))
    x6 = compose(x5, x4)
    x7 = compose(lbind(lbind, valmax), x3)
    x8 = compose(rbind(compose, x6), x7)
    x9 = compose(rbind(apply, x2), x8)
    O = apply(x9, x1)
    return O
",
        );
        assert!(parts(&card).is_empty());
    }
}
