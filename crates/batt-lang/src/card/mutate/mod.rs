//! Mutation: changes lines of a program within their kinds.
//!
//! A change is one of: a constant for another of the kind that its name carries, a primitive for
//! another of the same signature (called or as a value), a variable for another of a compatible
//! kind. What is chosen always differs from what was there, so a line that is picked does change.

mod kinds;

pub use kinds::{alike, of_node as kind_of};

use super::dice::Dice;
use crate::constants::{self, ConstId, ConstKind};
use crate::ops::{Kind, Prim};
use crate::program::{Body, Callee, Expr, Input, Node, NodeId, Program};
use crate::value::Value;

/// How many lines there were and how many changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Lines that the output needs.
    pub lines: usize,
    /// Lines that were changed.
    pub changed: usize,
}

/// One place that can change.
#[derive(Clone, Copy, Debug)]
enum Site {
    /// The primitive that a call calls.
    Callee(NodeId),
    /// An argument that is a constant or a literal.
    Constant(NodeId, usize),
    /// An argument that is a primitive.
    Function(NodeId, usize),
    /// An argument that another line or an input gives.
    Variable(NodeId, usize),
}

/// What a call's argument or callee becomes.
enum Change {
    Callee(Prim),
    New(usize, Expr),
    Other(usize, NodeId),
}

/// A program in which each line that the output needs was changed with a probability of `rate`.
pub fn mutate(program: &Program, rate: f64, dice: &mut Dice) -> (Program, Changes) {
    let body = &program.body;
    let needed = body.needed(&[program.output]);
    let mut count = Changes::default();
    let mut changes: Vec<Option<Change>> = body.nodes.iter().map(|_| None).collect();
    for line in lines(body, &needed) {
        count.lines += 1;
        if dice.happens(rate)
            && let Some((at, change)) = change_line(body, &needed, &line, dice)
        {
            count.changed += 1;
            changes[at.index()] = Some(change);
        }
    }
    (rebuild(program, changes), count)
}

/// The calls of each line: up to a variable's node, those that follow the one before it.
fn lines(body: &Body, needed: &[bool]) -> Vec<Vec<NodeId>> {
    let mut ends: Vec<NodeId> = body.bindings.iter().map(|b| b.node).collect();
    ends.push(NodeId(body.nodes.len().saturating_sub(1) as u32));
    ends.sort_unstable();
    ends.dedup();
    let mut start = 0;
    let mut lines = Vec::new();
    for end in ends {
        let calls: Vec<NodeId> = (start..=end.0)
            .map(NodeId)
            .filter(|n| needed[n.index()] && matches!(body.node(*n).expr, Expr::Call { .. }))
            .collect();
        start = end.0 + 1;
        if !calls.is_empty() {
            lines.push(calls);
        }
    }
    lines
}

/// Picks a sort of change, then a place for it, then what it becomes.
fn change_line(
    body: &Body,
    needed: &[bool],
    line: &[NodeId],
    dice: &mut Dice,
) -> Option<(NodeId, Change)> {
    let mut sorts: [Vec<Site>; 4] = Default::default();
    for &node in line {
        let Expr::Call { callee, args } = &body.node(node).expr else { continue };
        if let Callee::Prim(_) = callee {
            sorts[0].push(Site::Callee(node));
        }
        for (at, arg) in args.iter().enumerate() {
            match body.node(*arg).expr {
                Expr::Const(_) | Expr::Literal(_) => sorts[1].push(Site::Constant(node, at)),
                Expr::Prim(_) => sorts[2].push(Site::Function(node, at)),
                Expr::Call { .. } | Expr::Input(_) => sorts[3].push(Site::Variable(node, at)),
            }
        }
    }
    let mut sorts: Vec<Vec<Site>> = sorts.into_iter().filter(|s| !s.is_empty()).collect();
    while !sorts.is_empty() {
        let sort = dice.below(sorts.len());
        let place = dice.below(sorts[sort].len());
        let site = sorts[sort].swap_remove(place);
        if sorts[sort].is_empty() {
            sorts.remove(sort);
        }
        if let Some(change) = change_site(body, needed, site, dice) {
            return Some(change);
        }
    }
    None
}

fn change_site(
    body: &Body,
    needed: &[bool],
    site: Site,
    dice: &mut Dice,
) -> Option<(NodeId, Change)> {
    let argument = |node: NodeId, at: usize| match &body.node(node).expr {
        Expr::Call { args, .. } => args.get(at).map(|arg| (*arg, &body.node(*arg).expr)),
        _ => None,
    };
    Some(match site {
        Site::Callee(node) => {
            let Expr::Call { callee: Callee::Prim(prim), .. } = &body.node(node).expr else {
                return None;
            };
            (node, Change::Callee(pick(&alike(*prim), dice)?))
        }
        Site::Constant(node, at) => {
            let expr = match argument(node, at)?.1 {
                Expr::Const(id) => Expr::Const(pick(&constants_like(*id), dice)?),
                Expr::Literal(value) => Expr::Literal(pick(&literals_like(value), dice)?),
                _ => return None,
            };
            (node, Change::New(at, expr))
        }
        Site::Function(node, at) => {
            let Expr::Prim(prim) = argument(node, at)?.1 else { return None };
            (node, Change::New(at, Expr::Prim(pick(&alike(*prim), dice)?)))
        }
        Site::Variable(node, at) => {
            let Expr::Call { callee, .. } = &body.node(node).expr else { return None };
            let param = match callee {
                Callee::Prim(prim) => prim.info().params.get(at).map(|p| &p.kind),
                Callee::Node(_) => None,
            };
            let old = argument(node, at)?.0;
            let fits = variables_like(body, needed, node, old, param.unwrap_or(&Kind::Any));
            (node, Change::Other(at, pick(&fits, dice)?))
        }
    })
}

fn pick<T: Clone>(from: &[T], dice: &mut Dice) -> Option<T> {
    if from.is_empty() { None } else { Some(from[dice.below(from.len())].clone()) }
}

/// The constants of the same kind with another value.
fn constants_like(id: ConstId) -> Vec<ConstId> {
    let old = id.get();
    let like = constants::all().filter(|(_, c)| c.kind == old.kind && c.value != old.value);
    like.map(|(id, _)| id).collect()
}

/// Values of named constants that could stand where a literal does.
fn literals_like(old: &Value) -> Vec<Value> {
    let kind = match old {
        Value::Bool(_) => ConstKind::Bool,
        Value::Int(_) => ConstKind::Int,
        Value::Pair(..) => ConstKind::Pair,
        _ => return Vec::new(),
    };
    let like = constants::all().filter(|(_, c)| c.kind == kind && c.value != *old);
    like.map(|(_, c)| c.value.clone()).collect()
}

/// Earlier nodes that the output needs already and that fit where `old` stands. C is not offered
/// to a program that does not read it, as it is then not among them.
fn variables_like(
    body: &Body,
    needed: &[bool],
    user: NodeId,
    old: NodeId,
    param: &Kind,
) -> Vec<NodeId> {
    let was = kinds::of_node(body, old);
    let expr = &body.node(old).expr;
    let mut fits: Vec<NodeId> = Vec::new();
    for at in (0..user.0).map(NodeId) {
        let node = body.node(at);
        let variable = matches!(node.expr, Expr::Call { .. } | Expr::Input(Input::I | Input::C));
        let new = variable && needed[at.index()] && node.expr != *expr;
        if new
            && kinds::compatible(param, &was, &kinds::of_node(body, at))
            && !fits.iter().any(|f| body.node(*f).expr == node.expr)
        {
            fits.push(at);
        }
    }
    fits
}

/// The program with its changes.
fn rebuild(program: &Program, changes: Vec<Option<Change>>) -> Program {
    let mut places = Vec::with_capacity(changes.len());
    let mut nodes: Vec<Node> = Vec::with_capacity(changes.len());
    for (node, change) in program.body.nodes.iter().zip(changes) {
        let mut expr = node.expr.moved(&places);
        if let Expr::Call { callee, args } = &mut expr {
            match change {
                Some(Change::Callee(prim)) => *callee = Callee::Prim(prim),
                Some(Change::Other(at, other)) => args[at] = places[other.index()],
                Some(Change::New(at, leaf)) => {
                    args[at] = NodeId(nodes.len() as u32);
                    nodes.push(Node { expr: leaf, line: node.line });
                }
                None => {}
            }
        }
        places.push(NodeId(nodes.len() as u32));
        nodes.push(Node { expr, line: node.line });
    }
    let mut changed = program.clone();
    changed.output = places[program.output.index()];
    for binding in &mut changed.body.bindings {
        binding.node = places[binding.node.index()];
    }
    changed.body.nodes = nodes;
    changed
}

#[cfg(test)]
mod tests;
