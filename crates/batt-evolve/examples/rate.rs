//! scratch
use batt_evolve::archive::Archive;
use batt_evolve::run::*;
use std::sync::atomic::AtomicBool;
struct Quiet;
impl Watch for Quiet {
    fn generation(&mut self, p: &Progress) {
        if p.generation % 10 == 0 {
            eprintln!(
                "gen {} cand {} solved {}/{} rate {:.0}/s archive {:?}",
                p.generation,
                p.candidates,
                p.solved(),
                p.tasks.len(),
                p.candidates as f64 / p.elapsed.as_secs_f64(),
                p.archive_time
            );
        }
    }
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let engine = batt_run::engine::engine("cpu").unwrap();
    let mut data = batt_run::tasks::embedded();
    if args[1] != "all" {
        data = data.select(&args[1]).unwrap();
    }
    let gens: u32 = args[2].parse().unwrap();
    let config = Config { rest: false, islands: 1, ..Config::default() };
    let mut s = if args.get(3).is_some() { seeds::embedded() } else { vec![] };
    s.push(seeds::input());
    s.extend(seeds::random(7, 32));
    let mut evo = Evolution::new(config, &*engine, &data, s, Some(1)).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let mut archive = Archive::open(dir.path().join("a.db").to_str().unwrap()).unwrap();
    let id = evo.open(&mut archive, false).unwrap();
    evo.run(
        &mut archive,
        &id,
        Until { generations: Some(gens), ..Until::default() },
        &AtomicBool::new(false),
        &mut Quiet,
    )
    .unwrap();
    let p = evo.progress();
    let t = p.totals;
    println!(
        "proposals {} typed {} cand {} newb {} improving {} handed {} kept {} mism {}",
        t.proposals,
        t.well_typed,
        t.candidates,
        t.new_behaviour,
        t.improving,
        t.handed_back,
        t.kept,
        t.mismatches
    );
    for (op, c) in batt_evolve::operators::Operator::ALL.iter().zip(&t.counts) {
        println!("{:10} {:?}", op.name(), c);
    }
    println!(
        "cpu {:?} -> {:.0} per second",
        cpu_time::ProcessTime::now().as_duration(),
        t.candidates as f64 / cpu_time::ProcessTime::now().as_duration().as_secs_f64()
    );
}
