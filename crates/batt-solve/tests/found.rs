//! The programs that were found on public training tasks: each is read, typed and printed, and gives what its
//! task asks for where there are ARC data.

use batt_lang::ops::Kind;
use batt_lang::program::{Definition, Program};
use batt_lang::text;
use batt_run::programs::{found, parsed_found};
use batt_run::reference::eval::{self, Inputs, Policy};
use batt_run::tasks::{self, Dataset};
use batt_solve::enumerate::occurrences::kinds;

#[test]
fn each_is_read_typed_and_printed() {
    let programs = parsed_found();
    let definitions: usize = found()
        .iter()
        .map(|(_, text)| text.lines().filter(|l| l.starts_with("def ")).count())
        .sum();
    assert_eq!(programs.len(), definitions, "each can be read");
    assert!(programs.len() > 50, "{} programs", programs.len());
    let mut names = std::collections::BTreeSet::new();
    for program in &programs {
        assert!(names.insert(&program.name), "{} twice", program.name);
        let (kinds, misfit) = kinds(&program.body);
        assert_eq!(misfit, None, "{}", program.name);
        // A tuple of rows is a grid as well, and what a computed function gives is not known.
        let kind = &kinds[program.output.index()];
        let fits = matches!(kind, Kind::Grid | Kind::Tup(_) | Kind::Any);
        assert!(fits, "{} gives {kind}", program.name);
        let printed = text::print(program);
        let again = text::parse(&printed).definitions.into_iter().next();
        let Some(Definition::Program(again)) = again else { panic!("{printed}") };
        assert_eq!(text::print(&again), printed);
        assert!(found().iter().any(|(_, text)| text.contains(printed.trim())), "{printed}");
    }
}

#[test]
fn a_misfit_is_told() {
    let wrong = "def solve_a(I):\n    x1 = size(I)\n    O = hmirror(x1)\n    return O\n";
    let Some(Definition::Program(wrong)) = text::parse(wrong).definitions.into_iter().next() else {
        panic!("it can be read")
    };
    assert!(kinds(&wrong.body).1.is_some_and(|misfit| misfit.contains("line 3: hmirror takes no")));
}

#[test]
fn each_gives_what_its_task_asks_for() {
    let Ok(data) = tasks::load("arc1") else {
        println!("skipped: no ARC data here; `batt data get` fetches it");
        return;
    };
    let programs = parsed_found();
    let right = programs.iter().filter(|program| is_right(program, &data)).count();
    assert_eq!(right, programs.len());
}

fn is_right(program: &Program, data: &Dataset) -> bool {
    let task = data.tasks().iter().find(|task| Some(&task.id) == program.task.as_ref());
    let Some(task) = task else { return false };
    let s = task.pairs();
    task.demos.iter().chain(&task.tests).all(|example| {
        let (input, output) = (example.input.to_value(), example.output.as_ref());
        let inputs = Inputs { s: &s, i: &input, c: None };
        let given = eval::run(program, &inputs, Policy::Strict);
        let right = given.is_ok_and(|value| output.is_some_and(|grid| grid.to_value() == value));
        if !right {
            println!("{} is wrong", program.name);
        }
        right
    })
}
