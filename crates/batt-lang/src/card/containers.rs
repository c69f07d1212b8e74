//! Containers of functions: lists that are known item by item, and `apply` of a function that gives
//! functions. Running them needs no function at run time.
//!
//! Laws, for h that gives functions:
//! - `apply(k, apply(h, T))` is `apply(compose(k, h), T)`, and likewise `mapply`
//! - `rapply(apply(h, T), x)` is a loop over T with the body `h(e)(x)`
//!
//! Where T is a set, equal functions are one item of `apply(h, T)`; the results are a set too, so
//! running one of them twice changes nothing.

use super::{Card, Term};
use crate::graph::{Def, FnArg, FnId, FnTerm, FrameKind, Shape, SlotId};
use crate::ops::{Op, Prim, Role};
use crate::value::{Function, Value};

/// A constant container with more items than this is not taken apart while compiling.
const MAX_ITEMS: usize = 64;

impl Card {
    /// A slot that is known to be a function, or a container of nothing but functions, as what it is.
    pub(super) fn known(&mut self, slot: SlotId) -> Term {
        if let Some(term) = self.made.get(&slot) {
            return term.clone();
        }
        let known = self.graph.constant(slot).cloned().and_then(|value| self.known_value(&value));
        known.unwrap_or(Term::Slot(slot))
    }

    fn known_value(&mut self, value: &Value) -> Option<Term> {
        match value {
            Value::Function(f) => self.known_function(f).map(Term::Fn),
            Value::Tuple(items) | Value::Set(items) if !items.is_empty() => {
                let items = items.iter().map(|item| match item {
                    Value::Function(f) => self.known_function(f),
                    _ => None,
                });
                Some(Term::Fns { set: value.is_set(), items: items.collect::<Option<_>>()? })
            }
            _ => None,
        }
    }

    fn known_function(&mut self, function: &Function) -> Option<FnId> {
        match function {
            Function::Prim(prim) => Some(self.functions.prim(*prim)),
            Function::Made { maker, args, arity, .. } => {
                let parts = args.iter().map(|arg| match arg {
                    Value::Function(f) => self.known_function(f).map(FnArg::Fn),
                    value => Some(FnArg::Slot(self.constant(value.clone()))),
                });
                let parts: Vec<FnArg> = parts.collect::<Option<_>>()?;
                self.functions.made(*maker, &parts, *arity)
            }
            Function::Nothing => None,
        }
    }

    /// The value of a term, where it is a constant.
    pub(super) fn constant_of(&self, term: &Term) -> Option<Value> {
        match term {
            Term::Slot(slot) => self.graph.constant(*slot).cloned(),
            Term::Fn(f) => self.constant_function(*f),
            Term::Fns { set, items } => {
                let items = items.iter().map(|f| self.constant_function(*f));
                Some(container(*set, items.collect::<Option<_>>()?))
            }
            Term::Pair(..) | Term::FnsOver { .. } => None,
        }
    }

    fn constant_function(&self, f: FnId) -> Option<Value> {
        let info = self.functions.get(f);
        let function = match &info.term {
            FnTerm::Prim(prim) => Function::Prim(*prim),
            FnTerm::Made { maker, args } => {
                let args = args.iter().take(maker.arity()).map(|arg| match arg {
                    FnArg::Slot(slot) => self.graph.constant(*slot).cloned(),
                    FnArg::Fn(f) => self.constant_function(*f),
                });
                Function::made(*maker, args.collect::<Option<_>>()?, info.arity)
            }
            FnTerm::Choice { .. } => return None,
        };
        Some(Value::function(function))
    }

    /// A primitive that moves known functions about, where nothing is left to run time.
    pub(super) fn move_functions(&mut self, op: Op, args: &[Term]) -> Option<Term> {
        match (op, args) {
            (Op::Astuple, [Term::Fn(a), Term::Fn(b)]) => {
                return Some(Term::Fns { set: false, items: vec![*a, *b] });
            }
            (Op::Initset, [Term::Fn(f)]) => return Some(Term::Fns { set: true, items: vec![*f] }),
            (Op::Insert, [Term::Fn(f), Term::Fns { set: true, items }]) => {
                let items = items.iter().copied().chain([*f]).collect();
                return Some(Term::Fns { set: true, items });
            }
            (Op::Combine, [Term::Fns { set, items: a }, Term::Fns { set: other, items: b }])
                if set == other || *set =>
            {
                let items = a.iter().chain(b).copied().collect();
                return Some(Term::Fns { set: *set, items });
            }
            (Op::First | Op::Last, [Term::Fns { items, .. }]) if items.len() == 1 => {
                return Some(Term::Fn(items[0]));
            }
            (Op::Totuple, [Term::Fns { set, items }]) if !set || items.len() == 1 => {
                return Some(Term::Fns { set: false, items: items.clone() });
            }
            (
                Op::Combine | Op::Product | Op::Pair | Op::Totuple | Op::First | Op::Last,
                [Term::Fns { .. } | Term::Slot(_), ..],
            ) => {}
            _ => return None,
        }
        let args: Vec<Value> = args.iter().map(|a| self.constant_of(a)).collect::<Option<_>>()?;
        if args.iter().all(|a| a.weight() == 0) {
            return None;
        }
        let moved = moved(op, &args)?;
        let slot = self.constant(moved);
        Some(self.known(slot))
    }

    /// `apply(f, over)`, where f gives a function for every item.
    pub(super) fn functions_over(&mut self, f: FnId, over: &Term) -> Option<Term> {
        if !self.gives_functions(f) {
            return None;
        }
        let (container, f) = self.through(f, over)?;
        let shape = self.graph.slot(container).shape;
        if shape.misses(Shape::CONTAINER) {
            return None;
        }
        let outer = self.functions.get(f).captures.clone();
        let (made, ran) = self.made_for_an_item(f, container, &outer)?;
        let inner = &self.functions.get(made).captures;
        let sure = !ran
            && shape.within(Shape::CONTAINER)
            && outer.iter().chain(inner).chain([&container]).all(|slot| !self.can_fail(*slot));
        let over = Term::FnsOver { container, function: f, sure };
        Some(self.taken_apart(container, f).unwrap_or(over))
    }

    /// The container and the function of `apply(f, over)`, seen through an `apply` that gives
    /// functions. Inside a body its bodies have to be counted, so there it is left alone.
    pub(super) fn through(&mut self, f: FnId, over: &Term) -> Option<(SlotId, FnId)> {
        match over {
            Term::FnsOver { container, function, .. } if self.bodies.is_empty() => {
                match self.made(Op::Compose, &[FnArg::Fn(f), FnArg::Fn(*function)], 1)? {
                    Term::Fn(f) => Some((*container, f)),
                    _ => None,
                }
            }
            other => Some((self.value(other), f)),
        }
    }

    /// What f makes of an item of a container, and whether it runs loops for that.
    fn made_for_an_item(
        &mut self,
        f: FnId,
        container: SlotId,
        captures: &[SlotId],
    ) -> Option<(FnId, bool)> {
        let parent = self.graph.join(captures.iter().chain([&container]));
        let (frame, _) = self.frame(parent, FrameKind::Each([container]));
        let element = self.elements(frame);
        self.bodies.push(Vec::new());
        let made = self.within(frame, |card| card.call_fn(f, &element));
        let ran = self.bodies.pop().is_some_and(|ran| !ran.is_empty());
        match made {
            Term::Fn(made) if !self.expansion.too_large() => Some((made, ran)),
            _ => None,
        }
    }

    /// `apply(f, container)` over a constant, item by item. Not inside a body, whose count of bodies
    /// would lack those of the `apply`.
    fn taken_apart(&mut self, container: SlotId, f: FnId) -> Option<Term> {
        if !self.bodies.is_empty() {
            return None;
        }
        let over = self.constant_container(container)?;
        let items = over.elements_of().filter(|items| (1..=MAX_ITEMS).contains(&items.len()))?;
        let mut made = Vec::with_capacity(items.len());
        for item in items.iter() {
            let slot = self.constant(item.clone());
            let item = self.known(slot);
            let Term::Fn(function) = self.call_fn(f, &[item]) else { return None };
            made.push(self.constant_function(function)?);
        }
        self.known_value(&container_like(&over, made))
    }

    /// A constant container; an interval between constants is one too.
    fn constant_container(&self, slot: SlotId) -> Option<Value> {
        let def = match &self.graph.slot(slot).def {
            Def::OrElse { value, .. } => &self.graph.slot(*value).def,
            def => def,
        };
        match def {
            Def::Value(value) => Some(value.clone()),
            Def::Call { prim: Prim { op: Op::Interval, .. }, args } => {
                let int = |at: usize| self.graph.constant(args[at])?.as_int();
                let (start, stop, step) = (int(0)?, int(1)?, int(2)?);
                let ints = std::iter::successors(Some(start), |n| n.checked_add(step))
                    .take_while(|n| *n < stop);
                let ints: Vec<Value> = ints.take(MAX_ITEMS + 1).map(Value::Int).collect();
                (step > 0).then(|| Value::tuple(ints))
            }
            _ => None,
        }
    }

    /// Whether what a function gives may be a function.
    fn gives_functions(&self, f: FnId) -> bool {
        let part = |arg: &FnArg| matches!(arg, FnArg::Fn(f) if self.gives_functions(*f));
        match &self.functions.get(f).term {
            FnTerm::Prim(prim) => prim.info().role == Role::Makes,
            FnTerm::Made { maker: Op::Matcher, .. } => false,
            FnTerm::Made { args, .. } => args.first().is_some_and(part),
            FnTerm::Choice { then, other, .. } => {
                self.gives_functions(*then) && self.gives_functions(*other)
            }
        }
    }
}

fn container(set: bool, items: Vec<Value>) -> Value {
    if set { Value::set(items) } else { Value::tuple(items) }
}

fn container_like(model: &Value, items: Vec<Value>) -> Value {
    container(model.is_set(), items)
}

/// What a primitive makes of constants, where they are containers and few.
fn moved(op: Op, args: &[Value]) -> Option<Value> {
    let items: Vec<Vec<Value>> =
        args.iter().map(|a| a.elements_of().map(|i| i.to_vec())).collect::<Option<_>>()?;
    if items.iter().any(|items| items.len() > MAX_ITEMS) {
        return None;
    }
    let pair = |a: &Value, b: &Value| Value::tuple(vec![a.clone(), b.clone()]);
    match (op, items.as_slice()) {
        (Op::Combine, [a, b]) => Some(container_like(&args[0], [&a[..], &b[..]].concat())),
        (Op::Product, [a, b]) if a.len() * b.len() <= MAX_ITEMS => {
            let pairs = a.iter().flat_map(|i| b.iter().map(|j| pair(i, j)));
            Some(Value::set(pairs.collect()))
        }
        (Op::Pair, [a, b]) => {
            Some(Value::tuple(a.iter().zip(b).map(|(i, j)| pair(i, j)).collect()))
        }
        (Op::Totuple, [a]) => Some(Value::tuple(a.clone())),
        (Op::First, [a]) => a.first().cloned(),
        (Op::Last, [a]) => a.last().cloned(),
        _ => None,
    }
}
