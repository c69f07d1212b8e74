//! Loops: a higher-order call of a known function opens an element frame over its container, runs
//! the function's body as slots of that frame, and closes it.

use super::{Card, LoopKey, Term, rewrite};
use crate::graph::{Def, FnArg, FnId, FrameId, FrameKind, Loop, Shape, SlotId};
use crate::ops::{Op, Prim};
use crate::program::Input;
use crate::value::Value;

impl Card {
    /// A higher-order call, where its function is known.
    pub(super) fn run_loop(&mut self, prim: Prim, args: &[Term]) -> Option<Term> {
        if let (Op::Apply, [Term::Fn(f), over]) = (prim.op, args)
            && let Some(functions) = self.functions_over(*f, over)
        {
            return Some(functions);
        }
        if let (Op::Apply, [Term::Fn(f), over]) = (prim.op, args)
            && let Some(mapped) = rewrite::numbers::rewrite(self, *f, over)
        {
            return Some(mapped);
        }
        if let (Op::Papply | Op::Mpapply, [Term::Fn(f), a, b]) = (prim.op, args)
            && let Some(zipped) = self.zip_functions(prim, *f, a, b)
        {
            return Some(zipped);
        }
        let slot = match (prim.op, args) {
            (Op::Apply | Op::Mapply, [Term::Fn(f), over @ Term::FnsOver { .. }]) => {
                let (container, f) = self.through(*f, over)?;
                self.close(prim, f, FrameKind::Each([container]), None)
            }
            (Op::Rapply, [Term::FnsOver { container, function, .. }, x]) => {
                self.each_made(*container, *function, x)
            }
            (Op::Apply | Op::Mapply, [Term::Fn(f), over])
            | (
                Op::Sfilter | Op::Mfilter | Op::Extract | Op::Order | Op::Argmax | Op::Argmin,
                [over, Term::Fn(f)],
            ) => self.each(prim, *f, over, None),
            (Op::Valmax | Op::Valmin, [over, Term::Fn(f)]) => {
                let zero = self.constant(Value::Int(0));
                let empty = self.call_fn(*f, &[Term::Slot(zero)]);
                let empty = self.value(&empty);
                self.each(prim, *f, over, Some(empty))
            }
            (Op::GetNthByKeyT | Op::GetNthByKeyF, [over, rank, Term::Fn(f)])
            | (Op::GetArgRank | Op::GetValRank, [over, Term::Fn(f), rank]) => {
                let rank = self.value(rank);
                self.each(prim, *f, over, Some(rank))
            }
            (Op::Papply | Op::Mpapply, [Term::Fn(f), a, b]) => {
                let over = [self.value(a), self.value(b)];
                self.close(prim, *f, FrameKind::Zip(over), None)
            }
            (Op::Prapply, [Term::Fn(f), a, b]) => {
                let over = [self.value(a), self.value(b)];
                self.close(prim, *f, FrameKind::Product(over), None)
            }
            (Op::Rapply, [Term::Fns { set, items }, x]) => {
                return Some(self.each_function(*set, items, x));
            }
            (Op::CIz | Op::CZo, [s, Term::Fn(f)]) => self.only_in(prim.op, s, *f)?,
            (Op::CIzN | Op::CZoN, [s, Term::Fn(f), pick]) => {
                let op = if prim.op == Op::CIzN { Op::CIz } else { Op::CZo };
                let found = self.only_in(op, s, *f)?;
                return Some(self.call_term(pick, &[Term::Slot(found)]));
            }
            _ => return None,
        };
        Some(Term::Slot(slot))
    }

    fn each(&mut self, prim: Prim, f: FnId, over: &Term, extra: Option<SlotId>) -> SlotId {
        let over = self.value(over);
        self.close(prim, f, FrameKind::Each([over]), extra)
    }

    /// Opens a frame, expands the body in it, closes it. The same call is dealt once.
    pub(super) fn close(
        &mut self,
        prim: Prim,
        f: FnId,
        kind: FrameKind,
        extra: Option<SlotId>,
    ) -> SlotId {
        let over = kind.containers().to_vec();
        self.close_as(LoopKey { prim, function: f, over, extra, given: None }, kind)
    }

    /// `rapply(apply(f, container), x)`: the function that f makes of an item is called with x.
    fn each_made(&mut self, container: SlotId, f: FnId, x: &Term) -> SlotId {
        let given = Some(self.fn_arg(x));
        let (prim, over) = (Op::Apply.into(), vec![container]);
        let key = LoopKey { prim, function: f, over, extra: None, given };
        let slot = self.close_as(key, FrameKind::Each([container]));
        // Once more for the bodies of the `apply`.
        self.ran(slot);
        slot
    }

    fn close_as(&mut self, key: LoopKey, kind: FrameKind) -> SlotId {
        let over = &key.over;
        if over.iter().any(|c| self.graph.slot(*c).shape.misses(Shape::CONTAINER)) {
            return self.fail("a container is needed");
        }
        if let Some(slot) = self.split_loop(&key) {
            return slot;
        }
        let slot = self.known_loop(&key).unwrap_or_else(|| {
            let slot = self.new_loop(&key, kind);
            self.remember(key, slot);
            slot
        });
        self.ran(slot);
        slot
    }

    /// A loop over all pairs of two sets, outside of all bodies.
    fn split_loop(&mut self, key: &LoopKey) -> Option<SlotId> {
        if !self.bodies.is_empty() {
            return None;
        }
        if let Some(slot) = self.split.get(key) {
            return Some(*slot);
        }
        let slot = rewrite::products::rewrite(self, key)?;
        if !self.expansion.too_large() {
            self.split.insert(key.clone(), slot);
        }
        Some(slot)
    }

    /// The slot of a loop that was dealt before, if the body that is being expanded sees it.
    fn known_loop(&self, key: &LoopKey) -> Option<SlotId> {
        let slot = *self.loops.get(key)?;
        self.graph.frames.sees(self.graph.here, self.graph.frame_of(slot)).then_some(slot)
    }

    fn new_loop(&mut self, key: &LoopKey, kind: FrameKind) -> SlotId {
        let LoopKey { prim, function, over, extra, given } = key;
        let guards = self.guards(*function, *given);
        let parent = self.graph.join(over.iter().chain(guards.iter()).chain(extra));
        let seen = if self.options.fuse {
            rewrite::samples::look_through(&self.graph, over)
        } else {
            None
        };
        let (kind, container) = match seen {
            // What picks items needs the projected ones; what does not needs only their number.
            Some((base, _)) if rewrite::samples::picks_items(prim.op) => {
                (FrameKind::Each([base]), over[0])
            }
            Some((base, _)) => (FrameKind::Each([base]), base),
            None => (kind, over[0]),
        };
        if let Some(slot) = self.part_loop(key, &guards, parent) {
            self.fused(rewrite::Rule::Hoists, slot);
            return slot;
        }
        let (frame, shared) = self.frame(parent, kind);
        let (body, nested) = self.within(frame, |card| {
            let mut elements = card.elements(frame);
            if let Some((_, project)) = seen {
                elements = vec![card.call_prim(project, &elements)];
            }
            card.body(*function, &elements, *given)
        });
        let run = Loop { frame, body, guards, nested };
        let slot = self.graph.intern(Def::Close { prim: *prim, container, extra: *extra, run });
        if seen.is_some() {
            self.fused(rewrite::Rule::Samples, slot);
        } else if self.graph.frames.get(frame).base.is_some() {
            self.fused(rewrite::Rule::Hoists, slot);
        } else if shared {
            self.fused(rewrite::Rule::Frames, slot);
        }
        slot
    }

    /// A frame nested in `parent`, and whether another loop opened it.
    pub(super) fn frame(&mut self, parent: FrameId, kind: FrameKind) -> (FrameId, bool) {
        if !self.options.fuse {
            return (self.graph.frames.open(parent, kind), false);
        }
        match rewrite::hoists::outer(&self.graph, parent, &kind) {
            Some(outer) => self.graph.frames.share_again(parent, outer, &kind),
            None => self.graph.frames.share(parent, kind),
        }
    }

    /// The items that a frame has rows for.
    pub(super) fn elements(&mut self, frame: FrameId) -> Vec<Term> {
        let count = self.graph.frames.get(frame).kind.containers().len();
        let frame = self.graph.frames.items(frame);
        let element = |which| Def::Element { frame, which: which as u8 };
        (0..count).map(|which| Term::Slot(self.graph.intern(element(which)))).collect()
    }

    /// Expands something in the body of a frame's loop.
    pub(super) fn within<R>(&mut self, frame: FrameId, expand: impl FnOnce(&mut Card) -> R) -> R {
        let outer = std::mem::replace(&mut self.graph.here, frame);
        let expanded = expand(self);
        self.graph.here = outer;
        expanded
    }

    /// What a loop's function captures, and what is given to the functions that it makes.
    fn guards(&self, f: FnId, given: Option<FnArg>) -> Box<[SlotId]> {
        let mut guards = self.functions.get(f).captures.to_vec();
        match given {
            Some(FnArg::Slot(slot)) => guards.push(slot),
            Some(FnArg::Fn(f)) => guards.extend_from_slice(&self.functions.get(f).captures),
            None => {}
        }
        self.unsure(guards)
    }

    /// Each slot once, without constants: they are no errors, and some are functions, which an
    /// engine need not be able to hold.
    pub(super) fn unsure(&self, mut slots: Vec<SlotId>) -> Box<[SlotId]> {
        slots.retain(|slot| self.graph.constant(*slot).is_none());
        slots.sort_unstable();
        slots.dedup();
        slots.into()
    }

    /// `power`: the body runs on its own result.
    pub(super) fn repeat(&mut self, f: FnId, times: SlotId, start: &Term) -> Term {
        let start = self.value(start);
        let key = LoopKey {
            prim: Op::Power.into(),
            function: f,
            over: vec![start, times],
            extra: None,
            given: None,
        };
        let slot = self.known_loop(&key).unwrap_or_else(|| {
            let guards = self.guards(f, None);
            let parent = self.graph.join([start, times].iter().chain(guards.iter()));
            let frame = self.graph.frames.open(parent, FrameKind::Step);
            let current = self.graph.intern(Def::Element { frame, which: 0 });
            let (body, nested) =
                self.within(frame, |card| card.body(f, &[Term::Slot(current)], None));
            let run = Loop { frame, body, guards, nested };
            let slot = self.graph.intern(Def::Repeat { start, times, run });
            self.remember(key, slot);
            slot
        });
        self.ran(slot);
        Term::Slot(slot)
    }

    /// `rapply` of known functions: each result on its own, then together.
    fn each_function(&mut self, set: bool, functions: &[FnId], x: &Term) -> Term {
        self.bodies.push(Vec::new());
        let results: Vec<Term> =
            functions.iter().map(|f| self.call_fn(*f, std::slice::from_ref(x))).collect();
        let made = |term: &Term| match term {
            Term::Fn(f) => Some(*f),
            _ => None,
        };
        let made: Option<Vec<FnId>> = results.iter().map(made).collect();
        let items: Box<[SlotId]> = if made.is_some() {
            // Functions again: nothing but the count of bodies is left of the call.
            let zero = self.constant(Value::Int(0));
            results.iter().map(|_| zero).collect()
        } else {
            results.iter().map(|result| self.value(result)).collect()
        };
        let nested = self.bodies.pop().unwrap_or_default().into();
        let captured = functions.iter().flat_map(|f| self.functions.get(*f).captures.iter());
        let guards = self.unsure(captured.copied().collect());
        let slot = self.graph.intern(Def::Collect { set, items, guards, nested });
        self.ran(slot);
        match made {
            Some(items) => Term::Fns { set, items },
            None => Term::Slot(slot),
        }
    }

    /// `c_iz`, `c_zo`: what f finds on one side of the demo pairs and not on the other.
    fn only_in(&mut self, op: Op, s: &Term, f: FnId) -> Option<SlotId> {
        let s = self.value(s);
        if self.graph.slot(s).def != Def::Input(Input::S) {
            return None;
        }
        let mut side = |op: Op| -> Option<SlotId> {
            let project = self.functions.prim(op.into());
            let parts = [FnArg::Fn(f), FnArg::Fn(project)];
            let found = self.functions.made(Op::Compose, &parts, 1)?;
            Some(self.close(Op::Mapply.into(), found, FrameKind::Each([s]), None))
        };
        let (inputs, outputs) = (side(Op::First)?, side(Op::Second)?);
        let (mine, theirs) = if op == Op::CIz { (inputs, outputs) } else { (outputs, inputs) };
        let mine = self.plain_call(Op::Dedupe.into(), &[mine]);
        Some(self.plain_call(Op::DifferenceTuple.into(), &[mine, theirs]))
    }

    /// Keeps a loop for the next time it is asked for, unless its body was cut off.
    fn remember(&mut self, key: LoopKey, slot: SlotId) {
        if self.expansion.too_large() {
            return;
        }
        if let LoopKey { prim, function, over, extra: None, given: None } = &key
            && let (Op::Sfilter, [over]) = (prim.op, &over[..])
        {
            self.filtered.insert(slot, (*over, *function));
        }
        self.loops.insert(key, slot);
    }

    /// Expands a body; gives its result and the loops it runs.
    pub(super) fn body(
        &mut self,
        f: FnId,
        args: &[Term],
        given: Option<FnArg>,
    ) -> (SlotId, Box<[SlotId]>) {
        self.bodies.push(Vec::new());
        let mut result = self.call_fn(f, args);
        if let Some(given) = given {
            let given = self.part_term(given);
            result = self.call_term(&result, &[given]);
        }
        let body = self.value(&result);
        (body, self.bodies.pop().unwrap_or_default().into())
    }

    /// Notes that the body being expanded runs a loop.
    pub(super) fn ran(&mut self, slot: SlotId) {
        if let Some(body) = self.bodies.last_mut() {
            body.push(slot);
        }
    }

    pub(super) fn fused(&mut self, rule: rewrite::Rule, slot: SlotId) {
        self.fusions.push(rewrite::Fusion { rule, slot });
    }
}
