//! Random programs are worth running: most give a value, and they use the whole table.

use std::collections::BTreeSet;

use batt_lang::program::Callee;
use batt_lang::{Expr, text};
use batt_run::random;
use batt_run::reference::Machine;
use batt_run::reference::eval::{self, Inputs, Policy};

#[test]
fn most_random_programs_give_a_value_on_random_grids() {
    let mut rng = random::rng(1);
    let (mut values, mut grids, mut total, mut lines) = (0, 0, 0, 0);
    let mut used = BTreeSet::new();
    for _ in 0..1500 {
        let program = random::program(&mut rng, &random::Options::default());
        let task = random::task(&mut rng);
        let (s, i) = (task.pairs(), task.tests[0].input.to_value());
        let out = eval::run(&program, &Inputs { s: &s, i: &i, c: None }, Policy::Strict);
        total += 1;
        values += usize::from(out.is_ok());
        grids += usize::from(out.is_ok_and(|v| v.grid_rows().is_some()));
        let needed = program.body.needed(&[program.output]);
        for (node, _) in program.body.nodes.iter().zip(needed).filter(|(_, n)| *n) {
            match &node.expr {
                Expr::Call { callee, .. } => {
                    lines += 1;
                    if let Callee::Prim(prim) = callee {
                        used.insert(prim.op);
                    }
                }
                Expr::Prim(prim) => {
                    used.insert(prim.op);
                }
                _ => {}
            }
        }
    }
    println!(
        "{values} values, {grids} grids of {total}; {} primitives; {} needed lines each",
        used.len(),
        lines / total,
    );
    assert!(values * 10 >= total * 6, "{values} of {total}");
    assert!(grids * 2 >= total, "{grids} of {total}");
    assert!(used.len() >= 180, "{}", used.len());
}

#[test]
fn random_programs_are_text_too() {
    let mut rng = random::rng(2);
    for _ in 0..300 {
        let program = random::program(&mut rng, &random::Options::default());
        let printed = text::print(&program);
        let module = text::parse(&printed);
        assert!(module.problems.is_empty(), "{printed}\n{:?}", module.problems);
    }
}

#[test]
fn no_primitive_panics_on_random_values() {
    let mut rng = random::rng(3);
    let mut values = 0;
    for round in 0..40 {
        for &op in batt_lang::Op::ALL {
            let args: Vec<_> = (0..op.arity()).map(|_| random::value(&mut rng)).collect();
            values += usize::from(Machine::default().prim(op.into(), &args).is_ok());
        }
        assert!(round < 10 || values > 0);
    }
}
