//! `batt bench scaling`: how cost grows, and where it is largest.

use std::io::Write;
use std::path::Path;

use batt::run::bench::scaling::{self, Growth, SlowPair, SlowStep, Slowness};
use batt::run::bench::{Machine, Row, Work};
use serde_json::json;

use super::{print_rows, subject};
use crate::cli::{BenchScaling, ScalingPart};
use crate::commands::choose_engine;
use crate::context::{Context, Verdict};
use crate::output::{self, Outputs};

/// The option that names the folder of pictures.
const PLOTS: &str = "--plots";

/// What was measured; what was not asked for is left out.
#[derive(Default)]
struct Measured {
    samples: Option<Growth>,
    expressions: Option<Growth>,
    slowest: Option<Slowness>,
    batches: Vec<Row>,
}

/// Measures and reports.
pub fn run(args: &BenchScaling, context: &mut Context) -> anyhow::Result<Verdict> {
    Outputs::default()
        .folder(PLOTS, args.plots.as_deref(), &["samples.svg", "expressions.svg"])?
        .reads_programs(&args.subject.programs)
        .reads_tasks(&args.subject.tasks)
        .check()?;
    let (programs, data) = subject(&args.subject, context)?;
    let work = Work::new(programs, data.tasks(), args.samples.unwrap_or(usize::MAX));
    let engine = choose_engine(args.engine)?;
    let repeats = usize::from(args.repeats);
    let wanted = |part| args.parts.is_empty() || args.parts.contains(&part);
    let mut measured = Measured::default();
    if wanted(ScalingPart::Samples) {
        measured.samples = Some(scaling::by_samples(&work, &*engine, repeats));
    }
    if wanted(ScalingPart::Expressions) {
        measured.expressions = Some(scaling::by_expressions(&work, &*engine, repeats));
    }
    if wanted(ScalingPart::Rows) {
        measured.slowest = Some(scaling::slowest(&work, &*engine, repeats, args.top));
    }
    if wanted(ScalingPart::Batches) {
        measured.batches = scaling::batches(&work, &*engine, repeats);
    }
    if let Some(folder) = &args.plots {
        draw(folder, &measured, context)?;
    }
    let command = command(args, engine.name());
    if args.json {
        let report = json!({
            "schema": 1,
            "bench": "scaling",
            "engine": engine.name(),
            "programs": work.programs.len(),
            "tasks": work.pairs.len(),
            "samples": work.samples.len(),
            "repeats": repeats,
            "by_samples": measured.samples,
            "by_expressions": measured.expressions,
            "slowest": measured.slowest,
            "rows": measured.batches,
            "machine": Machine::here(),
            "command": command,
        });
        serde_json::to_writer_pretty(&mut *context, &report)?;
        writeln!(context)?;
        return Ok(Verdict::Good);
    }
    if let Some(growth) = &measured.samples {
        print_growth(growth, "samples", context)?;
    }
    if let Some(growth) = &measured.expressions {
        print_growth(growth, "expressions", context)?;
    }
    if let Some(slowness) = &measured.slowest {
        print_slowness(slowness, context)?;
    }
    if !measured.batches.is_empty() {
        print_rows(&measured.batches, context)?;
        writeln!(context)?;
    }
    let machine = Machine::here();
    writeln!(
        context,
        "{} programs, {} tasks, {} samples; medians of {repeats}",
        work.programs.len(),
        work.pairs.len(),
        work.samples.len(),
    )?;
    writeln!(context, "machine  {}, {} cores", machine.cpu, machine.cores)?;
    writeln!(context, "again    {command}")?;
    Ok(Verdict::Good)
}

fn draw(folder: &Path, measured: &Measured, context: &mut Context) -> anyhow::Result<()> {
    let growths = [
        (&measured.samples, "samples", "Time against samples"),
        (&measured.expressions, "expressions", "Time against distinct expressions"),
    ];
    for (growth, sizes, title) in growths {
        let Some(growth) = growth else { continue };
        let file = folder.join(format!("{sizes}.svg"));
        let plot = scaling::plot(growth, title, sizes);
        output::write(PLOTS, &file, plot.as_bytes(), context)?;
    }
    Ok(())
}

fn print_growth(growth: &Growth, sizes: &str, context: &mut Context) -> anyhow::Result<()> {
    let style = context.style;
    let per = format!("µs/{}", sizes.trim_end_matches('s'));
    let head = format!("{sizes:>12} {:>7} {:>12} {per:>15} {:>14}", "parts", "ms", "rows");
    writeln!(context, "{}", style.bold(&head))?;
    for point in &growth.points {
        let (ms, per) = (point.seconds * 1e3, point.seconds * 1e6 / point.size.max(1e-12));
        let (size, parts, rows) = (point.size, point.parts, point.rows);
        writeln!(context, "{size:>12.0} {parts:>7} {ms:>12.2} {per:>15.2} {rows:>14.0}")?;
    }
    writeln!(context, "time grows with power {:.2} of {sizes}; 1 is linear\n", growth.exponent)?;
    Ok(())
}

fn print_slowness(slowness: &Slowness, context: &mut Context) -> anyhow::Result<()> {
    let style = context.style;
    writeln!(context, "{}", style.bold("slowest steps, one sample at a time"))?;
    print_steps(&slowness.steps, context)?;
    writeln!(context, "{}", style.bold("slowest rows: a step's time for each of its rows"))?;
    print_steps(&slowness.rows, context)?;
    writeln!(
        context,
        "above 10 ms: {} steps, {} for each of their rows; {} samples",
        slowness.steps_above_10_ms, slowness.rows_above_10_ms, slowness.samples
    )?;
    let pairs = [
        ("slowest sample, all programs", &slowness.slowest_sample),
        ("slowest pair handed back", &slowness.slowest_handed_back),
    ];
    for (what, pair) in pairs {
        let Some(SlowPair { program, sample, millis }) = pair else { continue };
        writeln!(context, "{what}: {millis:.1} ms, {program} on {sample}")?;
    }
    writeln!(context)?;
    Ok(())
}

fn print_steps(steps: &[SlowStep], context: &mut Context) -> anyhow::Result<()> {
    let head = ["ms", "rows", "ms/row", "sample", "program", "slot"];
    let [ms, rows, each, sample, program, slot] = head;
    writeln!(
        context,
        "{ms:>9} {rows:>8} {each:>9}  {sample:<12} {program:<18} {slot:<7} expression"
    )?;
    for step in steps {
        writeln!(
            context,
            "{:>9.3} {:>8} {:>9.4}  {:<12} {:<18} {:<7} {}",
            step.millis,
            step.rows,
            step.millis_per_row,
            step.sample,
            step.program,
            step.slot,
            step.expression
        )?;
    }
    Ok(())
}

/// The command that does the same again.
fn command(args: &BenchScaling, engine: &str) -> String {
    let mut words = vec!["batt".to_string(), "bench".to_string(), "scaling".to_string()];
    words.extend(args.subject.programs.iter().map(|path| path.display().to_string()));
    if let Some(tasks) = &args.subject.tasks.tasks {
        words.extend(["--tasks".to_string(), tasks.clone()]);
    }
    for task in &args.subject.tasks.only {
        words.extend(["--task".to_string(), task.clone()]);
    }
    if !args.subject.without.is_empty() {
        words.extend(["--without".to_string(), args.subject.without.join(",")]);
    }
    if let Some(samples) = args.samples {
        words.extend(["--samples".to_string(), samples.to_string()]);
    }
    if !args.parts.is_empty() {
        let parts: Vec<&str> = args.parts.iter().map(|part| part.name()).collect();
        words.extend(["--only".to_string(), parts.join(",")]);
    }
    words.extend(["--engine".to_string(), engine.to_string()]);
    words.extend(["--repeats".to_string(), args.repeats.to_string()]);
    words.join(" ")
}
