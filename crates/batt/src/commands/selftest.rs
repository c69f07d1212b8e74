//! `batt selftest`: whether a device gives what the CPU gives.

use std::io::Write;

use batt::run::conform::{OnEngine, check_files};
use batt::run::engine::Engine;
use batt::run::engine::cpu::Cpu;
use batt::run::random;
use batt::run::reference::eval::Policy;
use batt::run::run::plan::{Pair, Plan};
use batt::run::verify::{self, Check, Report, STACK, Side, Work};
use serde_json::json;

use super::{device_alone, notes};
use crate::cli::SelftestArgs;
use crate::context::{Context, Verdict};
use crate::failure::Failure;

/// The conformance records of this version.
static RECORDS: &[u8] = include_bytes!("../../../../conformance/synthetic.jsonl.gz");
/// How many random programs make a battery.
const PROGRAMS: usize = 200;
/// How many random tasks each battery runs on.
const TASKS: usize = 10;

/// Tests and reports.
pub fn run(args: &SelftestArgs, context: &mut Context) -> anyhow::Result<Verdict> {
    let engine = device_alone(&args.device, args.memory)?;
    let (records, on_interpreter) = records(args, &*engine)?;
    if !args.json {
        writeln!(
            context,
            "records  {} checked, {} failed, {on_interpreter} handed back",
            records.checked, records.failed
        )?;
        for failure in records.failures.iter().take(5) {
            writeln!(context, "  {failure}")?;
        }
        context.flush()?;
    }
    let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK).build()?;
    let cpu = Cpu::default();
    let (random, seed) = pool.install(|| programs(args, &*engine, &cpu));
    let notes = notes::of(&*engine);
    let good = records.failed == 0 && random.mismatches == 0 && notes.trouble.is_empty();
    if args.json {
        let all = json!({
            "schema": 1,
            "device": args.device,
            "records": { "checked": records.checked, "failed": records.failed, "handed_back": on_interpreter },
            "random": { "compared": random.compared, "differ": random.mismatches, "handed_back": random.handed_back, "seed": seed },
            "notes": notes,
            "trouble": notes.trouble,
            "good": good,
        });
        serde_json::to_writer_pretty(&mut *context, &all)?;
        writeln!(context)?;
        return Ok(Verdict::good_if(good));
    }
    writeln!(
        context,
        "random   {} answers compared with the CPU's, {} differ, {} handed back",
        random.compared, random.mismatches, random.handed_back
    )?;
    if random.first.is_some() {
        let (seed, device) = (seed.unwrap_or(args.seed), &args.device);
        writeln!(
            context,
            "  batt verify --random {PROGRAMS} --seed {seed} --engines cpu,{device} shows the first"
        )?;
    }
    notes::print(&notes, "", context)?;
    let word =
        if good { context.style.good("agrees") } else { context.style.bad("does not agree") };
    writeln!(context, "{} {word}", args.device)?;
    Ok(Verdict::good_if(good))
}

/// The records of this version and those that are given.
fn records(
    args: &SelftestArgs,
    engine: &dyn Engine,
) -> anyhow::Result<(batt::run::conform::Report, usize)> {
    let mut file = tempfile::Builder::new().suffix(".jsonl.gz").tempfile()?;
    file.write_all(RECORDS)?;
    file.flush()?;
    let mut files = vec![file.path().to_path_buf()];
    files.extend(args.records.iter().cloned());
    let subject = OnEngine::new(engine);
    let report = check_files(&files, &subject, |_| true).map_err(|error| {
        Failure::error(error.to_string(), "`batt conform --help` shows the form of a record")
    })?;
    Ok((report, subject.handed_back()))
}

/// Random programs in batteries until one differs; and the seed of that one.
fn programs(args: &SelftestArgs, engine: &dyn Engine, cpu: &Cpu) -> (Report, Option<u64>) {
    let mut all = Report::default();
    let mut left = args.random;
    let mut seed = args.seed;
    while left > 0 {
        let count = left.min(PROGRAMS);
        let mut rng = random::rng(seed);
        let programs = random::programs(&mut rng, count, &random::Options::default());
        let tasks: Vec<_> = (0..TASKS).map(|_| random::task(&mut rng)).collect();
        let pairs =
            (0..TASKS).flat_map(|task| (0..count).map(move |program| Pair { program, task }));
        let plan = Plan { pairs: pairs.collect(), ..Plan::default() };
        let work = Work { programs: &programs, differs: &[], tasks: &tasks, plan: &plan };
        let side = |engine| Side::Merged { engine, fuse: true };
        let policy = if seed.is_multiple_of(2) { Policy::Strict } else { Policy::Safe };
        let check = Check { left: side(cpu), right: side(engine), policy };
        let report = verify::compare(&check, &work, &|| {});
        let differs = report.first.is_some();
        all.add(report);
        if differs {
            return (all, Some(seed));
        }
        left -= count;
        seed += 1;
    }
    (all, None)
}
