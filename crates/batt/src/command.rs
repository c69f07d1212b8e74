//! The `batt` command: reads the command line, does what it asks, and says how that ended.

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::Ordering;

use clap::Parser;

use crate::cli::{Cli, START};
use crate::context::Context;
use crate::evolve::archive::Waiting;
use crate::{commands, failure, signals, tell};

/// Enough for the deepest nesting that the limits let a value or a program have.
const STACK: usize = 256 << 20;

/// Runs the command with these arguments, the first of which is its name, and gives its exit code. What is
/// wrong with them, and what help they ask for, is printed.
pub fn run(args: impl IntoIterator<Item = OsString>) -> u8 {
    signals::survive_limits();
    let cli = match Cli::try_parse_from(spread(args.into_iter().collect())) {
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
fn start_page(context: &mut Context) -> u8 {
    match writeln!(context, "{START}").map_err(anyhow::Error::from).and_then(|()| context.finish())
    {
        Err(error) if !context.reader_left() => {
            failure::print(&error, context.errors_in_color());
            2
        }
        _ => 0,
    }
}

fn start(cli: &Cli) -> u8 {
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
        Ok(verdict) => verdict.code(),
        // Whoever read our output has seen enough: `batt ops | head`.
        Err(_) if context.reader_left() => 0,
        Err(error) => {
            failure::print(&error, context.errors_in_color());
            2
        }
    }
}
