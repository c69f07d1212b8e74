//! Lessons: what rules are learnt from, with the background at 0 whatever its colour.

use batt_lang::Op;
use batt_lang::program::NodeId;
use batt_run::tasks::Grid;

use super::layers::{Canvas, Easel};
use crate::answer::Candidate;
use crate::part::{Found, Part, Problem, View};
use crate::store::Store;

/// What rules are learnt from: the grids with their background at 0.
pub struct Lesson {
    /// The inputs, or what an earlier rule made of them, the demos' first.
    pub inputs: Vec<Grid>,
    /// What the demos should become.
    pub outputs: Vec<Grid>,
    /// The expression of the inputs.
    pub grid: NodeId,
    /// How many rules came before.
    pub stage: usize,
    /// Layers that are right as far as they go: the cells that are wrong still, and what is made.
    pub partials: Vec<(usize, NodeId, Vec<Canvas>)>,
    background: Option<Background>,
}

/// A background that 0 takes the place of.
#[derive(Clone, Debug)]
struct Background {
    /// By grid, the colour.
    colors: Vec<u8>,
    /// Its expression.
    node: NodeId,
}

impl Lesson {
    /// A problem with the background at 0: where no input holds 0, the commonest colour takes its place.
    pub fn new(problem: &Problem, store: &mut Store) -> Lesson {
        let background = Background::of(&problem.inputs, store);
        let swap = |at: usize, grid: &Grid| match &background {
            Some(background) => swapped(grid, background.colors[at]),
            None => grid.clone(),
        };
        let grid = match &background {
            Some(background) => background.switch(store, Store::INPUT),
            None => Store::INPUT,
        };
        let inputs = problem.inputs.iter().enumerate().map(|(at, grid)| swap(at, grid)).collect();
        let outputs = problem.outputs.iter().enumerate().map(|(at, grid)| swap(at, grid)).collect();
        Lesson { inputs, outputs, grid, stage: 0, partials: Vec::new(), background }
    }

    /// The lesson that begins with what a rule makes of this one's inputs.
    pub fn after(&self, inputs: Vec<Grid>, grid: NodeId) -> Lesson {
        Lesson {
            inputs,
            outputs: self.outputs.clone(),
            grid,
            stage: self.stage + 1,
            partials: Vec::new(),
            background: self.background.clone(),
        }
    }

    /// How many cells of the demos are to change.
    pub fn wrong(&self) -> usize {
        let differ = |(a, b): (&Grid, &Grid)| {
            a.rows().flatten().zip(b.rows().flatten()).filter(|(a, b)| a != b).count()
        };
        self.inputs.iter().zip(&self.outputs).map(differ).sum()
    }

    /// The colours that all inputs have; so many at most.
    pub fn common_colors(&self) -> Vec<u8> {
        let has = |grid: &Grid, color: u8| grid.rows().flatten().any(|cell| *cell == color);
        let common = |color: &u8| self.inputs.iter().all(|grid| has(grid, *color));
        (1..10).filter(common).take(MAX_COMMON).collect()
    }

    /// Some grids and their expression, in the colours of the problem.
    pub fn view(&self, grids: &[Grid], node: NodeId, store: &mut Store) -> View {
        let (mut grids, mut node) = (grids.to_vec(), node);
        if let Some(background) = &self.background {
            node = background.switch(store, node);
            for (grid, color) in grids.iter_mut().zip(&background.colors) {
                *grid = swapped(grid, *color);
            }
        }
        View { calls: store.calls(node), node, grids }
    }

    /// Adds a candidate, in the colours of the problem.
    pub fn hand_out(
        &self,
        found: &mut Found,
        mut tests: Vec<Grid>,
        (score, trust): (f64, f64),
        how: String,
        mut node: NodeId,
    ) {
        if let Some(background) = &self.background {
            node = background.switch(&mut found.store, node);
            let colors = &background.colors[self.outputs.len()..];
            tests = tests.iter().zip(colors).map(|(grid, color)| swapped(grid, *color)).collect();
        }
        found.candidates.push(Candidate { part: Part::Objects, tests, score, trust, how, node });
    }
}

impl Background {
    /// The background, where it is not 0.
    fn of(inputs: &[Grid], store: &mut Store) -> Option<Background> {
        let commonest = |grid: &Grid| {
            let mut counts = [0_usize; 10];
            grid.rows().flatten().for_each(|color| counts[usize::from(*color).min(9)] += 1);
            // The smallest of the commonest, as the primitive has it.
            let most = (0..10_u8).rev().max_by_key(|color| counts[usize::from(*color)])?;
            (counts[0] == 0).then_some(most)
        };
        let colors: Vec<u8> = inputs.iter().map(commonest).collect::<Option<_>>()?;
        let first = *colors.first()?;
        let node = if colors.iter().all(|color| *color == first) {
            store.int(i32::from(first))
        } else {
            store.call(Op::Mostcolor, &[Store::INPUT])
        };
        Some(Background { colors, node })
    }

    /// A grid with 0 and the background exchanged.
    fn switch(&self, store: &mut Store, grid: NodeId) -> NodeId {
        let zero = store.int(0);
        store.call(Op::Switch, &[grid, zero, self.node])
    }
}

/// The colours of the cells that change, the commonest first; so many at most.
pub fn fresh_colors(easel: &Easel) -> Vec<u8> {
    let mut counts = [0_usize; 10];
    for (base, wanted) in easel.base.iter().zip(&easel.wanted) {
        let changed = base.cells.iter().zip(&wanted.cells).filter(|(a, b)| a != b);
        changed.for_each(|(_, color)| counts[usize::from(*color).min(9)] += 1);
    }
    let mut colors: Vec<u8> = (0..10).filter(|c| counts[usize::from(*c)] > 0).collect();
    colors.sort_by_key(|c| std::cmp::Reverse(counts[usize::from(*c)]));
    colors.truncate(MAX_COLORS);
    colors
}

/// Actions with regard to a colour are tried for so many of them.
const MAX_COMMON: usize = 3;
/// As many colours are drawn in, whatever the item.
const MAX_COLORS: usize = 4;

/// A grid with 0 and another colour exchanged.
fn swapped(grid: &Grid, color: u8) -> Grid {
    let swap = |cell: &u8| match *cell {
        0 => color,
        cell if cell == color => 0,
        cell => cell,
    };
    let rows: Vec<Vec<u8>> = grid.rows().map(|row| row.iter().map(swap).collect()).collect();
    Grid::from_rows(&rows).unwrap_or_else(|| grid.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_background_is_what_no_input_lacks_when_none_holds_0() {
        let grid = |rows: &[&[u8]]| Grid::from_rows(rows).unwrap();
        let (eights, fours) = (grid(&[&[8, 8], &[8, 1]]), grid(&[&[4, 4], &[4, 1]]));
        let of = |inputs: &[Grid]| {
            let mut store = Store::default();
            let background = Background::of(inputs, &mut store)?;
            Some((background.colors, background.node == store.int(8)))
        };
        assert_eq!(of(&[eights.clone(), eights.clone()]), Some((vec![8, 8], true)));
        assert_eq!(of(&[eights.clone(), fours]), Some((vec![8, 4], false)));
        assert_eq!(of(&[eights.clone(), grid(&[&[8, 8], &[8, 0]])]), None);
        // The smaller of two that are as common, as the primitive says.
        assert_eq!(of(&[grid(&[&[7, 5]])]), Some((vec![5], false)));
        assert_eq!(swapped(&swapped(&eights, 8), 8), eights);
        assert_eq!(swapped(&eights, 8), grid(&[&[0, 0], &[0, 1]]));
    }
}
