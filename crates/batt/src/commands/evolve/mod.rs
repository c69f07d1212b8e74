//! `batt evolve`: breeds programs for tasks.

mod cases;
mod history;
mod metrics;
mod plot;
mod report;
mod view;

use std::collections::HashMap;
use std::io::Write;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use batt::evolve::archive::{Archive, ArchiveError, Place};
use batt::evolve::breed::Disagreement;
use batt::evolve::judge::Judge;
use batt::evolve::run::seeds::{self, Seed};
use batt::evolve::run::{Config, Evolution, EvolveError, Progress, Until, Watch};
use batt::run::stop::Watcher;
use batt::run::tasks::Dataset;

use super::{device_or_cpu, load_tasks, read_library};
use crate::cli::EvolveArgs;
use crate::context::{Context, Verdict};
use crate::failure::{self, Failure};
use crate::output::{self, Outputs};
use crate::signals::{self, STOP};
use crate::tell::tell;
use cases::Cases;
use history::History;
use metrics::Metrics;
use report::Report;
use view::View;

/// The option that names the drawing.
const PLOT: &str = "--plot";
/// How many children each program that stays has, on average.
const CHILDREN: u32 = 8;

/// Breeds and reports.
pub fn run(args: &EvolveArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    signals::watch("finishing the generation");
    if args.minutes.is_none() && args.generations.is_none() && !args.until_solved {
        let hint = "--minutes 10, --generations 100 or --until-solved";
        return Err(Failure::error("it is not said when to stop", hint));
    }
    let to_stdout = outputs(args).check()?;
    let engine = device_or_cpu(&args.device, args.memory)?;
    let (_, data) = load_tasks(&args.tasks)?;
    let seeds = read_seeds(args, &data, context)?;
    let config = Config {
        seed: args.seed,
        population: args.population,
        children: args.population.saturating_mul(CHILDREN),
        islands: args.islands,
        keep: args.keep,
        checkpoint: Duration::from_secs_f64(args.checkpoint_seconds),
        ..Config::default()
    };
    let threads = args.threads.map(usize::from);
    let mut evolution = Evolution::new(config, &*engine, &data, seeds, threads).map_err(failed)?;
    let mut archive = open(args)?;
    let id = evolution.open(&mut archive, args.resume).map_err(failed)?;
    let mut feedback = Feedback {
        view: View::new(&id.to_string(), &args.place.archive),
        metrics: args.metrics.as_deref().map(Metrics::new).transpose()?,
        history: History::default(),
        cases: Cases::new(&args.place.archive, &id.to_string(), &*engine),
    };
    let until = Until { generations: args.generations, solved: args.until_solved };
    let limit = args.minutes.and_then(|m| Duration::try_from_secs_f64(m * 60.0).ok());
    let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
    let watcher = Watcher::new(Some(&STOP), deadline);
    let ended = evolution.run(&mut archive, &id, until, watcher.stop(), &mut feedback);
    drop(watcher);
    feedback.view.end();
    if let Err(EvolveError::Archive(error @ ArchiveError::Interrupted { .. })) = ended {
        tell!("interrupted: {error}");
        tell!("what was committed is in the archive; --resume goes on with it");
        return Ok(Verdict::Interrupted);
    }
    ended.map_err(stopped)?;
    if let Some(why) = feedback.cases.failure() {
        tell!("warning: {why}");
    }
    let written = feedback.cases.written();
    let report = Report::new(&evolution.progress(), &id, &*engine, written, &mut archive)?;
    // First: it must not be lost with a file that cannot be written after all.
    let reported = if args.json {
        serde_json::to_writer_pretty(&mut *context, &report)
            .map_err(Into::into)
            .and_then(|()| Ok(writeln!(context)?))
    } else if to_stdout {
        Ok(())
    } else {
        report.print(&Place::shown(&args.place.archive), context)
    };
    let reported = reported.and_then(|()| context.finish());
    let plotted = args.plot.as_deref().map_or(Ok(()), |path| {
        let plot = plot::of(&feedback.history, &report);
        output::write(PLOT, path, plot.as_bytes(), context)
    });
    let measured = feedback.metrics.map_or(Ok(()), Metrics::finish);
    // Whether anybody reads the report does not change what came of the run.
    if !context.reader_left() {
        reported?;
    }
    let interrupted = STOP.load(Ordering::Relaxed);
    if interrupted {
        tell!("interrupted: everything so far is in the archive; --resume goes on");
    }
    plotted?;
    measured?;
    if interrupted {
        return Ok(Verdict::Interrupted);
    }
    Ok(Verdict::good_if(report.is_solved()))
}

/// The archive of the run. One to go on in must be there: a mistyped name makes none.
fn open(args: &EvolveArgs) -> anyhow::Result<Archive> {
    let place = &args.place.archive;
    if !args.resume {
        return Archive::open(place).map_err(failure::archive);
    }
    Archive::open_existing(place).map_err(|error| match error {
        ArchiveError::Missing(_) => {
            let hint = "there is nothing to resume; without --resume a run begins, and its archive is made";
            Failure::error(error.to_string(), hint)
        }
        error => failure::archive(error),
    })
}

/// What is written, and what is read.
fn outputs(args: &EvolveArgs) -> Outputs {
    Outputs::default()
        .file(metrics::METRICS, args.metrics.as_deref())
        .file(PLOT, args.plot.as_deref())
        .report("--json", args.json)
        .reads_programs(&args.programs)
        .reads_tasks(&args.tasks)
        .reads_archive(&args.place)
}

fn read_seeds(args: &EvolveArgs, data: &Dataset, context: &Context) -> anyhow::Result<Vec<Seed>> {
    let mut all = match &args.from {
        Some(from) => archived(from, args, data)?,
        None => Vec::new(),
    };
    if !args.scratch {
        let library = read_library(&args.programs, context)?;
        for mut entry in library.entries {
            entry.program.task = entry.task;
            all.push(seeds::of(&entry.program));
        }
    }
    all.push(seeds::input());
    all.extend(seeds::random(args.seed, args.random as usize));
    Ok(all)
}

/// The best programs of another archive for the tasks that it knows as they are here.
fn archived(from: &str, args: &EvolveArgs, data: &Dataset) -> anyhow::Result<Vec<Seed>> {
    if from == args.place.archive {
        return Err(Failure::error(
            format!("--from and --archive are both {from}"),
            "a run changes its archive, and could not go on from the same programs; give it another",
        ));
    }
    let mut archive = Archive::open_to_read(from).map_err(failure::archive)?;
    let known: HashMap<String, String> =
        archive.tasks().map_err(failure::archive)?.into_iter().collect();
    let mut found = Vec::new();
    for task in data.tasks() {
        if known.get(&task.id).is_none_or(|demos| demos != Judge::new(task).demos()) {
            continue;
        }
        for kept in archive.best(&task.id, args.keep).map_err(failure::archive)? {
            let mut program = kept.canonical().map_err(failure::archive)?.program().clone();
            program.task = Some(task.id.clone());
            found.push(seeds::of(&program));
        }
    }
    Ok(found)
}

/// Why a run that was under way could not go on.
fn stopped(error: EvolveError) -> anyhow::Error {
    match error {
        EvolveError::Archive(
            error @ (ArchiveError::Sqlite(_)
            | ArchiveError::Postgres(_)
            | ArchiveError::Open { .. }
            | ArchiveError::Silent { .. }),
        ) => {
            let hint = "what was committed is in the archive; --resume goes on with it";
            Failure::error(error.to_string(), hint)
        }
        error => failed(error),
    }
}

fn failed(error: EvolveError) -> anyhow::Error {
    match error {
        EvolveError::Archive(error) => failure::archive(error),
        EvolveError::Begun(..) => Failure::error(
            error.to_string(),
            "--resume goes on with it; another --seed or --archive begins anew",
        ),
        EvolveError::NothingToResume(_) => Failure::error(
            error.to_string(),
            "a run is known by its --seed, tasks, programs and sizes: give the same, or begin it \
             without --resume",
        ),
        EvolveError::OtherVersion(_) => Failure::error(
            error.to_string(),
            "without --resume a new run begins; what is in the archive stays, and `batt submit` \
             uses all of it",
        ),
        EvolveError::BadState(_) => {
            Failure::error(error.to_string(), "another --seed begins anew; what is kept stays")
        }
        EvolveError::NoTasks => {
            Failure::error(error.to_string(), "`batt data list` names the data sets there are")
        }
        EvolveError::Threads(_) => error.into(),
    }
}

/// Everything that is told while a run goes on.
struct Feedback<'a> {
    view: View,
    metrics: Option<Metrics>,
    history: History,
    cases: Cases<'a>,
}

impl Watch for Feedback<'_> {
    fn generation(&mut self, progress: &Progress) {
        self.view.show(progress);
        self.history.add(progress);
        if let Some(metrics) = &mut self.metrics {
            metrics.write(progress);
        }
    }

    fn disagreement(&mut self, disagreement: &Disagreement) {
        self.cases.add(disagreement);
    }
}
