//! Named constants. A constant's name carries its kind, and typed mutation stays within it.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::ops::Kind;
use crate::value::Value;

/// The kind that a constant's name carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ConstKind {
    /// `T`, `F`.
    Bool,
    /// `ZERO`, `NEG_ONE`, `HUNDRED`, …
    Int,
    /// `ORIGIN`, `UP`, …
    Pair,
    /// `BLACK` … `BURGUNDY`.
    Color,
    /// `F0`…`F9` from the first, `L1`…`L10` from the last.
    Rank,
    /// `A0`…`A9`.
    Orientation,
    /// `R0`…`R9`, and the scale symbols `SM2`, `SM3`, `SD2`, `SD3`.
    Symbol,
}

/// One named constant.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// The kind that the name carries.
    pub kind: ConstKind,
    /// Its value.
    pub value: Value,
}

/// A constant's place in [`all`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConstId(u16);

impl ConstId {
    /// Looks a name up.
    ///
    /// ```
    /// use batt_lang::{constants::ConstId, Value};
    /// assert_eq!(*ConstId::named("L1").unwrap().value(), Value::Int(-1));
    /// ```
    pub fn named(name: &str) -> Option<ConstId> {
        TABLE.1.get(name).copied()
    }

    /// Its place among all constants, as an index.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The constant at a place.
    pub fn at(index: usize) -> Option<ConstId> {
        (index < TABLE.0.len()).then_some(ConstId(index as u16))
    }

    /// The constant.
    pub fn get(self) -> &'static Constant {
        &TABLE.0[usize::from(self.0)]
    }

    /// Its value.
    pub fn value(self) -> &'static Value {
        &self.get().value
    }
}

/// Every constant with its id.
pub fn all() -> impl Iterator<Item = (ConstId, &'static Constant)> {
    TABLE.0.iter().enumerate().map(|(i, c)| (ConstId(i as u16), c))
}

/// The constants that make sense for an argument of this name and kind; a repeated one is likelier
/// to be wanted. None for kinds that have no constants.
pub fn fitting(argument: &str, kind: &Kind) -> Vec<ConstId> {
    let named = |names: &[&str]| names.iter().filter_map(|n| ConstId::named(n)).collect();
    let few = |kind: ConstKind, most: i32| -> Vec<ConstId> {
        let within = |v: &Value| v.as_int().is_some_and(|n| n.abs() <= most);
        all().filter(|(_, c)| c.kind == kind && within(&c.value)).map(|c| c.0).collect()
    };
    match (kind, argument) {
        (Kind::Bool, _) => named(&["T", "F"]),
        (Kind::IJ, "dims" | "dimensions") => named(&["UNITY", "TWO_BY_TWO", "THREE_BY_THREE"]),
        (Kind::IJ, "start" | "loc" | "location") => named(&["ORIGIN", "UNITY", "RIGHT", "DOWN"]),
        (Kind::IJ, _) => all().filter(|(_, c)| c.kind == ConstKind::Pair).map(|c| c.0).collect(),
        (Kind::Int | Kind::Num, "rank") => named(&["F0", "F0", "F1", "L1", "L1", "L2"]),
        (Kind::Int | Kind::Num, "factor" | "n" | "num" | "step" | "times") => {
            named(&["ONE", "TWO", "TWO", "THREE"])
        }
        (Kind::Int | Kind::Num, "mode") => few(ConstKind::Symbol, 7),
        (Kind::Int | Kind::Num, "which") => few(ConstKind::Symbol, 3),
        (Kind::Int | Kind::Num, "orientation") => few(ConstKind::Orientation, 7),
        (Kind::Int | Kind::Num, "value" | "color" | "fallback" | "replacee" | "replacer") => {
            few(ConstKind::Color, 9)
        }
        (Kind::Int | Kind::Num, _) => few(ConstKind::Int, 5),
        _ => Vec::new(),
    }
}

static TABLE: LazyLock<(Vec<Constant>, HashMap<String, ConstId>)> = LazyLock::new(|| {
    let all = build();
    let names = all.iter().enumerate().map(|(i, c)| (c.name.clone(), ConstId(i as u16))).collect();
    (all, names)
});

fn build() -> Vec<Constant> {
    use ConstKind as K;
    const DIGITS: [&str; 11] =
        ["ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE", "TEN"];
    const COLORS: [&str; 10] = [
        "BLACK", "BLUE", "RED", "GREEN", "YELLOW", "GRAY", "MAGENTA", "ORANGE", "CYAN", "BURGUNDY",
    ];
    const PAIRS: [(&str, i32, i32); 13] = [
        ("ORIGIN", 0, 0),
        ("UNITY", 1, 1),
        ("DOWN", 1, 0),
        ("RIGHT", 0, 1),
        ("UP", -1, 0),
        ("LEFT", 0, -1),
        ("NEG_UNITY", -1, -1),
        ("UP_RIGHT", -1, 1),
        ("DOWN_LEFT", 1, -1),
        ("ZERO_BY_TWO", 0, 2),
        ("TWO_BY_ZERO", 2, 0),
        ("TWO_BY_TWO", 2, 2),
        ("THREE_BY_THREE", 3, 3),
    ];
    let mut all = Vec::new();
    let mut add = |name: String, kind, value| all.push(Constant { name, kind, value });
    add("F".into(), K::Bool, Value::Bool(false));
    add("T".into(), K::Bool, Value::Bool(true));
    for (n, digit) in (0..).zip(DIGITS) {
        add(digit.into(), K::Int, Value::Int(n));
    }
    for (n, digit) in (0..).zip(DIGITS).skip(1) {
        add(format!("NEG_{digit}"), K::Int, Value::Int(-n));
    }
    add("HUNDRED".into(), K::Int, Value::Int(100));
    add("THOUSAND".into(), K::Int, Value::Int(1000));
    for (name, i, j) in PAIRS {
        add(name.into(), K::Pair, Value::Pair(i, j));
    }
    for (n, color) in (0..).zip(COLORS) {
        add(color.into(), K::Color, Value::Int(n));
    }
    for n in 0..10 {
        add(format!("F{n}"), K::Rank, Value::Int(n));
    }
    for n in 1..=10 {
        add(format!("L{n}"), K::Rank, Value::Int(-n));
    }
    for n in 0..10 {
        add(format!("A{n}"), K::Orientation, Value::Int(n));
    }
    for n in 0..10 {
        add(format!("R{n}"), K::Symbol, Value::Int(n));
    }
    for n in [2, 3] {
        add(format!("SM{n}"), K::Symbol, Value::Int(n));
        add(format!("SD{n}"), K::Symbol, Value::Int(-n));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_mean_what_they_say() {
        assert_eq!(all().count(), TABLE.1.len());
        for (name, value) in [("NEG_TEN", -10), ("L10", -10), ("SD3", -3), ("CYAN", 8), ("A7", 7)] {
            assert_eq!(*ConstId::named(name).unwrap().value(), Value::Int(value), "{name}");
        }
        assert_eq!(*ConstId::named("F").unwrap().value(), Value::Bool(false));
        assert_eq!(*ConstId::named("F0").unwrap().value(), Value::Int(0));
    }
}
