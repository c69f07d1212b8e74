//! Sizes: grids of the size that the outputs have, where numbers of the inputs tell it.
//!
//! They are for outputs whose size follows from how many objects, colours or cells there are: an empty grid of
//! that size, and the input or its coloured part put into it, scaled or repeated.

use batt_lang::program::NodeId;
use batt_lang::{Op, Value};
use batt_run::tasks::Grid;

use crate::store::{Given, Store};
use crate::views::alternatives;

const SIZES: &str = include_str!("../library/sizes.txt");

/// Expressions that sizes and lists are made of.
#[derive(Clone, Debug, Default)]
pub struct Sizes {
    /// The expressions.
    pub store: Store,
    /// Ints, the simplest first.
    pub numbers: Vec<NodeId>,
    /// Tuples of colours.
    pub lists: Vec<NodeId>,
}

/// A number of every sample, and its expression.
#[derive(Clone, Debug)]
struct Length {
    cost: i32,
    node: NodeId,
    values: Vec<i32>,
}

/// As many expressions of a height or a width are tried,
const MOST_LENGTHS: usize = 3;

/// and as many of both.
const MOST_SIZES: usize = 4;

/// A number is taken so often at most, and so much more or less.
const TIMES: std::ops::RangeInclusive<i32> = 1..=5;
const MORE: [i32; 5] = [0, 1, -1, 2, -2];

/// What is put into a grid of a size: H and W are its height and width.
const FILLED: [&str; 6] = [
    "downscale({x}, divide(height({x}), {h}))",
    "paint(canvas(ZERO, astuple({h}, {w})), asobject({x}))",
    "paint(canvas(ZERO, astuple({h}, {w})), shift(asobject({x}), toivec(subtract({h}, height({x})))))",
    "vupscale(hupscale({x}, divide({w}, width({x}))), divide({h}, height({x})))",
    "paint(canvas(ZERO, astuple({h}, {w})), mapply(lbind(shift, asobject({x})), apply(lbind(multiply, shape({x})), product(interval(ZERO, divide({h}, height({x})), ONE), interval(ZERO, divide({w}, width({x})), ONE)))))",
    "canvas(ZERO, astuple({h}, {w}))",
];

/// What is put there: the input, its coloured part, its largest object, its different rows and columns, and its
/// halves with more and with fewer colours.
const WHAT: [&str; 6] = [
    "argmax(combine(hsplit(I, TWO), vsplit(I, TWO)), fork(add, numcolors, compose(rbind(multiply, TEN), square)))",
    "argmax(combine(hsplit(I, TWO), vsplit(I, TWO)), fork(subtract, compose(rbind(multiply, TEN), square), numcolors))",
    "subgrid(argmax(difference(objects(I, T, T, F), colorfilter(objects(I, T, T, F), ZERO)), size), I)",
    "I",
    "subgrid(mfilter(partition(I), compose(flip, matcher(color, ZERO))), I)",
    "dmirror(dedupe(dmirror(dedupe(I))))",
];

impl Sizes {
    /// What `sizes.txt` says.
    pub fn new() -> Result<Sizes, String> {
        let mut sizes = Sizes::default();
        for (section, source) in alternatives(SIZES)? {
            let node = sizes.store.read(&source, Given::grid(Store::INPUT));
            let node = node.map_err(|what| format!("sizes.txt: {source}: {what}"))?;
            match section.as_str() {
                "numbers" => sizes.numbers.push(node),
                _ => sizes.lists.push(node),
            }
        }
        Ok(sizes)
    }

    /// Grids of the sizes that the numbers tell, where `values` are those of every sample.
    pub fn grids(
        &self,
        values: &[Vec<Option<Value>>],
        inputs: &[Grid],
        outputs: &[&Grid],
        store: &mut Store,
    ) -> Vec<NodeId> {
        let heights: Vec<i32> = outputs.iter().map(|output| output.height() as i32).collect();
        let widths: Vec<i32> = outputs.iter().map(|output| output.width() as i32).collect();
        let heights = self.lengths(values, &heights, inputs.len(), store);
        let widths = self.lengths(values, &widths, inputs.len(), store);
        let mut nodes = Vec::new();
        for (h, w) in pairs(&heights, &widths) {
            for what in WHAT {
                for filled in FILLED {
                    // The names of what is not read yet stand for a place; both are put in afterwards.
                    let text = filled.replace("{x}", what);
                    nodes.extend(filled_in(&text, h, w, store));
                }
            }
        }
        nodes
    }

    /// Expressions of a number that every output has.
    fn lengths(
        &self,
        values: &[Vec<Option<Value>>],
        wanted: &[i32],
        samples: usize,
        store: &mut Store,
    ) -> Vec<Length> {
        let mut found: Vec<Length> = Vec::new();
        let mut add = |length: Length| {
            let in_range = length.values.iter().all(|n| (1..=30).contains(n));
            let same = |other: &Length| other.values == length.values;
            if in_range && length.values.starts_with(wanted) && !found.iter().any(same) {
                found.push(length);
            }
        };
        if let Some(first) = wanted.first() {
            let node = store.int(*first);
            add(Length { cost: 0, node, values: vec![*first; samples] });
        }
        let mut numbers: Vec<(i32, NodeId, Vec<i32>)> = Vec::new();
        for (place, (node, values)) in self.numbers.iter().zip(values).enumerate() {
            let values = values.iter().map(|value| value.as_ref()?.as_int());
            if let Some(values) = values.collect::<Option<Vec<i32>>>() {
                numbers.push((place as i32 / 3, *node, values));
            }
        }
        let fits = |values: &[i32], times: i32, more: i32| {
            values.iter().zip(wanted).all(|(n, wanted)| n * times + more == *wanted)
        };
        for (cost, node, values) in &numbers {
            for (times, more) in TIMES.flat_map(|times| MORE.map(|more| (times, more))) {
                if fits(values, times, more) {
                    let mut node = store.graft(self.store.body(), *node, Given::grid(Store::INPUT));
                    for (op, n, none) in [(Op::Multiply, times, 1), (Op::Add, more, 0)] {
                        if n != none {
                            let n = store.int(n);
                            node = store.call(op, &[node, n]);
                        }
                    }
                    let cost = cost + 3 * times + 4 * more.abs();
                    let values = values.iter().map(|n| n * times + more).collect();
                    add(Length { cost, node, values });
                }
            }
            // As often as the input is high or wide.
            for (_, side, sides) in numbers.iter().take(2) {
                let product: Vec<i32> = values.iter().zip(sides).map(|(a, b)| a * b).collect();
                if product.starts_with(wanted) {
                    let [a, b] = [*node, *side].map(|node| {
                        store.graft(self.store.body(), node, Given::grid(Store::INPUT))
                    });
                    let node = store.call(Op::Multiply, &[a, b]);
                    add(Length { cost: cost + 8, node, values: product });
                }
            }
        }
        found.sort_by_key(|length| length.cost);
        found.truncate(MOST_LENGTHS);
        found
    }
}

/// An expression with a height and a width put in.
fn filled_in(text: &str, h: &Length, w: &Length, store: &mut Store) -> Option<NodeId> {
    let text = text.replace("{h}", "first(C)").replace("{w}", "last(C)");
    let size = store.call(Op::Astuple, &[h.node, w.node]);
    store.read(&text, Given { input: Store::INPUT, container: Some(size) }).ok()
}

/// Heights with widths, the simplest first.
fn pairs<'a>(heights: &'a [Length], widths: &'a [Length]) -> Vec<(&'a Length, &'a Length)> {
    let all = heights.iter().enumerate();
    let all = all.flat_map(|(i, h)| widths.iter().enumerate().map(move |(j, w)| (i + j, h, w)));
    let mut all: Vec<_> = all.collect();
    all.sort_by_key(|(places, ..)| *places);
    all.truncate(MOST_SIZES);
    all.into_iter().map(|(_, h, w)| (h, w)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_inputs_tell_sizes() {
        let sizes = Sizes::new().unwrap();
        let grid = |rows: &[[u8; 2]]| Grid::from_rows(rows).unwrap();
        let inputs = [grid(&[[1, 0]]), grid(&[[1, 2], [0, 2]]), grid(&[[3, 3]])];
        let outputs = [grid(&[[0, 0], [0, 0], [0, 0]]), grid(&[[0, 0]; 5])];
        // What is not the height says nothing here.
        let nothing = vec![None; 3];
        let mut values = vec![nothing; sizes.numbers.len()];
        values[0] = [1, 2, 1].map(|n| Some(Value::Int(n))).to_vec();
        let mut store = Store::default();
        let wanted: Vec<&Grid> = outputs.iter().collect();
        let found = sizes.lengths(&values, &[3, 5], 3, &mut store);
        assert_eq!(found.iter().map(|l| &l.values[..]).collect::<Vec<_>>(), [[3, 5, 3]]);
        assert!(!sizes.grids(&values, &inputs, &wanted, &mut store).is_empty());
    }
}
