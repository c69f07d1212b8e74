//! What the bodies of loops take at most: noted call by call while their functions are expanded, before
//! any rule changes what is called.

use super::{Card, Term};
use crate::graph::{FnArg, FnId, FnTerm, Shape, SlotId, Work};
use crate::limits::MAX_ELEMENTS;
use crate::ops::size::{self, Size, dear, looks, walks};
use crate::ops::{Op, Role};

/// How often it is looked for a size that a function keeps to.
const MAX_ROUNDS: usize = 3;

impl Card {
    /// Notes a call in the body that is being expanded.
    pub(super) fn spend(&mut self, op: Op, args: &[Term]) {
        let Some(work) = self.spent.last_mut() else { return };
        work.add(1);
        let looked_up = match (op, args) {
            (Op::Contained, [_, Term::Slot(set)]) => self.graph.slot(*set).shape.within(Shape::SET),
            _ => !walks(op),
        };
        if looked_up {
            return;
        }
        let elements = |arg: &Term| match arg {
            Term::Slot(slot) => u64::from(self.graph.slot(*slot).size.elements()),
            _ => u64::from(MAX_ELEMENTS),
        };
        work.add(dear(op, |at| args.get(at).map_or(0, elements)));
        let looks = looks(op);
        for arg in args {
            match arg {
                Term::Slot(slot) => work.read(&self.graph, *slot, looks),
                Term::Fn(_) => work.add(looks),
                Term::Pair(a, b) => {
                    [a, b].into_iter().for_each(|one| work.read(&self.graph, *one, looks));
                }
                Term::Fns { items, .. } => work.add(looks * items.len() as u64),
                Term::FnsOver { container, .. } => work.read(&self.graph, *container, looks),
            }
        }
    }

    /// What was noted since a body was begun, which gives these.
    pub(super) fn spent_on(&mut self, results: &[SlotId]) -> Work {
        let mut work = self.spent.pop().unwrap_or_default();
        for result in results {
            work.add(1);
            work.read(&self.graph, *result, 1);
        }
        work
    }

    /// Notes what one body of a loop takes. The same loop may be written in several ways.
    pub(super) fn takes(&mut self, slot: SlotId, work: Work) {
        match self.works.get_mut(&slot) {
            Some(known) => known.or(&work),
            None => {
                self.works.insert(slot, work);
            }
        }
    }

    /// A size that a function keeps to, which what it is first given keeps to.
    pub(super) fn state_size(&self, f: FnId, start: SlotId) -> Option<Size> {
        // How far away things are may grow each time.
        let mut state = Size { far: u32::MAX, ..self.graph.slot(start).size }.inside();
        for _ in 0..MAX_ROUNDS {
            let next = self.size_given(f, &[state]).or(state);
            if (next.all, next.item) == (state.all, state.item) {
                return Some(state);
            }
            state = Size { far: u32::MAX, ..next }.inside();
        }
        None
    }

    /// At most how much a known function gives.
    fn size_given(&self, f: FnId, args: &[Size]) -> Size {
        let info = self.functions.get(f);
        if info.arity != args.len() {
            return Size::ANY;
        }
        let slot = |part: &FnArg| match part {
            FnArg::Slot(slot) => self.graph.slot(*slot).size,
            FnArg::Fn(_) => Size::new(1, 1, 1),
        };
        let call = |part: &FnArg, args: &[Size]| match part {
            FnArg::Fn(f) => self.size_given(*f, args),
            FnArg::Slot(_) => Size::ANY,
        };
        match &info.term {
            FnTerm::Prim(prim) if prim.info().role == Role::Pure => {
                size::result(prim.op, |at| args[at], |_| None)
            }
            FnTerm::Choice { then, other, .. } => {
                self.size_given(*then, args).or(self.size_given(*other, args))
            }
            FnTerm::Made { maker, args: parts } => match (maker, &parts[..]) {
                (Op::Compose, [outer, inner]) => call(outer, &[call(inner, args)]),
                (Op::Chain, [h, g, f]) => call(h, &[call(g, &[call(f, args)])]),
                (Op::Fork, [outer, a, b]) => call(outer, &[call(a, args), call(b, args)]),
                (Op::Matcher, _) => Size::new(1, 1, 1),
                (Op::Rbind, [f, fixed]) => call(f, &[args, &[slot(fixed)]].concat()),
                (Op::Lbind, [f, fixed]) => call(f, &[&[slot(fixed)], args].concat()),
                _ => Size::ANY,
            },
            FnTerm::Prim(_) => Size::ANY,
        }
    }
}
