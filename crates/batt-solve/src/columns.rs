//! Columns: what the features of the library say of every cell of a scene.
//!
//! A plane gives cells a colour; a test is a set of cells. Both know how they were asked, so that a rule can
//! be written down as a program. Tests are made when a family first needs them and kept for the next.

use batt_lang::Value;
use batt_lang::program::NodeId;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::bits::{Bits, count, fingerprint, insert};
use crate::library::{GroupId, Groups, ItemKind, Library};
use crate::scene::{NONE, Scene, each_cell};
use crate::tree::Price;

/// Where a plane comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// A plane of the library, by its place there.
    Plane(usize),
    /// An attribute that is a colour, by its place in the library.
    Attribute(usize),
    /// An expression of the task's own, in its store.
    Own(NodeId),
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
}

/// What an attribute of an item may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum When {
    /// This number.
    Is(i32),
    /// At most this number.
    AtMost(i32),
    /// The largest among all items.
    Largest,
    /// The smallest among all items.
    Smallest,
    /// What most items have.
    Commonest,
    /// What fewest items have.
    Rarest,
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

/// The cells of an item.
type Cells = Vec<u32>;

/// The items of a container on one grid, with the numbers of one attribute.
struct Numbers {
    /// By grid, the attribute of every item.
    by_grid: Vec<Vec<i32>>,
    tests: Option<Vec<usize>>,
}

/// What the features say of a scene.
pub struct Columns<'a> {
    scene: &'a Scene,
    library: &'a Library,
    /// The planes that there are.
    pub planes: Vec<Plane>,
    /// The tests made so far.
    pub tests: Vec<Test>,
    chosen: Vec<(usize, Groups, usize)>,
    /// By container and grid, the cells of every item.
    items: Vec<Option<Vec<Vec<Cells>>>>,
    numbers: Vec<Option<Numbers>>,
    pairs: HashMap<(PlaneId, PlaneId), Option<usize>>,
}

/// As many different numbers of an attribute are asked for.
const MAX_NUMBERS: usize = 40;
/// Planes among the first so many are compared with all others of a family, the rest only with them.
const FIRST_PLANES: usize = 14;

impl<'a> Columns<'a> {
    /// The columns of what the library's roots ([`Library::roots`]) gave on the grids of a scene.
    pub fn new(
        scene: &'a Scene,
        library: &'a Library,
        values: &[Vec<Option<Value>>],
    ) -> Columns<'a> {
        let mut columns = Columns {
            scene,
            library,
            planes: Vec::new(),
            tests: Vec::new(),
            chosen: Vec::new(),
            items: Vec::new(),
            numbers: Vec::new(),
            pairs: HashMap::default(),
        };
        let (planes, rest) = values.split_at(library.planes.len());
        let (containers, attributes) = rest.split_at(library.containers.len());
        for (at, values) in planes.iter().enumerate() {
            if let Some(values) = all(values) {
                columns.add_feature(at, &values);
            }
        }
        for values in containers {
            let items = all(values).and_then(|values| columns.items_of(&values));
            columns.items.push(items);
        }
        for (at, values) in attributes.iter().enumerate() {
            let numbers = all(values).and_then(|values| columns.numbers_of(at, &values));
            if library.attributes[at].is_color {
                if let Some(numbers) = &numbers {
                    columns.add_colors(at, numbers);
                }
                columns.numbers.push(None);
            } else {
                columns.numbers.push(numbers);
            }
        }
        columns
    }

    fn add_feature(&mut self, at: usize, values: &[&Value]) {
        let group = Groups::default().with(self.library.planes[at].group);
        let is_set = |value: &&&Value| value.is_set();
        let of_locations = |value: &&Value| match value {
            Value::Set(items) => matches!(items.first(), Some(Value::Pair(..))),
            _ => false,
        };
        if values.iter().filter(is_set).count() == values.len() && values.iter().any(of_locations) {
            if let Some(yes) = self.scene.chosen(values) {
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

    fn add_plane(&mut self, source: Source, shape: Shape, says: Vec<u8>, group: Groups) {
        let scene = self.scene;
        let fill = |(says, own): (&u8, &u8)| if *says == NONE { *own } else { *says };
        let paints: Vec<u8> = says.iter().zip(&scene.own).map(fill).collect();
        let right = scene.cells_alike(&paints[..scene.demo_words * 64], &scene.target);
        self.planes.push(Plane { source, shape, says, paints, right, group, tests: None });
    }

    fn add_colors(&mut self, at: usize, numbers: &Numbers) {
        let attribute = &self.library.attributes[at];
        let Some(items) = &self.items[usize::from(attribute.container.0)] else { return };
        let mut says = vec![NONE; self.scene.words * 64];
        for (items, numbers) in items.iter().zip(&numbers.by_grid) {
            for (item, n) in items.iter().zip(numbers) {
                let Some(color) = u8::try_from(*n).ok().filter(|c| *c <= 9) else { return };
                for cell in item.iter().map(|cell| *cell as usize) {
                    // An object of two colours at one place is no plane.
                    if says[cell] != NONE && says[cell] != color {
                        return;
                    }
                    says[cell] = color;
                }
            }
        }
        let group = Groups::default().with(attribute.group);
        self.add_plane(Source::Attribute(at), Shape::Object, says, group);
    }

    fn items_of(&self, values: &[&Value]) -> Option<Vec<Vec<Cells>>> {
        let of_grid = |(value, extent): (&&Value, &crate::scene::Extent)| {
            let items = value.elements_of()?;
            let cells = |item: &Value| {
                let mut cells = Vec::new();
                each_cell(item, *extent, |cell| cells.push(cell as u32)).map(|()| cells)
            };
            items.iter().map(cells).collect::<Option<Vec<Cells>>>()
        };
        values.iter().zip(&self.scene.extents).map(of_grid).collect()
    }

    fn numbers_of(&self, at: usize, values: &[&Value]) -> Option<Numbers> {
        let items = self.items[usize::from(self.library.attributes[at].container.0)].as_ref()?;
        let of_grid = |(value, items): (&&Value, &Vec<Cells>)| {
            let numbers = value.elements_of()?;
            let numbers = numbers.iter().map(Value::as_int).collect::<Option<Vec<i32>>>()?;
            (numbers.len() == items.len()).then_some(numbers)
        };
        let by_grid = values.iter().zip(items).map(of_grid).collect::<Option<_>>()?;
        Some(Numbers { by_grid, tests: None })
    }

    fn add_test(&mut self, ask: Ask, yes: Bits, cost: f64) -> usize {
        let print = fingerprint(&yes[..self.scene.demo_words]);
        self.tests.push(Test { ask, yes, price: Price::of(cost), print });
        self.tests.len() - 1
    }

    /// Whether a test says yes of some cells of the demos and no of others.
    fn tells(&self, yes: &Bits, all: u32) -> bool {
        let yes = count(&yes[..self.scene.demo_words]);
        yes > 0 && yes < all
    }

    /// What a plane is called.
    pub fn name(&self, plane: PlaneId) -> &str {
        match self.planes[plane].source {
            Source::Plane(at) => &self.library.planes[at].name,
            Source::Attribute(at) => &self.library.attributes[at].name,
            Source::Own(_) => "a view",
        }
    }

    /// The planes of a family, a cell's own colour first.
    pub fn planes_of(&self, family: Groups) -> Vec<PlaneId> {
        let of = |at: &PlaneId| self.planes[*at].group.without(family) == Groups::default();
        (0..self.planes.len()).filter(of).collect()
    }

    /// The tests of a family, the simplest first and none that say the same of the demos.
    pub fn tests_of(&mut self, family: Groups) -> Vec<usize> {
        let all =
            self.scene.extents[..self.scene.demos].iter().map(|extent| extent.area() as u32).sum();
        let planes = self.planes_of(family);
        let mut out = Vec::new();
        for plane in &planes {
            out.extend(self.tests_of_plane(*plane, all));
        }
        let chosen =
            self.chosen.iter().filter(|(_, group, _)| group.without(family) == Groups::default());
        out.extend(chosen.map(|(_, _, test)| *test));
        for at in 0..self.numbers.len() {
            if family.has(self.library.attributes[at].group) {
                out.extend(self.tests_of_numbers(at, all));
            }
        }
        for (later, a) in planes.iter().enumerate() {
            for (earlier, b) in planes[..later].iter().enumerate() {
                if later < FIRST_PLANES || earlier < FIRST_PLANES {
                    out.extend(self.test_of_pair(*a, *b, all));
                }
            }
        }
        let mut seen = HashSet::default();
        out.retain(|test| {
            seen.insert(self.tests[*test].print) && self.tells(&self.tests[*test].yes, all)
        });
        out
    }

    fn tests_of_plane(&mut self, plane: PlaneId, all: u32) -> Vec<usize> {
        if let Some(tests) = &self.planes[plane].tests {
            return tests.clone();
        }
        let mut tests = Vec::new();
        for color in Scene::colors() {
            let yes = self.scene.cells_of(&self.planes[plane].says, color);
            let yes = if color == NONE { self.within(yes) } else { yes };
            if self.tells(&yes, all) {
                let ask = if color == NONE { Ask::Nothing(plane) } else { Ask::Is(plane, color) };
                tests.push(self.add_test(ask, yes, 1.0));
            }
        }
        self.planes[plane].tests = Some(tests.clone());
        tests
    }

    /// Without what lies between the grids.
    fn within(&self, mut cells: Bits) -> Bits {
        let outside = self.scene.cells_of(&self.scene.own, NONE);
        cells.iter_mut().zip(outside).for_each(|(cells, outside)| *cells &= !outside);
        cells
    }

    fn test_of_pair(&mut self, a: PlaneId, b: PlaneId, all: u32) -> Option<usize> {
        if let Some(test) = self.pairs.get(&(a, b)) {
            return *test;
        }
        let yes = self.scene.cells_alike(&self.planes[a].says, &self.planes[b].says);
        let test = self.tells(&yes, all).then(|| self.add_test(Ask::Agree(a, b), yes, 1.3));
        self.pairs.insert((a, b), test);
        test
    }

    fn tests_of_numbers(&mut self, at: usize, all: u32) -> Vec<usize> {
        let Some(numbers) = &mut self.numbers[at] else { return Vec::new() };
        if let Some(tests) = &numbers.tests {
            return tests.clone();
        }
        let by_grid = std::mem::take(&mut numbers.by_grid);
        let attribute = &self.library.attributes[at];
        let is_cell =
            self.library.containers[usize::from(attribute.container.0)].items == ItemKind::Cell;
        let demos = &by_grid[..self.scene.demos];
        let mut known: Vec<i32> = demos.iter().flatten().copied().collect();
        known.sort_unstable();
        known.dedup();
        let mut asks: Vec<(When, f64)> = Vec::new();
        if known.len() > 1 && !is_cell {
            asks.extend([When::Largest, When::Smallest].map(|when| (when, 1.0)));
            // Of no items there is neither, which is an error in a program.
            if by_grid.iter().all(|numbers| !numbers.is_empty()) {
                asks.extend([When::Commonest, When::Rarest].map(|when| (when, 1.0)));
            }
        }
        known.truncate(MAX_NUMBERS);
        asks.extend(known.iter().map(|n| (When::Is(*n), 1.0 + 0.02 * f64::from(n.abs().min(20)))));
        let below = known.len().saturating_sub(1);
        if known.len() > 2 {
            asks.extend(known[..below].iter().map(|n| (When::AtMost(*n), 1.2)));
        }
        let mut tests = Vec::new();
        for (when, cost) in asks {
            let yes = self.cells_when(at, &by_grid, when);
            if self.tells(&yes, all) {
                tests.push(self.add_test(Ask::Item(at, when), yes, cost));
            }
        }
        self.numbers[at] = Some(Numbers { by_grid, tests: Some(tests.clone()) });
        tests
    }

    fn cells_when(&self, at: usize, by_grid: &[Vec<i32>], when: When) -> Bits {
        let mut yes = self.scene.none();
        let container = usize::from(self.library.attributes[at].container.0);
        let Some(items) = &self.items[container] else { return yes };
        for (items, numbers) in items.iter().zip(by_grid) {
            let wanted = when.wanted(numbers);
            for (item, n) in items.iter().zip(numbers) {
                if wanted(*n) {
                    for cell in item {
                        insert(&mut yes, *cell as usize);
                    }
                }
            }
        }
        yes
    }
}

impl When {
    /// Which numbers are meant, among these.
    pub(crate) fn wanted(self, numbers: &[i32]) -> impl Fn(i32) -> bool + use<> {
        let (low, high) = match self {
            When::Is(n) => (n, n),
            When::AtMost(n) => (i32::MIN, n),
            When::Largest => numbers.iter().max().map_or((1, 0), |n| (*n, *n)),
            When::Smallest => numbers.iter().min().map_or((1, 0), |n| (*n, *n)),
            When::Commonest => by_count(numbers, true).map_or((1, 0), |n| (n, n)),
            When::Rarest => by_count(numbers, false).map_or((1, 0), |n| (n, n)),
        };
        move |n| low <= n && n <= high
    }
}

/// The number that occurs most or least often; the smallest on a tie.
fn by_count(numbers: &[i32], most: bool) -> Option<i32> {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    let runs = sorted.chunk_by(|a, b| a == b).map(|run| (run.len(), run[0]));
    runs.reduce(|a, b| {
        let better = if most { b.0 > a.0 } else { b.0 < a.0 };
        if better { b } else { a }
    })
    .map(|(_, n)| n)
}

fn all(values: &[Option<Value>]) -> Option<Vec<&Value>> {
    values.iter().map(Option::as_ref).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_of_equals_is_the_commonest() {
        assert_eq!(by_count(&[3, 1, 3, 1, 2], true), Some(1));
        assert_eq!(by_count(&[3, 1, 3, 1, 2], false), Some(2));
        assert_eq!(by_count(&[], true), None);
    }
}
