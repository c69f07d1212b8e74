//! What an enumeration holds is what its expressions give, once each, in order of cost, within limits.

use batt_lang::Value;
use batt_run::engine;
use batt_run::engine::cpu::to_value;
use batt_run::reference::eval::{self, Inputs, Policy};
use batt_run::stop::NEVER;
use batt_run::tasks::{self, Example, Grid, Task};
use batt_solve::enumerate::bank::ValueId;
use batt_solve::enumerate::begin;
use batt_solve::enumerate::operations::Operations;
use batt_solve::enumerate::rows::Machine;
use batt_solve::enumerate::search::{Search, write};
use batt_solve::part::{Found, Problem};
use batt_solve::store::Store;
use batt_solve::{Answer, Attempt, Config, Part, Prepared, Solver};

const MEMORY: usize = 64 << 20;

/// Enumerates on a built-in task and looks at what was found.
fn enumerated<T>(
    task: &str,
    (rows, bytes): (u64, usize),
    look: impl FnOnce(&mut Search, &mut Store, &Task) -> T,
) -> T {
    let data = tasks::embedded();
    let task = data.tasks().iter().find(|one| one.id == task).unwrap();
    let operations = Operations::embedded().unwrap();
    let mut machine = Machine::new(bytes);
    let inputs = task.demos.iter().chain(&task.tests).map(|one| one.input.clone()).collect();
    let outputs = task.demos.iter().map(|demo| demo.output.as_ref().unwrap()).collect();
    let problem = Problem::new(inputs, outputs, rows);
    let mut found = Found::default();
    let (mut search, _) = begin(&operations, &mut machine, &problem, &[], &mut found, rows);
    search.go_on();
    search.run();
    look(&mut search, &mut found.store, task)
}

fn ids(search: &Search) -> impl Iterator<Item = ValueId> + use<> {
    (0..search.bank.len() as u32).map(ValueId)
}

fn values(search: &Search, id: ValueId) -> Vec<Value> {
    let vals = search.bank.vals(id).iter();
    vals.map(|val| to_value(search.rows.cx, *val).unwrap()).collect()
}

#[test]
fn values_are_what_the_interpreter_gives_for_their_expressions() {
    let mut compared = 0;
    for task in ["boxes_to_frames", "agreeing_halves", "rarest_colour", "big_and_small"] {
        enumerated(task, (150_000, MEMORY), |search, store, task| {
            let s = task.pairs();
            for id in ids(search).step_by(7) {
                let node = write(store, search.formulas, &search.bank, id);
                let program = store.program(node, &task.id);
                let inputs = task.demos.iter().chain(&task.tests).map(|one| one.input.to_value());
                for (input, held) in inputs.zip(values(search, id)) {
                    let given = Inputs { s: &s, i: &input, c: None };
                    let given = eval::run(&program, &given, Policy::Strict);
                    let text = batt_lang::text::print(&program);
                    assert_eq!(given.as_ref().ok(), Some(&held), "{}: {text}", task.id);
                    compared += 1;
                }
            }
        });
    }
    assert!(compared > 10_000, "{compared} compared");
}

#[test]
fn equal_values_are_kept_once_and_the_cheap_come_first() {
    enumerated("boxes_to_frames", (100_000, MEMORY), |search, _, _| {
        let mut known = std::collections::HashSet::new();
        let mut cost = 0;
        for id in ids(search) {
            let held = search.bank.held(id);
            let values = values(search, id);
            assert!(known.insert(format!("{:?} {values:?}", held.sort)), "{values:?} twice");
            if matches!(held.how, batt_solve::enumerate::bank::How::Made(..)) {
                assert!(held.cost >= cost, "{} after {cost}", held.cost);
                cost = held.cost;
            }
        }
        assert!(search.tally.candidates > 2 * search.tally.new, "{:?}", search.tally);
    });
}

#[test]
fn a_budget_ends_a_search_at_the_same_place_every_time() {
    let held = |rows: u64| {
        enumerated("rarest_colour", (rows, MEMORY), |search, _, _| {
            let held: Vec<String> =
                ids(search).map(|id| format!("{:?}", search.bank.held(id))).collect();
            (held, search.tally.rows)
        })
    };
    let (few, rows) = held(30_000);
    assert!((30_000..31_000).contains(&rows), "{rows} rows");
    assert_eq!(held(30_000).0, few);
    let (more, _) = held(90_000);
    assert!(more.len() > few.len());
    assert_eq!(more[..few.len()], few);
}

#[test]
fn memory_ends_a_search_and_what_is_dear_has_no_room() {
    let limit = 4 << 20;
    enumerated("rarest_colour", (u64::MAX, limit), |search, _, _| {
        assert!(search.tally.full);
        assert!(search.bytes() < limit + limit / 8, "{} bytes", search.bytes());
        let dearest = ids(search).map(|id| search.bank.held(id).cost).max();
        let last = ids(search).last().map(|id| search.bank.held(id).cost);
        assert_eq!(last, dearest);
    });
}

#[test]
fn operations_that_the_table_does_not_allow_are_refused() {
    let refused = |line: &str| Operations::read(line).unwrap_err();
    assert!(refused("0 G = hmirror(G)").contains("line 1: no cost"));
    assert!(refused("2 G = hmirror(K)").contains("hmirror takes no Int"));
    assert!(refused("2 K = hmirror(G)").contains("hmirror gives Grid"));
    assert!(refused("2 G = mirrored(G)").contains("mirrored"));
    assert!(refused("2 G = power(trim, TWO)(G)").contains("operations, line 1"));
    assert!(refused("2 G = hconcat").contains("operations, line 1"));
    assert!(refused("hmirror(G)").contains("no ="));
    assert_eq!(Operations::read("# nothing\n\n3 P = box(A)").unwrap().formulas.len(), 2);
}

fn grid(rows: &[&str]) -> Grid {
    let rows: Vec<Vec<u8>> =
        rows.iter().map(|row| row.bytes().map(|byte| byte - b'0').collect()).collect();
    Grid::from_rows(&rows).unwrap()
}

/// A task whose outputs a function makes; the last input is the test's.
fn task(inputs: &[&[&str]], make: impl Fn(&Grid) -> Grid) -> Task {
    let example = |rows: &&[&str]| {
        let input = grid(rows);
        let output = Some(make(&input));
        Example { input, output }
    };
    let mut demos: Vec<Example> = inputs.iter().map(example).collect();
    let tests = demos.split_off(demos.len() - 1);
    Task { id: "ours".to_string(), demos, tests }
}

fn answer(task: &Task, parts: &[Part]) -> Answer {
    let engine = engine::engine("cpu").unwrap();
    let prepared = Prepared::new().unwrap();
    let solver = Solver::new(&prepared, &*engine, &NEVER);
    solver.solve(task, &Config { parts: parts.to_vec(), ..Config::default() })
}

fn rows(grid: &Grid) -> Vec<Vec<u8>> {
    grid.rows().map(<[u8]>::to_vec).collect()
}

/// The larger of two blocks, turned by a quarter.
fn turned_block(input: &Grid) -> Grid {
    let all = rows(input);
    let cells = |color: u8| all.iter().flatten().filter(|cell| **cell == color).count();
    let color = if cells(2) > cells(3) { 2 } else { 3 };
    let at = |wanted: &dyn Fn(usize, usize) -> bool, n: usize| {
        (0..n).filter(|k| (0..30).any(|l| wanted(*k, l))).collect::<Vec<usize>>()
    };
    let is = |i: usize, j: usize| all.get(i).and_then(|row| row.get(j)) == Some(&color);
    let (ys, xs) = (at(&is, input.height()), at(&|j, i| is(i, j), input.width()));
    let part: Vec<Vec<u8>> = ys.iter().map(|i| xs.iter().map(|j| all[*i][*j]).collect()).collect();
    let turned = (0..xs.len()).map(|j| part.iter().rev().map(|row| row[j]).collect::<Vec<u8>>());
    Grid::from_rows(&turned.collect::<Vec<_>>()).unwrap()
}

const BLOCKS: [&[&str]; 4] = [
    &["0000000", "0220030", "0200033", "0220000", "0000000"],
    &["0033300", "0003000", "0003000", "2200000", "0200000"],
    &["00000000", "02020000", "02220330", "00200030", "00000000"],
    &["000000000", "033330000", "030000000", "030000220", "000000020"],
];

/// A frame of 4 around every block of 2, and 1 in the corners of the grid.
fn framed(input: &Grid) -> Grid {
    let (height, width) = (input.height(), input.width());
    let mut made = rows(input);
    let twos = |i: usize, j: usize| input.rows().nth(i).is_some_and(|row| row.get(j) == Some(&2));
    for (i, row) in made.iter_mut().enumerate() {
        for (j, cell) in row.iter_mut().enumerate() {
            let near = (i.saturating_sub(1)..=i + 1)
                .any(|a| (j.saturating_sub(1)..=j + 1).any(|b| twos(a, b)));
            if near && !twos(i, j) {
                *cell = 4;
            }
        }
    }
    for (i, j) in [(0, 0), (0, width - 1), (height - 1, 0), (height - 1, width - 1)] {
        made[i][j] = 1;
    }
    Grid::from_rows(&made).unwrap()
}

const FRAMED: [&[&str]; 4] = [
    &["00000000", "00000000", "00220000", "00220000", "00000030", "00000000"],
    &["000000000", "030002220", "000002220", "000000000", "000000000", "000000000"],
    &["00000000", "02200000", "02200000", "02200330", "00000000", "00000000", "00000000"],
    &[
        "0000000000",
        "0000000000",
        "0302222000",
        "0002222000",
        "0000000000",
        "0000000300",
        "0000000000",
    ],
];

#[test]
fn an_expression_answers_what_no_view_does() {
    let task = task(&BLOCKS, turned_block);
    let answer = answer(&task, &[Part::Enumeration]);
    let first = &answer.attempts[0];
    assert_eq!(Some(&first.outputs[0]), task.tests[0].output.as_ref(), "{}", first.how);
    assert!(first.how.starts_with("enumeration"), "{}", first.how);
    assert_eq!(answer.refused, Vec::<String>::new());
}

#[test]
fn layers_answer_what_no_expression_does() {
    let task = task(&FRAMED, framed);
    let answer = answer(&task, &[Part::Enumeration]);
    let right = |one: &&Attempt| Some(&one.outputs[0]) == task.tests[0].output.as_ref();
    let right = answer.attempts.iter().find(right).expect("an attempt is right");
    assert!(right.how.contains("assembly"), "{}", right.how);
}

#[test]
fn what_the_tests_should_give_is_never_read() {
    for task in [task(&BLOCKS, turned_block), task(&FRAMED, framed)] {
        let mut noise = task.clone();
        noise.tests[0].output = Some(grid(&["57", "75"]));
        let mut unknown = task.clone();
        unknown.tests[0].output = None;
        let print = |task: &Task| {
            let attempts = answer(task, &[Part::Enumeration]).attempts;
            attempts.iter().map(|one| batt_lang::text::print(&one.program)).collect::<Vec<_>>()
        };
        let known = print(&task);
        assert!(!known.is_empty());
        assert_eq!(print(&noise), known);
        assert_eq!(print(&unknown), known);
    }
}

#[test]
fn odd_tasks_get_an_answer_or_none() {
    let large = Grid::from_rows(&vec![vec![1; 40]; 35]).unwrap_or_else(|| grid(&["1"]));
    let demo = |input: &Grid, output: &Grid| Example {
        input: input.clone(),
        output: Some(output.clone()),
    };
    let (one, two) = (grid(&["1"]), grid(&["2"]));
    let demos = [
        vec![demo(&large, &one)],
        vec![demo(&one, &one), demo(&one, &two)],
        vec![demo(&one, &large)],
        vec![],
    ];
    for demos in demos {
        let tests = vec![Example { input: large.clone(), output: None }];
        let task = Task { id: "odd".to_string(), demos, tests };
        let answer = answer(&task, &[Part::Enumeration]);
        assert_eq!(answer.refused, Vec::<String>::new());
    }
}
