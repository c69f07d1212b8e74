//! Function values: a primitive, or what a combinator made of its arguments.

use std::cmp::Ordering;

use super::Value;
use crate::ops::{Op, Prim};

/// A function. Two functions are equal when they are built the same way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// A primitive.
    Prim(Prim),
    /// What the combinator `maker` (compose, chain, matcher, rbind, lbind, power, fork) made.
    Made {
        /// The combinator.
        maker: Op,
        /// What it was given.
        args: Vec<Value>,
        /// How many arguments the new function takes.
        arity: usize,
        /// How many primitives it is built from.
        weight: u32,
        /// How deep functions and containers nest in it.
        depth: u32,
    },
    /// The safe policy's stand-in for a function that could not be made: returns `()`.
    Nothing,
}

impl Function {
    /// What `maker` makes of `args`.
    pub fn made(maker: Op, args: Vec<Value>, arity: usize) -> Function {
        let weight = args.iter().fold(0, |sum: u32, arg| sum.saturating_add(arg.weight())).max(1);
        let depth = args.iter().map(Value::depth).max().unwrap_or(0) + 1;
        Function::Made { maker, args, arity, weight, depth }
    }

    /// How many arguments it takes; `None` when any number will do.
    pub fn arity(&self) -> Option<usize> {
        match self {
            Function::Prim(prim) => Some(prim.arity()),
            Function::Made { arity, .. } => Some(*arity),
            Function::Nothing => None,
        }
    }

    /// How many primitives it is built from.
    pub fn weight(&self) -> u32 {
        match self {
            Function::Made { weight, .. } => *weight,
            _ => 1,
        }
    }

    /// How deep functions and containers nest in it.
    pub fn depth(&self) -> u32 {
        match self {
            Function::Made { depth, .. } => *depth,
            _ => 0,
        }
    }
}

// "Where a set of functions must be ordered, by canonical text."
impl Ord for Function {
    fn cmp(&self, other: &Function) -> Ordering {
        if self == other { Ordering::Equal } else { format!("{self:#}").cmp(&format!("{other:#}")) }
    }
}

impl PartialOrd for Function {
    fn partial_cmp(&self, other: &Function) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
