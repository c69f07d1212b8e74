//! Expressions, read straight into nodes: arguments come before their users by themselves.

use super::function::{Function, Parsed, Skip, Slot};
use super::lexer::{Tok, Token};
use super::problem::shorten;
use super::{MAX_NESTING, hints};
use crate::constants::ConstId;
use crate::ops::{Op, Prim};
use crate::program::{Callee, Expr, NodeId};
use crate::value::Value;

/// An expression that may not need a node of its own.
pub(super) enum Operand {
    /// A node that exists.
    Node(NodeId),
    /// A literal; inside a literal tuple it gets no node.
    Literal(Value),
    /// A constant.
    Const(ConstId),
    /// A primitive; where it is called it gets no node.
    Prim(Prim),
}

/// The arguments of a call, in source order.
#[derive(Default)]
struct Arguments<'s> {
    plain: Vec<NodeId>,
    named: Vec<(&'s str, Token, NodeId)>,
}

impl<'s> Function<'s> {
    /// The node of an operand.
    pub fn node(&mut self, operand: Operand, line: u32) -> NodeId {
        match operand {
            Operand::Node(node) => node,
            Operand::Literal(value) => self.push(Expr::Literal(value), line),
            Operand::Const(id) => self.push(Expr::Const(id), line),
            Operand::Prim(prim) => self.push(Expr::Prim(prim), line),
        }
    }

    /// An expression, or several with commas between them: a tuple.
    pub fn expression_list(&mut self) -> Parsed<Operand> {
        let start = self.here();
        let first = self.expression()?;
        if !self.next_is(0, b',') {
            return Ok(first);
        }
        let mut items = vec![first];
        while self.eat(b',') {
            if self.peek().is_none() || self.next_is(0, b';') || self.next_is(0, b'=') {
                break;
            }
            items.push(self.expression()?);
        }
        self.tuple(items, start)
    }

    /// One expression.
    pub fn expression(&mut self) -> Parsed<Operand> {
        let start = self.here();
        let batched = self.word(0).is_some_and(|name| self.batched(name).is_some());
        let mut value = self.primary()?;
        while let Some(token) = self.peek() {
            match token.tok {
                Tok::Sym(b'(') => {
                    self.lists += usize::from(batched);
                    let called = self.call(value, start);
                    self.lists -= usize::from(batched);
                    value = called?;
                }
                // Of a list of one, the one.
                Tok::Sym(b'[') if batched && self.is_first() => self.at += 3,
                Tok::Sym(b'[') => {
                    let hint = "use first, last, second or get_nth_t(tuple, rank)";
                    return self.unread(token, "subscripts are not supported", hint);
                }
                Tok::Sym(b'.') => {
                    let hint = "write the primitive's name alone: `fill(...)`";
                    return self.unread(token, "attributes are not supported", hint);
                }
                _ => break,
            }
        }
        self.no_operator()?;
        Ok(value)
    }

    /// Reports an operator or a keyword that would go on with the expression.
    fn no_operator(&mut self) -> Parsed<()> {
        let Some(token) = self.peek() else { return Ok(()) };
        let text = self.text(token);
        match token.tok {
            Tok::Name if text == "if" => {
                self.unread(token, "conditions are not supported", "use branch(condition, a, b)")
            }
            Tok::Name if text == "for" => {
                let hint = "use apply, mapply or sfilter";
                self.unread(token, "comprehensions are not supported", hint)
            }
            Tok::Op if text == ":=" => {
                let hint = "assign on a line of its own";
                self.fail(token, "assignments inside expressions are not supported", hint)
            }
            Tok::Op | Tok::Sym(b'-' | b'*' | b'@') | Tok::Name => match hints::operator(text) {
                Some(hint) => {
                    self.unread(token, format!("the operator `{text}` is not supported"), hint)
                }
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn primary(&mut self) -> Parsed<Operand> {
        let token = self.here();
        match token.tok {
            _ if self.peek().is_none() => self.unexpected("an expression"),
            Tok::Name => self.name(token),
            Tok::Int => self.int(token, false),
            Tok::Sym(b'-') if self.ahead(1).is_some_and(|t| t.tok == Tok::Int) => {
                self.at += 1;
                let number = self.here();
                self.int(number, true)
            }
            Tok::Sym(b'(') => self.parenthesis(),
            Tok::Sym(b'-') => {
                self.fail(token, "the operator `-` is not supported", "use invert(n)")
            }
            Tok::Sym(b'*') => {
                let hint = "write every argument out";
                self.fail(token, "`*` arguments are not supported", hint)
            }
            Tok::Op if self.text(token) == "**" => {
                let hint = "write every argument out";
                self.fail(token, "`**` arguments are not supported", hint)
            }
            Tok::Sym(b'[') if self.lists > 0 => self.list_of_one(),
            Tok::Sym(b'[') => {
                let hint =
                    "use a tuple `(a, b)`, or apply(function, container) for a comprehension";
                self.unread(token, "lists are not supported", hint)
            }
            Tok::Sym(b'{') => {
                let hint = "build a set with initset(value) and insert(value, set)";
                self.fail(token, "sets and dictionaries in braces are not supported", hint)
            }
            Tok::Str => {
                let hint = "a string names a task or a differ in `o.append` and `s.append` only";
                self.fail(token, "strings are not values of the language", hint)
            }
            Tok::PrefixedStr => {
                let hint = "strings are not values of the language";
                self.fail(token, "f-strings and other prefixed strings are not supported", hint)
            }
            Tok::Float => {
                let hint = "the numbers of the language are ints of 32 bits; use divide or halve";
                self.fail(token, "this is not a whole number", hint)
            }
            Tok::Op if hints::operator(self.text(token)).is_some() => {
                let text = self.text(token);
                let hint = hints::operator(text).unwrap_or_default();
                self.fail(token, format!("the operator `{text}` is not supported"), hint)
            }
            _ => self.unexpected("an expression"),
        }
    }

    fn int(&mut self, token: Token, negative: bool) -> Parsed<Operand> {
        let digits = self.text(token).replace('_', "");
        let (base, digits) = match digits.get(..2) {
            Some("0x" | "0X") => (16, &digits[2..]),
            Some("0o" | "0O") => (8, &digits[2..]),
            Some("0b" | "0B") => (2, &digits[2..]),
            _ => (10, digits.as_str()),
        };
        let leading_zero =
            base == 10 && digits.starts_with('0') && digits.bytes().any(|b| b != b'0');
        if leading_zero || digits.is_empty() || !digits.chars().all(|c| c.is_digit(base)) {
            return self.fail(token, "this is not a number", "");
        }
        let value = i64::from_str_radix(digits, base).map(|n| if negative { -n } else { n });
        let Some(value) = value.ok().and_then(|n| i32::try_from(n).ok()) else {
            let hint = "ints are between -2147483648 and 2147483647";
            return self.fail(token, "this int does not fit 32 bits", hint);
        };
        self.at += 1;
        Ok(Operand::Literal(Value::Int(value)))
    }

    pub fn name(&mut self, token: Token) -> Parsed<Operand> {
        let name = self.text(token);
        match name {
            "True" | "False" => {
                self.at += 1;
                return Ok(Operand::Literal(Value::Bool(name == "True")));
            }
            "None" => {
                self.at += 1;
                return Ok(Operand::Literal(Value::Null));
            }
            "not" => {
                return self.fail(token, "the operator `not` is not supported", "use flip(a)");
            }
            _ => {}
        }
        if name == "lambda" && self.generated {
            return self.lambda();
        }
        if hints::reserved(name) {
            return match hints::keyword(name) {
                Some((message, hint)) => self.fail(token, message, hint),
                None => self.unexpected("an expression"),
            };
        }
        self.at += 1;
        match self.vars.get(self.key(name)) {
            Some(Slot::Node(node)) => Ok(Operand::Node(*node)),
            Some(Slot::Broken) => Err(Skip),
            Some(Slot::Doubtful(doubt)) => {
                self.doubt = Some(*doubt);
                Err(Skip)
            }
            Some(Slot::List) => {
                let hint = format!("write `{name}.append((...))`");
                self.fail(token, format!("the list `{name}` is not a value"), &hint)
            }
            Some(Slot::Text) => {
                let hint = "a program reads S, I and C only";
                self.fail(token, format!("`{name}` is not a value of the language"), hint)
            }
            None => self.global(name, token),
        }
    }

    /// A name that no line above defines.
    fn global(&mut self, name: &'s str, token: Token) -> Parsed<Operand> {
        if let Some(line) = self.assigned.get(name) {
            let hint = if *line == token.line {
                format!("`{name}` gets its value on this very line; use another variable")
            } else {
                format!("`{name}` is defined on line {line}; move that line up")
            };
            return self.unread(
                token,
                format!("`{}` is used before it is defined", shorten(name)),
                &hint,
            );
        }
        if let Some(prim) = Prim::named(name).or_else(|| self.batched(name)) {
            return Ok(Operand::Prim(prim));
        }
        if let Some(id) = ConstId::named(name) {
            return Ok(Operand::Const(id));
        }
        // `y := x` and `y for y in x` give the name its value: the form is the mistake.
        if self.word(0) == Some("for") || self.peek().is_some_and(|t| self.text(t) == ":=") {
            self.no_operator()?;
        }
        if self.next_is(0, b'.') {
            let hint = "write the primitive's name alone: `fill(...)`";
            return self.unread(token, "attributes are not supported", hint);
        }
        let hint = match name {
            "S" | "I" | "C" => Some(format!("add {name} to the parameters: (S, I, C)")),
            _ if self.functions.contains(name) => {
                Some("functions cannot call each other; copy its lines here".to_string())
            }
            _ => hints::unknown(name, self.vars.keys().copied()),
        };
        self.unread_hinted(token, format!("unknown name `{}`", shorten(name)), hint)
    }

    fn enter(&mut self, bracket: Token) -> Parsed<()> {
        if self.depth >= MAX_NESTING {
            let hint = "give inner calls a variable of their own";
            return self.fail(
                bracket,
                format!("more than {MAX_NESTING} brackets inside each other"),
                hint,
            );
        }
        self.depth += 1;
        Ok(())
    }

    /// The end of a bracket, or a comma before more items.
    fn closes(&mut self, bracket: Token) -> Parsed<bool> {
        if self.eat(b')') {
            return Ok(true);
        }
        if self.eat(b',') {
            return Ok(self.eat(b')'));
        }
        // On a later line, the missing bracket is the mistake, not what happens to stand there.
        if self.peek().is_none_or(|token| token.line > bracket.line) {
            return self.fail(bracket, "this bracket is never closed", "add the missing `)`");
        }
        self.unexpected("`,` or `)`")
    }

    /// `[value]`, where a list of one is as good as the one.
    fn list_of_one(&mut self) -> Parsed<Operand> {
        self.at += 1;
        let value = self.expression()?;
        self.expect(b']')?;
        Ok(value)
    }

    /// Whether `[0]` is next.
    fn is_first(&self) -> bool {
        let zero = self.ahead(1).is_some_and(|t| t.tok == Tok::Int && self.text(t) == "0");
        zero && self.next_is(2, b']')
    }

    fn parenthesis(&mut self) -> Parsed<Operand> {
        let bracket = self.here();
        let depth = self.depth;
        let result = self.parenthesised(bracket);
        self.depth = depth;
        result
    }

    fn parenthesised(&mut self, bracket: Token) -> Parsed<Operand> {
        self.enter(bracket)?;
        self.at += 1;
        if self.eat(b')') {
            return Ok(Operand::Literal(Value::empty_tuple()));
        }
        let mut items = Vec::new();
        loop {
            if self.peek().is_none() {
                return self.fail(bracket, "this bracket is never closed", "add the missing `)`");
            }
            items.push(self.expression()?);
            let comma = self.next_is(0, b',');
            if self.closes(bracket)? {
                return match items.pop() {
                    Some(only) if items.is_empty() && !comma => Ok(only),
                    last => {
                        items.extend(last);
                        self.tuple(items, bracket)
                    }
                };
            }
        }
    }

    /// A literal if every item is one, else a call that builds the tuple.
    fn tuple(&mut self, items: Vec<Operand>, start: Token) -> Parsed<Operand> {
        let literal = |item: &Operand| match item {
            Operand::Literal(value) => Some(value.clone()),
            _ => None,
        };
        if let Some(values) = items.iter().map(literal).collect() {
            return Ok(Operand::Literal(Value::tuple(values)));
        }
        let maker = match items.len() {
            2 => Op::Astuple,
            3 => Op::Astriple,
            n => {
                let hint = match n {
                    1 => "use repeat(item, ONE)",
                    _ => "join shorter ones: combine((a, b), (c, d))",
                };
                return self.unread(
                    start,
                    format!("a tuple of {n} computed items is not supported"),
                    hint,
                );
            }
        };
        let args = items.into_iter().map(|item| self.node(item, start.line)).collect();
        Ok(Operand::Node(
            self.push(Expr::Call { callee: Callee::Prim(maker.into()), args }, start.line),
        ))
    }

    fn call(&mut self, callee: Operand, start: Token) -> Parsed<Operand> {
        let bracket = self.here();
        let depth = self.depth;
        let args = self.enter(bracket).and_then(|()| self.arguments(bracket, &callee));
        self.depth = depth;
        let args = args?;
        let (callee, args) = match callee {
            Operand::Prim(prim) => (Callee::Prim(prim), self.match_arguments(prim, args, start)?),
            Operand::Node(node) => match args.named.first() {
                Some(&(_, token, _)) => {
                    let hint = "keyword arguments work where a primitive is called by its name";
                    return self.fail(token, "keyword argument of a computed function", hint);
                }
                None => (Callee::Node(node), args.plain),
            },
            // Python finds out when it gets there; so do we.
            Operand::Literal(_) | Operand::Const(_) if self.generated && args.named.is_empty() => {
                let value = self.node(callee, start.line);
                let same = Callee::Prim(Op::Identity.into());
                let called = Expr::Call { callee: same, args: vec![value] };
                (Callee::Node(self.push(called, start.line)), args.plain)
            }
            Operand::Literal(_) | Operand::Const(_) => {
                let text = shorten(self.text(start));
                return self.unread(start, format!("`{text}` is not a function"), "");
            }
        };
        Ok(Operand::Node(self.push(Expr::Call { callee, args }, start.line)))
    }

    fn arguments(&mut self, bracket: Token, callee: &Operand) -> Parsed<Arguments<'s>> {
        let mut args = Arguments::default();
        self.at += 1;
        if self.eat(b')') {
            return Ok(args);
        }
        loop {
            if self.peek().is_none() {
                self.fail(bracket, "this bracket is never closed", "add the missing `)`")?;
            }
            let token = self.here();
            match self.word(0) {
                // `x2 = …` on a later line is the next statement, not an argument.
                Some(name)
                    if self.next_is(1, b'=')
                        && token.line > bracket.line
                        && !has_param(callee, name) =>
                {
                    self.fail(bracket, "this bracket is never closed", "add the missing `)`")?;
                }
                Some(name) if self.next_is(1, b'=') => {
                    self.at += 2;
                    let value = self.expression()?;
                    let node = self.node(value, token.line);
                    args.named.push((name, token, node));
                }
                _ => {
                    let value = self.expression()?;
                    let node = self.node(value, token.line);
                    if let Some((name, ..)) = args.named.last() {
                        let hint = "put it before the keyword arguments, or name it";
                        self.fail(token, format!("argument without a name after `{name}=`"), hint)?;
                    }
                    args.plain.push(node);
                }
            }
            if self.closes(bracket)? {
                return Ok(args);
            }
        }
    }

    /// The arguments in the order of the table.
    fn match_arguments(
        &mut self,
        prim: Prim,
        args: Arguments<'s>,
        start: Token,
    ) -> Parsed<Vec<NodeId>> {
        let params = &prim.info().params;
        let given = args.plain.len() + args.named.len();
        let mut slots: Vec<Option<NodeId>> = args.plain.iter().copied().map(Some).collect();
        slots.resize(params.len().max(slots.len()), None);
        for (name, token, node) in args.named {
            let Some(at) = params.iter().position(|p| p.name == name) else {
                let message = format!("`{prim}` has no argument `{}`", shorten(name));
                return self.unread(token, message, &hints::signature(prim));
            };
            if slots[at].replace(node).is_some() {
                let message = format!("the argument `{name}` is given twice");
                return self.fail(token, message, &hints::signature(prim));
            }
        }
        if given != params.len() {
            let plural = if params.len() == 1 { "" } else { "s" };
            let message = format!(
                "`{prim}` takes {} argument{plural}, but {given} {} given",
                params.len(),
                if given == 1 { "is" } else { "are" }
            );
            return self.unread(start, message, &hints::signature(prim));
        }
        // As many as there are and none twice: every place is taken.
        Ok(slots.into_iter().flatten().collect())
    }
}

fn has_param(callee: &Operand, name: &str) -> bool {
    matches!(callee, Operand::Prim(prim) if prim.info().params.iter().any(|p| p.name == name))
}
