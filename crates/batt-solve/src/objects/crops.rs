//! Outputs that are made of one item: a selector says which, a function what becomes of it.

use batt_lang::Value;
use batt_run::tasks::Grid;

use super::items::Items;
use super::select::{Labels, chosen};
use crate::bits::{Bits, both, but, cells, insert};
use crate::evaluate::grid_of;
use crate::tree::Tree;

/// One item made into an output.
#[derive(Clone, Debug)]
pub struct Crop {
    /// Which item.
    pub tree: Tree,
    /// The demos on which the like of it is right that has not seen them.
    pub trusted: usize,
    /// What it makes of the tests.
    pub tests: Vec<Grid>,
}

/// Learns which item becomes the output, where a function gives these values for the items.
pub fn learn(items: &Items, values: &[Option<Value>], outputs: &[&Grid]) -> Option<Crop> {
    let made = made(items, values)?;
    let right = right(items, &made, outputs)?;
    let node = items.within(0..items.demos);
    // Items that are as good as each other would do one by one; which one is meant is told by all of them.
    let labels = Labels { may: right.clone(), need_not: but(&node, &right) };
    let tree = labels.learn(items, &node)?;
    let first = |tree: &Tree, grid: usize| {
        let here = items.within(std::iter::once(grid));
        cells(&chosen(tree, items, &here)).next().and_then(|item| made[item].clone())
    };
    let tests: Option<Vec<Grid>> =
        (items.demos..items.spans.len()).map(|grid| first(&tree, grid)).collect();
    let trusted = (0..items.demos).filter(|demo| {
        let others = but(&node, &items.within(std::iter::once(*demo)));
        let seen = both(&others, &right).iter().any(|word| *word != 0);
        let learnt = labels.learn(items, &others).filter(|_| seen);
        learnt.and_then(|tree| first(&tree, *demo)).as_ref() == Some(outputs[*demo])
    });
    let trusted = if items.demos > 1 { trusted.count() } else { 0 };
    Some(Crop { tree, trusted, tests: tests? })
}

/// Whether some item of every demo becomes its output.
pub fn possible(items: &Items, values: &[Option<Value>], outputs: &[&Grid]) -> bool {
    made(items, values).and_then(|made| right(items, &made, outputs)).is_some()
}

/// What every item becomes.
fn made(items: &Items, values: &[Option<Value>]) -> Option<Vec<Option<Grid>>> {
    let mut made: Vec<Option<Grid>> = vec![None; items.words * 64];
    for (value, span) in values.iter().zip(&items.spans) {
        let elements = value.as_ref()?.elements_of()?;
        if elements.len() != span.len() {
            return None;
        }
        for (to, value) in made[span.clone()].iter_mut().zip(elements.iter()) {
            *to = grid_of(value);
        }
    }
    Some(made)
}

/// The items that become their demo's output; `None` where a demo has none.
fn right(items: &Items, made: &[Option<Grid>], outputs: &[&Grid]) -> Option<Bits> {
    let mut right = items.none();
    for (span, output) in items.spans.iter().zip(outputs) {
        let mut any = false;
        for item in span.clone().filter(|item| made[*item].as_ref() == Some(*output)) {
            insert(&mut right, item);
            any = true;
        }
        if !any {
            return None;
        }
    }
    Some(right)
}
