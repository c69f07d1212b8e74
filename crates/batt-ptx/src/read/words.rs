//! The words of an instruction: its name in parts, and its operands.

use crate::Error;
use crate::operation::Type;

/// One instruction in words.
pub struct Words<'a> {
    /// The name, cut at its points.
    pub name: Vec<&'a str>,
    /// The operands; what is in braces, brackets or parentheses stays together.
    pub operands: Vec<&'a str>,
}

impl<'a> Words<'a> {
    pub fn of(statement: &'a str) -> Words<'a> {
        let (name, rest) = statement.split_once(char::is_whitespace).unwrap_or((statement, ""));
        Words { name: name.split('.').collect(), operands: cut(rest) }
    }

    /// An operand by its place.
    pub fn operand(&self, at: usize) -> Result<&'a str, Error> {
        self.operands.get(at).copied().ok_or_else(|| Error::new("an operand is missing"))
    }

    /// The type that the name ends in.
    pub fn ty(&self) -> Result<Type, Error> {
        ty(self.name.last().copied().unwrap_or(""))
    }

    /// Whether a part of the name is this.
    pub fn has(&self, part: &str) -> bool {
        self.name.contains(&part)
    }
}

/// Operands between commas.
fn cut(text: &str) -> Vec<&str> {
    let (mut operands, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth -= 1,
            ',' if depth == 0 => {
                operands.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    let last = text[start..].trim();
    if !last.is_empty() {
        operands.push(last);
    }
    operands
}

/// `{a, b}` as its parts; anything else as itself.
pub fn parts(operand: &str) -> Vec<&str> {
    let inner = operand.strip_prefix('{').and_then(|o| o.strip_suffix('}'));
    inner.map_or_else(|| vec![operand], |inner| inner.split(',').map(str::trim).collect())
}

/// `[name+8]` as its name and offset.
pub fn address(operand: &str) -> Result<(&str, i64), Error> {
    let wrong = || Error::new(format!("{operand} is no address"));
    let inner = operand.strip_prefix('[').and_then(|o| o.strip_suffix(']')).ok_or_else(wrong)?;
    match inner.split_once('+') {
        Some((name, offset)) => Ok((name.trim(), offset.trim().parse().map_err(|_| wrong())?)),
        None => Ok((inner.trim(), 0)),
    }
}

/// A type by its name.
pub fn ty(name: &str) -> Result<Type, Error> {
    let wrong = || Error::new(format!("{name} is no type that can be read"));
    if name == "pred" {
        return Ok(Type { bits: 1, signed: false });
    }
    let (kind, bits) = name.split_at_checked(1).ok_or_else(wrong)?;
    let bits = bits.parse().map_err(|_| wrong())?;
    if !matches!(kind, "b" | "u" | "s") || !matches!(bits, 8 | 16 | 32 | 64) {
        return Err(wrong());
    }
    Ok(Type { bits, signed: kind == "s" })
}
