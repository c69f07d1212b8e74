//! `batt completions`: a script that lets a shell complete the command line.

use std::io::Write;

use clap::CommandFactory;

use crate::cli::{Cli, CompletionArgs};
use crate::context::{Context, Verdict};

/// Prints the script.
pub fn run(args: &CompletionArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    // The generator panics when it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "batt", &mut script);
    context.write_all(&script)?;
    Ok(Verdict::Good)
}
