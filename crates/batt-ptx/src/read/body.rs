//! The body of a function.

use std::collections::HashMap;

use super::words::{Words, address, parts, ty};
use crate::Error;
use crate::module::Function;
use crate::operation::{Compare, Instr, One, Part, Source, Together, Two, Type};

/// A call whose function is not known yet.
pub struct Pending {
    /// Where the call stands.
    pub at: usize,
    pub name: String,
    /// Which part of which parameter, and what is given.
    pub given: Vec<(Part, Source)>,
    /// Which part of the result, and where it goes.
    pub taken: Vec<(Part, u32, Type)>,
}

/// A function that is being read.
pub struct Body<'a> {
    function: Function,
    globals: &'a HashMap<String, u64>,
    registers: HashMap<&'a str, u32>,
    labels: HashMap<&'a str, u32>,
    tables: HashMap<&'a str, Vec<&'a str>>,
    /// Jumps whose labels are not known yet.
    jumps: Vec<(usize, Vec<&'a str>)>,
    given: Vec<(Part, Source)>,
    calls: Vec<Pending>,
}

impl<'a> Body<'a> {
    /// Reads a function from its header and its body.
    pub fn read(
        header: &str,
        inside: &'a str,
        line: usize,
        globals: &'a HashMap<String, u64>,
    ) -> Result<(Function, Vec<Pending>), Error> {
        let mut body = Body {
            function: signature(header)?,
            globals,
            registers: HashMap::new(),
            labels: HashMap::new(),
            tables: HashMap::new(),
            jumps: Vec::new(),
            given: Vec::new(),
            calls: Vec::new(),
        };
        let mut line = line;
        let mut rest = inside;
        loop {
            let trimmed = rest.trim_start();
            line += rest[..rest.len() - trimmed.len()].matches('\n').count();
            rest = trimmed;
            if let Some(after) = rest.strip_prefix(['{', '}']) {
                rest = after;
            } else if let Some((label, after)) = label(rest) {
                body.labels.insert(label, body.function.code.len() as u32);
                rest = after;
            } else if let Some((statement, after)) = rest.split_once(';') {
                body.statement(statement.trim(), line as u32)
                    .map_err(|e| Error::new(format!("line {line}: {e} in {}", statement.trim())))?;
                line += statement.matches('\n').count();
                rest = after;
            } else {
                break;
            }
        }
        body.finish()
    }

    fn finish(mut self) -> Result<(Function, Vec<Pending>), Error> {
        for (at, labels) in self.jumps {
            let found = labels.iter().map(|label| {
                let missing = || Error::new(format!("there is no label {label}"));
                self.labels.get(label).copied().ok_or_else(missing)
            });
            let found: Vec<u32> = found.collect::<Result<_, _>>()?;
            match &mut self.function.code[at] {
                Instr::Jump { to } | Instr::JumpIf { to, .. } => *to = found[0],
                Instr::JumpTo { targets, .. } => *targets = found,
                _ => {}
            }
        }
        self.function.registers = self.registers.len();
        Ok((self.function, self.calls))
    }

    fn register(&mut self, name: &'a str) -> Result<u32, Error> {
        if !name.starts_with('%') {
            return Err(Error::new(format!("{name} is no register")));
        }
        let next = self.registers.len() as u32;
        Ok(*self.registers.entry(name).or_insert(next))
    }

    fn source(&mut self, operand: &'a str) -> Result<Source, Error> {
        if let Some(name) = operand.strip_prefix('!') {
            return Ok(Source::Not(self.register(name)?));
        }
        if let Ok(number) = operand.parse::<i64>() {
            return Ok(Source::Number(number as u64));
        }
        if let Ok(number) = operand.parse::<u64>() {
            return Ok(Source::Number(number));
        }
        let hexadecimal = operand.strip_prefix("0x").map(|digits| digits.trim_end_matches('U'));
        if let Some(Ok(number)) = hexadecimal.map(|digits| u64::from_str_radix(digits, 16)) {
            return Ok(Source::Number(number));
        }
        if let Some(at) = self.globals.get(operand) {
            return Ok(Source::Number(*at));
        }
        Ok(match operand {
            "%laneid" => Source::Lane,
            "%tid.x" => Source::Thread,
            "%ntid.x" => Source::Threads,
            "%ctaid.x" => Source::Block,
            "%nctaid.x" => Source::Blocks,
            _ if operand.starts_with("__local_depot") => Source::Own,
            // Addresses of parameters count from the first; a kernel has one.
            _ if self.function.is_kernel && operand.ends_with("_param_0") => Source::Number(0),
            _ => Source::Register(self.register(operand)?),
        })
    }

    fn push(&mut self, instr: Instr, line: u32) {
        self.function.code.push(instr);
        self.function.lines.push(line);
    }

    fn statement(&mut self, statement: &'a str, line: u32) -> Result<(), Error> {
        if statement.starts_with(".local") {
            let size = statement.split_once('[').map_or("", |(_, s)| s.trim_end_matches(']'));
            self.function.local = size.parse().map_err(|_| Error::new("no size"))?;
            return Ok(());
        }
        if statement.starts_with('.') {
            return Ok(());
        }
        if let Some((name, targets)) = statement.split_once(": .branchtargets") {
            self.tables.insert(name, targets.split(',').map(str::trim).collect());
            return Ok(());
        }
        if let Some(rest) = statement.strip_prefix('@') {
            let (holds, jump) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let words = Words::of(jump.trim());
            if words.name[0] != "bra" {
                return Err(Error::new("only jumps can depend on a predicate"));
            }
            let holds = self.source(holds)?;
            self.jumps.push((self.function.code.len(), vec![words.operand(0)?]));
            self.push(Instr::JumpIf { holds, to: 0 }, line);
            return Ok(());
        }
        let words = Words::of(statement);
        if matches!(words.name[0], "ld" | "st") && words.has("param") {
            return self.parameters(&words, line);
        }
        if let Some(instr) = self.instr(&words)? {
            self.push(instr, line);
        }
        Ok(())
    }

    fn instr(&mut self, w: &Words<'a>) -> Result<Option<Instr>, Error> {
        let two = |op| Some(op);
        let op = match w.name[0] {
            "add" => two(Two::Add),
            "sub" => two(Two::Sub),
            "mul" if w.has("wide") => two(Two::MulWide),
            "mul" if w.has("hi") => two(Two::MulHigh),
            "mul" => two(Two::Mul),
            "div" => two(Two::Div),
            "rem" => two(Two::Rem),
            "min" => two(Two::Min),
            "max" => two(Two::Max),
            "and" => two(Two::And),
            "or" => two(Two::Or),
            "xor" => two(Two::Xor),
            "shl" => two(Two::ShiftLeft),
            "shr" => two(Two::ShiftRight),
            _ => None,
        };
        if let Some(op) = op {
            let (to, a, b) = self.three(w)?;
            return Ok(Some(Instr::Two { op, ty: w.ty()?, to, a, b }));
        }
        let op = match w.name[0] {
            "mov" if w.operands.iter().any(|o| o.starts_with('{')) => return self.halves(w),
            "mov" | "cvta" => Some(One::Move),
            "not" => Some(One::Not),
            "neg" => Some(One::Negate),
            "abs" => Some(One::Absolute),
            "popc" => Some(One::CountOnes),
            "clz" => Some(One::LeadingZeros),
            "brev" => Some(One::Reverse),
            _ => None,
        };
        if let Some(op) = op {
            let (to, a) = (self.register(w.operand(0)?)?, self.source(w.operand(1)?)?);
            return Ok(Some(Instr::One { op, ty: w.ty()?, to, a }));
        }
        self.other(w)
    }

    fn three(&mut self, w: &Words<'a>) -> Result<(u32, Source, Source), Error> {
        Ok((
            self.register(w.operand(0)?)?,
            self.source(w.operand(1)?)?,
            self.source(w.operand(2)?)?,
        ))
    }

    fn other(&mut self, w: &Words<'a>) -> Result<Option<Instr>, Error> {
        Ok(Some(match w.name[0] {
            "mad" => {
                let (to, a, b) = self.three(w)?;
                let c = self.source(w.operand(3)?)?;
                Instr::MulAdd { ty: w.ty()?, wide: w.has("wide"), to, a, b, c }
            }
            "bfe" => {
                let (to, a, b) = self.three(w)?;
                Instr::Extract { ty: w.ty()?, to, a, b, c: self.source(w.operand(3)?)? }
            }
            "prmt" if w.name.len() == 2 => {
                let (to, a, b) = self.three(w)?;
                Instr::Permute { to, a, b, c: self.source(w.operand(3)?)? }
            }
            "setp" => {
                let how = match w.name[1] {
                    "eq" => Compare::Equal,
                    "ne" => Compare::NotEqual,
                    "lt" => Compare::Less,
                    "le" => Compare::LessEqual,
                    "gt" => Compare::Greater,
                    "ge" => Compare::GreaterEqual,
                    _ => return Err(Error::new("this comparison cannot be read")),
                };
                if w.name.len() != 3 {
                    return Err(Error::new("this comparison cannot be read"));
                }
                let (to, a, b) = self.three(w)?;
                Instr::Compare { how, ty: w.ty()?, to, a, b }
            }
            "selp" => {
                let (to, a, b) = self.three(w)?;
                Instr::Select { to, a, b, holds: self.source(w.operand(3)?)? }
            }
            "cvt" => {
                let n = w.name.len();
                let to_type = ty(w.name[n.saturating_sub(2)])?;
                let (to, a) = (self.register(w.operand(0)?)?, self.source(w.operand(1)?)?);
                Instr::Convert { to_type, from_type: w.ty()?, to, a }
            }
            "ld" => {
                let to = parts(w.operand(0)?).into_iter().map(|r| self.register(r));
                let to = to.collect::<Result<_, _>>()?;
                let (at, offset) = address(w.operand(1)?)?;
                Instr::Load { ty: w.ty()?, to, at: self.source(at)?, offset }
            }
            "st" => {
                let from = parts(w.operand(1)?).into_iter().map(|s| self.source(s));
                let from = from.collect::<Result<_, _>>()?;
                let (at, offset) = address(w.operand(0)?)?;
                Instr::Store { ty: w.ty()?, from, at: self.source(at)?, offset }
            }
            "atom" if w.has("add") || w.has("or") || w.has("max") => {
                let (at, offset) = address(w.operand(1)?)?;
                let (to, at) = (self.register(w.operand(0)?)?, self.source(at)?);
                let b = self.source(w.operand(2)?)?;
                let op = match () {
                    () if w.has("add") => Two::Add,
                    () if w.has("or") => Two::Or,
                    () => Two::Max,
                };
                Instr::Atomic { op, ty: w.ty()?, to, at, offset, b }
            }
            "shfl" | "vote" | "redux" | "bar" => self.together(w)?,
            "bra" => {
                self.jumps.push((self.function.code.len(), vec![w.operand(0)?]));
                Instr::Jump { to: 0 }
            }
            "brx" => {
                let table = self.tables.get(w.operand(1)?).cloned();
                let table = table.ok_or_else(|| Error::new("there is no such table"))?;
                self.jumps.push((self.function.code.len(), table));
                Instr::JumpTo { which: self.source(w.operand(0)?)?, targets: Vec::new() }
            }
            "call" => self.call(w)?,
            "ret" | "exit" => Instr::Leave,
            "trap" => Instr::Trap,
            _ => return Err(Error::new("this instruction cannot be read")),
        }))
    }

    fn together(&mut self, w: &Words<'a>) -> Result<Instr, Error> {
        let op = match w.name[..] {
            ["shfl", "sync", "idx", "b32"] => Together::Index,
            ["shfl", "sync", "bfly", "b32"] => Together::Exclusive,
            ["vote", "sync", "any", "pred"] => Together::Any,
            ["vote", "sync", "all", "pred"] => Together::All,
            ["vote", "sync", "ballot", "b32"] => Together::Ballot,
            ["redux", "sync", name, _] => Together::Reduce(reduction(name)?, w.ty()?),
            ["bar", "warp", "sync"] => Together::Meet,
            _ => return Err(Error::new("this instruction cannot be read")),
        };
        if w.operands.last() != Some(&"-1") {
            return Err(Error::new("only whole warps can be read"));
        }
        if op == Together::Meet {
            return Ok(Instr::Together { op, to: None, a: Source::Lane, b: Source::Lane });
        }
        let (to, a) = (self.register(w.operand(0)?)?, self.source(w.operand(1)?)?);
        let shuffles = matches!(op, Together::Index | Together::Exclusive);
        if shuffles && w.operand(3)? != "31" {
            return Err(Error::new("only whole warps can be read"));
        }
        let b = if shuffles { self.source(w.operand(2)?)? } else { Source::Lane };
        Ok(Instr::Together { op, to: Some(to), a, b })
    }

    /// `mov.b64 {low, high}, x` and `mov.b64 x, {low, high}`.
    fn halves(&mut self, w: &Words<'a>) -> Result<Option<Instr>, Error> {
        let (to, from) = (parts(w.operand(0)?), parts(w.operand(1)?));
        let mut half = |name: &'a str| {
            if name.starts_with('%') { self.register(name).map(Some) } else { Ok(None) }
        };
        Ok(Some(match (&to[..], &from[..]) {
            ([low, high], [_]) if w.has("b64") => {
                let (low, high) = (half(low)?, half(high)?);
                Instr::Split { low, high, a: self.source(w.operand(1)?)? }
            }
            ([to], [low, high]) if w.has("b64") => {
                let to = self.register(to)?;
                Instr::Join { to, low: self.source(low)?, high: self.source(high)? }
            }
            _ => return Err(Error::new("this instruction cannot be read")),
        }))
    }

    /// What is given to a function, read there, returned, or taken back, in one register or several.
    fn parameters(&mut self, w: &Words<'a>, line: u32) -> Result<(), Error> {
        let loads = w.name[0] == "ld";
        let (place, values) = if loads { (1, 0) } else { (0, 1) };
        let ((name, mut offset), ty) = (address(w.operand(place)?)?, w.ty()?);
        for value in parts(w.operand(values)?) {
            if let Some(instr) = self.parameter((name, offset as u32), ty, value)? {
                self.push(instr, line);
            }
            offset += i64::from(ty.bits / 8);
        }
        Ok(())
    }

    /// One register of those.
    fn parameter(
        &mut self,
        (name, offset): (&'a str, u32),
        ty: Type,
        value: &'a str,
    ) -> Result<Option<Instr>, Error> {
        let part = |of: u32| Part { of, offset, bits: ty.bits };
        if name.starts_with("func_retval") {
            let place = find(&mut self.function.returns, part(0));
            return Ok(Some(Instr::Return { place, from: self.source(value)? }));
        }
        if let Some(number) = name.strip_prefix("param") {
            let number = number.parse().map_err(|_| Error::new("no parameter"))?;
            let source = self.source(value)?;
            self.given.push((part(number), source));
            return Ok(None);
        }
        let to = self.register(value)?;
        if name.starts_with("retval") {
            let call = self.calls.last_mut().ok_or_else(|| Error::new("nothing was called"))?;
            call.taken.push((part(0), to, ty));
            return Ok(None);
        }
        if self.function.is_kernel {
            let at = self.source(name)?;
            return Ok(Some(Instr::KernelParameter { ty, to, at, offset }));
        }
        let number = name.rsplit('_').next().and_then(|n| n.parse().ok());
        let number = number.ok_or_else(|| Error::new("no parameter"))?;
        let place = find(&mut self.function.reads, part(number));
        Ok(Some(Instr::Parameter { ty, to, place }))
    }

    fn call(&mut self, w: &Words<'a>) -> Result<Instr, Error> {
        let name = w.operands.iter().find(|o| !o.starts_with('('));
        let name = (*name.ok_or_else(|| Error::new("nothing is called"))?).to_string();
        let at = self.function.code.len();
        let given = std::mem::take(&mut self.given);
        self.calls.push(Pending { at, name, given, taken: Vec::new() });
        Ok(Instr::Trap)
    }
}

/// What a reduction does with two words.
fn reduction(name: &str) -> Result<Two, Error> {
    match name {
        "add" => Ok(Two::Add),
        "or" => Ok(Two::Or),
        "and" => Ok(Two::And),
        "min" => Ok(Two::Min),
        "max" => Ok(Two::Max),
        _ => Err(Error::new("this reduction cannot be read")),
    }
}

/// The place of something in a list, added if it is new.
fn find<T: PartialEq>(list: &mut Vec<T>, what: T) -> u32 {
    let found = list.iter().position(|x| *x == what).unwrap_or(list.len());
    if found == list.len() {
        list.push(what);
    }
    found as u32
}

/// `$L__BB0_1:` and what follows; a table of labels is no label.
fn label(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$')?;
    let after = text[end..].strip_prefix(':')?;
    (end > 0 && !after.trim_start().starts_with(".branchtargets")).then_some((&text[..end], after))
}

/// The name of a function, and how many bytes of parameters a kernel has.
fn signature(header: &str) -> Result<Function, Error> {
    let is_kernel = header.contains(".entry");
    let wrong = || Error::new(format!("cannot read {header}"));
    let after = header.split_once(if is_kernel { ".entry" } else { ".func" });
    let mut after = after.ok_or_else(wrong)?.1.trim_start();
    if after.starts_with('(') {
        after = after.split_once(')').ok_or_else(wrong)?.1.trim_start();
    }
    let (name, parameters) = after.split_once('(').unwrap_or((after, ""));
    let mut size = 0u64;
    for parameter in parameters.split(',').filter(|p| is_kernel && p.contains(".param")) {
        let ty = parameter.split_whitespace().find_map(|w| ty(w.strip_prefix('.')?).ok());
        let each = u64::from(ty.ok_or_else(wrong)?.bits / 8);
        let count = parameter
            .split_once('[')
            .map_or(Some(1), |(_, n)| n.split(']').next().and_then(|n| n.parse().ok()));
        size = size.next_multiple_of(each) + each * count.ok_or_else(wrong)?;
    }
    Ok(Function {
        name: name.trim().to_string(),
        is_kernel,
        registers: 0,
        local: 0,
        parameters: size,
        code: Vec::new(),
        meets: Vec::new(),
        lines: Vec::new(),
        reads: Vec::new(),
        returns: Vec::new(),
    })
}
