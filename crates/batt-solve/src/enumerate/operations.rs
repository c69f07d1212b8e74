//! The operations of the enumeration, read from `operations.txt`.

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
}
