//! `batt bench`: the same work in several ways, side by side.

mod auto;
mod cross;
mod enumerate;
mod evolve;
mod python;
mod repair;
mod scaling;
mod solve;
mod throughput;

use std::io::Write;

use batt::lang::Program;
use batt::run::bench::{self, Compile, Machine, Row, Work};
use batt::run::engine::Engine;
use batt::run::engine::reference::Reference;
use batt::run::engine::spent::Notes;
use batt::run::tasks::Dataset;
use serde_json::{Value as Json, json};

use super::{choose_engine, load_tasks, notes, read_library};
use crate::cli::{BenchArgs, BenchSubject, BenchWhat, BenchWork};
use crate::context::{Context, Verdict};

/// Measures and reports.
pub fn run(args: &BenchArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    let (name, asked) = match &args.what {
        BenchWhat::Python(asked) => return python::run(asked, context),
        BenchWhat::Evolve(asked) => return evolve::run(asked, context),
        BenchWhat::Enumerate(asked) => return enumerate::run(asked, context),
        BenchWhat::Solve(asked) => return solve::run(asked, context),
        BenchWhat::Repair(asked) => return repair::run(asked, context),
        BenchWhat::Cross(asked) => return cross::run(asked, context),
        BenchWhat::Throughput(asked) => return throughput::run(asked, context),
        BenchWhat::Auto(asked) => return auto::run(asked, context),
        BenchWhat::Scaling(asked) => return scaling::run(asked, context),
        BenchWhat::Feasibility(work) => ("feasibility", work),
        BenchWhat::Card(work) => ("card", work),
    };
    let library = read_library(&asked.programs, context)?;
    let (_, data) = load_tasks(&asked.tasks)?;
    let programs = library.entries.into_iter().map(|entry| entry.program).collect();
    let work = Work::new(programs, data.tasks(), asked.samples);
    let repeats = usize::from(asked.repeats);
    let engine = choose_engine(asked.engine)?;
    let (rows, compile) = if let BenchWhat::Card(_) = &args.what {
        let (rows, compile) = bench::card(&work, &*engine, repeats);
        (rows, Some(compile))
    } else {
        let engines: [&dyn Engine; 2] = [&Reference, &*engine];
        let many = if engine.name() == Reference.name() { 1 } else { 2 };
        (bench::feasibility(&work, &engines[..many], repeats), None)
    };
    let report = Report {
        name,
        asked,
        engine: engine.name(),
        work: &work,
        rows: &rows,
        compile: compile.as_ref(),
        device: notes::of(&*engine),
    };
    if asked.json {
        serde_json::to_writer_pretty(&mut *context, &report.as_json())?;
        writeln!(context)?;
    } else {
        report.print(context)?;
    }
    Ok(Verdict::Good)
}

/// The programs that are measured, and the tasks they run on.
fn subject(asked: &BenchSubject, context: &Context) -> anyhow::Result<(Vec<Program>, Dataset)> {
    let library = read_library(&asked.programs, context)?;
    let (_, data) = load_tasks(&asked.tasks)?;
    let left_out = |id: &str| asked.without.iter().any(|without| without == id);
    let entries = library.entries.into_iter();
    let programs = entries
        .filter(|entry| entry.task.as_deref().is_none_or(|task| !left_out(task)))
        .map(|entry| entry.program);
    Ok((programs.collect(), data))
}

/// Rows side by side, a blank line between groups.
fn print_rows(rows: &[Row], context: &mut Context) -> anyhow::Result<()> {
    let style = context.style;
    let wide = rows.iter().map(|row| row.what.len()).max().unwrap_or(0);
    let head = format!("{:<wide$} {:>11} {:>12} {:>9}", "", "ms", "pairs/s", "speed-up");
    writeln!(context, "{}", style.bold(&head))?;
    let mut group = "";
    for row in rows {
        if !group.is_empty() && group != row.group {
            writeln!(context)?;
        }
        group = row.group;
        let (ms, rate) = (row.seconds * 1e3, row.rate());
        writeln!(context, "{:<wide$} {ms:>11.2} {rate:>12.0} {:>8.2}×", row.what, row.speedup)?;
    }
    Ok(())
}

struct Report<'a> {
    name: &'a str,
    asked: &'a BenchWork,
    engine: &'static str,
    work: &'a Work,
    rows: &'a [Row],
    compile: Option<&'a Compile>,
    device: Notes,
}

impl Report<'_> {
    /// The command that does the same again.
    fn command(&self) -> String {
        let mut words = vec!["batt".to_string(), "bench".to_string(), self.name.to_string()];
        words.extend(self.asked.programs.iter().map(|path| path.display().to_string()));
        if let Some(tasks) = &self.asked.tasks.tasks {
            words.extend(["--tasks".to_string(), tasks.clone()]);
        }
        for task in &self.asked.tasks.only {
            words.extend(["--task".to_string(), task.clone()]);
        }
        words.extend(["--samples".to_string(), self.asked.samples.to_string()]);
        words.extend(["--engine".to_string(), self.engine.to_string()]);
        words.extend(["--repeats".to_string(), self.asked.repeats.to_string()]);
        words.join(" ")
    }

    fn as_json(&self) -> Json {
        json!({
            "schema": 1,
            "bench": self.name,
            "engine": self.engine,
            "programs": self.work.programs.len(),
            "tasks": self.work.pairs.len(),
            "samples": self.work.samples.len(),
            "repeats": self.asked.repeats,
            "rows": self.rows,
            "compile": self.compile,
            "device": self.device,
            "machine": Machine::here(),
            "command": self.command(),
        })
    }

    fn print(&self, context: &mut Context) -> anyhow::Result<()> {
        print_rows(self.rows, context)?;
        if let Some(compile) = self.compile {
            writeln!(
                context,
                "\n{} lines, {} expressions, {} slots, dealt in {:.2} ms: {:.2} µs per line",
                compile.lines,
                compile.expressions,
                compile.slots,
                compile.seconds * 1e3,
                compile.micros_per_line
            )?;
        }
        let machine = Machine::here();
        notes::print(&self.device, "", context)?;
        writeln!(
            context,
            "\n{} programs, {} tasks, {} samples; a pair is a program on a sample; medians of {}",
            self.work.programs.len(),
            self.work.pairs.len(),
            self.work.samples.len(),
            self.asked.repeats
        )?;
        writeln!(context, "machine  {}, {} cores", machine.cpu, machine.cores)?;
        writeln!(context, "again    {}", self.command())?;
        Ok(())
    }
}
