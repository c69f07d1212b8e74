//! `papply` and `mpapply` over what `apply` made of functions: a loop over places.
//!
//! Law, for a tuple A, h that gives functions, and n the smaller of both sizes:
//! `papply(k, apply(h, A), B)` is `apply(e -> k(h(A[e]), B[e]), interval(0, n, 1))`, an error where
//! h fails for any item of A, also for one that no item of B meets.

use super::{Card, Term};
use crate::graph::{Def, FnArg, FnId, FrameKind, Loop, Shape, SlotId};
use crate::ops::{Op, Prim};
use crate::value::Value;

/// One of the two containers: where its items come from, and what gives the one at a place.
struct Side {
    container: SlotId,
    at: FnId,
    /// Errors where its functions cannot all be made.
    checks: Vec<SlotId>,
}

impl Card {
    /// A zip of which a side is made of functions, outside of any body, whose count of bodies would
    /// lack those of the `apply`.
    pub(super) fn zip_functions(
        &mut self,
        prim: Prim,
        k: FnId,
        a: &Term,
        b: &Term,
    ) -> Option<Term> {
        let over = |term: &Term| matches!(term, Term::FnsOver { .. });
        if !self.bodies.is_empty() || !(over(a) || over(b)) {
            return None;
        }
        let (a, b) = (self.side(a)?, self.side(b)?);
        let body = self.made(Op::Fork, &[FnArg::Fn(k), FnArg::Fn(a.at), FnArg::Fn(b.at)], 1)?;
        let Term::Fn(body) = body else { return None };
        let places = self.places(&a, &b);
        if prim.op == Op::Papply
            && let Some(made) = self.functions_over(body, &Term::Slot(places))
        {
            return Some(made);
        }
        let op = if prim.op == Op::Papply { Op::Apply } else { Op::Mapply };
        Some(Term::Slot(self.close(op.into(), body, FrameKind::Each([places]), None)))
    }

    fn side(&mut self, term: &Term) -> Option<Side> {
        let (container, function) = match term {
            Term::FnsOver { container, function, .. } => (*container, Some(*function)),
            Term::Slot(slot) => (*slot, None),
            _ => return None,
        };
        let shape = self.graph.slot(container).shape;
        let (container, checks) = match function {
            // A set of functions is in another order than what they were made of.
            Some(f) if shape.within(Shape::TUPLE) => (container, self.all_made(container, f)?),
            None if shape.within(Shape::TUPLE) => (container, Vec::new()),
            None if shape.within(Shape::SET) => {
                (self.plain_call(Op::Totuple.into(), &[container]), Vec::new())
            }
            _ => return None,
        };
        let nth = self.functions.prim(Op::GetNthT.into());
        let mut at =
            self.functions.made(Op::Lbind, &[FnArg::Fn(nth), FnArg::Slot(container)], 1)?;
        if let Some(f) = function {
            at = self.functions.made(Op::Compose, &[FnArg::Fn(f), FnArg::Fn(at)], 1)?;
        }
        Some(Side { container, at, checks })
    }

    /// A loop that fails where f cannot be made a function for every item; none where it always can.
    fn all_made(&mut self, container: SlotId, f: FnId) -> Option<Vec<SlotId>> {
        let captured = self.functions.get(f).captures.to_vec();
        let guards = self.unsure(captured);
        let parent = self.graph.join(guards.iter().chain([&container]));
        let (frame, _) = self.frame(parent, FrameKind::Each([container]));
        let element = self.elements(frame);
        self.bodies.push(Vec::new());
        let made = self.within(frame, |card| card.call_fn(f, &element));
        let nested = self.bodies.pop().unwrap_or_default().into();
        let Term::Fn(made) = made else { return None };
        let captured = self.functions.get(made).captures.iter();
        let risky: Vec<SlotId> = captured.filter(|slot| self.can_fail(**slot)).copied().collect();
        if risky.is_empty() {
            return Some(Vec::new());
        }
        let items = self.unsure(risky);
        let all = Def::Collect { set: false, items, guards: [].into(), nested: [].into() };
        let body = self.within(frame, |card| card.graph.intern(all));
        let run = Loop { frame, body, guards, nested };
        let prim = Op::Apply.into();
        Some(vec![self.graph.intern(Def::Close { prim, container, extra: None, run })])
    }

    /// The places that both sides have.
    fn places(&mut self, a: &Side, b: &Side) -> SlotId {
        let sizes = [a, b].map(|side| self.plain_call(Op::Size.into(), &[side.container]));
        let sizes = self.plain_call(Op::Astuple.into(), &sizes);
        let n = self.plain_call(Op::Minimum.into(), &[sizes]);
        let [zero, one] = [0, 1].map(|n| self.constant(Value::Int(n)));
        let places = self.plain_call(Op::Interval.into(), &[zero, n, one]);
        let checks: Vec<SlotId> = a.checks.iter().chain(&b.checks).copied().collect();
        if checks.is_empty() {
            return places;
        }
        let guards = self.unsure(checks);
        self.graph.intern(Def::Select { condition: one, then: places, other: places, guards })
    }
}
