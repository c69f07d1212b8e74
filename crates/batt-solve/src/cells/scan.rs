//! Scans: rules that look at cells that are written already.
//!
//! A scan visits the cells of a grid in one of eight orders. What a tree says of a cell may depend on what was
//! written before it beside, above or diagonally; it is learnt from the outputs of the demos, where all is
//! written. As a program it is one step for all cells at once, repeated until the last of them has settled.

use super::{Learner, Lesson, MAX_LEAVES, Offer, colors_of};
use crate::bits::has;
use crate::columns::{Ask, Columns, Source};
use crate::library::Groups;
use crate::scene::{NONE, Scene};
use crate::tree::{Choices, Tree, learn};
use crate::write::{Paint, Rule};
use batt_run::tasks::Grid;

/// A rule that is right on all demos when it is repeated.
#[derive(Clone, Debug)]
pub struct Scanned {
    /// One step.
    pub rule: Rule,
    /// How often it has to be taken.
    pub times: Times,
    /// The number of its tree's leaves.
    pub leaves: usize,
    /// The demos on which its like is right when it has not seen them.
    pub trusted: usize,
    /// What it may use.
    pub family: Groups,
    /// What it makes of the tests.
    pub tests: Vec<Grid>,
}

/// The number of times that a step is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// As often as there are rows.
    Height,
    /// As often as there are columns.
    Width,
    /// As often as there are rows and columns.
    Both,
}

impl Times {
    const ALL: [Times; 3] = [Times::Height, Times::Width, Times::Both];

    fn of(self, height: usize, width: usize) -> usize {
        match self {
            Times::Height => height,
            Times::Width => width,
            Times::Both => height + width,
        }
    }
}

/// An order of the cells of a grid: whether columns come first, and which way either goes.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    turned: bool,
    rows_back: bool,
    columns_back: bool,
}

/// The steps to cells that were written before, in the order of reading.
const BEFORE: [(i32, i32); 6] = [(0, -1), (-1, 0), (-1, -1), (-1, 1), (0, -2), (-2, 0)];

impl Order {
    /// The order at a place among all eight.
    pub fn at(place: usize) -> Order {
        Order { turned: place & 4 != 0, rows_back: place & 1 != 0, columns_back: place & 2 != 0 }
    }

    /// How many orders there are.
    pub const COUNT: usize = 8;

    /// The steps to cells that were written before.
    pub fn before(self) -> Vec<(i32, i32)> {
        let step = |(di, dj): &(i32, i32)| {
            let (di, dj) = if self.turned { (*dj, *di) } else { (*di, *dj) };
            (if self.rows_back { -di } else { di }, if self.columns_back { -dj } else { dj })
        };
        BEFORE.iter().map(step).collect()
    }

    /// The cells of a grid in this order.
    fn cells(self, height: usize, width: usize) -> Vec<usize> {
        let row = |i: usize| if self.rows_back { height - 1 - i } else { i };
        let column = |j: usize| if self.columns_back { width - 1 - j } else { j };
        if self.turned {
            let all = (0..width).flat_map(|j| (0..height).map(move |i| (i, j)));
            all.map(|(i, j)| row(i) * width + column(j)).collect()
        } else {
            let all = (0..height).flat_map(|i| (0..width).map(move |j| (i, j)));
            all.map(|(i, j)| row(i) * width + column(j)).collect()
        }
    }
}

/// The scans that are right on all demos, of one order, which the columns have planes of.
pub fn learn_scans(
    scene: &Scene,
    columns: &mut Columns,
    families: &[Groups],
    order: usize,
) -> Vec<Scanned> {
    let lesson = Lesson::new(scene);
    let colors = colors_of(scene);
    let mut found: Vec<Scanned> = Vec::new();
    for family in families {
        let (planes, tests) = (columns.planes_of(*family), columns.tests_of(*family));
        let columns = &*columns;
        let offer = Offer::new(columns, &colors, planes, tests);
        let choices = offer.choices(columns, scene);
        for learner in [Learner::Entropy, Learner::Cover] {
            let Some(tree) = learn(learner, &choices, lesson.demos(), MAX_LEAVES) else { continue };
            let rule = offer.rule(tree, &lesson, columns);
            let order = Order::at(order);
            let step = Step { lesson: &lesson, columns, rule: &rule, tests: &offer.tests, order };
            if !step.looks_back(&rule.tree) {
                continue;
            }
            if let Some(scanned) = judged(&step, &offer, &choices, learner) {
                let known = found
                    .iter()
                    .any(|other| other.tests == scanned.tests && other.leaves <= scanned.leaves);
                if !known {
                    found.push(Scanned { family: *family, ..scanned });
                }
            }
        }
    }
    found
}

/// What a step makes of the tests, and how far it is trusted; `None` where it settles too late.
fn judged(step: &Step, offer: &Offer, choices: &Choices, learner: Learner) -> Option<Scanned> {
    let (scene, lesson) = (step.lesson.scene, step.lesson);
    let made: Vec<Vec<u8>> = (0..scene.extents.len()).map(|grid| step.run(grid)).collect();
    let times = Times::ALL.into_iter().find(|times| {
        made.iter().enumerate().all(|(grid, made)| {
            let extent = scene.extents[grid];
            step.settles(grid, times.of(extent.height, extent.width), made)
        })
    })?;
    let grid = |(extent, cells): (&crate::scene::Extent, &Vec<u8>)| {
        Grid::from_rows(&cells.chunks(extent.width).collect::<Vec<_>>())
    };
    let tests = scene.extents.iter().zip(&made).skip(scene.demos).map(grid);
    let tests = tests.collect::<Option<Vec<Grid>>>()?;
    let right = |demo: &usize| {
        let Some(tree) = learn(learner, choices, &lesson.without[*demo], MAX_LEAVES) else {
            return false;
        };
        let rule = offer.rule(tree, lesson, step.columns);
        let made = Step { rule: &rule, ..*step }.run(*demo);
        let extent = scene.extents[*demo];
        made == scene.target[extent.start..extent.start + extent.area()]
    };
    let trusted = if scene.demos > 1 { (0..scene.demos).filter(right).count() } else { 0 };
    Some(Scanned {
        rule: step.rule.clone(),
        times,
        leaves: step.rule.tree.leaves(),
        trusted,
        family: Groups::default(),
        tests,
    })
}

/// A step of a scan.
#[derive(Clone, Copy)]
struct Step<'a> {
    lesson: &'a Lesson<'a>,
    columns: &'a Columns<'a>,
    rule: &'a Rule,
    /// The tests that it may ask, by their places among the columns.
    tests: &'a [usize],
    order: Order,
}

impl Step<'_> {
    /// Whether a tree asks or paints what was written before.
    fn looks_back(&self, tree: &Tree) -> bool {
        let written =
            |plane: usize| matches!(self.columns.planes[plane].source, Source::Written(..));
        match tree {
            Tree::Leaf(paint) => match self.rule.paints[*paint] {
                Paint::Plane(plane) => written(plane),
                Paint::Color(_) => false,
            },
            Tree::Split(test, arms) => {
                let asked = match self.rule.asks[*test] {
                    Ask::Is(plane, _) | Ask::Nothing(plane) => written(plane),
                    Ask::Agree(a, b) => written(a) || written(b),
                    _ => false,
                };
                asked || arms.iter().any(|arm| self.looks_back(arm))
            }
        }
    }

    /// What the scan makes of a grid.
    fn run(&self, grid: usize) -> Vec<u8> {
        let extent = self.lesson.scene.extents[grid];
        let mut made = vec![NONE; extent.area()];
        for cell in self.order.cells(extent.height, extent.width) {
            made[cell] = self.cell(grid, cell, &made);
        }
        made
    }

    /// Whether so many steps for all cells at once make the same of a grid.
    fn settles(&self, grid: usize, times: usize, made: &[u8]) -> bool {
        let extent = self.lesson.scene.extents[grid];
        let mut now = self.lesson.scene.own[extent.start..extent.start + extent.area()].to_vec();
        for _ in 0..times {
            let next: Vec<u8> =
                (0..extent.area()).map(|cell| self.cell(grid, cell, &now)).collect();
            if next == now {
                break;
            }
            now = next;
        }
        now == made
    }

    /// What becomes of a cell where so much was written.
    fn cell(&self, grid: usize, cell: usize, made: &[u8]) -> u8 {
        let scene = self.lesson.scene;
        let at = scene.extents[grid].start + cell;
        let own = scene.own[at];
        if !has(&self.lesson.open, at) {
            return own;
        }
        let mut tree = &self.rule.tree;
        loop {
            match tree {
                Tree::Split(test, arms) => {
                    let yes = self.asks(*test, grid, cell, made);
                    tree = &arms[usize::from(!yes)];
                }
                Tree::Leaf(paint) => {
                    return match self.rule.paints[*paint] {
                        Paint::Color(color) => color,
                        Paint::Plane(plane) => match self.says(plane, grid, cell, made) {
                            NONE => own,
                            color => color,
                        },
                    };
                }
            }
        }
    }

    fn asks(&self, test: usize, grid: usize, cell: usize, made: &[u8]) -> bool {
        let says = |plane: usize| self.says(plane, grid, cell, made);
        match self.rule.asks[test] {
            Ask::Is(plane, color) => says(plane) == color,
            Ask::Nothing(plane) => says(plane) == NONE,
            Ask::Agree(a, b) => says(a) == says(b) && says(a) != NONE,
            _ => {
                let at = self.lesson.scene.extents[grid].start + cell;
                has(&self.columns.tests[self.tests[test]].yes, at)
            }
        }
    }

    /// What a plane says of a cell.
    fn says(&self, plane: usize, grid: usize, cell: usize, made: &[u8]) -> u8 {
        let extent = self.lesson.scene.extents[grid];
        match self.columns.planes[plane].source {
            Source::Written(di, dj) => {
                let (i, j) = (cell / extent.width, cell % extent.width);
                let at = extent.cell(i as i32 + di, j as i32 + dj);
                at.map_or(NONE, |at| made[at - extent.start])
            }
            _ => self.columns.planes[plane].says[extent.start + cell],
        }
    }
}
