//! Canonical programs mean what the programs did.

use batt_lang::canonical::Canonical;
use batt_lang::program::{Node, NodeId};
use batt_lang::{Expr, Program};
use batt_run::random;
use batt_run::reference::eval::{self, Inputs, Policy};

/// The same program written backwards as far as arguments allow, every line twice.
fn rewritten(program: &Program) -> Program {
    let mut other = program.clone();
    other.name = "another".to_string();
    let count = other.body.nodes.len() as u32;
    let mut nodes: Vec<Node> = Vec::new();
    for node in &program.body.nodes {
        let doubled = |node: &Node| {
            let mut node = node.clone();
            if let Expr::Call { callee, args } = &mut node.expr {
                if let batt_lang::program::Callee::Node(f) = callee {
                    *f = NodeId(f.0 * 2 + 1);
                }
                for arg in args {
                    *arg = NodeId(arg.0 * 2);
                }
            }
            node
        };
        nodes.push(doubled(node));
        nodes.push(doubled(node));
    }
    assert_eq!(nodes.len() as u32, count * 2);
    other.body.nodes = nodes;
    other.body.bindings.clear();
    other.output = NodeId(program.output.0 * 2 + 1);
    other
}

#[test]
fn random_programs_keep_their_meaning_and_have_one_text() {
    let mut rng = random::rng(11);
    let mut values = 0;
    for _ in 0..300 {
        let program = random::program(&mut rng, &random::Options::default());
        let task = random::task(&mut rng);
        let (s, i) = (task.pairs(), task.tests[0].input.to_value());
        let inputs = Inputs { s: &s, i: &i, c: None };
        let canonical = Canonical::of(&program);
        let value = |program: &Program| eval::run(program, &inputs, Policy::Strict).ok();
        let expected = value(&program);
        assert_eq!(value(canonical.program()), expected, "{}", canonical.text());
        values += usize::from(expected.is_some());
        let read = Canonical::read(canonical.text()).unwrap();
        assert_eq!((read.text(), read.hash()), (canonical.text(), canonical.hash()));
        assert_eq!(read.kinds(), canonical.kinds());
        assert_eq!(Canonical::of(&rewritten(&program)).text(), canonical.text());
    }
    assert!(values > 150, "{values}");
}
