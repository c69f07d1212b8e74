//! Rules about objects answer tasks that need them: one small task of our own for each kind of rule.

use batt_run::tasks::{Example, Grid, Task};
use batt_run::{engine, stop::NEVER};
use batt_solve::{Attempt, Config, Part, Prepared, Solver};

/// A grid drawn with digits, a point for 0, rows apart by spaces.
fn grid(rows: &str) -> Grid {
    let color = |c: u8| if c == b'.' { 0 } else { c - b'0' };
    let rows: Vec<Vec<u8>> = rows.split(' ').map(|row| row.bytes().map(color).collect()).collect();
    Grid::from_rows(&rows).expect("a grid")
}

/// Answers a task with object rules alone, where the last pair is the test: the first attempt must be
/// right, and the interpreter must have refused nothing.
fn solves(pairs: &[[&str; 2]]) -> Attempt {
    let example =
        |[input, output]: &[&str; 2]| Example { input: grid(input), output: Some(grid(output)) };
    let mut demos: Vec<Example> = pairs.iter().map(example).collect();
    let mut test = demos.pop().expect("a test");
    let wanted = test.output.take().expect("an output");
    let task = Task { id: "own".to_string(), demos, tests: vec![test] };
    let prepared = Prepared::new().expect("the library is right");
    let engine = engine::engine("cpu").expect("the engine is there");
    let config = Config { parts: vec![Part::Objects], ..Config::default() };
    let answer = Solver::new(&prepared, &*engine, &NEVER).solve(&task, &config);
    assert!(answer.refused.is_empty(), "{:?}", answer.refused);
    let first = answer.attempts.into_iter().next().expect("an attempt");
    assert_eq!(first.outputs, [wanted], "{}", first.how);
    first
}

#[test]
fn objects_that_a_tree_chooses_move_until_they_are_stopped() {
    solves(&[
        ["2.1.. ..... ..... ..... 55555", "..1.. ..... ..... 2.... 55555"],
        [".1.2. .1... ..... ..... 55555", ".1... .1... ..... ...2. 55555"],
        ["..2.. ..2.. 1.... ..... 55555", "..... ..... 1.2.. ..2.. 55555"],
        ["1...2 ..... ..... ..... 55555", "1.... ..... ..... ....2 55555"],
    ]);
}

#[test]
fn what_is_drawn_behind_leaves_what_is_there() {
    solves(&[
        ["...... .2..7. ...... .7....", ".2.... .2..7. .2.... .7...."],
        ["....2. 7..... ....7. ......", "....2. 7...2. ....7. ....2."],
        ["...7.. ...... ...2.. ......", "...7.. ...2.. ...2.. ...2.."],
        [".7.... ..2... ...... ..7...", ".72... ..2... ..2... ..7..."],
    ]);
}

#[test]
fn a_pattern_that_the_demos_show_beside_objects_is_drawn() {
    solves(&[
        ["....... .8..... ....... ....... .......", "....... .8.3... .43.... ....... ......."],
        ["....... ....... ....... ..8.... .......", "....... ....... ....... ..8.3.. ..43..."],
        ["....... .....6. ...8... ....... .......", "....... .....6. ...8.3. ...43.. ......."],
        ["....... ....... .8..... ....... .......", "....... ....... .8.3... .43.... ......."],
    ]);
}

#[test]
fn a_template_is_drawn_where_its_colours_occur() {
    solves(&[
        [
            "........ .213.... .1...... ........ ........ ...2.3.. ........ ........",
            "........ .213.... .1...... ........ ........ ...213.. ...1.... ........",
        ],
        [
            "2.4..... ........ .....214 .....1.. ........ ........ ...2.4.. ........",
            "214..... 1....... .....214 .....1.. ........ ........ ...214.. ...1....",
        ],
        [
            "........ ........ ........ ........ ..2.3... .....213 .....1.. ........",
            "........ ........ ........ ........ ..213... ..1..213 .....1.. ........",
        ],
    ]);
}

#[test]
fn the_object_that_a_tree_chooses_is_the_output() {
    solves(&[
        ["111.... 1.1.22. 111.22. .......", "1"],
        ["333.... 333.444 ....4.4 ....444", "4"],
        [".222... .2.2.33 .222.33 .......", "2"],
        ["55..666 55..6.6 ....666 .......", "6"],
    ]);
}

#[test]
fn the_background_may_be_any_colour() {
    solves(&[
        ["28188 88888 88888 88888 55555", "88188 88888 88888 28888 55555"],
        ["81828 81888 88888 88888 55555", "81888 81888 88888 88828 55555"],
        ["88288 88288 18888 88888 55555", "88888 88888 18288 88288 55555"],
        ["18882 88888 88888 88888 55555", "18888 88888 88888 88882 55555"],
    ]);
}

#[test]
fn what_one_rule_begins_another_one_ends() {
    let attempt = solves(&[
        [".2... ..... ..... ..... 55555", "..... ..... ..... .23.. 55555"],
        ["..... ...2. ..... ..... 55555", "..... ..... ..... ...23 55555"],
        ["..... ..... ..2.. ..... 55555", "..... ..... ..... ..23. 55555"],
        ["2.... ..... ..... ..... 55555", "..... ..... ..... 23... 55555"],
    ]);
    assert!(attempt.how.contains("after another rule"), "{}", attempt.how);
}

#[test]
fn objects_that_a_tree_chooses_are_mirrored_about_another_one() {
    solves(&[
        [
            "....... ..3.... ....... 7777777 .....1. ....... .......",
            "....... ....... ....... 7777777 .....1. ..3.... .......",
        ],
        [
            "....... ....... 7777777 ....... ....... .1..... .......",
            "....... ....... 7777777 ....... ....... .1..... .......",
        ],
        [
            "...33.. ....... ....... 7777777 ....... 1...... .......",
            "....... ....... ....... 7777777 ....... 1...... ...33..",
        ],
        [
            "....... .3..... ....... 7777777 .....1. ....... .......",
            "....... ....... ....... 7777777 .....1. .3..... .......",
        ],
    ]);
}
