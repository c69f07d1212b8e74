//! `batt verify --evolved`: every candidate of runs on random seeds, compared as it is bred.

use std::time::{Duration, Instant};

use batt::evolve::bred::{Batch, Source};
use batt::evolve::run::EvolveError;
use batt::evolve::run::seeds::{self, Seed};
use batt::lang::Program;
use batt::run::engine::cpu::Cpu;
use batt::run::run::plan::{Pair, Plan};
use batt::run::tasks::Dataset;
use batt::run::verify::{self, Check, Report, Work};
use rayon::ThreadPool;
use rayon::prelude::*;
use serde::Serialize;

use super::Found;
use crate::cli::VerifyArgs;
use crate::commands::{load_tasks, read_library};
use crate::context::Context;
use crate::failure::Failure;
use crate::tell::tell;

/// So many batches are compared beside each other.
const BESIDE: usize = 16;
/// How often it is said how far the work is.
const PAUSE: Duration = Duration::from_secs(10);

/// What was bred.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Bred {
    /// Runs, each on a seed of its own.
    pub runs: u64,
    /// Batteries: the candidates of a generation for one task.
    pub batteries: u64,
    /// Programs.
    pub programs: u64,
}

/// Breeds and compares until so many answers are compared, or something differs.
pub fn compare(
    args: &VerifyArgs,
    wanted: u64,
    check: &Check,
    differs: &[Program],
    pool: &ThreadPool,
    context: &Context,
) -> anyhow::Result<(Report, Bred, Option<Found>)> {
    let data = load_tasks(&args.tasks)?.1;
    let programs = programs(args, &data, context)?;
    // The same programs are bred whichever engines are compared.
    let cpu = Cpu::default();
    let threads = args.threads.map(usize::from);
    let mut source = Source::new(&cpu, &data, programs, args.seed, threads);
    let (mut report, mut bred) = (Report::default(), Bred::default());
    let mut told = Instant::now();
    while report.compared < wanted {
        let batches: Result<Vec<Batch>, EvolveError> =
            (0..BESIDE).map(|_| source.next_batch()).collect();
        let mut batches = batches.map_err(|error| match error {
            EvolveError::NoTasks => Failure::error(
                error.to_string(),
                "--evolved breeds for tasks whose demos have outputs",
            ),
            _ => error.into(),
        })?;
        for batch in &mut batches {
            let generation = batch.generation;
            for (at, program) in batch.programs.iter_mut().enumerate() {
                program.name = format!("solve_run{}_{generation}_{at}", batch.run);
            }
        }
        let parts: Vec<Report> = pool.install(|| {
            let one = |batch| verify::compare(check, &work(batch, &plan(batch), differs), &|| {});
            batches.par_iter().with_max_len(1).map(one).collect()
        });
        for (batch, part) in batches.into_iter().zip(parts) {
            bred.runs = batch.run + 1;
            bred.batteries += 1;
            bred.programs += batch.programs.len() as u64;
            let first = part.first.clone();
            report.add(part);
            if let Some(first) = first {
                let plan = plan(&batch);
                let work = work(&batch, &plan, differs);
                let found = pool.install(|| Found::new(first, check, &work));
                return Ok((report, bred, Some(found)));
            }
            if report.compared >= wanted {
                break;
            }
        }
        if told.elapsed() >= PAUSE {
            told = Instant::now();
            tell!(
                "{} of {wanted} answers compared, {} programs of {} runs",
                report.compared,
                bred.programs,
                bred.runs
            );
        }
    }
    Ok((report, bred, None))
}

/// What every other run starts from.
fn programs(args: &VerifyArgs, data: &Dataset, context: &Context) -> anyhow::Result<Vec<Seed>> {
    let entries = read_library(&args.programs, context)?.entries;
    let seeds = entries.into_iter().map(|mut entry| {
        entry.program.task = entry.task.filter(|id| data.get(id).is_some());
        seeds::of(&entry.program)
    });
    Ok(seeds.collect())
}

fn plan(batch: &Batch) -> Plan {
    let programs = 0..batch.programs.len();
    let tasks = batch.tasks.len();
    let pairs = programs.flat_map(|program| (0..tasks).map(move |task| Pair { program, task }));
    Plan { pairs: pairs.collect(), ..Plan::default() }
}

fn work<'a>(batch: &'a Batch, plan: &'a Plan, differs: &'a [Program]) -> Work<'a> {
    Work { programs: &batch.programs, differs, tasks: &batch.tasks, plan }
}
