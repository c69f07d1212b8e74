//! The `batt` command.

mod cli;
mod commands;
mod context;
mod draw;
mod failure;

use std::process::ExitCode;

use clap::Parser;

use crate::cli::Cli;
use crate::context::Context;

/// Enough for the deepest nesting that the limits let a value or a program have.
const STACK: usize = 256 << 20;

#[allow(unsafe_code)]
fn main() -> ExitCode {
    // SAFETY: no other thread has been started.
    unsafe { batt::run::engine::cuda::ask_for_queues() };
    let cli = Cli::parse();
    let work = std::thread::Builder::new().stack_size(STACK).spawn(move || start(&cli));
    match work.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        Ok(Err(_)) => ExitCode::from(2),
        Err(error) => {
            eprintln!("error: cannot start a thread: {error}");
            ExitCode::from(2)
        }
    }
}

fn start(cli: &Cli) -> ExitCode {
    let mut context = Context::new(cli.color);
    let result = commands::run(&cli.command, &mut context).and_then(|verdict| {
        context.finish()?;
        Ok(verdict)
    });
    match result {
        Ok(verdict) => ExitCode::from(verdict as u8),
        // Whoever read our output has seen enough: `batt ops | head`.
        Err(error) if failure::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            failure::print(&error, context.errors_in_color());
            ExitCode::from(2)
        }
    }
}
