//! The first line of a function.

use super::function::{Function, Parsed, Slot};
use super::hints;
use super::problem::shorten;
use crate::program::Input;

impl Function<'_> {
    /// `name(parameters) -> annotation:`; whether only the generated form has such parameters.
    pub fn header(&mut self) -> Parsed<bool> {
        let token = self.here();
        match self.word(0) {
            Some(name) if !hints::reserved(name) => self.name = Some(name),
            _ => return self.unexpected("the name of a function"),
        }
        self.at += 1;
        let bracket = self.here();
        self.expect(b'(')?;
        let mut generated = false;
        while !self.eat(b')') {
            generated |= self.parameter()?;
            if !self.eat(b',') && !self.next_is(0, b')') {
                if self.peek().is_none() {
                    return self.fail(
                        bracket,
                        "this bracket is never closed",
                        "add the missing `)`",
                    );
                }
                return self.unexpected("`,` or `)`");
            }
        }
        if !self.vars.values().any(|slot| matches!(slot, Slot::Node(_))) {
            let hint = "write the parameters (I) or (S, I, C)";
            return self.fail(token, "this function reads no input", hint);
        }
        if self.peek().is_some_and(|t| self.text(t) == "->") {
            self.at += 1;
            self.skip_annotation(b':');
        }
        self.expect(b':')?;
        self.generated = generated;
        Ok(generated)
    }

    /// A parameter with its annotation and default; whether only the generated form has it. A function for
    /// many samples at once has plural names and means the same for each.
    fn parameter(&mut self) -> Parsed<bool> {
        let token = self.here();
        let Some(name) = self.word(0) else {
            if token.is(b'*') || self.text(token) == "**" {
                let hint = "write the parameters (I) or (S, I, C)";
                return self.fail(token, "`*` parameters are not supported", hint);
            }
            return self.unexpected("a parameter: S, I or C");
        };
        let input = match name {
            "S" | "Ss" => Some(Input::S),
            "I" | "Is" => Some(Input::I),
            "C" | "Cs" => Some(Input::C),
            "task_id" | "log_path" | "task_ids" | "log_paths" => None,
            _ => {
                let hint = "write the parameters (I) or (S, I, C)";
                return self.fail(token, format!("unknown parameter `{}`", shorten(name)), hint);
            }
        };
        if self.vars.contains_key(name) {
            return self.fail(token, format!("the parameter `{name}` is given twice"), "");
        }
        match input {
            Some(input) => {
                self.input(input, token.line);
                if name != input.name() {
                    self.many = true;
                    let slot = self.vars[input.name()];
                    self.vars.insert(name, slot);
                }
            }
            None => {
                self.vars.insert(name, Slot::Text);
            }
        }
        self.at += 1;
        if self.eat(b':') {
            self.skip_annotation(b',');
        }
        if self.eat(b'=') {
            self.skip_annotation(b',');
        }
        Ok(input.is_none() || self.many)
    }
}
