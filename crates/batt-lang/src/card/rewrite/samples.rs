//! Loops over the inputs or the outputs of S run over S itself.
//!
//! Law: S is a tuple of pairs, so `apply(first, S)` is the tuple of `first(p)` for each pair p of S
//! in order, and it never fails. A loop over that tuple with the body f is a loop over S with the
//! body `f(first(p))`, and likewise for `second`. A loop that gives items of its container back
//! (`argmax`, `sfilter`, …) still takes them from that tuple.

use crate::graph::{Def, FrameKind, Graph, SlotId};
use crate::ops::{Guard, Op, Prim};
use crate::program::Input;

/// S and the projection, if the only container of a loop is `apply(first, S)` or `apply(second, S)`.
pub(crate) fn look_through(graph: &Graph, over: &[SlotId]) -> Option<(SlotId, Prim)> {
    let [container] = over else { return None };
    // Under the safe policy the call is wrapped, though it never fails.
    let container = match &graph.slot(*container).def {
        Def::OrElse { value, .. } => *value,
        _ => *container,
    };
    let Def::Close { prim: Prim { op: Op::Apply, guard: Guard::None }, run, .. } =
        &graph.slot(container).def
    else {
        return None;
    };
    let FrameKind::Each([base]) = graph.frames.get(run.frame).kind else { return None };
    let Def::Call { prim, args } = &graph.slot(run.body).def else { return None };
    let items = graph.frames.items(run.frame);
    let of_element =
        matches!(graph.slot(args[0]).def, Def::Element { frame, .. } if frame == items);
    let projects = matches!(prim.op, Op::First | Op::Second) && prim.guard == Guard::None;
    let of_pairs = graph.slot(base).def == Def::Input(Input::S);
    (of_element && projects && of_pairs).then_some((base, *prim))
}

/// Whether a loop's result holds items of its container, not only what its bodies gave.
pub(crate) fn picks_items(op: Op) -> bool {
    !matches!(op, Op::Apply | Op::Mapply | Op::Valmax | Op::Valmin | Op::GetValRank)
}

#[cfg(test)]
mod tests {
    use crate::card::{Card, Options, Rule};
    use crate::graph::Def;
    use crate::program::Definition;
    use crate::text::parse;

    #[test]
    fn palettes_of_inputs_and_outputs_share_the_frame_of_s() {
        let text = "
def solve_colors(S, I, C):
    t1 = apply(first, S)
    t2 = apply(second, S)
    t3 = mapply(p_g, t1)
    t4 = mapply(p_g, t2)
    t5 = difference_tuple(t4, t3)
    t6 = first(t5)
    t7 = canvas(t6, UNITY)
    return t7
";
        let mut card = Card::new(Options::default());
        for definition in parse(text).definitions {
            if let Definition::Program(program) = definition {
                card.add(&program);
            }
        }
        let fused = card.fusions().iter().filter(|f| f.rule == Rule::Samples).count();
        assert_eq!(fused, 2);
        // Neither tuple of grids is needed any more.
        let battery = card.deal();
        assert!(!battery.disassemble().contains("apply(first"), "{}", battery.disassemble());
    }

    #[test]
    fn a_loop_that_picks_items_picks_them_from_the_projected_tuple() {
        let text = "
def solve_smallest(S, I, C):
    t1 = apply(second, S)
    t2 = argmin(t1, size)
    return t2
";
        let mut card = Card::new(Options::default());
        for definition in parse(text).definitions {
            if let Definition::Program(program) = definition {
                card.add(&program);
            }
        }
        let battery = card.deal();
        let Def::Close { container, .. } = battery.def(battery.programs()[0].output) else {
            panic!("argmin closes a loop");
        };
        assert!(matches!(battery.def(*container), Def::Close { .. }), "{}", battery.disassemble());
    }
}
