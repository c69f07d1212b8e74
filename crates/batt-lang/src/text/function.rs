//! The statements of one function.

use std::collections::{HashMap, HashSet};

use super::doubt::Note;
use super::hints;
use super::lexer::{Indent, Line, Tok, Token};
use super::problem::{Problem, Span, shorten};
use crate::program::{Binding, Body, Expr, Input, Node, NodeId, OutputDecl, ScoreDecl};

/// A statement that could not be read; the problem is on the list already.
pub(super) struct Skip;

pub(super) type Parsed<T> = Result<T, Skip>;

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Slot {
    /// A value.
    Node(NodeId),
    /// A value whose line could not be read: using it is no further problem.
    Broken,
    /// The same in the generated form, by its place among the doubts: a problem where it is needed.
    Doubtful(usize),
    /// The list of outputs or of scores of the generated form.
    List,
    /// `task_id` or `log_path`: no value of the language.
    Text,
}

/// How a function ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Returned {
    Node(NodeId),
    Lists,
}

/// Past this many problems in one function the rest of it is left alone.
const MAX_PROBLEMS: usize = 20;

/// A function while it is read.
pub(super) struct Function<'s> {
    pub source: &'s str,
    pub tokens: &'s [Token],
    /// The next token, and the end of the logical line.
    pub at: usize,
    pub end: usize,
    pub name: Option<&'s str>,
    /// All function names of the file, for hints.
    pub functions: &'s HashSet<&'s str>,
    pub vars: HashMap<&'s str, Slot>,
    /// Every name that the function assigns, with the line of the first assignment. Python takes
    /// such a name for a local variable everywhere in the function.
    pub assigned: HashMap<&'s str, u32>,
    pub depth: usize,
    pub body: Body,
    pub outputs: Vec<OutputDecl>,
    pub scores: Vec<ScoreDecl>,
    pub returned: Option<Returned>,
    pub problems: Vec<Problem>,
    /// Whether its parameters are those of the generated form,
    pub generated: bool,
    /// for many samples at once.
    pub many: bool,
    /// Whether a line stands in a `try:`.
    pub tries: bool,
    /// The first line whose indentation Python would not read.
    pub crooked: Option<u32>,
    /// Lines that could not be read, in the generated form,
    pub doubts: Vec<Problem>,
    /// the one just met,
    pub doubt: Option<usize>,
    /// and those that an output needs.
    pub lost: Vec<Problem>,
    pub notes: Vec<Note>,
    /// How many calls of `batch_…` are open, whose arguments may be lists of one.
    pub lists: usize,
}

impl<'s> Function<'s> {
    pub fn new(
        source: &'s str,
        tokens: &'s [Token],
        name: Option<&'s str>,
        functions: &'s HashSet<&'s str>,
    ) -> Function<'s> {
        Function {
            source,
            tokens,
            at: 0,
            end: 0,
            name,
            functions,
            vars: HashMap::new(),
            assigned: HashMap::new(),
            depth: 0,
            body: Body::default(),
            outputs: Vec::new(),
            scores: Vec::new(),
            returned: None,
            problems: Vec::new(),
            generated: false,
            many: false,
            tries: false,
            crooked: None,
            doubts: Vec::new(),
            doubt: None,
            lost: Vec::new(),
            notes: Vec::new(),
            lists: 0,
        }
    }

    /// Makes an input known under its own name.
    pub fn input(&mut self, input: Input, line: u32) {
        let node = self.push(Expr::Input(input), line);
        self.vars.insert(input.name(), Slot::Node(node));
    }

    pub fn push(&mut self, expr: Expr, line: u32) -> NodeId {
        let id = NodeId(self.body.nodes.len() as u32);
        self.body.nodes.push(Node { expr, line });
        id
    }

    pub fn text(&self, token: Token) -> &'s str {
        token.text(self.source)
    }

    pub fn peek(&self) -> Option<Token> {
        self.ahead(0)
    }

    pub fn ahead(&self, n: usize) -> Option<Token> {
        let at = self.at + n;
        if at < self.end { self.tokens.get(at).copied() } else { None }
    }

    pub fn next_is(&self, n: usize, sign: u8) -> bool {
        self.ahead(n).is_some_and(|t| t.is(sign))
    }

    pub fn word(&self, n: usize) -> Option<&'s str> {
        self.ahead(n).filter(|t| t.tok == Tok::Name).map(|t| self.text(t))
    }

    /// Steps over a sign if it is next.
    pub fn eat(&mut self, sign: u8) -> bool {
        let found = self.next_is(0, sign);
        self.at += usize::from(found);
        found
    }

    /// The next token, or the one before where the line ends: what an error points at.
    pub fn here(&self) -> Token {
        self.peek().unwrap_or_else(|| {
            let mut last = self.tokens[self.at.min(self.end).saturating_sub(1)];
            last.start = last.end;
            last
        })
    }

    pub fn problem(&mut self, token: Token, message: impl Into<String>, hint: Option<String>) {
        if self.problems.len() < MAX_PROBLEMS {
            let span = Span { start: token.start as usize, end: token.end as usize };
            let at = (span, token.line);
            self.problems.push(Problem::new(self.source, self.name, at, message.into(), hint));
        }
    }

    pub fn fail<T>(&mut self, token: Token, message: impl Into<String>, hint: &str) -> Parsed<T> {
        let hint = (!hint.is_empty()).then(|| hint.to_string());
        self.problem(token, message, hint);
        Err(Skip)
    }

    /// Reports the next token as something that cannot stand here.
    pub fn unexpected<T>(&mut self, wanted: &str) -> Parsed<T> {
        let token = self.here();
        let text = self.text(token);
        match token.tok {
            _ if text.is_empty() => self.fail(token, format!("expected {wanted}"), ""),
            Tok::OpenStr => {
                let hint = "strings name tasks and differs in the generated form only";
                self.fail(token, "this string is never closed", hint)
            }
            Tok::Bad => {
                let text = text.escape_default().to_string();
                self.fail(token, format!("unexpected character `{text}`"), "")
            }
            _ => self.fail(token, format!("expected {wanted}, found `{}`", shorten(text)), ""),
        }
    }

    /// Reads the lines of the body, all of them indented deeper than the `def`.
    pub fn lines(&mut self, lines: &[Line]) {
        self.find_assigned(lines);
        let mut indents = match lines.first() {
            Some(line) => vec![line.indent],
            None => return,
        };
        let mut opens = false;
        let mut at = 0;
        while at < lines.len() && self.returned.is_none() && self.problems.len() < MAX_PROBLEMS {
            let line = &lines[at];
            self.at = line.first;
            self.end = line.last;
            self.indentation(line, &mut indents, opens);
            opens = false;
            at += 1;
            match self.word(0) {
                Some("try") if self.next_is(1, b':') => {
                    self.at += 2;
                    self.tries = true;
                    opens = self.peek().is_none();
                    self.statements();
                }
                Some("except") => at = skip_block(lines, at),
                Some(word) if self.begins_block(word) => {
                    let token = self.here();
                    if let Some((message, hint)) = hints::keyword(word) {
                        self.problem(token, message, Some(hint.to_string()));
                    }
                    let after = skip_block(lines, at);
                    self.break_names(&lines[at..after], Slot::Broken);
                    at = after;
                }
                _ => self.statements(),
            }
        }
    }

    fn begins_block(&self, word: &str) -> bool {
        let block = matches!(
            word,
            "for"
                | "while"
                | "if"
                | "elif"
                | "else"
                | "with"
                | "class"
                | "def"
                | "async"
                | "finally"
        );
        let ends_in_colon = || self.tokens[self.at..self.end].last().is_some_and(|t| t.is(b':'));
        block || (word == "match" && !self.next_is(1, b'=') && ends_in_colon())
    }

    fn indentation(&mut self, line: &Line, indents: &mut Vec<Indent>, opens: bool) {
        let token = self.here();
        let indent = line.indent;
        let deeper = |than: Indent| indent.wide > than.wide;
        while indents.len() > 1 && indents.last().is_some_and(|top| indent.wide < top.wide) {
            indents.pop();
        }
        let Some(&top) = indents.last() else { return };
        if deeper(top) {
            if !opens && self.generated {
                self.crooked.get_or_insert(token.line);
            } else if !opens {
                self.problem(
                    token,
                    "unexpected indentation",
                    Some("every line of a function starts in the same column".into()),
                );
            }
            indents.push(indent);
        } else if opens {
            self.problem(token, "expected an indented line after `try:`", None);
        } else if indent.wide != top.wide && self.generated {
            self.crooked.get_or_insert(token.line);
        } else if indent.wide != top.wide {
            let hint = "every line of a function starts in the same column";
            self.problem(token, "this indentation matches no line above", Some(hint.into()));
            indents.push(indent);
        } else if indent.narrow != top.narrow {
            let hint = "indent with spaces only";
            self.problem(token, "tabs and spaces are mixed in the indentation", Some(hint.into()));
        }
    }

    /// Notes every name that the lines assign.
    fn find_assigned(&mut self, lines: &[Line]) {
        for line in lines {
            for (name, at) in assignments(self.source, self.tokens, line) {
                self.assigned.entry(name).or_insert(at);
            }
        }
    }

    pub fn break_names(&mut self, lines: &[Line], broken: Slot) {
        for line in lines {
            for (name, _) in assignments(self.source, self.tokens, line) {
                let name = self.key(name);
                self.vars.insert(name, broken);
            }
        }
    }

    /// The statements of one logical line.
    pub fn statements(&mut self) {
        while self.at < self.end && self.returned.is_none() {
            let first = self.at;
            if self.statement().is_err() {
                let line = Line { first, last: self.end, indent: Indent::default() };
                self.break_line(line);
                // A bracket may be open; what follows on the line is not worth guessing at.
                self.at = self.end;
            }
        }
    }

    fn statement(&mut self) -> Parsed<()> {
        let token = self.here();
        match self.word(0) {
            Some("return") => self.return_statement()?,
            Some("pass") => self.at += 1,
            Some(list @ ("o" | "s")) if self.next_is(1, b'.') && self.word(2) == Some("append") => {
                self.append(list)?;
            }
            Some(word) if hints::reserved(word) => match hints::keyword(word) {
                Some((message, hint)) if word != "lambda" => {
                    return self.unread(token, message, hint);
                }
                _ => {
                    self.expression_list()?;
                }
            },
            Some(name) if self.next_is(1, b'=') || self.next_is(1, b':') => {
                self.assignment(name)?;
            }
            // A docstring, or a comment written as one.
            None if matches!(token.tok, Tok::Str | Tok::PrefixedStr) => self.at += 1,
            _ => self.bare_expression()?,
        }
        if self.peek().is_none() || self.eat(b';') {
            return Ok(());
        }
        self.unexpected("the end of the line")
    }

    /// An expression whose value nobody keeps, or an assignment to more than a name.
    fn bare_expression(&mut self) -> Parsed<()> {
        let token = self.here();
        if let Some(sign) = self.ahead(1).filter(|t| t.tok == Tok::Op) {
            let text = self.text(sign);
            if let Some(hint) = hints::update(text) {
                let hint = format!("{hint} and give the result a name");
                return self.fail(sign, format!("`{text}` is not supported"), &hint);
            }
        }
        if self.several()? {
            return Ok(());
        }
        let hint = "assign to one plain name; take items with first, second or last";
        if self.next_is(1, b',') && self.tokens[self.at..self.end].iter().any(|t| t.is(b'=')) {
            return self.fail(token, "assignment to several names is not supported", hint);
        }
        self.expression_list()?;
        if self.next_is(0, b'=') {
            return self.fail(token, "this cannot be assigned to", hint);
        }
        Ok(())
    }

    fn assignment(&mut self, name: &'s str) -> Parsed<()> {
        let token = self.here();
        let mut names = vec![(name, token)];
        self.at += 1;
        if self.eat(b':') {
            self.skip_annotation(b'=');
        }
        if !self.eat(b'=') {
            return self.unexpected("`=`");
        }
        while let (Some(word), true) = (self.word(0), self.next_is(1, b'=')) {
            names.push((word, self.here()));
            self.at += 2;
        }
        if let Some(&(name, at)) = names.iter().find(|(name, _)| hints::reserved(name)) {
            return self.fail(
                at,
                format!("`{name}` is a word of Python and cannot be assigned"),
                "",
            );
        }
        if self.next_is(0, b'[') && self.next_is(1, b']') && matches!(name, "o" | "s") {
            self.at += 2;
            self.vars.insert(name, Slot::List);
            return Ok(());
        }
        let value = self.expression_list()?;
        let node = self.node(value, token.line);
        for (name, token) in names {
            let name = self.key(name);
            self.vars.insert(name, Slot::Node(node));
            self.body.bindings.push(Binding { name: name.to_string(), node, line: token.line });
        }
        Ok(())
    }

    /// Steps over an annotation, up to a sign outside brackets.
    pub fn skip_annotation(&mut self, until: u8) {
        let mut depth = 0_usize;
        while let Some(token) = self.peek() {
            match token.tok {
                Tok::Sym(sign) if depth == 0 && (sign == until || b",)=".contains(&sign)) => return,
                Tok::Sym(b'(' | b'[' | b'{') => depth += 1,
                Tok::Sym(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
        }
    }

    fn return_statement(&mut self) -> Parsed<()> {
        let token = self.here();
        self.at += 1;
        if self.peek().is_none() || self.next_is(0, b';') {
            return self.fail(token, "nothing is returned", "return the output: `return O`");
        }
        if self.returns_lists() {
            self.returned = Some(Returned::Lists);
            return Ok(());
        }
        let value = self.expression_list()?;
        let node = self.node(value, token.line);
        self.returned = Some(Returned::Node(node));
        Ok(())
    }

    pub fn expect(&mut self, sign: u8) -> Parsed<()> {
        if self.eat(sign) { Ok(()) } else { self.unexpected(&format!("`{}`", char::from(sign))) }
    }
}

/// The names that a logical line assigns, with their lines.
fn assignments<'s>(source: &'s str, tokens: &[Token], line: &Line) -> Vec<(&'s str, u32)> {
    let tokens = &tokens[line.first..line.last];
    let (mut names, several) = (Vec::new(), several(tokens));
    for (at, token) in tokens.iter().enumerate() {
        // A statement begins the line, or follows `;`, the colon of `try:`, or a chained `=`.
        let begins = at == 0
            || at < several
            || tokens[at - 1].is(b';')
            || (at == 2 && tokens[1].is(b':') && tokens[0].text(source) == "try")
            || (tokens[at - 1].is(b'=')
                && names.last().is_some_and(|&(_, _, last)| last + 2 == at));
        let assigns = tokens.get(at + 1).is_some_and(|t| t.is(b'=') || t.is(b':')) || at < several;
        if token.tok == Tok::Name && begins && assigns && !hints::reserved(token.text(source)) {
            names.push((token.text(source), token.line, at));
        }
    }
    names.into_iter().map(|(name, line, _)| (name, line)).collect()
}

/// Where the `=` of `a, b = …` is, if a line begins like that.
fn several(tokens: &[Token]) -> usize {
    let is_name = |at: usize| tokens.get(at).is_some_and(|t| t.tok == Tok::Name);
    let is = |at: usize, sign: u8| tokens.get(at).is_some_and(|t| t.is(sign));
    let mut end = 1;
    while is_name(end - 1) && is(end, b',') && is_name(end + 1) {
        end += 2;
    }
    if end > 1 && is(end, b'=') { end } else { 0 }
}

/// The first line after `at` that is not indented deeper than the line before `at`.
pub(super) fn skip_block(lines: &[Line], at: usize) -> usize {
    let head = lines[at - 1].indent.wide;
    let inside = lines[at..].iter().take_while(|line| line.indent.wide > head).count();
    at + inside
}
