//! Frames whose grids are turned: each sample so that a part of it lies at the top and on the left, or so that
//! it is longer one way than the other.
//!
//! They are for tasks in which samples differ in the side that something begins on, or goes to.

use batt_lang::Op;
use batt_lang::program::{Callee, Expr, NodeId};
use batt_run::tasks::Grid;

use super::{Back, Frame, Way};
use crate::native::{Item, ItemsOf, Picture, Turn, commonest, rarest};
use crate::part::Problem;
use crate::store::{Given, Store};

/// What lies at the top and on the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Nothing; no side is preferred.
    Nothing,
    /// Most cells that are not 0.
    Mass,
    /// The rarest colour but 0.
    Rarest,
    /// The commonest colour but 0.
    Commonest,
    /// The largest object.
    Largest,
}

/// What says that rows become columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Along {
    /// Nothing does.
    Nothing,
    /// More cells are like the one above than like the one beside.
    Texture,
    /// The grid is higher than wide.
    Shape,
    /// The largest object is higher than wide.
    Largest,
    /// All that is not 0 is higher than wide.
    Foreground,
}

const FOREGROUND: &str = "mfilter(partition(I), compose(flip, matcher(color, ZERO)))";
const LARGEST: &str =
    "argmax(difference(objects(I, T, T, F), colorfilter(objects(I, T, T, F), ZERO)), size)";

/// The ways in which grids are turned, the simplest first.
const ALL: [(Along, Part); 14] = [
    (Along::Texture, Part::Nothing),
    (Along::Shape, Part::Nothing),
    (Along::Nothing, Part::Mass),
    (Along::Nothing, Part::Rarest),
    (Along::Nothing, Part::Commonest),
    (Along::Nothing, Part::Largest),
    (Along::Largest, Part::Nothing),
    (Along::Foreground, Part::Nothing),
    (Along::Largest, Part::Mass),
    (Along::Foreground, Part::Mass),
    (Along::Foreground, Part::Rarest),
    (Along::Largest, Part::Rarest),
    (Along::Texture, Part::Mass),
    (Along::Shape, Part::Mass),
];

/// As many frames of this kind a task has.
const MOST: usize = 5;

/// The frames whose grids are turned in different ways in some of the samples.
pub(super) fn all(problem: &Problem, store: &mut Store) -> Vec<Frame> {
    let mut found: Vec<(Vec<[bool; 3]>, Frame)> = Vec::new();
    for (along, part) in ALL {
        if found.len() == MOST {
            break;
        }
        let Some(turns) = turns(problem, along, part) else { continue };
        let alike = turns.iter().all(|turn| *turn == turns[0]);
        if alike || found.iter().any(|(other, _)| *other == turns) {
            continue;
        }
        if let Some(frame) = frame(problem, along, part, &turns, store) {
            found.push((turns, frame));
        }
    }
    found.into_iter().map(|(_, frame)| frame).collect()
}

/// For every sample whether it is transposed, then turned upside down, then left to right.
fn turns(problem: &Problem, along: Along, part: Part) -> Option<Vec<[bool; 3]>> {
    let turn = |grid: &Grid| {
        let picture = Picture::of(grid);
        let transposed = is_transposed(&picture, along)?;
        let picture = if transposed { Turn::Transposed.of(&picture) } else { picture };
        let [rows, columns] = is_turned(&picture, part)?;
        Some([transposed, rows, columns])
    };
    problem.inputs.iter().map(turn).collect()
}

/// What a grid is when it is turned so, and when it is turned back.
pub(super) fn there(grid: &Grid, [transposed, rows, columns]: [bool; 3]) -> Option<Grid> {
    let steps = [(transposed, Turn::Transposed), (rows, Turn::Rows), (columns, Turn::Columns)];
    in_turn(grid, steps)
}

pub(super) fn back(grid: &Grid, [transposed, rows, columns]: [bool; 3]) -> Option<Grid> {
    let steps = [(columns, Turn::Columns), (rows, Turn::Rows), (transposed, Turn::Transposed)];
    in_turn(grid, steps)
}

fn in_turn(grid: &Grid, steps: [(bool, Turn); 3]) -> Option<Grid> {
    let taken = steps.into_iter().filter(|(taken, _)| *taken);
    let picture = taken.fold(Picture::of(grid), |picture, (_, turn)| turn.of(&picture));
    Grid::from_rows(&picture.cells.chunks(picture.width as usize).collect::<Vec<_>>())
}

/// The first and last row and column of the largest object.
fn largest(picture: &Picture) -> Option<(i32, i32, i32, i32)> {
    let items = ItemsOf::OneColor { diagonal: true, zero: false }.items(picture);
    let mut best: Option<&Item> = None;
    for item in &items {
        if best.is_none_or(|best| item.cells.len() > best.cells.len()) {
            best = Some(item);
        }
    }
    best.map(|item| (item.top, item.left, item.bottom, item.right))
}

/// The first and last row and column of cells that are so.
fn extent(picture: &Picture, is: impl Fn(u8) -> bool) -> Option<(i32, i32, i32, i32)> {
    let cells = picture.locations().zip(&picture.cells).filter(|(_, color)| is(**color));
    cells
        .map(|((i, j), _)| (i, j, i, j))
        .reduce(|a, b| (a.0.min(b.0), a.1.min(b.1), a.2.max(b.2), a.3.max(b.3)))
}

fn is_transposed(picture: &Picture, along: Along) -> Option<bool> {
    let higher = |(top, left, bottom, right): (i32, i32, i32, i32)| bottom - top > right - left;
    Some(match along {
        Along::Nothing => false,
        Along::Shape => picture.height > picture.width,
        Along::Largest => higher(largest(picture)?),
        Along::Foreground => higher(extent(picture, |color| color > 0)?),
        Along::Texture => {
            let alike = |di: i32, dj: i32| {
                let same = |(i, j): &(i32, i32)| {
                    picture.at(i + di, j + dj) == Some(picture.cells[picture.place(*i, *j)])
                };
                picture.locations().filter(same).count()
            };
            alike(1, 0) > alike(0, 1)
        }
    })
}

fn is_turned(picture: &Picture, part: Part) -> Option<[bool; 2]> {
    let mut counts = picture.counts();
    counts[0] = 0;
    let (top, left, bottom, right) = match part {
        Part::Nothing => return Some([false, false]),
        Part::Mass => {
            let (h, w) = (picture.height, picture.width);
            let free = |rows: std::ops::Range<i32>, columns: std::ops::Range<i32>| {
                let all = rows.flat_map(|i| columns.clone().map(move |j| (i, j)));
                all.filter(|(i, j)| picture.at(*i, *j) == Some(0)).count()
            };
            return Some([
                free(0..h / 2, 0..w) > free(h - h / 2..h, 0..w),
                free(0..h, 0..w / 2) > free(0..h, w - w / 2..w),
            ]);
        }
        Part::Rarest => {
            let color = rarest(&counts)?;
            extent(picture, |c| c == color)?
        }
        Part::Commonest => {
            let color = commonest(&counts)?;
            extent(picture, |c| c == color)?
        }
        Part::Largest => largest(picture)?,
    };
    Some([top + bottom > picture.height - 1, left + right > picture.width - 1])
}

/// The frame of such turns, with its expression.
fn frame(
    problem: &Problem,
    along: Along,
    part: Part,
    turns: &[[bool; 3]],
    store: &mut Store,
) -> Option<Frame> {
    let grids = problem.inputs.iter().zip(turns).map(|(grid, turn)| there(grid, *turn));
    let targets = problem.outputs.iter().zip(turns).map(|(grid, turn)| there(grid, *turn));
    let (grids, targets) =
        (grids.collect::<Option<Vec<_>>>()?, targets.collect::<Option<Vec<_>>>()?);
    let (mut node, mut undo) = (Store::INPUT, Vec::new());
    let transposed = match along {
        Along::Nothing => None,
        Along::Texture => Some(
            "greater(size(intersection(asobject(I), shift(asobject(I), UP))), size(intersection(asobject(I), shift(asobject(I), LEFT))))".to_string(),
        ),
        Along::Shape => Some("greater(height(I), width(I))".to_string()),
        Along::Largest => Some(format!("portrait({LARGEST})")),
        Along::Foreground => Some(format!("portrait({FOREGROUND})")),
    };
    if let Some(condition) = transposed {
        node = step(store, &condition, Op::Dmirror, node, &mut undo)?;
    }
    let cells = match part {
        Part::Nothing | Part::Mass => String::new(),
        Part::Rarest => format!("ofcolor(I, leastcolor({FOREGROUND}))"),
        Part::Commonest => format!("ofcolor(I, mostcolor({FOREGROUND}))"),
        Part::Largest => LARGEST.to_string(),
    };
    let conditions = match part {
        Part::Nothing => None,
        Part::Mass => Some([
            "greater(colorcount(tophalf(I), ZERO), colorcount(bottomhalf(I), ZERO))".to_string(),
            "greater(colorcount(lefthalf(I), ZERO), colorcount(righthalf(I), ZERO))".to_string(),
        ]),
        _ => Some([
            format!("greater(add(uppermost({cells}), lowermost({cells})), decrement(height(I)))"),
            format!("greater(add(leftmost({cells}), rightmost({cells})), decrement(width(I)))"),
        ]),
    };
    if let Some([rows, columns]) = conditions {
        let before = node;
        for (condition, op) in [(rows, Op::Hmirror), (columns, Op::Vmirror)] {
            // Turning rows changes nothing about columns, so both are asked of the same grid.
            let given = Given::grid(before);
            let condition = store.read(&condition, given).ok()?;
            node = choice(store, condition, op, node, &mut undo);
        }
    }
    let back = Back::Turned(turns.to_vec());
    Some(Frame { node, grids, targets, way: Way::Turned(undo), back, place: 0 })
}

fn step(
    store: &mut Store,
    condition: &str,
    op: Op,
    node: NodeId,
    undo: &mut Vec<NodeId>,
) -> Option<NodeId> {
    let condition = store.read(condition, Given::grid(node)).ok()?;
    Some(choice(store, condition, op, node, undo))
}

/// What a primitive makes of a grid where a condition holds, and the grid where it does not.
fn choice(
    store: &mut Store,
    condition: NodeId,
    op: Op,
    node: NodeId,
    undo: &mut Vec<NodeId>,
) -> NodeId {
    let (turn, identity) = (store.prim(op), store.prim(Op::Identity));
    let function = store.call(Op::Branch, &[condition, turn, identity]);
    undo.push(function);
    store.add(Expr::Call { callee: Callee::Node(function), args: vec![node] })
}
