//! `batt bench cross`: what a pair of a program and a sample costs.

use std::io::Write;

use batt::run::bench::{self, Machine, Work};
use serde_json::json;

use super::subject;
use crate::cli::BenchCross;
use crate::commands::table::mebibytes;
use crate::commands::{engine_or_cpu, notes};
use crate::context::{Context, Verdict};

/// Measures and reports.
pub fn run(args: &BenchCross, context: &mut Context) -> anyhow::Result<Verdict> {
    let (programs, data) = subject(&args.subject, context)?;
    let work = Work::new(programs, data.tasks(), args.samples.unwrap_or(usize::MAX));
    let engine = engine_or_cpu(args.engine, &args.on)?;
    let machine = Machine::here();
    let cross = bench::cross(&work, &*engine, machine.cores);
    let device = notes::of(&*engine);
    if args.json {
        let report = json!({
            "schema": 1,
            "bench": "cross",
            "engine": engine.name(),
            "programs": work.programs.len(),
            "samples": work.samples.len(),
            "cross": cross,
            "device": device,
            "machine": machine,
        });
        serde_json::to_writer_pretty(&mut *context, &report)?;
        writeln!(context)?;
        return Ok(Verdict::Good);
    }
    let pairs = cross.pairs.max(1) as f64;
    writeln!(
        context,
        "{} programs on {} samples: {:.2} µs of CPU time per pair",
        work.programs.len(),
        work.samples.len(),
        cross.micros_per_pair
    )?;
    writeln!(
        context,
        "the {} engine   {:>9.3} s  {:>8.2} µs per pair",
        engine.name(),
        cross.engine_cpu_s,
        cross.engine_cpu_s * 1e6 / pairs
    )?;
    writeln!(
        context,
        "handed back      {:>9.3} s  {:>8.2} µs per pair, {} pairs ({:.2} %)",
        cross.handed_back_cpu_s,
        cross.handed_back_cpu_s * 1e6 / pairs,
        cross.handed_back,
        cross.handed_back as f64 * 100.0 / pairs
    )?;
    let first = cross.elapsed_s.first().map_or(0.0, |(_, seconds)| *seconds);
    for (threads, seconds) in &cross.elapsed_s {
        writeln!(
            context,
            "engine, {threads} threads  {seconds:>8.3} s  {:>8.2}×",
            first / seconds.max(1e-12)
        )?;
    }
    writeln!(
        context,
        "memory           {:>9.1} MiB per worker at most",
        mebibytes(cross.worker_bytes)
    )?;
    notes::print(&device, "", context)?;
    writeln!(context, "machine  {}, {} cores", machine.cpu, machine.cores)?;
    Ok(Verdict::Good)
}
