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

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
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
    let cli = Cli::parse_from(spread(std::env::args_os().collect()));
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

/// Commands whose other arguments are files, so that what follows `--task` can be told from them.
const OF_FILES: [&str; 6] = ["run", "card", "verify", "evolve", "submit", "solve"];

/// `--task a b c` as `--task a --task b --task c`: what follows and is no option and no file names a task.
fn spread(args: Vec<OsString>) -> Vec<OsString> {
    let command = args.get(1).and_then(|word| word.to_str());
    if !command.is_some_and(|word| OF_FILES.contains(&word)) {
        return args;
    }
    let is_task = |word: &OsString| {
        let text = word.to_string_lossy();
        let is_file =
            text.contains(['/', '\\']) || text.contains(".py") || Path::new(word).exists();
        !text.starts_with('-') && !is_file
    };
    let mut out: Vec<OsString> = Vec::with_capacity(args.len());
    // Whether a task's name is due, or more of them may follow.
    let (mut due, mut more) = (false, false);
    for word in args {
        if more && is_task(&word) {
            out.push("--task".into());
        } else {
            more = due;
        }
        due = word == "--task";
        out.push(word);
    }
    out
}

/// What to type first.
fn start_page(context: &mut Context) -> ExitCode {
    match writeln!(context, "{}", cli::START)
        .map_err(anyhow::Error::from)
        .and_then(|()| context.finish())
    {
        Err(error) if !context.reader_left() => {
            failure::print(&error, context.errors_in_color());
            ExitCode::from(2)
        }
        _ => ExitCode::SUCCESS,
    }
}

fn start(cli: &Cli) -> ExitCode {
    let stop = || signals::STOP.load(Ordering::Relaxed);
    Waiting { stop, tell: |words| tell::tell!("{words}"), ..Waiting::default() }.set();
    let mut context = Context::new(cli.color, cli.verbose);
    let Some(command) = &cli.command else {
        return start_page(&mut context);
    };
    let result = commands::run(command, &mut context).and_then(|verdict| {
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
