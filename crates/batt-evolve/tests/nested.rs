//! An engine that runs jobs of its own on the threads of a run, as devices do.

use std::time::Duration;

use batt_evolve::run::{Config, Evolution, Progress, Until, Watch, seeds};
use batt_run::engine::cpu::Cpu;
use batt_run::engine::mark::Mark;
use batt_run::engine::{Counters, Engine, Loaded, Row, Sample, Setup};
use batt_run::stop::NEVER;
use batt_run::tasks;

/// An engine that waits for two jobs before each batch.
#[derive(Default)]
struct Forking(Cpu);

impl Engine for Forking {
    fn name(&self) -> &'static str {
        "forking"
    }

    fn load<'a>(&'a self, setup: Setup<'a>) -> Box<dyn Loaded + 'a> {
        Box::new(Pass(self.0.load(setup)))
    }
}

struct Pass<'a>(Box<dyn Loaded + 'a>);

impl Pass<'_> {
    /// While this thread waits for the job that another one took, it is given whatever else there is.
    fn fork() {
        let wait = || std::thread::sleep(Duration::from_micros(300));
        rayon::join(wait, || rayon::join(wait, wait));
    }
}

impl Loaded for Pass<'_> {
    fn run(&self, samples: &[Sample]) -> (Vec<Row>, Counters) {
        Pass::fork();
        self.0.run(samples)
    }

    fn marks(&self, samples: &[Sample]) -> (Vec<Vec<Option<Mark>>>, Counters) {
        Pass::fork();
        self.0.marks(samples)
    }
}

/// Counts generations, and looks at how fast they go.
#[derive(Default)]
struct Seen(u32);

impl Watch for Seen {
    fn generation(&mut self, progress: &Progress) {
        self.0 += 1;
        let present = progress.pace.present();
        assert!(present.rows_per_second >= present.candidates_per_second, "{present:?}");
        assert!((0.0..=1.001).contains(&present.busy), "{present:?}");
        assert_eq!(progress.pace.done().candidates, progress.candidates);
    }
}

#[test]
fn an_engine_may_wait_for_its_own_jobs() {
    let data = tasks::embedded().select("tent,flip_largest,turn_like_demos").unwrap();
    let config = Config { seed: 3, population: 8, children: 16, islands: 4, ..Config::default() };
    let breed = |engine: &dyn Engine, threads| {
        let start = seeds::random(3, 8);
        let mut evolution = Evolution::new(config, engine, &data, start, Some(threads)).unwrap();
        let mut seen = Seen::default();
        let until = Until { generations: Some(12), ..Until::default() };
        evolution.breed(until, &NEVER, &mut seen);
        assert_eq!(seen.0, 13);
        let graphs = |unit: &batt_evolve::breed::Unit| -> Vec<u64> {
            unit.population.all().iter().map(|one| one.graph).collect()
        };
        evolution.units().iter().map(graphs).collect::<Vec<_>>()
    };
    let alone = breed(&Cpu::default(), 1);
    assert_eq!(breed(&Forking::default(), 4), alone);
}
