//! What is wrong with a text, where, and what to write instead.

use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

/// A range of bytes of a source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

/// One thing that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The function it is in, if it is in one.
    pub function: Option<String>,
    /// Where it is.
    pub span: Span,
    /// Its line, counted from 1.
    pub line: u32,
    /// Its character in the line, counted from 1.
    pub column: u32,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

/// How many characters of a long line are shown before and after the place.
const BEFORE: usize = 60;
const AFTER: usize = 60;

impl Problem {
    /// A problem at some bytes of a source, on a line that the caller knows.
    pub(super) fn new(
        source: &str,
        function: Option<&str>,
        (span, line): (Span, u32),
        message: String,
        hint: Option<String>,
    ) -> Problem {
        let start = floor(source, span.start);
        let before = &source[line_start(source, start)..start];
        let column = before.chars().count() as u32 + 1;
        Problem { function: function.map(shorten), span, line, column, message, hint }
    }

    /// The problem as people read it: the place, the line, a caret and a hint.
    pub fn render(&self, path: &str, source: &str, color: bool) -> String {
        let (shown, caret) = self.window(source);
        let shown_column = shown[..caret.start].chars().count() + 1;
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        let snippet = Snippet::source(shown)
            .path(path)
            .line_start(self.line as usize)
            .fold(false)
            .annotation(AnnotationKind::Primary.span(caret));
        let mut group = Level::ERROR.primary_title(self.message.as_str()).element(snippet);
        if let Some(hint) = &self.hint {
            group = group.element(Level::HELP.with_name("hint").message(hint.as_str()));
        }
        let text = renderer.render(&[group]);
        // The renderer counts columns in what is shown, which may be the middle of a long line.
        let place = |column: usize| format!("{path}:{}:{column}", self.line);
        text.replacen(&place(shown_column), &place(self.column as usize), 1)
    }

    /// The part of the line that is worth showing, and the problem's range in it.
    fn window(&self, source: &str) -> (String, Range<usize>) {
        let start = floor(source, self.span.start);
        let first = line_start(source, start);
        let before = &source[first..start];
        let rest = &source[start..];
        let rest = &rest[..rest.find('\n').unwrap_or(rest.len())];
        let rest = rest.strip_suffix('\r').unwrap_or(rest);
        let left = before.char_indices().rev().nth(BEFORE - 1).map_or(0, |(at, _)| at);
        let right = rest.char_indices().nth(AFTER).map_or(rest.len(), |(at, _)| at);
        let mut shown = String::new();
        if left > 0 {
            shown.push('…');
        }
        shown.push_str(&before[left..]);
        let from = shown.len();
        shown.push_str(&rest[..right]);
        let length = floor(source, self.span.end).saturating_sub(start).clamp(0, right);
        let to = from + floor(&rest[..right], length);
        if right < rest.len() {
            shown.push('…');
        }
        (shown, from..to)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: ", self.line, self.column)?;
        if let Some(function) = &self.function {
            write!(f, "{function}: ")?;
        }
        f.write_str(&self.message)
    }
}

impl std::error::Error for Problem {}

/// Names are quoted in messages; nobody wants to read a megabyte of one.
pub(super) fn shorten(name: &str) -> String {
    match name.char_indices().nth(60) {
        Some((at, _)) => format!("{}…", &name[..at]),
        None => name.to_string(),
    }
}

fn line_start(source: &str, at: usize) -> usize {
    source.as_bytes()[..at].iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1)
}

/// The last character boundary at or before a byte.
fn floor(source: &str, at: usize) -> usize {
    let mut at = at.min(source.len());
    while !source.is_char_boundary(at) {
        at -= 1;
    }
    at
}
