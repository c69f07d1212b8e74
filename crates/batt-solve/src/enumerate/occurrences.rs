//! Occurrences of operations in programs: an operation's expression with anything of the right sort for its
//! arguments.

use batt_lang::Value;
use batt_lang::ops::{Kind, typing};
use batt_lang::program::{Body, Callee, Expr, Input, NodeId, Program};

use super::formula::{Formula, HOLES};

/// A program, and the kind of each of its nodes.
#[derive(Debug)]
pub struct Occurrences<'a> {
    body: &'a Body,
    needed: Vec<bool>,
    kinds: Vec<Kind>,
}

impl<'a> Occurrences<'a> {
    /// Reads a program.
    pub fn new(program: &'a Program) -> Occurrences<'a> {
        let body = &program.body;
        let (kinds, _) = kinds(body);
        Occurrences { body, needed: body.needed(&[program.output]), kinds }
    }

    /// Whether the output needs an expression that is this operation of something.
    pub fn has(&self, formula: &Formula) -> bool {
        let nodes = (0..self.body.nodes.len() as u32).map(NodeId);
        nodes.filter(|node| self.needed[node.index()]).any(|node| {
            let mut held = [None; 3];
            self.is(formula, formula.root, node, &mut held)
        })
    }

    /// Whether a node is an operation's part, and what is held for its arguments then.
    fn is(
        &self,
        formula: &Formula,
        part: NodeId,
        node: NodeId,
        held: &mut [Option<NodeId>; 3],
    ) -> bool {
        match (&formula.body.nodes[part.index()].expr, &self.body.nodes[node.index()].expr) {
            (Expr::Input(input), _) => {
                let Some(at) = HOLES.iter().position(|hole| hole == input) else { return false };
                let wanted = formula.params[at].kind();
                if let Some(other) = held[at] {
                    return self.same(other, node);
                }
                held[at] = Some(node);
                let kind = &self.kinds[node.index()];
                *kind == Kind::Any || *kind == wanted
            }
            (
                Expr::Call { callee: Callee::Prim(a), args: parts },
                Expr::Call { callee: Callee::Prim(b), args },
            ) => {
                a.op == b.op
                    && parts.len() == args.len()
                    && parts.iter().zip(args).all(|(part, arg)| self.is(formula, *part, *arg, held))
            }
            (Expr::Prim(a), Expr::Prim(b)) => a.op == b.op,
            (a, b) => value(a).is_some_and(|a| Some(a) == value(b)),
        }
    }

    /// Whether two nodes are the same expression, which a text may have written twice.
    fn same(&self, a: NodeId, b: NodeId) -> bool {
        if a == b {
            return true;
        }
        let (a, b) = (&self.body.nodes[a.index()].expr, &self.body.nodes[b.index()].expr);
        match (a, b) {
            (
                Expr::Call { callee: Callee::Prim(f), args },
                Expr::Call { callee: Callee::Prim(g), args: others },
            ) => {
                f.op == g.op
                    && args.len() == others.len()
                    && args.iter().zip(others).all(|(a, b)| self.same(*a, *b))
            }
            (Expr::Input(a), Expr::Input(b)) => a == b,
            (Expr::Prim(a), Expr::Prim(b)) => a.op == b.op,
            (a, b) => value(a).is_some_and(|a| Some(a) == value(b)),
        }
    }
}

/// The value of a constant.
fn value(expr: &Expr) -> Option<&Value> {
    match expr {
        Expr::Const(id) => Some(id.value()),
        Expr::Literal(value) => Some(value),
        _ => None,
    }
}

/// The kind of every node, `Any` where it cannot be told, and the first argument that does not fit its primitive.
pub fn kinds(body: &Body) -> (Vec<Kind>, Option<String>) {
    let mut kinds: Vec<Kind> = Vec::with_capacity(body.nodes.len());
    let rows_of_ints = Kind::Tup(Box::new(Kind::Tup(Box::new(Kind::Int))));
    let mut misfit = None;
    for node in &body.nodes {
        let kind = match &node.expr {
            Expr::Input(Input::I | Input::C) => Kind::Grid,
            Expr::Call { callee: Callee::Prim(prim), args } => {
                let given: Vec<Kind> = args.iter().map(|arg| kinds[arg.index()].clone()).collect();
                let (info, mut letters) = (prim.op.info(), typing::Letters::default());
                for (param, kind) in info.params.iter().zip(&given) {
                    if !typing::fits(&param.kind, kind, &mut letters) && misfit.is_none() {
                        let what = format!("{} takes no {kind} as its {}", info.name, param.name);
                        misfit = Some(format!("line {}: {what}", node.line));
                    }
                }
                match typing::result(prim.op, &given, &letters) {
                    part if !is_known(&part) => Kind::Any,
                    // Rows of ints are a grid, whatever made them.
                    rows if rows == rows_of_ints => Kind::Grid,
                    kind => kind,
                }
            }
            other => match value(other) {
                Some(Value::Int(_)) => Kind::Int,
                Some(Value::Pair(..)) => Kind::IJ,
                _ => Kind::Any,
            },
        };
        kinds.push(kind);
    }
    (kinds, misfit)
}

/// Whether nothing in a kind is left open; what a function takes depends on what it is given to.
fn is_known(kind: &Kind) -> bool {
    match kind {
        Kind::Tup(item) | Kind::Set(item) | Kind::Cont(item) => is_known(item),
        Kind::Fn(..) | Kind::Any | Kind::Var(_) => false,
        _ => true,
    }
}
