//! Random functions for the arguments that ask for one.

use batt_lang::program::Callee;
use batt_lang::{Expr, Kind, NodeId, Op, Role};

use super::program::{Builder, Found};
use batt_lang::ops::typing::{Letters, fits, result};

impl Builder<'_, '_> {
    /// A function that takes these kinds and gives what fits `wanted`; also the kind it gives.
    pub(super) fn function(
        &mut self,
        params: &[Kind],
        wanted: &Kind,
        nesting: usize,
    ) -> Option<Found> {
        for _ in 0..12 {
            let mark = self.mark();
            let built = match (self.rng.below(12), params) {
                (5 | 6, _) => self.bound(params, wanted),
                (7, [a]) if nesting > 0 => self.composed(a, wanted, nesting - 1),
                (8, [a]) if nesting > 0 => self.forked(a, wanted, nesting - 1),
                (9, [a]) if nesting > 0 => self.matching(a, wanted, nesting - 1),
                (10, [a]) if nesting > 0 => self.repeated(a, wanted, nesting - 1),
                (11, _) if nesting > 0 => self.chosen(params, wanted, nesting - 1),
                _ => self.primitive(params, wanted),
            };
            match built {
                Some(found) if fits(wanted, &found.1, &mut Letters::default()) => {
                    return Some(found);
                }
                _ => self.back_to(&mark),
            }
        }
        None
    }

    fn maker(&mut self, op: Op, args: Vec<NodeId>) -> NodeId {
        self.call(Callee::Prim(op.into()), args)
    }

    /// A primitive as it is.
    fn primitive(&mut self, params: &[Kind], wanted: &Kind) -> Option<Found> {
        let start = self.rng.below(Op::ALL.len());
        let ops = Op::ALL.iter().cycle().skip(start).take(Op::ALL.len());
        for op in ops.filter(|op| op.arity() == params.len() && op.info().role == Role::Pure) {
            let mut letters = Letters::default();
            let takes =
                op.info().params.iter().zip(params).all(|(p, k)| fits(&p.kind, k, &mut letters));
            if takes {
                let gives = result(*op, params, &letters);
                // Some are left out, or the first of the table would always be taken.
                if fits(wanted, &gives, &mut Letters::default()) && self.rng.chance(600) {
                    return Some((self.leaf(Expr::Prim((*op).into())), gives));
                }
            }
        }
        None
    }

    /// A primitive with its first or its last argument fixed.
    fn bound(&mut self, params: &[Kind], wanted: &Kind) -> Option<Found> {
        let left = self.rng.chance(400);
        for _ in 0..20 {
            let op = *self.rng.pick(Op::ALL)?;
            let fits_arity = op.arity() == params.len() + 1;
            if !fits_arity || op.info().role == Role::Makes {
                continue;
            }
            let mark = self.mark();
            let function = self.leaf(Expr::Prim(op.into()));
            let given: Vec<(usize, Found)> = params
                .iter()
                .enumerate()
                .map(|(at, kind)| (at + usize::from(left), (NodeId(0), kind.clone())))
                .collect();
            if let Some((args, kinds, letters)) = self.arguments(op, &given) {
                let gives = result(op, &kinds, &letters);
                if fits(wanted, &gives, &mut Letters::default()) {
                    let fixed = if left { args[0] } else { args[args.len() - 1] };
                    let maker = if left { Op::Lbind } else { Op::Rbind };
                    return Some((self.maker(maker, vec![function, fixed]), gives));
                }
            }
            self.back_to(&mark);
        }
        None
    }

    /// `compose` or `chain`.
    fn composed(&mut self, a: &Kind, wanted: &Kind, nesting: usize) -> Option<Found> {
        let (inner, b) = self.function(std::slice::from_ref(a), &Kind::Any, nesting)?;
        if self.rng.chance(300) {
            let (middle, c) = self.function(&[b], &Kind::Any, nesting)?;
            let (outer, gives) = self.function(&[c], wanted, nesting)?;
            return Some((self.maker(Op::Chain, vec![outer, middle, inner]), gives));
        }
        let (outer, gives) = self.function(&[b], wanted, nesting)?;
        Some((self.maker(Op::Compose, vec![outer, inner]), gives))
    }

    fn forked(&mut self, a: &Kind, wanted: &Kind, nesting: usize) -> Option<Found> {
        let (left, b) = self.function(std::slice::from_ref(a), &Kind::Any, nesting)?;
        let (right, c) = self.function(std::slice::from_ref(a), &Kind::Any, nesting)?;
        let (outer, gives) = self.function(&[b, c], wanted, 0)?;
        Some((self.maker(Op::Fork, vec![outer, left, right]), gives))
    }

    fn matching(&mut self, a: &Kind, wanted: &Kind, nesting: usize) -> Option<Found> {
        if !fits(wanted, &Kind::Bool, &mut Letters::default()) {
            return None;
        }
        let (inner, b) = self.function(std::slice::from_ref(a), &Kind::Any, nesting)?;
        let target = match self.constant("target", &b) {
            Some(found) if self.rng.chance(700) => found,
            _ => self.pooled(&b, &mut Letters::default())?,
        };
        Some((self.maker(Op::Matcher, vec![inner, target.0]), Kind::Bool))
    }

    fn repeated(&mut self, a: &Kind, wanted: &Kind, nesting: usize) -> Option<Found> {
        if !fits(wanted, a, &mut Letters::default()) {
            return None;
        }
        let (inner, _) = self.function(std::slice::from_ref(a), a, nesting)?;
        let (times, _) = self.constant("times", &Kind::Int)?;
        Some((self.maker(Op::Power, vec![inner, times]), a.clone()))
    }

    /// One of two functions, by a condition.
    fn chosen(&mut self, params: &[Kind], wanted: &Kind, nesting: usize) -> Option<Found> {
        let (then, gives) = self.function(params, wanted, nesting)?;
        let (other, _) = self.function(params, &gives, nesting)?;
        let condition = match self.pooled(&Kind::Bool, &mut Letters::default()) {
            Some(found) => found,
            None => self.constant("condition", &Kind::Bool)?,
        };
        Some((self.maker(Op::Branch, vec![condition.0, then, other]), gives))
    }
}
