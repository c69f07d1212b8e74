//! Seeds: what an enumeration begins with. Constants are those that the demos speak of; what the tests should
//! give is not known here.

use batt_core::{Cx, Tag, Val};
use batt_lang::Value;
use batt_lang::program::NodeId;
use batt_run::engine::cpu::to_val;
use batt_run::tasks::Grid;

use super::bank::{Bank, How};
use super::pack;
use super::sort::Sort;
use crate::part::Problem;
use crate::store::Store;

/// What a view costs besides its calls,
const VIEW: u16 = 2;
/// and at most.
const MAX_VIEW: u16 = 8;
/// A feature of the library costs as much and a third of its calls;
const FEATURE: u16 = 4;
/// what shapes a grid has, or what colour.
const SHAPES: u16 = 2;
/// Steps to the eight sides, and other places that programs often name.
const STEPS: [(i32, i32, u16); 12] = [
    (0, 0, 2),
    (-1, 0, 2),
    (1, 0, 2),
    (0, -1, 2),
    (0, 1, 2),
    (1, 1, 2),
    (-1, -1, 3),
    (-1, 1, 3),
    (1, -1, 3),
    (2, 2, 4),
    (3, 3, 4),
    (1, 2, 5),
];

/// Puts the input, the views and constants into a bank.
pub fn plant(
    problem: &Problem,
    features: &[(NodeId, Vec<Value>)],
    store: &mut Store,
    cx: Cx,
    bank: &mut Bank,
) {
    let samples = problem.inputs.len();
    let inputs: Vec<Val> = problem.inputs.iter().map(|grid| pack(cx, grid)).collect();
    bank.add(cx, &inputs, Sort::Grid, 1, How::Given(Store::INPUT));
    for (color, cost) in colors(&problem.inputs, &problem.outputs) {
        let node = store.int(i32::from(color));
        let val = Val::int(i32::from(color));
        bank.add(cx, &vec![val; samples], Sort::Color, cost, How::Given(node));
    }
    for (number, cost) in numbers(&problem.inputs, &problem.outputs) {
        let node = store.int(number);
        bank.add(cx, &vec![Val::int(number); samples], Sort::Number, cost, How::Given(node));
    }
    let sizes: Vec<(i32, i32)> = problem.outputs.iter().map(|grid| size(grid)).collect();
    let same = sizes.iter().all(|size| *size == sizes[0]);
    let steps = sizes.first().filter(|_| same).map(|(i, j)| (*i, *j, 1));
    for (i, j, cost) in steps.into_iter().chain(STEPS) {
        let node = store.value(Value::Pair(i, j));
        bank.add(cx, &vec![Val::pair(i, j); samples], Sort::Step, cost, How::Given(node));
    }
    for view in &problem.views {
        let vals: Vec<Val> = view.grids.iter().map(|grid| pack(cx, grid)).collect();
        let cost = (VIEW + view.calls as u16).min(MAX_VIEW);
        bank.add(cx, &vals, Sort::Grid, cost, How::Given(view.node));
    }
    for (node, values) in features {
        let vals: Vec<Val> = values.iter().map(|value| to_val(cx, value)).collect();
        let calls = store.calls(*node) as u16;
        let (sort, cost) = match vals.iter().find(|val| !val.is_empty_set()).map(|val| val.tag()) {
            Some(Tag::Grid) => (Sort::Grid, (FEATURE + calls / 3).min(MAX_VIEW)),
            Some(Tag::Mask) => (Sort::Mask, (FEATURE + calls / 3).min(MAX_VIEW)),
            Some(Tag::Object) => (Sort::Object, (FEATURE + calls / 3).min(MAX_VIEW)),
            Some(Tag::Set) => (Sort::Shapes, (SHAPES + calls / 3).min(MAX_VIEW)),
            Some(Tag::Int) => (Sort::Color, (SHAPES + calls / 3).min(MAX_VIEW)),
            _ => continue,
        };
        bank.add(cx, &vals, sort, cost, How::Given(*node));
    }
}

fn size(grid: &Grid) -> (i32, i32) {
    (grid.height() as i32, grid.width() as i32)
}

fn has(grid: &Grid, color: u8) -> bool {
    grid.rows().flatten().any(|cell| *cell == color)
}

/// The colours of the demos, each with what it costs: one that all outputs have is most likely to matter.
fn colors(inputs: &[Grid], outputs: &[&Grid]) -> Vec<(u8, u16)> {
    let inputs = &inputs[..outputs.len()];
    let cost = |color: u8| {
        let in_outputs = outputs.iter().filter(|grid| has(grid, color)).count();
        let in_inputs = inputs.iter().filter(|grid| has(grid, color)).count();
        if color == 0 || in_outputs == outputs.len() {
            Some(1)
        } else if in_outputs > 0 || in_inputs == inputs.len() {
            Some(2)
        } else {
            (in_inputs > 0).then_some(3)
        }
    };
    let mut colors: Vec<(u8, u16)> =
        (0..10).filter_map(|color| cost(color).map(|cost| (color, cost))).collect();
    colors.sort_by_key(|(color, cost)| (*cost, *color));
    colors
}

/// Small numbers, the sides of outputs that have the same size, and how many times larger they are.
fn numbers(inputs: &[Grid], outputs: &[&Grid]) -> Vec<(i32, u16)> {
    let mut numbers = vec![(2, 1), (3, 2), (1, 2), (4, 3), (5, 4)];
    let sides = |from: (i32, i32), to: (i32, i32)| {
        let times = |from: i32, to: i32| (to % from == 0).then_some(to / from);
        [Some(to.0), Some(to.1), times(from.0, to.0), times(from.1, to.1)]
    };
    let mut all =
        inputs.iter().zip(outputs).map(|(input, output)| sides(size(input), size(output)));
    let first = all.next().unwrap_or_default();
    let same = all.fold(first, |same, other| {
        let mut kept = same;
        for (kept, other) in kept.iter_mut().zip(other) {
            *kept = kept.filter(|number| Some(*number) == other);
        }
        kept
    });
    for number in same.into_iter().flatten() {
        numbers.insert(0, (number, 1));
    }
    numbers
}
