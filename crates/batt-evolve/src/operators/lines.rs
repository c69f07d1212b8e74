//! Lines: insert, delete, duplicate and modify.

use batt_lang::{Kind, Op};

use super::constant::is_constant;
use super::primitive::stands_for;
use super::{Draft, Edge, Proposal};
use crate::pool::{Gene, Head, KindId, Node};

impl Draft<'_> {
    /// Puts a new call around an argument or around the output.
    pub(super) fn insert(&mut self) -> Proposal {
        let Some(root) = self.parts.last().copied() else { return Proposal::Nothing };
        for _ in 0..6 {
            let edge = if self.chance(25) {
                Some(Edge { user: None, at: 0, arg: root })
            } else {
                self.edge(|pool, edge| !is_constant(pool, edge.arg))
            };
            let Some(edge) = edge else { continue };
            if let Some(made) = self.around(edge) {
                return self.set(edge, made);
            }
        }
        Proposal::Nothing
    }

    /// A call around an argument that is of the same kind.
    fn around(&mut self, edge: Edge) -> Option<Gene> {
        let kind = self.pool.kind(edge.arg);
        if kind == KindId::ANY {
            return None;
        }
        if kind == KindId::FUNCTION {
            return self.composed(edge.arg);
        }
        let wrappers = self.pool.table.wrappers(kind).to_vec();
        let before = edge.user.unwrap_or(Gene(u32::MAX));
        for _ in 0..6 {
            let (op, at) = self.pick(&wrappers)?;
            if let Some(made) = self.call_around(op, usize::from(at), edge.arg, before)
                && self.pool.kind(made) == kind
            {
                return Some(made);
            }
        }
        None
    }

    /// A function that runs this one and another.
    fn composed(&mut self, f: Gene) -> Option<Gene> {
        let op = self.pick(Op::ALL)?;
        if op.arity() != 1 || op == Op::Identity {
            return None;
        }
        let other = self.leaf(Head::Prim(op.into()));
        let order = if self.chance(70) { [other, f] } else { [f, other] };
        self.pool.add(Node::new(Head::Call(Op::Compose.into()), &order))
    }

    /// Puts something that a call is made from in its place.
    pub(super) fn delete(&mut self) -> Proposal {
        let sites: Vec<(Gene, Gene)> = self
            .parts
            .iter()
            .flat_map(|gene| self.node(*gene).args().map(|arg| (*gene, arg)).collect::<Vec<_>>())
            .filter(|(gene, arg)| stands_for(self.pool.kind(*arg), self.pool.kind(*gene)))
            .collect();
        if let Some((gene, arg)) = self.pick(&sites) {
            return self.everywhere(gene, arg);
        }
        // No argument is of its call's kind: something earlier may be.
        let Some(gene) = self.part(|pool, gene| pool.node(gene).is_call()) else {
            return Proposal::Nothing;
        };
        let kind = self.pool.kind(gene);
        match self.part(|pool, other| other < gene && pool.kind(other) == kind) {
            Some(other) => self.everywhere(gene, other),
            None => Proposal::Nothing,
        }
    }

    /// Does what a line does once more, a little differently.
    pub(super) fn duplicate(&mut self) -> Proposal {
        for _ in 0..6 {
            let Some(gene) = self.part(|pool, gene| {
                pool.node(gene).is_call() && pool.kind(gene) != KindId::FUNCTION
            }) else {
                break;
            };
            let Some(changed) = self.changed(gene) else { continue };
            let made = self.twice(gene, changed);
            if made != Proposal::Nothing {
                return made;
            }
        }
        Proposal::Nothing
    }

    /// A call with one thing about it changed.
    fn changed(&mut self, gene: Gene) -> Option<Gene> {
        let node = self.node(gene);
        let at = self.dice.below(node.len() + 1);
        let Some(arg) = node.arg(at) else { return self.other_call(gene) };
        let edge = Edge { user: Some(gene), at, arg };
        let new = if is_constant(self.pool, arg) {
            self.other_constant(edge)
        } else {
            self.other_variable(edge)
        };
        self.pool.add(node.with(at, new?))
    }

    /// Both a line and its changed copy, in the place of the line.
    fn twice(&mut self, gene: Gene, changed: Gene) -> Proposal {
        let kind = self.pool.kind(gene);
        if self.pool.kind(changed) != kind || changed == gene {
            return Proposal::Nothing;
        }
        // A line that takes what it gives runs again on its own result.
        let again = self.node(changed).args().position(|arg| self.pool.kind(arg) == kind);
        if let Some(at) = again
            && let Some(made) = self.pool.add(self.node(changed).with(at, gene))
        {
            return self.everywhere(gene, made);
        }
        // One of several uses takes the copy.
        let uses =
            self.parts.iter().flat_map(|user| self.node(*user).args()).filter(|a| *a == gene);
        if uses.count() > 1
            && let Some(edge) = self.edge(|_, edge| edge.arg == gene)
        {
            return self.set(edge, changed);
        }
        let container = matches!(
            self.pool.table.get(kind),
            Kind::Set(_) | Kind::Tup(_) | Kind::Object | Kind::Indices
        );
        if container
            && let Some(both) =
                self.pool.add(Node::new(Head::Call(Op::Combine.into()), &[gene, changed]))
        {
            return self.everywhere(gene, both);
        }
        Proposal::Nothing
    }
}
