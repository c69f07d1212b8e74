//! What every report says of an engine's devices: what was chosen and why, what they did, what failed.

use std::io::Write;

use batt::run::engine::Engine;
use batt::run::engine::spent::Notes;

use crate::context::Context;
use crate::tell::Messages;

/// What there is to say of an engine; what failed is told on standard error.
pub fn of(engine: &dyn Engine) -> Notes {
    let notes = Notes::of(engine);
    let mut warnings = Messages::new(["warning", "warnings"], false);
    for why in &notes.trouble {
        warnings.tell(format_args!("warning: {why}; the CPU did the rest"));
    }
    notes
}

/// Prints it, a line each.
pub fn print(notes: &Notes, indent: &str, context: &mut Context) -> anyhow::Result<()> {
    for (what, line) in notes.lines() {
        writeln!(context, "{indent}{what:<8} {line}")?;
    }
    Ok(())
}
