//! `batt bench python`: the public Python DSL against ours.

use std::collections::HashMap;
use std::io::Write;
use std::time::Instant;

use batt::run::bench::Machine;
use batt::run::bench::python::{self, Child, Comparison, Pair, PythonError};
use batt::run::tasks::Task;
use serde_json::json;

use crate::cli::BenchPython;
use crate::commands::{choose_engine, load_tasks, read_library};
use crate::context::{Context, Verdict};
use crate::failure::Failure;

/// Measures both sides and reports.
pub fn run(asked: &BenchPython, context: &mut Context) -> anyhow::Result<Verdict> {
    let engine = choose_engine(asked.engine)?;
    let child = Child { python: asked.python.clone(), folder: asked.arc_dsl.clone() };
    let solvers = child.solvers().map_err(failure)?;
    let started = Instant::now();
    let library = read_library(&[solvers], context)?;
    let parse_s = started.elapsed().as_secs_f64();
    let (_, data) = load_tasks(&asked.tasks)?;
    let tasks: HashMap<&str, &Task> =
        data.tasks().iter().map(|task| (task.id.as_str(), task)).collect();
    let pairs: Vec<Pair> = library
        .entries
        .iter()
        .filter_map(|entry| {
            let task = tasks.get(entry.task.as_deref()?)?;
            Some(Pair { program: &entry.program, task })
        })
        .collect();
    let found = python::compare(&child, &pairs, &*engine, usize::from(asked.repeats));
    let found = found.map_err(failure)?;
    if asked.json {
        let mut report = serde_json::to_value(&found)?;
        report["schema"] = json!(1);
        report["bench"] = json!("python");
        report["engine"] = json!(engine.name());
        report["parse_s"] = json!(parse_s);
        report["repeats"] = json!(asked.repeats);
        report["machine"] = json!(Machine::here());
        report["command"] = json!(command(asked));
        serde_json::to_writer_pretty(&mut *context, &report)?;
        writeln!(context)?;
    } else {
        print(&found, parse_s, asked, engine.name(), context)?;
    }
    Ok(Verdict::Good)
}

fn failure(error: PythonError) -> anyhow::Error {
    let hint = match &error {
        PythonError::Missing(_) => {
            "--arc-dsl names a checkout of the public DSL: a folder with dsl.py and solvers.py"
        }
        PythonError::NoPython { .. } => "install Python 3, or name one with --python",
        PythonError::Failed(_) => "the folder's solvers.py must import with this Python",
        PythonError::Nothing => "--tasks arc1:train has the tasks of the public programs",
        PythonError::Write(_) | PythonError::NoThread => return error.into(),
    };
    Failure::error(error.to_string(), hint)
}

/// The command that does the same again.
fn command(asked: &BenchPython) -> String {
    let mut words = vec![format!("batt bench python --arc-dsl {}", asked.arc_dsl.display())];
    words.extend(asked.tasks.tasks.iter().map(|tasks| format!("--tasks {tasks}")));
    words.extend(asked.tasks.only.iter().map(|task| format!("--task {task}")));
    words.push(format!("--repeats {}", asked.repeats));
    words.join(" ")
}

fn print(
    found: &Comparison,
    parse_s: f64,
    asked: &BenchPython,
    engine: &str,
    context: &mut Context,
) -> anyhow::Result<()> {
    let style = context.style;
    let head = format!("{:<22} {:>12} {:>12} {:>9}", "", "all", "but slowest", "wrong");
    writeln!(context, "{}", style.bold(&head))?;
    let slow = &found.programs[0];
    let name = format!("batt, {engine}");
    let rows = [
        ("Python", found.python_cpu_s, slow.python_s, Some(found.python_wrong)),
        ("batt, reference", found.reference_cpu_s, slow.reference_s, None),
        (&name, found.batt_cpu_s, slow.batt_s, Some(found.batt_wrong)),
    ];
    for (what, all, slowest, wrong) in rows {
        let wrong = wrong.map_or(String::new(), |wrong| wrong.to_string());
        let (all, rest) = (all * 1e3, (all - slowest) * 1e3);
        writeln!(context, "{what:<22} {all:>9.2} ms {rest:>9.2} ms {wrong:>9}")?;
    }
    let (all, rest) = (found.ratio, found.ratio_without_slowest);
    writeln!(context, "{:<22} {all:>11.1}× {rest:>11.1}×", "faster than Python")?;
    let (all, rest) = (found.ratio_to_reference, found.ratio_to_reference_without_slowest);
    writeln!(context, "{:<22} {all:>11.1}× {rest:>11.1}×", "than the reference")?;
    let (batt, python) = (slow.batt_s * 1e3, slow.python_s * 1e3);
    writeln!(
        context,
        "\nslowest  {}: Python {python:.2} ms, batt {batt:.2} ms, {:.1}×",
        found.slowest,
        slow.python_s / slow.batt_s.max(1e-9)
    )?;
    writeln!(
        context,
        "apart    read in {:.2} ms, dealt in {:.2} ms, engine readied in {:.2} ms",
        parse_s * 1e3,
        found.compile_s * 1e3,
        found.load_s * 1e3
    )?;
    writeln!(
        context,
        "handed   {} of {} results back to the interpreter ({:.2} %)",
        found.handed_back,
        found.samples,
        found.fallback_share * 100.0
    )?;
    writeln!(
        context,
        "\n{} programs on {} examples of their tasks; CPU time, one thread; batt: medians of {}",
        found.program_count, found.samples, asked.repeats
    )?;
    let machine = Machine::here();
    writeln!(
        context,
        "machine  {}, {} cores, Python {}",
        machine.cpu, machine.cores, found.python_version
    )?;
    writeln!(context, "again    {}", command(asked))?;
    Ok(())
}
