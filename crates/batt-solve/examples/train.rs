//! Development driver: answers every task of a data set and counts what is right.
use batt_run::{engine, stop::NEVER, tasks};
use batt_solve::enumerate::costs::Costs;
use batt_solve::library::Groups;
use batt_solve::{Config, Prepared, Solver};
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let data = tasks::load(args[1].split(':').next().unwrap()).unwrap();
    let start = Instant::now();
    let mut library = batt_solve::library::Library::embedded().unwrap();
    if let Ok(without) = std::env::var("WITHOUT") {
        library.drop_groups(&without.split(',').collect::<Vec<_>>());
    }
    if let Ok(families) = std::env::var("FAMILIES") {
        let group = |name: &str| library.group_named(name).unwrap();
        let family =
            |names: &str| names.split(' ').map(group).fold(Groups::default(), Groups::with);
        library.tiers = vec![families.split(',').map(family).collect()];
        library.scans.clear();
    }
    let mut prepared = Prepared::with(library).unwrap_or_else(|e| panic!("{e}"));
    if let Ok(file) = std::env::var("COSTS") {
        let costs = Costs::read(&std::fs::read_to_string(file).unwrap()).unwrap();
        prepared.set_costs(&costs).unwrap_or_else(|e| panic!("{e}"));
    }
    let cpu = engine::engine("cpu").unwrap();
    let solver = Solver::new(&prepared, &*cpu, &NEVER);
    eprintln!("ready {:?}", start.elapsed());
    let mut config = Config::default();
    if let Ok(parts) = std::env::var("PARTS") {
        config.parts = parts.split(',').map(|part| part.parse().unwrap()).collect();
    }
    if let Ok(budget) = std::env::var("BUDGET") {
        config.budget = budget.parse().unwrap();
    }
    if let Ok(attempts) = std::env::var("ATTEMPTS") {
        config.attempts = attempts.parse().unwrap();
    }
    let (mut one, mut two, mut n) = (0, 0, 0);
    let only = args.get(2);
    let verbose = std::env::var("V").is_ok();
    let (name, split) = args[1].split_once(':').unwrap_or((&args[1], "train"));
    let _ = name;
    for task in data.split(split).unwrap() {
        if only.is_some_and(|o| !o.split(',').any(|o| o == task.id)) {
            continue;
        }
        let at = Instant::now();
        let answer = solver.solve(task, &config);
        let right = |a: &batt_solve::Attempt| {
            a.outputs.iter().zip(&task.tests).all(|(o, t)| Some(o) == t.output.as_ref())
        };
        let place = answer.attempts.iter().position(right);
        n += 1;
        one += usize::from(place == Some(0));
        two += usize::from(place.is_some_and(|place| place < 2));
        println!(
            "{} {:?} of {} {:?} {} [{}]{}",
            task.id,
            place,
            answer.candidates,
            at.elapsed(),
            answer.attempts.iter().map(|a| a.how.clone()).collect::<Vec<_>>().join(" | "),
            answer.refused.len(),
            if answer.refused.is_empty() {
                String::new()
            } else {
                format!(" REFUSED {:?}", answer.refused)
            }
        );
        if verbose {
            for a in &answer.attempts {
                println!("{}", batt_lang::text::print(&a.program));
            }
        }
    }
    println!("{one} {two} of {n} in {:?}", start.elapsed());
}
