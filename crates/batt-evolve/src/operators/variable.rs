//! An argument for another expression of the program.

use super::{Draft, Edge, Proposal};
use crate::pool::{Gene, Head, KindId, Node};

impl Draft<'_> {
    /// Gives an expression another argument.
    pub(super) fn variable(&mut self) -> Proposal {
        for _ in 0..4 {
            let Some(edge) = self.edge(|_, _| true) else { break };
            if let Some(new) = self.other_variable(edge) {
                return self.set(edge, new);
            }
        }
        Proposal::Nothing
    }

    /// An earlier expression of the same kind as an argument.
    pub(super) fn other_variable(&mut self, edge: Edge) -> Option<Gene> {
        let kind = self.pool.kind(edge.arg);
        if kind == KindId::GRID && self.chance(15) {
            let input = self.pool.add(Node::leaf(Head::Input(batt_lang::Input::I)))?;
            if input != edge.arg {
                return Some(input);
            }
        }
        let before = edge.user.unwrap_or(Gene(u32::MAX));
        self.part(|pool, gene| {
            let leaf = matches!(pool.node(gene).head, Head::Const(_) | Head::Literal(_));
            gene < before && gene != edge.arg && !leaf && pool.kind(gene) == kind
        })
    }
}
