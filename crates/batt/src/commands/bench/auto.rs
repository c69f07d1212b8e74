//! `batt bench auto`: how often `--device auto` picks the faster side.

use std::io::Write;

use batt::run::bench::{self, Grid, Machine, Tried};
use batt::run::engine::auto::{self, Auto, Emulated, Sizes};
use serde_json::json;

use super::subject;
use crate::cli::BenchAuto;
use crate::commands::notes;
use crate::context::{Context, Verdict};
use crate::failure::Failure;

/// Measures and reports.
pub fn run(args: &BenchAuto, context: &mut Context) -> anyhow::Result<Verdict> {
    let (programs, data) = subject(&args.subject, context)?;
    let engine = if args.emulator {
        // Small sizes: it is thousands of times slower than a device.
        let sizes = Sizes { programs: &[2, 4], samples: &[2, 6], many: 8, repeats: 1 };
        Auto::new(Box::new(Emulated), None).with_sizes(sizes)
    } else {
        auto::here(args.memory.gpu_memory, !args.memory.no_cpu)
    };
    let (batteries, samples) = (sizes(&args.batteries), sizes(&args.samples));
    let repeats = usize::from(args.repeats);
    let grid = Grid { batteries: &batteries, samples: &samples, repeats };
    if !args.json {
        let head = format!(
            "{:>8} {:>7} {:>8} {:>11} {:>11} {:>11} {:>11}  {}",
            "programs", "slots", "samples", "cpu ms", "expected", "device ms", "expected", "auto"
        );
        writeln!(context, "{}", context.style.bold(&head))?;
    }
    let mut failed = None;
    let mut show = |tried: &Tried| {
        if !args.json && failed.is_none() {
            failed = print(tried, context).err();
        }
    };
    let tried = bench::auto(&engine, &programs, data.tasks(), &grid, &mut show);
    if let Some(error) = failed {
        return Err(error);
    }
    let tried = tried.map_err(|why| {
        Failure::error(format!("no GPU can be used: {why}"), "`batt devices` lists what there is")
    })?;
    let right = tried.iter().filter(|tried| tried.is_right()).count();
    let share = right as f64 / tried.len().max(1) as f64;
    let worst = tried.iter().map(|tried| tried.loss).fold(0.0, f64::max);
    let device = notes::of(&engine);
    if args.json {
        let report = json!({
            "schema": 1,
            "bench": "auto",
            "sizes": tried,
            "right": right,
            "right_share": share,
            "worst_loss": worst,
            "device": device,
            "machine": Machine::here(),
        });
        serde_json::to_writer_pretty(&mut *context, &report)?;
        writeln!(context)?;
        return Ok(Verdict::Good);
    }
    writeln!(
        context,
        "\nauto picked the faster side {right} times of {} ({:.1} %); the worst loss is {:.1} %",
        tried.len(),
        share * 100.0,
        worst * 100.0
    )?;
    let machine = Machine::here();
    writeln!(context, "machine  {}, {} cores", machine.cpu, machine.cores)?;
    Ok(Verdict::Good)
}

fn sizes(list: &[u32]) -> Vec<usize> {
    list.iter().map(|size| *size as usize).collect()
}

fn print(tried: &Tried, context: &mut Context) -> anyhow::Result<()> {
    let side = if tried.picks_device { "device" } else { "cpu" };
    let loss = if tried.is_right() {
        String::new()
    } else {
        context.style.bad(&format!(", {:.1} % slower", tried.loss * 100.0))
    };
    writeln!(
        context,
        "{:>8} {:>7} {:>8} {:>11.3} {:>11.3} {:>11.3} {:>11.3}  {side}{loss}",
        tried.programs,
        tried.slots,
        tried.samples,
        tried.cpu_seconds * 1e3,
        tried.cpu_expected * 1e3,
        tried.device_seconds * 1e3,
        tried.device_expected * 1e3,
    )?;
    // Large sizes take a while.
    Ok(context.flush()?)
}
