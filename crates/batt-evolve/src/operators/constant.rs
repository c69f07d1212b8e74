//! A constant for another of the kind that its name carries.

use std::sync::LazyLock;

use batt_lang::Value;
use batt_lang::constants::{self, ConstId, ConstKind};

use super::{Draft, Edge, Proposal};
use crate::pool::{Gene, Head, Pool};

/// The constants of each kind. The largest ints are left out: what they lead to is slow or an error.
static BY_KIND: LazyLock<[Vec<ConstId>; 7]> = LazyLock::new(|| {
    let mut kinds: [Vec<ConstId>; 7] = Default::default();
    for (id, constant) in constants::all() {
        if constant.value.as_int().is_none_or(|n| n.abs() <= 10) {
            kinds[constant.kind as usize].push(id);
        }
    }
    kinds
});

impl Draft<'_> {
    /// Changes a constant, in one place or everywhere.
    pub(super) fn constant(&mut self) -> Proposal {
        let Some(edge) = self.edge(|pool, edge| is_constant(pool, edge.arg)) else {
            return Proposal::Nothing;
        };
        let Some(new) = self.other_constant(edge) else { return Proposal::Nothing };
        if self.chance(20) { self.everywhere(edge.arg, new) } else { self.set(edge, new) }
    }

    /// A constant that could stand there instead.
    pub(super) fn other_constant(&mut self, edge: Edge) -> Option<Gene> {
        let (old, kind) = match self.node(edge.arg).head {
            Head::Const(id) => (id.value().clone(), id.get().kind),
            Head::Literal(at) => {
                let value = self.pool.literal(at).clone();
                let kind = literal_kind(&value)?;
                (value, kind)
            }
            _ => return None,
        };
        let color = kind == ConstKind::Int && self.is_color(edge);
        let from = &BY_KIND[kind as usize];
        let fits = |id: &ConstId| {
            let value = id.value();
            let in_range = !color || value.as_int().is_some_and(|n| (0..10).contains(&n));
            in_range && *value != old
        };
        for _ in 0..8 {
            let id = self.pick(from)?;
            if fits(&id) {
                return Some(self.leaf(Head::Const(id)));
            }
        }
        None
    }

    /// Whether a colour is asked for there.
    pub(super) fn is_color(&mut self, edge: Edge) -> bool {
        let Some(prim) = edge.user.and_then(|user| self.node(user).callee()) else { return false };
        let asked = self.pool.table.constants((prim.op, edge.at as u8)).first();
        asked.is_some_and(|id| id.get().kind == ConstKind::Color)
    }
}

/// Whether an expression is a constant that can be changed.
pub(super) fn is_constant(pool: &Pool, gene: Gene) -> bool {
    match pool.node(gene).head {
        Head::Const(_) => true,
        Head::Literal(at) => literal_kind(pool.literal(at)).is_some(),
        _ => false,
    }
}

fn literal_kind(value: &Value) -> Option<ConstKind> {
    match value {
        Value::Bool(_) => Some(ConstKind::Bool),
        Value::Int(_) => Some(ConstKind::Int),
        Value::Pair(..) => Some(ConstKind::Pair),
        _ => None,
    }
}
