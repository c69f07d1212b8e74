//! Values as text: Python's notation, sets in canonical order.
//!
//! The alternate form (`{:#}`) writes bools as 0 and 1, so that equal values have equal text.

use std::fmt;

use super::{Function, Value};

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Null => f.write_str("None"),
            Value::Bool(b) if f.alternate() => write!(f, "{}", i32::from(*b)),
            Value::Bool(b) => f.write_str(if *b { "True" } else { "False" }),
            Value::Int(n) => write!(f, "{n}"),
            Value::Pair(i, j) => write!(f, "({i}, {j})"),
            Value::Cell(c, i, j) => write!(f, "({c}, ({i}, {j}))"),
            Value::Tuple(items) => {
                list(f, "(", items, ")", if items.len() == 1 { "," } else { "" })
            }
            Value::Set(items) => list(f, "{", items, "}", ""),
            Value::Function(function) => fmt::Display::fmt(function, f),
        }
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Function::Prim(prim) => write!(f, "{prim}"),
            Function::Made { maker, args, .. } => {
                f.write_str(maker.info().name)?;
                list(f, "(", args, ")", "")
            }
            Function::Nothing => f.write_str("nothing"),
        }
    }
}

fn list(
    f: &mut fmt::Formatter<'_>,
    open: &str,
    items: &[Value],
    close: &str,
    tail: &str,
) -> fmt::Result {
    f.write_str(open)?;
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        fmt::Display::fmt(item, f)?;
    }
    write!(f, "{tail}{close}")
}
