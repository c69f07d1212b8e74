//! The report of a run as a table for people.

use std::io::Write;

use batt::run::run::outcome::Tally;
use batt::run::run::report::{Report, Row};

use crate::context::Context;

/// Prints the table, the totals and what was run on.
pub fn print(report: &Report, context: &mut Context) -> anyhow::Result<()> {
    let style = context.style;
    let width = |text: fn(&Row) -> &str, least: usize| {
        report.programs.iter().map(|row| text(row).chars().count()).max().unwrap_or(0).max(least)
    };
    let program = width(|row| &row.id, 7);
    let task = width(|row| row.task.as_deref().unwrap_or("-"), 4);
    if !report.programs.is_empty() {
        let head =
            format!("{:<program$}  {:<task$}  {:>5}  {:>5}", "program", "task", "demos", "tests");
        writeln!(context, "{}", style.bold(&head))?;
    }
    for row in &report.programs {
        let (demos, tests) = (tally(row.demos), tally(row.tests));
        let name = row.task.as_deref().unwrap_or("-");
        write!(context, "{:<program$}  {name:<task$}  {demos:>5}  {tests:>5}  ", row.id)?;
        let end = match (row.solved, error(row)) {
            (true, _) => style.good("solved"),
            (false, Some(error)) => style.bad(&error),
            (false, None) => style.bad("not solved"),
        };
        writeln!(context, "{end}")?;
    }
    if !report.programs.is_empty() {
        writeln!(context)?;
    }
    totals(report, context)
}

fn tally(tally: Tally) -> String {
    if tally.total == 0 { "-".to_string() } else { format!("{}/{}", tally.solved, tally.total) }
}

/// The first error of a row: kind, words and origin, as far as the report has them.
fn error(row: &Row) -> Option<String> {
    let error = row.error.as_ref()?;
    let kind = error.kind.as_deref().unwrap_or("error");
    let line = error.line.map_or(String::new(), |line| format!(" at line {line}"));
    let sample = error.sample.as_ref().map_or(String::new(), |sample| format!(" on {sample}"));
    let what = error.what.as_ref().map_or(String::new(), |what| format!(": {what}"));
    Some(format!("{kind}{line}{sample}{what}"))
}

fn totals(report: &Report, context: &mut Context) -> anyhow::Result<()> {
    let style = context.style;
    let t = &report.totals;
    let all = t.tasks_solved == t.tasks;
    let solved = format!("{} of {} tasks solved", t.tasks_solved, t.tasks);
    let solved = if all { style.good(&solved) } else { style.bad(&solved) };
    writeln!(context, "{}", style.bold("totals"))?;
    writeln!(context, "  tasks    {solved}")?;
    writeln!(
        context,
        "  samples  {} of {} solved, {} errors",
        t.samples_solved, t.samples, t.errors
    )?;
    let bad = match report.problems.len() {
        0 => String::new(),
        1 => ", 1 could not be read".to_string(),
        n => format!(", {n} could not be read"),
    };
    writeln!(context, "  programs {}{bad}", t.programs)?;
    let data = &report.data;
    let version = data.version.as_deref().map_or(String::new(), |v| format!(" ({v})"));
    writeln!(context, "  data     {}{version}, {} tasks, {}", data.name, data.tasks, data.hash)?;
    if let Some(engine) = &report.engine {
        let seconds = report.seconds.map_or(String::new(), |s| format!(", {s:.2} s"));
        writeln!(context, "  engine   {engine}, {} errors{seconds}", report.policy)?;
    }
    Ok(())
}
