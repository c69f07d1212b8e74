//! Colours and orientations that the demo pairs tell: `c_iz_n`, `c_zo_n`, `a_mr`.

use batt_lang::constants::ConstId;
use batt_lang::{Input, Op};

use super::{Draft, Edge, Proposal};
use crate::pool::{Gene, Head, KindId, Node};

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
        match self.color() {
            Some(color) => self.set(edge, color),
            None => Proposal::Nothing,
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
        let orientation = if self.chance(70) {
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

    /// A colour as an expression over the demo pairs or the input.
    fn color(&mut self) -> Option<Gene> {
        let rank = self.pick(&["F0", "F0", "F1", "L1", "L1", "L2"])?;
        let rank = self.leaf(Head::Const(ConstId::named(rank)?));
        let input = self.leaf(Head::Input(Input::I));
        let node = match self.dice.below(8) {
            0 => Node::new(Head::Call(Op::Mostcolor.into()), &[input]),
            1 => Node::new(Head::Call(Op::Leastcolor.into()), &[input]),
            2 => Node::new(Head::Call(Op::GetColorRankT.into()), &[input, rank]),
            many => {
                let op = if many % 2 == 0 { Op::CIzN } else { Op::CZoN };
                let pairs = self.leaf(Head::Input(Input::S));
                let colors = self.leaf(Head::Prim(Op::PG.into()));
                let nth = self.leaf(Head::Prim(Op::GetNthT.into()));
                let pick = self.pool.add(Node::new(Head::Call(Op::Rbind.into()), &[nth, rank]))?;
                Node::new(Head::Call(op.into()), &[pairs, colors, pick])
            }
        };
        self.pool.add(node)
    }
}
