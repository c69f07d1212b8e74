//! Text to tokens, and tokens to logical lines.
//!
//! The lexer never fails: what it cannot read becomes a token that the parser reports if it gets
//! there, so that nonsense in skipped code (an `except` block) does no harm.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tok {
    /// A name or a keyword.
    Name,
    /// A whole number.
    Int,
    /// Any other number.
    Float,
    /// A string.
    Str,
    /// A string with a prefix: f, b, r, …
    PrefixedStr,
    /// A string whose closing quote is missing.
    OpenStr,
    /// A bracket, a separator or another sign of one character that the grammar knows.
    Sym(u8),
    /// Any other operator.
    Op,
    /// A character that Python has no use for.
    Bad,
}

/// A token: what, where, and on which line, counted from 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub tok: Tok,
    pub start: u32,
    pub end: u32,
    pub line: u32,
}

impl Token {
    pub fn is(self, sign: u8) -> bool {
        self.tok == Tok::Sym(sign)
    }

    pub fn text(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or_default()
    }
}

/// A logical line: one or more physical lines joined by brackets or backslashes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// Its tokens; never empty.
    pub first: usize,
    pub last: usize,
    pub indent: Indent,
}

/// Indentation, counted twice: with tabs as eight columns and as one. Two indents can be compared
/// only where both counts agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Indent {
    pub wide: u32,
    pub narrow: u32,
}

/// The tokens of a file and its logical lines.
pub(super) struct Lexed {
    pub tokens: Vec<Token>,
    pub lines: Vec<Line>,
}

/// Cuts a text of less than 4 GiB into tokens.
pub(super) fn lex(source: &str) -> Lexed {
    let at = if source.starts_with('\u{feff}') { 3 } else { 0 };
    let mut lexer = Lexer {
        source,
        bytes: source.as_bytes(),
        at,
        line: 1,
        depth: 0,
        open: None,
        unclosed: [false; 2],
        out: Lexed { tokens: Vec::with_capacity(source.len() / 4), lines: Vec::new() },
    };
    lexer.run();
    lexer.out
}

struct Lexer<'s> {
    source: &'s str,
    bytes: &'s [u8],
    at: usize,
    line: u32,
    depth: usize,
    /// The first token and the indent of the logical line being read.
    open: Option<(usize, Indent)>,
    /// Whether a search for a closing `'''` or `"""` came back empty; it need not be made again.
    unclosed: [bool; 2],
    out: Lexed,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn run(&mut self) {
        let mut indent = self.indentation();
        while self.at < self.bytes.len() {
            match self.peek(0) {
                b'\n' => {
                    self.at += 1;
                    self.line += 1;
                    if self.depth == 0 || self.starts_anew() {
                        self.end_line();
                        indent = self.indentation();
                    }
                }
                b' ' | b'\t' | b'\r' | b'\x0c' => self.at += 1,
                b'#' => self.skip_to_newline(),
                b'\\' if matches!((self.peek(1), self.peek(2)), (b'\n', _) | (b'\r', b'\n')) => {
                    self.at += if self.peek(1) == b'\n' { 2 } else { 3 };
                    self.line += 1;
                }
                _ => {
                    self.open.get_or_insert((self.out.tokens.len(), indent));
                    self.token();
                }
            }
        }
        self.end_line();
    }

    fn end_line(&mut self) {
        self.depth = 0;
        if let Some((first, indent)) = self.open.take() {
            self.out.lines.push(Line { first, last: self.out.tokens.len(), indent });
        }
    }

    /// Whether a keyword that only begins a statement stands at the margin: a bracket that is still
    /// open there was never closed, and what follows must not be lost with it.
    fn starts_anew(&self) -> bool {
        ["def ", "class ", "import ", "from ", "async "]
            .iter()
            .any(|word| self.bytes[self.at..].starts_with(word.as_bytes()))
    }

    fn indentation(&mut self) -> Indent {
        let mut indent = Indent::default();
        loop {
            match self.peek(0) {
                b' ' => indent.wide += 1,
                b'\t' => indent.wide = (indent.wide / 8 + 1) * 8,
                b'\x0c' => indent = Indent::default(),
                _ => return indent,
            }
            if self.peek(0) != b'\x0c' {
                indent.narrow += 1;
            }
            self.at += 1;
        }
    }

    fn skip_to_newline(&mut self) {
        while self.at < self.bytes.len() && self.bytes[self.at] != b'\n' {
            self.at += 1;
        }
    }

    fn token(&mut self) {
        let (start, line) = (self.at, self.line);
        let tok = match self.peek(0) {
            b'0'..=b'9' => self.number(),
            b'.' if self.peek(1).is_ascii_digit() => self.number(),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => self.name(),
            quote @ (b'\'' | b'"') => self.string(quote),
            _ => self.sign(),
        };
        let (start, end) = (start as u32, self.at as u32);
        self.out.tokens.push(Token { tok, start, end, line });
    }

    fn number(&mut self) -> Tok {
        let start = self.at;
        while matches!(self.peek(0), b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'.') {
            let exponent = matches!(self.peek(0), b'e' | b'E') && self.peek(1) != 0;
            self.at += 1;
            if exponent && matches!(self.peek(0), b'+' | b'-') {
                self.at += 1;
            }
        }
        let text = &self.bytes[start..self.at];
        let whole = text.iter().all(|b| b.is_ascii_digit() || *b == b'_');
        let based =
            text[0] == b'0' && matches!(text.get(1), Some(b'x' | b'X' | b'b' | b'B' | b'o' | b'O'));
        if whole || based { Tok::Int } else { Tok::Float }
    }

    fn name(&mut self) -> Tok {
        let rest = &self.source[self.at..];
        let length = rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len());
        if length == 0 {
            self.at += rest.chars().next().map_or(1, char::len_utf8);
            return Tok::Bad;
        }
        self.at += length;
        let prefix = length <= 2 && rest[..length].bytes().all(|b| b"rRbBuUfFtT".contains(&b));
        match self.peek(0) {
            quote @ (b'\'' | b'"') if prefix => match self.string(quote) {
                Tok::Str => Tok::PrefixedStr,
                other => other,
            },
            _ => Tok::Name,
        }
    }

    fn string(&mut self, quote: u8) -> Tok {
        if self.peek(1) == quote && self.peek(2) == quote {
            return self.long_string(quote);
        }
        self.at += 1;
        while self.at < self.bytes.len() {
            match self.peek(0) {
                b'\n' => return Tok::OpenStr,
                b'\\' if self.peek(1) != b'\n' => self.at += 2,
                b'\\' => {
                    self.at += 2;
                    self.line += 1;
                }
                b if b == quote => {
                    self.at += 1;
                    return Tok::Str;
                }
                _ => self.at += 1,
            }
        }
        self.at = self.bytes.len();
        Tok::OpenStr
    }

    fn long_string(&mut self, quote: u8) -> Tok {
        let seen = usize::from(quote == b'"');
        let mut end = self.at + 3;
        let close = [quote; 3];
        while !self.unclosed[seen] && end < self.bytes.len() {
            match self.bytes[end] {
                b'\\' => end += 2,
                b if b == quote && self.bytes[end..].starts_with(&close) => {
                    self.line += self.source[self.at..end].matches('\n').count() as u32;
                    self.at = end + 3;
                    return Tok::Str;
                }
                _ => end += 1,
            }
        }
        self.unclosed[seen] = true;
        self.skip_to_newline();
        Tok::OpenStr
    }

    fn sign(&mut self) -> Tok {
        const LONG: [&str; 24] = [
            "**=", "//=", ">>=", "<<=", "...", "**", "//", ">>", "<<", "==", "!=", "<=", ">=",
            "->", ":=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=",
        ];
        let rest = &self.bytes[self.at..];
        if let Some(long) = LONG.iter().find(|long| rest.starts_with(long.as_bytes())) {
            self.at += long.len();
            return Tok::Op;
        }
        self.at += 1;
        match rest[0] {
            sign @ (b'(' | b'[' | b'{') => {
                self.depth += 1;
                Tok::Sym(sign)
            }
            sign @ (b')' | b']' | b'}') => {
                self.depth = self.depth.saturating_sub(1);
                Tok::Sym(sign)
            }
            sign @ (b',' | b':' | b';' | b'=' | b'.' | b'-' | b'*' | b'@') => Tok::Sym(sign),
            b'+' | b'/' | b'%' | b'&' | b'|' | b'^' | b'~' | b'<' | b'>' => Tok::Op,
            _ => Tok::Bad,
        }
    }
}
