//! The kind of an expression. Functions have no kind of their own here: what they give is found by
//! giving them kinds, as running them gives values.

use batt_lang::ops::Role;
use batt_lang::ops::typing::{Letters, fits, result};
use batt_lang::{Input, Kind, Op, Prim, Value};

use super::{Gene, Head, KindId, Node, Pool};

/// What a function is given: a kind and, where it is a function itself, which one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Given {
    kind: KindId,
    function: Option<Gene>,
}

impl Given {
    /// A value of a kind.
    pub fn kind(kind: KindId) -> Given {
        Given { kind, function: None }
    }
}

impl Pool {
    /// The kind of an expression whose arguments are there; `None` if they do not fit.
    pub(super) fn kind_of(&mut self, node: &Node) -> Option<KindId> {
        match node.head {
            Head::Input(Input::S) => Some(KindId::PAIRS),
            Head::Input(Input::I | Input::C) => Some(KindId::GRID),
            Head::Const(id) => {
                let kind = of_value(id.value());
                Some(self.table.id(&kind))
            }
            Head::Literal(at) => {
                let kind = of_value(self.literal(at));
                Some(self.table.id(&kind))
            }
            Head::Prim(_) => Some(KindId::FUNCTION),
            Head::Call(prim) => {
                let mut args = [Given::kind(KindId::ANY); 4];
                for (to, arg) in args.iter_mut().zip(node.args()) {
                    *to = self.given(arg);
                }
                self.call(prim, &args[..node.len().min(4)])
            }
            Head::Invoke => {
                let args: Vec<Given> = node.args().skip(1).map(|arg| self.given(arg)).collect();
                self.apply(self.given(node.arg(0)?), &args)
            }
        }
    }

    /// An expression as an argument.
    fn given(&self, gene: Gene) -> Given {
        let kind = self.kind(gene);
        Given { kind, function: (kind == KindId::FUNCTION).then_some(gene) }
    }

    /// What a primitive gives.
    fn call(&mut self, prim: Prim, args: &[Given]) -> Option<KindId> {
        let info = prim.info();
        if args.len() != info.params.len() {
            return None;
        }
        let functions = args.iter().any(|arg| arg.kind == KindId::FUNCTION);
        match info.role {
            Role::Makes => {
                let fit = info.params.iter().zip(args).all(|(param, arg)| {
                    let wanted = matches!(param.kind, Kind::Fn(..));
                    arg.kind == KindId::ANY
                        || wanted == (arg.kind == KindId::FUNCTION)
                        || matches!(param.kind, Kind::Var(_))
                });
                fit.then_some(KindId::FUNCTION)
            }
            Role::Pure if !functions => {
                let mut kinds = [KindId::ANY; 4];
                for (to, arg) in kinds.iter_mut().zip(args) {
                    *to = arg.kind;
                }
                self.table.call(prim, &kinds[..args.len()])
            }
            _ => self.call_with_functions(prim, args),
        }
    }

    fn call_with_functions(&mut self, prim: Prim, args: &[Given]) -> Option<KindId> {
        let info = prim.info();
        let mut letters = Letters::default();
        let kinds: Vec<Kind> = args.iter().map(|arg| self.table.get(arg.kind).clone()).collect();
        // What functions are given is known once everything else is.
        for (param, kind) in info.params.iter().zip(&kinds) {
            let is_function = matches!(param.kind, Kind::Fn(..));
            if !is_function && !fits(&param.kind, kind, &mut letters) {
                return None;
            }
        }
        for (param, arg) in info.params.iter().zip(args) {
            let Kind::Fn(takes, gives) = &param.kind else { continue };
            if arg.kind == KindId::ANY {
                continue;
            }
            let takes: Vec<Given> =
                takes.iter().map(|k| Given::kind(self.table.id(&letters.fill(k)))).collect();
            let found = self.apply(*arg, &takes)?;
            let found = self.table.get(found).clone();
            if !fits(gives, &found, &mut letters) {
                return None;
            }
        }
        Some(self.table.id(&result(prim.op, &kinds, &letters)))
    }

    /// What a function gives for arguments; `None` if they do not fit.
    pub fn apply(&mut self, function: Given, args: &[Given]) -> Option<KindId> {
        let Some(gene) = function.function else {
            let unknown = [KindId::ANY, KindId::FUNCTION].contains(&function.kind);
            return unknown.then_some(KindId::ANY);
        };
        if args.len() > 4 {
            return None;
        }
        let mut key = [Given::kind(KindId::ANY); 4];
        key[..args.len()].copy_from_slice(args);
        if let Some(known) = self.applied.get(&(gene, key)) {
            return *known;
        }
        let found = self.uncached_apply(gene, args);
        self.applied.insert((gene, key), found);
        found
    }

    fn uncached_apply(&mut self, gene: Gene, args: &[Given]) -> Option<KindId> {
        let node = self.node(gene);
        let prim = match node.head {
            Head::Prim(prim) => return self.call(prim, args),
            Head::Call(prim) => prim,
            _ => return Some(KindId::ANY),
        };
        let parts: Vec<Given> = node.args().map(|arg| self.given(arg)).collect();
        match (prim.op, &parts[..]) {
            (Op::Compose, [outer, inner]) => {
                let x = self.apply(*inner, args)?;
                self.apply(*outer, &[Given::kind(x)])
            }
            (Op::Chain, [h, g, f]) => {
                let x = self.apply(*f, args)?;
                let x = self.apply(*g, &[Given::kind(x)])?;
                self.apply(*h, &[Given::kind(x)])
            }
            (Op::Fork, [outer, a, b]) => {
                let x = self.apply(*a, args)?;
                let y = self.apply(*b, args)?;
                self.apply(*outer, &[Given::kind(x), Given::kind(y)])
            }
            (Op::Matcher, [f, _]) => {
                self.apply(*f, args)?;
                Some(KindId::BOOL)
            }
            (Op::Rbind, [f, fixed]) => self.apply(*f, &[args, &[*fixed]].concat()),
            (Op::Lbind, [f, fixed]) => self.apply(*f, &[&[*fixed], args].concat()),
            (Op::Power, [f, _]) => {
                let x = self.apply(*f, args)?;
                let same = args.first().is_some_and(|arg| arg.kind == x || x == KindId::ANY);
                same.then_some(x)
            }
            (Op::Branch, [_, then, other]) => {
                let (x, y) = (self.apply(*then, args)?, self.apply(*other, args)?);
                Some(if x == y { x } else { KindId::ANY })
            }
            _ => Some(KindId::ANY),
        }
    }
}

/// The kind of a constant.
fn of_value(value: &Value) -> Kind {
    match value {
        Value::Bool(_) => Kind::Bool,
        Value::Int(_) => Kind::Int,
        Value::Pair(..) => Kind::IJ,
        Value::Cell(..) => Kind::Cell,
        _ => Kind::Any,
    }
}
