//! Scores without their details are the scores that come with them.

use batt_lang::Value;
use batt_lang::battery::Battery;
use batt_lang::card::{Card, Options};
use batt_run::engine::cpu::Cpu;
use batt_run::engine::cuda::{Room, emulated};
use batt_run::engine::{Cell, Engine, Phase, Sample, Setup};
use batt_run::run::scores::Score;
use batt_run::stop::NEVER;
use batt_run::{programs, tasks};

/// Built-in programs, each scored by every differ, and by one that gives no score.
fn battery() -> Battery {
    let mut differs = programs::parsed_differs();
    let odd = "def differ_odd(S, I, C):\n    t1 = asobject(I)\n    return t1\n";
    differs.extend(batt_lang::text::parse(odd).definitions.into_iter().filter_map(|d| match d {
        batt_lang::program::Definition::Program(program) => Some(program),
        batt_lang::program::Definition::Generated(_) => None,
    }));
    let mut card = Card::new(Options::default());
    for program in programs::parsed().iter().step_by(6) {
        let program = card.add(program);
        for differ in &differs {
            card.add_score(differ, Some(program));
        }
    }
    card.deal()
}

fn samples() -> (Vec<Value>, Vec<Sample>) {
    let data = tasks::embedded();
    let tasks: Vec<_> = data.tasks().iter().step_by(6).collect();
    let sample = |(task, t): (usize, &&tasks::Task)| Sample {
        task,
        input: t.demos[0].input.to_value(),
        compared: t.demos[0].output.as_ref().map(tasks::Grid::to_value),
        expected: t.demos[0].output.as_ref().map(tasks::Grid::to_value),
    };
    let samples = tasks.iter().enumerate().map(sample).collect();
    (tasks.iter().map(|task| task.pairs()).collect(), samples)
}

/// The score in every cell; an error has none.
fn scores(engine: &dyn Engine, verdicts: bool) -> Vec<Option<i32>> {
    let ((pairs, samples), battery) = (samples(), battery());
    let phase = Phase::Scores;
    let setup =
        Setup { battery: &battery, phase, tasks: &pairs, timed: false, verdicts, stop: &NEVER };
    let (rows, _) = engine.load(setup).run(&samples);
    let score = |cell: Cell| match cell {
        Cell::Value(value) => Score::of(&value).map(|score| score.score),
        Cell::Error(..) => None,
        Cell::Verdict(_) | Cell::HandBack | Cell::Stopped => panic!("{cell:?}"),
    };
    rows.into_iter().flatten().map(score).collect()
}

#[test]
fn details_do_not_matter() {
    let whole = scores(&Cpu::default(), false);
    assert!(whole.iter().flatten().any(|score| (1..1000).contains(score)), "some are between");
    assert!(whole.contains(&None) && whole.contains(&Some(1000)), "there are all kinds");
    assert_eq!(scores(&Cpu::default(), true), whole);
    assert_eq!(scores(&emulated(Room::default()).unwrap(), true), whole);
}
