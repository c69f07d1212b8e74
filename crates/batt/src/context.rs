//! What every command needs: where to write and how to draw.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};

use crate::cli::When;
use crate::draw::{Depth, Style};
use crate::signals;

/// How a command that did its work ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything is solved, or nothing was asked that could fail.
    Good,
    /// Something is not solved, does not hold or could not be read.
    Lacking,
    /// A signal ended it early.
    Interrupted,
}

impl Verdict {
    /// Good if so.
    pub fn good_if(good: bool) -> Verdict {
        if good { Verdict::Good } else { Verdict::Lacking }
    }

    /// The exit code.
    pub fn code(self) -> u8 {
        match self {
            Verdict::Good => 0,
            Verdict::Lacking => 1,
            Verdict::Interrupted => signals::exit_code(),
        }
    }
}

/// Standard output, and how to draw on it. Once nobody reads it any more, which is an error once,
/// what is written is dropped.
pub struct Context {
    /// How to draw on standard output.
    pub style: Style,
    /// Whether every message is written, however many there are.
    pub verbose: bool,
    out: BufWriter<Stdout>,
    reader_left: bool,
    color: When,
}

impl Context {
    /// A context for a choice of colour and of messages.
    pub fn new(color: When, verbose: bool) -> Context {
        let depth = if in_color(color, io::stdout().is_terminal()) {
            let color_term = std::env::var("COLORTERM").ok();
            let term = std::env::var("TERM").ok();
            Depth::detect(color_term.as_deref(), term.as_deref())
        } else {
            Depth::Plain
        };
        let width = terminal_size::terminal_size().map_or(100, |(w, _)| usize::from(w.0));
        let style = Style { depth, width: width.max(20), digits: false };
        let out = BufWriter::new(io::stdout());
        Context { style, verbose, out, reader_left: false, color }
    }

    /// Whether messages on standard error may be coloured.
    pub fn errors_in_color(&self) -> bool {
        in_color(self.color, io::stderr().is_terminal())
    }

    /// Whether nobody reads standard output any more.
    pub fn reader_left(&self) -> bool {
        self.reader_left
    }

    /// Sees whether the reader has left.
    fn seen<T>(&mut self, written: io::Result<T>) -> io::Result<T> {
        let kind = written.as_ref().err().map(io::Error::kind);
        self.reader_left |= kind == Some(io::ErrorKind::BrokenPipe);
        written.map_err(|error| {
            io::Error::new(error.kind(), format!("cannot write to standard output: {error}"))
        })
    }

    /// Writes what is still held back.
    pub fn finish(&mut self) -> anyhow::Result<()> {
        Ok(self.flush()?)
    }
}

impl Write for Context {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.reader_left {
            return Ok(bytes.len());
        }
        let written = self.out.write(bytes);
        self.seen(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.reader_left {
            return Ok(());
        }
        let flushed = self.out.flush();
        self.seen(flushed)
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
