//! `batt bench enumerate`: how many candidates of an enumeration a core tries per second.

use std::io::Write;

use batt::run::bench::Machine as Computer;
use batt::solve::enumerate::measure::{Measured, measure};
use batt::solve::enumerate::operations::Operations;
use batt::solve::enumerate::rows::Machine;
use serde_json::json;

use crate::cli::BenchEnumerate;
use crate::commands::load_tasks;
use crate::context::{Context, Verdict};

/// Bytes in a MiB.
const MIB: usize = 1 << 20;

/// Measures and reports.
pub fn run(args: &BenchEnumerate, context: &mut Context) -> anyhow::Result<Verdict> {
    let (_, data) = load_tasks(&args.tasks)?;
    let operations = Operations::embedded().map_err(anyhow::Error::msg)?;
    let mut machine = Machine::new(args.memory as usize * MIB);
    let mut all: Vec<Measured> = Vec::new();
    for task in data.tasks() {
        let Some(measured) = measure(&operations, &mut machine, task, args.rows) else { continue };
        if !args.json {
            print(&measured, context)?;
        }
        all.push(measured);
    }
    let mut rates: Vec<f64> = all.iter().map(rate).collect();
    rates.sort_by(f64::total_cmp);
    let median = rates.get(rates.len() / 2).copied().unwrap_or(0.0);
    let sum = |of: &dyn Fn(&Measured) -> u64| all.iter().map(of).sum::<u64>();
    let (candidates, new, rows) =
        (sum(&|one| one.candidates), sum(&|one| one.new), sum(&|one| one.rows));
    let cpu: f64 = all.iter().map(|one| one.cpu_seconds).sum();
    let over_all = candidates as f64 / cpu.max(1e-9);
    let bytes = all.iter().map(|one| one.bytes).max().unwrap_or(0);
    let computer = Computer::here();
    if args.json {
        let tasks: Vec<_> = all
            .iter()
            .map(|one| {
                json!({
                    "task": one.task,
                    "samples": one.samples,
                    "candidates": one.candidates,
                    "new": one.new,
                    "rows": one.rows,
                    "bytes": one.bytes,
                    "full": one.full,
                    "cpu_seconds": one.cpu_seconds,
                    "per_cpu_second": rate(one),
                })
            })
            .collect();
        let report = json!({
            "schema": 1,
            "bench": "enumerate",
            "operations": operations.formulas.len(),
            "rows_per_task": args.rows,
            "memory_mib": args.memory,
            "candidates": candidates,
            "new": new,
            "rows": rows,
            "cpu_seconds": cpu,
            "median_per_cpu_second": median,
            "all_per_cpu_second": over_all,
            "most_bytes": bytes,
            "tasks": tasks,
            "machine": computer,
        });
        serde_json::to_writer_pretty(&mut *context, &report)?;
        writeln!(context)?;
        return Ok(Verdict::Good);
    }
    writeln!(
        context,
        "{median:.0} candidates per second and core on the median task, {over_all:.0} over all {} tasks, \
         duplicates removed",
        all.len()
    )?;
    writeln!(
        context,
        "{candidates} candidates, {new} new values, {rows} rows, at most {} MiB, {} operations",
        bytes.div_ceil(MIB),
        operations.formulas.len()
    )?;
    writeln!(context, "machine  {}, {} cores", computer.cpu, computer.cores)?;
    Ok(Verdict::Good)
}

fn rate(measured: &Measured) -> f64 {
    measured.candidates as f64 / measured.cpu_seconds.max(1e-9)
}

fn print(measured: &Measured, context: &mut Context) -> anyhow::Result<()> {
    writeln!(
        context,
        "{:<22} {:>2} samples {:>9} candidates {:>8} new {:>6.2} s of CPU time {:>9.0} per second {:>5} MiB{}",
        measured.task,
        measured.samples,
        measured.candidates,
        measured.new,
        measured.cpu_seconds,
        rate(measured),
        measured.bytes.div_ceil(MIB),
        if measured.full { ", full" } else { "" }
    )?;
    Ok(context.flush()?)
}
