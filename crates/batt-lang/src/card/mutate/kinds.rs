//! What may stand in for what.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::ops::{Guard, Kind, Op, Prim};
use crate::program::{Body, Callee, Expr, Input, NodeId};

/// The other primitives of the same signature; a suffix stays.
pub fn alike(prim: Prim) -> Vec<Prim> {
    let guarded = |op: Op| op.info().params.iter().map(|p| p.guarded).collect::<Vec<_>>();
    let all = SIGNATURES.get(&signature(prim.op)).map_or(&[][..], Vec::as_slice);
    all.iter()
        .filter(|op| **op != prim.op)
        .filter(|op| prim.guard == Guard::None || guarded(**op) == guarded(prim.op))
        .map(|op| Prim { op: *op, guard: prim.guard })
        .collect()
}

static SIGNATURES: LazyLock<HashMap<String, Vec<Op>>> = LazyLock::new(|| {
    let mut all: HashMap<String, Vec<Op>> = HashMap::new();
    for &op in Op::ALL {
        all.entry(signature(op)).or_default().push(op);
    }
    all
});

/// Arguments and result as the table writes them.
fn signature(op: Op) -> String {
    let info = op.info();
    let params: Vec<String> = info.params.iter().map(|p| p.kind.to_string()).collect();
    format!("({}) -> {}", params.join(", "), info.result)
}

/// The kind of what a node gives, as far as the table says it.
pub fn of_node(body: &Body, id: NodeId) -> Kind {
    match &body.node(id).expr {
        Expr::Input(Input::S) => Kind::Pairs,
        Expr::Input(Input::I | Input::C) => Kind::Grid,
        Expr::Call { callee: Callee::Prim(prim), args } => {
            let info = prim.info();
            match &info.result {
                // `identity`, `branch`, `other`: the kind of an argument of the same letter.
                Kind::Var(letter) => {
                    let same = info.params.iter().position(|p| p.kind == Kind::Var(*letter));
                    same.and_then(|at| args.get(at)).map_or(Kind::Any, |arg| of_node(body, *arg))
                }
                plain => plain.clone(),
            }
        }
        _ => Kind::Any,
    }
}

/// Whether a value of kind `new` may stand where one of kind `old` did, for a parameter.
pub fn compatible(param: &Kind, old: &Kind, new: &Kind) -> bool {
    match param {
        Kind::Any | Kind::Var(_) => new == old,
        _ => accepts(param, new),
    }
}

fn accepts(param: &Kind, kind: &Kind) -> bool {
    use Kind as K;
    match (param, kind) {
        (K::Any | K::Var(_), _)
        | (K::Num, K::Int | K::IJ)
        | (K::Patch, K::Object | K::Indices)
        | (K::Piece, K::Grid | K::Object | K::Indices | K::Patch)
        | (K::Element, K::Grid | K::Object) => true,
        (K::Cont(item), _) => {
            kind == param || items(kind).is_some_and(|(_, inner)| accepts(item, &inner))
        }
        (K::Tup(item), _) => items(kind).is_some_and(|(set, inner)| !set && accepts(item, &inner)),
        (K::Set(item), _) => items(kind).is_some_and(|(set, inner)| set && accepts(item, &inner)),
        (K::Fn(wanted, _), K::Fn(has, _)) => wanted.len() == has.len(),
        _ => param == kind,
    }
}

/// Whether a kind is a set, and the kind of its items.
fn items(kind: &Kind) -> Option<(bool, Kind)> {
    Some(match kind {
        Kind::Set(k) => (true, (**k).clone()),
        Kind::Tup(k) => (false, (**k).clone()),
        Kind::Object => (true, Kind::Cell),
        Kind::Indices => (true, Kind::IJ),
        Kind::Grid => (false, Kind::Tup(Box::new(Kind::Int))),
        Kind::IJ => (false, Kind::Int),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_group_what_can_be_exchanged() {
        let names = |name: &str| {
            let mut names: Vec<String> =
                alike(Prim::named(name).unwrap()).iter().map(Prim::to_string).collect();
            names.sort();
            names
        };
        assert_eq!(names("rot90").len(), 8);
        assert!(names("rot90").contains(&"trim".to_string()));
        assert_eq!(names("ulcorner_o"), ["llcorner_o", "lrcorner_o", "urcorner_o"]);
        assert_eq!(names("argmax_t"), ["argmin_t"]);
        assert!(names("objects").is_empty());
    }
}
