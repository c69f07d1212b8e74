//! A program's intermediate values, step by step.

use std::collections::HashMap;
use std::io::Write;

use batt::lang::program::{Body, Callee, Expr};
use batt::lang::{NodeId, Program};
use batt::run::reference::eval::{self, Inputs, Policy};

use crate::context::Context;
use crate::draw;

/// Draws every named value that the output needs, and the output.
pub fn draw(
    program: &Program,
    inputs: &Inputs,
    policy: Policy,
    context: &mut Context,
) -> anyhow::Result<()> {
    let names: HashMap<NodeId, &str> =
        program.body.bindings.iter().map(|b| (b.node, b.name.as_str())).collect();
    let frame = inputs.i.grid_rows().map(|rows| (rows.len(), rows[0].len()));
    for (node, outcome) in eval::trace(program, inputs, policy) {
        let body = &program.body;
        let name = match names.get(&node) {
            Some(name) => name,
            None if node == program.output => "return",
            None => continue,
        };
        let line = body.node(node).line;
        let title = format!("{line:>4}  {name} = {}", text(body, node, &names));
        let style = context.style;
        match outcome {
            Ok(value) => {
                let blocks = draw::value(&style, "", &value, frame);
                let drawn = draw::beside(&blocks, style.width.saturating_sub(6));
                writeln!(context, "{}", style.bold(&title))?;
                for line in drawn.lines() {
                    writeln!(context, "{}", format!("      {line}").trim_end())?;
                }
            }
            Err(trouble) => {
                writeln!(context, "{}", style.bold(&title))?;
                let error = format!("error from line {}: {}", trouble.line, trouble.fault);
                writeln!(context, "      {}", style.bad(&error))?;
            }
        }
    }
    writeln!(context)?;
    Ok(())
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
