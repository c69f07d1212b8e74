//! Calls: primitives, known functions and their bodies, functions known only at run time.

use super::{Card, Term, rewrite};
use crate::fault::Fault;
use crate::graph::{Def, FnArg, FnId, FnTerm, FrameKind, Shape, SlotId, shape};
use crate::limits::MAX_POWER;
use crate::ops::{Meaning, Op, Prim, Reading, Role};
use crate::value::{Function, Value};

/// A known function of more primitives than this is left to run time: expanding it into every body
/// would cost more than it saves.
const MAX_EXPANDED: u32 = 2_048;

/// Likewise one that nests deeper than this, far below the limit on calls that the interpreter keeps.
const MAX_EXPANDED_DEPTH: u32 = 32;

impl Card {
    /// A call of anything.
    pub(super) fn call_term(&mut self, function: &Term, args: &[Term]) -> Term {
        match function {
            Term::Fn(f) => self.call_fn(*f, args),
            Term::Slot(f) => self.invoke(*f, args),
            Term::Pair(..) | Term::Fns { .. } | Term::FnsOver { .. } => {
                Term::Slot(self.fail("only functions can be called"))
            }
        }
    }

    /// A call of a primitive.
    pub(super) fn call_prim(&mut self, prim: Prim, args: &[Term]) -> Term {
        if args.len() != prim.arity() {
            return Term::Slot(self.fail("wrong number of arguments"));
        }
        if prim.is_plain() {
            return self.call_op(prim.op, args);
        }
        let args: Vec<Term> =
            args.iter().enumerate().map(|(at, arg)| self.read_as(prim.reading(at), arg)).collect();
        match prim.meaning() {
            Meaning::Plain(op) => self.call_op(op, &args),
            Meaning::Keep(key) => {
                let key = Term::Fn(self.functions.prim(key.into()));
                let condition = self.call_op(Op::Matcher, &[key, args[1].clone()]);
                self.call_op(Op::Sfilter, &[args[0].clone(), condition])
            }
        }
    }

    /// An argument as a suffixed name reads it; one that is surely of that type stays.
    fn read_as(&mut self, reading: Reading, arg: &Term) -> Term {
        let (op, shape) = match reading {
            Reading::AsIs => return arg.clone(),
            Reading::Tuple => (Op::Totuple, Shape::TUPLE),
            Reading::Set => (Op::Toset, Shape::SET),
        };
        let is_so = match arg {
            Term::Slot(slot) => self.graph.slot(*slot).shape.within(shape),
            Term::Fns { set, .. } => *set == (reading == Reading::Set),
            Term::Pair(..) => reading == Reading::Tuple,
            Term::Fn(_) | Term::FnsOver { .. } => false,
        };
        if is_so { arg.clone() } else { self.call_op(op, std::slice::from_ref(arg)) }
    }

    /// A call of a primitive of the table.
    fn call_op(&mut self, op: Op, args: &[Term]) -> Term {
        let prim = Prim::from(op);
        match (prim.op, args) {
            (Op::Identity, [x]) => return x.clone(),
            (Op::First, [Term::Pair(half, _)]) | (Op::Last, [Term::Pair(_, half)]) => {
                return Term::Slot(*half);
            }
            // The first item of what is first, which must be a tuple.
            (Op::Color, [Term::Pair(half, _)]) => {
                let rank = self.constant(Value::Int(0));
                return Term::Slot(self.plain_call(Op::GetNthT.into(), &[*half, rank]));
            }
            (Op::Branch, [condition, Term::Fn(then), Term::Fn(other)]) => {
                let (then, other) = (*then, *other);
                let condition = self.value(condition);
                if let Some(choice) = self.functions.choice(condition, then, other) {
                    return Term::Fn(choice);
                }
            }
            _ => {
                if let Some(moved) = self.move_functions(prim.op, args) {
                    return moved;
                }
            }
        }
        let known = match prim.info().role {
            Role::Makes => self.make(prim.op, args),
            Role::Runs => self.run_loop(prim, args),
            Role::Pure => None,
        };
        known.unwrap_or_else(|| {
            let args: Vec<SlotId> = args.iter().map(|a| self.value(a)).collect();
            Term::Slot(self.plain_call(prim, &args))
        })
    }

    /// A primitive on values.
    pub(super) fn plain_call(&mut self, prim: Prim, args: &[SlotId]) -> SlotId {
        if shape::ill_typed(prim, |i| self.graph.slot(args[i]).shape) {
            return self.fail("an argument is of the wrong kind");
        }
        if self.options.fuse
            && let Some(slot) = rewrite::modes::rewrite(self, prim, args)
                .or_else(|| rewrite::pairs::rewrite(self, prim, args))
        {
            return slot;
        }
        let slot = self.graph.intern(Def::Call { prim, args: args.into() });
        if prim.info().role == Role::Runs {
            self.ran(slot);
        }
        slot
    }

    /// What a combinator makes, where it can be known.
    fn make(&mut self, maker: Op, args: &[Term]) -> Option<Term> {
        let arity_of = |card: &Card, f: &Term| match f {
            Term::Fn(f) => Some(card.functions.get(*f).arity),
            _ => None,
        };
        let arity = match maker {
            Op::Rbind | Op::Lbind => match arity_of(self, &args[0])? {
                2 => 1,
                3 => 2,
                _ => 3,
            },
            Op::Matcher => {
                // A function as target would have to be compared at run time.
                let (Term::Fn(_) | Term::Slot(_), Term::Slot(_)) = (&args[0], &args[1]) else {
                    return None;
                };
                1
            }
            Op::Power => return self.make_power(args),
            _ => 1,
        };
        let parts: Vec<FnArg> = args.iter().map(|a| self.fn_arg(a)).collect();
        self.made(maker, &parts, arity)
    }

    /// `power`. A count that is known to be out of range is left to run time.
    fn make_power(&mut self, args: &[Term]) -> Option<Term> {
        let (Term::Fn(f), Term::Slot(n)) = (&args[0], &args[1]) else { return None };
        let (f, n) = (*f, *n);
        let known = self.graph.constant(n).map(Value::as_int);
        let unary = self.functions.get(f).arity == 1;
        match known {
            Some(Some(1)) => Some(Term::Fn(f)),
            Some(Some(2..=MAX_POWER)) if unary => {
                self.made(Op::Power, &[FnArg::Fn(f), FnArg::Slot(n)], 1)
            }
            None if unary => {
                let check = self.check_count(n);
                self.made(Op::Power, &[FnArg::Fn(f), FnArg::Slot(n), FnArg::Slot(check)], 1)
            }
            _ => None,
        }
    }

    /// A slot that is an error where `power` cannot be made with a count: then the function is
    /// an error even if it is never called.
    fn check_count(&mut self, n: SlotId) -> SlotId {
        let same = self.functions.prim(Op::Identity.into());
        let zero = self.constant(Value::Int(0));
        let run = self.repeat(same, n, &Term::Slot(zero));
        self.value(&run)
    }

    pub(super) fn made(&mut self, maker: Op, parts: &[FnArg], arity: usize) -> Option<Term> {
        let f = self.functions.made(maker, parts, arity)?;
        let info = self.functions.get(f);
        (info.weight <= MAX_EXPANDED && info.depth <= MAX_EXPANDED_DEPTH).then_some(Term::Fn(f))
    }

    pub(super) fn fn_arg(&mut self, term: &Term) -> FnArg {
        match term {
            Term::Fn(f) => FnArg::Fn(*f),
            other => FnArg::Slot(self.value(other)),
        }
    }

    /// A call of a known function: its body, expanded.
    pub(super) fn call_fn(&mut self, f: FnId, args: &[Term]) -> Term {
        if !self.expansion.enter() {
            return Term::Slot(self.fail("too large to expand"));
        }
        let term = self.expand_fn(f, args);
        self.expansion.depth -= 1;
        term
    }

    fn expand_fn(&mut self, f: FnId, args: &[Term]) -> Term {
        let info = self.functions.get(f);
        if info.arity != args.len() {
            return Term::Slot(self.fail("wrong number of arguments"));
        }
        match info.term.clone() {
            FnTerm::Prim(prim) => self.call_prim(prim, args),
            FnTerm::Choice { condition, then, other } => {
                let guards = self.unsure(info.captures.to_vec());
                let a = self.call_fn(then, args);
                let b = self.call_fn(other, args);
                self.select(condition, &a, &b, guards)
            }
            FnTerm::Made { maker, args: parts } => self.call_made(maker, &parts, args),
        }
    }

    fn call_made(&mut self, maker: Op, parts: &[FnArg], args: &[Term]) -> Term {
        match (maker, parts) {
            (Op::Compose, [outer, inner]) => {
                let x = self.call_part(*inner, args);
                self.call_part(*outer, &[x])
            }
            (Op::Chain, [h, g, f]) => {
                let x = self.call_part(*f, args);
                let x = self.call_part(*g, &[x]);
                self.call_part(*h, &[x])
            }
            (Op::Fork, [outer, a, b]) => {
                let x = self.call_part(*a, args);
                let y = self.call_part(*b, args);
                self.call_part(*outer, &[x, y])
            }
            (Op::Matcher, [f, target]) => {
                let x = self.call_part(*f, args);
                let target = self.part_term(*target);
                self.call_prim(Op::Equality.into(), &[x, target])
            }
            (Op::Rbind, [f, fixed]) => {
                let fixed = self.part_term(*fixed);
                self.call_part(*f, &[args, &[fixed]].concat())
            }
            (Op::Lbind, [f, fixed]) => {
                let fixed = self.part_term(*fixed);
                self.call_part(*f, &[&[fixed], args].concat())
            }
            (Op::Power, [FnArg::Fn(f), FnArg::Slot(n), ..]) => {
                rewrite::powers::rewrite(self, *f, *n, &args[0])
                    .unwrap_or_else(|| self.repeat(*f, *n, &args[0]))
            }
            _ => Term::Slot(self.fail("not a function")),
        }
    }

    fn call_part(&mut self, part: FnArg, args: &[Term]) -> Term {
        let part = self.part_term(part);
        self.call_term(&part, args)
    }

    /// What a function was built from, as a term.
    pub(super) fn part_term(&mut self, part: FnArg) -> Term {
        match part {
            FnArg::Slot(slot) => self.known(slot),
            FnArg::Fn(f) => Term::Fn(f),
        }
    }

    /// What the chosen one of two functions gave.
    fn select(&mut self, condition: SlotId, a: &Term, b: &Term, guards: Box<[SlotId]>) -> Term {
        if let (Term::Fn(then), Term::Fn(other)) = (a, b)
            && let Some(choice) = self.functions.choice(condition, *then, *other)
        {
            return Term::Fn(choice);
        }
        let (then, other) = (self.value(a), self.value(b));
        Term::Slot(self.graph.intern(Def::Select { condition, then, other, guards }))
    }

    /// A call of a function that is only known at run time.
    fn invoke(&mut self, function: SlotId, args: &[Term]) -> Term {
        if self.graph.slot(function).shape.misses(Shape::FUNCTION) {
            return Term::Slot(self.fail("only functions can be called"));
        }
        let args = args.iter().map(|a| self.value(a)).collect();
        let slot = self.graph.intern(Def::Invoke { function, args });
        self.ran(slot);
        Term::Slot(slot)
    }

    /// A term as a value: known functions are made at run time after all. Where the value is called
    /// then, they are still known.
    pub(super) fn value(&mut self, term: &Term) -> SlotId {
        let slot = self.value_of(term);
        if let Term::Fn(_) | Term::Fns { .. } = term {
            self.made.entry(slot).or_insert_with(|| term.clone());
        }
        slot
    }

    fn value_of(&mut self, term: &Term) -> SlotId {
        match term {
            Term::Slot(slot) => *slot,
            Term::Fn(f) => self.function_value(*f),
            Term::Pair(a, b) => self.plain_call(Op::Astuple.into(), &[*a, *b]),
            Term::FnsOver { container, function, .. } => {
                self.close(Op::Apply.into(), *function, FrameKind::Each([*container]), None)
            }
            Term::Fns { set, items } => {
                if let Some(value) = self.constant_of(term) {
                    return self.constant(value);
                }
                let items: Box<[SlotId]> = items.iter().map(|f| self.function_value(*f)).collect();
                self.graph.intern(Def::Collect {
                    set: *set,
                    items,
                    guards: [].into(),
                    nested: [].into(),
                })
            }
        }
    }

    fn function_value(&mut self, f: FnId) -> SlotId {
        match self.functions.get(f).term.clone() {
            FnTerm::Prim(prim) => self.constant(Value::function(Function::Prim(prim))),
            FnTerm::Choice { condition, then, other } => {
                let args = [condition, self.function_value(then), self.function_value(other)];
                self.graph.intern(Def::Call { prim: Op::Branch.into(), args: args.into() })
            }
            FnTerm::Made { maker, args } => {
                let part = |card: &mut Card, arg: &FnArg| match arg {
                    FnArg::Slot(slot) => *slot,
                    FnArg::Fn(f) => card.function_value(*f),
                };
                // A `power` also keeps the check of its count.
                let args = args.iter().take(maker.arity()).map(|a| part(self, a)).collect();
                self.graph.intern(Def::Call { prim: maker.into(), args })
            }
        }
    }

    /// An error found while compiling.
    pub(super) fn fail(&mut self, what: &'static str) -> SlotId {
        self.graph.intern(Def::Fail(Fault::wrong_kind(what).into()))
    }
}
