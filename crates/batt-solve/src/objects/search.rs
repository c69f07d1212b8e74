//! The search for layers that make the outputs together, each with a selector of its items.

use std::ops::Range;

use super::items::Items;
use super::layers::{Canvas, Easel, Layer};
use super::select::{Labels, chosen};
use crate::bits::{Bits, both, but, has, insert};
use crate::tree::Tree;

/// A layer, by its place, and which items it is drawn for.
#[derive(Clone, Debug)]
pub struct Step {
    /// The layer.
    pub layer: usize,
    /// Which items.
    pub tree: Tree,
    labels: Labels,
}

/// Layers that make all demos right.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The layers, in the order in which they are drawn.
    pub steps: Vec<Step>,
    /// The demos on which the like of it is right that has not seen them.
    pub trusted: usize,
    /// What it makes of all grids.
    pub made: Vec<Canvas>,
}

impl Plan {
    /// How many leaves its selectors have.
    pub fn leaves(&self) -> usize {
        self.steps.iter().map(|step| step.tree.leaves()).sum()
    }
}

/// Layers that are right as far as they go.
#[derive(Clone, Debug)]
pub struct Partial {
    /// The layers, in the order in which they are drawn.
    pub steps: Vec<Step>,
    /// What they make of all grids.
    pub made: Vec<Canvas>,
    /// How many cells of the demos are still wrong.
    pub wrong: usize,
}

/// As many layers are drawn over each other.
const MAX_STEPS: usize = 5;
/// As many layers are looked at after the first choice.
const MAX_LAYERS: usize = 48;
/// As many of those that may become right when others are drawn.
const MAX_UNSOUND: usize = 40;
/// As many layers are followed up, by depth.
const WIDTH: [usize; MAX_STEPS] = [10, 6, 5, 3, 3];
/// As many steps are learnt for one kind.
const MAX_LEARNT: usize = 240;
/// As many plans of one kind are enough.
const MAX_PLANS: usize = 6;

/// Searches plans.
pub struct Search<'a> {
    easel: &'a Easel,
    items: &'a Items,
    layers: &'a [Layer],
    order: Vec<usize>,
    plans: Vec<Plan>,
    partial: Option<Partial>,
    learnt: usize,
}

impl<'a> Search<'a> {
    /// Finds plans, the first found first, and what comes closest where none is found.
    pub fn run(
        easel: &'a Easel,
        items: &'a Items,
        layers: &'a [Layer],
        complete: bool,
    ) -> (Vec<Plan>, Option<Partial>) {
        let mut order: Vec<usize> = (0..layers.len()).collect();
        let worth = |at: &usize| (layers[*at].sound, layers[*at].gain);
        order.sort_by_key(|at| std::cmp::Reverse(worth(at)));
        let sound = order.iter().filter(|at| layers[**at].sound > 0).count();
        let unsound = order.split_off(sound.min(MAX_LAYERS));
        let unsound = unsound.into_iter().filter(|at| layers[*at].sound == 0);
        order.extend(unsound.take(MAX_UNSOUND));
        let mut search =
            Search { easel, items, layers, order, plans: Vec::new(), partial: None, learnt: 0 };
        let steps = if complete { MAX_STEPS } else { 1 };
        search.extend(&mut Vec::new(), &easel.base.clone(), steps);
        (search.plans, search.partial)
    }

    fn extend(&mut self, steps: &mut Vec<Step>, drawn: &[Canvas], depth: usize) {
        let mut scored: Vec<(usize, usize)> = Vec::new();
        for at in self.order.iter().copied() {
            let gain = self.gain(at, drawn);
            if gain > 0 {
                scored.push((gain, at));
            }
        }
        scored.sort_by_key(|(gain, at)| (std::cmp::Reverse(*gain), *at));
        for (_, at) in scored.into_iter().take(WIDTH[steps.len()]) {
            self.learnt += 1;
            if self.plans.len() >= MAX_PLANS || self.learnt > MAX_LEARNT {
                return;
            }
            let Some(step) = self.step(at, drawn) else { continue };
            let mut next = drawn.to_vec();
            let all = self.items.within(0..self.items.spans.len());
            self.apply(&step, &step.tree, &all, &mut next);
            if next[..self.items.demos] == drawn[..self.items.demos] {
                continue;
            }
            steps.push(step);
            if self.easel.wanted.iter().zip(&next).all(|(wanted, made)| wanted == made) {
                let trusted =
                    (0..self.items.demos).filter(|demo| self.trusts(steps, *demo)).count();
                let trusted = if self.items.demos > 1 { trusted } else { 0 };
                self.plans.push(Plan { steps: steps.clone(), trusted, made: next });
            } else {
                self.keep(steps, &next);
                if steps.len() < depth {
                    self.extend(steps, &next, depth);
                }
            }
            steps.pop();
        }
    }

    /// Keeps the layers that leave fewest cells wrong, if each would also be chosen right for a demo that
    /// it has not seen.
    fn keep(&mut self, steps: &[Step], made: &[Canvas]) {
        let wrong = self.wrong(made);
        if self.partial.as_ref().is_some_and(|partial| partial.wrong <= wrong) {
            return;
        }
        let all = self.items.within(0..self.items.demos);
        let sound = |step: &Step| {
            (0..self.items.demos).all(|demo| {
                let here = self.items.within(std::iter::once(demo));
                let tree = step.labels.learn(self.items, &but(&all, &here));
                tree.is_some_and(|tree| {
                    let chosen = chosen(&tree, self.items, &here);
                    but(&chosen, &step.labels.may).iter().all(|word| *word == 0)
                })
            })
        };
        if self.items.demos > 1 && steps.iter().all(sound) {
            self.partial = Some(Partial { steps: steps.to_vec(), made: made.to_vec(), wrong });
        }
    }

    /// How many cells of the demos are wrong.
    fn wrong(&self, made: &[Canvas]) -> usize {
        let differ = |(a, b): (&Canvas, &Canvas)| {
            a.cells.iter().zip(&b.cells).filter(|(a, b)| a != b).count()
        };
        made.iter().zip(&self.easel.wanted).map(differ).sum()
    }

    /// How many cells the right items of a layer would mend.
    fn gain(&self, at: usize, drawn: &[Canvas]) -> usize {
        let layer = &self.layers[at];
        let canvases = drawn.iter().zip(&self.easel.wanted).zip(&self.items.spans);
        let of = |((drawn, wanted), span): ((&Canvas, &Canvas), &Range<usize>)| {
            span.clone().filter_map(|item| layer.mends(item, drawn, wanted)).sum::<usize>()
        };
        canvases.map(of).sum()
    }

    /// Learns which items a layer is drawn for.
    fn step(&self, at: usize, drawn: &[Canvas]) -> Option<Step> {
        let layer = &self.layers[at];
        let node = self.items.within(0..self.items.demos);
        let [mut may, mut strict, mut lenient] = [(); 3].map(|()| self.items.none());
        for (span, (drawn, wanted)) in
            self.items.spans.iter().zip(drawn.iter().zip(&self.easel.wanted))
        {
            for item in span.clone() {
                let Some(mended) = layer.mends(item, drawn, wanted) else { continue };
                insert(&mut may, item);
                if mended > 0 {
                    insert(&mut strict, item);
                }
                if mended > 0 && mended * 2 >= layer.drawings[item].len() {
                    insert(&mut lenient, item);
                }
            }
        }
        let mut needed: Vec<Bits> = vec![strict];
        if needed[0] != lenient {
            needed.push(lenient);
        }
        needed.into_iter().find_map(|needed| {
            let labels = Labels { may: may.clone(), need_not: but(&node, &needed) };
            let tree = labels.learn(self.items, &node)?;
            (tree != Tree::Leaf(0)).then_some(Step { layer: at, tree, labels })
        })
    }

    /// Draws a step with a selector, for the items among some.
    fn apply(&self, step: &Step, tree: &Tree, among: &[u64], canvases: &mut [Canvas]) {
        let layer = &self.layers[step.layer];
        let chosen = chosen(tree, self.items, among);
        for (span, canvas) in self.items.spans.iter().zip(canvases) {
            layer.draw(span.clone().filter(|item| has(&chosen, *item)), canvas);
        }
    }

    /// Whether the steps learnt without a demo are right on it.
    fn trusts(&self, steps: &[Step], demo: usize) -> bool {
        let all = self.items.within(0..self.items.demos);
        let here = self.items.within(std::iter::once(demo));
        let others = but(&all, &here);
        let mut made = self.easel.base.clone();
        for step in steps {
            // What the demo alone shows must not be what speaks for the layer.
            let labels = &step.labels;
            if both(&labels.may, &others).iter().all(|word| *word == 0) {
                return false;
            }
            let Some(tree) = labels.learn(self.items, &others) else { return false };
            self.apply(step, &tree, &here, &mut made);
        }
        made[demo] == self.easel.wanted[demo]
    }
}
