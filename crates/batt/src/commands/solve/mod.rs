//! `batt solve`: tasks answered that nobody wrote a program for.

mod how;
mod keep;
mod learn;
mod library;
mod progress;
mod report;

use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use batt::evolve::submission::file;
use batt::run::stop::{NEVER, Stop, Watcher};
use batt::run::tasks::Task;
use batt::solve::enumerate::costs::Costs;
use batt::solve::part::DEFAULT_MEMORY;
use batt::solve::{Answer, Config, Part, Prepared, Solver};

use super::{device_or_cpu, load_tasks};
use crate::cli::SolveArgs;
use crate::context::{Context, Verdict};
use crate::failure::Failure;
use crate::output::{self, Outputs};
use crate::signals::{self, STOP};
use crate::tell::tell;
use keep::{Entry, Keeper, Key};
use library::Library;
use progress::Progress;
use report::Solved;

/// Enough for the deepest nesting that the limits let a value have.
const STACK: usize = 256 << 20;
/// The option that names the submission.
const OUTPUT: &str = "--output";
/// The option that names the programs.
const PROGRAMS: &str = "--programs";
/// The option that names the library.
const LIBRARY: &str = "--library";

/// Solves tasks.
pub fn run(args: &SolveArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    if let Some(path) = &args.learn_costs {
        return learn::run(args, path, context);
    }
    let to_stdout = outputs(args).check()?;
    signals::watch("writing what was found so far");
    let started = Instant::now();
    let (_, data) = load_tasks(&args.tasks)?;
    let tasks: Vec<&Task> = data.tasks().iter().filter(|task| !task.tests.is_empty()).collect();
    check_explained(args, &tasks)?;
    let library = args.library.as_deref().map(Library::read).transpose()?;
    let costs = args.costs.as_deref().map(learn::read).transpose()?;
    let mut prepared = Prepared::new().map_err(anyhow::Error::msg)?;
    if let Some(costs) = &costs {
        let hint = "`batt solve --learn-costs FILE` writes a table with all operations";
        prepared.set_costs(costs).map_err(|what| Failure::error(what, hint))?;
    }
    let engine = device_or_cpu(&args.device, args.gpu)?;
    let config = Config {
        attempts: usize::from(args.attempts),
        parts: if args.parts.is_empty() { Part::ALL.to_vec() } else { args.parts.clone() },
        budget: args.budget,
        memory: args.memory.map_or(DEFAULT_MEMORY, |bytes| bytes.min(DEFAULT_MEMORY)),
        seed: args.seed,
    };
    let kept = args.archive.as_deref().map(|place| {
        let (config, tasks, device) = (&config, &tasks[..], engine.name());
        let data = data.hash.to_string();
        let pause = Duration::from_secs_f64(args.checkpoint_seconds);
        let costs = costs.as_ref().map(Costs::text);
        Keeper::open(&Key { place, config, costs, data, tasks, device, pause }, args.resume)
    });
    let (keeper, known) = kept.transpose()?.unzip();
    let solver = Solver::new(&prepared, &*engine, &NEVER);
    let deadline = args.max_seconds.map(|seconds| started + Duration::from_secs(seconds));
    let watcher = Watcher::new(Some(&STOP), deadline);
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(threads(args)).stack_size(STACK).build()?;
    let work = Work {
        solver: &solver,
        config: &config,
        tasks: &tasks,
        stop: watcher.stop(),
        progress: Progress::new(tasks.len()),
        keeper: keeper.map(Mutex::new),
    };
    let answers = work.all(&pool, known.unwrap_or_default());
    work.progress.end();
    let run = work
        .keeper
        .map(|keeper| keeper.into_inner().unwrap_or_else(PoisonError::into_inner).finish());
    let solved = Solved { tasks, answers, config: &config };
    solved.tell_refused(context);
    if let Some(path) = &args.programs {
        output::write(PROGRAMS, path, solved.programs().as_bytes(), context)?;
    }
    if let Some(path) = &args.output {
        output::write(OUTPUT, path, file::write(&solved.submission()).as_bytes(), context)?;
    }
    let mut grown = None;
    if let Some((path, mut library)) = args.library.as_deref().zip(library) {
        let new = library.grow(&solved);
        let tasks = args.tasks.tasks.as_deref();
        let text = library.text(&tasks.map_or(String::new(), |tasks| format!(" --tasks {tasks}")));
        output::write(LIBRARY, path, text.as_bytes(), context)?;
        grown = Some((new, library.len()));
    }
    let seconds = started.elapsed().as_secs_f64();
    if args.json {
        writeln!(context, "{:#}", solved.json(seconds))?;
    } else if !to_stdout {
        if let Some(only) = args.explain.as_deref() {
            solved.explain(Some(only).filter(|id| !id.is_empty()), context)?;
        }
        solved.report(args, seconds, grown, context)?;
    }
    let cut = solved.answers.iter().filter(|answer| answer.is_none()).count();
    let interrupted = STOP.load(Ordering::Relaxed);
    if cut > 0 {
        let why = if interrupted { "interrupted" } else { "the time was up" };
        let next = if run.is_some() { "; --resume goes on" } else { "" };
        tell!("warning: {why}; {cut} tasks were not begun{next}");
    }
    run.transpose()?;
    if interrupted {
        return Ok(Verdict::Interrupted);
    }
    Ok(Verdict::good_if(solved.tasks_with_attempts() == solved.tasks.len()))
}

/// What is written, and what is read.
fn outputs(args: &SolveArgs) -> Outputs {
    let outputs = Outputs::default()
        .file(OUTPUT, args.output.as_deref())
        .file(PROGRAMS, args.programs.as_deref())
        .file(LIBRARY, args.library.as_deref())
        .report("--json", args.json)
        .reads_tasks(&args.tasks);
    match &args.archive {
        Some(archive) => outputs.reads_archive_at(archive),
        None => outputs,
    }
}

/// Checks that the task that is to be explained is there.
fn check_explained(args: &SolveArgs, tasks: &[&Task]) -> anyhow::Result<()> {
    match args.explain.as_deref() {
        Some(id) if !id.is_empty() && !tasks.iter().any(|task| task.id == id) => {
            Err(Failure::error(
                format!("--explain names the task {id}, which is not among those that are solved"),
                "--tasks and --task say which tasks are",
            ))
        }
        _ => Ok(()),
    }
}

/// As many threads as are asked for and as there is memory for.
fn threads(args: &SolveArgs) -> usize {
    let asked = args
        .threads
        .map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    args.memory.map_or(asked, |bytes| asked.min((bytes / DEFAULT_MEMORY).max(1)))
}

/// What the threads share.
struct Work<'a> {
    solver: &'a Solver<'a>,
    config: &'a Config,
    tasks: &'a [&'a Task],
    stop: &'a Stop,
    progress: Progress,
    keeper: Option<Mutex<Keeper>>,
}

impl Work<'_> {
    /// Answers all tasks after those that are known, in their order: each thread takes the next one.
    fn all(&self, pool: &rayon::ThreadPool, known: Vec<Answer>) -> Vec<Option<Answer>> {
        let next = AtomicUsize::new(known.len());
        for answer in &known {
            self.progress.add(answer);
        }
        let solved = pool.broadcast(|_| {
            let mut solved = Vec::new();
            // A task that is begun is finished: half an answer would depend on the clock.
            while !self.stop.fired() {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(task) = self.tasks.get(at) else { break };
                let answer = self.solver.solve(task, self.config);
                if let Some(keeper) = &self.keeper {
                    let entry = Entry::new(task, &answer);
                    keeper.lock().unwrap_or_else(PoisonError::into_inner).add(at, entry);
                }
                self.progress.add(&answer);
                solved.push((at, answer));
            }
            solved
        });
        let mut answers: Vec<Option<Answer>> = known.into_iter().map(Some).collect();
        answers.resize_with(self.tasks.len(), || None);
        for (at, answer) in solved.into_iter().flatten() {
            answers[at] = Some(answer);
        }
        answers
    }
}
