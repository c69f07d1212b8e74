//! The primitives: one table, and everything that is derived from it.

mod kind;
mod suffix;
#[macro_use]
mod table;
pub mod typing;

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

pub use kind::Kind;
pub use suffix::{Meaning, Reading};

/// What a primitive does besides computing a value from its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A plain function of its arguments.
    Pure,
    /// Runs a function that it is given.
    Runs,
    /// Makes a function and runs nothing.
    Makes,
}

/// One argument of a primitive.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name, as keyword arguments use it.
    pub name: &'static str,
    /// Its kind.
    pub kind: Kind,
    /// Whether a suffixed name (`apply_t`) says how this argument is read.
    pub guarded: bool,
}

/// Everything that the table says about one primitive.
#[derive(Clone, Debug)]
pub struct OpInfo {
    /// Its plain name.
    pub name: &'static str,
    /// What it does, in one line.
    pub doc: &'static str,
    /// Its arguments.
    pub params: Vec<Param>,
    /// The kind of its result; it also names the default under the safe policy.
    pub result: Kind,
    /// What it does besides computing.
    pub role: Role,
    /// An expression over a small grid that shows it.
    pub example: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
}

macro_rules! declare {
    ($(
        #[doc = $doc:literal]
        $name:ident $variant:ident ( $($arg:ident : $kind:ty),* ) -> $result:ty, $role:ident, $example:literal
        $(, on $guard:ident)* $(, also $alias:ident)* ;
    )*) => {
        /// A primitive of the table.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Op {
            $(#[doc = $doc] $variant,)*
        }

        impl Op {
            /// Every primitive, in table order.
            pub const ALL: &'static [Op] = &[$(Op::$variant),*];
        }

        static INFOS: LazyLock<Vec<OpInfo>> = LazyLock::new(|| vec![$({
            let guards: &[&str] = &[$(stringify!($guard)),*];
            OpInfo {
                name: plain(stringify!($name)),
                doc: $doc.trim_ascii(),
                params: vec![$(Param {
                    name: stringify!($arg),
                    kind: Kind::of_table(stringify!($kind)),
                    guarded: guards.contains(&stringify!($arg)),
                }),*],
                result: Kind::of_table(stringify!($result)),
                role: role(stringify!($role)),
                example: $example,
                aliases: &[$(stringify!($alias)),*],
            }
        }),*]);
    };
}
for_each_op!(declare);

/// `move` and `box` are words of Rust and stand in the table as `r#move` and `r#box`.
fn plain(name: &'static str) -> &'static str {
    name.strip_prefix("r#").unwrap_or(name)
}

fn role(word: &str) -> Role {
    match word {
        "runs" => Role::Runs,
        "makes" => Role::Makes,
        _ => Role::Pure,
    }
}

impl Op {
    /// The table's row.
    pub fn info(self) -> &'static OpInfo {
        &INFOS[self as usize]
    }

    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        self.info().params.len()
    }
}

/// What a suffixed name expects of the guarded arguments. It checks nothing; [`Prim::reading`] says what
/// becomes of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Guard {
    /// The plain name: nothing.
    None,
    /// `_t`: a tuple (a grid is one).
    Tuple,
    /// `_f`: a set.
    Set,
    /// `_i`: a set of locations.
    Indices,
    /// `_o`: a set of cells.
    Object,
}

impl Guard {
    /// Every guard that has a suffix.
    pub const SUFFIXED: [Guard; 4] = [Guard::Tuple, Guard::Set, Guard::Indices, Guard::Object];

    /// What is written after the plain name.
    pub fn suffix(self) -> &'static str {
        match self {
            Guard::None => "",
            Guard::Tuple => "_t",
            Guard::Set => "_f",
            Guard::Indices => "_i",
            Guard::Object => "_o",
        }
    }
}

/// A primitive as programs name it: a row of the table, perhaps with a suffix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Prim {
    /// The row.
    pub op: Op,
    /// The suffix.
    pub guard: Guard,
}

impl From<Op> for Prim {
    fn from(op: Op) -> Prim {
        Prim { op, guard: Guard::None }
    }
}

impl Prim {
    /// The table's row.
    pub fn info(self) -> &'static OpInfo {
        self.op.info()
    }

    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        self.op.arity()
    }

    /// Looks a name up: plain, suffixed or alias.
    ///
    /// ```
    /// use batt_lang::{Op, Prim};
    /// assert_eq!(Prim::named("first_t").unwrap().op, Op::First);
    /// assert_eq!(Prim::named("f_ofcolor").unwrap().op, Op::Ofcolor);
    /// assert!(Prim::named("fist").is_none());
    /// ```
    pub fn named(name: &str) -> Option<Prim> {
        NAMES.get(name).copied()
    }

    /// Every name there is, with the primitive it means.
    pub fn names() -> impl Iterator<Item = (&'static str, Prim)> {
        NAMES.iter().map(|(name, prim)| (name.as_str(), *prim))
    }
}

impl fmt::Display for Prim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.info().name, self.guard.suffix())
    }
}

static NAMES: LazyLock<HashMap<String, Prim>> = LazyLock::new(|| {
    let mut names = HashMap::new();
    for &op in Op::ALL {
        let info = op.info();
        names.insert(info.name.to_string(), Prim::from(op));
        for alias in info.aliases {
            names.insert((*alias).to_string(), Prim::from(op));
        }
    }
    for &op in Op::ALL {
        if op.info().params.iter().any(|p| p.guarded) {
            for guard in Guard::SUFFIXED {
                // A row of its own (`objects_t`) wins over a derived name.
                names
                    .entry(format!("{}{}", op.info().name, guard.suffix()))
                    .or_insert(Prim { op, guard });
            }
        }
    }
    names
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_whole() {
        // 160 of arc-dsl, 33 that other people's programs use, and ours.
        assert_eq!(Op::ALL.len(), 200);
        for &op in Op::ALL {
            let info = op.info();
            assert!(!info.doc.is_empty() && !info.example.is_empty(), "{}", info.name);
            assert!((1..=4).contains(&op.arity()), "{}", info.name);
            let makes = matches!(info.result, Kind::Fn(..));
            assert_eq!(makes, info.role == Role::Makes, "{}", info.name);
        }
    }

    #[test]
    fn names_print_as_they_are_read() {
        for (name, prim) in Prim::names() {
            let aliased = prim.info().aliases.contains(&name);
            assert!(aliased || prim.to_string() == name, "{name} prints as {prim}");
        }
    }
}
