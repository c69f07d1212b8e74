//! Prints how near to the budget of work programs come: `work TASKS [--cross] FILES…`, the built-in tasks and
//! programs where nothing is given.

use std::error::Error;
use std::fs;

use batt_lang::limits::MAX_WORK;
use batt_lang::program::{Definition, Program};
use batt_lang::text;
use batt_run::reference::eval::{self, Inputs, Policy};
use batt_run::{programs, tasks};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let cross = args.iter().any(|arg| arg == "--cross");
    args.retain(|arg| arg != "--cross");
    let data = match args.first() {
        Some(what) => tasks::load(what)?,
        None => tasks::embedded(),
    };
    let mut all: Vec<Program> = Vec::new();
    for file in args.iter().skip(1) {
        for definition in text::parse(&fs::read_to_string(file)?).definitions {
            if let Definition::Program(program) = definition {
                all.push(program);
            }
        }
    }
    if args.len() < 2 {
        all = programs::parsed();
    }
    let mut found: Vec<(u64, &str, &str)> = Vec::new();
    for program in &all {
        for task in data.tasks() {
            if !cross && program.task.as_deref() != Some(&task.id) {
                continue;
            }
            let s = task.pairs();
            let inputs = task.demos.iter().chain(&task.tests).map(|pair| pair.input.to_value());
            let most = inputs.map(|i| {
                let inputs = Inputs { s: &s, i: &i, c: None };
                eval::dearest(program, &inputs, Policy::Strict)
            });
            found.push((most.max().unwrap_or(0), &program.name, &task.id));
        }
    }
    found.sort_unstable_by(|a, b| b.cmp(a));
    for (work, program, task) in found.iter().take(10) {
        let share = 100.0 * *work as f64 / MAX_WORK as f64;
        println!("{work:>10} {share:>7.3} %  {program} on {task}");
    }
    Ok(())
}
