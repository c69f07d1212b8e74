//! The `batt` command.

// Output goes through the context, messages through `tell!`: both know that a reader may leave.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod cli;
mod commands;
mod context;
mod draw;
mod failure;
mod output;
mod signals;
mod tell;

use std::process::ExitCode;
use std::sync::atomic::Ordering;

use batt::evolve::archive::Waiting;
use clap::Parser;

use crate::cli::Cli;
use crate::context::Context;

/// Enough for the deepest nesting that the limits let a value or a program have.
const STACK: usize = 256 << 20;

#[allow(unsafe_code)]
fn main() -> ExitCode {
    // SAFETY: no other thread has been started.
    unsafe { batt::run::engine::cuda::ask_for_queues() };
    signals::survive_limits();
    let cli = Cli::parse();
    let work = std::thread::Builder::new().stack_size(STACK).spawn(move || start(&cli));
    match work.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        Ok(Err(_)) => ExitCode::from(2),
        Err(error) => {
            tell::tell!("error: cannot start a thread: {error}");
            ExitCode::from(2)
        }
    }
}

fn start(cli: &Cli) -> ExitCode {
    let stop = || signals::STOP.load(Ordering::Relaxed);
    Waiting { stop, tell: |words| tell::tell!("{words}"), ..Waiting::default() }.set();
    let mut context = Context::new(cli.color, cli.verbose);
    let result = commands::run(&cli.command, &mut context).and_then(|verdict| {
        context.finish()?;
        Ok(verdict)
    });
    match result {
        Ok(verdict) => ExitCode::from(verdict.code()),
        // Whoever read our output has seen enough: `batt ops | head`.
        Err(_) if context.reader_left() => ExitCode::SUCCESS,
        Err(error) => {
            failure::print(&error, context.errors_in_color());
            ExitCode::from(2)
        }
    }
}
