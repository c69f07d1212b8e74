//! The fast engine gives what the reference engine gives, on random programs.
//!
//! The same check for as long as you like: `batt verify --engines reference,cpu --random 1000`.

use batt_lang::card::Policy;
use batt_lang::text;
use batt_run::engine::cpu::Cpu;
use batt_run::engine::reference::Reference;
use batt_run::random;
use batt_run::run::plan::{Pair, Plan};
use batt_run::verify::{Check, Report, STACK, Side, Work, compare};

/// How many programs make a battery: enough that they share much.
const PROGRAMS: usize = 30;

fn battery(seed: u64, cpu: &Cpu) -> Report {
    let mut rng = random::rng(seed);
    let programs = random::programs(&mut rng, PROGRAMS, &random::Options::default());
    let tasks = [random::task(&mut rng), random::task(&mut rng)];
    let pair = |program, task| Pair { program, task };
    let pairs = (0..tasks.len()).flat_map(|task| (0..PROGRAMS).map(move |p| pair(p, task)));
    let plan = Plan { pairs: pairs.collect(), ..Plan::default() };
    let work = Work { programs: &programs, differs: &[], tasks: &tasks, plan: &plan };
    let side = |engine| Side::Merged { engine, fuse: seed % 4 < 2 };
    let policy = if seed.is_multiple_of(2) { Policy::Strict } else { Policy::Safe };
    let check = Check { left: side(&Reference), right: side(cpu), policy };
    let report = compare(&check, &work, &|| {});
    if let Some(first) = &report.first {
        let program = first.program.map(|at| text::print(&programs[at]));
        panic!("seed {seed}, {policy:?}: {first:?}\n{}", program.unwrap_or_default());
    }
    report
}

#[test]
fn thousands_of_random_programs_agree() {
    let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK).build().unwrap();
    let cpu = Cpu::default();
    let report = pool.install(|| {
        use rayon::prelude::*;
        let reports: Vec<Report> = (0..100u64).into_par_iter().map(|s| battery(s, &cpu)).collect();
        let mut all = Report::default();
        for report in reports {
            all.add(report);
        }
        all
    });
    println!(
        "{} programs: {} pairs compared, {} values, {} handed back",
        100 * PROGRAMS,
        report.compared,
        report.values,
        report.handed_back
    );
    assert!(report.compared > 20_000, "{report:?}");
    assert!(report.values * 2 > report.compared, "{report:?}");
    // What is handed back is compared with itself, so it must stay the smaller part.
    assert!(report.handed_back * 2 < report.compared, "{report:?}");
}
