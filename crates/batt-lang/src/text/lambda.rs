//! Lambdas of the generated form: read as what `compose`, `fork`, `rbind` and `lbind` make.

use super::expression::Operand;
use super::function::{Function, Parsed};
use super::lexer::{Tok, Token};
use crate::ops::{Op, Prim};
use crate::program::{Callee, Expr, NodeId};

/// What a part of a lambda's body is of its parameter.
enum Part {
    /// It does not depend on it.
    Fixed(NodeId),
    /// It is the parameter.
    Parameter,
    /// This function of it.
    Of(NodeId),
}

impl<'s> Function<'s> {
    /// `lambda x: f(g(x), a)`: calls inside each other, of which each depends on x in one argument, or in both
    /// of two.
    pub fn lambda(&mut self) -> Parsed<Operand> {
        let token = self.here();
        let parameter = self.word(1).filter(|_| self.next_is(2, b':'));
        let Some(parameter) = parameter else {
            return self.unread(token, "a lambda takes one parameter here", "use lbind or rbind");
        };
        self.at += 3;
        let body = self.part(parameter)?;
        Ok(Operand::Node(self.function_of(&body, token)?))
    }

    fn part(&mut self, parameter: &'s str) -> Parsed<Part> {
        let token = self.here();
        if self.word(0) == Some(parameter) {
            self.at += 1;
            return Ok(Part::Parameter);
        }
        let called = token.tok == Tok::Name && self.next_is(1, b'(') && self.mentions(parameter);
        if !called {
            let value = self.expression()?;
            return Ok(Part::Fixed(self.node(value, token.line)));
        }
        let callee = self.name(token)?;
        self.at += 1;
        let mut parts = Vec::new();
        while !self.eat(b')') {
            if self.word(0).is_some() && self.next_is(1, b'=') {
                let token = self.here();
                return self.unread(token, "arguments of a lambda have no names here", "");
            }
            parts.push(self.part(parameter)?);
            if !self.eat(b',') && !self.next_is(0, b')') {
                return self.unexpected("`,` or `)`");
            }
        }
        self.applied(&callee, parts, token)
    }

    /// Whether the parameter comes before the bracket that opens next is closed.
    fn mentions(&self, parameter: &str) -> bool {
        let mut depth = 0_usize;
        for at in self.at..self.end {
            let token = self.tokens[at];
            match token.tok {
                Tok::Sym(b'(') => depth += 1,
                Tok::Sym(b')') if depth == 1 => return false,
                Tok::Sym(b')') => depth -= 1,
                Tok::Name if self.text(token) == parameter => return true,
                _ => {}
            }
        }
        false
    }

    /// A call of which some arguments depend on the parameter.
    fn applied(&mut self, callee: &Operand, parts: Vec<Part>, token: Token) -> Parsed<Part> {
        let function = match *callee {
            Operand::Prim(prim) if prim.arity() != parts.len() => {
                let message = format!("`{prim}` takes {} arguments", prim.arity());
                return self.unread(token, message, "");
            }
            Operand::Prim(prim) => self.push(Expr::Prim(prim), token.line),
            Operand::Node(node) => node,
            Operand::Literal(_) | Operand::Const(_) => {
                return self.unread(token, "this is not a function", "");
            }
        };
        let moving = parts.iter().filter(|part| !matches!(part, Part::Fixed(_))).count();
        if let (2, [_, _]) = (moving, &parts[..]) {
            let mut of = Vec::new();
            for part in parts {
                of.push(self.function_of(&part, token)?);
            }
            return Ok(Part::Of(self.maker(Op::Fork, vec![function, of[0], of[1]], token)));
        }
        if moving != 1 {
            let hint = "use fork(function, a, b) for a function of two";
            return self.unread(token, "too many arguments depend on the parameter", hint);
        }
        let (mut bound, mut before, mut after) = (function, Vec::new(), Vec::new());
        let mut inner = None;
        for part in parts {
            match part {
                Part::Fixed(node) if inner.is_none() => before.push(node),
                Part::Fixed(node) => after.push(node),
                moving => inner = Some(moving),
            }
        }
        for fixed in before {
            bound = self.maker(Op::Lbind, vec![bound, fixed], token);
        }
        for fixed in after.into_iter().rev() {
            bound = self.maker(Op::Rbind, vec![bound, fixed], token);
        }
        Ok(Part::Of(match inner {
            Some(Part::Of(inner)) => self.maker(Op::Compose, vec![bound, inner], token),
            _ => bound,
        }))
    }

    fn function_of(&mut self, part: &Part, token: Token) -> Parsed<NodeId> {
        match part {
            Part::Of(node) => Ok(*node),
            Part::Parameter => Ok(self.push(Expr::Prim(Op::Identity.into()), token.line)),
            Part::Fixed(_) => {
                self.unread(token, "this does not depend on the lambda's parameter", "")
            }
        }
    }

    fn maker(&mut self, maker: Op, args: Vec<NodeId>, token: Token) -> NodeId {
        let callee = Callee::Prim(Prim::from(maker));
        self.push(Expr::Call { callee, args }, token.line)
    }
}
