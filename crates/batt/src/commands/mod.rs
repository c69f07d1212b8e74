//! One file per command.

mod completions;
mod ops;

use crate::cli::Command;
use crate::context::{Context, Verdict};

/// Does what the command line asks.
pub fn run(command: &Command, context: &mut Context) -> anyhow::Result<Verdict> {
    match command {
        Command::Ops(args) => ops::run(args, context),
        Command::Completions(args) => completions::run(args, context),
        _ => Ok(Verdict::Good),
    }
}
