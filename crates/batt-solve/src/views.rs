//! Views: grids that a grid's parts, turns and copies make, of which an output may be one or a rule may be
//! learnt on.

use batt_lang::Op;
use batt_lang::program::NodeId;
use batt_run::tasks::Grid;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::library::{AttributeTwin, ItemKind, Library};
use crate::native::{Context, Item, Picture};
use crate::numbers::When;
use crate::store::{Given, Store};

const VIEWS: &str = include_str!("../library/views.txt");

/// Expressions that make grids of a grid.
#[derive(Clone, Debug, Default)]
pub struct Views {
    /// The expressions.
    pub store: Store,
    /// Those of every section, the simplest first, with how many calls each has.
    pub sections: [Vec<(NodeId, usize)>; Section::ALL.len()],
    /// By attribute of the library, for the item with the largest, the smallest and the rarest value: its
    /// part of the grid, what is within that, the item alone, and the item as it is.
    parts: Vec<(usize, [[NodeId; 4]; 3])>,
}

/// When views are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// For every task.
    Same,
    /// Where the first output is smaller than its input.
    Smaller,
    /// Where it is larger.
    Larger,
    /// Wherever sizes differ.
    Other,
}

impl Section {
    /// All of them, in order.
    pub const ALL: [Section; 4] =
        [Section::Same, Section::Smaller, Section::Larger, Section::Other];

    /// Whether the views of a section are for outputs of this size.
    pub fn is_for(self, input: &Grid, output: &Grid) -> bool {
        let area = |grid: &Grid| grid.height() * grid.width();
        let same = (input.height(), input.width()) == (output.height(), output.width());
        match self {
            Section::Same => true,
            Section::Smaller => area(output) < area(input),
            Section::Larger => area(output) > area(input),
            Section::Other => !same,
        }
    }
}

impl Views {
    /// The views of `views.txt`, and the parts that an attribute of the library tells.
    pub fn new(library: &Library) -> Result<Views, String> {
        let mut views = Views::default();
        let mut bases = Vec::new();
        for (section, source) in alternatives(VIEWS)? {
            let wrong = |what: String| format!("views.txt: {source}: {what}");
            let node = views.store.read(&source, Given::grid(Store::INPUT)).map_err(wrong)?;
            match section.as_str() {
                "same" => views.add(Section::Same, node),
                "smaller" => views.add(Section::Smaller, node),
                "larger" => views.add(Section::Larger, node),
                "bases" => {
                    views.add(Section::Other, node);
                    bases.push(node);
                }
                "then" => {
                    for base in &bases {
                        let read = views.store.read(&source, Given::grid(*base));
                        views.add(Section::Other, read.map_err(wrong)?);
                    }
                }
                _ => views.add(Section::Other, node),
            }
        }
        views.add_parts(library);
        views.sections.iter_mut().for_each(|nodes| nodes.sort_by_key(|(_, calls)| *calls));
        Ok(views)
    }

    fn add(&mut self, section: Section, node: NodeId) {
        let calls = self.store.calls(node);
        let nodes = &mut self.sections[section as usize];
        if !nodes.contains(&(node, calls)) {
            nodes.push((node, calls));
        }
    }

    /// The part of the grid around the item with the largest, the smallest or the rarest attribute, what is
    /// within that part, and the item alone.
    fn add_parts(&mut self, library: &Library) {
        for (at, attribute) in library.attributes.iter().enumerate() {
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
            let nodes = [largest, smallest, odd].map(|item| {
                let around = self.store.call(Op::Subgrid, &[item, Store::INPUT]);
                let within = self.store.call(Op::Trim, &[around]);
                let (shape, zero) = (self.store.call(Op::Shape, &[item]), self.store.int(0));
                let canvas = self.store.call(Op::Canvas, &[zero, shape]);
                let moved = self.store.call(Op::Normalize, &[item]);
                [around, within, self.store.call(Op::Paint, &[canvas, moved]), item]
            });
            self.parts.push((at, nodes));
        }
    }

    /// The parts of some grids, each row of grids with its expression.
    pub fn parts(&self, library: &Library, grids: &[Grid]) -> Vec<(NodeId, Vec<Grid>)> {
        let pictures: Vec<Picture> = grids.iter().map(Picture::of).collect();
        let mut out = Vec::new();
        self.each_choice(library, &pictures, &mut |nodes, chosen| {
            for (kind, node) in PART_KINDS.iter().zip(nodes) {
                let grids = chosen.iter().zip(&pictures).map(|(item, picture)| kind(picture, item));
                if let Some(grids) = grids.collect::<Option<Vec<Grid>>>() {
                    out.push((*node, grids));
                }
            }
        });
        out
    }

    /// The items with the largest, the smallest or the rarest attribute, one for every grid, each row of items
    /// with its expression.
    pub fn chosen(&self, library: &Library, pictures: &[Picture]) -> Vec<(NodeId, Vec<Item>)> {
        let mut out = Vec::new();
        self.each_choice(library, pictures, &mut |nodes, chosen| {
            out.push((nodes[3], chosen.iter().map(|item| (*item).clone()).collect()));
        });
        out
    }

    /// Calls back with every distinct choice of an item of each grid, and its expressions.
    fn each_choice(
        &self,
        library: &Library,
        pictures: &[Picture],
        see: &mut dyn FnMut(&[NodeId; 4], &[&Item]),
    ) {
        let mut items: HashMap<usize, Vec<Vec<Item>>> = HashMap::default();
        let mut known: HashSet<(usize, Vec<usize>)> = HashSet::default();
        for (at, nodes) in &self.parts {
            let attribute = &library.attributes[*at];
            let container = usize::from(attribute.container.0);
            let (Some(of), Some(AttributeTwin::Item(twin))) =
                (library.containers[container].twin, attribute.twin)
            else {
                continue;
            };
            let items = items
                .entry(container)
                .or_insert_with(|| pictures.iter().map(|picture| of.items(picture)).collect());
            let numbers = items.iter().zip(pictures);
            let numbers = numbers.map(|(items, picture)| twin(&Context { picture, items }));
            let Some(numbers) = numbers.collect::<Option<Vec<Vec<i32>>>>() else { continue };
            for (when, nodes) in [When::Largest, When::Smallest, When::Rarest].iter().zip(nodes) {
                let place = |numbers: &Vec<i32>| {
                    let wanted = when.wanted(numbers)?;
                    numbers.iter().position(|n| *n == wanted)
                };
                let Some(places) = numbers.iter().map(place).collect::<Option<Vec<usize>>>() else {
                    continue;
                };
                if known.insert((container, places.clone())) {
                    let chosen: Vec<&Item> =
                        places.iter().zip(items.iter()).map(|(at, items)| &items[*at]).collect();
                    see(nodes, &chosen);
                }
            }
        }
    }
}

/// The lines of a text with their sections, each once for all alternatives that it names.
pub(crate) fn alternatives(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut known: Vec<(String, Vec<String>)> = Vec::new();
    let (mut section, mut out) = (String::new(), Vec::new());
    let lines = text.lines().map(str::trim);
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let wrong = |what: String| format!("{line}: {what}");
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name.to_string();
            continue;
        }
        if let Some((name, source)) =
            line.strip_prefix("let ").and_then(|line| line.split_once(" = "))
        {
            let each = source.split(" | ").map(|source| expanded(source, &known));
            let each: Vec<Vec<String>> = each.collect::<Result<_, String>>().map_err(wrong)?;
            known.push((name.to_string(), each.concat()));
            continue;
        }
        let each = expanded(line, &known).map_err(wrong)?;
        out.extend(each.into_iter().map(|source| (section.clone(), source)));
    }
    Ok(out)
}

/// A line for every choice among the alternatives that it names.
fn expanded(line: &str, known: &[(String, Vec<String>)]) -> Result<Vec<String>, String> {
    let Some(start) = line.find('{') else { return Ok(vec![line.to_string()]) };
    let name = line[start + 1..].split('}').next().unwrap_or_default();
    let Some((_, each)) = known.iter().find(|(other, _)| other == name) else {
        return Err(format!("nothing above is called {name}"));
    };
    let filled =
        each.iter().map(|text| expanded(&line.replace(&format!("{{{name}}}"), text), known));
    Ok(filled.collect::<Result<Vec<_>, String>>()?.concat())
}

/// A part of a grid that an item tells.
type PartKind = fn(&Picture, &Item) -> Option<Grid>;

/// The box of an item, what is within it, and the item alone.
const PART_KINDS: [PartKind; 3] = [
    |picture, item| cut(picture, item.top, item.left, item.bottom, item.right),
    |picture, item| cut(picture, item.top + 1, item.left + 1, item.bottom - 1, item.right - 1),
    |_, item| {
        let mut rows = vec![vec![0; item.width() as usize]; item.height() as usize];
        for (color, i, j) in &item.cells {
            rows[(i - item.top) as usize][(j - item.left) as usize] = *color;
        }
        Grid::from_rows(&rows)
    },
];

fn cut(picture: &Picture, top: i32, left: i32, bottom: i32, right: i32) -> Option<Grid> {
    let row = |i: i32| (left..=right).map(|j| picture.at(i, j)).collect::<Option<Vec<u8>>>();
    Grid::from_rows(&(top..=bottom).map(row).collect::<Option<Vec<_>>>()?)
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
const SUMMARIES: [&str; 9] = [
    "rbind(colorcount, ZERO)",
    "mostcolor",
    "leastcolor",
    "compose(maximum, palette)",
    "chain(maximum, palette, trim)",
    "numcolors",
    "compose(first, first)",
    "compose(last, last)",
    "fork(index, identity, chain(halve, decrement, shape))",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_expanded_by_all_alternatives() {
        let known = [
            ("n".to_string(), vec!["1".to_string(), "2".to_string()]),
            ("f".to_string(), vec!["hsplit".to_string()]),
        ];
        assert_eq!(
            expanded("{f}(I, {n}, {n})", &known).unwrap(),
            ["hsplit(I, 1, 1)", "hsplit(I, 2, 2)"]
        );
        assert_eq!(expanded("{other}", &known).unwrap_err(), "nothing above is called other");
    }

    #[test]
    fn parts_are_cut_around_chosen_items() {
        let library = Library::embedded().unwrap();
        let views = Views::new(&library).unwrap();
        let grid = Grid::from_rows(&[[1, 0, 0, 0], [0, 0, 2, 2], [0, 0, 2, 2]]).unwrap();
        let parts = views.parts(&library, std::slice::from_ref(&grid));
        let largest = Grid::from_rows(&[[2, 2], [2, 2]]).unwrap();
        assert!(parts.iter().any(|(_, grids)| grids[0] == largest));
    }
}
