//! Selectors: small trees that say which items of a kind are meant.

use batt_lang::Op;
use batt_lang::program::NodeId;

use super::items::{Ask, Items};
use super::kinds::{Kind, Kinds};
use crate::bits::{Bits, both};
use crate::numbers::When;
use crate::store::{Given, Store};
use crate::tree::{Choices, Learner, Tree, learn};

/// The largest selector.
const MAX_LEAVES: u32 = 4;
/// Where a selector needs no more leaves than this, no smaller one is looked for.
const FEW_LEAVES: u32 = 2;
/// What a tree's leaf says, by its place among the paints.
const YES: usize = 1;

/// What a selector has to tell apart.
#[derive(Clone, Debug)]
pub struct Labels {
    /// Items that may be chosen.
    pub may: Bits,
    /// Items that need not be chosen.
    pub need_not: Bits,
}

impl Labels {
    /// Learns a selector on some items of the demos.
    pub fn learn(&self, items: &Items, node: &[u64]) -> Option<Tree> {
        let words = items.demo_words;
        let tests = || items.asks.iter().map(|(_, yes, price)| (&yes[..words], *price)).collect();
        let (may, need_not) = (&self.may[..words], &self.need_not[..words]);
        // Where both would do, an item is left out; with the second order it is chosen.
        let orders = [
            (Choices { tests: tests(), paints: vec![need_not, may] }, false),
            (Choices { tests: tests(), paints: vec![may, need_not] }, true),
        ];
        let mut best: Option<Tree> = None;
        for (choices, is_turned) in &orders {
            for learner in [Learner::Entropy, Learner::Cover] {
                let leaves = best.as_ref().map_or(MAX_LEAVES, |tree| tree.leaves() as u32 - 1);
                if leaves < FEW_LEAVES {
                    return best;
                }
                if let Some(tree) = learn(learner, choices, &node[..words], leaves) {
                    best = Some(if *is_turned { turned(tree) } else { tree });
                }
            }
        }
        best
    }
}

/// A tree with what its leaves say exchanged.
fn turned(tree: Tree) -> Tree {
    match tree {
        Tree::Leaf(label) => Tree::Leaf(1 - label),
        Tree::Split(test, arms) => {
            let [yes, no] = *arms;
            Tree::Split(test, Box::new([turned(yes), turned(no)]))
        }
    }
}

/// The items that a selector chooses among some.
pub fn chosen(tree: &Tree, items: &Items, among: &[u64]) -> Bits {
    let mut out = items.none();
    let test = |at: usize| items.asks[at].1.clone();
    tree.spread(among, &test, &mut |paint, cells| {
        if paint == YES {
            out.iter_mut().zip(cells).for_each(|(out, cells)| *out |= cells);
        }
    });
    both(&out, among)
}

/// Writes what is said of items of one kind on the grid that an expression gives.
pub struct Namer<'a> {
    /// Where expressions go.
    pub store: &'a mut Store,
    /// Where the kind's expressions are.
    pub kinds: &'a Kinds,
    /// The kind.
    pub kind: &'a Kind,
    /// The grid.
    pub grid: NodeId,
}

impl Namer<'_> {
    /// An expression of the kinds on this grid.
    pub fn here(&mut self, node: NodeId) -> NodeId {
        self.store.graft(self.kinds.store.body(), node, Given::grid(self.grid))
    }

    /// All items.
    pub fn items(&mut self) -> NodeId {
        self.here(self.kind.items)
    }

    /// The items that a selector chooses.
    pub fn chosen(&mut self, tree: &Tree, items: &Items) -> NodeId {
        let all = self.items();
        self.part(tree, items, all).unwrap_or(all)
    }

    fn part(&mut self, tree: &Tree, items: &Items, from: NodeId) -> Option<NodeId> {
        match tree {
            Tree::Leaf(label) => (*label == YES).then_some(from),
            Tree::Split(at, arms) => {
                let is = self.condition(items.asks[*at].0);
                let sides = [is, self.not(is)];
                let mut parts = Vec::new();
                for (arm, side) in arms.iter().zip(sides) {
                    if *arm == Tree::Leaf(1 - YES) {
                        continue;
                    }
                    let some = self.store.call(Op::Sfilter, &[from, side]);
                    parts.extend(self.part(arm, items, some));
                }
                parts.into_iter().reduce(|a, b| self.store.call(Op::Combine, &[a, b]))
            }
        }
    }

    fn not(&mut self, is: NodeId) -> NodeId {
        let flip = self.store.prim(Op::Flip);
        self.store.call(Op::Compose, &[flip, is])
    }

    fn condition(&mut self, ask: Ask) -> NodeId {
        let attribute = &self.kind.attributes[ask.attribute];
        let function = self.here(attribute.function);
        let wanted = match ask.when {
            When::Is(n) => self.store.int(n),
            When::AtMost(n) => {
                let above = self.store.int(n.saturating_add(1));
                let greater = self.store.prim(Op::Greater);
                let less = self.store.call(Op::Lbind, &[greater, above]);
                return self.store.call(Op::Compose, &[less, function]);
            }
            When::Largest => self.of_all(Op::Maximum, attribute.values),
            When::Smallest => self.of_all(Op::Minimum, attribute.values),
            When::Commonest => self.of_all(Op::Mostcommon, attribute.values),
            When::Rarest => self.of_all(Op::Leastcommon, attribute.values),
        };
        self.store.call(Op::Matcher, &[function, wanted])
    }

    fn of_all(&mut self, op: Op, values: NodeId) -> NodeId {
        let values = self.here(values);
        self.store.call(op, &[values])
    }
}
