//! Frames in which a panel or a block is one cell.
//!
//! They are for tasks in which whole panels are filled, or in which all is drawn on a larger scale: cell rules
//! that need neighbours, lines and objects are learnt of panels.

use batt_lang::Op;
use batt_lang::program::NodeId;
use batt_run::tasks::Grid;

use super::{Back, Frame, Way};
use crate::native::{Item, ItemsOf, Picture};
use crate::part::Problem;
use crate::store::{Given, Store};

/// Blocks of so many cells are tried.
const SCALES: std::ops::RangeInclusive<usize> = 2..=6;

/// The panels of a grid.
const PANELS: &str = "panels(I, mostcommon(apply(color, totuple(sfilter(frontiers(I), compose(flip, matcher(color, ZERO)))))))";

/// How many panels are beside each other.
const WIDE: &str =
    "size(sfilter({panels}, compose(matcher(identity, uppermost(first({panels}))), uppermost)))";

/// What panels say, so many in a row.
const COARSE: &str = "apply(compose(rbind(apply, interval(0, {wide}, 1)), compose(lbind(compose, lbind(get_nth_t, apply(compose({summary}, identity), {panels}))), lbind(lbind, add))), interval(0, size({panels}), {wide}))";

/// The colours that a panel may say.
const SUMMARIES: [&str; 3] = ["compose(maximum, palette)", "mostcolor", "leastcolor"];

fn summary(place: usize, item: &Item) -> Option<u8> {
    match place {
        0 => item.cells.iter().map(|cell| cell.0).max(),
        1 => crate::native::commonest(&item.counts()),
        _ => crate::native::rarest(&item.counts()),
    }
}

/// The panels of a sample: the first row and column of each, its height and width, and how many are beside
/// each other.
#[derive(Clone, Debug)]
pub(super) struct Panels {
    grid: Grid,
    parts: Vec<(usize, usize, usize, usize)>,
    wide: usize,
}

impl Panels {
    fn of(grid: &Grid) -> Option<(Panels, Vec<Item>)> {
        let mut items = ItemsOf::Panels.items(&Picture::of(grid));
        items.sort_by_key(|item| (item.top, item.left));
        let part = |item: &Item| {
            let [top, left, height, width] =
                [item.top, item.left, item.height(), item.width()].map(|n| n as usize);
            (top, left, height, width)
        };
        let parts: Vec<_> = items.iter().map(part).collect();
        let first = parts.first()?.0;
        let wide = parts.iter().filter(|part| part.0 == first).count();
        (parts.len() > 3 && wide > 1 && wide < parts.len() && parts.len() % wide == 0)
            .then(|| (Panels { grid: grid.clone(), parts, wide }, items))
    }

    fn coarse(&self, colors: &[u8]) -> Option<Grid> {
        Grid::from_rows(&colors.chunks(self.wide).collect::<Vec<_>>())
    }

    /// The grid with every panel in the colour of a cell.
    pub(super) fn filled(&self, coarse: &Grid) -> Option<Grid> {
        let mut rows: Vec<Vec<u8>> = self.grid.rows().map(<[u8]>::to_vec).collect();
        let colors = coarse.rows().flatten();
        for ((top, left, height, width), color) in self.parts.iter().zip(colors) {
            for row in &mut rows[*top..top + height] {
                row[*left..left + width].fill(*color);
            }
        }
        Grid::from_rows(&rows)
    }

    /// The colours of the panels of an output, if it is the grid with panels filled.
    fn colors_of(&self, output: &Grid) -> Option<Grid> {
        let rows: Vec<&[u8]> = output.rows().collect();
        let color = |(top, left, height, width): &(usize, usize, usize, usize)| {
            let color = rows[*top][*left];
            let mut cells =
                rows[*top..top + height].iter().flat_map(|row| &row[*left..left + width]);
            cells.all(|other| *other == color).then_some(color)
        };
        let coarse = self.coarse(&self.parts.iter().map(color).collect::<Option<Vec<_>>>()?)?;
        (self.filled(&coarse)? == *output).then_some(coarse)
    }
}

/// The frames of panels and blocks of a task whose outputs have the sizes of the inputs.
pub(super) fn all(problem: &Problem, store: &mut Store) -> Vec<Frame> {
    let (inputs, outputs) = (&problem.inputs[..], &problem.outputs[..]);
    let size = |grid: &Grid| (grid.height(), grid.width());
    if inputs.iter().zip(outputs).any(|(input, output)| size(input) != size(output)) {
        return Vec::new();
    }
    let mut frames: Vec<Frame> = panels(inputs, outputs, store).unwrap_or_default();
    frames.extend(SCALES.rev().find_map(|scale| blocks(inputs, outputs, scale, store)));
    frames
}

fn panels(inputs: &[Grid], outputs: &[&Grid], store: &mut Store) -> Option<Vec<Frame>> {
    let all = inputs.iter().map(Panels::of).collect::<Option<Vec<_>>>()?;
    let targets = all.iter().zip(outputs).map(|((panels, _), output)| panels.colors_of(output));
    let targets = targets.collect::<Option<Vec<Grid>>>()?;
    let mut frames: Vec<Frame> = Vec::new();
    for (place, text) in SUMMARIES.iter().enumerate() {
        let grids = all.iter().map(|(panels, items)| {
            let colors = items.iter().map(|item| summary(place, item));
            panels.coarse(&colors.collect::<Option<Vec<u8>>>()?)
        });
        let grids = grids.collect::<Option<Vec<Grid>>>()?;
        if frames.iter().any(|frame| frame.grids == grids) {
            continue;
        }
        let text = COARSE.replace("{summary}", text).replace("{wide}", WIDE);
        let text = text.replace("{panels}", PANELS);
        let node = store.read(&text, Given::grid(Store::INPUT)).ok()?;
        let panels = store.read(PANELS, Given::grid(Store::INPUT)).ok()?;
        let back = Back::Panels(all.iter().map(|(panels, _)| panels.clone()).collect());
        let targets = targets.clone();
        let way = Way::Panels(panels);
        frames.push(Frame { node, grids, targets, way, back, place: 0 });
    }
    Some(frames)
}

/// The grid with every panel in the colour of a cell of what was made.
pub(super) fn written_back(store: &mut Store, made: NodeId, panels: NodeId) -> NodeId {
    let recolor = store.prim(Op::Recolor);
    let colors = store.call(Op::Merge, &[made]);
    let cells = store.call(Op::Mpapply, &[recolor, colors, panels]);
    store.call(Op::Paint, &[Store::INPUT, cells])
}

fn blocks(inputs: &[Grid], outputs: &[&Grid], scale: usize, store: &mut Store) -> Option<Frame> {
    let grids = inputs.iter().map(|grid| smaller(grid, scale)).collect::<Option<Vec<_>>>()?;
    let targets = outputs.iter().map(|grid| smaller(grid, scale)).collect::<Option<Vec<_>>>()?;
    let factor = store.int(scale as i32);
    let node = store.call(Op::Downscale, &[Store::INPUT, factor]);
    let way = Way::Scaled(factor);
    let back = Back::Scaled(scale);
    Some(Frame { node, grids, targets, way, back, place: 0 })
}

/// A grid of blocks with a cell for each; `None` where a block has two colours.
fn smaller(grid: &Grid, scale: usize) -> Option<Grid> {
    let rows: Vec<&[u8]> = grid.rows().collect();
    if !grid.height().is_multiple_of(scale) || !grid.width().is_multiple_of(scale) {
        return None;
    }
    let row = |i: usize| rows[i].iter().step_by(scale).copied().collect::<Vec<u8>>();
    let made = (0..grid.height()).step_by(scale).map(row).collect::<Vec<_>>();
    let made = Grid::from_rows(&made)?;
    (larger(&made, scale)? == *grid).then_some(made)
}

/// A grid with a block for each cell.
pub(super) fn larger(grid: &Grid, scale: usize) -> Option<Grid> {
    let row = |row: &[u8]| {
        row.iter().flat_map(|color| std::iter::repeat_n(*color, scale)).collect::<Vec<u8>>()
    };
    let rows = grid.rows().flat_map(|cells| std::iter::repeat_n(row(cells), scale));
    Grid::from_rows(&rows.collect::<Vec<_>>())
}
