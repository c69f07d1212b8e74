//! Words for what cannot be read, and what to write instead.

use crate::constants;
use crate::ops::Prim;

/// What a binary operator is written as.
pub(super) fn operator(sign: &str) -> Option<&'static str> {
    Some(match sign {
        "+" => "use add(a, b)",
        "-" => "use subtract(a, b)",
        "*" => "use multiply(a, b)",
        "/" | "//" => "use divide(a, b)",
        "==" | "is" => "use equality(a, b)",
        "!=" => "use flip(equality(a, b))",
        ">" => "use greater(a, b)",
        "<" => "use greater(b, a)",
        "<=" => "use flip(greater(a, b))",
        ">=" => "use flip(greater(b, a))",
        "|" => "use combine(a, b)",
        "&" => "use intersection(a, b)",
        "and" => "use both(a, b)",
        "or" => "use either(a, b)",
        "not" => "use flip(a)",
        "in" => "use contained(value, container)",
        "**" | "%" | "^" | "~" | "<<" | ">>" | "@" => {
            "there is no primitive for it; see `batt ops` for those there are"
        }
        _ => return None,
    })
}

/// What an operator that also assigns is written as.
pub(super) fn update(sign: &str) -> Option<&'static str> {
    let compares = ["==", "!=", "<=", ">=", ":="].contains(&sign);
    sign.strip_suffix('=').filter(|_| !compares).and_then(operator)
}

/// What a Python keyword means, where a program cannot have it, and what to use.
pub(super) fn keyword(word: &str) -> Option<(&'static str, &'static str)> {
    const LINES: &str = "a program is a list of lines `name = primitive(...)` and a `return`";
    Some(match word {
        "lambda" => ("lambda is not supported", "use compose, chain, fork, lbind or rbind"),
        "for" => ("loops and comprehensions are not supported", "use apply, mapply or sfilter"),
        "while" => ("loops are not supported", "use power(function, n)"),
        "if" | "elif" | "else" => ("conditions are not supported", "use branch(condition, a, b)"),
        "match" => ("match is not supported", "use branch(condition, a, b)"),
        "with" => ("with is not supported", LINES),
        "class" => ("classes are not supported", LINES),
        "def" => ("a function inside a function is not supported", "use compose, chain or fork"),
        "async" | "await" => ("async code is not supported", LINES),
        "global" | "nonlocal" => ("global variables are not supported", LINES),
        "import" | "from" => {
            ("an import inside a function is not supported", "primitives need no import")
        }
        "yield" => ("yield is not supported", "a function has one `return`"),
        "finally" => ("finally is not supported", "keep `try:` and `except:` only"),
        "assert" | "raise" | "del" | "break" | "continue" => {
            ("this statement is not supported", LINES)
        }
        _ => return None,
    })
}

/// Whether Python keeps the word for itself.
pub(super) fn reserved(word: &str) -> bool {
    matches!(
        word,
        "True"
            | "False"
            | "None"
            | "and"
            | "or"
            | "not"
            | "is"
            | "in"
            | "as"
            | "pass"
            | "return"
            | "try"
            | "except"
    ) || (word != "match" && keyword(word).is_some())
}

/// What Python's own functions are called here.
fn builtin(name: &str) -> Option<&'static str> {
    Some(match name {
        "len" => "size(container)",
        "max" => "maximum(container) or argmax(container, function)",
        "min" => "minimum(container) or argmin(container, function)",
        "sorted" => "order(container, function)",
        "tuple" => "totuple(container)",
        "set" | "frozenset" => "initset(value) and insert(value, set)",
        "range" => "interval(start, stop, step)",
        "map" => "apply(function, container)",
        "filter" => "sfilter(container, function)",
        "zip" => "pair(a, b)",
        _ => return None,
    })
}

/// What may have been meant by an unknown name.
pub(super) fn unknown<'a>(name: &str, variables: impl Iterator<Item = &'a str>) -> Option<String> {
    if let Some(instead) = builtin(name) {
        return Some(format!("use {instead}"));
    }
    let known = Prim::names().map(|(name, _)| name);
    let constants = constants::all().map(|(_, c)| c.name.as_str());
    closest(name, variables.chain(known).chain(constants))
        .map(|close| format!("did you mean `{close}`?"))
}

/// The nearest name by edit distance, if one is near.
pub(super) fn closest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.len();
    if length > 64 {
        return None;
    }
    let near = (length / 3).max(1);
    known
        .filter(|other| other.len().abs_diff(length) <= near && *other != name)
        .map(|other| (strsim::osa_distance(name, other), other))
        // In a name of one or two letters, everything is one letter away from everything.
        .filter(|(distance, other)| {
            *distance <= near && (length > 2 || other.eq_ignore_ascii_case(name))
        })
        .min()
        .map(|(_, other)| other)
}

/// `fill(grid: Grid, value: Int, patch: Patch) -> Grid`.
pub(super) fn signature(prim: Prim) -> String {
    let params: Vec<String> =
        prim.info().params.iter().map(|p| format!("{}: {}", p.name, p.kind)).collect();
    format!("{prim}({}) -> {}", params.join(", "), prim.info().result)
}
