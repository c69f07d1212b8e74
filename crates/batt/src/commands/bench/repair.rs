//! `batt bench repair`: broken programs, and how many of them evolution repairs.

use std::io::Write;
use std::time::Duration;

use batt::evolve::bench::repair::{Repair, mutilate, repair};
use batt::evolve::breed::TaskContext;
use batt::evolve::run::{Config, seeds};
use batt::run::bench::Machine;
use serde_json::json;

use crate::cli::BenchRepair;
use crate::commands::{choose_engine, load_tasks, read_library};
use crate::context::{Context, Verdict};
use crate::tell::Messages;

/// Breaks, repairs and reports.
pub fn run(args: &BenchRepair, context: &mut Context) -> anyhow::Result<Verdict> {
    let engine = choose_engine(args.engine)?;
    let (_, data) = load_tasks(&args.tasks)?;
    let library = read_library(&args.programs, context)?;
    let mut repairs: Vec<Repair> = Vec::new();
    let mut messages = Messages::new(["message", "messages"], context.verbose);
    for (at, entry) in library.entries.iter().enumerate() {
        let Some(task) = entry.task.as_deref().and_then(|id| data.get(id)) else { continue };
        let ready = TaskContext::new(task);
        let (_, genome) = seeds::of(&entry.program);
        let Some(broken) = mutilate(&*engine, &ready, &genome, args.seed.wrapping_add(at as u64))
        else {
            messages.tell(format_args!("{}: no change broke it", entry.id));
            continue;
        };
        let alone = data.select(&task.id).map_err(crate::failure::data)?;
        let config = Config { seed: args.seed, ..Config::default() };
        let limit = Duration::from_secs_f64(args.seconds);
        let done = repair(&*engine, &alone, &broken, config, usize::from(args.threads), limit)?;
        if !args.json {
            print(&done, context)?;
        }
        if !done.repaired {
            let text = broken.text();
            messages.tell(format_args!("{}\nwas not repaired:\n{text}", done.task));
        }
        repairs.push(done);
    }
    let repaired = repairs.iter().filter(|done| done.repaired).count();
    let share = repaired as f64 / repairs.len().max(1) as f64;
    let machine = Machine::here();
    if args.json {
        let report = json!({
            "schema": 1,
            "bench": "repair",
            "engine": engine.name(),
            "seed": args.seed,
            "seconds": args.seconds,
            "threads": args.threads,
            "repaired": repaired,
            "programs": repairs.len(),
            "share": share,
            "repairs": repairs,
            "machine": machine,
        });
        serde_json::to_writer_pretty(&mut *context, &report)?;
        writeln!(context)?;
    } else {
        let percent = share * 100.0;
        writeln!(context, "repaired {repaired} of {} programs: {percent:.1} %", repairs.len())?;
        writeln!(context, "machine  {}, {} cores", machine.cpu, machine.cores)?;
    }
    Ok(Verdict::Good)
}

fn print(done: &Repair, context: &mut Context) -> anyhow::Result<()> {
    let word = if done.repaired { "repaired" } else { "not repaired" };
    writeln!(
        context,
        "{:<22} {} changes, {} demos left  {word:<12} {:>6.2} s {:>5} generations {:>9} candidates",
        done.task, done.changes, done.exact, done.seconds, done.generations, done.candidates
    )?;
    // Each takes up to a minute: nobody should wait for all of them to see the first.
    Ok(context.flush()?)
}
