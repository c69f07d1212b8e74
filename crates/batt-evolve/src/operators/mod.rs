//! Operators: each changes a program within the kinds of the primitive table.
//!
//! An operator is given a [`Draft`] and makes one change. It says whether there was nothing to change,
//! whether what it made fits no kind, or what the child is. Everything it chooses comes from the dice.
//!
//! - `constant`: a constant for another of the kind that its name carries
//! - `primitive`: a primitive for another of the same signature, or one that fits as well
//! - `variable`: an argument for another expression of the program
//! - `pairs`: colours and orientations that the demo pairs tell
//! - `lines`: insert, delete, duplicate and modify
//! - `crossover`: a part of another program
//! - `simplify`: laws that keep what a program gives, or a smaller part in the place of a larger one
//! - [`rates`]: what came of each operator, and how often it is used

mod constant;
mod crossover;
mod fill;
mod lines;
mod pairs;
mod primitive;
pub mod rates;
mod simplify;
#[cfg(test)]
mod tests;
mod variable;

use batt_lang::card::dice::Dice;

use crate::pool::{Gene, Head, Node, Pool};

pub use simplify::laws;

/// The most expressions that a program may have, constants and inputs included.
pub const LARGEST: usize = 96;

/// A way to change a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operator {
    /// A constant for another of its kind.
    Constant,
    /// A primitive for another.
    Primitive,
    /// A variable for another.
    Variable,
    /// A colour or an orientation from the demo pairs.
    Pairs,
    /// A new line.
    Insert,
    /// A line less.
    Delete,
    /// A line twice, the second time changed.
    Duplicate,
    /// A part of another program.
    Crossover,
    /// Something shorter.
    Simplify,
}

impl Operator {
    /// Every operator.
    pub const ALL: [Operator; 9] = [
        Operator::Constant,
        Operator::Primitive,
        Operator::Variable,
        Operator::Pairs,
        Operator::Insert,
        Operator::Delete,
        Operator::Duplicate,
        Operator::Crossover,
        Operator::Simplify,
    ];

    /// Its name in reports and in the lineage.
    pub fn name(self) -> &'static str {
        match self {
            Operator::Constant => "constant",
            Operator::Primitive => "primitive",
            Operator::Variable => "variable",
            Operator::Pairs => "pairs",
            Operator::Insert => "insert",
            Operator::Delete => "delete",
            Operator::Duplicate => "duplicate",
            Operator::Crossover => "crossover",
            Operator::Simplify => "simplify",
        }
    }

    /// Its place in [`Operator::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }
}

/// What an operator made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proposal {
    /// There was nothing that it could change.
    Nothing,
    /// What it made fits no kind.
    IllTyped,
    /// A program.
    Child(Gene),
}

/// A program that is being changed.
pub struct Draft<'a> {
    /// Where its expressions are.
    pub pool: &'a mut Pool,
    /// What it is made of, arguments first, the output last.
    pub parts: &'a [Gene],
    /// Other programs, each as its parts.
    pub donors: &'a [&'a [Gene]],
    /// What the demo pairs tell.
    pub hints: &'a Hints,
    /// Chance.
    pub dice: &'a mut Dice,
}

/// What the demo pairs of a task tell, as expressions of the pool.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    /// Colours.
    pub colors: Vec<Gene>,
    /// Whether all demos are turned alike.
    pub turned: bool,
}

/// An argument of an expression; without a user, the output itself.
#[derive(Clone, Copy, Debug)]
struct Edge {
    user: Option<Gene>,
    at: usize,
    arg: Gene,
}

impl Draft<'_> {
    /// One change.
    pub fn propose(&mut self, operator: Operator) -> Proposal {
        let made = match operator {
            Operator::Constant => self.constant(),
            Operator::Primitive => self.primitive(),
            Operator::Variable => self.variable(),
            Operator::Pairs => self.pairs(),
            Operator::Insert => self.insert(),
            Operator::Delete => self.delete(),
            Operator::Duplicate => self.duplicate(),
            Operator::Crossover => self.crossover(),
            Operator::Simplify => self.simplify(),
        };
        match made {
            Proposal::Child(gene) if Some(&gene) == self.parts.last() => Proposal::Nothing,
            Proposal::Child(gene) if !self.pool.table.is_output(self.pool.kind(gene)) => {
                Proposal::IllTyped
            }
            other => other,
        }
    }

    fn node(&self, gene: Gene) -> Node {
        self.pool.node(gene)
    }

    /// One of the arguments that `wanted` likes.
    fn edge(&mut self, mut wanted: impl FnMut(&Pool, &Edge) -> bool) -> Option<Edge> {
        let mut chosen = None;
        let mut seen = 0;
        for user in self.parts {
            let node = self.pool.node(*user);
            for (at, arg) in node.args().enumerate() {
                let edge = Edge { user: Some(*user), at, arg };
                if wanted(self.pool, &edge) {
                    seen += 1;
                    // Each of those seen so far is equally likely.
                    if self.dice.below(seen) == 0 {
                        chosen = Some(edge);
                    }
                }
            }
        }
        chosen
    }

    /// One of the expressions that `wanted` likes.
    fn part(&mut self, wanted: impl Fn(&Pool, Gene) -> bool) -> Option<Gene> {
        let mut chosen = None;
        let mut seen = 0;
        for gene in self.parts {
            if wanted(self.pool, *gene) {
                seen += 1;
                if self.dice.below(seen) == 0 {
                    chosen = Some(*gene);
                }
            }
        }
        chosen
    }

    /// The program with another argument there.
    fn set(&mut self, edge: Edge, new: Gene) -> Proposal {
        let Some(user) = edge.user else { return Proposal::Child(new) };
        match self.pool.add(self.pool.node(user).with(edge.at, new)) {
            Some(made) => self.everywhere(user, made),
            None => Proposal::IllTyped,
        }
    }

    /// The program with another expression wherever one stood.
    fn everywhere(&mut self, old: Gene, new: Gene) -> Proposal {
        if old == new {
            return Proposal::Nothing;
        }
        self.pool.replace(self.parts, old, new).map_or(Proposal::IllTyped, Proposal::Child)
    }

    fn leaf(&mut self, head: Head) -> Gene {
        self.pool.add_written(Node::leaf(head))
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> Option<T> {
        if from.is_empty() { None } else { Some(from[self.dice.below(from.len())]) }
    }

    /// True so many times in a hundred.
    fn chance(&mut self, percent: usize) -> bool {
        self.dice.below(100) < percent
    }
}
