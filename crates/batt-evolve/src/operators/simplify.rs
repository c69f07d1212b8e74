//! Something shorter: laws that keep what a program gives, or a smaller part in the place of a larger.

use batt_lang::Op;

use super::{Draft, Proposal};
use crate::pool::{Gene, Head, KindId, Pool};

impl Draft<'_> {
    /// Uses a law if one fits, else takes a smaller part of the same kind.
    pub(super) fn simplify(&mut self) -> Proposal {
        let sites: Vec<(Gene, Gene)> = self
            .parts
            .iter()
            .filter_map(|gene| law(self.pool, *gene).map(|shorter| (*gene, shorter)))
            .collect();
        if let Some((gene, shorter)) = self.pick(&sites) {
            return self.everywhere(gene, shorter);
        }
        for _ in 0..8 {
            let call = |pool: &Pool, gene: Gene| pool.node(gene).is_call();
            let Some(gene) = self.part(call) else { break };
            let kind = self.pool.kind(gene);
            let smaller = self.part(|pool, other| {
                other < gene && pool.kind(other) == kind && kind != KindId::ANY
            });
            if let Some(other) = smaller {
                return self.everywhere(gene, other);
            }
        }
        Proposal::Nothing
    }
}

/// Every shorter form that the laws give, with what it stands for.
pub fn laws(pool: &Pool, parts: &[Gene]) -> Vec<(Gene, Gene)> {
    parts.iter().filter_map(|gene| law(pool, *gene).map(|shorter| (*gene, shorter))).collect()
}

/// What a call equals that is already there. Each law holds whatever the values are, errors aside:
/// what is left out may have failed, so the result is checked again before it is kept.
fn law(pool: &Pool, gene: Gene) -> Option<Gene> {
    let node = pool.node(gene);
    let prim = node.callee()?;
    let first = node.arg(0)?;
    let inner = pool.node(first);
    let inside = inner.callee().map(|prim| prim.op);
    let grid = pool.kind(gene) == KindId::GRID;
    match prim.op {
        Op::Identity => Some(first),
        Op::Hmirror | Op::Vmirror | Op::Dmirror | Op::Cmirror | Op::Rot180
            if grid && inside == Some(prim.op) =>
        {
            inner.arg(0)
        }
        Op::Rot90 if inside == Some(Op::Rot270) => inner.arg(0),
        Op::Rot270 if inside == Some(Op::Rot90) => inner.arg(0),
        Op::Invert if inside == Some(Op::Invert) => inner.arg(0),
        Op::Flip if inside == Some(Op::Flip) && pool.kind(gene) == KindId::BOOL => inner.arg(0),
        Op::Toindices | Op::Normalize | Op::Totuple | Op::Dedupe | Op::Backdrop | Op::Compress
            if inside == Some(prim.op) =>
        {
            Some(first)
        }
        Op::First | Op::Last | Op::Merge if inside == Some(Op::Initset) => inner.arg(0),
        Op::Intersection | Op::Cellwise if node.arg(1) == Some(first) => Some(first),
        Op::Combine | Op::Both | Op::Either
            if node.arg(1) == Some(first) && pool.kind(gene) == pool.kind(first) =>
        {
            Some(first)
        }
        Op::Branch => match pool.node(first).head {
            Head::Const(id) => node.arg(if id.value().truth() { 1 } else { 2 }),
            _ => (node.arg(1) == node.arg(2)).then(|| node.arg(1)).flatten(),
        },
        _ => None,
    }
}
