//! Columns: what the features of the library say of every cell of a scene.
//!
//! A plane gives cells a colour; a test is a set of cells. Both know how they were asked, so that a rule can
//! be written down as a program. All are made when a family first needs them and kept for the next.

use batt_lang::Value;
use batt_lang::program::NodeId;
use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use crate::bits::Bits;
use crate::library::{GroupId, Groups, Library, Root};
use crate::native::{Item, Picture};
use crate::numbers::{PlaceIn, When};
use crate::reach::Reach;
use crate::scene::{Extent, Scene};
use crate::tree::Price;

mod items;
mod planes;
mod questions;

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

    /// Drops the planes that were added last, from this one on, and the tests from that one on.
    pub fn truncate(&mut self, planes: usize, tests: usize) {
        self.planes.truncate(planes);
        self.tests.truncate(tests);
        self.pairs.retain(|(a, b), _| *a < planes && *b < planes);
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
}
