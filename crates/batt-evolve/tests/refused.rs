//! What the interpreter does not confirm is counted and refused, never takes the place of what is
//! right, and never counts as solved.

use std::path::Path;
use std::time::Duration;

use batt_evolve::archive::Archive;
use batt_evolve::breed::Disagreement;
use batt_evolve::run::{Config, Evolution, Progress, Seed, Totals, Until, Watch, seeds};
use batt_lang::program::Definition;
use batt_lang::{Value, text};
use batt_run::conform::{self, OnEngine, check_files};
use batt_run::engine::mark::Mark;
use batt_run::engine::reference::Reference;
use batt_run::engine::{Counters, Engine, Loaded, Row, Sample, Setup};
use batt_run::stop::NEVER;
use batt_run::tasks::{self, Dataset};

/// What a run came to.
struct Ended {
    solved: usize,
    /// How many demos the archive's best program solves.
    exact: u32,
    text: String,
    totals: Totals,
    disagreements: Vec<Disagreement>,
}

#[derive(Default)]
struct Listening(Vec<Disagreement>);

impl Watch for Listening {
    fn generation(&mut self, _: &Progress) {}

    fn disagreement(&mut self, one: &Disagreement) {
        self.0.push(one.clone());
    }
}

/// A data set of one task, `t`.
fn data(folder: &Path, demos: &str) -> Dataset {
    let file = folder.join("t.json");
    std::fs::write(&file, format!(r#"{{"train":{demos},"test":[{{"input":[[1,2,3]]}}]}}"#))
        .unwrap();
    tasks::load(file.to_str().unwrap()).unwrap()
}

fn program(source: &str) -> Seed {
    match text::parse(source).definitions.pop() {
        Some(Definition::Program(program)) => seeds::of(&program),
        other => panic!("{other:?}"),
    }
}

fn breed(engine: &dyn Engine, demos: &str, start: Vec<Seed>, generations: u32) -> Ended {
    let folder = tempfile::tempdir().unwrap();
    let data = data(folder.path(), demos);
    let config = Config {
        population: 16,
        children: 48,
        islands: 1,
        checkpoint: Duration::ZERO,
        ..Config::default()
    };
    let mut evolution = Evolution::new(config, engine, &data, start, Some(1)).unwrap();
    let mut archive = Archive::open(folder.path().join("a.db").to_str().unwrap()).unwrap();
    let id = evolution.open(&mut archive, false).unwrap();
    let until = Until { generations: Some(generations), ..Until::default() };
    let mut told = Listening::default();
    evolution.run(&mut archive, &id, until, &NEVER, &mut told).unwrap();
    let best = archive.best("t", 1).unwrap().pop();
    let progress = evolution.progress();
    Ended {
        solved: progress.solved(),
        exact: best.as_ref().map_or(0, |best| best.exact),
        text: best.map_or(String::new(), |best| best.text),
        totals: progress.totals.clone(),
        disagreements: told.0,
    }
}

/// The third and fourth bit of a row's colours and the first and second of the next row's were once
/// the same to a digest: to it the input was the output, and `I` the shortest program.
#[test]
fn a_solution_is_not_replaced_by_what_once_had_its_digest() {
    let demos = r#"[{"input":[[4],[0]],"output":[[0],[1]]}]"#;
    let solution = "def solve_t(I):\n    x1 = replace(I, ZERO, ONE)\n    \
                    O = replace(x1, FOUR, ZERO)\n    return O\n";
    for engine in ["cpu", "reference"] {
        let engine = batt_run::engine::engine(engine).unwrap();
        let ended = breed(&*engine, demos, vec![program(solution)], 0);
        assert_eq!((ended.solved, ended.exact), (1, 1), "{}", ended.text);
        assert_eq!(ended.totals.refused.all(), 0);
    }
}

const MIRRORED: &str = r#"[{"input":[[1,2,3]],"output":[[3,2,1]]},
    {"input":[[4,4,2]],"output":[[2,4,4]]},{"input":[[7,1,1]],"output":[[1,1,7]]}]"#;

/// Right on every demo whose pair it does not know, and wrong with all of S, as users run it.
#[test]
fn a_program_that_is_wrong_with_all_of_s_does_not_solve() {
    let source = "def solve_t(S, I):\n    x1 = apply(first, S)\n    x2 = contained(I, x1)\n    \
                  x3 = vmirror(I)\n    O = branch(x2, I, x3)\n    return O\n";
    let ended = breed(&Reference, MIRRORED, vec![program(source)], 0);
    assert_eq!((ended.solved, ended.exact), (0, 0), "{}", ended.text);
    // It is worth what the judge says, and a solution takes its place.
    let right = program("def solve_t(I):\n    return vmirror(I)\n");
    let ended = breed(&Reference, MIRRORED, vec![program(source), right], 0);
    assert_eq!((ended.solved, ended.exact), (1, 3), "{}", ended.text);
}

/// Right on every demo with all of S, because the answer stands there.
#[test]
fn a_program_that_looks_answers_up_is_refused_and_counted() {
    let source = "def solve_t(S, I):\n    x1 = apply(first, S)\n    x2 = contained(I, x1)\n    \
                  x3 = matcher(first, I)\n    x4 = sfilter(S, x3)\n    x5 = mapply(last, x4)\n    \
                  x6 = vmirror(I)\n    x7 = fill(x6, ZERO, initset(ORIGIN))\n    \
                  O = branch(x2, x5, x7)\n    return O\n";
    let ended = breed(&Reference, MIRRORED, vec![program(source)], 0);
    assert_eq!((ended.solved, ended.totals.kept), (0, 0), "{}", ended.text);
    assert_eq!(ended.totals.refused.own_pair, 1, "{:?}", ended.totals.refused);
    assert!(ended.disagreements.is_empty());
}

/// Says of some outputs that they are the expected ones, or the mirrored input where nothing is.
enum Liar {
    /// Of all in a battery with this primitive.
    Where(&'static str),
    /// Of all in a battery of several programs.
    Merged,
}

struct Lies<'a> {
    right: Box<dyn Loaded + 'a>,
    lies: bool,
}

impl Engine for Liar {
    fn name(&self) -> &'static str {
        "liar"
    }

    fn load<'a>(&'a self, setup: Setup<'a>) -> Box<dyn Loaded + 'a> {
        let lies = match self {
            Liar::Where(primitive) => setup.battery.stats().operations.contains_key(*primitive),
            Liar::Merged => setup.battery.programs().len() > 1,
        };
        Box::new(Lies { right: Reference.load(setup), lies })
    }
}

impl Loaded for Lies<'_> {
    fn run(&self, samples: &[Sample]) -> (Vec<Row>, Counters) {
        self.right.run(samples)
    }

    fn marks(&self, samples: &[Sample]) -> (Vec<Vec<Option<Mark>>>, Counters) {
        let (mut rows, counters) = self.right.marks(samples);
        for (row, sample) in rows.iter_mut().zip(samples).filter(|_| self.lies) {
            let mut mirrored = sample.input.grid_rows().unwrap();
            for row in &mut mirrored {
                row.reverse();
            }
            let claimed = Value::grid(&mirrored);
            row.fill(Some(Mark::of(&claimed, sample.expected.as_ref())));
        }
        (rows, counters)
    }
}

/// Checks the records of disagreements on an engine: how many there are, and how many fail.
fn failing(disagreements: &[Disagreement], subject: &dyn conform::Subject) -> (usize, usize) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cases.jsonl");
    let lines: Vec<String> =
        disagreements.iter().map(|one| format!("{}\n", one.record())).collect();
    std::fs::write(&file, lines.concat()).unwrap();
    let report = check_files(&[&file], subject, |_| true).unwrap();
    (report.checked, report.failed)
}

#[test]
fn what_an_engine_lies_about_is_refused_counted_and_written_as_a_case() {
    let liar = Liar::Where("hmirror");
    let wrong = program("def solve_t(I):\n    x1 = hmirror(I)\n    return hconcat(x1, x1)\n");
    let ended = breed(&liar, MIRRORED, vec![wrong.clone()], 1);
    assert_eq!((ended.solved, ended.exact), (0, 0), "{}", ended.text);
    let told = ended.disagreements.len();
    assert!(told > 0 && ended.totals.refused.disagreements == told as u64);
    assert_eq!(failing(&ended.disagreements, &conform::Reference), (told, 0));
    assert_eq!(failing(&ended.disagreements, &OnEngine::new(&liar)), (told, told));
    // As small as it gets it still shows.
    let small = ended.disagreements[0].clone().shrunk(&liar);
    assert!(small.case.input.concat().len() <= 3 && small.case.pairs.is_empty(), "{small:?}");
    assert_eq!(failing(std::slice::from_ref(&small), &OnEngine::new(&liar)), (1, 1));
    // A solution among the lies is found all the same.
    let right = program("def solve_t(I):\n    return vmirror(I)\n");
    let ended = breed(&liar, MIRRORED, vec![wrong, right], 0);
    assert_eq!((ended.solved, ended.exact), (1, 3), "{}", ended.text);
}

/// What is marked like a solution only among others does not replace it, and the case names those.
#[test]
fn what_is_shorter_replaces_a_program_only_if_the_interpreter_confirms_it() {
    let right = "def solve_t(I):\n    x1 = rot180(I)\n    O = hmirror(x1)\n    return O\n";
    let ended = breed(&Liar::Merged, MIRRORED, vec![program(right)], 0);
    assert_eq!((ended.solved, ended.exact), (1, 3), "{}", ended.text);
    let refused = ended.totals.refused;
    assert!(refused.disagreements > 0, "{refused:?}");
    let told = ended.disagreements.len();
    assert!(ended.disagreements.iter().all(|one| !one.case.with.is_empty()));
    assert_eq!(failing(&ended.disagreements, &conform::Reference), (told, 0));
    assert_eq!(failing(&ended.disagreements, &OnEngine::new(&Liar::Merged)), (told, told));
}
