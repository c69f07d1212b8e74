//! `batt solve --learn-costs`: what the operations of the enumeration cost, by how often programs use them.

use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use batt::lang::Program;
use batt::solve::enumerate::costs::{Costs, Row};
use batt::solve::enumerate::operations::Operations;

use crate::cli::SolveArgs;
use crate::commands::read_library;
use crate::context::{Context, Verdict};
use crate::failure::Failure;
use crate::output::{self, Outputs};

/// The option that names the table.
const LEARN: &str = "--learn-costs";

/// Learns costs from programs and writes them.
pub fn run(args: &SolveArgs, path: &Path, context: &mut Context) -> anyhow::Result<Verdict> {
    let outputs = Outputs::default().file(LEARN, Some(path)).reads_programs(&args.learn_from);
    let to_stdout = outputs.check()?;
    let mut programs: Vec<Program> =
        read_library(&args.learn_from, context)?.entries.into_iter().map(|e| e.program).collect();
    if args.learn_from.is_empty() {
        programs.extend(batt::run::programs::parsed_found());
    }
    let operations = Operations::guessed().map_err(anyhow::Error::msg)?;
    let costs = Costs::learn(&operations, &programs);
    output::write(LEARN, path, costs.text().as_bytes(), context)?;
    if to_stdout {
        return Ok(Verdict::Good);
    }
    let used = costs.rows.iter().filter(|row| row.programs > 0).count();
    let guessed: HashMap<String, u16> =
        operations.formulas.iter().map(|formula| (formula.name(), formula.cost)).collect();
    let changed = |row: &&Row| guessed.get(&row.operation) != Some(&row.cost);
    let changed = costs.rows.iter().filter(changed).count();
    writeln!(
        context,
        "{} operations, {used} of them in {} programs; {changed} cost more or less than was guessed",
        costs.rows.len(),
        costs.programs
    )?;
    writeln!(context, "  wrote {}", path.display())?;
    writeln!(context, "next: batt solve --costs {}", path.display())?;
    Ok(Verdict::Good)
}

/// The table in a file.
pub fn read(path: &Path) -> anyhow::Result<Costs> {
    let hint = "`batt solve --learn-costs FILE` writes such a table";
    let text = fs::read_to_string(path).map_err(|error| {
        Failure::error(format!("cannot read {}: {error}", path.display()), hint)
    })?;
    Costs::read(&text).map_err(|what| Failure::error(format!("{}, {what}", path.display()), hint))
}
