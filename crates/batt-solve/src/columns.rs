//! Columns: what the features of the library say of every cell of a scene.
//!
//! A plane gives cells a colour; a test is a set of cells. Both know how they were asked, so that a rule can
//! be written down as a program. All are made when a family first needs them and kept for the next.

use batt_lang::Value;
use batt_lang::program::NodeId;
use batt_run::tasks::Grid;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::bits::{Bits, count, fingerprint, insert};
use crate::library::{AttributeTwin, GroupId, Groups, ItemKind, Library, Root};
use crate::native::{Context, Item, ItemsOf, Picture, Said};
use crate::numbers::{self, PlaceIn, When};
use crate::reach::Reach;
use crate::scene::{Extent, NONE, Scene, each_cell};
use crate::tree::Price;

/// Where a plane comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// A plane of the library, by its place there.
    Plane(usize),
    /// An attribute that is a colour, by its place in the library.
    Attribute(usize),
    /// An expression of the task's own, in its store.
    Own(NodeId),
    /// What is written already so many rows and columns away.
    Written(i32, i32),
}

/// What kind of value a plane is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A grid.
    Grid,
    /// An object: it says nothing of some cells.
    Object,
    /// An int: one colour for all cells.
    Color,
}

impl Shape {
    /// The kind of values, where all are of one.
    fn of(values: &[&Value]) -> Option<Shape> {
        let shape = |value: &&Value| match value {
            Value::Int(_) => Shape::Color,
            Value::Set(_) => Shape::Object,
            _ => Shape::Grid,
        };
        let first = values.first().map(shape)?;
        values.iter().all(|value| shape(value) == first).then_some(first)
    }
}

/// A plane of a scene, by its place in [`Columns::planes`].
pub type PlaneId = usize;

/// A question about a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ask {
    /// Whether a plane says this colour.
    Is(PlaneId, u8),
    /// Whether a plane says nothing.
    Nothing(PlaneId),
    /// Whether two planes say the same.
    Agree(PlaneId, PlaneId),
    /// Whether a feature, by its place among the library's planes, chooses it.
    Chosen(usize),
    /// Whether it is in an item whose attribute, by its place in the library, is so.
    Item(usize, When),
    /// Whether it lies so in the item of a container, by its place in the library, that it is in.
    Within(usize, PlaceIn, When),
    /// Whether it is reached by an item whose attribute, by its place in the library, is so.
    Reached(usize, When, Reach),
}

/// A plane of a scene.
#[derive(Clone, Debug)]
pub struct Plane {
    /// Where it comes from.
    pub source: Source,
    /// What kind of value it is.
    pub shape: Shape,
    /// What it says of every cell.
    pub says: Vec<u8>,
    /// What is painted by it: what it says, and a cell's own colour where it says nothing.
    pub paints: Vec<u8>,
    /// Where that is right.
    pub right: Bits,
    group: Groups,
    tests: Option<Vec<usize>>,
}

/// A test of a scene.
#[derive(Clone, Debug)]
pub struct Test {
    /// The question.
    pub ask: Ask,
    /// The cells for which the answer is yes.
    pub yes: Bits,
    /// What it costs.
    pub price: Price,
    /// Tells what it says of the demos apart.
    print: u128,
}

/// What evaluates the expressions that have no twin.
pub trait Features {
    /// What those of a group give on every grid of the scene.
    fn evaluate(&self, group: GroupId) -> Vec<(Root, Vec<Option<Value>>)>;
}

/// The items of a container.
struct Parts {
    /// By grid, all items.
    items: Vec<Vec<Item>>,
    /// The item that every cell is in, by its place among those of its grid.
    label: Vec<u32>,
}

/// The items of a container, once they were asked for.
enum Container {
    Unasked,
    /// There are none where one grid's are an error.
    Asked(Option<Parts>),
}

/// In no item.
const ALONE: u32 = u32::MAX;

/// What the features say of a scene.
pub struct Columns<'a> {
    scene: &'a Scene,
    /// What every cell of the demos should become.
    target: Vec<u8>,
    library: &'a Library,
    features: &'a dyn Features,
    pictures: Vec<Picture>,
    /// The planes that there are.
    pub planes: Vec<Plane>,
    /// The tests made so far.
    pub tests: Vec<Test>,
    chosen: Vec<(usize, Groups, usize)>,
    /// The groups that are there.
    ready: Groups,
    parts: Vec<Container>,
    /// Attributes that were evaluated since they have no twin, by grid.
    evaluated: HashMap<usize, Vec<Vec<i32>>>,
    numbers: Vec<Option<Vec<usize>>>,
    within: HashMap<usize, Vec<usize>>,
    reached: HashMap<usize, Vec<usize>>,
    pairs: HashMap<(PlaneId, PlaneId), Option<usize>>,
    /// How many cells the demos have.
    all: u32,
    /// The planes and tests of the families that there were.
    families: HashSet<(Vec<PlaneId>, Vec<usize>)>,
}

/// As many sets of items are asked for what they reach.
const MAX_BASES: usize = 48;
/// Of so few planes in a family all are compared with each other.
const FEW_PLANES: usize = 45;
/// Of more, those among the first so many are compared with all others, the rest only with them.
const FIRST_PLANES: usize = 14;

impl<'a> Columns<'a> {
    /// The columns of a scene, none of which is there yet.
    pub fn new(scene: &'a Scene, library: &'a Library, features: &'a dyn Features) -> Columns<'a> {
        let picture = |extent: &Extent| Picture {
            height: extent.height as i32,
            width: extent.width as i32,
            cells: scene.own[extent.start..extent.start + extent.area()].to_vec(),
        };
        Columns {
            scene,
            target: scene.target.clone(),
            library,
            features,
            pictures: scene.extents.iter().map(picture).collect(),
            planes: Vec::new(),
            tests: Vec::new(),
            chosen: Vec::new(),
            ready: Groups::default(),
            parts: library.containers.iter().map(|_| Container::Unasked).collect(),
            evaluated: HashMap::default(),
            numbers: vec![None; library.attributes.len()],
            within: HashMap::default(),
            reached: HashMap::default(),
            pairs: HashMap::default(),
            all: scene.extents[..scene.demos].iter().map(|extent| extent.area() as u32).sum(),
            families: HashSet::default(),
        }
    }

    /// Asks for something else that the demos should become.
    pub fn aim(&mut self, target: &[u8]) {
        self.target = target.to_vec();
        let cells = self.scene.demo_words * 64;
        for plane in &mut self.planes {
            plane.right = self.scene.cells_alike(&plane.paints[..cells], target);
        }
        self.families.clear();
    }

    /// Whether no family before had these planes and tests.
    pub fn is_new(&mut self, planes: &[PlaneId], tests: &[usize]) -> bool {
        self.families.insert((planes.to_vec(), tests.to_vec()))
    }

    /// Sees to it that the groups of a family are there.
    fn make_ready(&mut self, family: Groups) {
        for group in (0..self.library.group_count()).map(|at| GroupId(at as u8)) {
            if family.has(group) && !self.ready.has(group) {
                self.ready = self.ready.with(group);
                self.add_group(group);
            }
        }
    }

    fn add_group(&mut self, group: GroupId) {
        let library = self.library;
        for (at, plane) in library.planes.iter().enumerate() {
            if let Some(twin) = plane.twin.filter(|_| plane.group == group) {
                let said = self.pictures.iter().map(|picture| twin.say(picture));
                if let Some(said) = said.collect::<Option<Vec<Said>>>() {
                    self.add_said(at, &said);
                }
            }
        }
        for (root, values) in self.features.evaluate(group) {
            let Some(values) = all(&values) else { continue };
            match root {
                Root::Plane(at) => self.add_feature(at, &values),
                Root::Container(at) => self.parts[at] = Container::Asked(self.parts_of(&values)),
                Root::Attribute(at) => {
                    let numbers = |value: &&Value| {
                        value.elements_of()?.iter().map(Value::as_int).collect::<Option<Vec<i32>>>()
                    };
                    if let Some(by_grid) = values.iter().map(numbers).collect() {
                        self.evaluated.insert(at, by_grid);
                    }
                }
                Root::Own(node) => self.add_own(node, &values, group),
            }
        }
        for (at, attribute) in library.attributes.iter().enumerate() {
            if attribute.is_color && attribute.group == group {
                self.add_colors(at);
            }
        }
    }

    /// Adds what a twin says of the grids.
    fn add_said(&mut self, at: usize, said: &[Said]) {
        let scene = self.scene;
        let group = Groups::default().with(self.library.planes[at].group);
        let (mut says, mut yes, mut kind) = (vec![NONE; scene.words * 64], scene.none(), None);
        for (said, extent) in said.iter().zip(&scene.extents) {
            match said {
                Said::Plane(shape, cells) => {
                    kind = Some(*shape);
                    says[extent.start..extent.start + cells.len()].copy_from_slice(cells);
                }
                Said::Chosen(cells) => {
                    let chosen = cells.iter().enumerate().filter(|(_, chosen)| **chosen);
                    chosen.for_each(|(cell, _)| insert(&mut yes, extent.start + cell));
                }
            }
        }
        match kind {
            Some(shape) if says.iter().any(|color| *color != NONE) => {
                self.add_plane(Source::Plane(at), shape, says, group);
            }
            None if self.tells(&yes) => {
                let test = self.add_test(Ask::Chosen(at), yes, 1.0);
                self.chosen.push((at, group, test));
            }
            _ => {}
        }
    }

    fn add_feature(&mut self, at: usize, values: &[&Value]) {
        let group = Groups::default().with(self.library.planes[at].group);
        let is_set = |value: &&&Value| value.is_set();
        let of_locations = |value: &&Value| match value {
            Value::Set(items) => matches!(items.first(), Some(Value::Pair(..))),
            _ => false,
        };
        if values.iter().filter(is_set).count() == values.len() && values.iter().any(of_locations) {
            if let Some(yes) = self.scene.chosen(values).filter(|yes| self.tells(yes)) {
                let test = self.add_test(Ask::Chosen(at), yes, 1.0);
                self.chosen.push((at, group, test));
            }
        } else if let Some(shape) = Shape::of(values)
            && let Some(says) = self.scene.plane(values)
            && says.iter().any(|color| *color != NONE)
        {
            self.add_plane(Source::Plane(at), shape, says, group);
        }
    }

    /// Adds a plane of an expression that the library does not have.
    pub fn add_own(&mut self, node: NodeId, values: &[&Value], group: GroupId) {
        if let Some(shape) = Shape::of(values)
            && let Some(says) = self.scene.plane(values)
            && says.iter().any(|color| *color != NONE)
        {
            self.add_plane(Source::Own(node), shape, says, Groups::default().with(group));
        }
    }

    /// Adds the grids of a view as a plane.
    pub fn add_view(&mut self, node: NodeId, grids: &[Grid], group: GroupId) {
        let mut says = vec![NONE; self.scene.words * 64];
        for (grid, extent) in grids.iter().zip(&self.scene.extents) {
            for (row, cells) in grid.rows().enumerate().take(extent.height) {
                for (column, color) in cells.iter().enumerate().take(extent.width) {
                    says[extent.start + row * extent.width + column] = *color;
                }
            }
        }
        self.add_plane(Source::Own(node), Shape::Grid, says, Groups::default().with(group));
    }

    /// Adds a plane that says 1 of the cells for which something is so of their grid and their location.
    pub fn add_marks(
        &mut self,
        node: NodeId,
        group: GroupId,
        is: impl Fn(usize, usize, usize) -> bool,
    ) {
        let mut says = vec![NONE; self.scene.words * 64];
        for (grid, extent) in self.scene.extents.iter().enumerate() {
            for at in 0..extent.area() {
                if is(grid, at / extent.width, at % extent.width) {
                    says[extent.start + at] = 1;
                }
            }
        }
        if says.contains(&1) {
            let group = Groups::default().with(group);
            self.add_plane(Source::Own(node), Shape::Object, says, group);
        }
    }

    /// Adds a plane of the colours that are told of a grid and a location.
    pub fn add_colors_by(
        &mut self,
        node: NodeId,
        group: GroupId,
        color: impl Fn(usize, usize, usize) -> u8,
    ) {
        let mut says = vec![NONE; self.scene.words * 64];
        for (grid, extent) in self.scene.extents.iter().enumerate() {
            for at in 0..extent.area() {
                says[extent.start + at] = color(grid, at / extent.width, at % extent.width);
            }
        }
        self.add_plane(Source::Own(node), Shape::Grid, says, Groups::default().with(group));
    }

    /// Adds what the demos should become so many rows and columns away, for rules that look at it; of the tests
    /// nothing is known.
    pub fn add_written(&mut self, (di, dj): (i32, i32), group: GroupId) {
        let scene = self.scene;
        let mut says = vec![NONE; scene.words * 64];
        for extent in &scene.extents[..scene.demos] {
            for at in 0..extent.area() {
                let (i, j) = ((at / extent.width) as i32, (at % extent.width) as i32);
                if let Some(there) = extent.cell(i + di, j + dj) {
                    says[extent.start + at] = scene.target[there];
                }
            }
        }
        let group = Groups::default().with(group);
        self.add_plane(Source::Written(di, dj), Shape::Object, says, group);
    }

    /// Drops the planes that were added last, from this one on, and the tests from that one on.
    pub fn truncate(&mut self, planes: usize, tests: usize) {
        self.planes.truncate(planes);
        self.tests.truncate(tests);
        self.pairs.retain(|(a, b), _| *a < planes && *b < planes);
    }

    fn add_plane(&mut self, source: Source, shape: Shape, says: Vec<u8>, group: Groups) {
        let scene = self.scene;
        let fill = |(says, own): (&u8, &u8)| if *says == NONE { *own } else { *says };
        let paints: Vec<u8> = says.iter().zip(&scene.own).map(fill).collect();
        let right = scene.cells_alike(&paints[..scene.demo_words * 64], &self.target);
        self.planes.push(Plane { source, shape, says, paints, right, group, tests: None });
    }

    fn add_colors(&mut self, at: usize) {
        let (scene, attribute) = (self.scene, &self.library.attributes[at]);
        let Some(by_grid) = self.numbers_of(at) else { return };
        let Some(parts) = self.parts(usize::from(attribute.container.0)) else { return };
        let mut says = vec![NONE; scene.words * 64];
        for (extent, numbers) in scene.extents.iter().zip(&by_grid) {
            if numbers.iter().any(|n| !(0..=9).contains(n)) {
                return;
            }
            let cells = extent.start..extent.start + extent.area();
            for (says, label) in says[cells.clone()].iter_mut().zip(&parts.label[cells]) {
                if let Some(n) = numbers.get(*label as usize) {
                    *says = *n as u8;
                }
            }
        }
        if says.iter().any(|color| *color != NONE) {
            let group = Groups::default().with(attribute.group);
            self.add_plane(Source::Attribute(at), Shape::Object, says, group);
        }
    }

    /// The items that values of a container hold.
    fn parts_of(&self, values: &[&Value]) -> Option<Parts> {
        let of_grid = |((value, extent), picture): ((&&Value, &Extent), &Picture)| {
            let of_item = |item: &Value| {
                let mut cells = Vec::new();
                each_cell(item, *extent, |cell| {
                    let at = (cell - extent.start) as i32;
                    let color = picture.cells[cell - extent.start];
                    cells.push((color, at / picture.width, at % picture.width));
                })?;
                Item::new(cells)
            };
            value.elements_of()?.iter().map(of_item).collect::<Option<Vec<Item>>>()
        };
        let grids = values.iter().zip(&self.scene.extents).zip(&self.pictures);
        self.labelled(grids.map(of_grid).collect::<Option<_>>()?)
    }

    /// Items with the cells that they hold; `None` where two of them share a cell.
    fn labelled(&self, items: Vec<Vec<Item>>) -> Option<Parts> {
        let mut label = vec![ALONE; self.scene.words * 64];
        for (items, extent) in items.iter().zip(&self.scene.extents) {
            for (at, item) in items.iter().enumerate() {
                for (_, i, j) in &item.cells {
                    let cell = extent.start + *i as usize * extent.width + *j as usize;
                    if std::mem::replace(&mut label[cell], at as u32) != ALONE {
                        return None;
                    }
                }
            }
        }
        Some(Parts { items, label })
    }

    /// The items of a container, by its place in the library.
    fn parts(&mut self, container: usize) -> Option<&Parts> {
        if matches!(self.parts[container], Container::Unasked) {
            let kind = &self.library.containers[container];
            let parts = if kind.items == ItemKind::Cell {
                let mut label = vec![ALONE; self.scene.words * 64];
                for extent in &self.scene.extents {
                    (0..extent.area()).for_each(|at| label[extent.start + at] = at as u32);
                }
                Some(Parts { items: Vec::new(), label })
            } else {
                let items = |of: ItemsOf| {
                    let items = self.pictures.iter().map(|picture| of.items(picture));
                    items.collect::<Vec<Vec<Item>>>()
                };
                // A grid that has no panels is an error in a program.
                let there = |items: &Vec<Vec<Item>>| {
                    kind.twin != Some(ItemsOf::Panels) || items.iter().all(|all| !all.is_empty())
                };
                let items = kind.twin.map(items).filter(there);
                items.and_then(|items| self.labelled(items))
            };
            self.parts[container] = Container::Asked(parts);
        }
        self.asked(container)
    }

    /// The items of a container that were asked for.
    fn asked(&self, container: usize) -> Option<&Parts> {
        match &self.parts[container] {
            Container::Asked(parts) => parts.as_ref(),
            Container::Unasked => None,
        }
    }

    /// The number of every item, by grid.
    fn numbers_of(&mut self, at: usize) -> Option<Vec<Vec<i32>>> {
        let attribute = &self.library.attributes[at];
        match attribute.twin {
            None => self.evaluated.get(&at).cloned(),
            Some(AttributeTwin::Location(of)) => {
                self.pictures.iter().map(|picture| of.values(picture)).collect()
            }
            Some(AttributeTwin::Item(of)) => {
                self.parts(usize::from(attribute.container.0))?;
                let parts = self.asked(usize::from(attribute.container.0))?;
                let grids = parts.items.iter().zip(&self.pictures);
                grids.map(|(items, picture)| of(&Context { picture, items })).collect()
            }
        }
    }

    fn add_test(&mut self, ask: Ask, yes: Bits, cost: f64) -> usize {
        let print = fingerprint(&yes[..self.scene.demo_words]);
        self.tests.push(Test { ask, yes, price: Price::of(cost), print });
        self.tests.len() - 1
    }

    /// Whether a test says yes of some cells of the demos and no of others.
    fn tells(&self, yes: &[u64]) -> bool {
        let yes = count(&yes[..self.scene.demo_words]);
        yes > 0 && yes < self.all
    }

    /// What a plane is called.
    pub fn name(&self, plane: PlaneId) -> &str {
        match self.planes[plane].source {
            Source::Plane(at) => &self.library.planes[at].name,
            Source::Attribute(at) => &self.library.attributes[at].name,
            Source::Own(_) => "a view",
            Source::Written(..) => "what is written",
        }
    }

    /// The planes of a family, a cell's own colour first.
    pub fn planes_of(&mut self, family: Groups) -> Vec<PlaneId> {
        self.make_ready(family);
        let of = |at: &PlaneId| self.planes[*at].group.without(family) == Groups::default();
        let mut planes: Vec<PlaneId> = (0..self.planes.len()).filter(of).collect();
        planes.sort_by_key(|at| self.planes[*at].source);
        planes
    }

    /// The tests of a family, the simplest first and none that say the same of the demos.
    pub fn tests_of(&mut self, family: Groups) -> Vec<usize> {
        let planes = self.planes_of(family);
        let mut out = Vec::new();
        for plane in &planes {
            out.extend(self.tests_of_plane(*plane));
        }
        let chosen =
            self.chosen.iter().filter(|(_, group, _)| group.without(family) == Groups::default());
        out.extend(chosen.map(|(_, _, test)| *test));
        for at in 0..self.numbers.len() {
            if family.has(self.library.attributes[at].group) {
                out.extend(self.tests_of_numbers(at));
            }
        }
        for at in 0..self.library.within.len() {
            if family.has(self.library.within[at].0) {
                out.extend(self.tests_within(at));
            }
        }
        for at in 0..self.library.reach.len() {
            if family.has(self.library.reach[at].0) {
                out.extend(self.tests_of_reach(at));
            }
        }
        let few = planes.len() <= FEW_PLANES;
        for (later, a) in planes.iter().enumerate() {
            for (earlier, b) in planes[..later].iter().enumerate() {
                if few || later < FIRST_PLANES || earlier < FIRST_PLANES {
                    out.extend(self.test_of_pair(*a, *b));
                }
            }
        }
        let mut seen = HashSet::default();
        out.retain(|test| seen.insert(self.tests[*test].print));
        out
    }

    fn tests_of_plane(&mut self, plane: PlaneId) -> Vec<usize> {
        if let Some(tests) = &self.planes[plane].tests {
            return tests.clone();
        }
        let mut by_color = vec![self.scene.none(); 11];
        let own = &self.scene.own;
        for (cell, color) in self.planes[plane].says.iter().enumerate() {
            // Nothing is also said of what lies between the grids.
            if own[cell] != NONE {
                insert(&mut by_color[usize::from((*color).min(10))], cell);
            }
        }
        let mut tests = Vec::new();
        for (color, yes) in by_color.into_iter().enumerate() {
            if self.tells(&yes) {
                let color = color as u8;
                let ask = if color > 9 { Ask::Nothing(plane) } else { Ask::Is(plane, color) };
                tests.push(self.add_test(ask, yes, 1.0));
            }
        }
        self.planes[plane].tests = Some(tests.clone());
        tests
    }

    fn test_of_pair(&mut self, a: PlaneId, b: PlaneId) -> Option<usize> {
        if let Some(test) = self.pairs.get(&(a, b)) {
            return *test;
        }
        let yes = self.scene.cells_alike(&self.planes[a].says, &self.planes[b].says);
        let test = self.tells(&yes).then(|| self.add_test(Ask::Agree(a, b), yes, 1.3));
        self.pairs.insert((a, b), test);
        test
    }

    fn tests_of_numbers(&mut self, at: usize) -> Vec<usize> {
        if let Some(tests) = &self.numbers[at] {
            return tests.clone();
        }
        let (scene, attribute) = (self.scene, &self.library.attributes[at]);
        let container = usize::from(attribute.container.0);
        let mut tests = Vec::new();
        if !attribute.is_color
            && let Some(by_grid) = self.numbers_of(at)
        {
            let is_cell = self.library.containers[container].items == ItemKind::Cell;
            let Some(parts) = self.parts(container) else { return tests };
            for (when, cost, yes) in numbers::sets(scene, &by_grid, &parts.label, is_cell) {
                if self.tells(&yes) {
                    tests.push(self.add_test(Ask::Item(at, when), yes, cost));
                }
            }
        }
        self.numbers[at] = Some(tests.clone());
        tests
    }

    /// The tests of where cells lie in the items of a container.
    fn tests_within(&mut self, at: usize) -> Vec<usize> {
        if let Some(tests) = self.within.get(&at) {
            return tests.clone();
        }
        let (scene, container) = (self.scene, usize::from(self.library.within[at].1.0));
        let mut tests = Vec::new();
        if let Some(parts) = self.parts(container) {
            let mut label = vec![ALONE; scene.words * 64];
            let mut by_place: Vec<Vec<Vec<i32>>> = vec![Vec::new(); PlaceIn::ALL.len()];
            for (items, extent) in parts.items.iter().zip(&scene.extents) {
                let mut numbers = vec![vec![0; extent.area()]; PlaceIn::ALL.len()];
                for item in items {
                    for (_, i, j) in &item.cells {
                        let cell = *i as usize * extent.width + *j as usize;
                        label[extent.start + cell] = cell as u32;
                        for (place, numbers) in PlaceIn::ALL.iter().zip(&mut numbers) {
                            numbers[cell] = place.of(item, *i, *j);
                        }
                    }
                }
                by_place.iter_mut().zip(numbers).for_each(|(all, numbers)| all.push(numbers));
            }
            for (place, by_grid) in PlaceIn::ALL.iter().zip(&by_place) {
                for (when, cost, yes) in numbers::sets(scene, by_grid, &label, true) {
                    // Functions of one item say where it is so, not where it is not.
                    let said = place.of_one_item().is_none() || when == When::Is(1);
                    if said && self.tells(&yes) {
                        let ask = Ask::Within(container, *place, when);
                        tests.push(self.add_test(ask, yes, cost));
                    }
                }
            }
        }
        self.within.insert(at, tests.clone());
        tests
    }

    /// The tests of what the items of a container reach that have some attribute.
    fn tests_of_reach(&mut self, at: usize) -> Vec<usize> {
        if let Some(tests) = self.reached.get(&at) {
            return tests.clone();
        }
        let (scene, library, container) = (self.scene, self.library, self.library.reach[at].1);
        let mut seen = HashSet::default();
        let mut bases: Vec<(usize, When, Bits)> = Vec::new();
        for (at, attribute) in library.attributes.iter().enumerate() {
            if attribute.container != container {
                continue;
            }
            for test in self.tests_of_numbers(at) {
                let test = &self.tests[test];
                if let Ask::Item(_, when) = test.ask
                    && !matches!(when, When::AtMost(_))
                    && bases.len() < MAX_BASES
                    && seen.insert(test.print)
                {
                    bases.push((at, when, test.yes.clone()));
                }
            }
        }
        let mut tests = Vec::new();
        for reach in Reach::ALL {
            for (at, when, yes) in &bases {
                let Some(parts) = self.parts(usize::from(container.0)) else { continue };
                let reached = reach.of(scene, yes, &parts.items);
                if self.tells(&reached) {
                    tests.push(self.add_test(Ask::Reached(*at, *when, reach), reached, 1.3));
                }
            }
        }
        self.reached.insert(at, tests.clone());
        tests
    }
}

fn all(values: &[Option<Value>]) -> Option<Vec<&Value>> {
    values.iter().map(Option::as_ref).collect()
}
