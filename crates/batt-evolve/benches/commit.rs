//! How fast generations are stored: `cargo bench -p batt-evolve --bench commit`.
//!
//! A second of search at 50,000 candidates leaves at most a few percent worth storing; this stores
//! 2,000 results a generation. With `BATT_TEST_POSTGRES` naming a server, it also stores there.

use std::time::{Duration, Instant};

use batt_evolve::archive::{Archive, Found, Generation, LANGUAGE, Origin, Run};
use batt_evolve::judge::Judge;
use batt_lang::canonical::Canonical;
use batt_run::tasks;
use cpu_time::ProcessTime;

const GENERATIONS: u32 = 20;
const RESULTS: u32 = 2_000;

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    for keep in [None, Some(200)] {
        let path = folder.path().join(format!("{keep:?}.db"));
        measure("SQLite", path.to_str().expect("a name"), keep);
    }
    if let Ok(url) = std::env::var("BATT_TEST_POSTGRES") {
        measure("PostgreSQL", &url, None);
    }
}

fn measure(name: &str, url: &str, keep: Option<u32>) {
    let data = tasks::embedded();
    let judge = Judge::new(data.get("tent").expect("a task"));
    let mut archive = Archive::open(url).expect("an archive");
    let run = Run {
        seed: 1,
        configuration: "{}".to_string(),
        language: LANGUAGE.to_string(),
        data: data.hash.to_string(),
        device: String::new(),
        host: String::new(),
        started: 0,
    };
    let id = archive.begin(&run).expect("a run");
    let mut spent = 0.0;
    let mut busy = Duration::ZERO;
    for number in 1..=GENERATIONS {
        let found = found(&judge, number);
        let state = vec![7; 64 << 10];
        let (started, work) = (Instant::now(), ProcessTime::now());
        let generation =
            Generation { run: &id, number, found: &found, tests: &[], state: &state, keep };
        archive.commit(&generation).expect("stored");
        busy += work.elapsed();
        spent += started.elapsed().as_secs_f64();
    }
    let results = f64::from(GENERATIONS * RESULTS);
    let kept = keep.map_or("all".to_string(), |n| format!("the best {n}"));
    println!(
        "{name}, keeping {kept}: {:.0} results/s, {:.1} ms a generation, {:.1} ms of it on our core",
        results / spent,
        1e3 * spent / f64::from(GENERATIONS),
        1e3 * busy.as_secs_f64() / f64::from(GENERATIONS)
    );
}

/// Distinct programs; what they are worth is measured once, because this is not about judging.
fn found(judge: &Judge, number: u32) -> Vec<Found> {
    let text = |n: u32| {
        let [a, b, c, d, e, f] = [1, 10, 100, 1000, 10_000, 100_000].map(|place| n / place % 10);
        format!(
            "def solve(I):\n    x1 = replace(I, {a}, {b})\n    x2 = replace(x1, {c}, {d})\n    \
             O = replace(x2, {e}, {f})\n    return O\n"
        )
    };
    let judged = judge.judge(Canonical::read(&text(0)).expect("a program").program());
    let first = number * RESULTS;
    let one = |n: u32| Found {
        program: Canonical::read(&text(n)).expect("a program"),
        task: judge.task().to_string(),
        demos: judge.demos().to_string(),
        judged: judged.clone(),
        origin: Origin { operator: "bench".to_string(), parents: vec![], island: 0 },
    };
    (first..first + RESULTS).map(one).collect()
}
