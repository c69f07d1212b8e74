//! `batt devices`: the GPUs there are.

use std::io::Write;

use batt::cuda::driver::{self, Info, LEAST};
use serde_json::json;

use crate::cli::DevicesArgs;
use crate::context::{Context, Verdict};

/// Lists them. That there are none is no error.
pub fn run(args: &DevicesArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let found = driver::devices();
    let version = driver::version().ok();
    if args.json {
        let one = |info: &Info| {
            json!({
                "device": format!("cuda:{}", info.number),
                "name": info.name,
                "capability": [info.capability.0, info.capability.1],
                "processors": info.processors,
                "memory": info.memory,
                "usable": info.capability >= LEAST,
            })
        };
        let devices: Vec<_> = found.iter().flatten().map(one).collect();
        let why = found.as_ref().err().map(ToString::to_string);
        let all = json!({
            "schema": 1,
            "cores": cores,
            "driver": version,
            "devices": devices,
            "why_none": why,
        });
        serde_json::to_writer_pretty(&mut *context, &all)?;
        writeln!(context)?;
        return Ok(Verdict::Good);
    }
    writeln!(context, "cpu     {cores} cores")?;
    match found {
        Ok(devices) => {
            for info in devices {
                let (major, minor) = info.capability;
                let usable =
                    if info.capability >= LEAST { "" } else { ", too old for the kernels" };
                writeln!(
                    context,
                    "cuda:{}  {}, {:.1} GiB, {} processors, compute capability {major}.{minor}{usable}",
                    info.number,
                    info.name,
                    info.memory as f64 / f64::from(1 << 30),
                    info.processors,
                )?;
            }
            if let Some(version) = version {
                writeln!(context, "driver  CUDA {}.{}", version / 1000, version % 1000 / 10)?;
            }
        }
        Err(why) => writeln!(context, "cuda    none: {why}")?,
    }
    Ok(Verdict::Good)
}
