//! Views: grids that a grid's parts, turns and copies make, of which an output may be one or a rule may be
//! learnt on.

use batt_lang::program::NodeId;
use batt_lang::Op;

use crate::library::{ItemKind, Library};
use crate::store::{Given, Store};

const VIEWS: &str = include_str!("../library/views.txt");

/// Expressions that make grids of a grid, the simplest first.
#[derive(Clone, Debug, Default)]
pub struct Views {
    /// The expressions.
    pub store: Store,
    /// The views.
    pub nodes: Vec<NodeId>,
}

impl Views {
    /// The views of `views.txt`, and the parts that an attribute of the library tells.
    pub fn new(library: &Library) -> Result<Views, String> {
        let mut views = Views::default();
        let lines = VIEWS.lines().map(str::trim);
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let node = views.store.read(line, Given::grid(Store::INPUT));
            views.add(node.map_err(|what| format!("views.txt: {line}: {what}"))?);
        }
        views.add_parts(library);
        let store = &views.store;
        views.nodes.sort_by_key(|node| store.calls(*node));
        Ok(views)
    }

    fn add(&mut self, node: NodeId) {
        if !self.nodes.contains(&node) {
            self.nodes.push(node);
        }
    }

    /// The part of the grid around the item with the largest, the smallest or the rarest attribute, and that
    /// item alone.
    fn add_parts(&mut self, library: &Library) {
        for attribute in &library.attributes {
            let container = &library.containers[usize::from(attribute.container.0)];
            if container.items != ItemKind::Shape {
                continue;
            }
            let body = library.store.body();
            let given = Given::grid(Store::INPUT);
            let [items, function, values] =
                [container.feature.node, attribute.function, attribute.values]
                    .map(|node| self.store.graft(body, node, given));
            let largest = self.store.call(Op::Argmax, &[items, function]);
            let smallest = self.store.call(Op::Argmin, &[items, function]);
            let rarest = self.store.call(Op::Leastcommon, &[values]);
            let is_rarest = self.store.call(Op::Matcher, &[function, rarest]);
            let odd = self.store.call(Op::Extract, &[items, is_rarest]);
            for item in [largest, smallest, odd] {
                let around = self.store.call(Op::Subgrid, &[item, Store::INPUT]);
                self.add(around);
                let (shape, zero) = (self.store.call(Op::Shape, &[item]), self.store.int(0));
                let canvas = self.store.call(Op::Canvas, &[zero, shape]);
                let moved = self.store.call(Op::Normalize, &[item]);
                let alone = self.store.call(Op::Paint, &[canvas, moved]);
                self.add(alone);
            }
        }
    }
}
