//! `batt bench throughput`: what a pair costs by number of samples, end to end.

use std::io::Write;

use batt::run::bench::{self, Machine, Throughput, Work};
use batt::run::programs;
use serde_json::json;

use super::subject;
use crate::cli::BenchThroughput;
use crate::commands::{notes, on_device};
use crate::context::{Context, Verdict};

/// Measures and reports.
pub fn run(args: &BenchThroughput, context: &mut Context) -> anyhow::Result<Verdict> {
    let (mut programs, data) = subject(&args.subject, context)?;
    programs.truncate(args.first.unwrap_or(usize::MAX));
    let (mut all, mut used) = (Vec::new(), Vec::new());
    for device in &args.device {
        let engine = on_device(device, args.memory)?;
        for samples in &args.samples {
            let tasks = bench::many(data.tasks(), *samples);
            let mut work = Work::new(programs.clone(), &tasks, *samples);
            if args.differs {
                work = work.scored(programs::parsed_differs());
            }
            let found = bench::throughput(&work, &*engine, usize::from(args.repeats));
            let Some(found) = found else { continue };
            if !args.json {
                print(device, &found, context)?;
            }
            all.push(json!({ "device": device, "measured": found }));
        }
        let notes = notes::of(&*engine);
        if !args.json {
            for line in notes.work.iter().flat_map(|work| &work.devices) {
                writeln!(context, "{device:<9} {}, {}", line.name, line.words())?;
            }
        }
        used.push(json!({ "device": device, "notes": notes }));
    }
    if args.json {
        let report = json!({
            "schema": 1,
            "bench": "throughput",
            "programs": programs.len(),
            "rows": all,
            "devices": used,
            "machine": Machine::here(),
        });
        serde_json::to_writer_pretty(&mut *context, &report)?;
        writeln!(context)?;
    }
    Ok(Verdict::Good)
}

fn print(device: &str, t: &Throughput, context: &mut Context) -> anyhow::Result<()> {
    let share = |part: u64, whole: u64| part as f64 * 100.0 / whole.max(1) as f64;
    writeln!(
        context,
        "{device:<9} {:>7} samples {:>9.3} s {:>9.2} ns per pair, {:.2} % handed back, \
         {:.2} % of {} rows on a device, {} kernels, {:.1} MB up, {:.1} MB down, {:.3} s in kernels, \
         {:.3} s busy, {} splits, {:.1} % of the pairs beside it in {:.3} s of a core",
        t.samples,
        t.seconds,
        t.nanos_per_pair,
        share(t.handed_back, t.pairs),
        share(t.device_rows, t.rows),
        t.rows,
        t.kernels,
        t.bytes[0] as f64 / 1e6,
        t.bytes[1] as f64 / 1e6,
        t.kernel_seconds,
        t.device_seconds,
        t.splits,
        share(t.core_pairs, t.pairs),
        t.core_seconds,
    )?;
    if t.differs > 0 {
        let (micros, differs) = (t.micros_per_sample, t.differs);
        writeln!(context, "{:<9} {micros:.2} µs per sample with {differs} differs", "")?;
    }
    // Long sizes follow; what is known is shown.
    context.flush()?;
    Ok(())
}
