//! `batt archive ls` and `batt archive show`.

use std::io::Write;

use batt::evolve::archive::{Archive, Record};

use super::open;
use crate::cli::{ArchiveShowArgs, LsArgs};
use crate::context::{Context, Verdict};
use crate::failure::{self, Failure};
use crate::tell::{Messages, tell};

/// How much of a hash is shown.
const SHORT: usize = 12;

/// Lists tasks, or programs.
pub fn ls(args: &LsArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    let mut archive = open(&args.place)?;
    if args.tasks.is_empty() {
        tasks(&mut archive, args, context)
    } else {
        programs(&mut archive, args, context)
    }
}

fn tasks(archive: &mut Archive, args: &LsArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    let rows = archive.task_rows().map_err(failure::archive)?;
    if args.json {
        for row in &rows {
            writeln!(context, "{}", serde_json::to_string(row)?)?;
        }
        return Ok(Verdict::Good);
    }
    writeln!(
        context,
        "{:<20} {:>8} {:>7} {:>6} {:>8}  best",
        "task", "programs", "demos", "score", "cost"
    )?;
    for row in &rows {
        let demos = format!("{}/{}", row.exact, row.demos);
        let best = &row.program[..SHORT];
        let (task, programs, score, cost) = (&row.task, row.programs, row.score, row.cost);
        writeln!(context, "{task:<20} {programs:>8} {demos:>7} {score:>6} {cost:>8}  {best}")?;
    }
    Ok(Verdict::Good)
}

fn programs(
    archive: &mut Archive,
    args: &LsArgs,
    context: &mut Context,
) -> anyhow::Result<Verdict> {
    if !args.json {
        writeln!(
            context,
            "{:<20} {:<12} {:>7} {:>6} {:>8}  last line",
            "task", "program", "demos", "score", "cost"
        )?;
    }
    let mut warnings = Messages::new(["warning", "warnings"], context.verbose);
    for task in &args.tasks {
        let best = archive.best(task, args.limit).map_err(failure::archive)?;
        if best.is_empty() {
            warnings.tell(format_args!("warning: the archive has no programs of {task}"));
        }
        for kept in &best {
            if args.json {
                writeln!(context, "{}", serde_json::to_string(kept)?)?;
                continue;
            }
            let hash = kept.program.hex();
            let demos = format!("{}/{}", kept.exact, kept.samples.len());
            let (score, cost) = (kept.score, kept.cost);
            let last = kept.text.lines().rev().nth(1).filter(|line| line.starts_with(' '));
            let last = last.unwrap_or("return").trim();
            let hash = &hash[..SHORT];
            writeln!(context, "{task:<20} {hash} {demos:>7} {score:>6} {cost:>8}  {last}")?;
        }
    }
    Ok(Verdict::Good)
}

/// Shows programs.
pub fn show(args: &ArchiveShowArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    let mut archive = open(&args.place)?;
    for prefix in &args.programs {
        let found = archive.find(prefix).map_err(failure::archive)?;
        let record = match &found[..] {
            [record] => record,
            [] => {
                let message = format!("the archive has no program {prefix}");
                return Err(Failure::error(message, "`batt archive ls` lists them"));
            }
            more => {
                let message = format!("{} programs begin with {prefix}", more.len());
                return Err(Failure::error(message, "give more of the hash"));
            }
        };
        if args.json {
            writeln!(context, "{}", serde_json::to_string(record)?)?;
        } else {
            one(record, context)?;
        }
    }
    Ok(Verdict::Good)
}

fn one(record: &Record, context: &mut Context) -> anyhow::Result<()> {
    // What is no program goes to standard error: the text may be kept as it is.
    tell!("{}  {}", record.hash, record.kinds);
    write!(context, "{}", record.text)?;
    context.flush()?;
    for result in &record.results {
        let (task, score, cost) = (&result.task, result.score, result.cost);
        let demos = format!("{}/{}", result.exact, result.samples.len());
        let tests = result.tests.as_deref().map(|tests| format!("  tests {tests}"));
        let tests = tests.unwrap_or_default();
        tell!("{task:<20} demos {demos:>5}  score {score:>5}  cost {cost:>6}{tests}");
    }
    for find in &record.finds {
        let parents: Vec<&str> =
            find.parents.iter().map(|parent| parent.get(..SHORT).unwrap_or(parent)).collect();
        let from =
            if parents.is_empty() { String::new() } else { format!(" of {}", parents.join(", ")) };
        let (run, generation, island, operator) =
            (&find.run, find.generation, find.island, &find.operator);
        tell!("run {run}, generation {generation}, island {island}: {operator}{from}");
    }
    Ok(())
}
