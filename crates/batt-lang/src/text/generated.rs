//! The generated form's own statements: declared outputs and scores.

use super::function::{Function, Parsed, Slot};
use super::lexer::Tok;
use crate::program::{NodeId, OutputDecl, ScoreDecl};

impl<'s> Function<'s> {
    /// `return o, s` in any order, with or without brackets.
    pub fn returns_lists(&mut self) -> bool {
        let start = self.at;
        let open = self.eat(b'(');
        let mut any = false;
        while self.word(0).is_some_and(|name| self.vars.get(name) == Some(&Slot::List)) {
            any = true;
            self.at += 1;
            if !self.eat(b',') {
                break;
            }
        }
        let closed = !open || self.eat(b')');
        let whole = any && closed && (self.peek().is_none() || self.next_is(0, b';'));
        if !whole {
            self.at = start;
        }
        whole
    }

    /// `o.append((N, False, 'task', tN))` or `s.append((N, 'task', 'differ', tN))`.
    pub fn append(&mut self, list: &'s str) -> Parsed<()> {
        let token = self.here();
        if self.vars.get(list) != Some(&Slot::List) {
            let hint = format!("begin the function with `{list} = []`");
            return self.fail(token, format!("`{list}` is not a list here"), &hint);
        }
        self.at += 3;
        self.expect(b'(')?;
        self.expect(b'(')?;
        let slot = self.slot_number()?;
        self.expect(b',')?;
        if list == "o" {
            let mutated = match self.word(0) {
                // Older files do not say it.
                None if self.here().tok == Tok::Str => false,
                Some("True") => true,
                Some("False") => false,
                _ => return self.unexpected("`True` or `False`"),
            };
            if self.word(0).is_some() {
                self.at += 1;
                self.expect(b',')?;
            }
            let task = self.string()?;
            let Ok(node) = self.appended() else {
                return self.undeclared(true, &task, token.line);
            };
            self.outputs.push(OutputDecl { slot, mutated, task, node });
        } else {
            let task = if self.word(0) == Some("None") {
                self.at += 1;
                None
            } else {
                Some(self.string()?).filter(|task| task != "None")
            };
            self.expect(b',')?;
            let differ = self.string()?;
            let Ok(node) = self.appended() else {
                return self.undeclared(false, &differ, token.line);
            };
            self.scores.push(ScoreDecl { slot, task, differ, node });
        }
        Ok(())
    }

    /// `, tN))`: the end of both kinds of declaration.
    fn appended(&mut self) -> Parsed<NodeId> {
        self.expect(b',')?;
        let line = self.here().line;
        let value = self.expression()?;
        let node = self.node(value, line);
        self.eat(b',');
        self.expect(b')')?;
        self.eat(b',');
        self.expect(b')')?;
        Ok(node)
    }

    fn slot_number(&mut self) -> Parsed<u32> {
        let token = self.here();
        match self.text(token).parse() {
            Ok(slot) if token.tok == Tok::Int => {
                self.at += 1;
                Ok(slot)
            }
            _ => self.unexpected("the number of a t-variable"),
        }
    }

    fn string(&mut self) -> Parsed<String> {
        let token = self.here();
        if token.tok != Tok::Str {
            return self.unexpected("a name in quotes");
        }
        self.at += 1;
        let text = self.text(token);
        let quotes = if text.len() >= 6 && (text.starts_with("'''") || text.starts_with("\"\"\"")) {
            3
        } else {
            1
        };
        Ok(unescape(&text[quotes..text.len() - quotes]))
    }
}

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some(c @ ('\\' | '\'' | '"')) => out.push(c),
                Some(c) => out.extend(['\\', c]),
                None => out.push('\\'),
            },
            c => out.push(c),
        }
    }
    out
}
