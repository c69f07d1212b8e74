//! `batt score`: what a submission is worth.

use std::fs;
use std::io::Write;
use std::path::Path;

use batt::evolve::submission::file::{self, FileError};
use batt::evolve::submission::score::{Scored, Tops, score};
use batt::evolve::submission::{Solutions, Submission};
use batt::run::tasks::Task;

use super::load_tasks;
use crate::cli::ScoreArgs;
use crate::context::{Context, Verdict};
use crate::failure::Failure;
use crate::tell::tell;

/// Scores a submission.
pub fn run(args: &ScoreArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    let submission: Submission = read(&args.submission, file::read)?;
    let solutions = match &args.solutions {
        Some(path) => read(path, file::read_solutions)?,
        None => known(load_tasks(&args.tasks)?.1.tasks()),
    };
    let name = args.submission.display();
    let scored = score(&submission, &solutions).map_err(|why| {
        Failure::error(format!("{name}: {why}"), "--tasks or --solutions names the data it is for")
    })?;
    if scored.outputs.top1.total == 0 {
        let message = format!("{name}: nothing to score: no solution is known");
        return Err(Failure::error(message, "--tasks or --solutions names data with outputs"));
    }
    if args.json {
        let mut all = serde_json::to_value(&scored)?;
        all["schema"] = 1.into();
        serde_json::to_writer_pretty(&mut *context, &all)?;
        writeln!(context)?;
    } else {
        print(&scored, args.all, context)?;
    }
    if scored.missing > 0 {
        tell!("warning: {} outputs have no attempt and count as wrong", scored.missing);
    }
    if scored.unknown > 0 {
        tell!("warning: {} outputs have no known solution and do not count", scored.unknown);
    }
    Ok(Verdict::Good)
}

/// The known outputs of tasks.
fn known(tasks: &[Task]) -> Solutions {
    let outputs = |task: &Task| task.tests.iter().map(|test| test.output.clone()).collect();
    tasks.iter().map(|task| (task.id.clone(), outputs(task))).collect()
}

fn read<T>(path: &Path, parse: fn(&str) -> Result<T, FileError>) -> anyhow::Result<T> {
    let name = path.display();
    let bytes = fs::read(path).map_err(|error| {
        Failure::error(format!("{name}: {error}"), "`batt submit` writes submission.json")
    })?;
    let hint = "`batt score --help` shows the forms a submission may have";
    let text = String::from_utf8(bytes)
        .map_err(|_| Failure::error(format!("{name}: this is not UTF-8 text"), hint))?;
    parse(&text)
        .map_err(|error| Failure::error(format!("{name}:{}: {}", error.line, error.why), hint))
}

fn print(scored: &Scored, all: bool, context: &mut Context) -> anyhow::Result<()> {
    if all {
        for task in &scored.by_task {
            let outputs: Vec<String> = task
                .outputs
                .iter()
                .map(|first| first.map_or("wrong".to_string(), |n| format!("attempt {n}")))
                .collect();
            writeln!(context, "{:<16} {}", task.task, outputs.join(", "))?;
        }
        writeln!(context)?;
    }
    writeln!(context, "{:<8} {:>20} {:>20} {:>20}", "", "top-1", "top-2", "top-3")?;
    for (name, Tops { top1, top2, top3 }) in [("outputs", scored.outputs), ("tasks", scored.tasks)]
    {
        let cells = [top1, top2, top3]
            .map(|share| format!("{}/{} {:>6.2} %", share.right, share.total, share.percent()));
        let [one, two, three] = cells;
        writeln!(context, "{name:<8} {one:>20} {two:>20} {three:>20}")?;
    }
    Ok(())
}
