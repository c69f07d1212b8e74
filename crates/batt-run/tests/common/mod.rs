//! Random batteries on an engine and on the reference engine, which must give the same.

// Each test file uses a part of this.
#![allow(dead_code)]

pub mod whole;

use batt_lang::card::Policy;
use batt_lang::text;
use batt_run::engine::Engine;
use batt_run::engine::reference::Reference;
use batt_run::random;
use batt_run::run::plan::{Pair, Plan};
use batt_run::verify::{Check, Report, STACK, Side, Work, compare};

/// Random batteries to compare on.
pub struct Batteries {
    /// Their seeds.
    pub seeds: std::ops::Range<u64>,
    /// How many programs make a battery: enough that they share much.
    pub programs: usize,
}

impl Batteries {
    /// Compares on all of them, on as many threads as there are. `after` is called after each.
    pub fn compare(&self, engine: &dyn Engine, after: impl Fn(u64) + Sync) -> Report {
        let pool = rayon::ThreadPoolBuilder::new().stack_size(STACK).build().unwrap();
        let reports: Vec<Report> = pool.install(|| {
            use rayon::prelude::*;
            let each = |seed| {
                let report = self.battery(seed, engine);
                after(seed);
                report
            };
            self.seeds.clone().into_par_iter().map(each).collect()
        });
        let mut all = Report::default();
        for report in reports {
            all.add(report);
        }
        println!(
            "{} programs: {} pairs compared, {} values, {} handed back",
            self.programs * self.seeds.clone().count(),
            all.compared,
            all.values,
            all.handed_back
        );
        assert!(all.values * 2 > all.compared, "{all:?}");
        // What is handed back is compared with itself, so it must stay the smaller part.
        assert!(all.handed_back * 2 < all.compared, "{all:?}");
        all
    }

    /// Both policies in turn, and fused and unfused.
    fn battery(&self, seed: u64, engine: &dyn Engine) -> Report {
        let mut rng = random::rng(seed);
        let programs = random::programs(&mut rng, self.programs, &random::Options::default());
        let tasks = [random::task(&mut rng), random::task(&mut rng)];
        let pair = |program, task| Pair { program, task };
        let pairs =
            (0..tasks.len()).flat_map(|task| (0..self.programs).map(move |p| pair(p, task)));
        let plan = Plan { pairs: pairs.collect(), ..Plan::default() };
        let work = Work { programs: &programs, differs: &[], tasks: &tasks, plan: &plan };
        let side = |engine| Side::Merged { engine, fuse: seed % 4 < 2 };
        let policy = if seed.is_multiple_of(2) { Policy::Strict } else { Policy::Safe };
        let check = Check { left: side(&Reference), right: side(engine), policy };
        let report = compare(&check, &work, &|| {});
        if let Some(first) = &report.first {
            let program = first.program.map(|at| text::print(&programs[at]));
            panic!("seed {seed}, {policy:?}: {first:?}\n{}", program.unwrap_or_default());
        }
        report
    }
}

/// A number from the environment, for longer runs.
pub fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}
