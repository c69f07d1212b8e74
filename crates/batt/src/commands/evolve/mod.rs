//! `batt evolve`: breeds programs for tasks.

mod cases;
mod history;
mod metrics;
mod plot;
mod report;
mod view;

use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use batt::evolve::archive::Archive;
use batt::evolve::breed::Disagreement;
use batt::evolve::run::seeds::{self, Seed};
use batt::evolve::run::{Config, Evolution, EvolveError, Progress, Until, Watch};

use super::{device_or_cpu, load_tasks, read_library};
use crate::cli::EvolveArgs;
use crate::context::{Context, Verdict};
use crate::failure::{self, Failure};
use cases::Cases;
use history::History;
use metrics::Metrics;
use report::Report;
use view::View;

/// Set by Ctrl-C: no further generation begins.
static STOP: AtomicBool = AtomicBool::new(false);

/// How many children each program that stays has, on average.
const CHILDREN: u32 = 8;

/// Breeds and reports.
pub fn run(args: &EvolveArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    watch_for_interrupts();
    if args.minutes.is_none() && args.generations.is_none() && !args.until_solved {
        let hint = "--minutes 10, --generations 100 or --until-solved";
        return Err(Failure::error("it is not said when to stop", hint));
    }
    let engine = device_or_cpu(&args.device, args.memory)?;
    let (_, data) = load_tasks(&args.tasks)?;
    let seeds = read_seeds(args, context)?;
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
    let mut archive = Archive::open(&args.place.archive).map_err(failure::archive)?;
    let id = evolution.open(&mut archive, args.resume).map_err(failed)?;
    let mut feedback = Feedback {
        view: View::new(&id.to_string(), &args.place.archive),
        metrics: args.metrics.as_deref().map(Metrics::new).transpose()?,
        history: History::default(),
        cases: Cases::new(&args.place.archive, &id.to_string(), &*engine),
    };
    let until = Until {
        generations: args.generations,
        deadline: args.minutes.map(|m| Instant::now() + Duration::from_secs_f64(m * 60.0)),
        solved: args.until_solved,
    };
    let ended = evolution.run(&mut archive, &id, until, &STOP, &mut feedback);
    feedback.view.end();
    ended.map_err(failed)?;
    if let Some(metrics) = feedback.metrics {
        metrics.finish()?;
    }
    if let Some(why) = feedback.cases.failure() {
        eprintln!("warning: {why}");
    }
    let written = feedback.cases.written();
    let report = Report::new(&evolution.progress(), &id, &*engine, written, &mut archive)?;
    if let Some(path) = &args.plot {
        plot::write(path, &feedback.history, &report)?;
    }
    if args.json {
        serde_json::to_writer_pretty(&mut *context, &report)?;
        writeln!(context)?;
    } else {
        report.print(&args.place.archive, context)?;
    }
    context.finish()?;
    if STOP.load(Ordering::Relaxed) {
        eprintln!("interrupted: everything so far is in the archive; --resume goes on");
        return Ok(Verdict::Interrupted);
    }
    Ok(Verdict::good_if(report.is_solved()))
}

fn read_seeds(args: &EvolveArgs, context: &Context) -> anyhow::Result<Vec<Seed>> {
    let mut all = Vec::new();
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

fn failed(error: EvolveError) -> anyhow::Error {
    match error {
        EvolveError::Archive(error) => failure::archive(error),
        EvolveError::Begun(..) => Failure::error(
            error.to_string(),
            "--resume goes on with it; another --seed or --archive begins anew",
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

/// The first Ctrl-C lets the generation end and stores it; the second does not wait.
fn watch_for_interrupts() {
    // Without a handler Ctrl-C still ends the process; nothing that was stored is lost.
    let _ = ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
        eprintln!("interrupted: finishing the generation; once more to stop at once");
    });
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
