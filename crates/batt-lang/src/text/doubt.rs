//! What a generated function may hold without harm: lines that cannot be read and that nothing needs, and
//! what the earlier system's own files hold beside their lines.

use super::function::{Function, Parsed, Skip, Slot};
use super::hints;
use super::lexer::{Line, Token};
use super::problem::{Problem, Span, shorten};
use crate::ops::{Op, Prim};
use crate::program::{Binding, Callee, Expr, Input, NodeId};
use crate::value::Value;

/// The function that generated files import or define for the first lines of a program: the inputs and the
/// outputs of the demo pairs, and the colours of both.
pub(super) const SAMPLES: &str = "batch_process_samples_gpu";

/// Something a reader should know that is no mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The line, counted from 1.
    pub line: u32,
    /// What it is.
    pub message: String,
}

impl<'s> Function<'s> {
    /// Reports what Python can read and a program cannot say. In the generated form the line only loses its
    /// value, which is a problem where an output needs it.
    pub fn unread<T>(&mut self, token: Token, message: impl Into<String>, hint: &str) -> Parsed<T> {
        let hint = (!hint.is_empty()).then(|| hint.to_string());
        self.unread_hinted(token, message.into(), hint)
    }

    /// The same with a hint that was looked for.
    pub fn unread_hinted<T>(
        &mut self,
        token: Token,
        message: String,
        hint: Option<String>,
    ) -> Parsed<T> {
        if !self.generated {
            self.problem(token, message, hint);
            return Err(Skip);
        }
        let span = Span { start: token.start as usize, end: token.end as usize };
        let at = (span, token.line);
        let problem = Problem::new(self.source, self.name, at, message, hint);
        self.doubts.push(problem);
        self.doubt = Some(self.doubts.len() - 1);
        Err(Skip)
    }

    /// What became of the names that a line assigns which could not be read.
    pub fn broken(&mut self) -> Slot {
        self.doubt.take().map_or(Slot::Broken, Slot::Doubtful)
    }

    /// A declared output or score whose value could not be read: a score is left out, an output is a problem.
    pub fn undeclared(&mut self, is_output: bool, name: &str, line: u32) -> Parsed<()> {
        let Some(doubt) = self.doubt.take() else { return Err(Skip) };
        self.at = self.end;
        if is_output {
            let problem = self.doubts[doubt].clone();
            if !self.lost.contains(&problem) {
                self.lost.push(problem);
            }
        } else {
            let why = &self.doubts[doubt];
            let message = format!(
                "the score by `{}` is left out: {} on line {}",
                shorten(name),
                why.message,
                why.line
            );
            self.notes.push(Note { line, message });
        }
        Ok(())
    }

    /// What is told of a function that could be read.
    pub fn tell(&mut self, line: u32) {
        let lost = self.lost.len();
        let unread = self.doubts.len().saturating_sub(lost);
        if let (1.., Some(first)) = (unread, self.doubts.iter().find(|d| !self.lost.contains(d))) {
            let lines = if unread == 1 { "1 line".into() } else { format!("{unread} lines") };
            let message = format!(
                "{lines} could not be read, and no output needs them; the first: {}",
                first.message
            );
            self.notes.push(Note { line: first.line, message });
        }
        if let Some(line) = self.crooked {
            let message = "lines are indented as Python would not read them".to_string();
            self.notes.push(Note { line, message });
        }
        let reading = self.outputs.iter().filter(|o| self.body.reads(o.node, Input::C)).count();
        if reading > 0 {
            let outputs = if reading == 1 {
                "1 output reads".into()
            } else {
                format!("{reading} outputs read")
            };
            self.notes.push(Note { line, message: format!("{outputs} C, which is None") });
        }
    }

    /// `a, b = …`, where that is what comes next.
    pub fn several(&mut self) -> Parsed<bool> {
        let mut names = Vec::new();
        let mut at = 0;
        while let Some(name) = self.word(at).filter(|name| !hints::reserved(name)) {
            names.push((name, self.ahead(at)));
            at += 1;
            if !self.next_is(at, b',') {
                break;
            }
            at += 1;
        }
        if !self.generated || names.len() < 2 || !self.next_is(at, b'=') {
            return Ok(false);
        }
        let token = self.here();
        self.at += at + 1;
        let values = if self.word(0) == Some(SAMPLES) && self.next_is(1, b'(') {
            self.samples()?
        } else {
            self.unpacked(names.len(), token)?
        };
        if values.len() != names.len() {
            let message = format!("{} names for {} values", names.len(), values.len());
            return self.unread(token, message, "");
        }
        for ((name, token), node) in names.into_iter().zip(values) {
            let name = self.key(name);
            self.vars.insert(name, Slot::Node(node));
            let line = token.map_or(0, |token| token.line);
            self.body.bindings.push(Binding { name: name.to_string(), node, line });
        }
        Ok(true)
    }

    /// As many values as there are names: those of a list, or the items of one.
    fn unpacked(&mut self, count: usize, token: Token) -> Parsed<Vec<NodeId>> {
        let mut values = Vec::new();
        loop {
            let value = self.expression()?;
            values.push(self.node(value, token.line));
            if !self.eat(b',') {
                break;
            }
        }
        if let [all] = values[..] {
            return Ok((0..count as i32).map(|rank| self.item(all, rank, token.line)).collect());
        }
        Ok(values)
    }

    fn item(&mut self, of: NodeId, rank: i32, line: u32) -> NodeId {
        let rank = self.push(Expr::Literal(Value::Int(rank)), line);
        self.call_of(Op::GetNthF, vec![of, rank], line)
    }

    fn call_of(&mut self, op: Op, args: Vec<NodeId>, line: u32) -> NodeId {
        self.push(Expr::Call { callee: Callee::Prim(op.into()), args }, line)
    }

    /// The inputs and the outputs of the demo pairs, and what colours each side has.
    fn samples(&mut self) -> Parsed<Vec<NodeId>> {
        let line = self.here().line;
        self.at += 2;
        let pairs = self.expression()?;
        let pairs = self.node(pairs, line);
        self.expect(b')')?;
        let mut values = Vec::new();
        for side in [Op::First, Op::Second] {
            let side = self.push(Expr::Prim(side.into()), line);
            values.push(self.call_of(Op::Apply, vec![side, pairs], line));
        }
        for side in 0..2 {
            let colours = self.push(Expr::Prim(Op::PG.into()), line);
            let args = vec![colours, values[side]];
            values.push(self.call_of(Op::Mapply, args, line));
        }
        Ok(values)
    }

    /// The name under which a variable is kept: functions for many samples at once say `t7s` for `t7`.
    pub fn key(&self, name: &'s str) -> &'s str {
        let one = name.strip_suffix('s').filter(|_| self.many);
        let is_numbered = |one: &&str| {
            let digits = one.trim_start_matches(|c: char| c.is_ascii_lowercase());
            digits.len() < one.len()
                && !digits.is_empty()
                && digits.bytes().all(|b| b.is_ascii_digit())
        };
        one.filter(is_numbered).unwrap_or(name)
    }

    /// The primitive that `batch_NAME` runs for many samples at once.
    pub fn batched(&self, name: &str) -> Option<Prim> {
        name.strip_prefix("batch_").filter(|_| self.generated).and_then(Prim::named)
    }
}

impl Function<'_> {
    /// The lines of a block whose names are lost.
    pub fn break_line(&mut self, line: Line) {
        let broken = self.broken();
        self.break_names(&[line], broken);
    }
}
