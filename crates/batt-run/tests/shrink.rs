//! Shrinking: an engine that is wrong on purpose, in values or in marks, is caught, and its mistake
//! made small.

use batt_lang::card::Policy;
use batt_lang::program::{Callee, Definition};
use batt_lang::{Expr, Op, Program, Value, text};
use batt_run::conform::{self, OnEngine, check_files};
use batt_run::engine::mark::Mark;
use batt_run::engine::reference::Reference;
use batt_run::engine::{Cell, Counters, Engine, Loaded, Row, Sample, Setup};
use batt_run::run::plan::{Pair, Plan};
use batt_run::tasks::{Example, Grid, Task};
use batt_run::verify::{self, Case, Check, Side, Work};

/// Gives a wrong answer, or marks a right one wrong, where a battery holds `vmirror` and the input has
/// a cell of colour 3.
enum Wrong {
    Values,
    Marks,
}

struct WrongLoaded<'a> {
    right: Box<dyn Loaded + 'a>,
    how: &'a Wrong,
    mirrors: bool,
}

impl WrongLoaded<'_> {
    fn on(&self, sample: &Sample) -> bool {
        self.mirrors && sample.input.grid_rows().is_some_and(|g| g.concat().contains(&3))
    }
}

impl Engine for Wrong {
    fn name(&self) -> &'static str {
        "wrong"
    }

    fn load<'a>(&'a self, setup: Setup<'a>) -> Box<dyn Loaded + 'a> {
        let mirrors = setup.battery.stats().operations.contains_key("vmirror");
        Box::new(WrongLoaded { right: Reference.load(setup), how: self, mirrors })
    }
}

impl Loaded for WrongLoaded<'_> {
    fn run(&self, samples: &[Sample]) -> (Vec<Row>, Counters) {
        let (mut rows, counters) = self.right.run(samples);
        for (row, sample) in rows.iter_mut().zip(samples) {
            if matches!(self.how, Wrong::Values) && self.on(sample) {
                row.fill(Cell::Value(Value::Int(-77)));
            }
        }
        (rows, counters)
    }

    fn marks(&self, samples: &[Sample]) -> (Vec<Vec<Option<Mark>>>, Counters) {
        let (rows, counters) = self.run(samples);
        let marks = rows.iter().zip(samples).map(|(row, sample)| {
            let lies = matches!(self.how, Wrong::Marks) && self.on(sample);
            let right = |cell| Mark::of_cell(cell, sample.expected.as_ref());
            row.iter().map(|cell| if lies { Some(Mark::ERROR) } else { right(cell) }).collect()
        });
        (marks.collect(), counters)
    }
}

fn programs(source: &str) -> Vec<Program> {
    let definitions = text::parse(source).definitions.into_iter();
    definitions
        .filter_map(|d| match d {
            Definition::Program(p) => Some(p),
            Definition::Generated(_) => None,
        })
        .collect()
}

const SOURCE: &str = "
def solve_innocent(I):
    x1 = hmirror(I)
    O = fill(x1, FIVE, ofcolor(x1, ONE))
    return O

def solve_guilty(S, I, C):
    x1 = objects(I, T, F, T)
    x2 = merge(x1)
    x3 = paint(canvas(ZERO, shape(I)), x2)
    x4 = vmirror(x3)
    x5 = hconcat(x3, x4)
    x6 = first(apply(first, S))
    O = hconcat(x5, x6)
    return O
";

fn task() -> Task {
    let grid = |cells: [[u8; 5]; 4]| Grid::from_rows(&cells).unwrap();
    let input = grid([[0, 1, 1, 0, 0], [0, 0, 2, 0, 0], [0, 3, 0, 0, 3], [4, 4, 0, 0, 0]]);
    let plain = grid([[0, 1, 1, 0, 0], [0, 0, 2, 0, 0], [0, 0, 0, 0, 0], [4, 4, 0, 0, 0]]);
    let demo = Example { input: plain.clone(), output: Some(plain) };
    let test = Example { input, output: None };
    Task { id: "t".to_string(), demos: vec![demo.clone(), demo], tests: vec![test] }
}

#[test]
fn an_engine_that_gives_wrong_values_is_caught_and_its_mistake_made_small() {
    caught(&Wrong::Values);
}

#[test]
fn an_engine_that_marks_right_values_wrong_is_caught_and_its_mistake_made_small() {
    caught(&Wrong::Marks);
}

fn caught(wrong: &Wrong) {
    let programs = programs(SOURCE);
    let tasks = [task()];
    let plan = Plan {
        pairs: (0..2).map(|program| Pair { program, task: 0 }).collect(),
        stray: Vec::new(),
        jobs: Vec::new(),
    };
    let work = Work { programs: &programs, differs: &[], tasks: &tasks, plan: &plan };
    let side = |engine| Side::Merged { engine, fuse: true };
    let check = Check { left: side(&Reference), right: side(wrong), policy: Policy::Strict };

    let report = verify::compare(&check, &work, &|| {});
    // Both programs on the test; the demos have no 3.
    assert_eq!((report.compared, report.mismatches), (6, 2));
    let mut first = report.first.unwrap();
    assert_eq!(first.mark.is_some_and(|mark| mark.right), matches!(wrong, Wrong::Marks));
    first.program = Some(1);

    let case = Case::of(&first, &work);
    assert!(case.differs(&check));
    let small = verify::shrink(case, 5_000, &|case| case.differs(&check));
    assert!(small.differs(&check));
    assert_eq!(small.input, [[3]]);
    assert!(small.with.is_empty() && small.pairs.is_empty());
    let calls: Vec<Op> = small
        .program
        .body
        .nodes
        .iter()
        .filter_map(|node| match &node.expr {
            Expr::Call { callee: Callee::Prim(prim), .. } => Some(prim.op),
            _ => None,
        })
        .collect();
    assert_eq!(calls, [Op::Vmirror], "{}", text::print(&small.program));

    // What is written is a case that `batt conform` reads, and the interpreter holds it.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("case.jsonl");
    let record = small.record("guilty", Policy::Strict);
    std::fs::write(&file, format!("{record}\n")).unwrap();
    let held = check_files(&[&file], &conform::Reference, |_| true).unwrap();
    assert_eq!((held.checked, held.passed), (1, 1), "{record}");
    let missed = check_files(&[&file], &OnEngine::new(wrong), |_| true).unwrap();
    assert_eq!((missed.checked, missed.failed), (1, 1), "{record}");
}

/// What differs only where programs are merged is a record with those programs.
#[test]
fn a_record_is_run_with_the_programs_that_it_names() {
    let mut programs = programs(SOURCE);
    let guilty = programs.pop().unwrap();
    let case = Case {
        program: programs.remove(0),
        with: vec![guilty],
        pairs: vec![[vec![vec![5, 6]], vec![vec![1]]]],
        input: vec![vec![3, 2]],
        compared: None,
        target: Some(vec![vec![2, 3]]),
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("case.jsonl");
    let failed = |case: &Case, wrong: &Wrong| {
        std::fs::write(&file, format!("{}\n", case.record("p", Policy::Strict))).unwrap();
        let report = check_files(&[&file], &OnEngine::new(wrong), |_| true).unwrap();
        assert_eq!(report.checked, 1);
        report.failures.first().map(|failure| failure.reason)
    };
    assert_eq!(failed(&case, &Wrong::Values), Some("another value"));
    assert_eq!(failed(&case, &Wrong::Marks), Some("the value, but another mark"));
    let alone = Case { with: Vec::new(), ..case };
    assert_eq!(failed(&alone, &Wrong::Values), None);
}

/// Two values that share a digest are a record of one that says it must be unlike the other.
#[test]
fn a_record_may_say_which_digest_an_output_must_not_have() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("case.jsonl");
    let reason = |unlike: &str| {
        let record = r#"{"id":"p","source":"def solve(I):\n    return I\n","input":[[1]],"#;
        std::fs::write(&file, format!("{record}\"out\":[[1]],\"unlike\":{unlike}}}\n")).unwrap();
        let report = check_files(&[&file], &conform::Reference, |_| true).unwrap();
        report.failures.first().map(|failure| failure.reason)
    };
    assert_eq!(reason("[[2]]"), None);
    assert_eq!(reason("[[1]]"), Some("the digest of a value that differs"));
}

#[test]
fn records_with_demo_pairs_a_compared_grid_and_a_policy_hold() {
    let source = "def solve(S, I, C):\n    t1 = first(first(S))\n    t2 = crop(C, I, t1)\n    \
                  return combine(t1, t2)\n";
    let small = Case {
        program: programs(source).remove(0),
        with: Vec::new(),
        pairs: vec![[vec![vec![5, 6]], vec![vec![1]]]],
        input: vec![vec![1, 2]],
        compared: Some(vec![vec![7]]),
        target: None,
    };
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("case.jsonl");
    // The crop fails, and is an empty tuple under the safe policy only.
    for (policy, field) in [(Policy::Safe, "out"), (Policy::Strict, "error")] {
        let record = small.record("p", policy);
        assert!(record.get(field).is_some(), "{record}");
        std::fs::write(&file, format!("{record}\n")).unwrap();
        let held = check_files(&[&file], &conform::Reference, |_| true).unwrap();
        assert_eq!((held.checked, held.passed), (1, 1), "{record}");
    }
}
