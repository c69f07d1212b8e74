//! A program's intermediate values, drawn step by step.

use std::io::Write;

use batt::lang::Program;
use batt::run::reference::eval::{Inputs, Policy};
use batt::steps::{Step, steps};

use crate::context::Context;
use crate::draw;

/// Draws every named value that the output needs, and the output.
pub fn draw(
    program: &Program,
    inputs: &Inputs,
    policy: Policy,
    context: &mut Context,
) -> anyhow::Result<()> {
    let frame = inputs.i.grid_rows().map(|rows| (rows.len(), rows[0].len()));
    for Step { name, line, expression, outcome } in steps(program, inputs, policy) {
        let style = context.style;
        writeln!(context, "{}", style.bold(&format!("{line:>4}  {name} = {expression}")))?;
        match outcome {
            Ok(value) => {
                let blocks = draw::value(&style, "", &value, frame);
                let drawn = draw::beside(&blocks, style.width.saturating_sub(6));
                for line in drawn.lines() {
                    writeln!(context, "{}", format!("      {line}").trim_end())?;
                }
            }
            Err(trouble) => {
                let error = format!("error from line {}: {}", trouble.line, trouble.fault);
                writeln!(context, "      {}", style.bad(&error))?;
            }
        }
    }
    writeln!(context)?;
    Ok(())
}
