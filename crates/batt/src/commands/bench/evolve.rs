//! `batt bench evolve`: how many new programs a core makes and evaluates per second.

use std::io::Write;

use batt::evolve::archive::Archive;
use batt::evolve::bench::rate::{Rate, rate};
use batt::evolve::run::{Config, seeds};
use batt::run::bench::Machine;
use serde_json::json;

use crate::cli::BenchEvolve;
use crate::commands::{choose_engine, load_tasks, read_library};
use crate::context::{Context, Verdict};
use crate::failure;

/// Measures and reports.
pub fn run(args: &BenchEvolve, context: &mut Context) -> anyhow::Result<Verdict> {
    let engine = choose_engine(args.engine)?;
    let (_, data) = load_tasks(&args.tasks)?;
    let folder = tempfile::tempdir()?;
    let mut start = vec![seeds::input()];
    if !args.programs.is_empty() {
        let library = read_library(&args.programs, context)?;
        start.extend(library.entries.iter().map(|entry| seeds::of(&entry.program)));
    }
    start.extend(seeds::random(args.seed, 32));
    let mut rates: Vec<Rate> = Vec::new();
    for task in data.tasks() {
        let alone = data.select(&task.id).map_err(failure::data)?;
        let place = folder.path().join(format!("{}.db", rates.len()));
        let mut archive =
            Archive::open(&format!("sqlite:{}", place.display())).map_err(failure::archive)?;
        let config = Config { seed: args.seed, islands: 1, ..Config::default() };
        let found = rate(&*engine, &alone, config, start.clone(), args.generations, &mut archive)?;
        if !args.json {
            print(&found, context)?;
        }
        rates.push(found);
    }
    rates.sort_by(|a, b| a.per_cpu_second.total_cmp(&b.per_cpu_second));
    let median = rates.get(rates.len() / 2).map_or(0.0, |rate| rate.per_cpu_second);
    let candidates: u64 = rates.iter().map(|rate| rate.candidates).sum();
    let cpu: f64 = rates.iter().map(|rate| rate.cpu_seconds).sum();
    let machine = Machine::here();
    if args.json {
        let report = json!({
            "schema": 1,
            "bench": "evolve",
            "engine": engine.name(),
            "generations": args.generations,
            "median_per_cpu_second": median,
            "all_per_cpu_second": candidates as f64 / cpu.max(1e-9),
            "tasks": rates,
            "machine": machine,
        });
        serde_json::to_writer_pretty(&mut *context, &report)?;
        writeln!(context)?;
    } else {
        writeln!(
            context,
            "{median:.0} new programs per second and core on the median task, {:.0} over all {} \
             tasks, the archive included",
            candidates as f64 / cpu.max(1e-9),
            rates.len()
        )?;
        writeln!(context, "machine  {}, {} cores", machine.cpu, machine.cores)?;
    }
    Ok(Verdict::Good)
}

fn print(rate: &Rate, context: &mut Context) -> anyhow::Result<()> {
    writeln!(
        context,
        "{:<22} {} demos {:>8} programs {:>7.2} s of CPU time {:>8.0} per second, archive {:>4.1} %, \
         handed back {:.2} %",
        rate.task,
        rate.demos,
        rate.candidates,
        rate.cpu_seconds,
        rate.per_cpu_second,
        rate.archive_seconds * 100.0 / rate.seconds.max(1e-9),
        rate.handed_back * 100.0
    )?;
    Ok(context.flush()?)
}
