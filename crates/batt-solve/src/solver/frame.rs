//! Frames: grids whose colours play the same parts in every sample, and the way back from them.
//!
//! The colours that differ between samples are put in the order of how many cells they have. A rule that is
//! learnt on such grids is about the commonest colour or the next one, whichever they are.

use batt_lang::program::NodeId;
use batt_lang::{Op, Value};
use batt_run::tasks::Grid;

use crate::native::Picture;
use crate::part::Problem;
use crate::store::Store;

/// Inputs in other colours, and how to come back.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The inputs in other colours.
    pub node: NodeId,
    /// What that gives.
    pub grids: Vec<Grid>,
    /// The demos' outputs, in the same colours.
    pub targets: Vec<Grid>,
    /// The colours that are put in, from the first.
    slots: NodeId,
    /// The objects of the colours that they stand for.
    ranked: NodeId,
    /// For every sample, what the colours stand for.
    back: Vec<[u8; 10]>,
}

impl Frame {
    /// The frame of a task; `None` where fewer than two colours differ between its samples, or an output has
    /// one of them that its input lacks.
    pub fn new(problem: &Problem, store: &mut Store) -> Option<Frame> {
        let pictures: Vec<Picture> = problem.inputs.iter().map(Picture::of).collect();
        let counts: Vec<[u32; 10]> = pictures.iter().map(Picture::counts).collect();
        let made: Vec<[u32; 10]> =
            problem.outputs.iter().map(|output| Picture::of(output).counts()).collect();
        let demos = &counts[..made.len()];
        let is_fixed = |color: usize| {
            let always = demos.iter().all(|counts| counts[color] > 0);
            let never = demos.iter().all(|counts| counts[color] == 0);
            color == 0 || always || never && made.iter().any(|counts| counts[color] > 0)
        };
        let slots: Vec<usize> = (0..10).filter(|color| !is_fixed(*color)).collect();
        let lacks = |(counts, made): (&[u32; 10], &[u32; 10])| {
            slots.iter().any(|slot| counts[*slot] == 0 && made[*slot] > 0)
        };
        if slots.len() < 2 || demos.iter().zip(&made).any(lacks) {
            return None;
        }
        let (mut there, mut back) = (Vec::new(), Vec::new());
        for counts in &counts {
            let mut present: Vec<usize> =
                slots.iter().copied().filter(|slot| counts[*slot] > 0).collect();
            present.sort_by_key(|color| std::cmp::Reverse(counts[*color]));
            let same: [u8; 10] = std::array::from_fn(|color| color as u8);
            let (mut to, mut from) = (same, same);
            for (color, slot) in present.iter().zip(&slots) {
                to[*color] = *slot as u8;
                from[*slot] = *color as u8;
            }
            there.push(to);
            back.push(from);
        }
        let grids = problem.inputs.iter().zip(&there).map(|(grid, to)| recolored(grid, to));
        let targets = problem.outputs.iter().zip(&there).map(|(grid, to)| recolored(grid, to));
        let (grids, targets) =
            (grids.collect::<Option<Vec<_>>>()?, targets.collect::<Option<Vec<_>>>()?);
        if grids == problem.inputs {
            return None;
        }
        let colors = slots.iter().map(|slot| Value::Int(*slot as i32)).collect();
        let slots = store.value(Value::tuple(colors));
        let [contained, color, invert, size, recolor] =
            [Op::Contained, Op::Color, Op::Invert, Op::Size, Op::Recolor].map(|op| store.prim(op));
        let among = store.call(Op::Rbind, &[contained, slots]);
        let among = store.call(Op::Compose, &[among, color]);
        let parts = store.call(Op::Partition, &[Store::INPUT]);
        let parts = store.call(Op::Sfilter, &[parts, among]);
        let fewer = store.call(Op::Compose, &[invert, size]);
        let ranked = store.call(Op::Order, &[parts, fewer]);
        let changed = store.call(Op::Mpapply, &[recolor, slots, ranked]);
        let node = store.call(Op::Paint, &[Store::INPUT, changed]);
        Some(Frame { node, grids, targets, slots, ranked, back })
    }

    /// What a grid in these colours is in the task's own.
    pub fn written_back(&self, store: &mut Store, made: NodeId) -> NodeId {
        let [color, ofcolor, recolor] =
            [Op::Color, Op::Ofcolor, Op::Recolor].map(|op| store.prim(op));
        let colors = store.call(Op::Apply, &[color, self.ranked]);
        let cells = store.call(Op::Lbind, &[ofcolor, made]);
        let cells = store.call(Op::Apply, &[cells, self.slots]);
        let changed = store.call(Op::Mpapply, &[recolor, colors, cells]);
        store.call(Op::Paint, &[made, changed])
    }

    /// What grids of the tests in these colours are in the task's own.
    pub fn back(&self, tests: &[Grid]) -> Option<Vec<Grid>> {
        let back = &self.back[self.back.len() - tests.len()..];
        tests.iter().zip(back).map(|(grid, from)| recolored(grid, from)).collect()
    }
}

fn recolored(grid: &Grid, to: &[u8; 10]) -> Option<Grid> {
    let rows = grid.rows().map(|row| row.iter().map(|c| to[usize::from(*c)]).collect());
    Grid::from_rows(&rows.collect::<Vec<Vec<u8>>>())
}
