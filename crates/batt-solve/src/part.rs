//! Parts: the ways in which the solver looks for answers, each of which stands alone.

use std::cell::Cell;
use std::fmt;
use std::str::FromStr;

use batt_run::tasks::Grid;

use crate::answer::Candidate;
use crate::store::Store;

/// A way to look for answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Part {
    /// Trees that say for every cell what it becomes, on the input or on a view of it.
    Cells,
    /// Objects that move, grow, are copied or completed, and lines that are drawn.
    Objects,
    /// Expressions built bottom-up, and outputs put together from what they give.
    Enumeration,
}

impl Part {
    /// All parts, in the order in which they are asked.
    pub const ALL: [Part; 3] = [Part::Cells, Part::Objects, Part::Enumeration];

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Part::Cells => "cells",
            Part::Objects => "objects",
            Part::Enumeration => "enumeration",
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(name: &str) -> Result<Part, String> {
        let known = Part::ALL.into_iter().find(|part| part.name() == name);
        known.ok_or_else(|| {
            format!("there is no part called {name}; parts are cells, objects, enumeration")
        })
    }
}

/// What a solver is asked for.
#[derive(Clone, Debug)]
pub struct Config {
    /// How many attempts at a test.
    pub attempts: usize,
    /// The parts that look for answers.
    pub parts: Vec<Part>,
    /// How many row evaluations a task may take; parts stop at the same place every time.
    pub budget: u64,
    /// How many bytes the values of one task may take; parts drop the costliest first.
    pub memory: usize,
    /// What decides between candidates that are worth the same.
    pub seed: u64,
}

/// Enough for what every part does of its own accord.
pub const DEFAULT_BUDGET: u64 = 40_000_000;

/// Enough for the values that the default budget makes of most tasks.
pub const DEFAULT_MEMORY: usize = 512 << 20;

impl Default for Config {
    fn default() -> Config {
        let parts = Part::ALL.to_vec();
        Config { attempts: 2, parts, budget: DEFAULT_BUDGET, memory: DEFAULT_MEMORY, seed: 0 }
    }
}

/// A grid for every demo and test, and the expression that makes it.
#[derive(Clone, Debug)]
pub struct View {
    /// The expression, in the store of the task.
    pub node: batt_lang::program::NodeId,
    /// What it gives, demos first.
    pub grids: Vec<Grid>,
    /// How many calls it has.
    pub calls: usize,
}

/// What the parts look at: a task without what its tests should give.
#[derive(Debug)]
pub struct Problem<'a> {
    /// The inputs, the demos' first.
    pub inputs: Vec<Grid>,
    /// What the demos should become.
    pub outputs: Vec<&'a Grid>,
    /// What the views make of the inputs, each distinct row of grids once, the simplest first.
    pub views: Vec<View>,
    left: Cell<u64>,
}

impl<'a> Problem<'a> {
    /// A problem for which so many row evaluations may be spent.
    pub fn new(inputs: Vec<Grid>, outputs: Vec<&'a Grid>, budget: u64) -> Problem<'a> {
        Problem { inputs, outputs, views: Vec::new(), left: Cell::new(budget) }
    }

    /// Takes row evaluations from the budget; whether they were there.
    pub fn spend(&self, rows: u64) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(rows));
        left >= rows
    }

    /// How many row evaluations are left.
    pub fn left(&self) -> u64 {
        self.left.get()
    }
}

/// What the parts found so far.
#[derive(Debug, Default)]
pub struct Found {
    /// The expressions of the task.
    pub store: Store,
    /// What is right on all demos.
    pub candidates: Vec<Candidate>,
    /// What is right on some demos only.
    pub near: Vec<batt_lang::program::NodeId>,
}
