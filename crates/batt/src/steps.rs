//! A program's intermediate values, as text names them.

use std::collections::HashMap;

use crate::draw;
use crate::lang::program::{Body, Callee, Expr};
use crate::lang::{NodeId, Program};
use crate::run::reference::eval::{self, Inputs, Outcome, Policy};

/// A named value of a program, or what it returns.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its name; `return` for an output that has none.
    pub name: String,
    /// The line of its expression, counted from 1.
    pub line: u32,
    /// Its expression.
    pub expression: String,
    /// What came of it.
    pub outcome: Outcome,
}

/// Every named value that the output needs, and the output.
pub fn steps(program: &Program, inputs: &Inputs, policy: Policy) -> Vec<Step> {
    let body = &program.body;
    let names: HashMap<NodeId, &str> =
        body.bindings.iter().map(|b| (b.node, b.name.as_str())).collect();
    let step = |(node, outcome): (NodeId, Outcome)| {
        let name = match names.get(&node) {
            Some(name) => name,
            None if node == program.output => "return",
            None => return None,
        };
        let (line, expression) = (body.node(node).line, text(body, node, &names));
        Some(Step { name: name.to_string(), line, expression, outcome })
    };
    eval::trace(program, inputs, policy).into_iter().filter_map(step).collect()
}

/// What a node computes, with the names that the program gives to its arguments.
fn text(body: &Body, node: NodeId, names: &HashMap<NodeId, &str>) -> String {
    let inner = |id: &NodeId| match names.get(id) {
        Some(name) => (*name).to_string(),
        None => text(body, *id, names),
    };
    match &body.node(node).expr {
        Expr::Input(input) => input.name().to_string(),
        Expr::Const(constant) => constant.get().name.clone(),
        Expr::Literal(value) => draw::shorten(value, 60),
        Expr::Prim(prim) => prim.to_string(),
        Expr::Call { callee, args } => {
            let callee = match callee {
                Callee::Prim(prim) => prim.to_string(),
                Callee::Node(f) => inner(f),
            };
            let args: Vec<String> = args.iter().map(inner).collect();
            format!("{callee}({})", args.join(", "))
        }
    }
}
