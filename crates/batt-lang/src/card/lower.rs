//! Lowering: a program's nodes become terms, arguments first.

use super::{Card, Expansion, Policy, Term};
use crate::graph::{Def, FnId, SlotId};
use crate::program::{Body, Callee, Expr, Input, NodeId};
use crate::value::{Function, Value};

impl Card {
    /// Lowers what `roots` need. `compared` stands in for I where a differ scores a program's
    /// output. Gives the roots' slots, and the source line of every slot.
    pub(super) fn lower(
        &mut self,
        body: &Body,
        roots: &[NodeId],
        compared: Option<SlotId>,
    ) -> (Vec<SlotId>, Vec<(SlotId, u32)>) {
        let needed = body.needed(roots);
        let mut terms: Vec<Option<Term>> = vec![None; body.nodes.len()];
        let mut lines = Vec::new();
        for (at, node) in body.nodes.iter().enumerate().filter(|(at, _)| needed[*at]) {
            let term = self.lower_node(&node.expr, &terms, compared);
            if let Term::Slot(slot) = term {
                lines.push((slot, node.line));
            }
            terms[at] = Some(term);
        }
        let slots = roots.iter().map(|root| {
            let term = self.term_at(&terms, *root);
            self.value(&term)
        });
        let slots = slots.collect();
        lines.sort_unstable();
        lines.dedup_by_key(|(slot, _)| *slot);
        (slots, lines)
    }

    fn lower_node(
        &mut self,
        expr: &Expr,
        terms: &[Option<Term>],
        compared: Option<SlotId>,
    ) -> Term {
        match expr {
            Expr::Input(input) => Term::Slot(match (input, compared) {
                (Input::I, Some(slot)) => slot,
                _ => self.graph.intern(Def::Input(*input)),
            }),
            Expr::Const(id) => Term::Slot(self.constant(id.value().clone())),
            Expr::Literal(value) => Term::Slot(self.constant(value.clone())),
            Expr::Prim(prim) => Term::Fn(self.functions.prim(*prim)),
            Expr::Call { callee, args } => {
                let args: Vec<Term> = args.iter().map(|a| self.term_at(terms, *a)).collect();
                let (called, default) = match callee {
                    Callee::Prim(prim) => {
                        let default = prim.default_value();
                        (self.expand(|card| card.call_prim(*prim, &args)), default)
                    }
                    Callee::Node(f) => {
                        let f = self.term_at(terms, *f);
                        (self.expand(|card| card.call_term(&f, &args)), Value::empty_tuple())
                    }
                };
                let called = called.unwrap_or_else(|| self.left_to_run_time(*callee, terms, &args));
                self.written(called, default)
            }
        }
    }

    /// Expands one written call, unless that would not end or grow too large.
    fn expand(&mut self, call: impl FnOnce(&mut Card) -> Term) -> Option<Term> {
        self.expansion = Expansion::default();
        let term = call(self);
        (!self.expansion.too_large()).then_some(term)
    }

    /// A written call whose functions are made and run at run time.
    fn left_to_run_time(&mut self, callee: Callee, terms: &[Option<Term>], args: &[Term]) -> Term {
        self.expansion = Expansion::default();
        let args: Vec<SlotId> = args.iter().map(|a| self.value(a)).collect();
        let def = match callee {
            Callee::Prim(prim) if prim.is_plain() => Def::Call { prim, args: args.into() },
            Callee::Prim(prim) => {
                let function = self.constant(Value::function(Function::Prim(prim)));
                Def::Invoke { function, args: args.into() }
            }
            Callee::Node(f) => {
                let f = self.term_at(terms, f);
                Def::Invoke { function: self.value(&f), args: args.into() }
            }
        };
        Term::Slot(self.graph.intern(def))
    }

    /// The term of a node that comes earlier. A body in which one comes later is not a program;
    /// its result is an error.
    fn term_at(&mut self, terms: &[Option<Term>], id: NodeId) -> Term {
        match terms.get(id.index()) {
            Some(Some(Term::Slot(slot))) => self.known(*slot),
            Some(Some(term)) => term.clone(),
            _ => Term::Slot(self.fail("a value is used before it is there")),
        }
    }

    /// A call that is written in the program: under the safe policy its errors end here.
    fn written(&mut self, term: Term, default: Value) -> Term {
        if self.options.policy == Policy::Strict || self.is_sure(&term) {
            return term;
        }
        let value = self.value(&term);
        Term::Slot(self.graph.intern(Def::OrElse { value, default }))
    }

    /// Whether a term is surely no error: a known function is one where something that it captures
    /// is, called or not.
    fn is_sure(&self, term: &Term) -> bool {
        let sure = |f: &FnId| self.functions.get(*f).captures.iter().all(|c| !self.can_fail(*c));
        match term {
            Term::Slot(slot) => !self.can_fail(*slot),
            Term::Fn(f) => sure(f),
            Term::Pair(..) => false,
            Term::Fns { items, .. } => items.iter().all(sure),
            Term::FnsOver { sure, .. } => *sure,
        }
    }

    pub(super) fn can_fail(&self, slot: SlotId) -> bool {
        !matches!(
            self.graph.slot(slot).def,
            Def::Value(_) | Def::Input(_) | Def::Element { .. } | Def::OrElse { .. }
        )
    }

    /// A constant's slot; equal constants share one.
    pub(super) fn constant(&mut self, value: Value) -> SlotId {
        self.graph.intern(Def::Value(value))
    }
}
