//! What every command needs: where to write and how to draw.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use crate::cli::When;
use crate::draw::{Depth, Style};

/// How a command that did its work ended; the number is the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Verdict {
    /// Everything is solved, or nothing was asked that could fail.
    Good = 0,
    /// Something is not solved, does not hold or could not be read.
    Lacking = 1,
    /// Ctrl-C ended it early.
    Interrupted = 130,
}

impl Verdict {
    /// Good if so.
    pub fn good_if(good: bool) -> Verdict {
        if good { Verdict::Good } else { Verdict::Lacking }
    }
}

/// Standard output, and how to draw on it.
pub struct Context {
    /// How to draw on standard output.
    pub style: Style,
    out: BufWriter<Stdout>,
    color: When,
}

impl Context {
    /// A context for a choice of colour.
    pub fn new(color: When) -> Context {
        let depth = if in_color(color, io::stdout().is_terminal()) {
            let color_term = std::env::var("COLORTERM").ok();
            let term = std::env::var("TERM").ok();
            Depth::detect(color_term.as_deref(), term.as_deref())
        } else {
            Depth::Plain
        };
        let width = terminal_size::terminal_size().map_or(100, |(w, _)| usize::from(w.0));
        let style = Style { depth, width: width.max(20), digits: false };
        Context { style, out: BufWriter::new(io::stdout()), color }
    }

    /// Whether messages on standard error may be coloured.
    pub fn errors_in_color(&self) -> bool {
        in_color(self.color, io::stderr().is_terminal())
    }

    /// Writes what is still held back.
    pub fn finish(&mut self) -> anyhow::Result<()> {
        Ok(self.out.flush()?)
    }
}

impl Write for Context {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn in_color(color: When, terminal: bool) -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    match color {
        When::Always => true,
        When::Never => false,
        When::Auto => {
            terminal && !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|t| t != "dumb")
        }
    }
}
