//! `batt run`: programs on tasks.

use std::io::Write;
use std::time::{Duration, Instant};

use batt::run::reference::eval::Policy;
use batt::run::run::library::Library;
use batt::run::run::plan::Plan;
use batt::run::run::report::{self, Data, Report, ReportProblem, SCHEMA, Shape};
use batt::run::run::{self as runs, Options};
use batt::run::tasks::Dataset;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::{choose_engine, load_tasks, policy};
use crate::cli::RunArgs;
use crate::commands::table;
use crate::context::{Context, Verdict};
use crate::failure::{self, Failure};

/// Runs programs and reports.
pub fn run(args: &RunArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    let engine = choose_engine(args.engine)?;
    let (whole, data) = load_tasks(&args.tasks)?;
    let mut library = read_programs(args, context)?;
    if !args.cross {
        leave_unasked(&mut library, &whole, &data);
    }
    let started = Instant::now();
    let report = perform(args, &library, &data, engine, started)?;
    let good = is_good(args, &report);
    if args.json {
        serde_json::to_writer_pretty(&mut *context, &report)?;
        writeln!(context)?;
    } else if args.jsonl {
        lines(&report, context)?;
    } else {
        table::print(&report, context)?;
    }
    if let Some(cut) = report.totals.not_run {
        context.finish()?;
        eprintln!("warning: the time was up; {cut} program-task pairs were not run");
    }
    Ok(Verdict::good_if(good))
}

fn read_programs(args: &RunArgs, context: &Context) -> anyhow::Result<Library> {
    let library = if args.programs.is_empty() {
        super::embedded_programs()
    } else {
        Library::read(&args.programs, context.errors_in_color()).map_err(failure::library)?
    };
    for bad in &library.problems {
        eprintln!("{}\n", bad.rendered);
    }
    if library.entries.is_empty() {
        let bad = library.problems.len();
        let message = format!("no program could be read ({bad} {})", plural(bad, "problem"));
        return Err(Failure::error(
            message,
            "`batt run --help` shows the forms a program may have",
        ));
    }
    Ok(library)
}

/// `--task` leaves out the programs of the tasks that are not asked for; programs that name no
/// task of the data set stay, and are listed.
fn leave_unasked(library: &mut Library, whole: &Dataset, data: &Dataset) {
    library.entries.retain(|entry| {
        let known = |set: &Dataset| entry.task.as_deref().is_some_and(|id| set.get(id).is_some());
        known(data) || !known(whole)
    });
}

fn perform(
    args: &RunArgs,
    library: &Library,
    data: &Dataset,
    engine: &str,
    started: Instant,
) -> anyhow::Result<Report> {
    let (entries, tasks) = (&library.entries, data.tasks());
    let plan = if args.cross { Plan::cross(entries, tasks) } else { Plan::named(entries, tasks) };
    let options = Options {
        policy: policy(args.on_error),
        threads: args.threads.map(usize::from),
        // A limit too far away to be a time is no limit.
        deadline: args
            .max_seconds
            .and_then(|s| Duration::try_from_secs_f64(s).ok())
            .and_then(|limit| started.checked_add(limit)),
    };
    let bar = progress(plan.pairs.len());
    let outcomes = runs::run(entries, tasks, &plan, &options, &|| bar.inc(1))?;
    bar.finish_and_clear();
    let shape = Shape { cross: args.cross, stable: args.no_timing };
    let (programs, totals) = report::rows(entries, tasks, &plan, &outcomes, shape);
    let problems = library.problems.iter().map(|bad| ReportProblem {
        file: bad.file.clone(),
        line: Some(bad.problem.line),
        message: bad.problem.message.clone(),
    });
    Ok(Report {
        schema: SCHEMA,
        totals,
        programs,
        problems: problems.collect(),
        data: Data {
            name: data.name.clone(),
            version: data.version.clone(),
            hash: data.hash.to_string(),
            tasks: tasks.len(),
        },
        policy: if options.policy == Policy::Safe { "safe" } else { "strict" },
        engine: (!args.no_timing).then(|| engine.to_string()),
        seconds: (!args.no_timing).then(|| started.elapsed().as_secs_f64()),
    })
}

fn progress(length: usize) -> ProgressBar {
    // On standard error, and hidden where that is no terminal.
    let bar = ProgressBar::new(length as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} pairs, {eta} left") {
        bar.set_style(style);
    }
    bar
}

fn is_good(args: &RunArgs, report: &Report) -> bool {
    let totals = &report.totals;
    let solved = if args.cross {
        totals.tasks_solved == totals.tasks
    } else {
        report.programs.iter().all(|row| row.solved)
    };
    solved && report.problems.is_empty() && totals.not_run.is_none()
}

/// A line for every program, then one with everything else.
fn lines(report: &Report, context: &mut Context) -> anyhow::Result<()> {
    for row in &report.programs {
        let mut line = serde_json::to_value(row)?;
        line["schema"] = json!(SCHEMA);
        line["type"] = json!("program");
        writeln!(context, "{line}")?;
    }
    let mut last = serde_json::to_value(report)?;
    if let Some(fields) = last.as_object_mut() {
        fields.remove("programs");
        fields.insert("type".to_string(), json!("totals"));
    }
    writeln!(context, "{last}")?;
    Ok(())
}

fn plural(n: usize, word: &str) -> String {
    if n == 1 { word.to_string() } else { format!("{word}s") }
}
