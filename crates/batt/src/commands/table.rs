//! The report of a run as a table for people.

use std::io::Write;

use batt::run::run::matrix::{MatrixRow, Scores};
use batt::run::run::outcome::Tally;
use batt::run::run::report::{Report, Row, Scoring};

use crate::commands::notes;
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
    if let Some(rows) = &report.matrix {
        matrix(rows, context)?;
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
    if let Some(scoring) = &report.scoring {
        let Scoring { differs, samples, scores, .. } = scoring;
        writeln!(context, "  scores   {scores} by {} differs on {samples} samples", differs.len())?;
    }
    if let Some(engine) = &report.engine {
        let seconds = report.seconds.map_or(String::new(), |s| format!(", {s:.2} s"));
        let fallback = match t.fallback {
            None | Some(0) => String::new(),
            Some(n) => format!(", {n} pairs by the interpreter"),
        };
        writeln!(context, "  engine   {engine}, {} errors{seconds}{fallback}", report.policy)?;
    }
    if let Some(device) = &report.device {
        notes::print(device, "  ", context)?;
    }
    if let Some(t) = &report.timing {
        writeln!(
            context,
            "  time     load {:.2} s, compile {:.2} s, demos {:.2} s, tests {:.2} s, scoring {:.2} s",
            t.load, t.compile, t.demo, t.test, t.scoring
        )?;
    }
    if let Some(work) = &report.work {
        writeln!(
            context,
            "  work     {} of {} rows evaluated; sharing saved {}, hoisting {}",
            work.rows, work.rows_alone, work.saved_by_sharing, work.saved_by_hoisting
        )?;
        if work.worker_bytes > 0 {
            writeln!(
                context,
                "  memory   {:.1} MiB per worker at most",
                mebibytes(work.worker_bytes)
            )?;
        }
    }
    Ok(())
}

/// Bytes in mebibytes.
pub fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// Every pair with its scores.
fn matrix(rows: &[MatrixRow], context: &mut Context) -> anyhow::Result<()> {
    let name = |row: &MatrixRow| row.program.clone().unwrap_or_else(|| "(the input)".to_string());
    let program = rows.iter().map(|row| name(row).chars().count()).max().unwrap_or(0).max(7);
    let task = rows.iter().map(|row| row.task.chars().count()).max().unwrap_or(0).max(4);
    let head = format!(
        "{:<program$}  {:<task$}  {:>5}  {:>5}  {:>6}  {:>6}",
        "program", "task", "demos", "tests", "score", "tests"
    );
    writeln!(context, "{}", context.style.bold(&head))?;
    for row in rows {
        let part = |part: Option<Tally>| part.map_or("-".to_string(), tally);
        let mean = |part: fn(&Scores) -> Option<f64>| {
            let mean = row.scores.as_ref().and_then(part);
            mean.map_or("-".to_string(), |mean| format!("{mean:.1}"))
        };
        writeln!(
            context,
            "{:<program$}  {:<task$}  {:>5}  {:>5}  {:>6}  {:>6}",
            name(row),
            row.task,
            part(row.demos),
            part(row.tests),
            mean(|s| s.demos),
            mean(|s| s.tests),
        )?;
    }
    writeln!(context)?;
    Ok(())
}
