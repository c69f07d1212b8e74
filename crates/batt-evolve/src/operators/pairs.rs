//! Colours and orientations that the demo pairs tell: `c_iz_n`, `c_zo_n`, `a_mr`.

use batt_lang::constants::ConstId;
use batt_lang::{Input, Op};

use super::{Draft, Edge, Proposal};
use crate::pool::{Head, KindId, Node};

/// What turns a grid, in the order of their numbers.
const TURNS: [Op; 7] =
    [Op::Hmirror, Op::Dmirror, Op::Vmirror, Op::Cmirror, Op::Rot90, Op::Rot180, Op::Rot270];

impl Draft<'_> {
    /// Takes a colour or an orientation from the demo pairs.
    pub(super) fn pairs(&mut self) -> Proposal {
        if self.chance(35)
            && let Some(made) = self.turn()
        {
            return made;
        }
        let Some(edge) = self.color_edge() else {
            return self.turn().unwrap_or(Proposal::Nothing);
        };
        match self.pick(&self.hints.colors) {
            Some(color) if color != edge.arg => self.set(edge, color),
            _ => Proposal::Nothing,
        }
    }

    fn color_edge(&mut self) -> Option<Edge> {
        let mut edges: Vec<Edge> = Vec::new();
        for user in self.parts {
            for (at, arg) in self.node(*user).args().enumerate() {
                let edge = Edge { user: Some(*user), at, arg };
                if self.pool.kind(arg) == KindId::INT && self.is_color(edge) {
                    edges.push(edge);
                }
            }
        }
        self.pick(&edges)
    }

    /// A grid turned as the demos turn theirs.
    fn turn(&mut self) -> Option<Proposal> {
        let turned = self.part(|pool, gene| {
            let op = pool.node(gene).callee().map(|prim| prim.op);
            pool.kind(gene) == KindId::GRID
                && op.is_some_and(|op| TURNS.contains(&op) || op == Op::MirRotT)
        })?;
        let node = self.node(turned);
        let grid = node.arg(0)?;
        let orientation = if self.hints.turned && self.chance(70) {
            let pairs = self.leaf(Head::Input(Input::S));
            self.pool.add(Node::new(Head::Call(Op::AMr.into()), &[pairs]))?
        } else {
            // The same turn by number, which `constant` can change.
            let at = TURNS.iter().position(|op| Some(*op) == node.callee().map(|p| p.op))?;
            self.leaf(Head::Const(ConstId::named(&format!("A{at}"))?))
        };
        let made =
            self.pool.add(Node::new(Head::Call(Op::MirRotT.into()), &[grid, orientation]))?;
        Some(self.everywhere(turned, made))
    }
}
