//! Cell rules beyond single cells: one small task of our own for each kind.

use batt_run::tasks::{Example, Grid, Task};
use batt_run::{engine, stop::NEVER};
use batt_solve::{Attempt, Config, Part, Prepared, Solver};

/// A grid drawn with digits, a point for 0, rows apart by spaces.
fn grid(rows: &str) -> Grid {
    let color = |c: u8| if c == b'.' { 0 } else { c - b'0' };
    let rows: Vec<Vec<u8>> = rows.split(' ').map(|row| row.bytes().map(color).collect()).collect();
    Grid::from_rows(&rows).expect("a grid")
}

/// Answers a task with cell rules alone, where the last pair is the test: one of two attempts must be right,
/// and the interpreter must have refused nothing.
fn solves(pairs: &[[&str; 2]]) -> Attempt {
    let example =
        |[input, output]: &[&str; 2]| Example { input: grid(input), output: Some(grid(output)) };
    let mut demos: Vec<Example> = pairs.iter().map(example).collect();
    let mut test = demos.pop().expect("a test");
    let wanted = test.output.take().expect("an output");
    let task = Task { id: "own".to_string(), demos, tests: vec![test] };
    let prepared = Prepared::new().expect("the library is right");
    let engine = engine::engine("cpu").expect("the engine is there");
    let config = Config { parts: vec![Part::Cells], ..Config::default() };
    let answer = Solver::new(&prepared, &*engine, &NEVER).solve(&task, &config);
    assert!(answer.refused.is_empty(), "{:?}", answer.refused);
    let how: Vec<String> = answer.attempts.iter().map(|attempt| attempt.how.clone()).collect();
    let right = answer.attempts.into_iter().find(|attempt| attempt.outputs == [wanted.clone()]);
    right.unwrap_or_else(|| panic!("not right: {how:?}"))
}

#[test]
fn a_line_that_turns_at_the_edges_looks_at_what_is_written() {
    let answer = solves(&[
        ["... ... ... ... ... ... ... 2..", ".2. ..2 .2. 2.. .2. ..2 .2. 2.."],
        [".. .. .. .. .. .. 2.", "2. .2 2. .2 2. .2 2."],
        [
            ".... .... .... .... .... .... .... .... 2...",
            "..2. .2.. 2... .2.. ..2. ...2 ..2. .2.. 2...",
        ],
        ["... ... ... ... ... ... ... ... 2..", "2.. .2. ..2 .2. 2.. .2. ..2 .2. 2.."],
    ]);
    let text = batt_lang::text::print(&answer.program);
    assert!(text.contains("power"), "{text}");
}

#[test]
fn lines_go_on_where_an_arm_ends() {
    solves(&[
        ["11.... 11.... ..1... ...... ...... ......", "11.... 11.... ..1... ...1.. ....1. .....1"],
        ["...... ...... ...... ...2.. .22... .22...", "...... .....2 ....2. ...2.. .22... .22..."],
        ["...... .33... .33... ...3.. ...... ......", "...... .33... .33... ...3.. ....3. .....3"],
        ["...... ....44 ....44 ...4.. ...... ......", "...... ....44 ....44 ...4.. ..4... .4...."],
    ]);
}

#[test]
fn single_cells_fall_and_keep_their_order() {
    solves(&[
        ["1.2. .3.. 4... ....", ".... .... 1... 432."],
        ["...5 .6.. .7.5 2...", ".... .... .6.5 27.5"],
        ["8... ..1. 3..2 .4..", ".... .... 8... 3412"],
    ]);
}

#[test]
fn what_a_colour_hits_gives_lines_their_colour() {
    solves(&[
        ["...... .3...2 ...... ...... .4....", "...... .32222 .4.... .4.... .4...."],
        ["5...3. ...... ....6. ...... ......", "55553. ....6. ....6. ...... ......"],
        ["...... ...7.. ...... ...3.. ......", "...... ...7.. ...7.. ...3.. ......"],
        ["1..3.. ...... ...... ...8.. .....9", "1113.. ...8.. ...8.. ...8.. .....9"],
    ]);
}

#[test]
fn panels_between_others_are_filled() {
    let rows = |rows: [&str; 3]| {
        let bar = "88888888888";
        let twice = rows.map(|row| format!("{row} {row}"));
        twice.join(&format!(" {bar} "))
    };
    let free = "..8..8..8..";
    let pairs = [
        [rows([free, "228..8228..", free]), rows([free, "228228228..", free])],
        [
            rows(["..8338..8..", free, "..8338..8.."]),
            rows(["..8338..8..", "..8338..8..", "..8338..8.."]),
        ],
        [rows([free, free, "448..8..844"]), rows([free, free, "44844844844"])],
        [
            rows(["..8558..8..", free, "..8558668.."]),
            rows(["..8558..8..", "..8558..8..", "..8558668.."]),
        ],
    ];
    let pairs: Vec<[&str; 2]> = pairs.iter().map(|[a, b]| [a.as_str(), b.as_str()]).collect();
    solves(&pairs);
}
