//! Files: what stands at the margin, and which lines belong to which function.

use std::collections::HashSet;

use super::doubt::{Note, SAMPLES};
use super::function::{Function, Returned, Slot, skip_block};
use super::hints;
use super::lexer::{Indent, Lexed, Line, Tok, Token, lex};
use super::problem::{Problem, Span, shorten};
use crate::program::{Definition, Generated, Input, Program, task_of};

/// What a file holds: the functions that could be read, and what could not.
#[derive(Clone, Debug, Default)]
pub struct Module {
    /// The functions, in source order.
    pub definitions: Vec<Definition>,
    /// Everything that could not be read, in source order.
    pub problems: Vec<Problem>,
    /// What is no problem and should be known.
    pub notes: Vec<Note>,
    /// Whether errors of a generated function are meant to become defaults: it wraps lines in `try:`, or its
    /// file imports the module `safe_dsl`, which does it for all.
    pub tries: bool,
}

/// Reads a file of any bytes; what is not text is one problem.
pub fn parse_bytes(bytes: &[u8]) -> Module {
    let refuse = |at: usize, message: &str| {
        let line = bytes[..at].split(|b| *b == b'\n').count() as u32;
        let start = bytes[..at].iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        let column = String::from_utf8_lossy(&bytes[start..at]).chars().count() as u32 + 1;
        let problem = Problem {
            function: None,
            span: Span { start: at, end: at + 1 },
            line,
            column,
            message: message.to_string(),
            hint: Some("programs are UTF-8 text".to_string()),
        };
        Module { problems: vec![problem], ..Module::default() }
    };
    if let Some(at) = bytes.iter().position(|b| *b == 0) {
        return refuse(at, "this is a binary file");
    }
    match std::str::from_utf8(bytes) {
        Ok(source) => parse(source),
        Err(error) => refuse(error.valid_up_to(), "this is not UTF-8 text"),
    }
}

/// Reads every function of a text. A bad one does not hide the others.
pub fn parse(source: &str) -> Module {
    let mut module = Module::default();
    if u32::try_from(source.len()).is_err() {
        module.problems.push(whole_text(source, "this file is larger than 4 GiB", None));
        return module;
    }
    let Lexed { tokens, lines } = lex(source);
    let functions = names(source, &tokens, &lines);
    let generated = lines.iter().any(|line| is_generated(source, &tokens[line.first..line.last]));
    let mut reader = Reader { source, generated, tokens: &tokens, functions: &functions, module };
    reader.read(&lines);
    module = reader.module;
    if module.definitions.is_empty() && module.problems.is_empty() {
        let hint = "a program is written `def solve_<task>(I):` and lines below it";
        module.problems.push(whole_text(source, "no functions in this file", Some(hint)));
    }
    module
}

/// Reads one expression over S, I and C.
///
/// ```
/// let program = batt_lang::text::parse_expression("compose(size, palette)(I)").unwrap();
/// assert!(program.reads(batt_lang::Input::I));
/// ```
pub fn parse_expression(source: &str) -> Result<Program, Vec<Problem>> {
    if u32::try_from(source.len()).is_err() {
        return Err(vec![whole_text(source, "this text is larger than 4 GiB", None)]);
    }
    let Lexed { tokens, lines } = lex(source);
    let functions = HashSet::new();
    let mut function = Function::new(source, &tokens, None, &functions);
    let Some(first) = lines.first() else {
        return Err(vec![whole_text(source, "expected an expression", None)]);
    };
    for input in [Input::S, Input::I, Input::C] {
        function.input(input, 1);
    }
    (function.at, function.end) = (first.first, first.last);
    let line = function.here().line;
    let output = function.expression_list().map(|value| function.node(value, line));
    if output.is_ok() && (function.peek().is_some() || lines.len() > 1) {
        let extra = function.peek().unwrap_or_else(|| tokens[lines[1].first]);
        let hint = "write a function with `def` for more than one expression";
        function.problem(extra, "expected the end of the expression", Some(hint.to_string()));
    }
    match output {
        Ok(output) if function.problems.is_empty() => Ok(Program {
            name: "expression".to_string(),
            task: None,
            line: 1,
            body: function.body,
            output,
        }),
        _ => Err(function.problems),
    }
}

fn whole_text(source: &str, message: &str, hint: Option<&str>) -> Problem {
    let at = (Span { start: 0, end: 0 }, 1);
    Problem::new(source, None, at, message.to_string(), hint.map(str::to_string))
}

/// The names of all functions at the margin.
fn names<'s>(source: &'s str, tokens: &[Token], lines: &[Line]) -> HashSet<&'s str> {
    lines
        .iter()
        .filter(|line| line.indent == Indent::default() && line.last > line.first + 1)
        .filter(|line| tokens[line.first].text(source) == "def")
        .map(|line| tokens[line.first + 1].text(source))
        .collect()
}

/// Whether a line begins a function that is given a task's id.
fn is_generated(source: &str, line: &[Token]) -> bool {
    line.first().is_some_and(|t| t.text(source) == "def")
        && line.iter().any(|t| ["task_id", "task_ids"].contains(&t.text(source)))
}

struct Reader<'s> {
    source: &'s str,
    /// Whether a function of the file has the parameters of the generated form.
    generated: bool,
    tokens: &'s [Token],
    functions: &'s HashSet<&'s str>,
    module: Module,
}

impl<'s> Reader<'s> {
    fn read(&mut self, lines: &[Line]) {
        let mut seen = HashSet::new();
        let mut at = 0;
        // Of several unreadable lines in a row, only the first is reported.
        let mut lost = false;
        while at < lines.len() {
            let line = &lines[at];
            let head = self.tokens[line.first];
            let word = if head.tok == Tok::Name { head.text(self.source) } else { "" };
            let after = skip_block(lines, at + 1);
            if line.indent.wide > 0 {
                let hint = "`def` stands at the margin, the lines of its body are indented";
                self.lost(&mut lost, head, "unexpected indentation", hint);
                at += 1;
                continue;
            }
            match word {
                // What it does is known.
                "def" if self.is_def_of(line, SAMPLES) => lost = false,
                "try" | "except" | "else" | "finally"
                    if self.generated || self.only_imports(&lines[at + 1..after]) =>
                {
                    lost = false;
                }
                "def" => {
                    self.function(line, &lines[at + 1..after], &mut seen);
                    lost = false;
                }
                "import" | "from" => {
                    lost = false;
                    // There, a failed call gives a default.
                    self.module.tries |= self.generated && self.names(line, "safe_dsl");
                }
                "if" if self.is_skipped_condition(line) => lost = false,
                _ if matches!(head.tok, Tok::Str | Tok::PrefixedStr)
                    && line.last == line.first + 1 =>
                {
                    lost = false;
                }
                _ if word.starts_with("__") => {}
                _ if head.is(b'@') => {
                    self.lost(&mut lost, head, "decorators are not supported", "remove this line");
                    at = self.decorated(lines, at);
                    lost = false;
                    continue;
                }
                _ => self.stray(&mut lost, head, word),
            }
            at = after;
        }
    }

    fn lost(&mut self, lost: &mut bool, token: Token, message: &str, hint: &str) {
        if !std::mem::replace(lost, true) {
            let span = Span { start: token.start as usize, end: token.end as usize };
            let at = (span, token.line);
            let hint = Some(hint.to_string());
            self.module.problems.push(Problem::new(self.source, None, at, message.into(), hint));
        }
    }

    fn stray(&mut self, lost: &mut bool, head: Token, word: &str) {
        let hint = "write code inside `def solve_<task>(I):`";
        match (head.tok, hints::keyword(word)) {
            (Tok::OpenStr, _) => self.lost(lost, head, "this string is never closed", hint),
            (_, Some((message, hint))) if word != "match" => self.lost(lost, head, message, hint),
            _ => self.lost(lost, head, "only functions are read from a file", hint),
        }
    }

    fn names(&self, line: &Line, name: &str) -> bool {
        self.tokens[line.first..line.last].iter().any(|t| t.text(self.source) == name)
    }

    fn is_def_of(&self, line: &Line, name: &str) -> bool {
        self.tokens[line.first..line.last].get(1).is_some_and(|t| t.text(self.source) == name)
    }

    /// Whether there is nothing to read in a block.
    fn only_imports(&self, lines: &[Line]) -> bool {
        let first = |line: &Line| self.tokens[line.first].text(self.source);
        !lines.is_empty()
            && lines.iter().all(|line| ["import", "from", "pass"].contains(&first(line)))
    }

    /// `if __name__ == …` and `if TYPE_CHECKING:` hold nothing to read.
    fn is_skipped_condition(&self, line: &Line) -> bool {
        let tested = self.tokens[line.first..line.last].get(1);
        tested.is_some_and(|t| ["__name__", "TYPE_CHECKING"].contains(&t.text(self.source)))
    }

    /// The line after a decorated function: without its decorator it would mean something else.
    fn decorated(&self, lines: &[Line], mut at: usize) -> usize {
        while at < lines.len() && self.tokens[lines[at].first].is(b'@') {
            at = skip_block(lines, at + 1);
        }
        match lines.get(at).map(|line| self.tokens[line.first].text(self.source)) {
            Some("def" | "class" | "async") => skip_block(lines, at + 1),
            _ => at,
        }
    }

    fn function(&mut self, head: &Line, lines: &[Line], seen: &mut HashSet<&'s str>) {
        let mut function = Function::new(self.source, self.tokens, None, self.functions);
        let def = self.tokens[head.first];
        (function.at, function.end) = (head.first + 1, head.last);
        let Ok(generated) = function.header() else {
            self.module.problems.append(&mut function.problems);
            return;
        };
        let name = function.name.unwrap_or_default();
        if seen.contains(name) {
            let token = self.tokens[head.first + 1];
            let hint = "the first one is kept; give this one another name".to_string();
            let message = format!("the function `{}` is defined twice", shorten(name));
            function.problem(token, message, Some(hint));
            self.module.problems.append(&mut function.problems);
            return;
        }
        if function.peek().is_some() {
            let inline = Line { first: function.at, last: head.last, indent: Indent::default() };
            function.lines(&[inline]);
        } else {
            function.lines(lines);
        }
        // A name is taken by the first function that can be read.
        if self.finish(function, def, generated) {
            seen.insert(name);
        }
    }

    /// Keeps a function; says whether it could be read.
    fn finish(&mut self, mut function: Function<'s>, def: Token, generated: bool) -> bool {
        let name = function.name.unwrap_or_default();
        let lists = generated || function.vars.values().any(|slot| *slot == Slot::List);
        if function.problems.is_empty() {
            let missing = |function: &mut Function<'s>, message: &str, hint: &str| {
                function.problem(def, message, Some(hint.to_string()));
            };
            match function.returned {
                None => {
                    let hint = if lists { "end with `return o, s`" } else { "end with `return O`" };
                    missing(&mut function, "this function returns nothing", hint);
                }
                Some(Returned::Node(_)) if lists => {
                    let message = "a function of the generated form returns its lists";
                    missing(&mut function, message, "end with `return o, s`");
                }
                _ => {}
            }
        }
        if !function.problems.is_empty() {
            self.module.problems.append(&mut function.problems);
            return false;
        }
        function.tell(def.line);
        self.module.problems.append(&mut function.lost);
        self.module.notes.append(&mut function.notes);
        self.module.tries |= generated && function.tries;
        let (name, line, body) = (name.to_string(), def.line, function.body);
        self.module.definitions.push(if let Some(Returned::Node(output)) = function.returned {
            let task = task_of(&name);
            Definition::Program(Program { name, task, line, body, output })
        } else {
            let (outputs, scores) = (function.outputs, function.scores);
            Definition::Generated(Generated { name, line, body, outputs, scores })
        });
        true
    }
}
