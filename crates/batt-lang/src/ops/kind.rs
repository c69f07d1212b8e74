//! Kinds: what the table says about arguments and results.

use std::fmt;

use crate::value::{Function, Value};

/// The kind of an argument or a result.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Anything.
    Any,
    /// The same unknown kind wherever the letter occurs in one signature.
    Var(char),
    /// Truth.
    Bool,
    /// A 32-bit int.
    Int,
    /// A pair of ints: a location, a step, a size.
    IJ,
    /// An int or a pair of ints.
    Num,
    /// (colour, (row, column)).
    Cell,
    /// A tuple of rows.
    Grid,
    /// A set of cells.
    Object,
    /// A set of locations.
    Indices,
    /// An object or indices.
    Patch,
    /// A grid or a patch.
    Piece,
    /// A grid or an object.
    Element,
    /// The demo pairs: a tuple of (input, output).
    Pairs,
    /// A tuple.
    Tup(Box<Kind>),
    /// A set.
    Set(Box<Kind>),
    /// A tuple or a set.
    Cont(Box<Kind>),
    /// A function.
    Fn(Vec<Kind>, Box<Kind>),
}

impl Kind {
    /// Reads a kind as the table writes it. The table's own test makes sure that every row can be
    /// read; a word that is not a kind reads as `Any`.
    pub(super) fn of_table(text: &str) -> Kind {
        let text: String = text.split_whitespace().collect();
        Kind::read(&text)
    }

    fn read(text: &str) -> Kind {
        let inner = |name: &str| {
            text.strip_prefix(name)?
                .strip_prefix('<')?
                .strip_suffix('>')
                .map(|k| Box::new(Kind::read(k)))
        };
        if let Some(rest) = text.strip_prefix("fn(") {
            let close = closing(rest);
            let params = split_commas(&rest[..close]).into_iter().map(Kind::read).collect();
            let result = rest[close + 1..].trim_start_matches("->");
            return Kind::Fn(params, Box::new(Kind::read(result)));
        }
        if let Some(k) = inner("Tup") {
            return Kind::Tup(k);
        }
        if let Some(k) = inner("Set") {
            return Kind::Set(k);
        }
        if let Some(k) = inner("Cont") {
            return Kind::Cont(k);
        }
        match text {
            "Bool" => Kind::Bool,
            "Int" => Kind::Int,
            "IJ" => Kind::IJ,
            "Num" => Kind::Num,
            "Cell" => Kind::Cell,
            "Grid" => Kind::Grid,
            "Object" => Kind::Object,
            "Indices" => Kind::Indices,
            "Patch" => Kind::Patch,
            "Piece" => Kind::Piece,
            "Element" => Kind::Element,
            "Pairs" => Kind::Pairs,
            _ => match text.chars().next() {
                Some(letter) if text.len() == 1 => Kind::Var(letter),
                _ => Kind::Any,
            },
        }
    }

    /// What a failed call of this kind becomes under the safe policy.
    pub fn default_value(&self) -> Value {
        match self {
            Kind::Set(_) | Kind::Object | Kind::Indices | Kind::Patch => Value::empty_set(),
            Kind::Int | Kind::Num => Value::Int(0),
            Kind::Bool => Value::Bool(false),
            Kind::Fn(..) => Value::function(Function::Nothing),
            _ => Value::empty_tuple(),
        }
    }
}

/// The place of the bracket that closes one opened just before `text`.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return at,
            ')' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

fn split_commas(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '<' => depth += 1,
            // The arrow of `fn(A) -> B` closes nothing.
            '>' if text[..at].ends_with('-') => {}
            ')' | '>' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Var(letter) => write!(f, "{letter}"),
            Kind::Tup(k) => write!(f, "Tup<{k}>"),
            Kind::Set(k) => write!(f, "Set<{k}>"),
            Kind::Cont(k) => write!(f, "Cont<{k}>"),
            Kind::Fn(params, result) => {
                f.write_str("fn(")?;
                for (i, k) in params.iter().enumerate() {
                    write!(f, "{}{k}", if i > 0 { ", " } else { "" })?;
                }
                write!(f, ") -> {result}")
            }
            plain => write!(f, "{plain:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::Op;

    #[test]
    fn every_kind_of_the_table_is_read_and_printed_alike() {
        fn known(kind: &Kind) -> bool {
            match kind {
                Kind::Any => false,
                Kind::Tup(k) | Kind::Set(k) | Kind::Cont(k) => known(k) || **k == Kind::Any,
                Kind::Fn(ps, r) => {
                    ps.iter().all(|p| known(p) || *p == Kind::Any) && (known(r) || **r == Kind::Any)
                }
                _ => true,
            }
        }
        for &op in Op::ALL {
            let info = op.info();
            for kind in info.params.iter().map(|p| &p.kind).chain([&info.result]) {
                let any_on_purpose =
                    *kind == Kind::Any && ["equality", "is_no_grid"].contains(&info.name);
                assert!(known(kind) || any_on_purpose, "{}: {kind}", info.name);
                assert_eq!(Kind::of_table(&kind.to_string()), *kind);
            }
        }
    }

    #[test]
    fn nested_functions_are_read() {
        let kind = Kind::of_table("fn(B, fn(A) -> C) -> Tup<Set<Int>>");
        assert_eq!(kind.to_string(), "fn(B, fn(A) -> C) -> Tup<Set<Int>>");
    }
}
