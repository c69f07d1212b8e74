//! `batt show`: tasks drawn, and what programs make of them.

pub mod steps;

use std::io::Write;
use std::path::Path;

use batt::run::reference::eval::{self, Trouble};
use batt::run::run::library::{Entry, Library};
use batt::run::run::outcome::{SampleId, Samples};
use batt::run::tasks::{Dataset, Example, Grid, Task};

use super::{embedded_programs, load_tasks, policy_for, tell_notes, tell_problems};
use crate::cli::ShowArgs;
use crate::context::{Context, Verdict};
use crate::draw::{self, Block};
use crate::failure::{self, Failure};

/// Draws what is named.
pub fn run(args: &ShowArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    context.style.digits = args.digits;
    let (_, data) = load_tasks(&args.tasks)?;
    let (mut tasks, mut programs) = (Vec::new(), Library::default());
    for what in &args.what {
        resolve(what, &data, &mut tasks, &mut programs, context.errors_in_color())?;
    }
    tell_problems(&programs.problems, context);
    tell_notes(&programs.notes, context);
    if args.what.is_empty() && args.tasks.only.is_empty() {
        list(&data, context)?;
        return Ok(Verdict::Good);
    }
    if args.what.is_empty() {
        tasks = data.tasks().iter().collect();
    }
    if args.trace && programs.entries.is_empty() {
        add_solvers(&tasks, &mut programs)?;
    }
    if programs.entries.is_empty() {
        if !programs.problems.is_empty() {
            return Err(Failure::error(
                "no program could be read",
                "`batt run --help` shows the forms a program may have",
            ));
        }
        for task in &tasks {
            draw_task(task, args.sample.as_deref(), context)?;
        }
        return Ok(Verdict::Good);
    }
    let good = programs_on_tasks(args, &programs, &tasks, &data, context)?;
    Ok(Verdict::good_if(good && programs.problems.is_empty()))
}

/// Finds out whether a word is a file of programs, a task or a built-in program.
fn resolve<'a>(
    what: &str,
    data: &'a Dataset,
    tasks: &mut Vec<&'a Task>,
    programs: &mut Library,
    color: bool,
) -> anyhow::Result<()> {
    if Path::new(what).exists() {
        let read = Library::read(&[what], color).map_err(failure::library)?;
        programs.entries.extend(read.entries);
        programs.problems.extend(read.problems);
        programs.notes.extend(read.notes);
        return Ok(());
    }
    let error = match data.find(what) {
        Ok(task) => {
            tasks.push(task);
            return Ok(());
        }
        Err(error) => error,
    };
    let built_in = embedded_programs();
    let found: Vec<Entry> = built_in.entries.into_iter().filter(|e| e.id == what).collect();
    if found.is_empty() {
        let hint = error.hint().unwrap_or_else(|| {
            "name a task (`batt show` lists them), a file of programs or a built-in program; \
             --tasks chooses another data set"
                .to_string()
        });
        return Err(Failure::error(format!("{error}, and no file is called that"), hint));
    }
    programs.entries.extend(found);
    Ok(())
}

/// Built-in programs for tasks that are to be traced.
fn add_solvers(tasks: &[&Task], programs: &mut Library) -> anyhow::Result<()> {
    let named = |entry: &Entry| tasks.iter().any(|t| Some(t.id.as_str()) == entry.task.as_deref());
    programs.entries.extend(embedded_programs().entries.into_iter().filter(named));
    if programs.entries.is_empty() {
        return Err(Failure::error(
            "there is no program to trace",
            "name a file of programs: `batt show TASK FILE.py --trace`",
        ));
    }
    Ok(())
}

fn programs_on_tasks(
    args: &ShowArgs,
    programs: &Library,
    tasks: &[&Task],
    data: &Dataset,
    context: &mut Context,
) -> anyhow::Result<bool> {
    let (mut good, mut shown) = (true, 0);
    for entry in &programs.entries {
        let own: Vec<&Task> = match (tasks, entry.task.as_deref()) {
            ([], Some(id)) => data.get(id).into_iter().collect(),
            ([], None) => Vec::new(),
            // A file of many programs, and tasks: those that are meant for them.
            (tasks, Some(id)) if tasks.iter().any(|t| t.id == id) => {
                tasks.iter().copied().filter(|t| t.id == id).collect()
            }
            (_, Some(_)) if programs.entries.len() > 1 => Vec::new(),
            (tasks, _) => tasks.to_vec(),
        };
        for task in own {
            good &= draw_program(args, entry, task, context)?;
            shown += 1;
        }
    }
    if shown == 0 {
        return Err(Failure::error(
            format!("no program here names a task of the data set {}", data.name),
            "name the task too, or choose another data set with --tasks",
        ));
    }
    Ok(good)
}

fn list(data: &Dataset, context: &mut Context) -> anyhow::Result<()> {
    let width = data.tasks().iter().map(|t| t.id.chars().count()).max().unwrap_or(0);
    for task in data.tasks() {
        let (demos, tests) = (task.demos.len(), task.tests.len());
        let count = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
        let (demos, tests) = (count(demos, "demo"), count(tests, "test"));
        writeln!(context, "{:<width$}  {demos}, {tests}", task.id)?;
    }
    writeln!(context, "\n`batt show TASK` draws one, `batt show TASK --trace` how it is solved")?;
    Ok(())
}

/// The samples of a task, or the one that is asked for.
fn samples<'a>(
    task: &'a Task,
    wanted: Option<&str>,
) -> anyhow::Result<Vec<(SampleId, &'a Example)>> {
    let demos = task.demos.iter().enumerate().map(|(n, e)| (SampleId::Demo(n), e));
    let tests = task.tests.iter().enumerate().map(|(n, e)| (SampleId::Test(n), e));
    let all: Vec<_> = demos.chain(tests).collect();
    let Some(wanted) = wanted else { return Ok(all) };
    let number: Option<usize> = wanted.parse().ok();
    let found = all
        .iter()
        .enumerate()
        .find(|(at, (id, _))| number == Some(*at) || id.to_string() == wanted);
    if let Some((_, sample)) = found {
        return Ok(vec![*sample]);
    }
    let have: Vec<String> = all.iter().map(|(id, _)| id.to_string()).collect();
    Err(Failure::error(
        format!("{} has no sample {wanted}", task.id),
        format!("it has {}; a number counts demos first", have.join(", ")),
    ))
}

fn draw_task(task: &Task, wanted: Option<&str>, context: &mut Context) -> anyhow::Result<()> {
    let style = context.style;
    writeln!(context, "{}", style.bold(&format!("task {}", task.id)))?;
    for (id, example) in samples(task, wanted)? {
        let mut blocks = vec![picture(context, &format!("{id} input"), &example.input)];
        match &example.output {
            Some(output) => blocks.push(picture(context, "output", output)),
            None => blocks.push(Block::new("output unknown")),
        }
        writeln!(context, "\n{}", draw::beside(&blocks, style.width).trim_end())?;
    }
    writeln!(context)?;
    Ok(())
}

fn picture(context: &Context, label: &str, grid: &Grid) -> Block {
    let label = format!("{label} {}x{}", grid.height(), grid.width());
    draw::grid(&context.style, &label, &rows(grid))
}

fn rows(grid: &Grid) -> Vec<Vec<i32>> {
    grid.rows().map(|row| row.iter().map(|c| i32::from(*c)).collect()).collect()
}

/// Draws a program's outputs on a task; says whether all are as expected.
fn draw_program(
    args: &ShowArgs,
    entry: &Entry,
    task: &Task,
    context: &mut Context,
) -> anyhow::Result<bool> {
    let style = context.style;
    let prepared = Samples::of(task);
    let mut good = true;
    let head = format!("{} on task {}", entry.id, task.id);
    writeln!(
        context,
        "{} {}",
        style.bold(&head),
        style.dim(&format!("({}:{})", entry.file, entry.program.line))
    )?;
    for (id, example) in samples(task, args.sample.as_deref())? {
        let Some(inputs) = prepared.inputs(id) else { continue };
        let result = eval::run(&entry.program, &inputs, policy_for(args.on_error, entry.tries));
        let solved = match (&example.output, &result) {
            (Some(expected), Ok(value)) => Some(*value == expected.to_value()),
            (_, Err(_)) => Some(false),
            (None, Ok(_)) => None,
        };
        good &= solved != Some(false);
        let word = match solved {
            Some(true) => style.good("solved"),
            Some(false) => style.bad("not solved"),
            None => "output unknown".to_string(),
        };
        writeln!(context, "\n{} {word}", style.bold(&id.to_string()))?;
        if args.trace {
            steps::draw(&entry.program, &inputs, policy_for(args.on_error, entry.tries), context)?;
        }
        let mut blocks = vec![picture(context, "input", &example.input)];
        if let Some(expected) = &example.output {
            blocks.push(picture(context, "expected", expected));
        }
        blocks.extend(output(context, example.output.as_ref(), &result));
        writeln!(context, "{}", draw::beside(&blocks, style.width).trim_end())?;
    }
    writeln!(context)?;
    Ok(good)
}

/// What a program gave: a grid with the differences marked, another value, or an error.
fn output(
    context: &Context,
    expected: Option<&Grid>,
    result: &Result<batt::lang::Value, Trouble>,
) -> Vec<Block> {
    let style = &context.style;
    match result {
        Err(trouble) => {
            let mut block = Block::new("output");
            block.text(&format!("error at line {}\n{}", trouble.line, trouble.fault), 48);
            vec![block]
        }
        Ok(value) => match (value.grid_rows(), expected) {
            (Some(got), Some(expected)) => {
                let label = format!("output {}x{}", got.len(), got[0].len());
                vec![draw::compared(style, &label, &got, &rows(expected))]
            }
            (Some(got), None) => {
                let label = format!("output {}x{}", got.len(), got[0].len());
                vec![draw::grid(style, &label, &got)]
            }
            (None, _) => draw::value(style, "output (no grid)", value, None),
        },
    }
}
