//! Many random programs that have something in common, as a search would have them.

use batt_lang::constants;
use batt_lang::program::Callee;
use batt_lang::{Expr, NodeId, Op, Program};

use super::Rng;
use super::program::{Options, program};

/// Random programs, about half of them changed copies of earlier ones.
pub fn programs(rng: &mut Rng, count: usize, options: &Options) -> Vec<Program> {
    let mut all: Vec<Program> = Vec::with_capacity(count);
    while all.len() < count {
        let mut next = next(rng, &all, options);
        next.name = format!("solve_random{}", all.len());
        all.push(next);
    }
    all
}

/// The next of many: a changed copy of an earlier one, or a new one.
pub fn next(rng: &mut Rng, earlier: &[Program], options: &Options) -> Program {
    match rng.pick(earlier).cloned() {
        Some(parent) if rng.chance(500) => mutated(rng, &parent),
        _ => program(rng, options),
    }
}

/// A copy with one to three changes: another constant of the same kind, another primitive of the
/// same signature, or an argument taken from elsewhere.
pub fn mutated(rng: &mut Rng, program: &Program) -> Program {
    let mut child = program.clone();
    for _ in 0..rng.between(1, 3) {
        change(rng, &mut child);
    }
    child
}

fn change(rng: &mut Rng, program: &mut Program) {
    let needed = program.body.needed(&[program.output]);
    let places: Vec<usize> = (0..needed.len()).filter(|at| needed[*at]).collect();
    let Some(&at) = rng.pick(&places) else { return };
    let earlier = at;
    match &mut program.body.nodes[at].expr {
        Expr::Const(id) => {
            let kind = id.get().kind;
            let others: Vec<_> =
                constants::all().filter(|(_, c)| c.kind == kind).map(|(id, _)| id).collect();
            *id = rng.pick(&others).copied().unwrap_or(*id);
        }
        Expr::Call { callee: Callee::Prim(prim), args } => {
            if rng.chance(100) && earlier > 0 && !args.is_empty() {
                let arg = rng.below(args.len());
                args[arg] = NodeId(rng.below(earlier) as u32);
            } else {
                prim.op = alike(rng, prim.op);
            }
        }
        Expr::Prim(prim) => prim.op = alike(rng, prim.op),
        _ => {}
    }
}

/// A primitive with the same signature.
fn alike(rng: &mut Rng, op: Op) -> Op {
    let signature = |op: Op| {
        let info = op.info();
        let params: Vec<_> = info.params.iter().map(|p| (p.kind.clone(), p.guarded)).collect();
        (params, info.result.clone(), info.role)
    };
    let wanted = signature(op);
    let others: Vec<Op> = Op::ALL.iter().copied().filter(|o| signature(*o) == wanted).collect();
    rng.pick(&others).copied().unwrap_or(op)
}
