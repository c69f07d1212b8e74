//! `batt profile`: where a battery's time goes.

use std::io::Write;

use batt::run::bench::Work;
use batt::run::profile::Profile;
use batt::run::programs;
use serde_json::{Map, Value as Json, json};

use super::{engine_or_cpu, load_tasks, read_library};
use crate::cli::ProfileArgs;
use crate::context::{Context, Verdict};
use crate::output::{self, Outputs};

/// The option that names the picture.
const SVG: &str = "--svg";

/// Runs a battery with a clock at every slot, and reports.
pub fn run(args: &ProfileArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    let to_stdout = Outputs::default()
        .file(SVG, args.svg.as_deref())
        .report("--json", args.json)
        .reads_programs(&args.programs)
        .reads_tasks(&args.tasks)
        .check()?;
    let library = read_library(&args.programs, context)?;
    let (_, data) = load_tasks(&args.tasks)?;
    let programs = library.entries.into_iter().map(|entry| entry.program).collect();
    let mut work = Work::new(programs, data.tasks(), args.first);
    if args.differs {
        work = work.scored(programs::parsed_differs());
    }
    let battery = work.battery(true);
    // One batch on this thread: a slot's time is then not disturbed by other slots.
    let engine = engine_or_cpu(args.engine, &args.on)?;
    let counters = work.profiled(&*engine, &battery, work.samples.len());
    let profile = Profile::new(&battery, work.phase(), &counters);
    if let Some(file) = &args.svg {
        output::write(SVG, file, profile.to_svg().as_bytes(), context)?;
    }
    if args.json {
        let report = json!({
            "schema": 1,
            "engine": engine.name(),
            "programs": work.programs.len(),
            "samples": work.samples.len(),
            "rows": profile.rows,
            "nanos": profile.nanos,
            "primitives": &profile.primitives[..args.top.min(profile.primitives.len())],
            "slots": &profile.slots[..args.top.min(profile.slots.len())],
            "handed_back": handed_back(&profile),
        });
        serde_json::to_writer_pretty(&mut *context, &report)?;
        writeln!(context)?;
    } else if !to_stdout {
        print(&profile, &work, args, context)?;
    }
    Ok(Verdict::Good)
}

fn handed_back(profile: &Profile) -> Json {
    let rows = profile.handed_back();
    rows.iter().map(|row| (row.name.clone(), json!(row.handed_back))).collect::<Map<_, _>>().into()
}

fn print(
    profile: &Profile,
    work: &Work,
    args: &ProfileArgs,
    context: &mut Context,
) -> anyhow::Result<()> {
    let style = context.style;
    let share = |nanos: u64| 100.0 * nanos as f64 / profile.nanos.max(1) as f64;
    let millis = |nanos: u64| nanos as f64 / 1e6;
    let head = format!(
        "{:<18} {:>10} {:>6} {:>10} {:>6} {:>9}",
        "primitive", "ms", "%", "rows", "slots", "ns/row"
    );
    writeln!(context, "{}", style.bold(&head))?;
    for row in profile.primitives.iter().take(args.top) {
        writeln!(
            context,
            "{:<18} {:>10.3} {:>6.1} {:>10} {:>6} {:>9}",
            row.name,
            millis(row.nanos),
            share(row.nanos),
            row.rows,
            row.slots,
            row.nanos / row.rows.max(1)
        )?;
    }
    let head =
        format!("\n{:<8} {:>10} {:>6} {:>10} {:<8} expression", "slot", "ms", "%", "rows", "per");
    writeln!(context, "{}", style.bold(&head))?;
    for row in profile.slots.iter().take(args.top) {
        let expression: String =
            row.expression.chars().take(style.width.saturating_sub(48)).collect();
        writeln!(
            context,
            "{:<8} {:>10.3} {:>6.1} {:>10} {:<8} {expression}",
            row.slot,
            millis(row.nanos),
            share(row.nanos),
            row.rows,
            row.frame
        )?;
    }
    let handed = profile.handed_back();
    if !handed.is_empty() {
        let head = format!("\n{:<18} {:>10}", "handed back by", "results");
        writeln!(context, "{}", style.bold(&head))?;
        for row in handed.iter().take(args.top) {
            writeln!(context, "{:<18} {:>10}", row.name, row.handed_back)?;
        }
    }
    writeln!(
        context,
        "\n{} programs on {} samples: {:.3} ms in {} rows",
        work.programs.len(),
        work.samples.len(),
        millis(profile.nanos),
        profile.rows
    )?;
    Ok(())
}
