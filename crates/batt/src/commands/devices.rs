//! `batt devices`: the GPUs there are, and what `--device auto` chooses by.

use std::io::Write;

use batt::cuda::driver::{self, Info, LEAST};
use batt::run::engine::auto::{self, Calibration, ThisMachine};
use batt::run::engine::spent::DeviceStart;
use batt::run::tasks::cache_folder;
use serde_json::{Value as Json, json};

use crate::cli::DevicesArgs;
use crate::context::{Context, Verdict};
use crate::failure::Failure;

/// A GPU, and how it started or why it did not.
struct Found {
    info: Info,
    start: Result<DeviceStart, String>,
}

/// Lists them. That there are none is no error.
pub fn run(args: &DevicesArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let cache = cache_folder().ok();
    let open = |info: Info| {
        let opened = driver::Cuda::open(info.number, cache.as_deref());
        let start = opened.map(|device| DeviceStart::of(&device)).map_err(|why| why.to_string());
        Found { info, start }
    };
    let found: Result<Vec<Found>, _> =
        driver::devices().map(|devices| devices.into_iter().map(open).collect());
    let here = ThisMachine::default();
    let calibration = if args.calibrate {
        let measured = auto::calibrate(&here, cache.as_deref());
        Some(measured.map_err(|why| {
            Failure::error(format!("no GPU can be measured: {why}"), "without one, auto is the CPU")
        })?)
    } else {
        auto::kept(&here, cache.as_deref())
    };
    let version = driver::version().ok();
    if args.json {
        let all = json!({
            "schema": 1,
            "cores": cores,
            "driver": version,
            "devices": found.iter().flatten().map(as_json).collect::<Vec<_>>(),
            "why_none": found.as_ref().err().map(ToString::to_string),
            "auto": calibration.as_ref().map(|c| json!({
                "calibration": c,
                "break_even": break_even(c),
            })),
        });
        serde_json::to_writer_pretty(&mut *context, &all)?;
        writeln!(context)?;
        return Ok(Verdict::Good);
    }
    writeln!(context, "cpu      {cores} cores")?;
    match found {
        Ok(devices) => {
            for found in &devices {
                print(found, context)?;
            }
            if let Some(version) = version {
                writeln!(context, "driver   CUDA {}.{}", version / 1000, version % 1000 / 10)?;
            }
            print_auto(calibration.as_ref(), context)?;
        }
        Err(why) => {
            writeln!(context, "cuda     none: {why}")?;
            writeln!(context, "auto     always the CPU")?;
        }
    }
    Ok(Verdict::Good)
}

fn as_json(found: &Found) -> Json {
    let Found { info, start } = found;
    json!({
        "device": format!("cuda:{}", info.number),
        "name": info.name,
        "capability": [info.capability.0, info.capability.1],
        "processors": info.processors,
        "memory": info.memory,
        "usable": info.capability >= LEAST && start.is_ok(),
        "kernels": start.as_ref().ok(),
        "why_not": start.as_ref().err(),
    })
}

fn print(found: &Found, context: &mut Context) -> anyhow::Result<()> {
    let Found { info, start } = found;
    let (major, minor) = info.capability;
    let start = match start {
        Ok(start) => start.words(),
        Err(why) => format!("cannot be used: {why}"),
    };
    writeln!(
        context,
        "cuda:{:<3} {}, {:.1} GiB, {} processors, compute capability {major}.{minor}; {start}",
        info.number,
        info.name,
        info.memory as f64 / f64::from(1 << 30),
        info.processors,
    )?;
    Ok(())
}

/// From how many samples on the GPU is taken, by the batteries that were measured.
fn break_even(calibration: &Calibration) -> Vec<Json> {
    let one = |cost: &auto::Cost| {
        let slots = cost.slots as usize;
        json!({ "slots": slots, "samples": calibration.break_even(slots) })
    };
    calibration.device.iter().map(one).collect()
}

fn print_auto(calibration: Option<&Calibration>, context: &mut Context) -> anyhow::Result<()> {
    let Some(calibration) = calibration else {
        let hint = "not measured yet; --calibrate does it now, large work does it by itself";
        writeln!(context, "auto     {hint}")?;
        return Ok(());
    };
    writeln!(
        context,
        "auto     {}, measured in {:.1} s; opening it takes {:.2} s",
        calibration.key.device, calibration.took, calibration.open
    )?;
    let ms = |cost: &auto::Cost| {
        format!("{:.3} ms + {:.2} µs per sample", cost.fixed * 1e3, cost.per_sample * 1e6)
    };
    for (cpu, device) in calibration.cpu.iter().zip(&calibration.device) {
        let from = match calibration.break_even(device.slots as usize) {
            Some(samples) => format!("the GPU from {samples} samples on"),
            None => "the CPU always".to_string(),
        };
        let slots = device.slots;
        writeln!(context, "  {slots:>6} slots: cpu {}, gpu {}: {from}", ms(cpu), ms(device))?;
    }
    Ok(())
}
