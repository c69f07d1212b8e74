//! Views: grids that a grid's parts, turns and copies make, of which an output may be one or a rule may be
//! learnt on.

use batt_lang::Op;
use batt_lang::program::NodeId;
use batt_run::tasks::Grid;

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
                let within = self.store.call(Op::Trim, &[around]);
                self.add(within);
                let (shape, zero) = (self.store.call(Op::Shape, &[item]), self.store.int(0));
                let canvas = self.store.call(Op::Canvas, &[zero, shape]);
                let moved = self.store.call(Op::Normalize, &[item]);
                let alone = self.store.call(Op::Paint, &[canvas, moved]);
                self.add(alone);
            }
        }
    }
}

/// What is below a colour that hides it.
pub fn below(store: &mut Store, color: u8) -> Vec<NodeId> {
    let mut nodes = Vec::new();
    let planes = [
        "mended(I, {c})",
        "tiled(I, {c})",
        "dmirror(mended(dmirror(I), {c}))",
        "mended(paint(I, sfilter(asobject(dmirror(I)), compose(flip, matcher(first, {c})))), {c})",
        "paint(I, sfilter(asobject(dmirror(I)), compose(flip, matcher(first, {c}))))",
        "vmirror(I)",
        "hmirror(I)",
        "rot180(I)",
        "dmirror(I)",
    ];
    for plane in planes {
        let text =
            format!("subgrid(ofcolor(I, {{c}}), {plane})").replace("{c}", &color.to_string());
        nodes.extend(store.read(&text, Given::grid(Store::INPUT)));
    }
    nodes
}

/// Views that are for outputs of one size: what a grid of panels holds, a cell for each panel, and parts of
/// that size. None where the outputs differ in size.
pub fn of_size(store: &mut Store, outputs: &[&Grid]) -> Vec<NodeId> {
    let Some(first) = outputs.first() else { return Vec::new() };
    let (height, width) = (first.height(), first.width());
    if outputs.iter().any(|output| (output.height(), output.width()) != (height, width)) {
        return Vec::new();
    }
    let mut nodes = Vec::new();
    let mut add = |text: &str| nodes.extend(store.read(text, Given::grid(Store::INPUT)));
    if height * width > 1 && height <= MAX_PANELS && width <= MAX_PANELS {
        for summary in SUMMARIES {
            add(&format!(
                "apply(compose(lbind(apply, {summary}), rbind(hsplit, {width})), vsplit(I, {height}))"
            ));
        }
    }
    for corner in
        ["ORIGIN", "subtract(shape(I), ({h}, {w}))", "halve(subtract(shape(I), ({h}, {w})))"]
    {
        let corner = corner.replace("{h}", &height.to_string()).replace("{w}", &width.to_string());
        add(&format!("crop(I, {corner}, ({height}, {width}))"));
    }
    add(&format!("canvas(ZERO, ({height}, {width}))"));
    nodes
}

/// As many panels are summed up, one way and the other.
const MAX_PANELS: usize = 10;

/// What a panel is as one cell.
const SUMMARIES: [&str; 8] = [
    "mostcolor",
    "leastcolor",
    "compose(maximum, palette)",
    "chain(maximum, palette, trim)",
    "numcolors",
    "compose(first, first)",
    "compose(last, last)",
    "fork(index, identity, chain(halve, decrement, shape))",
];
