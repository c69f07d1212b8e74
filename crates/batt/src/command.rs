//! The `batt` command: reads the command line, does what it asks, and says how that ended.

use std::ffi::OsString;
use std::sync::atomic::Ordering;

use clap::Parser;

use crate::cli::Cli;
use crate::context::Context;
use crate::evolve::archive::Waiting;
use crate::{commands, failure, signals, tell};

/// Enough for the deepest nesting that the limits let a value or a program have.
const STACK: usize = 256 << 20;

/// Runs the command with these arguments, the first of which is its name, and gives its exit code. What is
/// wrong with them, and what help they ask for, is printed.
pub fn run(args: impl IntoIterator<Item = OsString>) -> u8 {
    signals::survive_limits();
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(said) => {
            // Nobody may be there to read it.
            let _ = said.print();
            return said.exit_code() as u8;
        }
    };
    let work = std::thread::Builder::new().stack_size(STACK).spawn(move || start(&cli));
    match work.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        Ok(Err(_)) => 2,
        Err(error) => {
            tell::tell!("error: cannot start a thread: {error}");
            2
        }
    }
}

fn start(cli: &Cli) -> u8 {
    let stop = || signals::STOP.load(Ordering::Relaxed);
    Waiting { stop, tell: |words| tell::tell!("{words}"), ..Waiting::default() }.set();
    let mut context = Context::new(cli.color, cli.verbose);
    let result = commands::run(&cli.command, &mut context).and_then(|verdict| {
        context.finish()?;
        Ok(verdict)
    });
    match result {
        Ok(verdict) => verdict.code(),
        // Whoever read our output has seen enough: `batt ops | head`.
        Err(_) if context.reader_left() => 0,
        Err(error) => {
            failure::print(&error, context.errors_in_color());
            2
        }
    }
}
