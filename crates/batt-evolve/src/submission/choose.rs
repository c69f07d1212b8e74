//! Attempts: distinct outputs of the best programs, best first.

use batt_lang::Program;
use batt_lang::card::{Card, Options};
use batt_run::engine::{Cell, Engine, Phase, Sample, Setup};
use batt_run::reference::eval::{self, Inputs, Policy};
use batt_run::tasks::{Grid, Task};

use super::Attempts;
use batt_run::stop::NEVER;

/// The attempts at one test, and how many of them are a program's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// As many as were asked for.
    pub attempts: Attempts,
    /// How many come from programs; the others are the input itself and a small black grid.
    pub found: usize,
}

/// Runs programs, the best first, on a task's tests, and takes the first distinct grids they give.
///
/// Where they give too few, the test's input follows, then black grids of 2 × 2, which is what
/// ARC Prize's own sample submission has.
pub fn choose(task: &Task, programs: &[Program], engine: &dyn Engine, count: usize) -> Vec<Chosen> {
    let outputs = outputs(task, programs, engine);
    let tests = task.tests.iter().zip(outputs);
    tests.map(|(test, outputs)| fill(outputs, &test.input, count)).collect()
}

/// The first distinct of these grids as attempts at one test; where they are too few, its input and black
/// grids.
pub fn fill(outputs: impl IntoIterator<Item = Grid>, input: &Grid, count: usize) -> Chosen {
    let mut attempts: Attempts = Vec::new();
    for grid in outputs {
        if attempts.len() < count && !attempts.contains(&grid) {
            attempts.push(grid);
        }
    }
    let found = attempts.len();
    if found < count && !attempts.contains(input) {
        attempts.push(input.clone());
    }
    let black = Grid::from_rows(&[[0, 0], [0, 0]]).unwrap_or_else(|| input.clone());
    attempts.resize(count, black);
    Chosen { attempts, found }
}

/// By test: the grids that programs give, in the order of the programs.
fn outputs(task: &Task, programs: &[Program], engine: &dyn Engine) -> Vec<Vec<Grid>> {
    if programs.is_empty() || task.tests.is_empty() {
        return vec![Vec::new(); task.tests.len()];
    }
    let mut card = Card::new(Options::default());
    for program in programs {
        card.add(program);
    }
    let battery = card.deal();
    let s = [task.pairs()];
    let loaded = engine.load(Setup {
        battery: &battery,
        phase: Phase::Outputs,
        tasks: &s,
        timed: false,
        verdicts: false,
        stop: &NEVER,
    });
    let sample =
        |input: &Grid| Sample { task: 0, input: input.to_value(), compared: None, expected: None };
    let samples: Vec<Sample> = task.tests.iter().map(|test| sample(&test.input)).collect();
    let (rows, _) = loaded.run(&samples);
    let row = |(sample, cells): (&Sample, Vec<Cell>)| {
        let given = programs.iter().zip(cells).filter_map(|(program, cell)| match cell {
            Cell::Value(value) => Some(value),
            Cell::Error(..) | Cell::Verdict(_) | Cell::Stopped => None,
            Cell::HandBack => {
                let inputs = Inputs { s: &s[0], i: &sample.input, c: None };
                eval::run(program, &inputs, Policy::Strict).ok()
            }
        });
        given.filter_map(|value| Grid::of_value(&value)).collect()
    };
    samples.iter().zip(rows).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use batt_lang::canonical::Canonical;
    use batt_run::engine;

    fn program(line: &str) -> Program {
        let text = format!("def solve(I):\n    return {line}\n");
        Canonical::read(&text).unwrap().program().clone()
    }

    #[test]
    fn attempts_are_distinct_grids_in_the_order_of_the_programs() {
        let data = batt_run::tasks::embedded();
        let task = data.get("tent").unwrap();
        let lines = ["palette(I)", "rot90(rot270(I))", "I", "first(())", "canvas(3, (1, 2))"];
        let programs: Vec<Program> = lines.map(program).into_iter().collect();
        for name in ["reference", "cpu"] {
            let engine = engine::engine(name).unwrap();
            let chosen = choose(task, &programs, &*engine, 2);
            assert_eq!(chosen.len(), task.tests.len());
            let green = Grid::from_rows(&[[3, 3]]).unwrap();
            assert_eq!(chosen[0].attempts, [task.tests[0].input.clone(), green]);
            assert_eq!(chosen[0].found, 2);
        }
    }

    #[test]
    fn what_is_missing_is_made_up() {
        let data = batt_run::tasks::embedded();
        let task = data.get("tent").unwrap();
        let engine = engine::engine("cpu").unwrap();
        let black = Grid::from_rows(&[[0, 0], [0, 0]]).unwrap();
        let input = task.tests[0].input.clone();
        let none = choose(task, &[], &*engine, 2).remove(0);
        assert_eq!((none.attempts, none.found), (vec![input.clone(), black.clone()], 0));
        let same = choose(task, &[program("I")], &*engine, 3).remove(0);
        assert_eq!((same.attempts, same.found), (vec![input, black.clone(), black], 1));
    }
}
