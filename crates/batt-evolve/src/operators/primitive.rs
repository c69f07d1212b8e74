//! A primitive for another.

use batt_lang::ops::Role;
use batt_lang::{Op, Prim};

use super::{Draft, Proposal};
use crate::pool::{Gene, Head, KindId, Node, takes_rows};

impl Draft<'_> {
    /// Changes a primitive: one that is called, or one that is an argument.
    pub(super) fn primitive(&mut self) -> Proposal {
        let is_site = |node: Node| matches!(node.head, Head::Call(_) | Head::Prim(_));
        let Some(gene) = self.part(|pool, gene| is_site(pool.node(gene))) else {
            return Proposal::Nothing;
        };
        match self.node(gene).head {
            Head::Prim(prim) => self.function(gene, prim),
            _ => match self.other_call(gene) {
                Some(made) => self.everywhere(gene, made),
                None => Proposal::Nothing,
            },
        }
    }

    /// The same call of another primitive.
    pub(super) fn other_call(&mut self, gene: Gene) -> Option<Gene> {
        let node = self.node(gene);
        let prim = node.callee()?;
        let kind = self.pool.kind(gene);
        let args: Vec<Gene> = node.args().collect();
        if self.chance(60) {
            let alike = self.pool.table.alike(prim).to_vec();
            if let Some(other) = self.pick(&alike) {
                return self.pool.add(Node::new(Head::Call(other), &args));
            }
        }
        for _ in 0..24 {
            let op = self.pick(Op::ALL)?;
            if op.arity() != node.len() || op == prim.op || op == Op::Identity {
                continue;
            }
            if kind == KindId::GRID && takes_rows(op) && !takes_rows(prim.op) {
                continue;
            }
            let made = Node::new(Head::Call(op.into()), &args);
            if let Some(made) = self.pool.add(made)
                && stands_for(self.pool.kind(made), kind)
            {
                return Some(made);
            }
        }
        None
    }

    /// Another function in the place of a primitive that is an argument.
    fn function(&mut self, gene: Gene, prim: Prim) -> Proposal {
        let Some(edge) = self.edge(|_, edge| edge.arg == gene) else { return Proposal::Nothing };
        if self.chance(60) {
            let alike = self.pool.table.alike(prim).to_vec();
            if let Some(other) = self.pick(&alike) {
                let other = self.leaf(Head::Prim(other));
                return self.set(edge, other);
            }
        }
        for _ in 0..24 {
            let Some(op) = self.pick(Op::ALL) else { break };
            let plain = op.info().role == Role::Pure && op != Op::Identity;
            if op.arity() == prim.arity() && op != prim.op && plain {
                let other = self.leaf(Head::Prim(op.into()));
                if let made @ Proposal::Child(_) = self.set(edge, other) {
                    return made;
                }
            }
        }
        Proposal::Nothing
    }
}

/// Whether what is of one kind may stand where the other was.
pub(super) fn stands_for(new: KindId, old: KindId) -> bool {
    new == old || old == KindId::ANY && new != KindId::FUNCTION
}
