//! Loops over one container share one element frame.
//!
//! Law: a body's value for an item depends on the item and on captured values only, so two loops
//! over the same container in the same parent frame see the same rows, and a body that both run
//! has the same column. The sharing itself is [`crate::graph::Frames::share`]; this file pins the
//! law.

#[cfg(test)]
mod tests {
    use crate::card::tests::card_of;
    use crate::card::{Card, Options, Rule};
    use crate::graph::{Def, FrameKind};

    const TWO_LOOPS: &str = "
def solve_two(I):
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, size)
    x3 = argmin(x1, size)
    x4 = paint(I, recolor(ONE, x2))
    O = paint(x4, recolor(TWO, x3))
    return O
";

    fn deal(fuse: bool) -> Card {
        card_of(TWO_LOOPS, Options { fuse, ..Options::default() })
    }

    #[test]
    fn two_loops_over_one_container_open_one_frame() {
        let count = |card: &Card| {
            let slots = card.graph.slots();
            let sizes = slots.iter().filter(
                |s| matches!(&s.def, Def::Call { prim, .. } if prim.op == crate::ops::Op::Size),
            );
            let frames = (0..card.graph.frames.len() as u32).filter(|f| {
                matches!(card.graph.frames.get(crate::graph::FrameId(*f)).kind, FrameKind::Each(_))
            });
            (sizes.count(), frames.count())
        };
        assert_eq!(count(&deal(true)), (1, 1));
        assert_eq!(count(&deal(false)), (2, 2));
        assert_eq!(deal(true).fusions().iter().filter(|f| f.rule == Rule::Frames).count(), 1);
        assert!(deal(false).fusions().is_empty());
    }
}
