//! The operations of the enumeration, read from `operations.txt`.

use rustc_hash::FxHashMap as HashMap;

use super::costs::Costs;
use super::formula::{self, Formula};

const OPERATIONS: &str = include_str!("../../library/operations.txt");

/// All operations.
#[derive(Clone, Debug, Default)]
pub struct Operations {
    /// In the order of the file.
    pub formulas: Vec<Formula>,
}

impl Operations {
    /// Those that come with the program.
    pub fn embedded() -> Result<Operations, String> {
        Operations::guessed()
    }

    /// The same with the costs that were guessed, from which others are learnt.
    pub fn guessed() -> Result<Operations, String> {
        Operations::read(OPERATIONS)
    }

    /// Reads operations, one a line.
    pub fn read(text: &str) -> Result<Operations, String> {
        let mut formulas = Vec::new();
        let lines = text.lines().map(str::trim).enumerate();
        for (at, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            let read = formula::read(line);
            formulas.extend(read.map_err(|what| format!("operations, line {}: {what}", at + 1))?);
        }
        if formulas.len() > usize::from(u16::MAX) {
            return Err("too many operations".to_string());
        }
        Ok(Operations { formulas })
    }

    /// Gives operations the costs of a table; those that it does not name keep theirs.
    pub fn set_costs(&mut self, costs: &Costs) -> Result<(), String> {
        let mut places: HashMap<String, usize> = HashMap::default();
        for (at, formula) in self.formulas.iter().enumerate() {
            places.insert(formula.name(), at);
        }
        for row in &costs.rows {
            let at = places.get(&row.operation);
            let at = at.ok_or_else(|| format!("there is no operation {}", row.operation))?;
            self.formulas[*at].cost = row.cost;
        }
        Ok(())
    }
}
