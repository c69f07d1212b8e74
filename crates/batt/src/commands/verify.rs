//! `batt verify`: two ways to run the same programs.

use std::io::Write;
use std::path::Path;

use batt::lang::Program;
use batt::run::engine::spent::Notes;
use batt::run::engine::{self, Engine};
use batt::run::run::library::Entry;
use batt::run::run::plan::{Pair, Plan};
use batt::run::tasks::Task;
use batt::run::verify::{self, Answer, Case, Check, Mismatch, Report, STACK, Side, Work};
use batt::run::{programs, random};
use serde_json::{Value as Json, json};

use super::{load_tasks, notes, policy, read_library};
use crate::cli::VerifyArgs;
use crate::context::{Context, Verdict};
use crate::failure::Failure;
use crate::output::{self, Outputs};

/// The option that names the case.
const WRITE: &str = "--write";
/// How many random tasks there are where no others are named.
const RANDOM_TASKS: usize = 10;
/// How many smaller cases are tried.
const TRIES: usize = 5_000;

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
    let (entries, tasks) = subjects(args, context)?;
    let plan = plan(args, &entries, &tasks);
    if plan.pairs.is_empty() {
        return Err(Failure::error(
            "no program names a task of the data set: there is nothing to compare",
            "--cross compares every program on every task",
        ));
    }
    let programs: Vec<Program> = entries.iter().map(|entry| entry.program.clone()).collect();
    let differs = if args.no_scores { Vec::new() } else { programs::parsed_differs() };
    let work = Work { programs: &programs, differs: &differs, tasks: &tasks, plan: &plan };
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.map_or(0, usize::from))
        .stack_size(STACK)
        .build()?;
    let report = pool.install(|| verify::compare(&check, &work, &|| {}));
    let record = match &report.first {
        Some(first) => {
            let case = pool.install(|| shrunk(first, &check, &work));
            let record = case.record(&entry_name(first, &entries), check.policy);
            output::write(WRITE, &args.write, format!("{record}\n").as_bytes(), context)?;
            Some(record)
        }
        None => None,
    };
    let devices: Vec<Notes> = engines.iter().map(|engine| notes::of(&**engine)).collect();
    let names = Names { entries: &entries, tasks: &tasks, differs: &differs };
    if args.json {
        let first =
            report.first.as_ref().map(|first| as_json(first, &names, record.as_ref(), &args.write));
        let all = json!({
            "schema": 1,
            "compared": report.compared,
            "mismatches": report.mismatches,
            "handed_back": report.handed_back,
            "engines": engines.iter().map(|engine| engine.name()).collect::<Vec<_>>(),
            "devices": devices,
            "first": first,
        });
        serde_json::to_writer_pretty(&mut *context, &all)?;
        writeln!(context)?;
    } else if !to_stdout {
        print(&report, &names, record.as_ref(), args, context)?;
        for device in &devices {
            notes::print(device, "", context)?;
        }
    }
    Ok(Verdict::good_if(report.mismatches == 0))
}

/// The engines that are named, or the reference engine.
fn engines(args: &VerifyArgs) -> anyhow::Result<Vec<Box<dyn Engine>>> {
    let find = |name: &String| {
        engine::open(name, args.memory.gpu_memory).map_err(|error| {
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
        entries.push(Entry { id, task: None, file: "random".to_string(), program });
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

/// The smallest case found. Where a case outside of the whole battery does not differ, the whole
/// is kept.
fn shrunk(first: &Mismatch, check: &Check, work: &Work) -> Case {
    let case = Case::of(first, work);
    if case.differs(check) {
        verify::shrink(case, TRIES, &|case| case.differs(check))
    } else {
        case
    }
}

/// What places in the report stand for.
struct Names<'a> {
    entries: &'a [Entry],
    tasks: &'a [Task],
    differs: &'a [Program],
}

fn entry_name(mismatch: &Mismatch, entries: &[Entry]) -> String {
    mismatch.program.map_or("input".to_string(), |at| entries[at].id.clone())
}

fn answer(answer: &Answer) -> String {
    match answer {
        Answer::Value(value) => value.to_string(),
        Answer::Error => "an error".to_string(),
    }
}

fn as_json(first: &Mismatch, names: &Names, record: Option<&Json>, file: &Path) -> Json {
    json!({
        "program": first.program.map(|at| &names.entries[at].id),
        "differ": first.differ.map(|at| &names.differs[at].name),
        "task": names.tasks[first.task].id,
        "sample": first.sample.to_string(),
        "left": answer(&first.left),
        "right": answer(&first.right),
        "record": record,
        "written": file.display().to_string(),
    })
}

fn print(
    report: &Report,
    names: &Names,
    record: Option<&Json>,
    args: &VerifyArgs,
    context: &mut Context,
) -> anyhow::Result<()> {
    let style = context.style;
    if let Some(first) = &report.first {
        let differ = first
            .differ
            .map_or(String::new(), |at| format!(" scored by {}", names.differs[at].name));
        let program = entry_name(first, names.entries);
        let (task, sample) = (&names.tasks[first.task].id, first.sample);
        let place = format!("{program}{differ} on {task} {sample}: ");
        writeln!(context, "{}{}", style.bold(&place), style.bad("differs"))?;
        writeln!(context, "  left   {}", answer(&first.left))?;
        writeln!(context, "  right  {}", answer(&first.right))?;
        if let Some(source) = record.and_then(|r| r["source"].as_str()) {
            writeln!(context, "\nthe smallest program that differs:\n\n{source}")?;
        }
        writeln!(context, "written to {}\n", args.write.display())?;
    }
    let mismatches = format!("{} differ", report.mismatches);
    let mismatches =
        if report.mismatches == 0 { style.good(&mismatches) } else { style.bad(&mismatches) };
    writeln!(
        context,
        "{} answers compared, {mismatches}, {} handed back to the interpreter",
        report.compared, report.handed_back
    )?;
    Ok(())
}
