//! `batt run`: programs on tasks.

use std::collections::HashSet;
use std::io::Write;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use batt::lang::program::{Callee, Expr};
use batt::lang::{Guard, Op, Program};
use batt::run::engine::Engine;
use batt::run::reference::eval::Policy;
use batt::run::run::library::{Entry, Library};
use batt::run::run::matrix::matrix;
use batt::run::run::plan::Plan;
use batt::run::run::report::{self, Data, Fallback, Report, ReportProblem, SCHEMA, Scoring, Shape};
use batt::run::run::scores::Diff;
use batt::run::run::{self as runs, Finished, Options, RunError};
use batt::run::stop::{Stop, Watcher};
use batt::run::tasks::{self, Dataset};
use serde_json::json;

use super::progress::Bar;
use super::{engine_or_cpu, load_tasks, notes, policy_for, read_any, tell_policy, tell_problems};
use crate::cli::{DiffWhen, RunArgs};
use crate::commands::table;
use crate::context::{Context, Verdict};
use crate::failure::{self, Failure};
use crate::output::{self, Outputs};
use crate::signals::{self, STOP};
use crate::tell::tell;

/// The option that names the file of records.
const RECORDS: &str = "--records";
/// The differs that are part of the binary.
const BUILTIN: &str = "builtin";

/// Runs programs and reports.
pub fn run(args: &RunArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    let started = Instant::now();
    signals::watch("finishing the batches that run");
    let to_stdout = outputs(args).check()?;
    let engine = engine_or_cpu(args.engine, &args.on)?;
    let (whole, data) = load_tasks(&args.tasks)?;
    let mut library = read_programs(args, context)?;
    let differs = read_differs(args, context)?;
    if args.diff == DiffWhen::Always && args.differs.is_none() {
        tell!("warning: --diff scores nothing without --differs");
    }
    if args.tasks.tasks.is_none() && !args.programs.is_empty() && !args.cross {
        find_tasks(&library, &whole)?;
    }
    if !args.cross {
        leave_unasked(&mut library, &whole, &data);
    }
    tell_policy(args.on_error, library.tries());
    let job = Work { args, library: &library, data: &data, engine: &*engine, differs: &differs };
    let (report, recorded) = job.perform(started, context)?;
    if args.json {
        serde_json::to_writer_pretty(&mut *context, &report)?;
        writeln!(context)?;
    } else if args.jsonl {
        lines(&report, context)?;
    } else if !to_stdout {
        table::print(&report, context)?;
    }
    context.finish()?;
    let verdict = conclude(args, &report, whole.left_out.is_empty(), context.verbose);
    tell_earlier(&report, &library);
    // Last: the report must not be lost with records that cannot be put in their place.
    recorded?;
    Ok(verdict)
}

/// What is written, and what is read. The lines of `--jsonl` may follow the records.
fn outputs(args: &RunArgs) -> Outputs {
    let differs = args.differs.iter().filter(|path| *path != Path::new(BUILTIN)).cloned();
    Outputs::default()
        .file(RECORDS, args.records.as_deref())
        .report("--json", args.json)
        .report("--matrix", args.matrix && !args.jsonl)
        .reads_programs(&args.programs)
        .reads_programs(&differs.collect::<Vec<_>>())
        .reads_tasks(&args.tasks)
}

/// Says on standard error what was cut short, and how it ended.
fn conclude(args: &RunArgs, report: &Report, complete: bool, verbose: bool) -> Verdict {
    if verbose {
        for Fallback { program, task, sample } in &report.fallbacks {
            tell!("fallback: {program} on {task} {sample}");
        }
    }
    let interrupted = STOP.load(Ordering::Relaxed);
    let why = if interrupted { "interrupted" } else { "the time was up" };
    if let Some(cut) = report.totals.not_run {
        tell!("warning: {why}; {cut} program-task pairs were not run on all samples");
    }
    if let Some(cut) = not_scored(report) {
        tell!("warning: {why}; {cut} samples were not scored");
    }
    if interrupted {
        Verdict::Interrupted
    } else {
        Verdict::good_if(is_good(args, report, complete))
    }
}

/// Says why programs of the earlier system may fail here, where some do.
fn tell_earlier(report: &Report, library: &Library) {
    let failing: HashSet<&str> =
        report.programs.iter().filter(|row| !row.solved).map(|row| row.id.as_str()).collect();
    let earlier = |entry: &&Entry| {
        let nodes = &entry.program.body.nodes;
        failing.contains(entry.id.as_str()) && nodes.iter().any(|node| is_earlier(&node.expr))
    };
    match library.entries.iter().filter(earlier).count() {
        0 => {}
        n => tell!(
            "hint: {n} of the programs that do not solve their task {} names beyond arc-dsl; what the \
             system they come from does otherwise is in docs/semantics.md",
            if n == 1 { "uses" } else { "use" }
        ),
    }
}

/// Whether an expression names what the earlier system added to arc-dsl.
fn is_earlier(expr: &Expr) -> bool {
    match expr {
        Expr::Prim(prim) | Expr::Call { callee: Callee::Prim(prim), .. } => {
            prim.guard != Guard::None
                || (Op::OG..Op::Ray).contains(&prim.op)
                || prim.op == Op::Celltuple
        }
        _ => false,
    }
}

fn not_scored(report: &Report) -> Option<usize> {
    report.scoring.as_ref().and_then(|scoring| scoring.not_scored)
}

fn read_differs(args: &RunArgs, context: &Context) -> anyhow::Result<Vec<Program>> {
    let Some(path) = &args.differs else { return Ok(Vec::new()) };
    let library = if path == Path::new(BUILTIN) {
        let mut library = Library::default();
        for (file, text) in batt::run::programs::differs() {
            library.add_differs(file, text.as_bytes(), false);
        }
        library
    } else {
        Library::read_differs(&[path], context.errors_in_color()).map_err(failure::library)?
    };
    tell_problems(&library.problems, context);
    let mut seen = HashSet::new();
    let twice = library.entries.iter().find(|entry| !seen.insert(entry.id.as_str()));
    match (library.problems.len(), library.entries.len(), twice) {
        (0, 1.., None) => {}
        (0, _, Some(entry)) => {
            let message = format!("two differs are called {}", entry.id);
            return Err(Failure::error(message, "scores are reported by the differ's name"));
        }
        _ => {
            let message = "the differs could not all be read";
            return Err(Failure::error(message, "a differ is `def differ_<name>(S, I, C):`"));
        }
    }
    let named =
        library.entries.into_iter().map(|entry| Program { name: entry.id, ..entry.program });
    Ok(named.collect())
}

fn read_programs(args: &RunArgs, context: &Context) -> anyhow::Result<Library> {
    let library = read_any(&args.programs, context)?;
    if library.entries.is_empty() {
        let bad = library.problems.len();
        let message = format!("no program could be read ({bad} {})", plural(bad, "problem"));
        return Err(Failure::error(
            message,
            "`batt run --help` shows the forms a program may have",
        ));
    }
    Ok(library)
}

/// `--task` leaves out the programs of the tasks that are not asked for; programs that name no
/// task of the data set stay, and are listed.
fn leave_unasked(library: &mut Library, whole: &Dataset, data: &Dataset) {
    library.entries.retain(|entry| {
        let known = |set: &Dataset| entry.task.as_deref().is_some_and(|id| set.get(id).is_some());
        known(data) || !known(whole)
    });
}

/// Where no program names a built-in task: which data set they are for, if one is here.
fn find_tasks(library: &Library, data: &Dataset) -> anyhow::Result<()> {
    let named: Vec<&str> = library.entries.iter().filter_map(|e| e.task.as_deref()).collect();
    if named.is_empty() || named.iter().any(|id| data.get(id).is_some()) {
        return Ok(());
    }
    let known = |set: &Dataset| named.iter().filter(|id| set.get(id).is_some()).count();
    let sets = ["arc1:train", "arc1:eval", "arc1", "arc2:train", "arc2:eval", "arc2"];
    let mut best = None;
    for name in sets {
        let Ok(set) = tasks::load(name) else { continue };
        let count = known(&set);
        if count > best.map_or(0, |(most, _)| most) {
            best = Some((count, name));
        }
    }
    let hint = match best {
        Some((_, name)) => format!("add --tasks {name}"),
        None => "--tasks names a data set; `batt data get` fetches the public ones".to_string(),
    };
    Err(Failure::error("no program here names a built-in task", hint))
}

/// Everything that a run needs.
struct Work<'a> {
    args: &'a RunArgs,
    library: &'a Library,
    data: &'a Dataset,
    engine: &'a dyn Engine,
    differs: &'a [Program],
}

impl Work<'_> {
    /// The report, and whether the records are in their place.
    fn perform(
        &self,
        started: Instant,
        context: &mut Context,
    ) -> anyhow::Result<(Report, anyhow::Result<()>)> {
        let load = started.elapsed().as_secs_f64();
        let (entries, tasks) = (&self.library.entries, self.data.tasks());
        let plan =
            if self.args.cross { Plan::cross(entries, tasks) } else { Plan::named(entries, tasks) };
        // A limit too far away to be a time is no limit.
        let limit = self.args.max_seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        let watcher = Watcher::new(Some(&STOP), deadline);
        let options = self.options(watcher.stop());
        let (mut finished, recorded) = self.evaluate(&plan, &options, context)?;
        finished.timing.load = load;
        Ok((self.report(&plan, &options, &finished, started), recorded))
    }

    fn options<'b>(&'b self, stop: &'b Stop) -> Options<'b> {
        let args = self.args;
        Options {
            engine: self.engine,
            policy: policy_for(args.on_error, self.library.tries()),
            fuse: !args.no_fuse,
            threads: args.threads.map(usize::from),
            batch_size: args.batch_size.map(|n| n as usize),
            stop,
            differs: self.differs,
            diff: match args.diff {
                DiffWhen::Matched => Diff::Matched,
                DiffWhen::Always => Diff::Always,
            },
            explain: match (args.no_timing, args.cross) {
                (true, _) => |_| false,
                (false, true) => |outcome| outcome.samples().solved > 0,
                (false, false) => |_| true,
            },
        }
    }

    fn evaluate(
        &self,
        plan: &Plan,
        options: &Options,
        context: &mut Context,
    ) -> anyhow::Result<(Finished, anyhow::Result<()>)> {
        let (entries, tasks) = (&self.library.entries, self.data.tasks());
        let bar = Bar::default();
        let finished = match self.args.records.as_deref() {
            None => (runs::run(entries, tasks, plan, options, None, &bar)?, Ok(())),
            Some(path) => {
                let failed = |error| output::failed(RECORDS, path, &error);
                let mut file = output::begin(RECORDS, path, context)?;
                let finished = runs::run(entries, tasks, plan, options, Some(&mut file), &bar);
                let finished = finished.map_err(|error| match error {
                    RunError::Records(error) => failed(error),
                    RunError::Threads(_) => error.into(),
                })?;
                (finished, file.finish().map_err(failed))
            }
        };
        bar.end();
        Ok(finished)
    }

    fn report(
        &self,
        plan: &Plan,
        options: &Options,
        finished: &Finished,
        started: Instant,
    ) -> Report {
        let (entries, tasks) = (&self.library.entries, self.data.tasks());
        let stable = self.args.no_timing;
        let device = notes::of(self.engine);
        let shape = Shape { cross: self.args.cross, stable };
        let differs: Vec<String> = self.differs.iter().map(|differ| differ.name.clone()).collect();
        let (programs, totals) = report::rows(entries, tasks, plan, finished, &differs, shape);
        let problems = self.library.problems.iter().map(|bad| ReportProblem {
            file: bad.file.clone(),
            line: Some(bad.problem.line),
            message: bad.problem.message.clone(),
        });
        let fallbacks = finished.handed.iter().filter(|_| !stable).map(|handed| Fallback {
            program: entries[handed.program].id.clone(),
            task: tasks[handed.task].id.clone(),
            sample: handed.sample.to_string(),
        });
        Report {
            schema: SCHEMA,
            totals,
            programs,
            problems: problems.collect(),
            data: Data {
                name: self.data.name.clone(),
                version: self.data.version.clone(),
                hash: self.data.hash.to_string(),
                tasks: tasks.len(),
            },
            policy: if options.policy == Policy::Safe { "safe" } else { "strict" },
            engine: (!stable).then(|| self.engine.name().to_string()),
            device: (!stable).then_some(device),
            seconds: (!stable).then(|| started.elapsed().as_secs_f64()),
            timing: (!stable).then_some(finished.timing),
            work: (!stable).then_some(finished.work),
            fallbacks: fallbacks.collect(),
            matrix: self.args.matrix.then(|| matrix(entries, tasks, plan, finished, &differs)),
            scoring: finished.scored.as_ref().map(|scored| Scoring {
                differs,
                diff: options.diff,
                samples: scored.samples,
                scores: scored.scores,
                not_scored: Some(scored.wanted - scored.samples).filter(|n| *n > 0),
            }),
        }
    }
}

fn is_good(args: &RunArgs, report: &Report, complete: bool) -> bool {
    let totals = &report.totals;
    let solved = if args.cross {
        totals.tasks_solved == totals.tasks
    } else {
        report.programs.iter().all(|row| row.solved)
    };
    let whole = totals.not_run.is_none() && not_scored(report).is_none();
    solved && report.problems.is_empty() && whole && complete
}

/// A line for every program, then one with everything else.
fn lines(report: &Report, context: &mut Context) -> anyhow::Result<()> {
    for row in &report.programs {
        let mut line = serde_json::to_value(row)?;
        line["schema"] = json!(SCHEMA);
        line["type"] = json!("program");
        writeln!(context, "{line}")?;
    }
    let mut last = serde_json::to_value(report)?;
    if let Some(fields) = last.as_object_mut() {
        fields.remove("programs");
        fields.insert("type".to_string(), json!("totals"));
    }
    writeln!(context, "{last}")?;
    Ok(())
}

fn plural(n: usize, word: &str) -> String {
    if n == 1 { word.to_string() } else { format!("{word}s") }
}
