//! Frames: grids whose colours play the same parts in every sample, and the way back from them.
//!
//! The colours that differ between samples are put in an order: of how many cells they have, or of where they
//! begin. A rule that is learnt on such grids is about the commonest colour or the next one, whichever they
//! are. And where 0 is not the commonest colour, the two are exchanged. Other frames turn grids, or have one cell
//! for each panel or block.

use batt_lang::program::{Callee, Expr, NodeId};
use batt_lang::{Op, Value};
use batt_run::tasks::Grid;

use crate::native::{ItemsOf, Picture, commonest};
use crate::part::Problem;
use crate::store::{Given, Store};

mod coarse;
mod turned;

/// Inputs in other colours or turned, and how to come back.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The inputs in other colours or turned.
    pub node: NodeId,
    /// What that gives.
    pub grids: Vec<Grid>,
    /// The demos' outputs, in the same way.
    pub targets: Vec<Grid>,
    way: Way,
    back: Back,
    /// How many simpler frames there are.
    pub place: usize,
}

/// What the grids of every sample come back by.
#[derive(Clone, Debug)]
enum Back {
    /// What the colours stand for.
    Colors(Vec<[u8; 10]>),
    /// Whether they were transposed, then turned upside down, then left to right.
    Turned(Vec<[bool; 3]>),
    /// The panels that are filled.
    Panels(Vec<coarse::Panels>),
    /// As many cells, one way and the other, were one.
    Scaled(usize),
}

/// How a frame was made.
#[derive(Clone, Debug)]
enum Way {
    /// Colours that are put in, from the first, and the objects of those that they stand for.
    Ranked(NodeId, NodeId),
    /// The commonest colour for 0.
    Switched(NodeId),
    /// Functions that were applied one after the other, each of which undoes itself.
    Turned(Vec<NodeId>),
    /// The panels that are filled.
    Panels(NodeId),
    /// As many cells, one way and the other, were one.
    Scaled(NodeId),
}

/// What colours are put in order by: its expression is a function of the object of a colour.
type Key = (fn(&Picture, u8) -> i32, fn(&mut Store) -> NodeId);

const KEYS: [Key; 5] = [
    (
        |picture, color| -(picture.counts()[usize::from(color)] as i32),
        |store| {
            let [invert, size] = [Op::Invert, Op::Size].map(|op| store.prim(op));
            store.call(Op::Compose, &[invert, size])
        },
    ),
    (
        |picture, color| first(picture, color, false),
        |store| written(store, "compose(first, toindices)"),
    ),
    (
        |picture, color| first(picture, color, true),
        |store| written(store, "chain(fork(astuple, last, first), rbind(argmin, last), toindices)"),
    ),
    (
        |picture, color| -objects(picture, color).max().unwrap_or(0),
        |store| {
            written(
                store,
                "chain(invert, rbind(valmax, size), compose(lbind(colorfilter, objects(I, T, T, F)), color))",
            )
        },
    ),
    (
        |picture, color| -(objects(picture, color).count() as i32),
        |store| {
            written(
                store,
                "chain(invert, size, compose(lbind(colorfilter, objects(I, T, T, F)), color))",
            )
        },
    ),
];

/// The place of the first cell of a colour, row by row or column by column.
fn first(picture: &Picture, color: u8, by_column: bool) -> i32 {
    let cells = picture.locations().zip(&picture.cells).filter(|(_, c)| **c == color);
    let place = |((i, j), _): ((i32, i32), &u8)| {
        if by_column { j * picture.height + i } else { i * picture.width + j }
    };
    cells.map(place).min().unwrap_or(i32::MAX)
}

/// The sizes of the objects of a colour.
fn objects(picture: &Picture, color: u8) -> impl Iterator<Item = i32> {
    let items = ItemsOf::OneColor { diagonal: true, zero: false }.items(picture).into_iter();
    items.filter(move |item| item.cells[0].0 == color).map(|item| item.cells.len() as i32)
}

/// A key that is written out; its text is fixed and is read by the tests.
fn written(store: &mut Store, text: &str) -> NodeId {
    store.read(text, Given::grid(Store::INPUT)).unwrap_or(Store::INPUT)
}

const SAME: [u8; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

impl Frame {
    /// The frames of a task, the simplest first.
    pub fn all(problem: &Problem, store: &mut Store) -> Vec<Frame> {
        let pictures: Vec<Picture> = problem.inputs.iter().map(Picture::of).collect();
        let mut frames: Vec<Frame> = Vec::new();
        let switched = switched(problem, &pictures, store);
        let ranked: Vec<Frame> =
            KEYS.iter().filter_map(|key| ranked(problem, &pictures, key, store)).collect();
        let turned = turned::all(problem, store);
        let coarse = coarse::all(problem, store);
        for frame in coarse.into_iter().chain(ranked).chain(switched).chain(turned) {
            let known = frames.iter().any(|other| other.grids == frame.grids);
            if !known && frame.grids != problem.inputs {
                frames.push(Frame { place: frames.len(), ..frame });
            }
        }
        frames
    }

    /// What a grid in these colours is in the task's own.
    pub fn written_back(&self, store: &mut Store, made: NodeId) -> NodeId {
        let (slots, ranked) = match &self.way {
            Way::Ranked(slots, ranked) => (*slots, *ranked),
            Way::Switched(ground) => {
                let zero = store.int(0);
                return store.call(Op::Switch, &[made, *ground, zero]);
            }
            Way::Panels(panels) => return coarse::written_back(store, made, *panels),
            Way::Scaled(factor) => return store.call(Op::Upscale, &[made, *factor]),
            Way::Turned(functions) => {
                return functions.iter().rev().fold(made, |made, function| {
                    store.add(Expr::Call { callee: Callee::Node(*function), args: vec![made] })
                });
            }
        };
        let [color, ofcolor, recolor] =
            [Op::Color, Op::Ofcolor, Op::Recolor].map(|op| store.prim(op));
        let colors = store.call(Op::Apply, &[color, ranked]);
        let cells = store.call(Op::Lbind, &[ofcolor, made]);
        let cells = store.call(Op::Apply, &[cells, slots]);
        let changed = store.call(Op::Mpapply, &[recolor, colors, cells]);
        store.call(Op::Paint, &[made, changed])
    }

    /// The frame whose colours are exchanged in this way.
    fn exchanged(
        problem: &Problem,
        there: &[[u8; 10]],
        back: Vec<[u8; 10]>,
        node: NodeId,
        way: Way,
    ) -> Option<Frame> {
        let grids = problem.inputs.iter().zip(there).map(|(grid, to)| recolored(grid, to));
        let targets = problem.outputs.iter().zip(there).map(|(grid, to)| recolored(grid, to));
        let (grids, targets) =
            (grids.collect::<Option<Vec<_>>>()?, targets.collect::<Option<Vec<_>>>()?);
        Some(Frame { node, grids, targets, way, back: Back::Colors(back), place: 0 })
    }

    /// Whether its grids are turned.
    pub fn is_turned(&self) -> bool {
        matches!(self.way, Way::Turned(_))
    }

    /// What grids of the last samples in this frame are without it.
    pub fn back(&self, tests: &[Grid]) -> Option<Vec<Grid>> {
        match &self.back {
            Back::Colors(back) => {
                let back = &back[back.len() - tests.len()..];
                tests.iter().zip(back).map(|(grid, from)| recolored(grid, from)).collect()
            }
            Back::Panels(panels) => {
                let panels = &panels[panels.len() - tests.len()..];
                tests.iter().zip(panels).map(|(grid, panels)| panels.filled(grid)).collect()
            }
            Back::Scaled(scale) => tests.iter().map(|grid| coarse::larger(grid, *scale)).collect(),
            Back::Turned(turns) => {
                let turns = &turns[turns.len() - tests.len()..];
                tests.iter().zip(turns).map(|(grid, turn)| turned::back(grid, *turn)).collect()
            }
        }
    }
}

/// The frame in which the commonest colour of every input and 0 are exchanged.
fn switched(problem: &Problem, pictures: &[Picture], store: &mut Store) -> Option<Frame> {
    let exchange = |picture: &Picture| {
        let ground = commonest(&picture.counts())?;
        let mut to = SAME;
        to.swap(0, usize::from(ground));
        Some(to)
    };
    let to: Vec<[u8; 10]> = pictures.iter().map(exchange).collect::<Option<_>>()?;
    let ground = store.call(Op::Mostcolor, &[Store::INPUT]);
    let zero = store.int(0);
    let node = store.call(Op::Switch, &[Store::INPUT, ground, zero]);
    Frame::exchanged(problem, &to, to.clone(), node, Way::Switched(ground))
}

/// The frame in which the colours that differ between samples are put in an order; `None` where fewer than two
/// do, or an output has one of them that its input lacks.
fn ranked(
    problem: &Problem,
    pictures: &[Picture],
    (key, key_written): &Key,
    store: &mut Store,
) -> Option<Frame> {
    let counts: Vec<[u32; 10]> = pictures.iter().map(Picture::counts).collect();
    let made: Vec<[u32; 10]> =
        problem.outputs.iter().map(|output| Picture::of(output).counts()).collect();
    let demos = &counts[..made.len()];
    let is_fixed = |color: usize| {
        let always = demos.iter().all(|counts| counts[color] > 0);
        let never = demos.iter().all(|counts| counts[color] == 0);
        // 0 takes part where it is nowhere: then the first of the others becomes the background.
        color == 0 && counts.iter().chain(&made).any(|counts| counts[0] > 0)
            || always && color > 0
            || never && made.iter().any(|counts| counts[color] > 0)
    };
    let slots: Vec<usize> = (0..10).filter(|color| !is_fixed(*color)).collect();
    let lacks = |(counts, made): (&[u32; 10], &[u32; 10])| {
        slots.iter().any(|slot| counts[*slot] == 0 && made[*slot] > 0)
    };
    if slots.len() < 2 || demos.iter().zip(&made).any(lacks) {
        return None;
    }
    let (mut there, mut back) = (Vec::new(), Vec::new());
    for (picture, counts) in pictures.iter().zip(&counts) {
        let mut present: Vec<usize> =
            slots.iter().copied().filter(|slot| counts[*slot] > 0).collect();
        present.sort_by_key(|color| key(picture, *color as u8));
        let (mut to, mut from) = (SAME, SAME);
        for (color, slot) in present.iter().zip(&slots) {
            to[*color] = *slot as u8;
            from[*slot] = *color as u8;
        }
        there.push(to);
        back.push(from);
    }
    let colors = slots.iter().map(|slot| Value::Int(*slot as i32)).collect();
    let slots = store.value(Value::tuple(colors));
    let [contained, color, recolor] =
        [Op::Contained, Op::Color, Op::Recolor].map(|op| store.prim(op));
    let among = store.call(Op::Rbind, &[contained, slots]);
    let among = store.call(Op::Compose, &[among, color]);
    let parts = store.call(Op::Partition, &[Store::INPUT]);
    let parts = store.call(Op::Sfilter, &[parts, among]);
    let key = key_written(store);
    let ranked = store.call(Op::Order, &[parts, key]);
    let changed = store.call(Op::Mpapply, &[recolor, slots, ranked]);
    let node = store.call(Op::Paint, &[Store::INPUT, changed]);
    Frame::exchanged(problem, &there, back, node, Way::Ranked(slots, ranked))
}

fn recolored(grid: &Grid, to: &[u8; 10]) -> Option<Grid> {
    let rows = grid.rows().map(|row| row.iter().map(|c| to[usize::from(*c)]).collect());
    Grid::from_rows(&rows.collect::<Vec<Vec<u8>>>())
}

#[cfg(test)]
mod tests {
    use batt_run::reference::eval::{self, Inputs, Policy};

    use super::*;
    use crate::evaluate::grid_of;

    /// A grid drawn with digits, rows apart by spaces.
    fn grid(rows: &str) -> Grid {
        let rows = rows.split(' ').map(|row| row.bytes().map(|c| c - b'0').collect());
        Grid::from_rows(&rows.collect::<Vec<Vec<u8>>>()).unwrap()
    }

    fn given(store: &Store, node: NodeId, input: &Grid) -> Option<Grid> {
        let program = store.program(node, "own");
        let (s, i) = (Value::empty_tuple(), input.to_value());
        let inputs = Inputs { s: &s, i: &i, c: None };
        eval::run(&program, &inputs, Policy::Strict).ok().and_then(|value| grid_of(&value))
    }

    /// The frames of a task: their expressions give what they say, and lead back to the inputs.
    fn frames(inputs: &[&str], outputs: &[&str]) -> Vec<Frame> {
        let inputs: Vec<Grid> = inputs.iter().map(|rows| grid(rows)).collect();
        let outputs: Vec<Grid> = outputs.iter().map(|rows| grid(rows)).collect();
        let problem = Problem::new(inputs.clone(), outputs.iter().collect(), 0);
        let mut store = Store::default();
        let frames = Frame::all(&problem, &mut store);
        for frame in &frames {
            let back = frame.written_back(&mut store, frame.node);
            for (input, wanted) in inputs.iter().zip(&frame.grids) {
                assert_eq!(given(&store, frame.node, input).as_ref(), Some(wanted), "{frame:?}");
                assert_eq!(given(&store, back, input).as_ref(), Some(input), "{frame:?}");
            }
            assert_eq!(frame.back(&frame.grids).unwrap(), inputs);
            let all: Vec<Grid> =
                frame.targets.iter().chain(&frame.grids[outputs.len()..]).cloned().collect();
            assert_eq!(frame.back(&all).unwrap()[..outputs.len()], outputs);
        }
        frames
    }

    #[test]
    fn colours_come_back_as_they_were() {
        let frames = frames(&["112 000", "433 000", "233 000"], &["111 000", "333 000"]);
        // The commonest colour is the first of those that differ, the other one the next.
        assert_eq!(frames[0].grids[1], grid("211 000"));
        assert_eq!(frames[0].targets[0], frames[0].targets[1]);
    }

    #[test]
    fn where_0_is_nowhere_the_commonest_colour_takes_its_place() {
        let frames = frames(&["1112 1111", "4443 4444", "2272 2222"], &["1122 1111", "4433 4444"]);
        assert!(
            frames
                .iter()
                .any(|frame| { frame.grids[..2] == [grid("0001 0000"), grid("0001 0000")] })
        );
    }

    #[test]
    fn grids_are_turned_by_what_is_in_them() {
        let (inputs, outputs) = (
            ["1111 0200 0000 0000", "0000 0000 0020 1111", "1000 1200 1000 1000"],
            ["1111 0200 0300 0000", "0000 0030 0020 1111"],
        );
        let turned = frames(&inputs, &outputs);
        let turned: Vec<&Frame> = turned.iter().filter(|frame| frame.is_turned()).collect();
        // All three have their bar at the top in some of them.
        let at_top = |grid: &Grid| grid.rows().next() == Some(&[1, 1, 1, 1][..]);
        assert!(turned.iter().any(|frame| frame.grids[..2].iter().all(at_top)));
        assert!(
            turned.iter().any(|frame| at_top(&frame.grids[2]) || frame.grids[2] != grid(inputs[2]))
        );
    }

    #[test]
    fn panels_and_blocks_are_cells() {
        let panels = frames(
            &["11500 11500 55555 00522 00522", "33533 33533 55555 00500 00500"],
            &["11511 11511 55555 22522 22522"],
        );
        assert_eq!(panels[0].grids, [grid("10 02"), grid("33 00")]);
        assert_eq!(panels[0].targets, [grid("11 22")]);
        let blocks =
            frames(&["1100 1100 0022 0022", "3300 3300 0000 0000"], &["1111 1111 0022 0022"]);
        assert!(blocks.iter().any(|frame| frame.grids[0] == grid("10 02")));
    }
}
