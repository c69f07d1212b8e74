//! Tasks and their examples.

use batt_lang::Value;

use super::Grid;

/// An input and, where it is known, its output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The input grid.
    pub input: Grid,
    /// The output grid; a test's may be unknown.
    pub output: Option<Grid>,
}

/// A task: demo pairs, and tests to solve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Its id.
    pub id: String,
    /// The demo pairs; their outputs are known.
    pub demos: Vec<Example>,
    /// The tests.
    pub tests: Vec<Example>,
}

impl Task {
    /// S: the tuple of all demo pairs (input, output).
    pub fn pairs(&self) -> Value {
        let pair = |e: &Example| {
            let output = e.output.as_ref().map_or(Value::Null, Grid::to_value);
            Value::tuple(vec![e.input.to_value(), output])
        };
        Value::tuple(self.demos.iter().map(pair).collect())
    }

    /// Whether two say the same, outputs that one of them leaves open aside.
    pub(super) fn agrees(&self, other: &Task) -> bool {
        let open = |a: &Option<Grid>, b: &Option<Grid>| a.is_none() || b.is_none() || a == b;
        self.demos == other.demos
            && self.tests.len() == other.tests.len()
            && self
                .tests
                .iter()
                .zip(&other.tests)
                .all(|(a, b)| a.input == b.input && open(&a.output, &b.output))
    }
}
