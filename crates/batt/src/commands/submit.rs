//! `batt submit`: attempts at every test, from the best programs.

use std::collections::BTreeMap;
use std::io::Write;

use batt::evolve::judge::Judge;
use batt::evolve::submission::choose::{Chosen, choose};
use batt::evolve::submission::{Submission, file};
use batt::lang::Program;
use batt::lang::canonical::Canonical;
use batt::run::run::library::Library;
use batt::run::tasks::{Dataset, Task};
use rayon::prelude::*;
use serde_json::json;

use super::{archive, choose_engine, load_tasks, read_library};
use crate::cli::SubmitArgs;
use crate::context::{Context, Verdict};
use crate::failure::{self, Failure};
use crate::output::{self, Outputs};
use crate::tell::Messages;

/// Enough for the deepest nesting that the limits let a value or a program have.
const STACK: usize = 256 << 20;

/// The option that names the submission.
const OUTPUT: &str = "--output";

/// Writes a submission.
pub fn run(args: &SubmitArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    let to_stdout = outputs(args).check()?;
    let engine = choose_engine(args.engine)?;
    let (_, data) = load_tasks(&args.tasks)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.map_or(0, usize::from))
        .stack_size(STACK)
        .build()?;
    let programs = if args.programs.is_empty() {
        of_archive(args, &data, context)?
    } else {
        let library = read_library(&args.programs, context)?;
        pool.install(|| of_files(args, &library, &data))
    };
    let count = usize::from(args.attempts);
    let tasks: Vec<&Task> = data.tasks().iter().filter(|task| !task.tests.is_empty()).collect();
    let none = Vec::new();
    let attempts = |task: &&Task| {
        let programs = programs.get(&task.id).unwrap_or(&none);
        choose(task, programs, &*engine, count)
    };
    let with = programs.values().filter(|p| !p.is_empty()).count();
    if with == 0 {
        let message = format!("no program is for a task of {}", data.name);
        let hint = "--tasks names the data set that the programs are for";
        return Err(Failure::error(message, hint));
    }
    let chosen: Vec<Vec<Chosen>> = pool.install(|| tasks.par_iter().map(attempts).collect());
    let outputs: usize = chosen.iter().map(Vec::len).sum();
    let found: usize = chosen.iter().flatten().map(|chosen| chosen.found).sum();
    let empty = chosen.iter().flatten().filter(|chosen| chosen.found == 0).count();
    let submission: Submission = tasks
        .iter()
        .zip(chosen)
        .map(|(task, chosen)| {
            (task.id.clone(), chosen.into_iter().map(|chosen| chosen.attempts).collect())
        })
        .collect();
    output::write(OUTPUT, &args.output, file::write(&submission).as_bytes(), context)?;
    let tasks = tasks.len();
    if args.json {
        let report = json!({
            "schema": 1, "file": args.output.display().to_string(), "tasks": tasks,
            "tasks_with_programs": with, "outputs": outputs, "outputs_without_programs": empty,
            "attempts": outputs * count, "attempts_by_programs": found,
        });
        writeln!(context, "{report:#}")?;
    } else if !to_stdout {
        writeln!(context, "wrote {}", args.output.display())?;
        writeln!(context, "  {tasks} tasks, {with} with programs")?;
        let attempts = outputs * count;
        writeln!(
            context,
            "  {attempts} attempts at {outputs} outputs, {found} of them by programs"
        )?;
    }
    Ok(Verdict::Good)
}

/// What is written, and what is read.
fn outputs(args: &SubmitArgs) -> Outputs {
    let outputs = Outputs::default()
        .file(OUTPUT, Some(&args.output))
        .report("--json", args.json)
        .reads_programs(&args.programs)
        .reads_tasks(&args.tasks);
    if args.programs.is_empty() { outputs.reads_archive(&args.place) } else { outputs }
}

/// The programs of every task, the best first.
type Programs = BTreeMap<String, Vec<Program>>;

fn of_archive(args: &SubmitArgs, data: &Dataset, context: &Context) -> anyhow::Result<Programs> {
    let mut archive = archive::open(&args.place)?;
    let known: BTreeMap<String, String> =
        archive.tasks().map_err(failure::archive)?.into_iter().collect();
    let mut programs = Programs::new();
    let mut warnings = Messages::new(["warning", "warnings"], context.verbose);
    for task in data.tasks() {
        let Some(demos) = known.get(&task.id) else { continue };
        if Judge::new(task).demos() != demos {
            warnings.tell(format_args!(
                "warning: the archive's task {} has other demos; its programs are not used",
                task.id
            ));
            continue;
        }
        let best = archive.best(&task.id, args.best).map_err(failure::archive)?;
        let read = best.iter().map(|kept| Ok(kept.canonical()?.program().clone()));
        let read: Result<Vec<Program>, _> = read.collect();
        programs.insert(task.id.clone(), read.map_err(failure::archive)?);
    }
    Ok(programs)
}

/// Programs run on the task that they name, or on every task if they name none.
fn of_files(args: &SubmitArgs, library: &Library, data: &Dataset) -> Programs {
    let ranked = |task: &Task| {
        let judge = Judge::new(task);
        let entries = library.entries.iter();
        let asked = entries.filter(|e| e.task.as_ref().is_none_or(|named| *named == task.id));
        let mut ranked: Vec<_> = asked
            .map(|entry| {
                let canonical = Canonical::of(&entry.program);
                let judged = judge.judge(canonical.program());
                let best = std::cmp::Reverse((judged.exact(), judged.score()));
                ((best, judged.cost(), canonical.hash()), canonical)
            })
            .collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        ranked.dedup_by(|a, b| a.0 == b.0);
        ranked.truncate(args.best as usize);
        let programs = ranked.into_iter().map(|(_, canonical)| canonical.program().clone());
        (task.id.clone(), programs.collect())
    };
    data.tasks().par_iter().map(ranked).collect()
}
