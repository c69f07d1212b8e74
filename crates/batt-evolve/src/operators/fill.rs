//! Arguments for a call that is made anew.

use batt_lang::ops::typing::{Letters, fits};
use batt_lang::{Kind, Op};

use super::Draft;
use crate::pool::{Gene, Head, KindId, Node};

impl Draft<'_> {
    /// A call of `op` with `given` at a place and other arguments from the program, constants and
    /// functions; `None` if nothing fits.
    pub(super) fn call_around(
        &mut self,
        op: Op,
        at: usize,
        given: Gene,
        before: Gene,
    ) -> Option<Gene> {
        let info = op.info();
        let mut letters = Letters::default();
        let have = self.pool.table.get(self.pool.kind(given)).clone();
        if !fits(&info.params[at].kind, &have, &mut letters) {
            return None;
        }
        let mut args = vec![given; info.params.len()];
        // Functions last: what they are given is known by then.
        for functions in [false, true] {
            for (i, param) in info.params.iter().enumerate().filter(|(i, _)| *i != at) {
                if matches!(param.kind, Kind::Fn(..)) != functions {
                    continue;
                }
                args[i] = match &param.kind {
                    Kind::Fn(takes, gives) => {
                        let takes: Vec<Kind> = takes.iter().map(|k| letters.fill(k)).collect();
                        let gives = letters.fill(gives);
                        self.any_function(&takes, &gives)?
                    }
                    plain => self.any_value(op, i, plain, &mut letters, before)?,
                };
            }
        }
        self.pool.add(Node::new(Head::Call(op.into()), &args))
    }

    fn any_value(
        &mut self,
        op: Op,
        at: usize,
        kind: &Kind,
        letters: &mut Letters,
        before: Gene,
    ) -> Option<Gene> {
        let constants = self.pool.table.constants((op, at as u8)).to_vec();
        if !constants.is_empty() && self.chance(60) {
            let id = self.pick(&constants)?;
            return Some(self.leaf(Head::Const(id)));
        }
        let wanted = letters.fill(kind);
        let found = self.part(|pool, gene| {
            let have = pool.kind(gene);
            gene < before
                && have != KindId::FUNCTION
                && fits(&wanted, pool.table.get(have), &mut Letters::default())
        });
        if let Some(gene) = found {
            let have = self.pool.table.get(self.pool.kind(gene)).clone();
            return fits(kind, &have, letters).then_some(gene);
        }
        let id = self.pick(&constants)?;
        Some(self.leaf(Head::Const(id)))
    }

    /// A function that takes these kinds and gives what fits.
    fn any_function(&mut self, takes: &[Kind], gives: &Kind) -> Option<Gene> {
        let gives = if *gives == Kind::Any { Kind::Int } else { gives.clone() };
        let gives = self.pool.table.id(&gives);
        let [takes] = takes else {
            // Two arguments: a primitive of the same arity; the pool says whether it fits.
            let ops: Vec<Op> = Op::ALL
                .iter()
                .copied()
                .filter(|op| op.arity() == takes.len() && op.info().role == batt_lang::Role::Pure)
                .collect();
            let op = self.pick(&ops)?;
            return Some(self.leaf(Head::Prim(op.into())));
        };
        let takes = self.pool.table.id(takes);
        if gives == KindId::BOOL && self.chance(50) {
            return self.test_of(takes);
        }
        let prims = self.pool.table.functions(takes, gives).to_vec();
        let prim = self.pick(&prims)?;
        Some(self.leaf(Head::Prim(prim)))
    }

    /// `matcher(f, constant)`.
    fn test_of(&mut self, takes: KindId) -> Option<Gene> {
        let prims = self.pool.table.functions(takes, KindId::INT).to_vec();
        let prim = self.pick(&prims)?;
        let f = self.leaf(Head::Prim(prim));
        let constants = batt_lang::constants::fitting("target", &Kind::Int);
        let id = self.pick(&constants)?;
        let target = self.leaf(Head::Const(id));
        self.pool.add(Node::new(Head::Call(Op::Matcher.into()), &[f, target]))
    }
}
