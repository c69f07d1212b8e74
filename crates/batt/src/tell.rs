//! Messages on standard error. A run does not end because nobody reads them any more.

use std::fmt;
use std::io::{self, Write};

/// How many messages of one kind are written unless all are asked for.
const SHOWN: usize = 20;

/// Writes a line to standard error, as `eprintln!` does, which panics where the reader has left.
macro_rules! tell {
    ($($words:tt)*) => {
        $crate::tell::line(format_args!($($words)*))
    };
}
pub(crate) use tell;

/// Writes a line. That it cannot be written is nothing that could be told.
pub fn line(words: fmt::Arguments) {
    let _ = writeln!(io::stderr().lock(), "{words}");
}

/// Messages of which there may be thousands: the first are written, the others counted.
pub struct Messages {
    /// What one of them is called, and several.
    names: [&'static str; 2],
    limit: usize,
    count: usize,
}

impl Messages {
    /// None yet. `all` writes every one.
    pub fn new(names: [&'static str; 2], all: bool) -> Messages {
        Messages { names, limit: if all { usize::MAX } else { SHOWN }, count: 0 }
    }

    /// Writes a message, unless enough of them were.
    pub fn tell(&mut self, words: fmt::Arguments) {
        self.count += 1;
        if self.count <= self.limit {
            line(words);
        }
    }
}

impl Drop for Messages {
    /// Counts what was not written.
    fn drop(&mut self) {
        let [one, many] = self.names;
        match self.count.saturating_sub(self.limit) {
            0 => {}
            more => {
                let name = if more == 1 { one } else { many };
                tell!("and {more} more {name}; --verbose writes all of them");
            }
        }
    }
}
