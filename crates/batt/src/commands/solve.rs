//! `batt solve`: tasks answered that nobody wrote a program for.

use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use batt::evolve::submission::choose::fill;
use batt::evolve::submission::{Submission, file};
use batt::lang::text;
use batt::run::stop::{NEVER, Watcher};
use batt::run::tasks::{Grid, Task};
use batt::solve::{Answer, Attempt, Config, Prepared, Solver};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde_json::json;

use super::{device_or_cpu, load_tasks};
use crate::cli::SolveArgs;
use crate::context::{Context, Verdict};
use crate::draw::{self, Block};
use crate::output::{self, Outputs};
use crate::signals::{self, STOP};
use crate::tell::{Messages, tell};

/// Enough for the deepest nesting that the limits let a value have.
const STACK: usize = 256 << 20;
/// The option that names the submission.
const OUTPUT: &str = "--output";
/// The option that names the programs.
const PROGRAMS: &str = "--programs";

/// Solves tasks.
pub fn run(args: &SolveArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    let to_stdout = Outputs::default()
        .file(OUTPUT, args.output.as_deref())
        .file(PROGRAMS, args.programs.as_deref())
        .report("--json", args.json)
        .reads_tasks(&args.tasks)
        .check()?;
    signals::watch("writing what was found so far");
    let started = Instant::now();
    let (_, data) = load_tasks(&args.tasks)?;
    let tasks: Vec<&Task> = data.tasks().iter().filter(|task| !task.tests.is_empty()).collect();
    let engine = device_or_cpu(args.device.device.as_deref().unwrap_or("cpu"), args.device.memory)?;
    let prepared = Prepared::new().map_err(anyhow::Error::msg)?;
    let solver = Solver::new(&prepared, &*engine, &NEVER);
    let deadline = args.max_seconds.map(|seconds| started + Duration::from_secs(seconds));
    let watcher = Watcher::new(Some(&STOP), deadline);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(args.threads.map_or(0, usize::from))
        .stack_size(STACK)
        .build()?;
    let progress = Progress::new(tasks.len());
    let count = usize::from(args.attempts);
    let config = Config { attempts: count, ..Config::default() };
    let one = |task: &&Task| {
        // A task that is begun is finished: half an answer would depend on the clock.
        let answer = (!watcher.stop().fired()).then(|| solver.solve(task, &config));
        progress.add(answer.as_ref());
        answer
    };
    let answers: Vec<Option<Answer>> = pool.install(|| tasks.par_iter().map(one).collect());
    progress.end();
    let solved = Solved { tasks, answers, count };
    solved.tell_refused(context);
    if let Some(path) = &args.programs {
        output::write(PROGRAMS, path, solved.programs().as_bytes(), context)?;
    }
    if let Some(path) = &args.output {
        output::write(OUTPUT, path, file::write(&solved.submission()).as_bytes(), context)?;
    }
    let seconds = started.elapsed().as_secs_f64();
    if args.json {
        writeln!(context, "{:#}", solved.json(seconds))?;
    } else if !to_stdout {
        if args.explain {
            solved.explain(context)?;
        }
        solved.report(args, seconds, context)?;
    }
    let cut = solved.answers.iter().filter(|answer| answer.is_none()).count();
    if cut > 0 {
        let why = if STOP.load(Ordering::Relaxed) { "interrupted" } else { "the time was up" };
        tell!("warning: {why}; {cut} tasks were not begun");
    }
    if STOP.load(Ordering::Relaxed) {
        return Ok(Verdict::Interrupted);
    }
    Ok(Verdict::good_if(solved.tasks_with_attempts() == solved.tasks.len()))
}

/// How many tasks are done, and how many of them have an attempt.
struct Progress {
    bar: ProgressBar,
    answered: AtomicUsize,
}

impl Progress {
    fn new(tasks: usize) -> Progress {
        let bar = ProgressBar::new(tasks as u64);
        let form = "solving {bar:30} {pos}/{len} tasks, {msg}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(form) {
            bar.set_style(style);
        }
        bar.set_message("0 answered");
        Progress { bar, answered: AtomicUsize::new(0) }
    }

    fn add(&self, answer: Option<&Answer>) {
        if answer.is_some_and(|answer| !answer.attempts.is_empty()) {
            let answered = self.answered.fetch_add(1, Ordering::Relaxed) + 1;
            self.bar.set_message(format!("{answered} answered"));
        }
        self.bar.inc(1);
    }

    fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// Tasks and what was found for them.
struct Solved<'a> {
    tasks: Vec<&'a Task>,
    /// By task; none where it was not begun.
    answers: Vec<Option<Answer>>,
    /// How many attempts are asked for.
    count: usize,
}

impl Solved<'_> {
    /// Every task with its attempts.
    fn each(&self) -> impl Iterator<Item = (&Task, &[Attempt])> {
        self.tasks.iter().zip(&self.answers).map(|(task, answer)| {
            (*task, answer.as_ref().map_or(&[][..], |answer| &answer.attempts[..]))
        })
    }

    fn tasks_with_attempts(&self) -> usize {
        self.each().filter(|(_, attempts)| !attempts.is_empty()).count()
    }

    /// How many tasks whose tests are known have a right attempt for all of them, and how many are known.
    fn right(&self) -> (usize, usize) {
        let known = self.each().filter(|(task, _)| task.tests.iter().all(|t| t.output.is_some()));
        let right = |(task, attempts): &(&Task, &[Attempt])| {
            let mut tests = task.tests.iter().enumerate();
            tests.all(|(at, test)| {
                attempts.iter().any(|attempt| attempt.outputs.get(at) == test.output.as_ref())
            })
        };
        known.fold((0, 0), |(rights, all), of| (rights + usize::from(right(&of)), all + 1))
    }

    fn submission(&self) -> Submission {
        let tests = |(task, attempts): (&Task, &[Attempt])| {
            let one = |(at, input): (usize, &Grid)| {
                let outputs =
                    attempts.iter().filter_map(|attempt| attempt.outputs.get(at).cloned());
                fill(outputs, input, self.count).attempts
            };
            let inputs = task.tests.iter().map(|test| &test.input);
            (task.id.clone(), inputs.enumerate().map(one).collect())
        };
        self.each().map(tests).collect()
    }

    /// The programs as one file: `solve_<task>`, the best of each task first.
    fn programs(&self) -> String {
        let mut text = String::new();
        for (task, attempts) in self.each() {
            for (at, attempt) in attempts.iter().enumerate() {
                let mut program = attempt.program.clone();
                if at > 0 {
                    program.name = format!("solve_{}__{}", task.id, at + 1);
                }
                let _ = writeln!(text, "# {}", attempt.how);
                let _ = writeln!(text, "{}", text::print(&program));
            }
        }
        text
    }

    fn tell_refused(&self, context: &Context) {
        let mut warnings = Messages::new(["warning", "warnings"], context.verbose);
        for (task, answer) in self.tasks.iter().zip(self.answers.iter().flatten()) {
            for why in &answer.refused {
                warnings.tell(format_args!(
                    "warning: {}: the interpreter refused a rule: {why}",
                    task.id
                ));
            }
        }
    }

    fn json(&self, seconds: f64) -> serde_json::Value {
        let task = |(task, attempts): (&Task, &[Attempt])| {
            let attempt = |attempt: &Attempt| {
                json!({
                    "how": attempt.how, "trust": attempt.trust, "program": text::print(&attempt.program),
                })
            };
            let attempts: Vec<_> = attempts.iter().map(attempt).collect();
            json!({"task": task.id, "attempts": attempts})
        };
        let (right, known) = self.right();
        json!({
            "schema": 1, "tasks": self.tasks.len(), "tasks_with_attempts": self.tasks_with_attempts(),
            "tasks_known": known, "tasks_right": right, "seconds": seconds,
            "answers": self.each().map(task).collect::<Vec<_>>(),
        })
    }

    fn explain(&self, context: &mut Context) -> anyhow::Result<()> {
        for (task, attempts) in self.each() {
            let style = context.style;
            writeln!(context, "{}", style.bold(&format!("task {}", task.id)))?;
            if attempts.is_empty() {
                writeln!(context, "no rule is right on all demos\n")?;
            }
            for (at, attempt) in attempts.iter().enumerate() {
                let trust = (100.0 * attempt.trust).round();
                writeln!(context, "attempt {}: {}, trusted {trust} %\n", at + 1, attempt.how)?;
                writeln!(context, "{}", text::print(&attempt.program))?;
                for (test, output) in task.tests.iter().zip(&attempt.outputs) {
                    let blocks = [
                        picture(context, "test input", &test.input),
                        picture(context, "output", output),
                    ];
                    writeln!(context, "{}\n", draw::beside(&blocks, style.width).trim_end())?;
                }
            }
        }
        Ok(())
    }

    fn report(&self, args: &SolveArgs, seconds: f64, context: &mut Context) -> anyhow::Result<()> {
        let (tasks, with) = (self.tasks.len(), self.tasks_with_attempts());
        writeln!(context, "{with} of {tasks} tasks have an attempt by a program, {seconds:.1} s")?;
        let (right, known) = self.right();
        if known > 0 {
            let attempts = if self.count == 1 {
                "one attempt".to_string()
            } else {
                format!("{} attempts", self.count)
            };
            writeln!(
                context,
                "  {right} of {known} tasks whose outputs are known are right with {attempts}"
            )?;
        }
        let wrote = |path: &Path| format!("wrote {}", path.display());
        for path in [&args.output, &args.programs].into_iter().flatten() {
            writeln!(context, "  {}", wrote(path))?;
        }
        let data =
            args.tasks.tasks.as_deref().map_or(String::new(), |tasks| format!(" --tasks {tasks}"));
        match (&args.programs, &args.output) {
            (Some(programs), _) => {
                writeln!(context, "next: batt run {}{data}", programs.display())?;
            }
            (None, Some(output)) => {
                writeln!(context, "next: batt score {}{data}", output.display())?;
            }
            (None, None) => {
                writeln!(context, "next: batt solve{data} -o submission.json --programs found.py")?;
            }
        }
        Ok(())
    }
}

fn picture(context: &Context, label: &str, grid: &Grid) -> Block {
    let rows = grid.rows().map(|row| row.iter().map(|c| i32::from(*c)).collect());
    let rows: Vec<Vec<i32>> = rows.collect();
    draw::grid(&context.style, &format!("{label} {}x{}", grid.height(), grid.width()), &rows)
}
