//! Cell rules: trees that say for every cell of a scene what it becomes.
//!
//! For one family of features after the other both learners grow a tree that is right on all demos. What a
//! rule is trusted with is how often its like is right on a demo that it did not see: it is learnt again
//! with each demo left out.

use batt_run::tasks::Grid;

use crate::bits::{Bits, both, but, cells, count, count_both, insert};
use crate::columns::Columns;
use crate::library::Groups;
use crate::scene::{NONE, Scene};
use crate::tree::{Choices, Learner, Tree, learn};
use crate::write::{Paint, Rule};

pub mod scan;

/// A rule that is right on all demos.
#[derive(Clone, Debug)]
pub struct Learnt {
    /// The rule.
    pub rule: Rule,
    /// How many leaves its tree has.
    pub leaves: usize,
    /// The demos on which its like is right when it has not seen them.
    pub trusted: usize,
    /// What it may use.
    pub family: Groups,
    /// How it was learnt.
    pub learner: Learner,
    /// What it makes of the tests.
    pub tests: Vec<Grid>,
}

/// The largest tree.
const MAX_LEAVES: u32 = 10;
/// A rule of so few leaves whose like is right on every demo ends the search.
const FEW_LEAVES: usize = 3;
/// Where the first learner needs no more leaves, the other one finds nothing better.
const SIMPLE: usize = 2;

impl Learnt {
    /// Whether there is no reason to look for another rule.
    pub fn is_sure(&self, demos: usize) -> bool {
        demos > 1 && self.trusted == demos && self.leaves <= FEW_LEAVES
    }
}

/// What is learnt from: the cells that a rule is for.
struct Lesson<'a> {
    scene: &'a Scene,
    /// The cells of the demos whose colour may change.
    open: Bits,
    /// The same without one demo each.
    without: Vec<Bits>,
    kept: Vec<u8>,
}

impl<'a> Lesson<'a> {
    fn new(scene: &'a Scene) -> Lesson<'a> {
        let kept = kept(scene);
        let mut open = scene.none();
        for (cell, color) in scene.own.iter().enumerate() {
            let matters = scene.target.get(cell).is_none_or(|target| *target != NONE);
            if *color <= 9 && !kept.contains(color) && matters {
                insert(&mut open, cell);
            }
        }
        let demos = &open[..scene.demo_words];
        let without = (0..scene.demos).map(|demo| but(demos, &scene.cells_within(demo))).collect();
        Lesson { scene, open, without, kept }
    }

    fn demos(&self) -> &[u64] {
        &self.open[..self.scene.demo_words]
    }
}

/// The colours that no cell of the demos loses. Where that is so of all but the background, colours that
/// are not there are taken to be like the others.
fn kept(scene: &Scene) -> Vec<u8> {
    let (mut seen, mut lost) = ([false; 10], [false; 10]);
    let cells = scene.own.iter().zip(&scene.target);
    for (own, target) in cells.filter(|(own, target)| **own <= 9 && **target <= 9) {
        seen[usize::from(*own)] = true;
        lost[usize::from(*own)] |= own != target;
    }
    if !lost.contains(&true) {
        return Vec::new();
    }
    let others = (1..10).all(|color| !lost[color]);
    let is_kept = |color: &u8| {
        let at = usize::from(*color);
        !lost[at] && (seen[at] || others && at > 0)
    };
    (0..10).filter(is_kept).collect()
}

/// As many families are asked for a rule that is right on all demos but one.
const MAX_NEAR: usize = 3;

/// The rules of some families.
#[derive(Debug, Default)]
pub struct Rules {
    /// Those that are right on all demos.
    pub right: Vec<Learnt>,
    /// One that is right on all demos but one, where a family had none that is right on all.
    pub near: Option<Rule>,
}

/// Learns rules for a scene, one family of features after the other.
pub fn learn_rules(scene: &Scene, columns: &mut Columns, families: &[Groups]) -> Rules {
    let lesson = Lesson::new(scene);
    let mut rules = Rules::default();
    let mut asked = 0;
    let colors = colors_of(scene);
    for family in families {
        let (planes, tests) = (columns.planes_of(*family), columns.tests_of(*family));
        // Where groups say nothing of these grids, a family is another one again.
        if !columns.is_new(&planes, &tests) {
            continue;
        }
        let columns = &*columns;
        let offer = Offer::new(columns, &colors, planes, tests);
        let choices = offer.choices(columns, scene);
        for learner in [Learner::Entropy, Learner::Cover] {
            let Some(learnt) = learn_one(&lesson, columns, &offer, &choices, *family, learner)
            else {
                continue;
            };
            let simple = learnt.leaves <= SIMPLE;
            rules.right.push(learnt);
            if simple {
                break;
            }
        }
        if rules.right.is_empty() && rules.near.is_none() && asked < MAX_NEAR {
            asked += 1;
            rules.near = learn_near(&lesson, columns, &offer, &choices);
        }
    }
    rules
}

/// The colours that the demos should become somewhere, and where.
fn colors_of(scene: &Scene) -> Vec<(u8, Bits)> {
    let colors = (0..10).map(|color| (color, scene.cells_of(&scene.target, color)));
    colors.filter(|(_, right)| count(right) > 0).collect()
}

/// A rule that is right on all demos but one: what it misses may be a detail.
fn learn_near(
    lesson: &Lesson,
    columns: &Columns,
    offer: &Offer,
    choices: &Choices,
) -> Option<Rule> {
    // One demo alone is always easy to be right on.
    let mut without = lesson.without.iter().filter(|_| lesson.scene.demos > 2);
    let tree = without.find_map(|cells| learn(Learner::Entropy, choices, cells, MAX_LEAVES))?;
    Some(offer.rule(tree, lesson, columns))
}

/// What a family has to offer.
struct Offer<'a> {
    /// The tests, by their places among the columns.
    tests: Vec<usize>,
    /// The paints, the preferred first, and where each is right.
    paints: Vec<(Paint, &'a [u64])>,
}

impl<'a> Offer<'a> {
    /// A cell's own colour is preferred, then one colour, then what is right most often.
    fn new(
        columns: &'a Columns,
        colors: &'a [(u8, Bits)],
        planes: Vec<usize>,
        tests: Vec<usize>,
    ) -> Offer<'a> {
        let mut by_plane: Vec<(u32, Paint, &[u64])> = Vec::new();
        for plane in planes {
            let right = &columns.planes[plane].right[..];
            by_plane.push((count(right), Paint::Plane(plane), right));
        }
        let own = by_plane.remove(0);
        by_plane.sort_by_key(|(right, _, _)| std::cmp::Reverse(*right));
        by_plane.retain(|(right, _, _)| *right > 0);
        let mut paints = vec![(own.1, own.2)];
        paints.extend(colors.iter().map(|(color, right)| (Paint::Color(*color), &right[..])));
        paints.extend(by_plane.into_iter().map(|(_, paint, right)| (paint, right)));
        Offer { tests, paints }
    }

    /// What a tree may ask and paint.
    fn choices<'b>(&'b self, columns: &'b Columns, scene: &Scene) -> Choices<'b> {
        let tests = self.tests.iter().map(|test| {
            (&columns.tests[*test].yes[..scene.demo_words], columns.tests[*test].price)
        });
        Choices {
            tests: tests.collect(),
            paints: self.paints.iter().map(|(_, right)| *right).collect(),
        }
    }

    /// A tree over these tests and paints as a rule.
    fn rule(&self, tree: Tree, lesson: &Lesson, columns: &Columns) -> Rule {
        Rule {
            tree,
            asks: self.tests.iter().map(|test| columns.tests[*test].ask).collect(),
            paints: self.paints.iter().map(|(paint, _)| *paint).collect(),
            kept: lesson.kept.clone(),
        }
    }
}

fn learn_one(
    lesson: &Lesson,
    columns: &Columns,
    offer: &Offer,
    choices: &Choices,
    family: Groups,
    learner: Learner,
) -> Option<Learnt> {
    let (scene, tests) = (lesson.scene, &offer.tests);
    let tree = learn(learner, choices, lesson.demos(), MAX_LEAVES)?;
    let yes = |test: usize| columns.tests[tests[test]].yes.clone();
    let trusted = (0..scene.demos).filter(|demo| {
        let cells = both(lesson.demos(), &scene.cells_within(*demo));
        let Some(tree) = learn(learner, choices, &lesson.without[*demo], MAX_LEAVES) else {
            return false;
        };
        let mut right = true;
        tree.spread(&cells, &yes, &mut |paint, cells| {
            right &= count_both(cells, choices.paints[paint]) == count(cells);
        });
        right
    });
    let trusted = if scene.demos > 1 { trusted.count() } else { 0 };
    let rule = offer.rule(tree, lesson, columns);
    let tests = apply(lesson, columns, &rule, &yes);
    Some(Learnt { leaves: rule.tree.leaves(), rule, trusted, family, learner, tests })
}

/// What a rule makes of the tests.
fn apply(
    lesson: &Lesson,
    columns: &Columns,
    rule: &Rule,
    yes: &dyn Fn(usize) -> Bits,
) -> Vec<Grid> {
    let scene = lesson.scene;
    let mut made = scene.own.clone();
    let mut tests = lesson.open.clone();
    tests[..scene.demo_words].fill(0);
    rule.tree.spread(&tests, yes, &mut |paint, region| match rule.paints[paint] {
        Paint::Color(color) => cells(region).for_each(|cell| made[cell] = color),
        Paint::Plane(plane) => {
            let paints = &columns.planes[plane].paints;
            cells(region).for_each(|cell| made[cell] = paints[cell]);
        }
    });
    let grid = |extent: &crate::scene::Extent| {
        let cells = &made[extent.start..extent.start + extent.area()];
        let rows: Vec<&[u8]> = cells.chunks(extent.width).collect();
        Grid::from_rows(&rows)
    };
    scene.extents[scene.demos..].iter().filter_map(grid).collect()
}
