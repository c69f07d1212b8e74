//! `batt verify`: two ways to run the same programs.

mod evolved;
mod found;

use std::io::Write;

use batt::lang::Program;
use batt::run::engine::spent::Notes;
use batt::run::engine::{self, Engine};
use batt::run::run::library::Entry;
use batt::run::run::plan::{Pair, Plan};
use batt::run::tasks::Task;
use batt::run::verify::{self, Check, Report, STACK, Side, Work};
use batt::run::{programs, random};
use serde_json::json;

use super::{load_tasks, notes, policy, read_library};
use crate::cli::VerifyArgs;
use crate::context::{Context, Verdict};
use crate::failure::Failure;
use crate::output::{self, Outputs};
use evolved::Bred;
use found::Found;

/// The option that names the case.
const WRITE: &str = "--write";
/// How many random tasks there are where no others are named.
const RANDOM_TASKS: usize = 10;

/// Compares and reports.
pub fn run(args: &VerifyArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    let to_stdout = Outputs::default()
        .file(WRITE, Some(&args.write))
        .report("--json", args.json)
        .reads_programs(&args.programs)
        .reads_tasks(&args.tasks)
        .check()?;
    let engines = engines(args)?;
    let (left, right) = sides(args, &engines)?;
    let check = Check { left, right, policy: policy(args.on_error) };
    let differs = if args.no_scores { Vec::new() } else { programs::parsed_differs() };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.map_or(0, usize::from))
        .stack_size(STACK)
        .build()?;
    let (report, bred, found) = if let Some(wanted) = args.evolved {
        let (report, bred, found) =
            evolved::compare(args, wanted, &check, &differs, &pool, context)?;
        (report, Some(bred), found)
    } else {
        let (report, found) = compare(args, &check, &differs, &pool, context)?;
        (report, None, found)
    };
    if let Some(found) = &found {
        let record = format!("{}\n", found.record);
        output::write(WRITE, &args.write, record.as_bytes(), context)?;
    }
    let devices: Vec<Notes> = engines.iter().map(|engine| notes::of(&**engine)).collect();
    if args.json {
        let mut all = json!({
            "schema": 1,
            "compared": report.compared,
            "marks": report.marks,
            "mismatches": report.mismatches,
            "handed_back": report.handed_back,
            "engines": engines.iter().map(|engine| engine.name()).collect::<Vec<_>>(),
            "devices": devices,
            "first": found.map(|found| found.as_json(&args.write)),
        });
        if let Some(bred) = bred {
            all["bred"] = json!(bred);
        }
        serde_json::to_writer_pretty(&mut *context, &all)?;
        writeln!(context)?;
    } else if !to_stdout {
        if let Some(found) = &found {
            found.print(&args.write, context)?;
        }
        print(&report, bred, context)?;
        for device in &devices {
            notes::print(device, "", context)?;
        }
    }
    Ok(Verdict::good_if(report.mismatches == 0))
}

/// Compares the programs that are named or drawn.
fn compare(
    args: &VerifyArgs,
    check: &Check,
    differs: &[Program],
    pool: &rayon::ThreadPool,
    context: &Context,
) -> anyhow::Result<(Report, Option<Found>)> {
    let (entries, tasks) = subjects(args, context)?;
    let plan = plan(args, &entries, &tasks);
    if plan.pairs.is_empty() {
        return Err(Failure::error(
            "no program names a task of the data set: there is nothing to compare",
            "--cross compares every program on every task",
        ));
    }
    let programs: Vec<Program> = entries.into_iter().map(|entry| entry.program).collect();
    let work = Work { programs: &programs, differs, tasks: &tasks, plan: &plan };
    let report = pool.install(|| verify::compare(check, &work, &|| {}));
    let first = report.first.clone();
    let found = first.map(|first| pool.install(|| Found::new(first, check, &work)));
    Ok((report, found))
}

/// The engines that are named, or the reference engine.
fn engines(args: &VerifyArgs) -> anyhow::Result<Vec<Box<dyn Engine>>> {
    let find = |name: &String| {
        engine::open_with(name, args.memory.gpu_memory, false).map_err(|error| {
            Failure::error(error.to_string(), "the engines are reference, cpu and cuda")
        })
    };
    let reference = ["reference".to_string()];
    let names = if args.engines.is_empty() { &reference[..] } else { &args.engines[..] };
    names.iter().map(find).collect()
}

fn sides<'a>(
    args: &VerifyArgs,
    engines: &'a [Box<dyn Engine>],
) -> anyhow::Result<(Side<'a>, Side<'a>)> {
    let merged = |engine: &'a dyn Engine, fuse| Side::Merged { engine, fuse };
    match engines {
        [only] if args.merged_against_alone => Ok((Side::Alone, merged(&**only, true))),
        [only] if args.fused_against_unfused => Ok((merged(&**only, false), merged(&**only, true))),
        [a, b] => Ok((merged(&**a, true), merged(&**b, true))),
        _ => Err(Failure::error(
            "--engines takes two engines",
            "for instance --engines reference,cpu",
        )),
    }
}

/// The programs, and the tasks: those that are named, random ones, or both.
fn subjects(args: &VerifyArgs, context: &Context) -> anyhow::Result<(Vec<Entry>, Vec<Task>)> {
    let only_random = args.random > 0 && args.programs.is_empty();
    let mut entries =
        if only_random { Vec::new() } else { read_library(&args.programs, context)?.entries };
    let mut rng = random::rng(args.seed);
    for mut program in random::programs(&mut rng, args.random, &random::Options::default()) {
        let id = format!("random{}", entries.len());
        program.name = format!("solve_{id}");
        entries.push(Entry { id, task: None, file: "random".to_string(), tries: false, program });
    }
    let tasks = if only_random && args.tasks.tasks.is_none() && args.tasks.only.is_empty() {
        let named = |n: usize| Task { id: format!("random{n}"), ..random::task(&mut rng) };
        (0..RANDOM_TASKS).map(named).collect()
    } else {
        load_tasks(&args.tasks)?.1.tasks().to_vec()
    };
    Ok((entries, tasks))
}

fn plan(args: &VerifyArgs, entries: &[Entry], tasks: &[Task]) -> Plan {
    if args.cross {
        return Plan::cross(entries, tasks);
    }
    let mut plan = Plan::named(entries, tasks);
    for (program, _) in entries.iter().enumerate().filter(|(_, entry)| entry.file == "random") {
        plan.pairs.extend((0..tasks.len()).map(|task| Pair { program, task }));
    }
    plan
}

fn print(report: &Report, bred: Option<Bred>, context: &mut Context) -> anyhow::Result<()> {
    let style = context.style;
    if let Some(Bred { runs, batteries, programs }) = bred {
        writeln!(context, "{programs} programs bred in {runs} runs, {batteries} batteries")?;
    }
    let mismatches = format!("{} differ", report.mismatches);
    let mismatches =
        if report.mismatches == 0 { style.good(&mismatches) } else { style.bad(&mismatches) };
    writeln!(
        context,
        "{} answers and {} marks compared, {mismatches}, {} handed back to the interpreter",
        report.compared, report.marks, report.handed_back
    )?;
    Ok(())
}
