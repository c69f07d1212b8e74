//! The small grid and the demo pairs that the table's examples run on.

use batt::lang::{Op, Value};
use batt::run::reference::eval::Inputs;

/// An upright line, a single cell, a level line, an empty row: something for every primitive.
const GRID: [[i32; 4]; 4] = [[0, 1, 0, 0], [0, 1, 0, 2], [0, 0, 0, 0], [3, 3, 3, 0]];

/// What an example of a primitive reads.
pub struct Demo {
    /// I.
    pub grid: Value,
    /// S.
    pub pairs: Value,
}

impl Demo {
    /// What this primitive's example reads.
    pub fn new(op: Op) -> Demo {
        Demo { grid: Value::grid(&GRID), pairs: pairs(op) }
    }

    /// The same, as a program reads it.
    pub fn inputs(&self) -> Inputs<'_> {
        Inputs { s: &self.pairs, i: &self.grid, c: None }
    }
}

/// Two demo pairs: mirrored where an orientation is looked for, else with a colour exchanged.
fn pairs(op: Op) -> Value {
    let demos: [[[[i32; 2]; 2]; 2]; 2] = if op == Op::AMr {
        [[[[1, 2], [0, 3]], [[0, 3], [1, 2]]], [[[4, 4], [0, 5]], [[0, 5], [4, 4]]]]
    } else {
        [[[[1, 0], [0, 2]], [[3, 0], [0, 2]]], [[[0, 1], [1, 2]], [[0, 3], [3, 2]]]]
    };
    let grids =
        |pair: &[[[i32; 2]; 2]; 2]| Value::tuple(pair.iter().map(|g| Value::grid(g)).collect());
    Value::tuple(demos.iter().map(grids).collect())
}
