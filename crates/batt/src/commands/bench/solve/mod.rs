//! `batt bench solve`: how many tasks are answered in how much CPU time, by part and budget.

mod plot;

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

use batt::run::bench::Machine;
use batt::run::engine;
use batt::run::stop::NEVER;
use batt::run::tasks::Task;
use batt::solve::measure::{Measured, measure};
use batt::solve::{Config, Part, Prepared, Solver};
use serde::Serialize;
use serde_json::json;

use crate::cli::BenchSolve;
use crate::commands::load_tasks;
use crate::context::{Context, Verdict};
use crate::output::{self, Outputs};

/// Enough for the deepest nesting that the limits let a value have.
const STACK: usize = 256 << 20;
/// The option that names the drawing.
const PLOT: &str = "--plot";

/// What some parts do within a budget.
#[derive(Clone, Debug, Serialize)]
struct Row {
    /// The parts, or `all`.
    parts: String,
    /// Row evaluations for a task.
    budget: u64,
    /// Tasks of which an attempt is right on all tests.
    right: usize,
    /// Those of which the first attempt is.
    first: usize,
    /// By part, the tasks of which its attempt is the right one.
    by_part: Vec<(&'static str, usize)>,
    /// Candidates that the interpreter refused.
    refused: usize,
    /// Seconds of CPU time for all tasks.
    cpu_seconds: f64,
}

/// Measures and reports.
pub fn run(args: &BenchSolve, context: &mut Context) -> anyhow::Result<Verdict> {
    Outputs::default().file(PLOT, args.plot.as_deref()).reads_tasks(&args.tasks).check()?;
    let (_, data) = load_tasks(&args.tasks)?;
    let known = |task: &&Task| {
        !task.tests.is_empty() && task.tests.iter().all(|test| test.output.is_some())
    };
    let tasks: Vec<&Task> = data.tasks().iter().filter(known).collect();
    let prepared = Prepared::new().map_err(anyhow::Error::msg)?;
    let cpu = engine::engine("cpu")?;
    let solver = Solver::new(&prepared, &*cpu, &NEVER);
    let threads = args
        .threads
        .map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build()?;
    let mut rows: Vec<Row> = Vec::new();
    if !args.json {
        let style = context.style;
        let head = format!(
            "{:<14} {:>13} {:>6} {:>6} {:>8}  by part",
            "parts", "budget", "right", "first", "CPU-s"
        );
        writeln!(context, "{}", style.bold(&head))?;
    }
    for (name, parts, budgets) in series(args) {
        for budget in budgets {
            let config = Config { parts: parts.clone(), budget, ..Config::default() };
            let all = all(&pool, &solver, &tasks, &config);
            let row = Row::of(&name, budget, &all);
            if !args.json {
                row.print(context)?;
            }
            rows.push(row);
        }
    }
    if let Some(path) = &args.plot {
        let curves: Vec<plot::Curve> = curves(&rows);
        let title = format!("tasks right of {}, against CPU-seconds for all of them", tasks.len());
        output::write(PLOT, path, plot::draw(&curves, &title).as_bytes(), context)?;
    }
    let machine = Machine::here();
    if args.json {
        let report = json!({
            "schema": 1, "bench": "solve", "tasks": tasks.len(), "rows": rows, "machine": machine,
        });
        writeln!(context, "{report:#}")?;
        return Ok(Verdict::Good);
    }
    writeln!(context, "{} tasks whose tests are known, two attempts", tasks.len())?;
    writeln!(context, "machine  {}, {} cores", machine.cpu, machine.cores)?;
    Ok(Verdict::Good)
}

/// What is measured: each part alone within `--alone`, and all together within `--budgets`.
fn series(args: &BenchSolve) -> Vec<(String, Vec<Part>, Vec<u64>)> {
    let alone = Part::ALL.map(|part| (part.to_string(), vec![part], args.alone.clone()));
    let all = ("all".to_string(), Part::ALL.to_vec(), args.budgets.clone());
    alone.into_iter().chain([all]).collect()
}

/// What comes of all tasks, in their order.
fn all(
    pool: &rayon::ThreadPool,
    solver: &Solver,
    tasks: &[&Task],
    config: &Config,
) -> Vec<Measured> {
    let next = AtomicUsize::new(0);
    let measured = pool.broadcast(|_| {
        let mut measured = Vec::new();
        while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            measured.push(measure(solver, task, config));
        }
        measured
    });
    measured.into_iter().flatten().collect()
}

fn curves(rows: &[Row]) -> Vec<plot::Curve<'_>> {
    let mut curves: Vec<plot::Curve> = Vec::new();
    for row in rows {
        let point = (row.cpu_seconds, row.right);
        match curves.iter_mut().find(|curve| curve.name == row.parts) {
            Some(curve) => curve.points.push(point),
            None => curves.push(plot::Curve { name: &row.parts, points: vec![point] }),
        }
    }
    curves
}

impl Row {
    fn of(parts: &str, budget: u64, all: &[Measured]) -> Row {
        let rights = || all.iter().filter_map(|one| one.right);
        let by = |part: Part| rights().filter(|(by, _)| *by == part).count();
        Row {
            parts: parts.to_string(),
            budget,
            right: rights().count(),
            first: rights().filter(|(_, at)| *at == 0).count(),
            by_part: Part::ALL.map(|part| (part.name(), by(part))).to_vec(),
            refused: all.iter().map(|one| one.refused).sum(),
            cpu_seconds: all.iter().map(|one| one.cpu_seconds).sum(),
        }
    }

    fn print(&self, context: &mut Context) -> anyhow::Result<()> {
        let by_part = self.by_part.iter().filter(|(_, count)| *count > 0);
        let by_part: Vec<String> = by_part.map(|(part, count)| format!("{part} {count}")).collect();
        let Row { parts, budget, right, first, cpu_seconds, .. } = self;
        let by_part = by_part.join(", ");
        writeln!(
            context,
            "{parts:<14} {budget:>13} {right:>6} {first:>6} {cpu_seconds:>8.1}  {by_part}"
        )?;
        Ok(context.flush()?)
    }
}
